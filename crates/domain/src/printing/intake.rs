//! What a printer takes: what it says of itself, and the team's word where it has one.

use super::abilities::Abilities;
use super::printer::FormatTypes;
use super::problem::{PrintFailure, PrintProblem};
use super::{FILE_BYTES_MAX, MIB};
use crate::document::Format;

/// What a printer takes.
#[derive(Clone, Copy, Debug)]
pub struct Intake<'a> {
    /// What it says of itself.
    pub abilities: &'a Abilities,
    /// The formats that the team says it takes.
    pub formats: Option<&'a [Format]>,
}

impl Intake<'_> {
    /// Our formats that it takes, each with the type that it is sent as.
    pub fn types(&self) -> FormatTypes {
        let derived = FormatTypes::of(self.abilities);
        let Some(formats) = self.formats else { return derived };
        let kind = |format: &Format| {
            let known = derived.of_format(*format).map(str::to_owned);
            (*format, known.unwrap_or_else(|| sent_unasked(*format).to_owned()))
        };
        FormatTypes(formats.iter().map(kind).collect())
    }

    /// The type that a file of this format is sent as. Nothing when it is not taken.
    pub fn kind(&self, format: &str) -> Option<String> {
        self.types().of_format(Format::parse(format)?).map(str::to_owned)
    }

    /// The formats that it takes, for people.
    pub fn names(&self) -> String {
        let known: Vec<&str> = self.types().formats().map(Format::name).collect();
        if known.is_empty() { "–".to_owned() } else { known.join(", ") }
    }

    /// How many copies of a file of this format it makes when it is told to.
    pub fn copies_max(&self, format: &str) -> i64 {
        let kind = self.kind(format);
        let mut by_type = self.abilities.copies_by_type.iter();
        let of_type = by_type.find(|(known, _)| Some(known) == kind.as_ref());
        let most = of_type.map(|(_, most)| *most).or(self.abilities.copies_max);
        most.unwrap_or(1).max(1)
    }

    /// Whether it can print a file of so many bytes so often at all.
    pub fn fits(&self, format: &str, bytes: u64, copies: i64) -> Result<(), PrintFailure> {
        if self.kind(format).is_none() {
            return Err(PrintFailure::said(PrintProblem::CannotTake, &self.not_taken(format)));
        }
        // A printer of labels that makes no copies gets the file several times in one document.
        if copies > self.copies_max(format) && !self.is_repeated(format, copies) {
            let max = self.copies_max(format).to_string();
            return Err(PrintFailure::said(PrintProblem::TooManyCopies, &max));
        }
        if self.size_as_sent(format, bytes, copies) > FILE_BYTES_MAX {
            let max = (FILE_BYTES_MAX / MIB).to_string();
            return Err(PrintFailure::said(PrintProblem::TooLarge, &max));
        }
        Ok(())
    }

    /// The format against those that it takes; alone when there are none.
    fn not_taken(&self, format: &str) -> String {
        match self.types().formats().next() {
            Some(_) => format!("{format} ≠ {}", self.names()),
            None => format.to_owned(),
        }
    }

    /// Whether the file goes several times in one document, because the printer makes no copies.
    pub fn is_repeated(&self, format: &str, copies: i64) -> bool {
        Format::parse(format) == Some(Format::Zpl) && copies > self.copies_max(format)
    }

    /// The bytes that leave for the printer.
    pub fn size_as_sent(&self, format: &str, bytes: u64, copies: i64) -> u64 {
        match self.is_repeated(format, copies) {
            true => bytes.saturating_mul(u64::try_from(copies).unwrap_or(u64::MAX)),
            false => bytes,
        }
    }
}

/// What a file is sent as to a printer that does not list it, because the team says that it takes
/// it.
fn sent_unasked(format: Format) -> &'static str {
    match format {
        Format::Zpl => "application/octet-stream",
        format => format.media_type(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn abilities() -> Abilities {
        let types = ["application/pdf", "application/vnd.zebra-zpl", "image/png"];
        Abilities {
            types: types.map(str::to_owned).to_vec(),
            copies_max: Some(9),
            copies_by_type: vec![
                ("application/vnd.zebra-zpl".to_owned(), 1),
                ("application/pdf".to_owned(), 3),
            ],
            ..Abilities::default()
        }
    }

    fn problem(format: &str, bytes: u64, copies: i64) -> Option<PrintProblem> {
        let abilities = abilities();
        let intake = Intake { abilities: &abilities, formats: None };
        intake.fits(format, bytes, copies).err().map(|failure| failure.problem)
    }

    #[test]
    fn copies_are_limited_for_each_format() {
        assert_eq!(problem("pdf", 1, 3), None);
        assert_eq!(problem("pdf", 1, 4), Some(PrintProblem::TooManyCopies));
        assert_eq!(problem("png", 1, 9), None);
        assert_eq!(problem("png", 1, 10), Some(PrintProblem::TooManyCopies));
        assert_eq!(problem("xlsx", 1, 1), Some(PrintProblem::CannotTake));
    }

    #[test]
    fn a_printer_that_takes_nothing_known_is_told_apart_in_words() {
        let say = |formats: &[Format]| {
            let intake = Intake { abilities: &Abilities::default(), formats: Some(formats) };
            intake.fits("pdf", 1, 1).unwrap_err().message().say(Language::En)
        };
        assert_eq!(say(&[]), "The printer takes none of the formats that are known here (pdf).");
        assert_eq!(say(&[Format::Zpl]), "The printer does not take this format (pdf ≠ zpl).");
    }

    #[test]
    fn a_label_is_repeated_where_the_printer_makes_no_copies_of_labels() {
        let abilities = abilities();
        let intake = Intake { abilities: &abilities, formats: None };
        assert!(intake.is_repeated("zpl", 2) && !intake.is_repeated("pdf", 2));
        assert_eq!(intake.size_as_sent("zpl", 100, 5), 500);
        assert_eq!(intake.size_as_sent("pdf", 100, 3), 100);
    }

    #[test]
    fn what_is_sent_is_not_too_large_with_its_copies() {
        assert_eq!(problem("pdf", FILE_BYTES_MAX, 3), None);
        assert_eq!(problem("pdf", FILE_BYTES_MAX + 1, 1), Some(PrintProblem::TooLarge));
        assert_eq!(problem("zpl", FILE_BYTES_MAX / 2, 2), None);
        assert_eq!(problem("zpl", FILE_BYTES_MAX / 2, 3), Some(PrintProblem::TooLarge));
        assert_eq!(problem("zpl", u64::MAX, 99), Some(PrintProblem::TooLarge));
    }
}
