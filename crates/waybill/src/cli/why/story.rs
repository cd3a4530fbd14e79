//! Everything that is known about a shipment, in the order in which it happened.

use waybill_domain::booking::Note;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_engine::app::booking_job;
use waybill_engine::not_booked::EVIDENCE;
use waybill_outbound::Failure;
use waybill_store::attempts::{self, Attempt as Tried, AttemptKind, AttemptOutcome};
use waybill_store::carrier_calls::Call;
use waybill_store::deliveries::{self, Attempt, Delivery};
use waybill_store::documents::Document;
use waybill_store::events::{self, StoredEvent};
use waybill_store::feed::{self, HistoryEntry};
use waybill_store::jobs::{self, Alarm};
use waybill_store::shipments::{self, Shipment};
use waybill_store::trackings::{self, Tracking};
use waybill_store::wms::fulfilments::{self, Fulfilment};
use waybill_store::{Error, Tx, carrier_calls, documents, epochs};

use super::prints::Print;

/// A moment, and what happened or is to happen then.
type Line = (Time, String);

/// The deliveries of an event.
type Sent = Vec<(Delivery, Vec<Attempt>)>;

/// Everything that is known about a shipment.
pub struct Story {
    /// The shipment as it is now.
    pub shipment: Shipment,
    calls: Vec<Call>,
    tried: Vec<Tried>,
    files: Vec<Document>,
    prints: Vec<Print>,
    events: Vec<(StoredEvent, Sent)>,
    parcels: Vec<Parcel>,
    /// What was asked of the warehouse, when it is sent for that.
    pub fulfilment: Option<Fulfilment>,
    booking: Option<Alarm>,
    cancelling: Option<Alarm>,
    /// Whether a restore ended the wait for its outcome.
    is_interrupted: bool,
}

/// A parcel that is followed, what was heard of it, and what was set aside.
struct Parcel {
    tracking: Tracking,
    heard: Vec<HistoryEntry>,
    quarantined: Vec<(Time, String, String)>,
}

