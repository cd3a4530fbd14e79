//! The rows that an observation changes.

use std::time::Duration;

use waybill_carriers::booking::Accepted;
use waybill_carriers::plausible;
use waybill_domain::booking::{
    CallEnd, Change, Doubt, Ending, Failure, Learnt, Obstacle, Seen, Step,
};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, TeamId, TrackingId};
use waybill_domain::shipment::{Codes, ShipmentParcel, ShipmentState};
use waybill_domain::time::Time;
use waybill_domain::tracking::TrackingSummary;
use waybill_engine::app::App;
use waybill_engine::batching;
use waybill_engine::booking::{self, apply};
use waybill_engine::fulfilment;
use waybill_engine::handoff::HandedJob;
use waybill_engine::papers::DocumentOwner;
use waybill_engine::planted;
use waybill_engine::printing::AutomaticPrints;
use waybill_engine::wake::CommittedShipment;
use waybill_store::attempts::{self, Attempt, AttemptKind, AttemptOutcome};
use waybill_store::jobs::Claimed;
use waybill_store::shipments::Shipment;
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, carrier_calls, documents, shipments};

use super::observed::Observed;

/// Everything that one observation writes.
pub struct BookingUpdate {
    old: Shipment,
    shipment: Shipment,
    call: Option<CallEnd>,
    evidence: Option<String>,
    numbers: Vec<String>,
    trackings: Vec<Tracking>,
    /// Trackings that are there already, and where people follow them from now on.
    links: Vec<(TrackingId, String)>,
    files: Vec<(documents::Document, documents::Content)>,
    event: Option<Event>,
    /// What is told to the one who asks why.
    attempt: Option<Attempt>,
    /// When it is written.
    pub now: Time,
}

/// What follows from the write.
pub struct Written {
    /// The next member of the shipment's batch.
    pub next: Option<HandedJob>,
    /// The files as they are now, when some of them are printed.
    pub printed: Option<Vec<documents::Document>>,
}

impl BookingUpdate {
    /// Works out the rows, before any transaction.
    pub fn of_observation(
        old: &Shipment,
        claimed: &Claimed,
        change: &Change,
        observed: Observed,
        now: Time,
        app: &App,
    ) -> BookingUpdate {
        let attempt = attempt(old, &observed, change.doubt, claimed, now);
        let mut shipment = old.clone();
        let (mut numbers, mut trackings) = (Vec::new(), Vec::new());
        if let Some(accepted) = &observed.accepted {
            accept(&mut shipment, accepted, &observed.missing, now);
        }
        let links = link(&mut shipment, &observed.tracking_urls);
        if let Some(accepted) = &observed.accepted {
            numbers.extend(accepted.parcels.iter().map(|parcel| parcel.tracking_number.clone()));
            trackings = tracked(&shipment, accepted.poll_after, now, app);
        }
        let learnt = learnt(&shipment, &observed);
        shipment.failure = Failure::after(shipment.failure.take(), change, &learnt);
        apply(&mut shipment, change, now);
        let papers = observed.papers.into_iter().enumerate();
        let source = DocumentOwner::shipment(shipment.id);
        let files = papers.map(|(place, paper)| paper.filed(&source, place, now, app)).collect();
        let evidence = observed.evidence;
        let told = BookingUpdate::of_shipment(old, shipment, change, now, app);
        BookingUpdate { evidence, numbers, trackings, links, files, attempt, ..told }
    }

    /// The caller is told of a failure, and nothing new was seen.
    pub fn of_failure(old: &Shipment, change: &Change, now: Time, app: &App) -> BookingUpdate {
        let mut shipment = old.clone();
        shipment.failure = Failure::told(shipment.failure.take(), change);
        apply(&mut shipment, change, now);
        BookingUpdate::of_shipment(old, shipment, change, now, app)
    }

    /// The shipment and its event alone.
    fn of_shipment(
        old: &Shipment,
        shipment: Shipment,
        change: &Change,
        now: Time,
        app: &App,
    ) -> BookingUpdate {
        BookingUpdate {
            old: old.clone(),
            event: change.ending.map(|ending| event(&shipment, ending, now, app)),
            shipment,
            call: change.call,
            evidence: None,
            numbers: Vec::new(),
            trackings: Vec::new(),
            links: Vec::new(),
            files: Vec::new(),
            attempt: None,
            now,
        }
    }

    /// Counts it, once it is written.
    pub fn count(&self) {
        if let Some(ending) = self.event.as_ref().and(self.shipment.ending) {
            metrics::counter!("waybill_bookings_total", "outcome" => ending.name()).increment(1);
        }
    }

    /// The shipment and all its files, once they are written, when this has ended the booking. What
    /// was accepted before may have files from then.
    pub fn committed(
        &self,
        printed: Option<Vec<documents::Document>>,
    ) -> Option<CommittedShipment> {
        let is_whole = self.shipment.ending.is_some() && self.old.accepted_at.is_none();
        let shipment = || self.shipment.clone();
        let files = || printed.unwrap_or_else(|| self.documents());
        is_whole.then(|| CommittedShipment { shipment: shipment(), files: files() })
    }

