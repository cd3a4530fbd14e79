//! ZPL: the size comes from `^PW` and `^LL`, or from whoever ordered the label, and every command
//! must be one that only draws.

use super::measured::{Expected, Measured, PAGES_MAX, measured};
use crate::problem::Problem;
use crate::zpl::parse::{Command, commands};
use crate::zpl::rules;

/// The sizes that a file's labels say they have.
#[derive(Default)]
pub(crate) struct Sizes {
    width: Option<i64>,
    length: Option<i64>,
    labels: usize,
    is_open: bool,
    is_mixed: bool,
    /// Whether the label in hand draws something, and whether it removes a picture.
    draws: bool,
    removes: bool,
}

impl Sizes {
    /// Takes note of a command.
    pub fn see(&mut self, command: &Command) {
        let note = |known: &mut Option<i64>, is_mixed: &mut bool| {
            let value = command.number(0);
            *is_mixed |= known.is_some() && *known != value;
            *known = value;
        };
        match &command.name {
            b"PW" => note(&mut self.width, &mut self.is_mixed),
            b"LL" => note(&mut self.length, &mut self.is_mixed),
            // A printer goes on with the label that it has begun.
            b"XA" => self.is_open = true,
            b"XZ" => {
                // What only removes a picture after use prints nothing.
                let is_label = self.is_open && (self.draws || !self.removes);
                self.labels += usize::from(is_label);
                (self.is_open, self.draws, self.removes) = (false, false, false);
            }
            b"ID" => self.removes = true,
            b"FD" | b"FV" | b"GB" | b"GC" | b"GD" | b"GE" | b"GF" | b"SN" | b"XG" => {
                self.draws = true;
            }
            _ => {}
        }
    }

    /// The one size of all labels.
    pub fn measured(&self, expected: Expected) -> Result<Measured, Problem> {
        if self.labels == 0 || self.is_open {
            return Err(Problem::file("document-not-zpl"));
        }
        if self.labels > PAGES_MAX {
            return Err(Problem::file("document-too-large"));
        }
        let per_metre = f64::from(expected.dpi.per_metre());
        let side = |dots: Option<i64>| Some(dots? as f64 * 1000.0 / per_metre);
        let width = side(self.width).or(expected.width_mm);
        match (width, side(self.length).or(expected.height_mm)) {
            (Some(width), Some(length)) if !self.is_mixed => measured(width, length, self.labels),
            _ => Err(Problem::file("document-no-size")),
        }
    }
}

pub(super) fn measure(bytes: &[u8], expected: Expected) -> Result<Measured, Problem> {
    rules::allow(bytes)?;
    let (_, commands) = commands(bytes);
    let mut sizes = Sizes::default();
    commands.for_each(|command| sizes.see(&command));
    sizes.measured(expected)
}
