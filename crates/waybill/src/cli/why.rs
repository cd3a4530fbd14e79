//! `waybill why SHIPMENT`: the story of one shipment, every step, call, attempt, event and
//! delivery, with times and the requests that asked for them. Names and addresses stay out of it.

mod find;
mod prints;
mod story;

use std::process::ExitCode;

use clap::{Arg, Command};
use waybill_carriers::booking::Lookup;
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{CarrierUrls, Carriers};
use waybill_domain::booking::{Complaint, Ending, Failure, Note, Said};
use waybill_domain::language::Language;
use waybill_domain::shipment::ShipmentState;
use waybill_outbound::Network;
use waybill_store::shipments::Shipment;

use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::output::escaped;
use super::settings::settings;
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
    let found = store.blocking_read(move |tx| find(tx, &text))?;
    let only = match found.as_slice() {
        [] => return Err(CliError::NoShipment(wanted.to_owned())),
        [only] => only,
        several => {
            println!("{} shipments are called \"{wanted}\": name one by its UUID", several.len());
            several.iter().for_each(print_found);
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (team, id) = (only.team.id, only.shipment.id);
    let story = store.blocking_read(move |tx| Story::read(tx, team, id))?;
    let Some(story) = story else { return Err(CliError::JustDeleted(id)) };
    let carrier = CarrierFacts::of(&story.shipment)?;
    print(&story, only, &carrier);
    Ok(ExitCode::SUCCESS)
}

fn print_found(found: &Found) {
    let Found { team, shipment } = found;
    let (id, state, at) = (shipment.id, &shipment.state, shipment.created_at);
    println!("  {id}  {at}  {state}  {}  of {}", shipment.service_code, team.domain);
}

/// What is known of a carrier without asking it.
struct CarrierFacts {
    name: String,
    can_be_asked: bool,
}

impl CarrierFacts {
    fn of(shipment: &Shipment) -> Result<CarrierFacts, CliError> {
        let network = Network::new()?;
        // Nobody is called, so the addresses do not matter.
        let carriers = Carriers::open(CARRIERS, &network, &CarrierUrls::default())?;
        let name = carriers.catalog().carrier(&shipment.carrier_code).map(|it| it.name.clone());
        let carrier = carriers.get(&shipment.carrier_code);
        let lookup = carrier.map_or(Lookup::Never, |it| it.lookup(&shipment.service_code));
        Ok(CarrierFacts {
            name: name.unwrap_or_else(|| shipment.carrier_code.clone()),
            can_be_asked: lookup != Lookup::Never,
        })
    }
}

fn print(story: &Story, found: &Found, carrier: &CarrierFacts) {
    let shipment = &story.shipment;
    println!("shipment {} of team {} ({})", shipment.id, found.team.id, found.team.domain);
    println!(
        "  {} with {}: {}",
        shipment.state,
        shipment.service_code,
        booking_state(story, carrier)
    );
    if let Some(reference) = &shipment.reference {
        println!("  reference {reference}");
    }
    if let Some(identifier) = &shipment.identifier {
        println!("  identifier {identifier}");
    }
    if let Some(request) = &story.fulfilment {
        println!("  for the fulfilment request {}, which is {}", request.id, request.state);
    }
    println!();
    for (at, text) in story.lines() {
        println!("  {at}  {}", escaped(&text));
    }
    // What was noted while it is being booked is not a failure yet.
    let is_over = matches!(shipment.state, ShipmentState::Failed | ShipmentState::Cancelled);
    if let Some(failure) = shipment.failure.as_ref().filter(|_| is_over) {
        println!();
        let lines = failure_lines(failure, &carrier.name, story.taken());
        lines.iter().for_each(|line| println!("  {}", escaped(line)));
        if shipment.state == ShipmentState::Cancelled {
            println!("  it was cancelled after that");
        }
    }
    let next = story.next();
    if !next.is_empty() {
        println!("\n  next:");
        next.iter().for_each(|(at, text)| println!("  {at}  {}", escaped(text)));
    }
}

/// Where its booking is.
fn booking_state(story: &Story, carrier: &CarrierFacts) -> &'static str {
    use waybill_domain::booking::Step;
    match story.shipment.step {
        Step::Ready => {
            "as far as this database knows, the carrier was not asked yet or has nothing of it"
        }
        _ if story.is_held_back() => {
            "held back after a restore: the lost database may have booked it; \
             compare with the carrier's own list or with `waybill reconcile`, and when the carrier \
             does not have it, note that with `waybill reconcile --not-booked` and book it anew"
        }
        Step::Calling if story.is_looked_at() => "the carrier is being asked to book it",
        Step::Calling | Step::Unknown if !carrier.can_be_asked => {
            "the carrier may have it and cannot be asked: look at the carrier's own list"
        }
        Step::Calling | Step::Unknown if !story.is_looked_at() => {
            "the carrier may have it and is not asked any more: look at the carrier's own list"
        }
        Step::Calling | Step::Unknown => "the carrier may have it, and is asked whether it has",
        Step::Accepted => "the carrier has it, and its documents are being made",
        Step::Done if story.is_being_cancelled() => "the carrier has it, and is asked to cancel it",
        Step::Done if story.shipment.state == ShipmentState::Cancelled => {
            "nothing is booked any more"
        }
        Step::Done if story.is_noted_as_not_booked() => {
            "nothing was booked, as noted with `waybill reconcile --not-booked`"
        }
        Step::Done if story.is_followed() => "its parcels are followed",
        Step::Done => "nothing is under way",
    }
}

