//! Epochs: how a restored database knows what it has forgotten.
//!
//! Each start of a server begins an epoch with an id of its own. Positions of the feed are sealed
//! together with the epoch in which they were told. After a restore, positions are given a second
//! time; but an epoch that began after the backup is unknown to the restored database, and an entry
//! that was published after the restore has a later epoch than the position that was told before.
//!
//! Times cannot carry an epoch. For those a start compares the copy of the database that it finds
//! with the one that it was before, and notes the span of time that may be lost.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::time::Time;

use crate::{Result, Tx};

/// An epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Epoch {
    /// Its place in the order; 0 for what was before the first.
    pub number: i64,
    /// What it is known by outside; nil for what was before the first.
    pub id: Uuid,
}

/// A span of time in which things happened that this database may not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostSpan {
    /// The last moment that is known for certain.
    pub after: Time,
    /// When the restored database was first used.
    pub until: Time,
}

/// Begins an epoch. `file` names the copy of a SQLite database; PostgreSQL is asked. Tells what may
/// be lost when the database is another copy than it was in the epoch before.
pub fn begin(tx: &mut Tx<'_>, id: Uuid, file: &str, now: Time) -> Result<Option<LostSpan>> {
    insert(tx, id, file, now, false)
}

/// Begins an epoch. With `is_loss` something is lost although the copy has the same name.
fn insert(
    tx: &mut Tx<'_>,
    id: Uuid,
    file: &str,
    now: Time,
    is_loss: bool,
) -> Result<Option<LostSpan>> {
    take_turns(tx)?;
    let copy = copy_name(tx, file)?;
    let last: Option<(i64, String)> =
        tx.one("SELECT number, copy FROM epoch ORDER BY number DESC LIMIT 1", &[])?;
    let before = last.as_ref().map(|(_, before)| before.as_str());
    let after = match before.filter(|before| is_loss || !is_same(before, &copy)) {
        Some(before) => Some(newest_known(tx, before, &copy)?),
        None => None,
    };
    let number = last.map_or(1, |(number, _)| number + 1);
    tx.exec(
        "INSERT INTO epoch (number, id, began_at, copy, lost_after) VALUES ($1, $2, $3, $4, $5)",
        &[number.into(), id.into(), now.into(), (&copy).into(), after.into()],
    )?;
    Ok(after.map(|after| LostSpan { after, until: now }))
}

/// Begins the first epoch of a database that no server was started with yet: a copy of it that is
/// restored later is known by that.
pub fn begin_first(tx: &mut Tx<'_>, id: Uuid, file: &str, now: Time) -> Result<()> {
    take_turns(tx)?;
    if current(tx)?.number == 0 {
        begin(tx, id, file, now)?;
    }
    Ok(())
}

/// What a running server knows of the epochs of its database. A primary of before that takes over
/// again is the copy that it says it is, but lacks the epochs that were begun elsewhere.
#[derive(Default)]
pub struct Known(Mutex<Ids>);

#[derive(Clone, Copy, Default)]
struct Ids {
    /// The newest one that was found, and when.
    found: Option<(Uuid, Time)>,
    /// One that we were about to begin. Whether it was committed is seen later.
    begun: Option<Uuid>,
}

/// Begins an epoch when the database has become another copy under a running server, as when
/// PostgreSQL fails over, or back.
pub fn begin_if_moved(
    tx: &mut Tx<'_>,
    id: Uuid,
    file: &str,
    now: Time,
    known: &Known,
) -> Result<Option<LostSpan>> {
    if !is_moved(tx, file)? && !known.is_lost(tx)? {
        known.set_found(current(tx)?.id, now);
        return Ok(None);
    }
    take_turns(tx)?;
    let is_lost = known.is_lost(tx)?;
    if !is_lost && !is_moved(tx, file)? {
        return Ok(None);
    }
    known.lock().begun = Some(id);
    insert(tx, id, file, now, is_lost)
}

