//! Which commands a carrier's ZPL may use: those that draw one label. What talks to a network,
//! changes the printer's lasting settings or its very prefixes, or stores what outlives the power
//! is refused by its absence. Only a picture may be loaded, into the printer's memory.

use waybill_domain::words::Message;

use super::parse::{Command, commands};
use crate::problem::Problem;

/// Commands with a caret that only draw, or move the paper. Not among them: `^CC ^CD ^CT` (other
/// prefixes), `^DF ^XF ^IS ^IL ^IM` (storage), `^JU ^KN ^SC ^ND ^NI` … (settings), `^HZ ^HW`
/// (answers). `^CW` and `^A@` choose a font that the printer has, from wherever it is.
const DRAWING: &[&str] = &[
    "XA", "XZ", "A", "B0", "B1", "B2", "B3", "B4", "B5", "B7", "B8", "B9", "BA", "BB", "BC", "BD",
    "BE", "BF", "BI", "BJ", "BK", "BL", "BM", "BO", "BP", "BQ", "BR", "BS", "BT", "BU", "BX", "BY",
    "BZ", "CF", "CI", "CW", "FB", "FC", "FD", "FH", "FO", "FP", "FR", "FS", "FT", "FV", "FW", "FX",
    "GB", "GC", "GD", "GE", "GF", "GS", "ID", "JM", "LH", "LL", "LR", "LS", "LT", "MC", "MD", "MF",
    "ML", "MM", "MN", "MT", "PF", "PM", "PN", "PO", "PQ", "PR", "PW", "SN", "TB", "XG", "ZZ",
];

/// The only command with a tilde: it loads a picture.
const LOADING: &[u8; 2] = b"DG";
/// The drive that forgets everything with the power.
const MEMORY: &[u8] = b"R:";
/// No picture on a label has more bytes.
const PICTURE_MAX: i64 = 4 * 1024 * 1024;

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
        let is_known = match command.prefix {
            b'^' => DRAWING.contains(&name.trim_end()),
            _ => &command.name == LOADING,
        };
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

/// Binary dots could hide a prefix, copies are asked for with a print job, and dots of double size
/// stay for the labels of others.
fn hides_more(command: &Command) -> bool {
    match &command.name {
        b"GF" => !matches!(command.rest.first(), Some(b'A' | b'a')),
        b"PQ" => command.number(0).is_none_or(|copies| copies > 1),
        b"JM" => !matches!(command.rest.trim_ascii(), b"" | b"A" | b"a"),
        b"XG" | b"ID" => !is_one_in_memory(command),
        LOADING => !is_one_in_memory(command) || !is_picture(command),
        _ => false,
    }
}

/// Whether the command names one picture in the printer's memory. All at once could be those of
/// somebody else.
fn is_one_in_memory(command: &Command) -> bool {
    let name = command.parameters().next().unwrap_or_default().to_ascii_uppercase();
    let is_one = |name: &[u8]| {
        let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        !name.is_empty() && name.iter().all(is_usual)
    };
    name.strip_prefix(MEMORY).is_some_and(is_one)
}

/// Whether a picture that is loaded has a usual size and is written in plain characters.
fn is_picture(command: &Command) -> bool {
    let is_usual = |size: Option<i64>| size.is_some_and(|size| (1..=PICTURE_MAX).contains(&size));
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    is_usual(command.number(1)) && is_usual(command.number(2)) && command.rest.iter().all(is_plain)
}
