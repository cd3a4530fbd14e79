//! Alarms: a kind, a subject and a time. What is due is leased to one worker at a time, and a
//! worker whose lease another took over changes nothing, because the fence has moved.
//!
//! `run_at` is the due time and, while leased, the end of the lease: a worker that dies is
//! followed by the next claim with no other repair. `due_at` is set exactly while leased.
//!
//! An alarm set during a lease must neither shorten the lease, which would start a second worker,
//! nor be lost, because the worker may have read the subject before it changed. It waits in
//! `wanted_at` until the worker ends its lease with [`finish`] or [`retry_at`]. When the worker
//! dies instead, the next claim starts after the alarm was set and so answers it.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;

use crate::value::{Cell, Column};
use crate::{FromRow, Param, Result, Row, Tx};

/// A job that is leased to the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// What is to be done.
    pub kind: JobKind,
    /// With what.
    pub subject: Uuid,
    /// For whom; none for work of the installation itself.
    pub team: Option<TeamId>,
    /// Which lease this is. Each has a number of its own, also when the job was done and came again
    /// in between: the time of the claim in microseconds, or one more than the last.
    pub fence: i64,
    /// How often it was claimed since it was last finished, this time included.
    pub attempt: i64,
    /// When it was due.
    pub due_at: Time,
    /// The request for which it runs, when that was noted.
    pub request_id: Option<String>,
}

impl Column for JobKind {
    fn from_cell(cell: Cell<'_>) -> Option<JobKind> {
        match cell {
            Cell::Text(text) => JobKind::parse(text),
            _ => None,
        }
    }
}

impl From<JobKind> for Param<'_> {
    fn from(kind: JobKind) -> Self {
        kind.name().into()
    }
}

impl FromRow for Claimed {
    fn from_row(row: &mut Row<'_>) -> Result<Claimed> {
        Ok(Claimed {
            kind: row.next()?,
            subject: row.next()?,
            team: row.next()?,
            fence: row.next()?,
            attempt: row.next()?,
            due_at: row.next()?,
            request_id: row.next()?,
        })
    }
}

/// Sets the alarm, or brings it forward. It never puts one off, and never disturbs a lease.
pub fn schedule(
    tx: &mut Tx<'_>,
    kind: JobKind,
    subject: Uuid,
    team: Option<TeamId>,
    run_at: Time,
) -> Result<()> {
    tx.exec_later(
        "INSERT INTO job (kind, subject, team, run_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (kind, subject) DO UPDATE SET
           run_at = CASE WHEN job.due_at IS NULL AND (job.run_at IS NULL OR job.run_at > $4)
                         THEN $4 ELSE job.run_at END,
           wanted_at = CASE WHEN job.due_at IS NULL THEN NULL
                            WHEN job.wanted_at < $4 THEN job.wanted_at ELSE $4 END",
        &[kind.into(), subject.into(), team.into(), run_at.into()],
    )?;
    Ok(())
}

/// Makes all jobs of the team due now, and once more when they are leased: what they are for has
/// changed.
pub fn look_again(tx: &mut Tx<'_>, team: TeamId, now: Time) -> Result<u64> {
    let now = tx.now(now)?;
    tx.exec(
        "UPDATE job SET run_at = CASE WHEN due_at IS NULL THEN $2 ELSE run_at END,
                wanted_at = CASE WHEN due_at IS NULL THEN NULL ELSE $2 END
          WHERE team = $1 AND run_at IS NOT NULL",
        &[team.into(), now.into()],
    )
}

/// Makes a job due now, also one that is leased: whoever had it is gone, or must not go on.
pub fn take_back(tx: &mut Tx<'_>, kind: JobKind, subject: Uuid, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE job SET run_at = $3, due_at = NULL, wanted_at = NULL, fence = fence + 1
          WHERE kind = $1 AND subject = $2 AND run_at > $3",
        &[kind.into(), subject.into(), now.into()],
    )?;
    Ok(())
}

