//! Alarms that lie further in the future than their kind ever sets one. A clock that was ahead has
//! set them, and without repair the work would rest until the time has caught up.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::booking::{BOOKING_TIME_MAX, GIVE_UP_AFTER};
use waybill_domain::ids::TeamId;
use waybill_domain::job::{JobKind, WAIT_LONG, WAIT_SHORT};
use waybill_domain::time::Time;

use super::rule::Violation;
use crate::jobs::among;
use crate::{Param, Result, Tx};

/// The rule that such alarms break.
pub const DUE_TOO_LATE: &str = "no job is due later than its kind allows";

/// Jobs beyond `$1` that are leased or look again soon, and others beyond `$2`. Kinds of a newer
/// release are not checked.
macro_rules! beyond {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " WHERE run_at > $1
                AND (due_at IS NOT NULL
                     OR replace(CAST($3 AS TEXT), ' ' || kind || ' ', '') <> CAST($3 AS TEXT)
                     OR (run_at > $2 AND
                         replace(CAST($4 AS TEXT), ' ' || kind || ' ', '') <> CAST($4 AS TEXT)))",
            $after
        )
    };
}

fn bounds<'a>(now: Time) -> [Param<'a>; 4] {
    let (long, short): (Vec<JobKind>, Vec<JobKind>) =
        JobKind::ALL.iter().partition(|kind| kind.wait_max() == WAIT_LONG);
    let at = |wait| Param::from(now.plus(wait));
    [at(WAIT_SHORT), at(WAIT_LONG), among(&short), among(&long)]
}

pub(super) fn due_too_late(tx: &mut Tx<'_>, now: Time) -> Result<Vec<Violation>> {
    let sql = beyond!("SELECT kind, subject FROM job", " ORDER BY run_at LIMIT 100");
    let found: Vec<(String, Uuid)> = tx.all(sql, &bounds(now))?;
    let violation = |(kind, id)| Violation::new(DUE_TOO_LATE, format!("{kind} {id}"));
    Ok(found.into_iter().map(violation).collect())
}

/// Brings such alarms forward to now, and leases to the end of a new one, and tells how many there
/// were. What a job has to send or to ask was put off by the same clock and is due now, too, and
/// a booking has the time that it would have if it began now.
pub fn mend_jobs(tx: &mut Tx<'_>, now: Time, lease: Duration) -> Result<usize> {
    let due = tx.now(now)?;
    let [short, long, short_kinds, long_kinds] = bounds(due);
    let sql = beyond!(
        "UPDATE job SET run_at = CASE WHEN due_at IS NULL THEN CAST($5 AS BIGINT)
                                 ELSE CAST($6 AS BIGINT) END",
        " RETURNING kind, subject, team"
    );
    let times = [due.into(), due.plus(lease).into()];
    let mended: Vec<(String, Uuid, Option<TeamId>)> =
        tx.all(sql, &[[short, long, short_kinds, long_kinds].as_slice(), &times].concat())?;
    for (kind, subject, team) in &mended {
        // Leases of a newer release's kinds are mended, too.
        let Some((team, kind)) = team.zip(JobKind::parse(kind)) else { continue };
        if kind.is_booking() {
            mend_booking(tx, team, *subject, due)?;
        }
        if let Some(sql) = waiting_rows(kind) {
            let far = now.plus(WAIT_LONG);
            tx.exec(sql, &[team.into(), (*subject).into(), far.into(), now.into()])?;
        }
    }
    Ok(mended.len() + mend_bookings(tx, now)?)
}

/// A job whose alarm was set anew since the clock went back looks as it should; its booking does
/// not. Bookings go by the clock that is handed in.
fn mend_bookings(tx: &mut Tx<'_>, now: Time) -> Result<usize> {
    let late: Vec<(TeamId, Uuid)> = tx.all(
        "SELECT team, id FROM shipment WHERE state = 'processing' AND deadline_at > $1
          ORDER BY deadline_at LIMIT 1000",
        &[now.plus(WAIT_SHORT).into()],
    )?;
    for (team, shipment) in &late {
        mend_booking(tx, *team, *shipment, now)?;
    }
    Ok(late.len())
}

/// A miss is believed and a deadline passes by the times that are written here.
fn mend_booking(tx: &mut Tx<'_>, team: TeamId, shipment: Uuid, now: Time) -> Result<u64> {
    tx.exec(
        "UPDATE shipment
            SET deadline_at = CASE WHEN deadline_at > $3 THEN $5 ELSE deadline_at END,
                give_up_at = CASE WHEN give_up_at > $6 THEN $6 ELSE give_up_at END,
                called_at = CASE WHEN called_at > $3 THEN $4 ELSE called_at END
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            shipment.into(),
            now.plus(WAIT_SHORT).into(),
            now.into(),
            now.plus(BOOKING_TIME_MAX).into(),
            now.plus(GIVE_UP_AFTER).into(),
        ],
    )
}

/// What brings forward the rows that a job waits for.
fn waiting_rows(kind: JobKind) -> Option<&'static str> {
    match kind {
        JobKind::Deliver => Some(
            "UPDATE delivery SET next_at = $4 WHERE team = $1 AND webhook = $2 AND next_at > $3",
        ),
        JobKind::Track => Some(
            "UPDATE tracking SET look_at = $4 WHERE team = $1 AND account = $2 AND look_at > $3",
        ),
        JobKind::Print => Some(
            "UPDATE print_job SET look_at = $4 WHERE team = $1 AND printer = $2 AND look_at > $3",
        ),
        _ => None,
    }
}