impl Story {
    /// Reads it; none when the shipment is not there any more.
    pub fn read(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<Option<Story>, Error> {
        let Some(shipment) = shipments::find(tx, team, id)? else { return Ok(None) };
        let mut all = events::list_of(tx, team, id.into())?;
        let mut parcels = Vec::new();
        for tracking in trackings::list_of(tx, team, id)? {
            all.extend(events::list_of(tx, team, tracking.id.into())?);
            let heard = feed::list_of(tx, team, tracking.id)?;
            let quarantined = trackings::list_quarantined(tx, team, tracking.id)?;
            parcels.push(Parcel { tracking, heard, quarantined });
        }
        let wanted = shipment.fulfilment;
        let fulfilment = wanted.map(|id| fulfilments::find(tx, team, id)).transpose()?.flatten();
        if let Some(request) = &fulfilment {
            all.extend(events::list_of(tx, team, request.id.into())?);
        }
        let files = documents::list_of(tx, team, SourceKind::Shipment, id.into())?;
        let mut prints = Vec::new();
        for file in &files {
            prints.extend(Print::read(tx, team, file.id)?);
        }
        for print in &prints {
            all.extend(events::list_of(tx, team, print.job().id.into())?);
        }
        let mut told = Vec::new();
        for event in all {
            let mut sent = Vec::new();
            for delivery in deliveries::list_of_event(tx, team, event.id)? {
                let attempts = deliveries::list_attempts(tx, team, delivery.id)?;
                sent.push((delivery, attempts));
            }
            told.push((event, sent));
        }
        Ok(Some(Story {
            calls: carrier_calls::list(tx, team, id)?,
            tried: attempts::list(tx, team, id)?,
            files,
            prints,
            events: told,
            parcels,
            fulfilment,
            booking: jobs::find_alarm(tx, booking_job(&shipment), id.into())?,
            cancelling: jobs::find_alarm(tx, JobKind::Cancel, id.into())?,
            is_interrupted: epochs::has_ended(tx, shipment.deadline_at)?,
            shipment,
        }))
    }

    /// What happened when, in order.
    pub fn lines(&self) -> Vec<Line> {
        let shipment = &self.shipment;
        let (taken, count) = self.taken();
        let accepted = format!("accepted by us{}", asked_by(shipment.request_id.as_deref()));
        let mut lines = vec![(shipment.created_at, accepted)];
        let is_partial = 0 < taken && taken < count;
        for call in &self.calls {
            let tried = self.tried.iter().find(|tried| is_told_by(tried, call));
            let request = tried.and_then(|tried| tried.request_id.as_deref());
            lines.extend(call_lines(call, is_partial, &asked_by(request)));
        }
        let is_told = |tried: &&Tried| self.calls.iter().any(|call| is_told_by(tried, call));
        lines.extend(self.tried.iter().filter(|tried| !is_told(tried)).map(tried_line));
        let mut note = |at: Option<Time>, text: String| lines.extend(at.map(|at| (at, text)));
        let known_as = shipment.carrier_reference.as_deref().unwrap_or("-");
        let has = match is_partial {
            true => format!("the carrier has {taken} of {count} parcels as {known_as}"),
            false => format!("the carrier has it as {known_as}"),
        };
        note(shipment.accepted_at, has);
        let why = match self.is_interrupted {
            true => "the database was restored: it failed for whoever waits",
            false => "the deadline passed: it failed for whoever waits",
        };
        note(self.failed_at_deadline(), why.to_owned());
        for file in &self.files {
            let text =
                format!("document {} ({}, {} bytes)", file.filename, file.types, file.size_bytes);
            note(Some(file.created_at), text);
        }
        note(shipment.booked_at, "booked: everything is ready".to_owned());
        note(shipment.cancelled_at, "cancelled".to_owned());
        lines.extend(self.fulfilment.iter().flat_map(fulfilment_lines));
        lines.extend(self.prints.iter().flat_map(Print::lines));
        lines.extend(self.parcels.iter().flat_map(parcel_lines));
        // Events last: at the same moment, a cause is told before what it told others.
        for (event, sent) in &self.events {
            lines.push((event.occurred_at, format!("event {} ({})", event.kind, event.id)));
            for (delivery, attempts) in sent {
                lines.extend(delivery_lines(delivery, attempts));
            }
        }
        lines.sort_by_key(|(at, _)| *at);
        lines
    }

    /// Whether it was held back after a restore, and nobody looked whether the carrier has it.
    pub fn is_held_back(&self) -> bool {
        self.shipment.step.is_open() && self.calls.last().is_some_and(Call::is_forgotten)
    }

    /// When it failed because of its deadline, also if it was booked later.
    fn failed_at_deadline(&self) -> Option<Time> {
        let told = self.events.iter().find(|(event, _)| event.kind == "shipment.failed");
        let at = told.map(|(event, _)| event.occurred_at)?;
        let is_accepted = self.shipment.accepted_at.is_some_and(|accepted| accepted <= at);
        let is_other = is_accepted || self.shipment.has_note(Note::Restored);
        (at >= self.shipment.deadline_at && !is_other).then_some(at)
    }

    /// Whether the carrier is asked where its parcels are.
    pub fn is_followed(&self) -> bool {
        self.parcels.iter().any(|parcel| parcel.tracking.look_at.is_some())
    }

    /// Whether somebody looked at the carrier's list, and noted that it is not there.
    pub fn is_noted_as_not_booked(&self) -> bool {
        let last = self.calls.iter().max_by_key(|call| call.number);
        last.and_then(|call| call.evidence.as_deref()) == Some(EVIDENCE)
    }

    /// Whether somebody is about to look at the booking.
    pub fn is_looked_at(&self) -> bool {
        self.booking.is_some()
    }

    /// Whether somebody is about to ask the carrier to cancel it.
    pub fn is_being_cancelled(&self) -> bool {
        self.cancelling.is_some() && self.shipment.cancelled_at.is_none()
    }

    /// How many parcels the carrier took, and how many there are.
    pub fn taken(&self) -> (usize, usize) {
        let parcels = &self.shipment.parcels;
        (parcels.iter().filter(|it| it.tracking_number.is_some()).count(), parcels.len())
    }

    /// What is to happen when, as far as it is known.
    pub fn next(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let made_by = self.shipment.request_id.as_deref();
        let jobs =
            [("the booking", &self.booking, made_by), ("the cancellation", &self.cancelling, None)];
        for (what, alarm, made_by) in jobs {
            let Some(Alarm { run_at, is_leased, request_id, note }) = alarm else { continue };
            let request = asked_by(request_id.as_deref().or(made_by));
            let text = match (is_leased, note) {
                (true, _) => format!("{what} is in the hands of a worker until then{request}"),
                (false, Some(note)) => format!("{what} is looked at, because {note}{request}"),
                (false, None) => format!("{what} is looked at{request}"),
            };
            lines.push((*run_at, text));
        }
        for Parcel { tracking, .. } in &self.parcels {
            let text = format!("parcel {}: the carrier is asked again", tracking.number);
            lines.extend(tracking.look_at.map(|at| (at, text)));
        }
        let deliveries = self.events.iter().flat_map(|(_, sent)| sent);
        for (delivery, _) in deliveries {
            let text = format!("delivery {} is tried", delivery.id);
            lines.extend(delivery.next_at.map(|at| (at, text)));
        }
        lines.sort_by_key(|(at, _)| *at);
        lines
    }
}

fn asked_by(request_id: Option<&str>) -> String {
    request_id.map(|id| format!(" (Request-ID {id})")).unwrap_or_default()
}

/// Whether an attempt to book is the end of this call, which tells the same words. A call that
/// ended in another way later does not tell them any more.
fn is_told_by(tried: &Tried, call: &Call) -> bool {
    let is_same = call.ended_at == Some(tried.tried_at) && call.evidence == tried.words;
    tried.kind == AttemptKind::Book && is_same
}

/// What became of the warehouse's request.
fn fulfilment_lines(request: &Fulfilment) -> Vec<Line> {
    let id = request.id;
    let made = format!("made{}", asked_by(request.request_id.as_deref()));
    let steps = [
        (Some(request.created_at), made.as_str()),
        (request.allocated_at, "its stock is reserved"),
        (request.packed_at, "packed"),
        (request.shipped_at, "shipped: its stock has left"),
        (request.cancelled_at, "cancelled: its stock is free"),
    ];
    let line = |(at, what): (Option<Time>, &str)| {
        at.map(|at| (at, format!("fulfilment request {id}: {what}")))
    };
    steps.into_iter().filter_map(line).collect()
}

/// A call to book, and what became of it.
fn call_lines(call: &Call, is_partial: bool, request: &str) -> Vec<Line> {
    let Call { number: n, reference, .. } = call;
    let asked = match call.is_forgotten() {
        true => {
            format!("call {n}: never made from here: a database that was lost may have made it")
        }
        false => format!("call {n}: the carrier is asked to book it as {reference}"),
    };
    let mut lines = vec![(call.started_at, asked)];
    if let (Some(at), Some(outcome)) = (call.ended_at, call.outcome.as_deref()) {
        let outcome = match outcome {
            "accepted" if is_partial => "the carrier accepted a part of it",
            "accepted" => "the carrier accepted it",
            "rejected" => "the carrier refused it",
            "not_sent" => "nothing was booked",
            "absent" => "the carrier does not have it",
            _ => "unclear: the carrier may have it",
        };
        let because = call.evidence.as_deref().map(|words| format!(" ({words})"));
        lines.push((at, format!("call {n}: {outcome}{}{request}", because.unwrap_or_default())));
    }
    lines
}

/// An attempt, and how it ended.
fn tried_line(tried: &Tried) -> Line {
    let what = match tried.kind {
        AttemptKind::Book => "attempt to book",
        AttemptKind::LookUp => "question whether the carrier has it",
        AttemptKind::Documents => "attempt at the documents",
        AttemptKind::Cancel => "call to cancel",
    };
    let outcome = match (tried.kind, tried.outcome) {
        (AttemptKind::Documents, AttemptOutcome::Done) => "they are ready",
        (AttemptKind::Documents, AttemptOutcome::Unclear) => "asked for again",
        (AttemptKind::Cancel, AttemptOutcome::Done) => "the carrier cancelled it",
        (_, AttemptOutcome::Done) => "done",
        (_, AttemptOutcome::Refused) => "the carrier refused",
        (_, AttemptOutcome::Failed) => "failed",
        (_, AttemptOutcome::Unclear) => "no clear answer",
    };
    // The line to a carrier says the same before what happened.
    let told = tried.words.as_deref().map(|words| match tried.outcome {
        AttemptOutcome::Unclear => words.strip_prefix("no usable answer: ").unwrap_or(words),
        _ => words,
    });
    let words = told.map(|words| format!(": {words}")).unwrap_or_default();
    let request = asked_by(tried.request_id.as_deref());
    (tried.tried_at, format!("{what}: {outcome}{words}{request}"))
}

/// What was heard of a parcel.
fn parcel_lines(parcel: &Parcel) -> Vec<Line> {
    let Parcel { tracking, heard, quarantined } = parcel;
    let number = &tracking.number;
    let mut lines = vec![(tracking.created_at, format!("parcel {number}: followed from now on"))];
    for HistoryEntry { position, event, after, published_at, .. } in heard {
        let what = event.kind.message().say(Language::En);
        let code = event.kind.code();
        let when = event.happened_at.map(|at| format!(", happened {at}")).unwrap_or_default();
        let state = after.state.name();
        let text = format!("parcel {number}: {code} ({what}){when}; {state}, feed {position}");
        lines.push((*published_at, text));
    }
    for (at, raw, why) in quarantined {
        lines.push((*at, format!("parcel {number}: set aside because {why}: {raw}")));
    }
    lines
}

/// A delivery and its attempts.
fn delivery_lines(delivery: &Delivery, attempts: &[Attempt]) -> Vec<Line> {
    let Delivery { id, webhook, kind, state, .. } = delivery;
    let text = format!("delivery {id} of {kind} to webhook {webhook}: {state}");
    let mut lines = vec![(delivery.created_at, text)];
    for (n, attempt) in attempts.iter().enumerate() {
        let explain = |error: &String| {
            let message = Failure::explain(error);
            message.map_or_else(|| error.clone(), |message| message.say(Language::En))
        };
        let outcome = attempt.status.map(|status| status.to_string());
        let outcome = outcome.or_else(|| attempt.error.as_ref().map(explain)).unwrap_or_default();
        let millis = attempt.latency_micros / 1000;
        let text = format!("delivery {id}: attempt {}: {outcome} in {millis} ms", n + 1);
        lines.push((attempt.attempted_at, text));
    }
    lines
}