/// Leases one job to the caller, due or not, so that nobody needs to find it first; it is added
/// when it is not there. None while another has it.
pub fn claim_one(
    tx: &mut Tx<'_>,
    kind: JobKind,
    subject: Uuid,
    team: Option<TeamId>,
    now: Time,
    lease: Duration,
) -> Result<Option<Claimed>> {
    let until = now.plus(lease);
    let added = tx.exec_one(
        "INSERT INTO job (kind, subject, team, run_at, due_at, fence, attempt)
         VALUES ($1, $2, $3, $4, $5, $5, 1)
         ON CONFLICT (kind, subject) DO NOTHING",
        &[kind.into(), subject.into(), team.into(), until.into(), now.into()],
    )?;
    if added == 1 {
        let (fence, attempt, due_at, request_id) = (now.0, 1, now, None);
        return Ok(Some(Claimed { kind, subject, team, fence, attempt, due_at, request_id }));
    }
    tx.one(
        "UPDATE job SET run_at = $3, due_at = $4, attempt = attempt + 1,
                        fence = CASE WHEN fence < $4 THEN $4 ELSE fence + 1 END
          WHERE kind = $1 AND subject = $2 AND (due_at IS NULL OR run_at <= $4)
         RETURNING kind, subject, team, fence, attempt, due_at, request_id",
        &[kind.into(), subject.into(), until.into(), now.into()],
    )
}

/// Leases up to `limit` due jobs of these kinds. The longest due come first. Concurrent claims
/// never get the same job, and kinds of a newer release are left to it.
pub fn claim(
    tx: &mut Tx<'_>,
    kinds: &[JobKind],
    now: Time,
    lease: Duration,
    limit: i64,
) -> Result<Vec<Claimed>> {
    let kinds = among(kinds);
    let mut claimed: Vec<Claimed> = tx.all(
        "WITH due AS MATERIALIZED (
             SELECT kind, subject FROM job
              WHERE run_at <= $1
                AND replace(CAST($4 AS TEXT), ' ' || kind || ' ', '') <> CAST($4 AS TEXT)
              ORDER BY run_at, subject LIMIT $3 FOR UPDATE SKIP LOCKED)
         UPDATE job SET
                fence = CASE WHEN fence < $1 THEN $1 ELSE fence + 1 END,
                attempt = attempt + 1, due_at = run_at, run_at = $2,
                wanted_at = CASE WHEN wanted_at > $1 THEN wanted_at ELSE NULL END
           FROM due WHERE job.kind = due.kind AND job.subject = due.subject
         RETURNING job.kind, job.subject, team, fence, attempt, due_at, request_id",
        &[now.into(), now.plus(lease).into(), limit.into(), kinds],
    )?;
    claimed.sort_by_key(|job| (job.due_at, job.subject));
    Ok(claimed)
}

/// The subset has no arrays: the kinds travel as one text, and a kind is among them when taking it
/// out changes the text.
pub(crate) fn among(kinds: &[JobKind]) -> Param<'static> {
    kinds.iter().map(|kind| format!(" {kind} ")).collect::<String>().into()
}

/// The teams for which a job of this kind is due, the one that has waited longest first.
pub fn any_waiting_teams(tx: &mut Tx<'_>, kind: JobKind, now: Time) -> Result<Vec<TeamId>> {
    tx.all(
        "SELECT team FROM job WHERE run_at <= $1 AND kind = $2 AND team IS NOT NULL
          GROUP BY team ORDER BY min(run_at), team",
        &[now.into(), kind.into()],
    )
}