impl Known {
    /// What a server knows that has just begun its epoch. It must not wait for its next connection:
    /// that one may already lead elsewhere.
    pub fn read(tx: &mut Tx<'_>, now: Time) -> Result<Known> {
        let known = Known::default();
        known.set_found(current(tx)?.id, now);
        Ok(known)
    }

    fn lock(&self) -> MutexGuard<'_, Ids> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_found(&self, id: Uuid, now: Time) {
        *self.lock() = Ids { found: Some((id, now)), begun: None };
    }

    /// Whether the database lacks the epoch that we found last, and no server has begun another
    /// one because of that.
    fn is_lost(&self, tx: &mut Tx<'_>) -> Result<bool> {
        let Ids { found, begun } = *self.lock();
        let Some((found, at)) = found else { return Ok(false) };
        for id in [Some(found), begun].into_iter().flatten() {
            if find(tx, id)?.is_some() {
                return Ok(false);
            }
        }
        Ok(last_noted(tx)?.is_none_or(|noted| noted.until < at))
    }
}

/// Several servers may start at once, and every connection of every server finds out about a
/// fail-over.
fn take_turns(tx: &mut Tx<'_>) -> Result<()> {
    if tx.is_shared() { tx.batch("LOCK TABLE epoch IN SHARE ROW EXCLUSIVE MODE") } else { Ok(()) }
}

/// Whether the database is another copy than it was in the last epoch.
fn is_moved(tx: &mut Tx<'_>, file: &str) -> Result<bool> {
    Ok(find_move(tx, file)?.is_some())
}

/// Which copy the database was in the last epoch, and which it is, when these are two.
fn find_move(tx: &mut Tx<'_>, file: &str) -> Result<Option<(String, String)>> {
    let copy = copy_name(tx, file)?;
    let last: Option<String> =
        tx.one("SELECT copy FROM epoch ORDER BY number DESC LIMIT 1", &[])?;
    Ok(last.filter(|last| !is_same(last, &copy)).map(|last| (last, copy)))
}

/// The epoch that is under way. Read it after what is told together with it.
pub fn current(tx: &mut Tx<'_>) -> Result<Epoch> {
    let found = tx.one("SELECT number, id FROM epoch ORDER BY number DESC LIMIT 1", &[])?;
    let before_the_first = (0, Uuid::nil());
    let (number, id) = found.unwrap_or(before_the_first);
    Ok(Epoch { number, id })
}

/// The number of the epoch with this id; nothing when this database does not know it.
pub fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<i64>> {
    if id.is_nil() {
        return Ok(Some(0));
    }
    tx.one("SELECT number FROM epoch WHERE id = $1", &[id.into()])
}

/// The lost span that somebody who goes on from this time may have seen something of. Who
/// subtracted an overlap from the time, at most this long, may have seen more than the time says.
pub fn find_lost(tx: &mut Tx<'_>, since: Time, overlap: Duration) -> Result<Option<LostSpan>> {
    let found: Option<(Time, Time)> = tx.one(
        "SELECT lost_after, began_at FROM epoch
          WHERE lost_after < $1 AND began_at >= $2 ORDER BY number DESC LIMIT 1",
        &[since.plus(overlap).into(), since.into()],
    )?;
    Ok(found.map(|(after, until)| LostSpan { after, until }))
}

/// The oldest of what the restores since a time may have lost, also when no server was started
/// after the last of them; when there were none, what the last restore before that time may have.
pub fn oldest_lost(
    tx: &mut Tx<'_>,
    file: &str,
    since: Time,
    now: Time,
) -> Result<Option<LostSpan>> {
    let noted: Option<(Time, Time)> = tx.one(
        "SELECT lost_after, began_at FROM epoch
          WHERE lost_after IS NOT NULL AND began_at >= $1 ORDER BY lost_after LIMIT 1",
        &[since.into()],
    )?;
    let noted = noted.map(|(after, until)| LostSpan { after, until });
    let Some((before, copy)) = find_move(tx, file)? else {
        return noted.map_or_else(|| last_noted(tx), |noted| Ok(Some(noted)));
    };
    let unnoted = LostSpan { after: newest_known(tx, &before, &copy)?, until: now };
    Ok(Some(noted.filter(|noted| noted.after < unnoted.after).unwrap_or(unnoted)))
}

