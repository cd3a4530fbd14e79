//! The rows that a year of use leaves: shipments with their calls, events, parcels and what was
//! heard of them, manifests, the deliveries of a month and the idempotency keys of a day. Jobs that
//! are done are deleted.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::booking::{CallEnd, Reference, Step};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{
    DeliveryId, DocumentId, EventId, IdSource, ManifestId, ShipmentId, TeamId, TrackingId,
    WebhookId,
};
use waybill_domain::shipment::{ShipmentParcel, ShipmentState};
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Known, Status, TrackingEvent, TrackingEventKind, TrackingReport, TrackingSummary, diff,
    fingerprint,
};
use waybill_store::deliveries::{self, Attempt};
use waybill_store::documents::{self, Content, Document};
use waybill_store::feed::{self, EntryInsert};
use waybill_store::manifests::{self, Manifest};
use waybill_store::shipments::{self, Shipment};
use waybill_store::trackings::{self, Tracking};
use waybill_store::webhooks::{self, Webhook};
use waybill_store::{Error, Tx, carrier_calls, events, idempotency};

use super::super::ceiling::Sample;
use super::super::fixture::Fixture;
use crate::measure::Failure;

const DAY: Duration = Duration::from_hours(24);
/// So long ago is the oldest.
const YEAR: Duration = Duration::from_hours(365 * 24);
/// Deliveries are kept for so long.
const MONTH: Duration = Duration::from_hours(30 * 24);
/// Shipments of one day, which are stored in one commit and are on one manifest. As many are of the
/// day that a report is made of, however many there are.
const GROUP: usize = 500;
/// The bytes of a label.
const LABEL: usize = 256;
/// Events wait for those who fan them out, so long at most.
const PATIENCE: Duration = Duration::from_mins(30);

/// The rows of a year, which ends now.
pub struct Year {
    pattern: Pattern,
    shipments: Vec<ShipmentId>,
    end: Time,
}

/// What every booking of the year is like.
#[derive(Clone)]
struct Pattern {
    team: TeamId,
    shipment: Shipment,
    document: Document,
    webhook: WebhookId,
    ids: Arc<dyn IdSource>,
}

impl Year {
    /// A year of bookings like this one, and none of them yet.
    pub fn begin(fixture: &Fixture, sample: &Sample) -> Result<Year, Failure> {
        let (app, end) = (&fixture.app, fixture.app.now());
        let webhook = WebhookId(app.ids().uuid());
        let (team, shipment, document) = sample.parts();
        let row = Webhook {
            id: webhook,
            url: "https://shop.example.com/hook".to_owned(),
            kinds: EventKind::ShipmentBooked.name().to_owned(),
            is_active: false,
            disabled_reason: None,
            secrets: Vec::new(),
            batch: None,
            failing_since: None,
            created_at: end,
            updated_at: end,
        };
        app.store().blocking_write(move |tx| webhooks::insert(tx, team, &row))?;
        let ids = app.ids().clone();
        let pattern = Pattern { team, shipment, document, webhook, ids };
        Ok(Year { pattern, shipments: Vec::new(), end })
    }

    /// How many shipments there are.
    pub fn count(&self) -> usize {
        self.shipments.len()
    }

