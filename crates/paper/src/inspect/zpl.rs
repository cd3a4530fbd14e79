//! ZPL: the size comes from `^PW` and `^LL`, and every command must be one that only draws.

use super::{Measured, PAGES_MAX, measured};
use crate::problem::Problem;
use crate::renderer::Dpi;
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
            b"XA" => {
                self.is_mixed |= self.is_open;
                self.is_open = true;
            }
            b"XZ" => {
                self.labels += usize::from(self.is_open);
                self.is_open = false;
            }
            _ => {}
        }
    }

    /// The one size of all labels.
    pub fn measured(&self, dpi: Dpi) -> Result<Measured, Problem> {
        if self.labels == 0 || self.is_open {
            return Err(Problem::file("document-not-zpl"));
        }
        if self.labels > PAGES_MAX {
            return Err(Problem::file("document-too-large"));
        }
        let side = |dots: Option<i64>| Some(dots? as f64 * 1000.0 / f64::from(dpi.per_metre()));
        match (side(self.width), side(self.length)) {
            (Some(width), Some(length)) if !self.is_mixed => measured(width, length, self.labels),
            _ => Err(Problem::file("document-no-size")),
        }
    }
}

pub(super) fn measure(bytes: &[u8], dpi: Dpi) -> Result<Measured, Problem> {
    rules::allow(bytes)?;
    let (_, commands) = commands(bytes);
    let mut sizes = Sizes::default();
    commands.for_each(|command| sizes.see(&command));
    sizes.measured(dpi)
}
