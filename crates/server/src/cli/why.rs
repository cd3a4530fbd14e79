//! `waybill why SHIPMENT`: the story of one shipment, every step, call, event and delivery, with
//! times.

use std::process::ExitCode;

use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_store::carrier_calls::Call;
use waybill_store::deliveries::{self, Attempt, Delivery};
use waybill_store::documents::Document;
use waybill_store::events::{self, Stored};
use waybill_store::feed::{self, Recorded};
use waybill_store::jobs::Standing;
use waybill_store::shipments::Shipment;
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, carrier_calls, documents, jobs, shipments};

use super::{Outcome, open_existing};
use crate::app::booking_job;
use crate::config::Config;
use crate::outbound::Failure;

/// The deliveries of an event.
type Sent = Vec<(Delivery, Vec<Attempt>)>;

/// Everything that is known about a shipment.
struct Story {
    team: TeamId,
    shipment: Shipment,
    calls: Vec<Call>,
    files: Vec<Document>,
    events: Vec<(Stored, Sent)>,
    parcels: Vec<Parcel>,
    job: Option<Standing>,
}

/// A parcel that is followed, what was heard of it, and what was set aside.
struct Parcel {
    tracking: Tracking,
    heard: Vec<Recorded>,
    quarantined: Vec<(Time, String, String)>,
}

/// Prints what is known about the shipment. Names and addresses stay out of it.
pub fn why(config: &Config, shipment: &str) -> Outcome {
    let id = ShipmentId::parse(shipment).ok_or(format!("\"{shipment}\" is not a UUID"))?;
    let store = open_existing(config)?;
    let story = store.blocking_read(move |tx| Story::read(tx, id)).map_err(|e| e.to_string())?;
    let Some(story) = story else {
        return Err(format!("there is no shipment {id}, or it was deleted"));
    };
    let Story { team, shipment, .. } = &story;
    println!("shipment {id} of team {team}");
    println!("  {} with {} ({})", shipment.state, shipment.service_code, shipment.step.name());
    if let Some(reference) = &shipment.reference {
        println!("  reference {reference}");
    }
    println!();
    for (at, text) in story.lines() {
        println!("  {at}  {text}");
    }
    if let Some(failure) = &shipment.failure {
        println!("\n  failure {failure}");
    }
    if let Some((Some(at), fence, note)) = &story.job {
        println!("\n  next look at {at}, fence {fence} {}", note.as_deref().unwrap_or_default());
    }
    Ok(ExitCode::SUCCESS)
}

impl Story {
    fn read(tx: &mut Tx<'_>, id: ShipmentId) -> Result<Option<Story>, Error> {
        let Some(team) = shipments::any_find_team(tx, id)? else { return Ok(None) };
        let Some(shipment) = shipments::find(tx, team, id)? else { return Ok(None) };
        let mut all = events::list_of(tx, team, id.into())?;
        let mut parcels = Vec::new();
        for tracking in trackings::list_of(tx, team, id)? {
            all.extend(events::list_of(tx, team, tracking.id.into())?);
            let heard = feed::list_of(tx, team, tracking.id)?;
            let quarantined = trackings::list_quarantined(tx, team, tracking.id)?;
            parcels.push(Parcel { tracking, heard, quarantined });
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
        let job = jobs::find(tx, booking_job(&shipment), id.into())?;
        Ok(Some(Story {
            team,
            shipment,
            job,
            calls: carrier_calls::list(tx, team, id)?,
            files: documents::list_of(tx, team, "shipment", id.into())?,
            events: told,
            parcels,
        }))
    }

    /// What happened when, in order.
    fn lines(&self) -> Vec<(Time, String)> {
        let shipment = &self.shipment;
        let mut lines = vec![(shipment.created_at, "accepted by us".to_owned())];
        for call in &self.calls {
            let sent = format!("call {}: intent committed, reference {}", call.n, call.reference);
            lines.push((call.started_at, format!("{sent}, fence {}", call.fence)));
            if let (Some(at), Some(outcome)) = (call.ended_at, &call.outcome) {
                let because = call.evidence.as_deref().map(|e| format!(" ({e})"));
                let because = because.unwrap_or_default();
                lines.push((at, format!("call {}: {outcome}{because}", call.n)));
            }
        }
        let mut note = |at: Option<Time>, text: String| lines.extend(at.map(|at| (at, text)));
        let known_as = shipment.carrier_reference.as_deref().unwrap_or("-");
        note(shipment.accepted_at, format!("the carrier has it as {known_as}"));
        for file in &self.files {
            let text =
                format!("document {} ({}, {} bytes)", file.filename, file.types, file.size_bytes);
            note(Some(file.created_at), text);
        }
        note(shipment.booked_at, "booked: everything is ready".to_owned());
        note(shipment.cancelled_at, "cancelled".to_owned());
        for (event, sent) in &self.events {
            lines.push((event.occurred_at, format!("event {} ({})", event.kind, event.id)));
            for (delivery, attempts) in sent {
                lines.extend(delivery_lines(delivery, attempts));
            }
        }
        lines.extend(self.parcels.iter().flat_map(parcel_lines));
        lines.sort_by_key(|(at, _)| *at);
        lines
    }
}

/// What was heard of a parcel, and when its carrier is asked again.
fn parcel_lines(parcel: &Parcel) -> Vec<(Time, String)> {
    let Parcel { tracking, heard, quarantined } = parcel;
    let number = &tracking.number;
    let mut lines = vec![(tracking.created_at, format!("parcel {number}: followed from now on"))];
    for Recorded { position, event, after, published_at, .. } in heard {
        let what = event.what.message().say(Language::En);
        let code = event.what.code();
        let when = event.happened_at.map(|at| format!(", happened {at}")).unwrap_or_default();
        let state = after.state.name();
        let text = format!("parcel {number}: {code} ({what}){when}; {state}, feed {position}");
        lines.push((*published_at, text));
    }
    for (at, raw, why) in quarantined {
        lines.push((*at, format!("parcel {number}: set aside because {why}: {raw}")));
    }
    if let Some(at) = tracking.look_at {
        lines.push((at, format!("parcel {number}: the carrier is asked again")));
    }
    lines
}

/// A delivery and its attempts.
fn delivery_lines(delivery: &Delivery, attempts: &[Attempt]) -> Vec<(Time, String)> {
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
    if let Some(at) = delivery.next_at {
        lines.push((at, format!("delivery {id}: next attempt")));
    }
    lines
}
