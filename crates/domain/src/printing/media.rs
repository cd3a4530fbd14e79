//! Paper as printers name it.

/// A size that a printer says it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaperSize {
    /// The printer's own name of it.
    pub name: String,
    /// Its width in thousandths of a millimetre, when that is known.
    pub width: Option<i64>,
    /// Its height.
    pub height: Option<i64>,
}

/// What is told of a page to a printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Media {
    /// The printer's own name for a size.
    Named(String),
    /// Width and height in hundredths of a millimetre, where it takes any size.
    Custom(i32, i32),
}

/// A page and a paper are the same when they differ by no more, in thousandths of a millimetre.
const TOLERANCE: i64 = 1000;
/// More sizes than this are not kept.
pub const SIZES_MAX: usize = 500;

impl PaperSize {
    /// Reads a name of PWG 5101.1: `iso_a4_210x297mm`, `na_letter_8.5x11in`. Other names have no
    /// size.
    pub fn named(name: &str) -> PaperSize {
        let size = name.rsplit('_').next().and_then(dimensions);
        let (width, height) = (size.map(|size| size.0), size.map(|size| size.1));
        PaperSize { name: name.to_owned(), width, height }
    }

    /// Whether a name stands for the limits of what a printer takes and not for a paper.
    pub fn is_limit(name: &str) -> bool {
        name.starts_with("custom_min") || name.starts_with("custom_max")
    }

    /// The limits of the sizes that a printer takes, from its names for them.
    pub fn custom_range(names: &[String]) -> Option<(PaperSize, PaperSize)> {
        let limit = |start: &str| names.iter().find(|name| name.starts_with(start));
        Some((PaperSize::named(limit("custom_min")?), PaperSize::named(limit("custom_max")?)))
    }

    fn is(&self, width: i64, height: i64) -> bool {
        let is_near = |size: Option<i64>, wanted: i64| {
            size.is_some_and(|size| (size - wanted).abs() <= TOLERANCE)
        };
        is_near(self.width, width) && is_near(self.height, height)
    }
}

impl Media {
    /// What a printer is told of a page of this size: its own name for it, or the size itself where
    /// it takes any, or nothing.
    pub fn choose(
        sizes: &[PaperSize],
        custom: Option<&(PaperSize, PaperSize)>,
        page: (i64, i64),
    ) -> Option<Media> {
        let (width, height) = page;
        if let Some(size) = sizes.iter().find(|size| size.is(width, height)) {
            return Some(Media::Named(size.name.clone()));
        }
        let (least, most) = custom?;
        let is_within = |least: Option<i64>, most: Option<i64>, size: i64| {
            least.is_some_and(|least| size >= least) && most.is_some_and(|most| size <= most)
        };
        let fits = is_within(least.width, most.width, width)
            && is_within(least.height, most.height, height);
        let hundredths = |size: i64| i32::try_from(size / 10).ok();
        fits.then_some(Media::Custom(hundredths(width)?, hundredths(height)?))
    }
}

/// `210x297mm` or `8.5x11in` in thousandths of a millimetre.
fn dimensions(text: &str) -> Option<(i64, i64)> {
    let (numbers, unit) = match (text.strip_suffix("mm"), text.strip_suffix("in")) {
        (Some(numbers), _) => (numbers, 1000),
        (_, Some(numbers)) => (numbers, 25_400),
        _ => return None,
    };
    let (width, height) = numbers.split_once('x')?;
    Some((thousandths(width, unit)?, thousandths(height, unit)?))
}

/// A number with up to four decimals, times so many thousandths.
fn thousandths(text: &str, unit: i64) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) {
        return None;
    }
    let part: i64 = format!("{part:0<4}").parse().ok()?;
    let number = whole.parse::<i64>().ok()? * 10_000 + part;
    Some((number * unit + 5000) / 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(name: &str) -> Option<(i64, i64)> {
        let size = PaperSize::named(name);
        Some((size.width?, size.height?))
    }

    #[test]
    fn names_of_the_standard_have_sizes_and_others_have_none() {
        assert_eq!(size("iso_a4_210x297mm"), Some((210_000, 297_000)));
        assert_eq!(size("na_letter_8.5x11in"), Some((215_900, 279_400)));
        assert_eq!(size("oe_4x6-label_4x6in"), Some((101_600, 152_400)));
        assert_eq!(size("custom_100x150mm_100x150mm"), Some((100_000, 150_000)));
        for name in ["A4", "", "_", "iso_a4_210x297", "x_x_xmm", "a_1.23456x2mm", "a_1xæmm"] {
            assert_eq!(size(name), None, "{name}");
        }
    }

    #[test]
    fn a_page_goes_on_the_paper_of_its_size() {
        let sizes = ["iso_a4_210x297mm", "oe_4x6-label_4x6in"].map(PaperSize::named);
        let names = ["custom_min_20x20mm", "custom_max_110x2000mm"].map(str::to_owned);
        let custom = PaperSize::custom_range(&names);
        let choose = |width, height| Media::choose(&sizes, custom.as_ref(), (width, height));
        assert_eq!(choose(210_000, 297_000), Some(Media::Named("iso_a4_210x297mm".to_owned())));
        assert_eq!(choose(102_000, 152_000), Some(Media::Named("oe_4x6-label_4x6in".to_owned())));
        assert_eq!(choose(100_000, 150_000), Some(Media::Custom(10_000, 15_000)));
        assert_eq!(choose(297_000, 420_000), None);
        assert_eq!(Media::choose(&sizes, None, (100_000, 150_000)), None);
    }
}
