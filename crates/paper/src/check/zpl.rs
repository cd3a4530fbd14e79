//! Reads our ZPL back: the commands of each label, and of each barcode its field data or dots.

use super::{sample, says};
use crate::dpi::Dpi;
use crate::inspect::{self, Measured};
use crate::page::{Code, Document};
use crate::problem::Problem;
use crate::raster::code_dots;
use crate::symbol::code128;
use crate::zpl::field::{read_code128, unescape};
use crate::zpl::parse::{Command, commands};
use crate::zpl::preview::dots;

/// A field of a label: what stood between `^FO` and `^FS`.
#[derive(Default)]
struct Field<'a> {
    at: (i64, i64),
    module: i64,
    bars: Option<Command<'a>>,
    dots: Option<Command<'a>>,
    data: &'a [u8],
}

pub(super) fn check(bytes: &[u8], document: &Document, dpi: Dpi) -> Result<Measured, Problem> {
    let wrong = || Problem::file("document-self-check");
    let (_, commands) = commands(bytes);
    let mut pages = document.pages.iter();
    let mut codes = Vec::new();
    let mut sizes = inspect::ZplSizes::default();
    let mut field = Field::default();
    for command in commands {
        sizes.see(&command);
        match &command.name {
            b"XA" => codes = pages.next().ok_or_else(wrong)?.codes().collect(),
            b"FO" => {
                let at =
                    (command.number(0).ok_or_else(wrong)?, command.number(1).ok_or_else(wrong)?);
                field = Field { at, ..Field::default() };
            }
            b"BY" => field.module = command.number(0).ok_or_else(wrong)?,
            b"BC" => field.bars = Some(command),
            b"GF" => field.dots = Some(command),
            b"FD" => field.data = command.rest,
            b"FS" => codes.retain(|code| !is_at(code, &field, dpi)),
            // Each barcode of the page must have been found by now.
            b"XZ" => codes.is_empty().then_some(()).ok_or_else(wrong)?,
            _ => {}
        }
    }
    sizes.measured(dpi.into())
}

/// True when the field is this barcode, in its place, and says what it should.
fn is_at(code: &Code, field: &Field, dpi: Dpi) -> bool {
    let place = code_dots(code, dpi);
    if field.at != (place.x, place.y) {
        return false;
    }
    if code.symbol.symbology.is_linear() {
        let is_sized = field.module == place.module.0
            && field.bars.and_then(|bars| bars.number(1)) == Some(place.module.1);
        let values = read_code128(&unescape(field.data, b'_'));
        let modules = values.and_then(|values| code128::modules(&values));
        return is_sized && modules.is_some_and(|modules| says(code, &modules).is_ok());
    }
    let picture = field.dots.and_then(|command| dots(&command));
    let modules =
        picture.and_then(|picture| sample(&picture, (0, 0), place.module, &code.symbol.modules));
    modules.is_some_and(|modules| says(code, &modules).is_ok())
}
