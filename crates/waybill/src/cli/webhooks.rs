//! `waybill webhooks tail --team TEAM`: attempts to deliver, printed as they are made.

use std::collections::HashSet;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::language::Language;
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_outbound::Failure;
use waybill_store::deliveries::{self, AttemptDetails};
use waybill_store::{Store, teams};

use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::settings::{config, settings};

/// How often the database is asked.
const LOOK: Duration = Duration::from_millis(500);
/// Servers that share a database number their attempts by clocks of their own, and what is written
/// last is not always numbered last: this far back is looked again.
const OVERLAP: Duration = Duration::from_secs(10);
const READ_MAX: i64 = 1000;

/// `waybill webhooks`.
pub fn command() -> Command {
    let tail = Command::new("tail")
        .about("Prints attempts to deliver as they are made, until it is stopped")
        .arg(
            Arg::new("team")
                .long("team")
                .required(true)
                .value_name("TEAM")
                .help("The team's domain or UUID"),
        )
        .args(settings(|name| matches!(name, "database" | "config")));
    Command::new("webhooks")
        .about("Watches deliveries to webhooks")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(tail)
}

/// Runs `waybill webhooks …`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let Some(("tail", matches)) = matches.subcommand() else {
        return Err(CliError::NothingToWatch);
    };
    let config = config(matches)?;
    let wanted = matches.get_one::<String>("team").cloned().unwrap_or_default();
    let store = open_existing(&config)?;
    let team = find_team(&store, &wanted)?;
    tail(&store, team, &SystemClock::start())
}

/// The team with this domain or UUID.
pub fn find_team(store: &Store, wanted: &str) -> Result<TeamId, CliError> {
    let all = store.blocking_read(teams::any_list)?;
    let found = all.iter().find(|team| team.domain == wanted || team.id.to_string() == wanted);
    found.map(|team| team.id).ok_or_else(|| CliError::NoTeam(wanted.to_owned()))
}

fn tail(store: &Store, team: TeamId, clock: &dyn Clock) -> Outcome {
    let mut printed = HashSet::new();
    loop {
        let after = first_id(clock.now().minus(OVERLAP));
        let read =
            move |tx: &mut waybill_store::Tx<'_>| deliveries::list_tried(tx, team, after, READ_MAX);
        let tried = store.blocking_read(read)?;
        printed.retain(|id| *id > after);
        for one in tried.iter().filter(|one| printed.insert(one.attempt.id)) {
            println!("{}", line(one));
        }
        std::thread::sleep(LOOK);
    }
}

/// The lowest id of this moment.
fn first_id(at: Time) -> Uuid {
    let millis = at.0.max(0).unsigned_abs() / 1000;
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

/// One attempt, for people.
pub fn line(tried: &AttemptDetails) -> String {
    let AttemptDetails { attempt, url, kind, delivery, .. } = tried;
    let outcome = match (attempt.status, attempt.error.as_deref()) {
        (Some(status), _) => status.to_string(),
        (None, Some(error)) => Failure::explain(error)
            .map_or_else(|| error.to_owned(), |message| message.say(Language::En)),
        (None, None) => "-".to_owned(),
    };
    let millis = attempt.latency_micros / 1000;
    format!("{}  {kind}  {url}  {outcome}  {millis} ms  delivery {delivery}", attempt.attempted_at)
}
