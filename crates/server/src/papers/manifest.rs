//! The paper that a driver signs at the end of the day.

use waybill_domain::document::{DocumentType, Format};
use waybill_domain::ids::ManifestId;
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_paper::{Layout, Manifest, ManifestLine};
use waybill_store::shipments::Shipment;

use super::{DPI, Paper, day, render};
use crate::app::App;

/// Draws the manifest of these shipments, and counts their parcels.
pub fn draw(
    app: &App,
    settings: &Settings,
    carrier_code: &str,
    id: ManifestId,
    shipments: &[Shipment],
    now: Time,
) -> Result<(Paper, i64), String> {
    let mut lines = Vec::new();
    let mut merchant = None;
    for shipment in shipments {
        let order = order_of(shipment)?;
        lines.extend(lines_of(app, settings, shipment, &order));
        merchant = merchant.or(order.merchant);
    }
    let sender = settings.merchant(false).cloned().or(merchant).ok_or("no sender")?;
    let carrier = app.catalog.carrier(carrier_code).ok_or("no such carrier")?;
    let parcels = i64::try_from(lines.len()).unwrap_or(i64::MAX);
    let manifest = Manifest {
        language: settings.language,
        number: id.to_string(),
        date: day(now),
        carrier: carrier.name.clone(),
        sender,
        barcode: None,
        shipment_count: i64::try_from(shipments.len()).unwrap_or(i64::MAX),
        lines,
    };
    let document = manifest.layout(&app.press).map_err(|errors| errors.to_string())?;
    Ok((render(&app.press, &document, DocumentType::Manifest, (Format::Pdf, DPI))?, parcels))
}

fn order_of(shipment: &Shipment) -> Result<Order, String> {
    let unreadable = || format!("shipment {} cannot be read", shipment.id);
    let input = parse(shipment.input.as_bytes()).map_err(|_| unreadable())?;
    Order::stored(&input).map_err(|_| unreadable())
}

fn lines_of(
    app: &App,
    settings: &Settings,
    shipment: &Shipment,
    order: &Order,
) -> Vec<ManifestLine> {
    let service = app.catalog.service(&shipment.service_code).map(|(_, service)| service);
    let service =
        service.map_or(shipment.service_code.as_str(), |s| s.names.say(settings.language));
    let address = &order.customer.address;
    let known = match parse(shipment.parcels.as_bytes()) {
        Ok(Json::List(parcels)) => parcels,
        _ => Vec::new(),
    };
    let number = |parcel: &Json| match parcel.member("tracking_number") {
        Some(Json::Text(number)) => number.clone(),
        _ => String::new(),
    };
    let lines = order.parcels.iter().zip(&known).map(|(parcel, known)| ManifestLine {
        tracking_number: number(known),
        service: service.to_owned(),
        receiver: order.customer.contact.name.clone(),
        destination: format!("{} {} {}", address.country, address.postal_code, address.city),
        reference: order.reference.clone(),
        weight: parcel.gross_weight,
    });
    lines.collect()
}
