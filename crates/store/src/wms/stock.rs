//! Changes of stock. Each of them locks the items first, in the order of their ids.

use std::collections::BTreeMap;

use uuid::Uuid;
use waybill_domain::ids::{AdjustmentId, CatalogItemId, FulfilmentId, TeamId};
use waybill_domain::time::Time;
use waybill_domain::wms::{
    Adjustment, Allocation, Level, LevelFault, SHIPPED, Shelf, Take, Wanted, allocate,
};

use super::fulfilments::Fulfilment;
use super::ledger::{self, LedgerLine};
use super::levels::{self, StoredLevel};
use super::read_name;
use crate::{Error, FromRow, Result, Row, Tx};

/// Why stock stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unadjusted {
    /// The team has no such item.
    UnknownSku,
    /// The level cannot be so.
    Refused(LevelFault),
}

/// Changes what lies at a location, and writes that down. `level` is the id of the level, in case
/// that this is its first change.
pub fn adjust(
    tx: &mut Tx<'_>,
    team: TeamId,
    wish: &Adjustment,
    (id, level): (AdjustmentId, Uuid),
    now: Time,
) -> Result<Result<LedgerLine, Unadjusted>> {
    let item: Option<CatalogItemId> = tx.one(
        "SELECT id FROM wms_item WHERE team = $1 AND sku = $2 AND deleted_at IS NULL
            FOR NO KEY UPDATE",
        &[team.into(), (&wish.sku).into()],
    )?;
    let Some(item) = item else { return Ok(Err(Unadjusted::UnknownSku)) };
    let old = levels::find(tx, team, item, &wish.location)?;
    let before = old.as_ref().map_or(Level::default(), |old| old.level);
    let after = match before.adjusted(wish.delta) {
        Ok(after) => after,
        Err(fault) => return Ok(Err(Unadjusted::Refused(fault))),
    };
    if old.is_some() {
        write_level(tx, team, (item, &wish.location), (before, after), now)?;
    } else {
        let new = StoredLevel {
            id: level,
            item,
            sku: wish.sku.clone(),
            location: wish.location.clone(),
            level: after,
            updated_at: now,
        };
        levels::insert(tx, team, &new)?;
    }
    let line = LedgerLine {
        id,
        item,
        sku: wish.sku.clone(),
        location: wish.location.clone(),
        delta: wish.delta,
        reason: wish.reason.clone(),
        fulfilment: None,
        created_at: now,
    };
    ledger::insert(tx, team, &line)?;
    Ok(Ok(line))
}

/// Pieces that are promised to a request.
struct Hold {
    item: CatalogItemId,
    take: Take,
    level: Level,
}

impl FromRow for Hold {
    fn from_row(row: &mut Row<'_>) -> Result<Hold> {
        Ok(Hold {
            item: row.next()?,
            take: Take { location: read_name(row.next()?)?, quantity: row.next()? },
            level: Level { on_hand: row.next()?, reserved: row.next()? },
        })
    }
}

/// Promises stock to all lines of a request that is locked, or to none.
pub fn reserve(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &Fulfilment,
    now: Time,
) -> Result<Allocation> {
    lock_items(tx, team, request.id)?;
    let shelves = list_shelves(tx, team, request.id)?;
    let line_wants = |(item, quantity): (CatalogItemId, i64)| {
        let shelf = |(location, level): (&String, &Level)| Shelf {
            location: location.clone(),
            available: level.available(),
        };
        let of_item = shelves.get(&item).into_iter().flatten();
        Wanted { quantity, shelves: of_item.map(shelf).collect() }
    };
    let lines = request.lines.iter().map(|line| (line.item, line.quantity));
    let allocation = allocate(&lines.map(line_wants).collect::<Vec<_>>());
    let Allocation::Whole(takes) = &allocation else { return Ok(allocation) };
    for (line, takes) in request.lines.iter().zip(takes) {
        for take in takes {
            let place = (line.item, take.location.as_str());
            let found = shelves.get(&line.item).and_then(|all| all.get(&take.location));
            let level = found.copied().unwrap_or_default();
            let after = level.reserved(take.quantity).ok_or_else(|| unsound(place))?;
            write_level(tx, team, place, (level, after), now)?;
            tx.exec_one(
                "INSERT INTO wms_hold (team, item, location, fulfilment, quantity)
                 VALUES ($1, $2, $3, $4, $5)",
                &[
                    team.into(),
                    line.item.into(),
                    take.location.as_bytes().into(),
                    request.id.into(),
                    take.quantity.into(),
                ],
            )?;
        }
    }
    Ok(allocation)
}

