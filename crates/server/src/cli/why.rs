//! `waybill why SHIPMENT`: the story of one shipment, every step and every call, with times.

use std::process::ExitCode;

use waybill_domain::ids::ShipmentId;
use waybill_domain::time::Time;
use waybill_store::{Error, Options, Store, carrier_calls, documents, jobs, shipments};

use super::Outcome;
use crate::app::BOOK;
use crate::config::Config;

/// Prints what is known about the shipment. Names and addresses stay out of it.
pub fn why(config: &Config, shipment: &str) -> Outcome {
    let id = ShipmentId::parse(shipment).ok_or(format!("\"{shipment}\" is not a UUID"))?;
    let store = Store::open(&config.database, Options::default()).map_err(|e| e.to_string())?;
    let story = store
        .blocking_read(move |tx| {
            let Some(team) = shipments::any_find_team(tx, id)? else { return Ok(None) };
            let Some(shipment) = shipments::find(tx, team, id)? else { return Ok(None) };
            let calls = carrier_calls::list(tx, team, id)?;
            let files = documents::list_of(tx, team, "shipment", id.into())?;
            let job = jobs::find(tx, BOOK, id.into())?;
            Ok::<_, Error>(Some((team, shipment, calls, files, job)))
        })
        .map_err(|error| error.to_string())?;
    let Some((team, shipment, calls, files, job)) = story else {
        return Err(format!("there is no shipment {id}, or it was deleted"));
    };
    println!("shipment {id} of team {team}");
    println!("  {} with {} ({})", shipment.state, shipment.service_code, shipment.step.name());
    if let Some(reference) = &shipment.reference {
        println!("  reference {reference}");
    }
    println!();
    let mut lines = vec![(shipment.created_at, "accepted by us".to_owned())];
    for call in &calls {
        let sent = format!("call {}: intent committed, reference {}", call.n, call.reference);
        lines.push((call.started_at, format!("{sent}, fence {}", call.fence)));
        if let (Some(at), Some(outcome)) = (call.ended_at, &call.outcome) {
            let because = call.evidence.as_deref().map(|e| format!(" ({e})")).unwrap_or_default();
            lines.push((at, format!("call {}: {outcome}{because}", call.n)));
        }
    }
    let mut note = |at: Option<Time>, text: String| lines.extend(at.map(|at| (at, text)));
    let known_as = shipment.carrier_reference.as_deref().unwrap_or("-");
    note(shipment.accepted_at, format!("the carrier has it as {known_as}"));
    for file in &files {
        let text =
            format!("document {} ({}, {} bytes)", file.filename, file.types, file.size_bytes);
        note(Some(file.created_at), text);
    }
    note(shipment.booked_at, "booked: everything is ready".to_owned());
    note(shipment.cancelled_at, "cancelled".to_owned());
    lines.sort_by_key(|(at, _)| *at);
    for (at, text) in lines {
        println!("  {at}  {text}");
    }
    if let Some(failure) = &shipment.failure {
        println!("\n  failure {failure}");
    }
    if let Some((Some(at), fence, note)) = job {
        println!("\n  next look at {at}, fence {fence} {}", note.unwrap_or_default());
    }
    Ok(ExitCode::SUCCESS)
}
