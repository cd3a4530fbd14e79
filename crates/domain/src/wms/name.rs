//! Names of a warehouse: of what lies there and of places.

use crate::fields::{Field, Fields, Text};
use crate::words::Message;

/// The longest name, in characters.
pub const NAME_MAX: usize = 64;

/// Reads a SKU or a location: it is used exactly as it is written, so a space at an end would make
/// it another one that looks the same.
pub(super) fn read<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, String> {
    fields.value(name).then(|value| {
        let text = value.text(Text::filled(NAME_MAX))?;
        match text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
            true => value.refuse(Message::new("wms-space-at-end")),
            false => Some(text),
        }
    })
}
