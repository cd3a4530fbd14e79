//! Which printer a file goes to, and whether that one takes it.

use waybill_domain::ids::{PrinterId, TeamId};
use waybill_domain::printing::{
    FILE_BYTES_MAX, PrintFailure, PrintFile, PrintProblem, PrintingSettings,
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

/// The printer and the number of copies that the team's rules choose.
pub fn choose(
    tx: &mut Tx<'_>,
    team: TeamId,
    settings: &PrintingSettings,
    document: &Document,
) -> Result<Option<(Printer, i64)>, Error> {
    let Some(file) = file_of(document) else { return Ok(None) };
    for rule in settings.rules_for(file) {
        // A rule of a printer that is gone fits nothing.
        if let Some(printer) = printers::find(tx, team, PrinterId(rule.printer))? {
            return Ok(Some((printer, rule.copies)));
        }
    }
    Ok(None)
}

/// A document as rules see it; nothing when this version does not know its format.
pub(super) fn file_of(document: &Document) -> Option<PrintFile> {
    let format = format_of(document)?;
    Some(PrintFile { format, width: document.width_um, height: document.height_um })
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
    let intake = printer.intake();
    if let Err(failure) = fits(printer, document, copies) {
        return Ok(Err(match failure.problem {
            PrintProblem::TooManyCopies => {
                let max = intake.copies_max(&document.format);
                let message = Message::new("printer-copies-max").text("max", max);
                Unprintable::Copies(message.text("format", &document.format))
            }
            PrintProblem::TooLarge => Unprintable::Copies(too_large("copies-too-large")),
            _ => {
                let message = Message::new("printer-cannot-take").text("format", &document.format);
                Unprintable::Format(message.text("known", intake.names()))
            }
        }));
    }
    let waiting = print_jobs::count_open(tx, team, printer.id, WAITING_MAX)?;
    Ok(match waiting >= WAITING_MAX {
        true => Err(Unprintable::Full(Message::new("printer-full").count("max", WAITING_MAX))),
        false => Ok(()),
    })
}

/// Whether the printer can print the file so often at all. For one of which nobody knows yet what
/// it takes a file waits: its agent decides when it reaches it.
pub(super) fn fits(
    printer: &Printer,
    document: &Document,
    copies: i64,
) -> Result<(), PrintFailure> {
    if printer.is_unmet() && bytes(document) <= FILE_BYTES_MAX {
        return Ok(());
    }
    printer.intake().fits(&document.format, bytes(document), copies)
}

/// The bytes that leave for the printer.
pub(super) fn size_as_sent(printer: &Printer, document: &Document, copies: i64) -> i64 {
    let size = printer.intake().size_as_sent(&document.format, bytes(document), copies);
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// Why no printer prints the file, if it is too large for all of them.
pub fn too_large_for_all(document: &Document) -> Option<Message> {
    (bytes(document) > FILE_BYTES_MAX).then(|| too_large("print-file-too-large"))
}

fn too_large(key: &'static str) -> Message {
    Message::new(key).text("max", FILE_BYTES_MAX / (1024 * 1024))
}

fn bytes(document: &Document) -> u64 {
    u64::try_from(document.size_bytes).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use waybill_domain::document::SourceKind;
    use waybill_domain::ids::{DocumentId, PrintAgentId};
    use waybill_domain::printing::{Abilities, Provider};
    use waybill_domain::time::Time;
    use waybill_store::printers::AgentPrinter;

    use super::*;

    fn label() -> Document {
        Document {
            id: DocumentId(Uuid::nil()),
            source_type: SourceKind::Shipment,
            source: Uuid::nil(),
            position: 0,
            name: "Label".to_owned(),
            filename: "label.pdf".to_owned(),
            types: "label".to_owned(),
            format: "pdf".to_owned(),
            size_bytes: 3,
            hash: Vec::new(),
            width_um: None,
            height_um: None,
            page_count: Some(1),
            is_drawable: false,
            print_status: None,
            created_at: Time(0),
            updated_at: Time(0),
        }
    }

    #[test]
    fn a_file_waits_for_a_printer_whose_formats_its_agent_does_not_know_yet() {
        let names = ("zebra".to_owned(), String::new());
        let known = (false, Abilities::default());
        let called = Printer::new(PrinterId(Uuid::nil()), names, known, Time(0));
        let printer = |reported_online| Printer {
            provider: Provider::Agent,
            agent: Some(AgentPrinter {
                agent: PrintAgentId(Uuid::nil()),
                key: "uri:a".to_owned(),
                name: "zebra".to_owned(),
                reported_online,
            }),
            ..called.clone()
        };
        let is_taken = |printer: &Printer| fits(printer, &label(), 2).is_ok();
        assert!(is_taken(&printer(Some(false))) && is_taken(&printer(None)));
        assert!(!is_taken(&printer(Some(true))) && !is_taken(&called));
        let said = Printer { formats: Some(Vec::new()), ..printer(Some(false)) };
        assert!(!is_taken(&said));
        let large = Document { size_bytes: i64::MAX, ..label() };
        assert!(fits(&printer(Some(false)), &large, 1).is_err());
    }
}
