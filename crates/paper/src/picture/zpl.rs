//! A label of ZPL as a picture.

use super::encode;
use super::scale::Scaler;
use super::wanted::{Wanted, fit};
use crate::bitmap::Bitmap;
use crate::dpi::Dpi;
use crate::fonts::FontSet;
use crate::problem::Problem;
use crate::renderer::Renderer;
use crate::zpl::preview::{self, DefaultSize, LabelRange};

/// Whether every label of a file can be shown, of a file that is not larger than labels are. It is
/// tried out with little time: this is asked while somebody waits for a booking.
pub fn is_drawable(renderer: &Renderer, zpl: &[u8], size_mm: Option<(f64, f64)>) -> bool {
    let size = default_size(size_mm);
    preview::draw(renderer.fonts(), zpl, LabelRange::All, size, preview::DOTS_TRIED).is_ok()
}

pub(super) fn draw(zpl: &[u8], wanted: Wanted) -> Result<Vec<u8>, Problem> {
    let fonts = FontSet::read();
    let size = default_size(wanted.size_mm);
    let only = LabelRange::Only(wanted.page);
    let mut labels = preview::draw(&fonts, zpl, only, size, preview::DOTS_MAX)?;
    let label = labels.pop().ok_or_else(|| Problem::file("document-not-drawn"))?;
    let size = fit(f64::from(label.width()), f64::from(label.height()), wanted.width)?;
    let mut scaler = Scaler::new((label.width(), label.height()), size);
    for y in 0..label.height() {
        scaler.push(&row(&label, y));
    }
    encode::png(size.0, size.1, &scaler.finish())
}

fn row(label: &Bitmap, y: u32) -> Vec<u8> {
    let shade = |x: u32| if label.is_black(x.into(), y.into()) { 0 } else { 0xff };
    (0..label.width()).flat_map(|x| [shade(x); 3]).collect()
}

/// What carriers make is for printers of 203 dots an inch; ours says its size itself.
fn default_size(size_mm: Option<(f64, f64)>) -> DefaultSize {
    size_mm.map(|(width, height)| {
        let dots = |side: f64| Dpi::Dpi203.dots(side as f32);
        (dots(width), dots(height))
    })
}
