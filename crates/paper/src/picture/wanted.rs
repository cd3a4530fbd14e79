//! Which picture is wanted, and how large it becomes.

use crate::problem::Problem;

/// No picture has more dots, and none is higher: a page that is far longer than wide is drawn
/// narrower than was asked for.
const DOTS_MAX: f64 = 16_000_000.0;
const HEIGHT_MAX: f64 = 16_000.0;

/// Which picture is wanted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    /// The page, from 1.
    pub page: u32,
    /// How wide the picture is, in dots.
    pub width: u32,
    /// How large the pages are in millimetres, for ZPL that does not say it.
    pub size_mm: Option<(f64, f64)>,
}

/// How many dots a page of this shape gets, across and down.
pub(super) fn fit(width: f64, height: f64, wanted: u32) -> Result<(u32, u32), Problem> {
    let is_side = |side: f64| side.is_finite() && side > 0.0;
    if !is_side(width) || !is_side(height) {
        return Err(Problem::file("document-no-size"));
    }
    let scale = (f64::from(wanted) / width)
        .min(HEIGHT_MAX / height)
        .min((DOTS_MAX / width / height).sqrt());
    let dots = |side: f64| (side * scale).round().max(1.0) as u32;
    Ok((dots(width), dots(height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_width_that_was_asked_for_unless_it_is_a_ribbon() {
        assert_eq!(fit(100.0, 150.0, 800), Ok((800, 1200)));
        assert_eq!(fit(2000.0, 1.1, 50), Ok((50, 1)));
        let (width, height) = fit(1.1, 2000.0, 1600).unwrap();
        assert!(width >= 1 && height <= 16_000, "{width} x {height}");
        let (width, height) = fit(100.0, 1500.0, 1600).unwrap();
        assert!(u64::from(width) * u64::from(height) <= 16_100_000, "{width} x {height}");
        assert!(fit(0.0, 1.0, 800).is_err() && fit(f64::NAN, 1.0, 800).is_err());
    }
}
