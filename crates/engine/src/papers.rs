//! From a booking to its papers: what we draw ourselves, what the carrier made, measured. The same
//! layouts are tried before a booking is accepted, so that what cannot be printed is refused while
//! it costs nothing.

mod customs;
mod error;
mod inputs;
mod label;
mod labels;
mod manifest;
mod merge;
mod paper;
mod warehouse;

pub use error::PapersError;
pub use inputs::{DocumentInputs, day};
pub use labels::{LabelPdf, combined, of_parcel, whole};
pub use manifest::Draft as ManifestDraft;
pub use merge::{BYTES_MAX as MERGE_BYTES_MAX, JoinError, join};
pub use paper::{DocumentOwner, Paper};
pub use warehouse::{
    WarehouseInputs, WarehouseLine, draw as draw_warehouse, filed as warehouse_files,
};

use futures_util::future::try_join_all;
use waybill_carriers::booking::{CarrierFiles, File, LabelData};
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::TeamId;
use waybill_paper::{
    Document, Dpi, Expected, Layout, Measured, PaperSize, Renderer, inspect, is_drawable,
};
use waybill_store::shipments::Shipment;

use crate::app::App;
use crate::failpoint;
use inputs::moved;
use paper::{DPI, render};

/// The papers of so few parcels, and of an order so short in bytes, do not wait for larger ones.
const FEW_PARCELS: usize = 4;
const SHORT_ORDER: usize = 8 * 1024;

/// What keeps the papers from being printed, at the paths of the request.
pub fn problems(renderer: &Renderer, inputs: &DocumentInputs<'_>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if inputs.service.draws_label {
        // What the carrier tells is not known yet; anything of a usual length takes as much room.
        let numbers = vec!["0".repeat(20); inputs.order.parcels.len()];
        let label_data = LabelData { routing_code: Some("0".repeat(12)) };
        let labels = label::labels(inputs, &numbers, &label_data);
        if let Err(found) = labels.layout(renderer) {
            errors.extend(moved(&found, |path| label::path(inputs, path)));
        }
    }
    if inputs.is_declared {
        errors.extend(customs::problems(renderer, inputs));
    }
    errors
}

/// Makes every paper of the parcels that the carrier took, which have a number: the label, drawn or
/// as the carrier made it, and what customs want, and puts their bytes where they belong. Drawing
/// takes processor time and memory, so it has a thread of its own, and teams take turns. Many
/// papers keep their turn until they are put away.
pub async fn make(
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    numbers: Vec<Option<String>>,
    papers: CarrierFiles,
) -> Result<Vec<Paper>, PapersError> {
    let (drawer, shipment) = (app.clone(), shipment.clone());
    let is_much = numbers.len() > FEW_PARCELS || shipment.order.as_str().len() > SHORT_ORDER;
    let turn = app.drawing_turn(team, is_much).await;
    let drawn = tokio::task::spawn_blocking(move || draw(&drawer, &shipment, &numbers, papers));
    let drawn = drawn.await??;
    let _turn = is_much.then_some(turn);
    store(app, drawn).await
}

/// Puts the bytes of papers where they belong, all at once. When one cannot be put, none counts:
/// the others lie there unnamed until they are swept away.
pub async fn store(app: &App, papers: Vec<Paper>) -> Result<Vec<Paper>, PapersError> {
    let kept = papers.into_iter().map(|paper| async move {
        let content = app.files().put(&paper.hash, paper.content).await?;
        Ok::<_, PapersError>(Paper { content, ..paper })
    });
    let kept = try_join_all(kept).await?;
    failpoint::hit("kept");
    Ok(kept)
}

fn draw(
    app: &App,
    shipment: &Shipment,
    numbers: &[Option<String>],
    papers: CarrierFiles,
) -> Result<Vec<Paper>, PapersError> {
    let (carrier, service) =
        app.catalog().service(&shipment.service_code).ok_or(PapersError::NoService)?;
    let mut order = shipment.read_order()?;
    let mut numbered = numbers.iter();
    order.parcels.retain(|_| numbered.next().is_some_and(Option::is_some));
    let numbers: Vec<String> = numbers.iter().flatten().cloned().collect();
    let snapshot = &shipment.snapshot;
    let inputs = DocumentInputs {
        order: &order,
        carrier,
        service,
        language: snapshot.language,
        size: PaperSize::parse(&snapshot.label_size).unwrap_or(PaperSize::Label100x150),
        pickup_point: snapshot.pickup_point.as_ref(),
        date: day(shipment.created_at),
        is_declared: is_declared(&order),
    };
    let renderer = app.renderer();
    let mut made = match &papers.label_data {
        Some(label_data) if service.draws_label => {
            let format = snapshot.label_format;
            let labels = label::labels(&inputs, &numbers, label_data);
            let labels = labels.layout(renderer).map_err(PapersError::Layout)?;
            let press = (format, label_dpi_of(format, snapshot.label_dpi));
            files_of(renderer, labels, DocumentType::Label, press)?
        }
        _ => measured(renderer, papers.files)?,
    };
    if inputs.is_declared {
        made.extend(customs::papers(renderer, &inputs, &numbers)?);
    }
    Ok(made)
}

/// How fine a label is drawn: as the team wants it, where the format has dots for one printer.
fn label_dpi_of(format: Format, wanted: i64) -> Dpi {
    match format {
        Format::Zpl => Dpi::parse(wanted).unwrap_or(DPI),
        _ => DPI,
    }
}

/// One file for all pages, or one for each where a format has no pages.
fn files_of(
    renderer: &Renderer,
    document: Document,
    kind: DocumentType,
    press: (Format, Dpi),
) -> Result<Vec<Paper>, PapersError> {
    let documents = match press.0 {
        Format::Png => {
            let (title, language) = (document.title, document.language);
            let single = |page| Document { title: title.clone(), language, pages: vec![page] };
            document.pages.into_iter().map(single).collect()
        }
        _ => vec![document],
    };
    let draw = |document| render(renderer, &document, kind, press);
    documents.into_iter().map(draw).collect()
}

/// The carrier's files as they are; those whose pages differ in size are split.
pub(crate) fn measured(
    renderer: &Renderer,
    mut files: Vec<File>,
) -> Result<Vec<Paper>, PapersError> {
    // In the order of the parcels; what is for all of them comes first.
    files.sort_by_key(|file| file.parcel);
    let mut papers = Vec::new();
    for file in files {
        let (width_mm, height_mm) = file.ordered_mm.unzip();
        let expected = Expected { dpi: DPI, width_mm, height_mm };
        let parts = inspect(&file.bytes, file.format, expected);
        let parts = parts.map_err(PapersError::NotAFile)?;
        papers.extend(parts.into_iter().map(|part| {
            let Measured { width_mm, height_mm, page_count } = part.measured;
            let size = Some((width_mm, height_mm));
            let is_drawable =
                file.format != Format::Zpl || is_drawable(renderer, &part.bytes, size);
            let paper = Paper::new(file.types.clone(), file.format, part.bytes);
            Paper { is_drawable, ..paper.measuring(width_mm, height_mm, page_count) }
        }));
    }
    Ok(papers)
}

/// A QR code as a PNG file.
pub fn qr_picture(renderer: &Renderer, content: &str) -> Result<Vec<u8>, PapersError> {
    waybill_paper::qr_picture(renderer, content).map_err(PapersError::Render)
}

#[cfg(test)]
mod tests;
