//! The carrier of a shipment with the team's account: what it takes to speak about a booking.

use std::sync::Arc;

use waybill_carriers::{Account, Booked, Cancelled, Carrier};
use waybill_domain::booking::Reference;
use waybill_domain::document::Format;
use waybill_domain::event::{Event, Kind};
use waybill_domain::ids::{EventId, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::attempts::{self, Attempt};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_accounts, carrier_calls, events, shipments};

use crate::app::App;

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

/// Asks the carrier to cancel, for this request, and notes what it said. Asking again is harmless.
pub async fn cancel(
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    request_id: Option<&str>,
) -> Result<Cancelled, Error> {
    let cancelled = ask_to_cancel(app, team, shipment).await?;
    let (outcome, words) = match &cancelled {
        Cancelled::Done => (attempts::Outcome::Done, None),
        Cancelled::Refused(words) => (attempts::Outcome::Refused, Some(words.clone())),
        Cancelled::Unknown(why) => (attempts::Outcome::Unclear, Some(why.clone())),
    };
    let attempt = Attempt {
        kind: attempts::Kind::Cancel,
        outcome,
        words,
        request_id: request_id.map(str::to_owned),
        tried_at: app.clock.now(),
    };
    let id = shipment.id;
    app.store.write(move |tx| attempts::insert(tx, team, id, &attempt)).await?;
    Ok(cancelled)
}

async fn ask_to_cancel(app: &App, team: TeamId, shipment: &Shipment) -> Result<Cancelled, Error> {
    let desk = match Desk::open(app, team, shipment).await? {
        Ok(desk) => desk,
        Err(why) => return Ok(Cancelled::Unknown(why)),
    };
    let Some(booked) = booked(app, team, shipment).await? else {
        return Ok(Cancelled::Unknown("booked with nobody".to_owned()));
    };
    Ok(match desk.carrier.cancelling() {
        Some(cancelling) => cancelling.cancel(&desk.account, &booked).await,
        None => Cancelled::Refused(Message::new("no-cancelling").say(Language::En)),
    })
}

/// Writes that the carrier cancelled it, and tells. False when it was not booked any more: of two
/// who cancel at once, one finds it booked.
pub fn set_cancelled(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    now: Time,
) -> Result<bool, Error> {
    if shipments::lock_state(tx, team, shipment.id)?.as_deref() != Some("booked") {
        return Ok(false);
    }
    let mut cancelled = shipment.clone();
    cancelled.state = "cancelled".to_owned();
    (cancelled.cancelled_at, cancelled.updated_at) = (Some(now), now);
    if !shipments::set_booking(tx, team, shipment.step, &cancelled)? {
        return Ok(false);
    }
    let (id, kind) = (EventId(app.ids.uuid()), Kind::ShipmentCancelled);
    let event = Event::of_shipment(id, kind, now, shipment.id, shipment.batch);
    events::append(tx, team, &event)?;
    Ok(true)
}
