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

/// A mistake, the rule that it must be found by, and where it is made.
struct Bug {
    name: &'static str,
    rule: &'static str,
    at: Kind,
}

/// The mistakes.
const BUGS: [Bug; 7] = [
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
        at: Kind::awkward(Access::Killed, "ids,slow=200ms", 100),
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
];

/// The printer on which a mistake is noticed; all of them when nobody knows it.
pub fn kinds_for(bug: &str) -> Vec<Kind> {
    let found = BUGS.iter().find(|known| known.name == bug);
    found.map_or_else(|| super::KINDS.to_vec(), |bug| vec![bug.at])
}

/// Makes each mistake in turn.
pub fn run_all(server: &Path, database: &Database) -> Result<(), Failure> {
    let mut missed = 0;
    for bug in &BUGS {
        let run = Prints {
            kinds: vec![bug.at],
            bug: Some(bug.name.to_owned()),
            kill_interval_max_ms: KILL_INTERVAL_MAX_MS,
            ..Prints::usual(KILLS, server.to_owned(), database.clone())
        };
        let findings = run.run()?;
        let is_caught = findings.outcome.violations.of(bug.rule) > 0;
        missed += usize::from(!is_caught);
        println!("{} {}: {findings}", if is_caught { "caught" } else { "MISSED" }, bug.name);
    }
    println!("{} of {} planted bugs of printing caught", BUGS.len() - missed, BUGS.len());
    if missed == 0 { Ok(()) } else { Err("a planted bug was missed".into()) }
}