/// Leases the team's job of this kind that has been due the longest.
pub fn claim_of(
    tx: &mut Tx<'_>,
    kind: JobKind,
    team: TeamId,
    now: Time,
    lease: Duration,
) -> Result<Option<Claimed>> {
    tx.one(
        "WITH due AS MATERIALIZED (
             SELECT kind, subject FROM job WHERE run_at <= $1 AND kind = $3 AND team = $4
              ORDER BY run_at, subject LIMIT 1 FOR UPDATE SKIP LOCKED)
         UPDATE job SET
                fence = CASE WHEN fence < $1 THEN $1 ELSE fence + 1 END,
                attempt = attempt + 1, due_at = run_at, run_at = $2,
                wanted_at = CASE WHEN wanted_at > $1 THEN wanted_at ELSE NULL END
           FROM due WHERE job.kind = due.kind AND job.subject = due.subject
         RETURNING job.kind, job.subject, team, fence, attempt, due_at, request_id",
        &[now.into(), now.plus(lease).into(), kind.into(), team.into()],
    )
}

/// Prolongs the lease, unless it lasts for longer than `enough` anyway: then no index hears of it.
/// False when another worker has the job or the lease was ended.
pub fn renew(tx: &mut Tx<'_>, claimed: &Claimed, enough: Time, until: Time) -> Result<bool> {
    let rows = tx.exec_one(
        "UPDATE job SET run_at = CASE WHEN run_at > $5 THEN run_at ELSE $4 END
          WHERE kind = $1 AND subject = $2 AND fence = $3 AND due_at IS NOT NULL",
        &[
            claimed.kind.into(),
            claimed.subject.into(),
            claimed.fence.into(),
            until.into(),
            enough.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Ends the lease: the job is gone until it is scheduled again, or runs at the time for which it
/// was scheduled meanwhile. False when another worker has the job or the lease was ended.
pub fn finish(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<bool> {
    let lease = [claimed.kind.into(), claimed.subject.into(), claimed.fence.into()];
    let deleted = tx.exec_one(
        "DELETE FROM job WHERE kind = $1 AND subject = $2 AND fence = $3
            AND due_at IS NOT NULL AND wanted_at IS NULL",
        &lease,
    )?;
    if deleted == 1 {
        return Ok(true);
    }
    let again = tx.exec(
        "UPDATE job SET run_at = wanted_at, wanted_at = NULL, due_at = NULL, attempt = 0,
                        note = NULL
          WHERE kind = $1 AND subject = $2 AND fence = $3 AND due_at IS NOT NULL",
        &lease,
    )?;
    Ok(again == 1)
}

/// Ends the lease and waits until then, or less long if it was scheduled for earlier meanwhile.
/// That counts as no attempt. False when another worker has the job or the lease was ended.
pub fn wait_until(tx: &mut Tx<'_>, claimed: &Claimed, at: Time) -> Result<bool> {
    wait_noted(tx, claimed, at, None)
}

/// The same, with a note of what is waited for.
pub fn wait_noted(
    tx: &mut Tx<'_>,
    claimed: &Claimed,
    at: Time,
    note: Option<&str>,
) -> Result<bool> {
    let rows = tx.exec_one(
        "UPDATE job SET run_at = CASE WHEN wanted_at < $4 THEN wanted_at ELSE $4 END,
                        wanted_at = NULL, due_at = NULL, attempt = 0, note = $5
          WHERE kind = $1 AND subject = $2 AND fence = $3 AND due_at IS NOT NULL",
        &[
            claimed.kind.into(),
            claimed.subject.into(),
            claimed.fence.into(),
            at.into(),
            note.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Ends the lease of an attempt that failed and sets the next, earlier if it was scheduled for
/// earlier meanwhile. False when another worker has the job or the lease was ended.
pub fn retry_at(tx: &mut Tx<'_>, claimed: &Claimed, at: Time, note: &str) -> Result<bool> {
    let rows = tx.exec_one(
        "UPDATE job SET run_at = CASE WHEN wanted_at < $4 THEN wanted_at ELSE $4 END,
                        wanted_at = NULL, due_at = NULL, note = $5
          WHERE kind = $1 AND subject = $2 AND fence = $3 AND due_at IS NOT NULL",
        &[
            claimed.kind.into(),
            claimed.subject.into(),
            claimed.fence.into(),
            at.into(),
            note.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Ends all leases: for a start on a database that nobody else can have, where every holder of a
/// lease is dead. Tells how many there were.
pub fn any_release_all(tx: &mut Tx<'_>, now: Time) -> Result<u64> {
    tx.exec("UPDATE job SET run_at = $1 WHERE due_at IS NOT NULL AND run_at > $1", &[now.into()])
}

/// Notes for which request a job runs. It is forgotten when the job is done.
pub fn set_request(tx: &mut Tx<'_>, kind: JobKind, subject: Uuid, request_id: &str) -> Result<()> {
    tx.exec(
        "UPDATE job SET request_id = $3 WHERE kind = $1 AND subject = $2",
        &[kind.into(), subject.into(), request_id.into()],
    )?;
    Ok(())
}

/// A job that has an alarm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// When it is due, or when the lease of its worker ends.
    pub run_at: Time,
    /// Whether a worker has it.
    pub is_leased: bool,
    /// The request for which it runs, when that was noted.
    pub request_id: Option<String>,
    /// What is waited for, or what went wrong the last time.
    pub note: Option<String>,
}

impl FromRow for Alarm {
    fn from_row(row: &mut Row<'_>) -> Result<Alarm> {
        Ok(Alarm {
            run_at: row.next()?,
            is_leased: row.next()?,
            request_id: row.next()?,
            note: row.next()?,
        })
    }
}

/// The alarm of a job, when it has one.
pub fn find_alarm(tx: &mut Tx<'_>, kind: JobKind, subject: Uuid) -> Result<Option<Alarm>> {
    tx.one(
        "SELECT run_at, due_at IS NOT NULL, request_id, note FROM job
          WHERE kind = $1 AND subject = $2 AND run_at IS NOT NULL",
        &[kind.into(), subject.into()],
    )
}

/// When a job is due, its fence, and what was noted about it.
pub type JobStatus = (Option<Time>, i64, Option<String>);

/// How it stands with a job.
pub fn find(tx: &mut Tx<'_>, kind: JobKind, subject: Uuid) -> Result<Option<JobStatus>> {
    tx.one(
        "SELECT run_at, fence, note FROM job WHERE kind = $1 AND subject = $2",
        &[kind.into(), subject.into()],
    )
}

/// When the next job of these kinds is due or its lease ends.
pub fn any_next_due(tx: &mut Tx<'_>, kinds: &[JobKind]) -> Result<Option<Time>> {
    tx.one(
        "SELECT run_at FROM job
          WHERE run_at IS NOT NULL
            AND replace(CAST($1 AS TEXT), ' ' || kind || ' ', '') <> CAST($1 AS TEXT)
          ORDER BY run_at LIMIT 1",
        &[among(kinds)],
    )
}

/// How many jobs have been due, or left by their worker, since before this time.
pub fn any_overdue(tx: &mut Tx<'_>, before: Time) -> Result<i64> {
    let count = tx.one("SELECT count(*) FROM job WHERE run_at < $1", &[before.into()])?;
    Ok(count.unwrap_or(0))
}

/// Whether bookings have waited since before this time, and so has the check, which every worker
/// sees to: there is no worker.
pub fn any_has_no_worker(tx: &mut Tx<'_>, before: Time) -> Result<bool> {
    let found: Option<i64> = tx.one(
        "SELECT CAST(1 AS BIGINT) FROM job
          WHERE kind IN ('book', 'book-member') AND run_at < $1
            AND NOT EXISTS (SELECT 1 FROM job WHERE kind = $2 AND run_at >= $1)
          LIMIT 1",
        &[before.into(), JobKind::Check.into()],
    )?;
    Ok(found.is_some())
}