    /// Adds rows until there are so many shipments, and waits until their events are taken care of.
    pub fn fill(&mut self, fixture: &Fixture, count: usize) -> Result<(), Failure> {
        while self.count() < count {
            let group = GROUP.min(count - self.count());
            let pattern = self.pattern.clone();
            let times: Vec<Time> = (0..group).map(|n| self.time_of(self.count() + n)).collect();
            let end = self.end;
            let added =
                fixture.app.store().blocking_write(move |tx| pattern.add_group(tx, &times, end))?;
            self.shipments.extend(added);
        }
        let started = crate::measure::now();
        let pending = |tx: &mut Tx<'_>| events::any_pending_teams(tx, TeamId(Uuid::nil()), 1);
        while !fixture.app.store().blocking_read(pending)?.is_empty() {
            if started.elapsed() > PATIENCE {
                return Err("events still wait".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// When one is booked: those of a group within one day, the first ones on the day of the
    /// report, the others on some day of the year before it.
    fn time_of(&self, number: usize) -> Time {
        let (group, place) = (number / GROUP, number % GROUP);
        let midnight = match group {
            0 => self.day()[0],
            // Multiples of this fraction are spread evenly, however many there are.
            _ => {
                let back = (YEAR - 5 * DAY).mul_f64(group as f64 * 0.618_033_988_75 % 1.0);
                self.end.minus(4 * DAY).minus(back)
            }
        };
        midnight.plus(DAY.mul_f64(place as f64 / GROUP as f64))
    }

    /// The beginning and the end of the day that a report is made of.
    pub fn day(&self) -> [Time; 2] {
        [self.end.minus(2 * DAY), self.end.minus(DAY)]
    }

    /// Some shipment or other.
    pub fn any(&self, number: usize) -> ShipmentId {
        self.shipments[number * 7919 % self.shipments.len()]
    }

    /// Some moment or other of the year.
    pub fn moment(&self, number: usize) -> Time {
        self.time_of(GROUP + number * 7919)
    }
}

/// A booking of the year.
struct Booking {
    shipment: Shipment,
    parcel: ShipmentParcel,
    at: Time,
}

impl Pattern {
    /// Adds a shipment for each of these times, all on one manifest.
    fn add_group(
        &self,
        tx: &mut Tx<'_>,
        times: &[Time],
        end: Time,
    ) -> Result<Vec<ShipmentId>, Error> {
        let bookings: Vec<Booking> = times.iter().map(|at| self.booking(*at)).collect();
        for booking in &bookings {
            self.book(tx, booking, end)?;
        }
        self.close(tx, &bookings)?;
        self.deliver(tx, &bookings)?;
        Ok(bookings.iter().map(|booking| booking.shipment.id).collect())
    }

    fn booking(&self, at: Time) -> Booking {
        let id = ShipmentId(self.ids.uuid());
        let mut parcel = ShipmentParcel::new(self.ids.uuid(), TrackingId(self.ids.uuid()));
        parcel.tracking_number = Some(id.to_string());
        let booked_at = Some(at.plus(Duration::from_millis(300)));
        let shipment = Shipment {
            id,
            reference: Some(format!("ORDER-{id}")),
            parcels: vec![parcel.clone()],
            deadline_at: at.plus(Duration::from_secs(30)),
            give_up_at: at.plus(DAY),
            created_at: at,
            updated_at: at.plus(Duration::from_millis(300)),
            called_at: Some(at.plus(Duration::from_millis(100))),
            accepted_at: booked_at,
            booked_at,
            ..self.shipment.clone()
        };
        Booking { shipment, parcel, at }
    }

    /// What a booking leaves.
    fn book(&self, tx: &mut Tx<'_>, booking: &Booking, end: Time) -> Result<(), Error> {
        let (team, Booking { shipment, at, .. }) = (self.team, booking);
        let (id, at, ids) = (shipment.id, *at, self.ids.as_ref());
        let (state, step, booked_at) =
            (ShipmentState::Processing, Step::Ready, shipment.updated_at);
        let fresh = Shipment { state, step, ending: None, booked_at: None, ..shipment.clone() };
        shipments::insert(tx, team, &fresh)?;
        carrier_calls::insert(tx, team, id, &Reference::new(ids), at.0, at)?;
        shipments::change(tx, team, step, shipment, None)?;
        carrier_calls::set_outcome(tx, team, id, CallEnd::Accepted, None, booked_at)?;
        let event = EventId(ids.uuid());
        let booked = Event::of_shipment(event, EventKind::ShipmentBooked, booked_at, id, None);
        events::append_fanned_out(tx, team, &booked)?;
        if at.plus(MONTH) > end {
            self.told(tx, event, booked_at)?;
        }
        shipments::insert_tracking_number(tx, team, &id.to_string(), id)?;
        trackings::insert(tx, team, &self.tracking(booking))?;
        let mut hash = self.document.hash.clone();
        ids.fill(&mut hash);
        let document = Document {
            id: DocumentId(ids.uuid()),
            source: id.into(),
            hash,
            size_bytes: LABEL as i64,
            created_at: booked_at,
            updated_at: booked_at,
            ..self.document.clone()
        };
        let mut bytes = vec![0; LABEL];
        ids.fill(&mut bytes);
        documents::insert(tx, team, &document, &Content::Here(bytes))?;
        if at.plus(3 * DAY) > end { self.keep_key(tx, id, end) } else { Ok(()) }
    }

    fn tracking(&self, Booking { shipment, parcel, at }: &Booking) -> Tracking {
        Tracking {
            id: parcel.tracking_id,
            shipment: shipment.id,
            parcel: parcel.id,
            place: 0,
            account: shipment.account,
            carrier_code: shipment.carrier_code.clone(),
            service_code: shipment.service_code.clone(),
            number: shipment.id.to_string(),
            url: None,
            summary: TrackingSummary::default(),
            created_at: *at,
            look_at: None,
        }
    }

    /// A delivery of the event that was taken at once.
    fn told(&self, tx: &mut Tx<'_>, event: EventId, at: Time) -> Result<(), Error> {
        let (team, id) = (self.team, DeliveryId(self.ids.uuid()));
        deliveries::insert(tx, team, id, (self.webhook, event), at)?;
        let attempt = Attempt {
            id: self.ids.uuid(),
            attempted_at: at,
            status: Some(200),
            latency_micros: 20_000,
            response: None,
            error: None,
        };
        deliveries::record(tx, team, id, &attempt, (Some(at), None))
    }

    /// The key of a booking, which is kept for a day.
    fn keep_key(&self, tx: &mut Tx<'_>, id: ShipmentId, end: Time) -> Result<(), Error> {
        let claim = idempotency::KeyClaim {
            method: "POST".to_owned(),
            path: "/teams/…/shipments".to_owned(),
            key: id.to_string(),
            fingerprint: [7; 32],
        };
        idempotency::claim(tx, self.team, &claim, (id.into(), 201), end).map(drop)
    }

    /// Puts them on a manifest.
    fn close(&self, tx: &mut Tx<'_>, bookings: &[Booking]) -> Result<(), Error> {
        let (team, id) = (self.team, ManifestId(self.ids.uuid()));
        let (Some(first), Ok(count)) = (bookings.first(), i64::try_from(bookings.len())) else {
            return Ok(());
        };
        let created_at = first.at.plus(Duration::from_hours(1));
        let manifest = Manifest {
            id,
            carrier_code: first.shipment.carrier_code.clone(),
            shipment_count: count,
            parcel_count: count,
            created_at,
        };
        manifests::insert(tx, team, &manifest)?;
        let about = ("manifest_uuid", id.into());
        let event =
            Event::new(EventId(self.ids.uuid()), EventKind::ManifestCreated, created_at, about);
        events::append_fanned_out(tx, team, &event)?;
        let shipments: Vec<_> = bookings.iter().map(|booking| booking.shipment.id).collect();
        manifests::put_on(tx, team, id, &shipments).map(drop)
    }

    /// Lets each parcel be collected and delivered.
    fn deliver(&self, tx: &mut Tx<'_>, bookings: &[Booking]) -> Result<(), Error> {
        let Some(first) = bookings.first() else { return Ok(()) };
        let mut inserts = Vec::new();
        let heard_at = first.at.plus(2 * DAY);
        for Booking { shipment, parcel, at } in bookings {
            let tracking = parcel.tracking_id;
            let report = TrackingReport {
                events: vec![
                    Ok(seen(Status::Collected, at.plus(DAY / 4), &shipment.id)),
                    Ok(seen(Status::Delivered, at.plus(DAY / 2), &shipment.id)),
                ],
                ..TrackingReport::default()
            };
            let change = diff(&Known::default(), &report, heard_at);
            let about = ("tracking_uuid", tracking.into());
            let event =
                Event::new(EventId(self.ids.uuid()), EventKind::TrackingUpdated, heard_at, about)
                    .with("shipment_uuid", shipment.id.into());
            trackings::change(tx, self.team, tracking, &change.summary, None, &event)?;
            inserts.extend(change.entries.into_iter().map(|entry| EntryInsert {
                id: self.ids.uuid(),
                event_id: self.ids.uuid(),
                tracking,
                shipment: shipment.id,
                entry,
            }));
        }
        feed::publish(tx, self.team, &inserts, heard_at)
    }
}

fn seen(status: Status, at: Time, shipment: &ShipmentId) -> TrackingEvent {
    TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(at),
        location: Some("Terminal 1".to_owned()),
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&[status.code(), &shipment.to_string()]),
    }
}