/// Whether a shipment with this deadline was waiting for its outcome when the database was
/// restored: then it got that moment for its deadline. The lost database may have gone on with it.
pub fn has_ended(tx: &mut Tx<'_>, deadline: Time) -> Result<bool> {
    let found: Option<i64> = tx.one(
        "SELECT number FROM epoch WHERE lost_after IS NOT NULL AND began_at = $1 LIMIT 1",
        &[deadline.into()],
    )?;
    Ok(found.is_some())
}

/// What the last restore that a server noticed may have lost.
pub fn last_noted(tx: &mut Tx<'_>) -> Result<Option<LostSpan>> {
    let found: Option<(Time, Time)> = tx.one(
        "SELECT lost_after, began_at FROM epoch WHERE lost_after IS NOT NULL
          ORDER BY number DESC LIMIT 1",
        &[],
    )?;
    Ok(found.map(|(after, until)| LostSpan { after, until }))
}

/// Whether these name the same copy. Older releases left out the last word on PostgreSQL.
fn is_same(before: &str, now: &str) -> bool {
    let is_older = || before.split(' ').count() == 3 && now.split(' ').count() == 4;
    before == now || (is_older() && now.rsplit_once(' ').is_some_and(|(now, _)| now == before))
}

/// Which copy of the database this is. On PostgreSQL a restored dump has tables of its own, another
/// cluster an identifier of its own, a recovery or a failover a timeline of its own, and a database
/// that was made from a template a number of its own.
fn copy_name(tx: &mut Tx<'_>, file: &str) -> Result<String> {
    if !tx.is_shared() {
        return Ok(file.to_owned());
    }
    let name = tx.one(
        "SELECT concat_ws(' ', system_identifier, 'epoch'::regclass::oid,
                          left(pg_walfile_name(pg_current_wal_lsn()), 8),
                          (SELECT oid FROM pg_database WHERE datname = current_database()))
           FROM pg_control_system()",
        &[],
    )?;
    Ok(name.unwrap_or_default())
}

/// The newest thing that a copy holds by itself. A dump may be restored beneath servers that go on
/// for some seconds: what they wrote since then is not of the copy.
fn newest_known(tx: &mut Tx<'_>, before: &str, copy: &str) -> Result<Time> {
    let newest: Option<Option<Time>> = match tx.is_shared() && is_loaded(before, copy) {
        // What was loaded is no newer than the tables' own entries, which a restore writes last.
        true => tx.one(
            "WITH loaded AS (
                SELECT min(age(xmin)) AS age FROM pg_class
                 WHERE oid IN ('shipment'::regclass, 'event'::regclass, 'epoch'::regclass))
             SELECT max(at) FROM (
                SELECT max(updated_at) AS at FROM shipment, loaded WHERE age(shipment.xmin) >= age
      UNION ALL SELECT max(occurred_at) FROM event, loaded WHERE age(event.xmin) >= age
      UNION ALL SELECT max(began_at) FROM epoch, loaded WHERE age(epoch.xmin) >= age) AS known",
            &[],
        )?,
        false => tx.one(
            "SELECT max(at) FROM (SELECT max(updated_at) AS at FROM shipment
                        UNION ALL SELECT max(occurred_at) FROM event
                        UNION ALL SELECT max(began_at) FROM epoch) AS known",
            &[],
        )?,
    };
    Ok(newest.flatten().unwrap_or(Time(0)))
}

/// Whether a dump was restored within the same cluster: then the table is another one. Elsewhere
/// its rows may have come in other ways, and no server writes there before it has asked.
fn is_loaded(before: &str, copy: &str) -> bool {
    let parts = |name: &str| {
        let mut words = name.split(' ').map(str::to_owned);
        Some((words.next()?, words.next()?))
    };
    let both = parts(before).zip(parts(copy));
    both.is_some_and(|((cluster, table), (now, other))| cluster == now && table != other)
}
