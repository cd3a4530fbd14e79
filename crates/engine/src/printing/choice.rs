//! Which printer a file goes to, and whether that one takes it.

use waybill_domain::document::Format;
use waybill_domain::ids::{PrinterId, TeamId};
use waybill_domain::printing::{
    FormatTypes, PrintFailure, PrintFile, PrintProblem, PrintingSettings,
};
use waybill_domain::words::Message;
use waybill_store::documents::Document;
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, print_jobs};

use super::format_of;

/// A printer with so many jobs waiting takes no more.
const WAITING_MAX: i64 = 1000;

/// Why a printer does not print a file.
#[derive(Debug)]
pub enum Unprintable {
    /// It does not take the format.
    Format(Message),
    /// It does not make so many copies.
    Copies(Message),
    /// Too many jobs wait for it.
    Full(Message),
}

/// Our formats that a printer takes, by the team's word where it has one.
pub fn format_types(printer: &Printer) -> FormatTypes {
    let derived = FormatTypes::of(&printer.abilities);
    let Some(formats) = &printer.formats else { return derived };
    let kind = |format: &Format| {
        let known = derived.of_format(*format).map(str::to_owned);
        (*format, known.unwrap_or_else(|| sent_unasked(*format).to_owned()))
    };
    FormatTypes(formats.iter().map(kind).collect())
}

/// What a file is sent as to a printer that does not list it, because the team says that it takes
/// it.
fn sent_unasked(format: Format) -> &'static str {
    match format {
        Format::Zpl => "application/octet-stream",
        format => format.media_type(),
    }
}

/// The printer and the number of copies that the team's rules choose.
pub fn choose(
    tx: &mut Tx<'_>,
    team: TeamId,
    settings: &PrintingSettings,
    document: &Document,
) -> Result<Option<(Printer, i64)>, Error> {
    let Some(format) = format_of(document) else { return Ok(None) };
    let file = PrintFile { format, width: document.width_um, height: document.height_um };
    for rule in settings.rules_for(file) {
        // A rule of a printer that is gone fits nothing.
        if let Some(printer) = printers::find(tx, team, PrinterId(rule.printer))? {
            return Ok(Some((printer, rule.copies)));
        }
    }
    Ok(None)
}

/// What is said when no rule fits.
pub fn no_rule(document: &Document) -> PrintFailure {
    PrintFailure::said(PrintProblem::NoRule, &described(document))
}

/// The format of a file, with its size where that is known.
pub fn described(document: &Document) -> String {
    let side = |side: Option<i64>| side.map(|side| (side + 500) / 1000);
    match (side(document.width_um), side(document.height_um)) {
        (Some(width), Some(height)) => format!("{} {width} × {height} mm", document.format),
        _ => document.format.clone(),
    }
}

/// Whether the printer takes the file so often, now.
pub fn check(
    tx: &mut Tx<'_>,
    team: TeamId,
    printer: &Printer,
    document: &Document,
    copies: i64,
) -> Result<Result<(), Unprintable>, Error> {
    if let Err(failure) = fits(printer, document, copies) {
        return Ok(Err(match failure.problem {
            PrintProblem::TooManyCopies => {
                let max = printer.abilities.copies_max.unwrap_or(1).max(1);
                Unprintable::Copies(Message::new("printer-copies-max").text("max", max))
            }
            _ => {
                let message = Message::new("printer-cannot-take").text("format", &document.format);
                Unprintable::Format(message.text("known", format_names(printer)))
            }
        }));
    }
    let waiting = print_jobs::count_open(tx, team, printer.id, WAITING_MAX)?;
    Ok(match waiting >= WAITING_MAX {
        true => Err(Unprintable::Full(Message::new("printer-full").count("max", WAITING_MAX))),
        false => Ok(()),
    })
}

/// Whether the printer can print the file so often at all.
pub fn fits(printer: &Printer, document: &Document, copies: i64) -> Result<(), PrintFailure> {
    let types = format_types(printer);
    let format = format_of(document).filter(|format| types.of_format(*format).is_some());
    let Some(format) = format else {
        let words = format!("{} ≠ {}", document.format, format_names(printer));
        return Err(PrintFailure::said(PrintProblem::CannotTake, &words));
    };
    // A printer of labels that makes no copies gets the file several times in one document.
    let max = printer.abilities.copies_max.unwrap_or(1);
    match copies <= max.max(1) || format == Format::Zpl {
        true => Ok(()),
        false => Err(PrintFailure::said(PrintProblem::TooManyCopies, &max.max(1).to_string())),
    }
}

/// The formats that a printer takes, for people.
fn format_names(printer: &Printer) -> String {
    let known: Vec<&str> = format_types(printer).formats().map(Format::name).collect();
    if known.is_empty() { "–".to_owned() } else { known.join(", ") }
}

/// Whether the file goes several times in one document, because the printer makes no copies.
pub fn is_repeated(printer: &Printer, document_format: &str, copies: i64) -> bool {
    let max = printer.abilities.copies_max.unwrap_or(1);
    Format::parse(document_format) == Some(Format::Zpl) && copies > max.max(1)
}

/// The bytes that leave for the printer.
pub(super) fn size_as_sent(printer: &Printer, document: &Document, copies: i64) -> i64 {
    match is_repeated(printer, &document.format, copies) {
        true => document.size_bytes.saturating_mul(copies),
        false => document.size_bytes,
    }
}
