//! A page of a PDF file as a picture.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_syntax::Pdf;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};

use super::encode;
use super::wanted::{Wanted, fit};
use crate::problem::Problem;

pub(super) fn draw(bytes: Vec<u8>, wanted: Wanted) -> Result<Vec<u8>, Problem> {
    let file = Pdf::new(bytes).map_err(|_| Problem::file("document-not-pdf"))?;
    let index = wanted.page.saturating_sub(1) as usize;
    let page = file.pages().get(index).ok_or_else(|| Problem::file("document-not-drawn"))?;
    let (width, height) = page.render_dimensions();
    let (across, down) = fit(f64::from(width), f64::from(height), wanted.width)?;
    let scale = (f64::from(across) / f64::from(width), f64::from(down) / f64::from(height));
    // Neither side is larger than `fit` lets it be.
    let mut context = RenderContext::new(across as u16, down as u16);
    let transform =
        Affine::scale_non_uniform(scale.0, scale.1) * page.initial_transform(true).to_kurbo();
    let (cache, settings) = (RenderCache::new(), InterpreterSettings::default());
    // Letters are drawn where the file has them, not where a screen of old wanted them.
    let how = RenderSettings { hinting: false, ..RenderSettings::default() };
    render_into(page, &cache, &settings, &how, &mut context, transform);
    context.flush();
    let mut dots = Pixmap::new(context.width(), context.height());
    let paper = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..Default::default() };
    context.render_with(&mut dots, &mut Resources::default(), paper);
    // On white paper nothing is transparent.
    let colours = dots.data_as_u8_slice().chunks_exact(4).flat_map(|dot| [dot[0], dot[1], dot[2]]);
    encode::png(across, down, &colours.collect::<Vec<u8>>())
}
