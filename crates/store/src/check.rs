//! The invariants as queries. On a healthy database every rule finds nothing; tests, crash runs,
//! the sweep in production and `waybill check` all run the same ones.

mod batches;
mod deletion;
mod events;
mod integrity;
mod jobs;
mod oauth;
mod printing;
mod rule;
mod tracking;
mod wms;

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::time::Time;

use crate::{Result, Tx};

pub use integrity::{Integrity, check_integrity};
pub use jobs::{DUE_TOO_LATE, mend_jobs};
pub use rule::Violation;
use rule::{Age, CHUNK, Rule};

const RULES: &[Rule] = &[
    Rule {
        name: "a member's team exists",
        sql: "SELECT role, user_id FROM member
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = member.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a member's user exists",
        sql: "SELECT role, user_id FROM member
               WHERE NOT EXISTS (SELECT 1 FROM app_user WHERE id = member.user_id) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a token's user exists",
        sql: "SELECT name, id FROM token
               WHERE NOT EXISTS (SELECT 1 FROM app_user WHERE id = token.user_id) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a token that is bound to a team is a member's",
        sql: "SELECT name, id FROM token
               WHERE team IS NOT NULL AND revoked_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM member
                                  WHERE member.team = token.team
                                    AND member.user_id = token.user_id) LIMIT 100",
        age: None,
    },
    Rule {
        name: "an invitation's team exists",
        sql: "SELECT role, id FROM invitation
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = invitation.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a template's team exists",
        sql: "SELECT 'template', id FROM shipment_template
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = shipment_template.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a job's team exists",
        sql: "SELECT kind, subject FROM job
               WHERE team IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM team WHERE id = job.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a job is asked for again only while it is leased",
        sql: "SELECT kind, subject FROM job WHERE wanted_at IS NOT NULL AND due_at IS NULL
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "no job is stuck",
        sql: "SELECT kind, subject FROM job WHERE run_at < $1 ORDER BY run_at LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(5))),
    },
    Rule {
        name: "an idempotency key's team exists",
        sql: "SELECT key, team FROM idempotency
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = idempotency.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "an accepted idempotency key is bound to what it made",
        sql: "SELECT key, team FROM idempotency
               WHERE resource IS NULL AND accepted_at < $1 LIMIT 100",
        age: Some(Age::Broken(Duration::from_mins(1))),
    },
    Rule {
        name: "an event's team exists",
        sql: "SELECT kind, id FROM event
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = event.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "an audit line's team exists",
        sql: "SELECT action, id FROM audit
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = audit.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a document's team exists",
        sql: "SELECT name, id FROM document
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = document.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a rate limit's team exists",
        sql: "SELECT bucket, team FROM rate_limit
               WHERE NOT EXISTS (SELECT 1 FROM team WHERE id = rate_limit.team) LIMIT 100",
        age: None,
    },
    Rule {
        name: "what a carrier has was accepted in one of our calls",
        sql: "SELECT state, id FROM shipment WHERE carrier_reference IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM carrier_call
                                  WHERE carrier_call.team = shipment.team
                                    AND carrier_call.shipment = shipment.id
                                    AND outcome = 'accepted') LIMIT 100",
        age: None,
    },
    Rule {
        name: "a call that a carrier accepted is known to its shipment",
        sql: "SELECT 'call', shipment FROM carrier_call WHERE outcome = 'accepted'
                 AND EXISTS (SELECT 1 FROM shipment
                              WHERE shipment.team = carrier_call.team
                                AND shipment.id = carrier_call.shipment
                                AND carrier_reference IS NULL) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a booked shipment has its label",
        sql: "SELECT state, id FROM shipment WHERE state = 'booked'
                 AND NOT EXISTS (SELECT 1 FROM document
                                  WHERE document.team = shipment.team
                                    AND source_type = 'shipment'
                                    AND source = shipment.id) LIMIT 100",
        age: None,
    },
    Rule {
        name: "a shipment that is being booked has a job",
        sql: "SELECT step, id FROM shipment WHERE state = 'processing'
                 AND NOT EXISTS (SELECT 1 FROM job WHERE kind IN ('book', 'book-member')
                                    AND subject = shipment.id
                                    AND run_at IS NOT NULL) LIMIT 100",
        age: None,
    },
    Rule {
        name: "the caller is told by the deadline",
        sql: "SELECT step, id FROM shipment
               WHERE state = 'processing' AND ending IS NULL AND deadline_at < $1 LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(2))),
    },
    Rule {
        name: "documents that are tried again come to an end",
        sql: "SELECT step, id FROM shipment
               WHERE state = 'processing' AND ending IS NOT NULL AND updated_at < $1 LIMIT 100",
        age: Some(Age::Late(Duration::from_mins(5))),
    },
    Rule {
        name: "what is cancelled after it was begun was the carrier's",
        sql: "SELECT step, id FROM shipment
               WHERE state = 'cancelled' AND (step <> 'done'
                  OR (ending IS NOT NULL) <> (carrier_reference IS NOT NULL)) LIMIT 100",
        age: None,
    },
];