/// Gives back what is promised to a request that is locked.
pub fn release(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId, now: Time) -> Result<()> {
    for hold in lock_holds(tx, team, id)? {
        let place = (hold.item, hold.take.location.as_str());
        let after = hold.level.released(hold.take.quantity).ok_or_else(|| unsound(place))?;
        write_level(tx, team, place, (hold.level, after), now)?;
    }
    delete_holds(tx, team, id)
}

/// Takes what is promised to a request that is locked, and writes down that it left. `new_id` makes
/// the ids of the lines.
pub fn take_out(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &Fulfilment,
    new_id: &dyn Fn() -> Uuid,
    now: Time,
) -> Result<()> {
    for hold in lock_holds(tx, team, request.id)? {
        let place = (hold.item, hold.take.location.as_str());
        let after = hold.level.shipped(hold.take.quantity).ok_or_else(|| unsound(place))?;
        write_level(tx, team, place, (hold.level, after), now)?;
        let of_item = request.lines.iter().find(|line| line.item == hold.item);
        let line = LedgerLine {
            id: AdjustmentId(new_id()),
            item: hold.item,
            sku: of_item.ok_or_else(|| unsound(place))?.sku.clone(),
            location: hold.take.location.clone(),
            delta: -hold.take.quantity,
            reason: Some(SHIPPED.to_owned()),
            fulfilment: Some(request.id),
            created_at: now,
        };
        ledger::insert(tx, team, &line)?;
    }
    delete_holds(tx, team, request.id)
}

/// Locks the items of a request, in the order in which everybody does.
fn lock_items(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<()> {
    let _locked: Vec<CatalogItemId> = tx.all(
        "SELECT id FROM wms_item
          WHERE team = $1
            AND id IN (SELECT item FROM wms_line WHERE team = $1 AND fulfilment = $2)
          ORDER BY id FOR NO KEY UPDATE",
        &[team.into(), id.into()],
    )?;
    Ok(())
}

/// The places with pieces that nobody was promised, of all items of a request.
fn list_shelves(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: FulfilmentId,
) -> Result<BTreeMap<CatalogItemId, BTreeMap<String, Level>>> {
    let rows: Vec<(CatalogItemId, Vec<u8>, i64, i64)> = tx.all(
        "SELECT level.item, level.location, level.on_hand, level.reserved
           FROM wms_line AS line
           JOIN wms_level AS level ON level.team = line.team AND level.item = line.item
          WHERE line.team = $1 AND line.fulfilment = $2 AND level.on_hand > level.reserved",
        &[team.into(), id.into()],
    )?;
    let mut shelves: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (item, location, on_hand, reserved) in rows {
        let of_item = shelves.entry(item).or_default();
        of_item.insert(read_name(location)?, Level { on_hand, reserved });
    }
    Ok(shelves)
}

/// What is promised to a request, with the levels as they are.
fn lock_holds(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<Vec<Hold>> {
    lock_items(tx, team, id)?;
    tx.all(
        "SELECT hold.item, hold.location, hold.quantity, level.on_hand, level.reserved
           FROM wms_hold AS hold
           JOIN wms_level AS level ON level.team = hold.team AND level.item = hold.item
            AND level.location = hold.location
          WHERE hold.team = $1 AND hold.fulfilment = $2
          ORDER BY hold.item, hold.location",
        &[team.into(), id.into()],
    )
}

fn delete_holds(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<()> {
    tx.exec_later(
        "DELETE FROM wms_hold WHERE team = $1 AND fulfilment = $2",
        &[team.into(), id.into()],
    )
}

fn write_level(
    tx: &mut Tx<'_>,
    team: TeamId,
    place: (CatalogItemId, &str),
    change: (Level, Level),
    now: Time,
) -> Result<()> {
    match levels::change(tx, team, place, change, now)? {
        true => Ok(()),
        // Nobody changes a level without its item, which is locked.
        false => Err(unsound(place)),
    }
}

fn unsound((item, _): (CatalogItemId, &str)) -> Error {
    Error::Broken(format!("the stock of the item {item} does not add up"))
}
