//! Which commands a carrier's ZPL may use: those that draw one label. What stores, deletes, talks
//! to a network, changes the printer's settings or its very prefixes is refused by its absence.

use waybill_domain::words::Message;

use super::parse::{Command, commands};
use crate::problem::Problem;

/// Commands with a caret that only draw. Not among them: `^CC ^CD ^CT` (other prefixes), `^DF ^XF
/// ^IS ^ID ^IL ^XG ^IM` (storage), `^JU ^KN ^SC ^ND ^NI` … (settings), `^HZ ^HW` (answers).
const DRAWING: &[&str] = &[
    "XA", "XZ", "A", "B0", "B1", "B2", "B3", "B4", "B5", "B7", "B8", "B9", "BA", "BB", "BC", "BD",
    "BE", "BF", "BI", "BJ", "BK", "BL", "BM", "BO", "BP", "BQ", "BR", "BS", "BT", "BU", "BX", "BY",
    "BZ", "CF", "CI", "FB", "FC", "FD", "FH", "FO", "FP", "FR", "FS", "FT", "FV", "FW", "FX", "GB",
    "GC", "GD", "GE", "GF", "GS", "LH", "LL", "LR", "LS", "LT", "MC", "MD", "ML", "MM", "MN", "MT",
    "PM", "PO", "PQ", "PR", "PW", "SN", "TB",
];

/// More commands than this are not one file of labels.
const COMMANDS_MAX: usize = 200_000;

/// Refuses ZPL with any command that does more than draw.
pub(crate) fn allow(bytes: &[u8]) -> Result<(), Problem> {
    let (before, commands) = commands(bytes);
    let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
    if !before.trim_ascii().is_empty() {
        return Err(Problem::file("document-not-zpl"));
    }
    for (count, command) in commands.enumerate() {
        let name = String::from_utf8_lossy(&command.name);
        let is_known = command.prefix == b'^' && DRAWING.contains(&name.trim_end());
        if !is_known || count > COMMANDS_MAX || hides_more(&command) {
            let message = Message::new("document-zpl-command").text("command", command.title());
            return Err(Problem::new("document", message));
        }
        // Printers with a second language leave ZPL at this word; data may hold it, gaps may not.
        let is_data = matches!(&command.name, b"FD" | b"FV" | b"FX");
        if !is_data && command.rest.windows(2).any(|pair| pair == b"! ") {
            let message = Message::new("document-zpl-command").text("command", "! U1");
            return Err(Problem::new("document", message));
        }
    }
    Ok(())
}

/// Binary dots could hide a prefix, `^A@` names a file, and copies are asked for with a print job.
fn hides_more(command: &Command) -> bool {
    match &command.name {
        b"GF" => !matches!(command.rest.first(), Some(b'A' | b'a')),
        b"A " => command.rest.first() == Some(&b'@'),
        b"PQ" => command.number(0).is_none_or(|copies| copies > 1),
        _ => false,
    }
}