/// What failed, and why: the carrier took so many of all parcels.
fn failed(reason: Option<Ending>, (taken, count): (usize, usize)) -> &'static str {
    match reason {
        Some(Ending::Rejected) => "its booking failed: the carrier refused it",
        _ if 0 < taken && taken < count => "its booking failed: the carrier took only a part of it",
        Some(Ending::Deadline) if taken > 0 => {
            "its documents failed: the carrier took the booking, and they were not ready in time"
        }
        _ if taken > 0 => {
            "its documents failed: the carrier took the booking, and they could not be made"
        }
        Some(Ending::Deadline) => "its booking failed: it was not ready in time",
        Some(Ending::Technical | Ending::Booked) | None => {
            "its booking failed: something did not work, with the carrier or with us"
        }
    }
}

/// What the caller was told of a failure, in words.
fn failure_lines(failure: &Failure, carrier: &str, parcels: (usize, usize)) -> Vec<String> {
    let what = match failure.has(Note::Restored) {
        true => "its booking failed: it was held back after a restore",
        false if failure.has(Note::Interrupted) => {
            "its booking failed: the database was restored while the carrier was being asked"
        }
        false => failed(failure.reason, parcels),
    };
    let details = failure.details.iter().map(|detail| match &detail.said {
        Said::ByUs(note) => {
            format!("  {}", note.message().text("carrier", carrier).say(Language::En))
        }
        Said::ByCarrier(Complaint { path, code, message }) => {
            let path = path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
            let code = code.as_ref().map(|code| format!(" (the carrier's code {code})"));
            format!("  {path}{message}{}", code.unwrap_or_default())
        }
    });
    std::iter::once(what.to_owned()).chain(details).collect()
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    #[test]
    fn a_failure_is_told_in_words() {
        let failure_lines = |text: &str, carrier, parcels| {
            let stored = parse(text.as_bytes()).unwrap();
            failure_lines(&Failure::stored(&stored).unwrap(), carrier, parcels)
        };
        let stored = r#"{"reason": "rejected", "details": [{"path": "parcels.0.gross_weight",
            "carrier_code": "W7", "message": "Too heavy"}, {"message": "Closed"}]}"#;
        assert_eq!(
            failure_lines(stored, "Sandbox", (0, 1)),
            [
                "its booking failed: the carrier refused it",
                "  parcels.0.gross_weight: Too heavy (the carrier's code W7)",
                "  Closed"
            ]
        );
        let noted = r#"{"reason": "deadline", "details": [{"key": "note-not-sent"}]}"#;
        assert_eq!(
            failure_lines(noted, "Sandbox", (0, 1)),
            ["its booking failed: it was not ready in time", "  It could not be sent to Sandbox."]
        );
        for (parcels, what) in [((2, 2), "its documents failed"), ((1, 2), "took only a part")] {
            assert!(failure_lines(noted, "Sandbox", parcels)[0].contains(what), "{what}");
        }
        let held = r#"{"reason": "deadline", "details": [{"key": "note-restored"}]}"#;
        assert_eq!(
            failure_lines(held, "S", (0, 1))[0],
            "its booking failed: it was held back after a restore"
        );
    }
}
