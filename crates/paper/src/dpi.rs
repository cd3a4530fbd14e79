//! The resolutions of printers.

/// How fine a printer prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dpi {
    /// 203 dots an inch: eight dots a millimetre.
    Dpi203,
    /// 300 dots an inch.
    Dpi300,
}

impl Dpi {
    /// Reads the number.
    pub fn parse(number: i64) -> Option<Dpi> {
        match number {
            203 => Some(Dpi::Dpi203),
            300 => Some(Dpi::Dpi300),
            _ => None,
        }
    }

    pub(crate) fn per_metre(self) -> u32 {
        match self {
            Dpi::Dpi203 => 8_000,
            Dpi::Dpi300 => 11_811,
        }
    }

    pub(crate) fn per_mm(self) -> f32 {
        self.per_metre() as f32 / 1000.0
    }

    /// The nearest dot to a place in millimetres.
    pub(crate) fn dots(self, mm: f32) -> i64 {
        (mm * self.per_mm()).round() as i64
    }
}
