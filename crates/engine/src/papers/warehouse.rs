//! The papers that a warehouse works with: what is taken from where, and what the customer finds in
//! which parcel.

use waybill_domain::document::{DocumentType, Format, WarehousePaper};
use waybill_domain::ids::FulfilmentId;
use waybill_domain::settings::Settings;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_domain::wms::Take;
use waybill_paper::{Document, Dpi, Layout, PackingSlip, PaperSize, PickLine, PickList, SlipLine};
use waybill_store::documents;

use super::error::PapersError;
use super::inputs::day;
use super::paper::{DPI, DocumentOwner, Paper};
use super::{files_of, label_dpi_of};
use crate::app::App;

/// A request, as its papers tell of it.
pub struct WarehouseInputs {
    /// Its id, which a scanner reads.
    pub id: FulfilmentId,
    /// What the team calls it.
    pub identifier: Option<String>,
    /// The team's own reference.
    pub reference: Option<String>,
    /// What it is for.
    pub lines: Vec<WarehouseLine>,
    /// The booking that it becomes, with its merchant.
    pub order: Order,
    /// What the team wants of its papers.
    pub settings: Settings,
    /// When the papers are made.
    pub now: Time,
}

/// One line of a request.
pub struct WarehouseLine {
    /// What it is for.
    pub sku: String,
    /// What people call that.
    pub name: String,
    /// How many.
    pub quantity: i64,
    /// Which parcel it goes into, from one.
    pub parcel: i64,
    /// Where they lie.
    pub takes: Vec<Take>,
}

/// A file, and which of the papers it is.
pub type WarehouseFile = (WarehousePaper, Paper);

/// Draws papers of these kinds: on A4 as PDF, on labels as the team wants its labels.
pub fn draw(
    app: &App,
    inputs: &WarehouseInputs,
    kinds: &[WarehousePaper],
    size: PaperSize,
) -> Result<Vec<WarehouseFile>, PapersError> {
    let mut files = Vec::new();
    for kind in kinds {
        let document = inputs.lay_out(app, *kind, size).map_err(PapersError::Layout)?;
        let press = inputs.press(size);
        let drawn = files_of(app.renderer(), document, DocumentType::PackingList, press)?;
        files.extend(drawn.into_iter().map(|paper| (*kind, paper)));
    }
    Ok(files)
}

/// The rows of files of a request, and their contents.
pub fn filed(
    app: &App,
    inputs: (FulfilmentId, Time),
    files: Vec<WarehouseFile>,
) -> Vec<(documents::Document, documents::Content)> {
    let (id, now) = inputs;
    let owner = DocumentOwner::fulfilment(id);
    let mut places = std::collections::HashMap::new();
    let filed = files.into_iter().map(|(kind, paper)| {
        let place = places.entry(kind.name()).or_insert(0);
        let (mut document, content) = paper.filed(&owner, *place, now, app);
        *place += 1;
        // Both are packing lists to whoever looks for documents; people tell them apart.
        let common = DocumentType::PackingList.name();
        document.filename = document.filename.replacen(common, kind.name(), 1);
        document.name = kind.name().to_owned();
        (document, content)
    });
    filed.collect()
}

impl WarehouseInputs {
    /// What people call it.
    fn number(&self) -> String {
        self.identifier.clone().unwrap_or_else(|| self.id.to_string())
    }

    fn lay_out(
        &self,
        app: &App,
        kind: WarehousePaper,
        size: PaperSize,
    ) -> Result<Document, waybill_domain::fields::FieldErrors> {
        match kind {
            WarehousePaper::PickList => self.pick_list(size).layout(app.renderer()),
            WarehousePaper::PackingSlip => self.packing_slip(size).layout(app.renderer()),
        }
    }

    fn pick_list(&self, paper: PaperSize) -> PickList {
        let lines = self.lines.iter().flat_map(|line| {
            line.takes.iter().map(|take| PickLine {
                location: take.location.clone(),
                sku: line.sku.clone(),
                name: line.name.clone(),
                quantity: take.quantity,
                parcel: line.parcel,
            })
        });
        PickList {
            language: self.settings.language,
            paper,
            number: self.number(),
            code: Some(self.id.to_string()),
            reference: self.reference.clone(),
            date: Some(day(self.now)),
            lines: lines.collect(),
        }
    }

    fn packing_slip(&self, paper: PaperSize) -> PackingSlip {
        let lines = self.lines.iter().map(|line| SlipLine {
            parcel: line.parcel,
            sku: line.sku.clone(),
            name: line.name.clone(),
            quantity: line.quantity,
        });
        // A template that is gone by now may have had the parcels.
        let parcels = i64::try_from(self.order.parcels.len()).unwrap_or(1);
        let parcel_count =
            self.lines.iter().fold(parcels.max(1), |most, line| most.max(line.parcel));
        PackingSlip {
            language: self.settings.language,
            paper,
            number: self.number(),
            code: Some(self.id.to_string()),
            reference: self.reference.clone(),
            date: Some(day(self.now)),
            sender: self.order.merchant.clone(),
            customer: self.order.customer.clone(),
            parcel_count,
            lines: lines.collect(),
        }
    }

    /// The format of papers on this size, and how fine they are drawn.
    fn press(&self, size: PaperSize) -> (Format, Dpi) {
        let wanted = self.settings.label.formats();
        match (size, wanted.first()) {
            (PaperSize::A4, _) | (_, None) => (Format::Pdf, DPI),
            (_, Some(format)) => (*format, label_dpi_of(*format, self.settings.label.dpi)),
        }
    }
}
