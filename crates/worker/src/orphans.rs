//! Removes objects that no row names: what a crash or a failed write left between the object and
//! its row.
//!
//! One that is older than a day is laid aside first, where readers still find it, and removed from
//! there another day later unless a row has come to name it: no order of events loses bytes that a
//! row names.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::StreamExt;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_engine::files::{FileStore, FilesError, Shelf, StoredFile};
use waybill_store::{Error, Tx, documents, epochs, jobs};

use super::job_outcome::JobOutcome;
use super::lease;
use super::retention;
use super::state::Worker;

/// No write takes a day from its object to its row.
const AGE: Duration = Duration::from_hours(24);
const PERIOD: Duration = Duration::from_hours(6);
/// Objects asked for at once.
const CHUNK: usize = 128;

/// Why orphans were not cleared.
#[derive(Debug, thiserror::Error)]
enum SweepError {
    /// It is not known what is named.
    #[error(transparent)]
    Store(#[from] Error),
    /// The place does not do what it is asked.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Goes through everything that is kept outside the database.
pub async fn sweep(worker: &Worker, claimed: &jobs::Claimed) -> JobOutcome {
    let app = &worker.app;
    let Some(home) = app.files().home() else { return JobOutcome::In(PERIOD) };
    let before = match retention::now(worker).await {
        Ok(now) => now.minus(AGE),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    };
    let mut count = match home.clear_drafts(before).await {
        Ok(count) => count,
        Err(why) => return JobOutcome::Retry(why.to_string()),
    };
    // What was laid aside goes first: what is laid aside now stays for a day.
    for shelf in [Shelf::Aside, Shelf::Kept] {
        let mut chunks = home.list(shelf).chunks(CHUNK);
        while let Some(found) = chunks.next().await {
            match clear(app, home, claimed, shelf, (found, before)).await {
                Ok(Some(cleared)) => count += cleared,
                // Another worker has the job.
                Ok(None) => return JobOutcome::AlreadyEnded,
                Err(why) => return JobOutcome::Retry(why.to_string()),
            }
        }
    }
    if count > 0 {
        tracing::info!(count, place = home.name(), "files that no row names were cleared away");
    }
    JobOutcome::In(PERIOD)
}

/// Clears the orphans among these, and tells how many there were.
async fn clear(
    app: &App,
    home: &FileStore,
    claimed: &jobs::Claimed,
    shelf: Shelf,
    (found, before): (Vec<Result<StoredFile, FilesError>>, Time),
) -> Result<Option<usize>, SweepError> {
    let found: Vec<StoredFile> = found.into_iter().collect::<Result<_, _>>()?;
    let (now, claimed, name) = (app.now(), claimed.clone(), home.name().to_owned());
    // A restored database does not know what was written since its backup, and the database that it
    // was copied from may still need it.
    let lost = app.read(epochs::last_noted).await?;
    let is_of_lost_time = |at: Time| lost.is_some_and(|span| span.after <= at && at <= span.until);
    let is_ripe = |at: Time| match shelf {
        // What was written since the restore may be of the lost database too, if that goes on.
        Shelf::Kept => lost.is_none_or(|span| at < span.after),
        // What was laid aside since the restore was older than what is lost.
        Shelf::Aside => !is_of_lost_time(at),
    };
    let old =
        found.into_iter().filter(|found| found.written_at < before && is_ripe(found.written_at));
    let old: Vec<Vec<u8>> = old.map(|found| found.hash).collect();
    let asked = old.clone();
    let named = app.write(move |tx| named(tx, &claimed, now, &name, &asked)).await?;
    let Some(named) = named else { return Ok(None) };
    let mut count = 0;
    for hash in &old {
        let is_named = named.contains(hash);
        match shelf {
            Shelf::Kept if is_named => continue,
            Shelf::Kept if is_old(home, hash, before).await? => {
                home.bring(Shelf::Kept, Shelf::Aside, hash).await?;
            }
            Shelf::Kept => continue,
            Shelf::Aside if is_named => home.bring(Shelf::Aside, Shelf::Kept, hash).await?,
            Shelf::Aside => home.remove(Shelf::Aside, hash).await?,
        }
        count += 1;
    }
    Ok(Some(count))
}

/// Whether it is still the old one: somebody may have written the same bytes since it was listed.
async fn is_old(home: &FileStore, hash: &[u8], before: Time) -> Result<bool, FilesError> {
    Ok(home.written_at(Shelf::Kept, hash).await?.is_some_and(|at| at < before))
}

/// Those that a row names, when the lease is still ours; it is renewed by the way.
fn named(
    tx: &mut Tx<'_>,
    claimed: &jobs::Claimed,
    now: Time,
    place: &str,
    hashes: &[Vec<u8>],
) -> Result<Option<HashSet<Vec<u8>>>, Error> {
    if !lease::renew(tx, claimed, now)? {
        return Ok(None);
    }
    documents::any_list_named(tx, place, hashes).map(|named| Some(named.into_iter().collect()))
}