const SETTINGS_PARSE: &str = "a team's settings are JSON";
const TEMPLATES_PARSE: &str = "a template's shipment is JSON";

/// Everything that should not be, at most a hundred rows of each rule.
pub fn check(tx: &mut Tx<'_>, now: Time) -> Result<Vec<Violation>> {
    let mut violations = run(tx, now, rules())?;
    violations.extend(jobs::due_too_late(tx, now)?);
    check_settings(tx, &mut violations)?;
    check_templates(tx, &mut violations)?;
    tracking::check_folds(tx, &mut violations)?;
    Ok(violations)
}

/// The rules about what has waited too long: cheap enough to run every minute.
pub fn check_recent(tx: &mut Tx<'_>, now: Time) -> Result<Vec<Violation>> {
    let cheap = rules().filter(|rule| rule.age.is_some_and(Age::is_cheap));
    let mut violations = run(tx, now, cheap)?;
    violations.extend(jobs::due_too_late(tx, now)?);
    Ok(violations)
}

fn rules() -> impl Iterator<Item = &'static Rule> {
    let more = events::RULES.iter().chain(batches::RULES);
    let more = more.chain(tracking::RULES).chain(printing::RULES).chain(oauth::RULES);
    let more = more.chain(deletion::RULES).chain(wms::RULES);
    RULES.iter().chain(more)
}

fn run<'a>(
    tx: &mut Tx<'_>,
    now: Time,
    rules: impl Iterator<Item = &'a Rule>,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for rule in rules {
        let found: Vec<(String, Uuid)> = match rule.age {
            None => tx.all(rule.sql, &[])?,
            Some(age) => tx.all(rule.sql, &[now.minus(age.duration()).into()])?,
        };
        let is_late = rule.age.is_some_and(Age::is_late);
        violations.extend(found.into_iter().map(|(word, id)| Violation {
            is_late,
            ..Violation::new(rule.name, format!("{word} {id}"))
        }));
    }
    Ok(violations)
}

/// JSON is opaque to SQL, so it is read here, in chunks that fit in memory.
fn check_settings(tx: &mut Tx<'_>, violations: &mut Vec<Violation>) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let rows: Vec<(Uuid, String)> = tx.all(
            "SELECT id, settings FROM team WHERE id > $1 ORDER BY id LIMIT $2",
            &[after.into(), CHUNK.into()],
        )?;
        let Some((last, _)) = rows.last() else { return Ok(()) };
        after = *last;
        for (id, _) in rows.iter().filter(|(_, text)| !is_json(text)) {
            violations.push(Violation::new(SETTINGS_PARSE, format!("team {id}")));
        }
    }
}

fn check_templates(tx: &mut Tx<'_>, violations: &mut Vec<Violation>) -> Result<()> {
    let mut after = (Uuid::nil(), Uuid::nil());
    loop {
        let rows: Vec<(Uuid, Uuid, String)> = tx.all(
            "SELECT team, id, shipment FROM shipment_template
              WHERE (team, id) > ($1, $2) ORDER BY team, id LIMIT $3",
            &[after.0.into(), after.1.into(), CHUNK.into()],
        )?;
        let Some((team, last, _)) = rows.last() else { return Ok(()) };
        after = (*team, *last);
        for (_, id, _) in rows.iter().filter(|(_, _, text)| !is_json(text)) {
            violations.push(Violation::new(TEMPLATES_PARSE, format!("template {id}")));
        }
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}
