//! Who failed how often. A try counts as a failure before it is made, and is taken back when it
//! succeeds: however many try at the same moment, on however many servers, no more of them are
//! listened to than the limits say.

use std::time::Duration;

use waybill_domain::failures::{FailureLimit, Failures};
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
    /// It is, and was noted as a failure of this time.
    Noted(Time),
    /// Not before this long.
    Wait(Duration),
}

/// How long to wait before one more try is listened to; none when that is now. Nothing is noted.
pub fn any_wait(tx: &mut Tx<'_>, windows: &[FailureWindow], now: Time) -> Result<Option<Duration>> {
    let now = tx.now(now)?;
    let mut longest = None;
    for window in windows {
        let sql = "SELECT times FROM failure_window WHERE key = $1";
        let stored: Option<String> = tx.one(sql, &[(&window.key).into()])?;
        let failures = Failures::parse(&stored.unwrap_or_default()).within(window.limit, now);
        longest = longest.max(failures.wait(window.limit, now));
    }
    Ok(longest)
}

/// Notes a try as a failure in all windows, if every one of them has room for it.
pub fn any_note(tx: &mut Tx<'_>, windows: &[FailureWindow], now: Time) -> Result<Try> {
    let now = tx.now(now)?;
    let mut all = lock(tx, windows, now)?;
    let longest = all.iter().filter_map(|(window, past)| past.wait(window.limit, now)).max();
    if let Some(wait) = longest {
        return Ok(Try::Wait(wait));
    }
    for (window, failures) in &mut all {
        failures.add(now);
        set(tx, window, failures)?;
    }
    Ok(Try::Noted(now))
}

/// Takes a try of this time back that was not a failure, and forgets all failures of the window
/// that a success clears.
pub fn any_take_back(
    tx: &mut Tx<'_>,
    windows: &[FailureWindow],
    (at, now): (Time, Time),
    cleared: Option<&FailureWindow>,
) -> Result<()> {
    // By the time of now: others that were noted after this one are not to be taken for it.
    let now = tx.now(now)?;
    for (window, mut failures) in lock(tx, windows, now)? {
        match cleared == Some(&window) {
            true => failures = Failures::default(),
            false => failures.take_back(at),
        }
        set(tx, &window, &failures)?;
    }
    Ok(())
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
/// nobody waits for ever.
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
