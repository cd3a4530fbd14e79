//! `waybill why SHIPMENT`: the story of one shipment, every step, call, attempt, event and
//! delivery, with times and the requests that asked for them. Names and addresses stay out of it.

mod find;
mod story;

use std::process::ExitCode;

use clap::{Arg, Command};
use waybill_domain::json::{Json, parse};
use waybill_store::Error;
use waybill_store::shipments::Shipment;

use super::{Outcome, open_existing, settings};
use crate::config::Config;
use find::{Found, find};
use story::Story;

/// `waybill why`.
pub fn command() -> Command {
    let shipment = Arg::new("shipment").required(true).value_name("SHIPMENT");
    Command::new("why")
        .about("Tells the story of one shipment")
        .arg(shipment.help("Its UUID, reference or identifier, or the tracking number of a parcel"))
        .args(settings(|name| matches!(name, "database" | "config")))
}

/// Prints what is known about the shipment, or which shipments may be meant.
pub fn why(config: &Config, wanted: &str) -> Outcome {
    let store = open_existing(config)?;
    let text = wanted.to_owned();
    let found = store.blocking_read(move |tx| find(tx, &text));
    let found = found.map_err(|error: Error| error.to_string())?;
    let only = match found.as_slice() {
        [] => return Err(format!("there is no shipment \"{wanted}\", or it was deleted")),
        [only] => only,
        several => {
            println!("{} shipments are called \"{wanted}\": name one by its UUID", several.len());
            several.iter().for_each(print_found);
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (team, id) = (only.team.id, only.shipment.id);
    let story = store.blocking_read(move |tx| Story::read(tx, team, id));
    let story = story.map_err(|error: Error| error.to_string())?;
    let Some(story) = story else { return Err(format!("the shipment {id} was just deleted")) };
    print(&story, only);
    Ok(ExitCode::SUCCESS)
}

fn print_found(found: &Found) {
    let Found { team, shipment } = found;
    let (id, state, at) = (shipment.id, &shipment.state, shipment.created_at);
    println!("  {id}  {at}  {state}  {}  of {}", shipment.service_code, team.domain);
}

fn print(story: &Story, found: &Found) {
    let shipment = &story.shipment;
    println!("shipment {} of team {} ({})", shipment.id, found.team.id, found.team.domain);
    println!("  {} with {}: {}", shipment.state, shipment.service_code, standing(shipment));
    if let Some(reference) = &shipment.reference {
        println!("  reference {reference}");
    }
    if let Some(identifier) = &shipment.identifier {
        println!("  identifier {identifier}");
    }
    println!();
    for (at, text) in story.lines() {
        println!("  {at}  {text}");
    }
    if let Some(failure) = &shipment.failure {
        println!();
        failure_lines(failure).iter().for_each(|line| println!("  {line}"));
    }
    let next = story.next();
    if !next.is_empty() {
        println!("\n  next:");
        next.iter().for_each(|(at, text)| println!("  {at}  {text}"));
    }
}

/// Where its booking is.
fn standing(shipment: &Shipment) -> &'static str {
    use waybill_domain::booking::Step;
    match shipment.step {
        Step::Ready => "the carrier was not asked yet, or has nothing of it",
        Step::Calling => "the carrier is being asked to book it",
        Step::Unknown => "the carrier may have it, and is asked whether it has",
        Step::Accepted => "the carrier has it, and its documents are being made",
        Step::Done => "nothing is under way",
    }
}

/// What the caller was told of a failure, in words.
fn failure_lines(stored: &str) -> Vec<String> {
    let failure = parse(stored.as_bytes()).unwrap_or(Json::Null);
    let text = |json: &Json, name: &str| match json.member(name) {
        Some(Json::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let reason = match text(&failure, "reason").as_deref() {
        Some("rejected") => "the carrier refused it",
        Some("technical") => "something did not work, with the carrier or with us",
        Some("deadline") => "it was not ready in time",
        _ => "for a reason that this version does not know",
    };
    let mut lines = vec![format!("it failed: {reason}")];
    let details = match failure.member("details") {
        Some(Json::List(details)) => details.as_slice(),
        _ => &[],
    };
    for detail in details {
        let path = text(detail, "path").map(|path| format!("{path}: ")).unwrap_or_default();
        let code = text(detail, "carrier_code").map(|code| format!(" (the carrier's code {code})"));
        let message = text(detail, "message").unwrap_or_default();
        lines.push(format!("  {path}{message}{}", code.unwrap_or_default()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_in_words() {
        let stored = r#"{"reason": "rejected", "details": [{"path": "parcels.0.gross_weight",
            "carrier_code": "W7", "message": "Too heavy"}, {"message": "Closed"}]}"#;
        assert_eq!(
            failure_lines(stored),
            [
                "it failed: the carrier refused it",
                "  parcels.0.gross_weight: Too heavy (the carrier's code W7)",
                "  Closed"
            ]
        );
    }
}
