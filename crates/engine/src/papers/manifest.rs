//! The paper that a driver signs at the end of the day.

use waybill_domain::document::{DocumentType, Format};
use waybill_domain::ids::{ManifestId, ShipmentId};
use waybill_domain::party::Party;
use waybill_domain::settings::Settings;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_paper::{Layout, Manifest, ManifestLine};
use waybill_store::shipments::Shipment;

use super::error::PapersError;
use super::inputs::day;
use super::paper::{DPI, Paper, render};
use crate::app::App;

/// What a manifest will say. Shipments are added a few at a time: what is said of them takes far
/// less memory than they do.
#[derive(Default)]
pub struct Draft {
    /// Those that are on it.
    pub shipments: Vec<ShipmentId>,
    lines: Vec<ManifestLine>,
    merchant: Option<Party>,
}

impl Draft {
    /// Adds shipments.
    pub fn add(
        &mut self,
        app: &App,
        settings: &Settings,
        shipments: &[Shipment],
    ) -> Result<(), PapersError> {
        for shipment in shipments {
            let order = shipment.read_order()?;
            self.lines.extend(lines_of(app, settings, shipment, &order));
            self.merchant = self.merchant.take().or(order.merchant);
            self.shipments.push(shipment.id);
        }
        Ok(())
    }

    /// How many parcels are on it.
    pub fn parcel_count(&self) -> usize {
        self.lines.len()
    }

    /// Draws it.
    pub fn draw(
        &mut self,
        app: &App,
        settings: &Settings,
        carrier_code: &str,
        id: ManifestId,
        now: Time,
    ) -> Result<Paper, PapersError> {
        let merchant = self.merchant.take();
        let sender = settings.merchant(false).cloned().or(merchant).ok_or(PapersError::NoSender)?;
        let carrier = app.catalog().carrier(carrier_code).ok_or(PapersError::NoCarrier)?;
        let manifest = Manifest {
            language: settings.language,
            number: id.to_string(),
            date: day(now),
            carrier: carrier.name.clone(),
            sender,
            barcode: None,
            shipment_count: i64::try_from(self.shipments.len()).unwrap_or(i64::MAX),
            lines: std::mem::take(&mut self.lines),
        };
        let document = manifest.layout(app.renderer()).map_err(PapersError::Layout)?;
        render(app.renderer(), &document, DocumentType::Manifest, (Format::Pdf, DPI))
    }
}

fn lines_of(
    app: &App,
    settings: &Settings,
    shipment: &Shipment,
    order: &Order,
) -> Vec<ManifestLine> {
    let service = app.catalog().service(&shipment.service_code).map(|(_, service)| service);
    let service =
        service.map_or(shipment.service_code.as_str(), |s| s.names.say(settings.language));
    let address = &order.customer.address;
    let parcels = order.parcels.iter().zip(&shipment.parcels);
    let lines = parcels.map(|(parcel, known)| ManifestLine {
        tracking_number: known.tracking_number.clone().unwrap_or_default(),
        service: service.to_owned(),
        receiver: order.customer.contact.name.clone(),
        destination: format!("{} {} {}", address.country, address.postal_code, address.city),
        reference: order.reference.clone(),
        weight: parcel.gross_weight,
    });
    lines.collect()
}
