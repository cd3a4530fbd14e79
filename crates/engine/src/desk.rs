//! The carrier of a shipment with the team's account: what it takes to speak about a booking.

use std::sync::Arc;
use std::time::Duration;

use waybill_carriers::call::{Found, Lookup};
use waybill_carriers::{Account, Booked, Carrier, Carriers};
use waybill_domain::booking::{Booking, Ending, Held, Kind, Reference};
use waybill_domain::document::Format;
use waybill_domain::ids::TeamId;
use waybill_domain::json::{Json, parse};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts, carrier_calls};

use crate::app::{App, send_budget};
use crate::planted;
use crate::telemetry::{InAWord, counted};

/// A carrier with the team's account.
pub struct Desk {
    /// The carrier.
    pub carrier: Arc<dyn Carrier>,
    /// The account.
    pub account: Account,
}

impl Desk {
    /// The desk of a shipment, or why there is none.
    pub async fn open(
        app: &App,
        team: TeamId,
        shipment: &Shipment,
    ) -> Result<Result<Desk, String>, Error> {
        let Some(carrier) = app.carriers.get(&shipment.carrier_code) else {
            return Ok(Err("no adapter for this carrier".to_owned()));
        };
        let id = shipment.account;
        let found = app.store.read(move |tx| carrier_accounts::find(tx, team, id)).await?;
        let Some(row) = found else { return Ok(Err("the account is gone".to_owned())) };
        Ok(app.vault.account(&row).map(|account| Desk { carrier, account }))
    }

    /// Makes a call to the carrier, and counts what became of it.
    pub async fn counted<T: InAWord>(
        &self,
        app: &App,
        operation: &'static str,
        call: impl Future<Output = T>,
    ) -> T {
        counted(app.clock.as_ref(), self.carrier.code(), operation, call).await
    }

    /// Asks what became of a reference.
    pub async fn find(&self, app: &App, reference: &Reference) -> Found {
        self.counted(app, "find", self.carrier.find(&self.account, reference)).await
    }
}

/// The format that was agreed on when the shipment was accepted.
pub fn label_format(shipment: &Shipment) -> Format {
    let snapshot = parse(shipment.snapshot.as_bytes()).unwrap_or(Json::Null);
    match snapshot.member("label_format") {
        Some(Json::Text(format)) => Format::parse(format).unwrap_or(Format::Pdf),
        _ => Format::Pdf,
    }
}

/// The format in which the carrier is asked for the label; none when we draw it ourselves.
pub fn carrier_format(app: &App, shipment: &Shipment) -> Option<Format> {
    let service = app.catalog.service(&shipment.service_code);
    let is_ours = service.is_some_and(|(_, service)| service.draws_label);
    (!is_ours).then(|| label_format(shipment))
}

/// How the carrier knows the booking, when it has one.
pub async fn booked(app: &App, team: TeamId, shipment: &Shipment) -> Result<Option<Booked>, Error> {
    let id = shipment.id;
    let call = app.store.read(move |tx| carrier_calls::find_accepted(tx, team, id)).await?;
    let known = call.zip(shipment.carrier_reference.clone());
    Ok(known.map(|(call, carrier_reference)| Booked {
        reference: Reference::from_stored(call.reference),
        carrier_reference,
        label_format: carrier_format(app, shipment),
    }))
}

/// What people call the carrier of a shipment.
pub fn carrier_name<'a>(app: &'a App, shipment: &'a Shipment) -> &'a str {
    let carrier = app.catalog.carrier(&shipment.carrier_code);
    carrier.map_or(shipment.carrier_code.as_str(), |carrier| &carrier.name)
}

/// The shipment as `domain::booking` sees it.
pub fn booking_of(app: &App, shipment: &Shipment) -> Booking {
    booking_with(&app.carriers, shipment)
}

/// The same, with these carriers.
pub fn booking_with(carriers: &Carriers, shipment: &Shipment) -> Booking {
    Booking {
        step: shipment.step,
        kind: kind(carriers, shipment),
        deadline: shipment.deadline_at,
        give_up_at: shipment.give_up_at,
        called_at: shipment.called_at,
        is_failed: shipment.ending.is_some_and(|ending| ending != Ending::Booked),
        held: held(shipment),
        tries: u32::try_from(shipment.tries).unwrap_or(u32::MAX),
        calls: 0,
    }
}

/// Whether the carrier can be asked, in the words of the machine.
fn kind(carriers: &Carriers, shipment: &Shipment) -> Kind {
    let Some(carrier) = carriers.get(&shipment.carrier_code) else { return Kind::Blind };
    match carrier.lookup(&shipment.service_code) {
        Lookup::Idempotent => Kind::Idempotent,
        Lookup::ByReference { .. } if planted::is("no-settle") => {
            Kind::Lookup { settle: Duration::ZERO }
        }
        // The carrier counts from the call, we from the intent before it.
        Lookup::ByReference { settle } => Kind::Lookup { settle: settle + send_budget() },
        Lookup::Never => Kind::Blind,
    }
}

/// What the carrier is known to have of it.
pub fn held(shipment: &Shipment) -> Held {
    if shipment.carrier_reference.is_none() || shipment.state == "cancelled" {
        return Held::Nothing;
    }
    let Ok(Json::List(parcels)) = parse(shipment.parcels.as_bytes()) else { return Held::Part };
    match parcels.iter().all(has_number) {
        true => Held::All,
        false => Held::Part,
    }
}

/// Whether the carrier took this parcel.
pub fn has_number(parcel: &Json) -> bool {
    matches!(parcel.member("tracking_number"), Some(Json::Text(_)))
}
