//! `waybill import catalog-items FILE` and `waybill import stock FILE`: what a warehouse has, and
//! how
//! much of it lies where. Nothing is written unless the whole file is good. A few hundred lines are
//! one transaction; a longer file is written in several, and may be imported again whenever one of
//! them fails: what is as the file says already is left alone.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use waybill_domain::ids::{AdjustmentId, CatalogItemId, IdSource, TeamId};
use waybill_domain::time::{Clock, Time};
use waybill_domain::wms::{CatalogItem, Level, LevelFault};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_store::wms::items::{self, StoredItem};
use waybill_store::wms::levels;
use waybill_store::wms::stock::{self, Unadjusted};
use waybill_store::{Error, Store, Tx, teams};

use super::error::{ContentsError, ImportError};
use super::items as item_lines;
use super::lines::Problems;
use super::stock::{self as stock_lines, Counted};
use crate::cli::error::Outcome;
use crate::cli::file_error::FileError;
use crate::cli::progress::Bar;

/// Lines that are written in one transaction: nobody waits for longer than that takes.
const BITE: usize = 500;

/// What becomes of the lines of a file.
#[derive(Clone, Copy, Default)]
struct Tally {
    new: u64,
    changed: u64,
    same: u64,
}

/// Where an import writes, with what it needs for that.
struct Import {
    store: Store,
    team: TeamId,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    bar: Bar,
}

/// Reads a file, and tells everything that is wrong with it.
fn read<T>(
    path: &Path,
    read: impl FnOnce(&[u8], &mut Problems) -> Result<Vec<T>, ContentsError>,
) -> Result<Vec<T>, ImportError> {
    let found = std::fs::metadata(path).map_err(FileError::of(path))?;
    if found.is_dir() {
        return Err(ImportError::Folder(path.to_owned()));
    }
    let bytes = std::fs::read(path).map_err(FileError::of(path))?;
    let mut problems = Problems::default();
    let explain = |source| ImportError::Contents { path: path.to_owned(), source };
    let lines = read(&bytes, &mut problems).map_err(explain)?;
    refuse(path, &problems)?;
    Ok(lines)
}

/// Nothing is imported of a file with problems.
fn refuse(path: &Path, problems: &Problems) -> Result<(), ImportError> {
    match problems.tell() {
        0 => Ok(()),
        count => Err(ImportError::Refused { path: path.to_owned(), count }),
    }
}

/// Adds items to a catalog, and brings those that are there up to date.
pub fn import_items(store: Store, team: TeamId, path: &Path) -> Outcome {
    let items = read(path, item_lines::read_csv)?;
    let mut import = Import::new(store, team);
    let mut tally = Tally::default();
    import.in_bites(items, |import, bite| {
        let (ids, now, team) = (import.ids.clone(), import.clock.now(), import.team);
        let written = import.store.blocking_write(move |tx| {
            teams::hold(tx, team)?;
            write_items(tx, team, &bite, &|| CatalogItemId(ids.uuid()), now)
        })?;
        tally.new += written.new;
        tally.changed += written.changed;
        tally.same += written.same;
        Ok(())
    })?;
    let Tally { new, changed, same } = tally;
    println!("{new} new, {changed} changed, {same} as they were");
    Ok(ExitCode::SUCCESS)
}

fn write_items(
    tx: &mut Tx<'_>,
    team: TeamId,
    bite: &[CatalogItem],
    new_id: &dyn Fn() -> CatalogItemId,
    now: Time,
) -> Result<Tally, Error> {
    let (mut tally, mut others) = (Tally::default(), Vec::new());
    for item in bite {
        let new = StoredItem { id: new_id(), item: item.clone(), created_at: now, updated_at: now };
        let known = items::find_by_sku(tx, team, &item.sku)?;
        if known.is_none() && items::insert(tx, team, &new)? {
            tally.new += 1;
            continue;
        }
        // Somebody else may have added it meanwhile.
        let known =
            known.map_or_else(|| items::find_by_sku(tx, team, &item.sku), |it| Ok(Some(it)));
        match known? {
            Some(known) if known.item == *item => tally.same += 1,
            Some(known) => others.push((known.id, item)),
            None => return Err(Error::Broken(format!("{}: it comes and goes", item.sku))),
        }
    }
    // Whoever locks several items does so in this order.
    others.sort_by_key(|(id, _)| *id);
    for (id, item) in others {
        if let Some(known) = items::lock(tx, team, id)? {
            let changed = StoredItem { item: item.clone(), updated_at: now, ..known };
            items::change(tx, team, &changed)?;
            tally.changed += 1;
        }
    }
    Ok(tally)
}

