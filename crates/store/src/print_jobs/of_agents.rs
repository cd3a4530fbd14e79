//! Jobs for printers that an agent has: those that are offered to it, and those that it holds.

use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::time::Time;

use super::{PrintJob, select};
use crate::{Result, Tx};

/// The oldest jobs that an agent is offered: pending ones of printers that take jobs. What expires
/// first was made first.
pub fn list_offered(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    now: Time,
    limit: i64,
) -> Result<Vec<PrintJob>> {
    tx.all(
        select!(
            "WHERE team = $1 AND agent = $2 AND step = 'ready'
               AND expires_at > $3
               AND EXISTS (SELECT 1 FROM printer
                            WHERE printer.team = print_job.team AND printer.id = print_job.printer
                              AND printer.reported_online = $4 AND printer.deleted_at IS NULL)
             ORDER BY expires_at, id LIMIT $5"
        ),
        &[team.into(), agent.into(), now.into(), true.into(), limit.into()],
    )
}

/// The jobs that an agent holds and that are not over.
pub fn list_held(tx: &mut Tx<'_>, team: TeamId, agent: PrintAgentId) -> Result<Vec<PrintJob>> {
    tx.all(
        select!(
            "WHERE team = $1 AND agent = $2 AND step = 'watching'
             ORDER BY id"
        ),
        &[team.into(), agent.into()],
    )
}

/// Jobs that waited for an agent for too long.
pub fn list_expired(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    now: Time,
    limit: i64,
) -> Result<Vec<PrintJob>> {
    tx.all(
        select!(
            "WHERE team = $1 AND agent = $2 AND step = 'ready'
               AND expires_at <= $3
             ORDER BY expires_at LIMIT $4"
        ),
        &[team.into(), agent.into(), now.into(), limit.into()],
    )
}

/// When the next job that waits for an agent has waited for too long.
pub fn next_expiry(tx: &mut Tx<'_>, team: TeamId, agent: PrintAgentId) -> Result<Option<Time>> {
    tx.one(
        "SELECT expires_at FROM print_job
          WHERE team = $1 AND agent = $2 AND step = 'ready'
          ORDER BY expires_at LIMIT 1",
        &[team.into(), agent.into()],
    )
}