    fn documents(&self) -> Vec<documents::Document> {
        self.files.iter().map(|(file, _)| file.clone()).collect()
    }

    /// Whether webhooks may want to hear of it.
    pub fn has_event(&self) -> bool {
        self.event.is_some()
    }

    /// Writes the rows. Nothing is written when the shipment has moved on.
    pub fn write_rows(
        &self,
        tx: &mut Tx<'_>,
        app: &App,
        team: TeamId,
        from: Step,
    ) -> Result<Option<Written>, Error> {
        if !shipments::change(tx, team, from, &self.shipment, self.event.as_ref())? {
            return Ok(None);
        }
        let id = self.shipment.id;
        let is_forgotten = planted::is("wms-forget-late") && self.old.step == Step::Accepted;
        if self.old.state != ShipmentState::Booked && !is_forgotten {
            fulfilment::booked(tx, app, team, &self.shipment, self.now)?;
        }
        if let Some(end) = self.call {
            let evidence = self.evidence.as_deref();
            // By the clock that the beginning of the call was written with.
            let ended_at = tx.now(self.now)?;
            carrier_calls::set_outcome(tx, team, id, end, evidence, ended_at)?;
        }
        for number in &self.numbers {
            shipments::insert_tracking_number(tx, team, number, id)?;
        }
        for tracking in &self.trackings {
            trackings::insert(tx, team, tracking)?;
        }
        for (tracking, url) in &self.links {
            trackings::set_url(tx, team, *tracking, url)?;
        }
        let printed = self.write_files(tx, app, team)?;
        if let Some(attempt) = &self.attempt {
            // At the same moment as the end of its call: it is told once.
            let tried_at = tx.now(self.now)?;
            attempts::insert(tx, team, id, &Attempt { tried_at, ..attempt.clone() })?;
        }
        let change = (&self.old, &self.shipment);
        let next = batching::member_changed(tx, app, team, change, self.now)?;
        Ok(Some(Written { next, printed }))
    }

    /// Writes the documents, and print jobs for those that become visible now, where the team wants
    /// that. Nobody waits for them. Tells of the documents that have a job.
    fn write_files(
        &self,
        tx: &mut Tx<'_>,
        app: &App,
        team: TeamId,
    ) -> Result<Option<Vec<documents::Document>>, Error> {
        let is_booked = self.shipment.state == ShipmentState::Booked;
        let settings = self.shipment.snapshot.printing.as_ref();
        // A team that prints nothing by itself has no settings here.
        let Some(settings) = settings.filter(|_| is_booked && !self.files.is_empty()) else {
            for (document, content) in &self.files {
                documents::insert(tx, team, document, content)?;
            }
            return Ok(None);
        };
        let when = (self.shipment.request_id.as_deref(), self.now);
        let documents = self.documents();
        let prints = AutomaticPrints::plan(tx, app, team, settings, documents, when)?;
        prints.write(tx, app, team, self.files.iter().map(|(_, content)| content))?;
        Ok(Some(prints.into_documents()))
    }
}

/// Why a miss was not believed, for the one who asks why. That it was too early needs no words: it
/// is looked up again when it is not.
fn in_words(doubt: Doubt) -> Option<&'static str> {
    match doubt {
        Doubt::TooEarly => None,
        Doubt::UncertainTime => Some(
            "not found, but perhaps too early: the server has just started, or its clock was set",
        ),
        Doubt::LostDatabase => {
            Some("not found, but a database that was lost may have sent it again")
        }
        Doubt::NoCanary => Some("not found, but neither is a booking that must be there"),
    }
}

