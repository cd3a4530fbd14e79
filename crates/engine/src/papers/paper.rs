//! One finished file.

use sha2::{Digest, Sha256};
use uuid::Uuid;
use waybill_domain::document::{DocumentType, Format, SourceKind};
use waybill_domain::ids::{DocumentId, FulfilmentId, ManifestId, MergeId, ReportId, ShipmentId};
use waybill_domain::time::Time;
use waybill_paper::{Document, Dpi, Rendered, Renderer};
use waybill_store::documents::{self, Content};

use super::error::PapersError;
use crate::app::App;

/// How fine pictures are, and what carriers make; a team may want its own ZPL labels finer.
pub(super) const DPI: Dpi = Dpi::Dpi203;

/// A finished file with what was measured of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper {
    /// What it is for.
    pub types: Vec<DocumentType>,
    /// What it is made of.
    pub format: Format,
    /// How many bytes the file has.
    pub size_bytes: i64,
    /// SHA-256 of the bytes.
    pub hash: Vec<u8>,
    /// The bytes, or where they were put.
    pub content: Content,
    /// Thousandths of a millimetre.
    pub width_um: Option<i64>,
    /// Thousandths of a millimetre.
    pub height_um: Option<i64>,
    /// Pages or labels.
    pub page_count: Option<i64>,
    /// Whether there is a picture of its pages.
    pub is_drawable: bool,
}

/// What a paper belongs to.
pub struct DocumentOwner {
    /// The kind of thing.
    kind: SourceKind,
    /// Which one.
    id: Uuid,
}

impl DocumentOwner {
    /// The papers of this shipment.
    pub fn shipment(id: ShipmentId) -> DocumentOwner {
        DocumentOwner { kind: SourceKind::Shipment, id: id.into() }
    }

    /// The papers of this manifest.
    pub fn manifest(id: ManifestId) -> DocumentOwner {
        DocumentOwner { kind: SourceKind::Manifest, id: id.into() }
    }

    /// The files of this merge.
    pub fn merge(id: MergeId) -> DocumentOwner {
        DocumentOwner { kind: SourceKind::Merge, id: id.into() }
    }

    /// The papers of this request to a warehouse.
    pub fn fulfilment(id: FulfilmentId) -> DocumentOwner {
        DocumentOwner { kind: SourceKind::FulfilmentRequest, id: id.into() }
    }

    /// The files of this report.
    pub fn report(id: ReportId) -> DocumentOwner {
        DocumentOwner { kind: SourceKind::Report, id: id.into() }
    }
}

impl Paper {
    /// A file of which nothing but its bytes is known.
    pub fn new(types: Vec<DocumentType>, format: Format, bytes: Vec<u8>) -> Paper {
        Paper {
            types,
            format,
            is_drawable: format != Format::Xlsx,
            size_bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            hash: Sha256::digest(&bytes).to_vec(),
            content: Content::Here(bytes),
            width_um: None,
            height_um: None,
            page_count: None,
        }
    }

    /// A file that we drew, with what was read back from it.
    pub fn drawn(kind: DocumentType, format: Format, rendered: Rendered) -> Paper {
        let Rendered { bytes, width_mm, height_mm, page_count, .. } = rendered;
        Paper::new(vec![kind], format, bytes).measuring(width_mm, height_mm, page_count)
    }

    /// The same with a size and a number of pages.
    pub(super) fn measuring(self, width_mm: f64, height_mm: f64, page_count: u32) -> Paper {
        Paper {
            width_um: Some(micrometres(width_mm)),
            height_um: Some(micrometres(height_mm)),
            page_count: Some(i64::from(page_count)),
            ..self
        }
    }

    /// The row of this paper among those of its owner, and its content.
    pub fn filed(
        self,
        owner: &DocumentOwner,
        place: usize,
        now: Time,
        app: &App,
    ) -> (documents::Document, Content) {
        let types: Vec<&str> = self.types.iter().map(|kind| kind.name()).collect();
        let kind = types.first().copied().unwrap_or("label");
        let mut name = kind.replace('_', " ");
        name[..1].make_ascii_uppercase();
        let number = if place == 0 { String::new() } else { format!("-{}", place + 1) };
        let document = documents::Document {
            id: DocumentId(app.new_uuid()),
            source_type: owner.kind,
            source: owner.id,
            position: i64::try_from(place).unwrap_or(i64::MAX),
            name,
            filename: format!("{kind}-{}{number}.{}", owner.id, self.format.name()),
            types: types.join(" "),
            format: self.format.name().to_owned(),
            size_bytes: self.size_bytes,
            hash: self.hash,
            width_um: self.width_um,
            height_um: self.height_um,
            page_count: self.page_count,
            is_drawable: self.is_drawable,
            print_status: None,
            created_at: now,
            updated_at: now,
        };
        (document, self.content)
    }
}

/// Draws a document, and reads it back.
pub(super) fn render(
    renderer: &Renderer,
    document: &Document,
    kind: DocumentType,
    (format, dpi): (Format, Dpi),
) -> Result<Paper, PapersError> {
    let rendered = renderer.render(document, format, dpi);
    let rendered = rendered.map_err(PapersError::Render)?;
    Ok(Paper::drawn(kind, format, rendered))
}

fn micrometres(millimetres: f64) -> i64 {
    (millimetres * 1000.0).round() as i64
}
