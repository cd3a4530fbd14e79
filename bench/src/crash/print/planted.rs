//! Shows that the runs find what they are for: each known mistake is made, and must be noticed as
//! what it is, on a printer that brings it to light.

use std::path::Path;

use super::Prints;
use super::printers::{Access, Kind};
use crate::crash::Failure;
use crate::crash::site::Database;

/// Enough to notice, within a minute each.
const KILLS: usize = 25;
/// A longer time between two kills leaves time to do what is wrong.
const KILL_INTERVAL_MAX_MS: u64 = 800;
/// Every other kill is that of the printers, so that their numbers begin anew while they are few.
const PRINTERS_EVERY: u64 = 2;

/// A mistake, the rule that it must be found by, and where it is made.
struct Bug {
    name: &'static str,
    rule: &'static str,
    at: Kind,
}

/// The mistakes.
const BUGS: [Bug; 8] = [
    Bug {
        name: "no-print-intent",
        rule: "left empty",
        at: Kind::awkward(Access::Steady, "lose-create", 150),
    },
    Bug {
        name: "print-blind-retry",
        rule: "twice",
        at: Kind::awkward(Access::Steady, "lose-send", 150),
    },
    Bug {
        name: "print-resend",
        rule: "twice",
        at: Kind::awkward(Access::Steady, "lose-send,twice,slow=8s", 1500),
    },
    Bug {
        name: "print-no-name-check",
        rule: "not printed",
        at: Kind::awkward(Access::Killed, "ids,slow=500ms", 60),
    },
    Bug {
        name: "print-status-alone",
        rule: "not printed",
        at: Kind::awkward(Access::Steady, "abort", 150),
    },
    Bug {
        name: "print-half",
        rule: "not printed",
        at: Kind::awkward(Access::Unsteady, "half", 100),
    },
    Bug {
        name: "print-orphan",
        rule: "left empty",
        at: Kind::awkward(Access::Steady, "lose-create", 150),
    },
    Bug {
        name: "agent-print-before-taken",
        rule: "printed though failed",
        at: Kind::awkward(Access::Agent, "", 60),
    },
];

/// A run that makes this mistake, on the printer on which it is noticed; on all of them when it is
/// not one of these.
pub fn mistaken(usual: Prints, name: String) -> Prints {
    let found = BUGS.iter().find(|bug| bug.name == name);
    let kinds = found.map_or_else(|| usual.kinds.clone(), |bug| vec![bug.at]);
    Prints {
        kinds,
        bug: Some(name),
        kill_interval_max_ms: KILL_INTERVAL_MAX_MS,
        printers_every: PRINTERS_EVERY,
        ..usual
    }
}

/// Makes each mistake in turn.
pub fn run_all(server: &Path, database: &Database) -> Result<(), Failure> {
    let mut missed = 0;
    for bug in &BUGS {
        let usual = Prints::usual(KILLS, server.to_owned(), database.clone());
        let run = mistaken(usual, bug.name.to_owned());
        let findings = run.run()?;
        let is_caught = findings.outcome.violations.of(bug.rule) > 0;
        missed += usize::from(!is_caught);
        println!("{} {}: {findings}", if is_caught { "caught" } else { "MISSED" }, bug.name);
    }
    println!("{} of {} planted bugs of printing caught", BUGS.len() - missed, BUGS.len());
    if missed == 0 { Ok(()) } else { Err("a planted bug was missed".into()) }
}