/// What is to be remembered of an observation, for the one who asks why. What went well at once is
/// told by the rows that it wrote.
fn attempt(
    shipment: &Shipment,
    observed: &Observed,
    doubt: Option<Doubt>,
    claimed: &Claimed,
    now: Time,
) -> Option<Attempt> {
    let is_repeated = shipment.tries > 0 || shipment.ending.is_some();
    let (kind, outcome) = match observed.seen {
        Seen::NotSent { .. } => (AttemptKind::Book, AttemptOutcome::Failed),
        // Where there is no way to the carrier, it did not refuse anything.
        Seen::Unsendable if observed.obstacle == Some(Obstacle::NoAccount) => {
            (AttemptKind::Book, AttemptOutcome::Failed)
        }
        Seen::Unsendable => (AttemptKind::Book, AttemptOutcome::Refused),
        Seen::Unclear | Seen::TakenOver => (AttemptKind::Book, AttemptOutcome::Unclear),
        // A miss that is believed, or comes too early, is nothing to remember.
        Seen::Absent(_) if matches!(doubt, None | Some(Doubt::TooEarly)) => return None,
        Seen::NoAnswer | Seen::Absent(_) => (AttemptKind::LookUp, AttemptOutcome::Unclear),
        Seen::DocumentsFailed => (AttemptKind::Documents, AttemptOutcome::Failed),
        Seen::Accepted if observed.papers_error.is_some() => {
            (AttemptKind::Documents, AttemptOutcome::Failed)
        }
        Seen::DocumentsReady if is_repeated => (AttemptKind::Documents, AttemptOutcome::Done),
        Seen::Accepted
        | Seen::Booked
        | Seen::Partial
        | Seen::Rejected
        | Seen::NotListed
        | Seen::DocumentsReady
        | Seen::DocumentsWanted
        | Seen::Cancelled => return None,
    };
    // What the carrier said is part of what was concluded from it.
    let said = observed.complaints.iter().map(|complaint| complaint.message.clone());
    let doubt = doubt.and_then(in_words).map(str::to_owned);
    let evidence = observed.papers_error.clone().or(doubt).or(observed.evidence.clone());
    let words: Vec<String> = evidence.map_or_else(|| said.collect(), |evidence| vec![evidence]);
    Some(Attempt {
        kind,
        outcome,
        words: (!words.is_empty()).then(|| words.join("; ")),
        request_id: claimed.request_id.clone(),
        tried_at: now,
    })
}

fn accept(shipment: &mut Shipment, accepted: &Accepted, missing: &[usize], now: Time) {
    shipment.carrier_reference = Some(accepted.carrier_reference.clone());
    shipment.carrier_data = accepted.carrier_data.clone();
    shipment.accepted_at = Some(shipment.accepted_at.unwrap_or(now));
    shipment.updated_at = now;
    shipment.codes = Some(Codes {
        qr_codes: accepted.qr_codes.clone(),
        drop_off_codes: accepted.drop_off_codes.clone(),
    });
    for (parcel, booked) in shipment.parcels.iter_mut().zip(accepted.by_place(missing)) {
        let Some(booked) = booked else { continue };
        parcel.tracking_number = Some(booked.tracking_number.clone());
        let url = booked.tracking_url.as_deref();
        parcel.tracking_url = url.and_then(plausible::link).map(str::to_owned);
    }
}

/// What the carrier told with its papers goes before what it told with the booking. Tells of the
/// parcels that are followed elsewhere from now on.
fn link(shipment: &mut Shipment, urls: &[Option<String>]) -> Vec<(TrackingId, String)> {
    let mut links = Vec::new();
    for (parcel, url) in shipment.parcels.iter_mut().zip(urls) {
        let is_new = parcel.tracking_number.is_some() && parcel.tracking_url != *url;
        if let Some(url) = url.as_deref().filter(|_| is_new).and_then(plausible::link) {
            parcel.tracking_url = Some(url.to_owned());
            links.push((parcel.tracking_id, url.to_owned()));
        }
    }
    links
}

/// The parcels that have a number from now on are tracked, where the carrier can be asked.
fn tracked(
    shipment: &Shipment,
    poll_after: Option<Duration>,
    now: Time,
    app: &App,
) -> Vec<Tracking> {
    let carrier = app.carriers().get(&shipment.carrier_code);
    let tracking = carrier.as_ref().and_then(|carrier| carrier.tracking());
    let pace = tracking.map(|tracking| tracking.pace().unless_told(poll_after));
    let tracking = |(parcel, place): (&ShipmentParcel, i64)| {
        Some(Tracking {
            id: parcel.tracking_id,
            shipment: shipment.id,
            parcel: parcel.id,
            place,
            account: shipment.account,
            carrier_code: shipment.carrier_code.clone(),
            service_code: shipment.service_code.clone(),
            number: parcel.tracking_number.clone()?,
            url: parcel.tracking_url.clone(),
            summary: TrackingSummary::default(),
            created_at: now,
            look_at: pace.map(|pace| now.plus(pace.first)),
        })
    };
    shipment.parcels.iter().zip(0..).filter_map(tracking).collect()
}

/// What everyone is told. What is told once more is a new event: more is known by then.
fn event(shipment: &Shipment, ending: Ending, now: Time, app: &App) -> Event {
    let kind = match ending {
        Ending::Booked => EventKind::ShipmentBooked,
        Ending::Rejected | Ending::Technical | Ending::Deadline => EventKind::ShipmentFailed,
    };
    Event::of_shipment(EventId(app.new_uuid()), kind, now, shipment.id, shipment.batch)
}

/// What counts for what is told of a failure. The shipment has what the carrier took, and is for
/// the rest as it was.
fn learnt<'a>(shipment: &Shipment, observed: &'a Observed) -> Learnt<'a> {
    Learnt {
        seen: observed.seen,
        obstacle: observed.obstacle,
        said: &observed.complaints,
        held: booking::held(shipment),
        is_taken_now: observed.accepted.is_some(),
        was_taken: shipment.accepted_at.is_some(),
        told: shipment.ending,
        is_failed: shipment.state == ShipmentState::Failed,
    }
}