/// Makes stock what was counted, by adjustments.
pub fn import_stock(store: Store, team: TeamId, path: &Path) -> Outcome {
    let counted = read(path, stock_lines::read_csv)?;
    let mut import = Import::new(store, team);
    let mut problems = Problems::default();
    let mut placed = Vec::with_capacity(counted.len());
    import.in_bites(counted, |import, bite| {
        let team = import.team;
        let found = import.store.blocking_read(move |tx| {
            let found = bite.iter().map(|counted| Ok((find_level(tx, team, counted)?, counted)));
            let found: Vec<_> = found.collect::<Result<_, Error>>()?;
            let found = found.into_iter().map(|(found, counted)| (found, counted.clone()));
            Ok::<_, Error>(found.collect::<Vec<_>>())
        })?;
        for (found, counted) in found {
            match check(found, &counted) {
                Ok(item) => placed.push((item, counted)),
                Err(why) => tell(&mut problems, &counted, why),
            }
        }
        Ok(())
    })?;
    refuse(path, &problems)?;
    // Whoever locks several items does so in the order of their ids.
    placed.sort_by_key(|(one, _)| *one);
    let (mut changed, mut same) = (0_u64, 0_u64);
    import.in_bites(placed, |import, bite| {
        let (ids, now, team) = (import.ids.clone(), import.clock.now(), import.team);
        let done = import.store.blocking_write(move |tx| {
            teams::hold(tx, team)?;
            let new_ids = || (AdjustmentId(ids.uuid()), ids.uuid());
            let done = bite.iter().map(|(item, counted)| {
                let done = write_level(tx, team, (*item, counted), &new_ids, now)?;
                Ok::<_, Error>((counted.clone(), done))
            });
            done.collect::<Result<Vec<_>, Error>>()
        })?;
        for (counted, done) in done {
            match done {
                Ok(true) => changed += 1,
                Ok(false) => same += 1,
                Err(why) => tell(&mut problems, &counted, why),
            }
        }
        Ok(())
    })?;
    println!("{changed} adjusted, {same} as they were");
    // Something was promised or removed between the two looks.
    let left = problems.tell();
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// An item and its level at the location of a count.
type Found = Option<(CatalogItemId, Level)>;

fn find_level(tx: &mut Tx<'_>, team: TeamId, counted: &Counted) -> Result<Found, Error> {
    let Some(found) = items::find_by_sku(tx, team, &counted.sku)? else { return Ok(None) };
    let level = levels::find(tx, team, found.id, &counted.location)?;
    Ok(Some((found.id, level.map(|level| level.level).unwrap_or_default())))
}

/// Whether a level can be what was counted.
fn check(found: Found, counted: &Counted) -> Result<CatalogItemId, Unadjusted> {
    let (item, level) = found.ok_or(Unadjusted::UnknownSku)?;
    let wish = counted.adjustment(level.on_hand);
    wish.map_or(Ok(level), |wish| level.adjusted(wish.delta)).map_err(Unadjusted::Refused)?;
    Ok(item)
}

/// Writes one count. False when it says what is there already.
fn write_level(
    tx: &mut Tx<'_>,
    team: TeamId,
    (item, counted): (CatalogItemId, &Counted),
    new_ids: &dyn Fn() -> (AdjustmentId, uuid::Uuid),
    now: Time,
) -> Result<Result<bool, Unadjusted>, Error> {
    // Its levels stay as they are from here on.
    if items::lock(tx, team, item)?.is_none() {
        return Ok(Err(Unadjusted::UnknownSku));
    }
    let level = levels::find(tx, team, item, &counted.location)?;
    let on_hand = level.map_or(0, |level| level.level.on_hand);
    match counted.adjustment(on_hand) {
        None => Ok(Ok(false)),
        Some(wish) => Ok(stock::adjust(tx, team, &wish, new_ids(), now)?.map(|_| true)),
    }
}

fn tell(problems: &mut Problems, counted: &Counted, why: Unadjusted) {
    match why {
        Unadjusted::UnknownSku => problems.add(counted.line, "sku", "is not in the catalog"),
        Unadjusted::Refused(fault @ LevelFault::TooMany { .. }) => {
            problems.add(counted.line, "quantity", &fault.to_string());
        }
        Unadjusted::Refused(LevelFault::TooFew { .. }) => {
            problems.add(counted.line, "quantity", "is less than is reserved there");
        }
    }
}

impl Import {
    fn new(store: Store, team: TeamId) -> Import {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
        Import { store, team, clock, ids, bar: Bar::new() }
    }

    /// Does something with all lines, a few hundred at a time, and says how far it is. When it goes
    /// no further, it says how much is done.
    fn in_bites<T: Clone>(
        &mut self,
        lines: Vec<T>,
        mut work: impl FnMut(&Import, Vec<T>) -> Result<(), Error>,
    ) -> Result<(), ImportError> {
        let all = lines.len();
        for (index, bite) in lines.chunks(BITE).enumerate() {
            let done = index * BITE;
            if let Err(source) = work(self, bite.to_vec()) {
                self.bar.clear();
                return Err(ImportError::Stopped { done, all, source });
            }
            let done = (done + bite.len()) as u64;
            self.bar.show(done, all as u64, &format!("{done} of {all}"));
        }
        self.bar.clear();
        Ok(())
    }
}
