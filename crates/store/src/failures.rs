//! Who failed how often. A try is noted before it is made: those that are not decided yet and those
//! that failed are together no more than the limits say, however many try at the same moment, on
//! however many servers. What is not decided holds others up for a moment, and is no failure.

use std::time::Duration;

use waybill_domain::failures::{Availability, FailureLimit, Failures};
use waybill_domain::time::Time;

use crate::{Result, Tx};

/// The failures of one kind of somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureWindow {
    /// What the row is found by.
    pub key: [u8; 32],
    /// How many there may be.
    pub limit: FailureLimit,
}

/// Whether one more try is listened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Try {
    /// It is, and was noted as one that began at this time.
    Noted(Time),
    /// Not now: ask again when others are decided.
    Taken,
    /// Not before this long.
    Wait(Duration),
}

/// How a try ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It failed.
    Failed,
    /// Nobody knows: it counts as if it had not been made.
    Undecided,
    /// It succeeded, which clears this window and no other.
    Succeeded(FailureWindow),
}

/// How long to wait before one more try is listened to; none when that is now, or may be in a
/// moment. Nothing is noted.
pub fn any_wait(tx: &mut Tx<'_>, windows: &[FailureWindow], now: Time) -> Result<Option<Duration>> {
    let now = tx.now(now)?;
    let mut longest = None;
    for window in windows {
        let sql = "SELECT times FROM failure_window WHERE key = $1";
        let stored: Option<String> = tx.one(sql, &[(&window.key).into()])?;
        let failures = Failures::parse(&stored.unwrap_or_default()).within(window.limit, now);
        if let Availability::Wait(wait) = failures.room(window.limit, now) {
            longest = longest.max(Some(wait));
        }
    }
    Ok(longest)
}

/// Notes a try in all windows, if every one of them has room for it.
pub fn any_begin(tx: &mut Tx<'_>, windows: &[FailureWindow], now: Time) -> Result<Try> {
    let now = tx.now(now)?;
    let mut all = lock(tx, windows, now)?;
    let (mut longest, mut is_taken) = (None, false);
    for (window, past) in &all {
        match past.room(window.limit, now) {
            Availability::Free => {}
            Availability::Taken => is_taken = true,
            Availability::Wait(wait) => longest = longest.max(Some(wait)),
        }
    }
    match longest {
        Some(wait) => return Ok(Try::Wait(wait)),
        None if is_taken => return Ok(Try::Taken),
        None => {}
    }
    for (window, failures) in &mut all {
        failures.begin(now);
        set(tx, window, failures)?;
    }
    Ok(Try::Noted(now))
}

/// Ends a try that was noted at this time.
pub fn any_end(
    tx: &mut Tx<'_>,
    windows: &[FailureWindow],
    (at, now): (Time, Time),
    ending: Ending,
) -> Result<()> {
    // By the time of now: others that were noted after this one are not to be taken for it.
    let now = tx.now(now)?;
    for (window, mut failures) in lock(tx, windows, now)? {
        failures.end(at);
        match ending {
            Ending::Failed => failures.add(now),
            Ending::Succeeded(cleared) if cleared == window => failures = Failures::default(),
            Ending::Undecided | Ending::Succeeded(_) => {}
        }
        set(tx, &window, &failures)?;
    }
    Ok(())
}

/// Notes a failure at once. Tells how long to wait when it is one too many.
pub fn any_note(tx: &mut Tx<'_>, window: FailureWindow, now: Time) -> Result<Option<Duration>> {
    let now = tx.now(now)?;
    for (window, mut failures) in lock(tx, &[window], now)? {
        if let Availability::Wait(wait) = failures.room(window.limit, now) {
            return Ok(Some(wait));
        }
        failures.add(now);
        set(tx, &window, &failures)?;
    }
    Ok(None)
}

/// Removes up to `limit` windows in which nothing is left.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT key FROM failure_window
              WHERE until < $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM failure_window WHERE key IN (SELECT key FROM old)",
        &[before.into(), limit.into()],
    )
}

/// The windows with what is in them, for this transaction alone. They are locked in one order, so
/// nobody waits forever.
fn lock(
    tx: &mut Tx<'_>,
    windows: &[FailureWindow],
    now: Time,
) -> Result<Vec<(FailureWindow, Failures)>> {
    let mut windows = windows.to_vec();
    windows.sort_unstable_by_key(|window| window.key);
    let mut all = Vec::with_capacity(windows.len());
    for window in windows {
        tx.exec(
            "INSERT INTO failure_window (key, times, until) VALUES ($1, '', $2)
             ON CONFLICT (key) DO UPDATE SET until = $2",
            &[(&window.key).into(), now.plus(window.limit.window).into()],
        )?;
        let sql = "SELECT times FROM failure_window WHERE key = $1";
        let stored: Option<String> = tx.one(sql, &[(&window.key).into()])?;
        let failures = Failures::parse(&stored.unwrap_or_default()).within(window.limit, now);
        all.push((window, failures));
    }
    Ok(all)
}

fn set(tx: &mut Tx<'_>, window: &FailureWindow, failures: &Failures) -> Result<()> {
    tx.exec(
        "UPDATE failure_window SET times = $2 WHERE key = $1",
        &[(&window.key).into(), failures.to_text().into()],
    )?;
    Ok(())
}
