//! How many pieces of an item lie at a location, and how many of them are promised.

use uuid::Uuid;
use waybill_domain::ids::{CatalogItemId, TeamId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::wms::Level;

use super::read_name;
use crate::{FromRow, Param, Result, Row, Tx};

/// The stock of one item at one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredLevel {
    /// The place of a cursor.
    pub id: Uuid,
    /// The item.
    pub item: CatalogItemId,
    /// Its SKU.
    pub sku: String,
    /// Where.
    pub location: String,
    /// How many.
    pub level: Level,
    /// When it last changed.
    pub updated_at: Time,
}

impl FromRow for StoredLevel {
    fn from_row(row: &mut Row<'_>) -> Result<StoredLevel> {
        Ok(StoredLevel {
            id: row.next()?,
            item: row.next()?,
            sku: read_name(row.next()?)?,
            location: read_name(row.next()?)?,
            level: Level { on_hand: row.next()?, reserved: row.next()? },
            updated_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, item, sku, location, on_hand, reserved, updated_at FROM wms_level ",
            $($rest),+
        )
    };
}

/// The stock of an item at a location.
pub fn find(
    tx: &mut Tx<'_>,
    team: TeamId,
    item: CatalogItemId,
    location: &str,
) -> Result<Option<StoredLevel>> {
    tx.one(
        select!("WHERE team = $1 AND item = $2 AND location = $3"),
        &[team.into(), item.into(), location.as_bytes().into()],
    )
}

/// Adds a level.
pub(super) fn insert(tx: &mut Tx<'_>, team: TeamId, level: &StoredLevel) -> Result<()> {
    tx.exec_one(
        "INSERT INTO wms_level (team, item, location, id, sku, on_hand, reserved, is_listed,
                                updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            team.into(),
            level.item.into(),
            level.location.as_bytes().into(),
            level.id.into(),
            level.sku.as_bytes().into(),
            level.level.on_hand.into(),
            level.level.reserved.into(),
            true.into(),
            level.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// Writes what became of a level that this transaction has read as `old`. False when it is another
/// by now.
pub(super) fn change(
    tx: &mut Tx<'_>,
    team: TeamId,
    (item, location): (CatalogItemId, &str),
    (old, new): (Level, Level),
    now: Time,
) -> Result<bool> {
    let rows = tx.exec_one(
        "UPDATE wms_level SET on_hand = $4, reserved = $5, updated_at = $6
          WHERE team = $1 AND item = $2 AND location = $3 AND on_hand = $7 AND reserved = $8",
        &[
            team.into(),
            item.into(),
            location.as_bytes().into(),
            new.on_hand.into(),
            new.reserved.into(),
            now.into(),
            old.on_hand.into(),
            old.reserved.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// What a list is limited to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Of the item with this SKU.
    pub sku: Option<String>,
    /// At this location.
    pub location: Option<String>,
}

macro_rules! page {
    ($path:literal, $direction:expr) => {
        match $direction {
            Direction::Next => select!(
                "WHERE team = $1 AND is_listed ",
                $path,
                " AND (sku, location, id) > ($2, $3, $4) ORDER BY sku, location, id LIMIT $5"
            ),
            Direction::Previous => select!(
                "WHERE team = $1 AND is_listed ",
                $path,
                " AND (sku, location, id) < ($2, $3, $4)
                 ORDER BY sku DESC, location DESC, id DESC LIMIT $5"
            ),
        }
    };
}

/// The same at one location: by the index that begins with it.
macro_rules! page_at {
    ($direction:expr) => {
        match $direction {
            Direction::Next => select!(
                "WHERE team = $1 AND is_listed AND location = $3 AND (sku, id) > ($2, $4)
                 ORDER BY sku, id LIMIT $5"
            ),
            Direction::Previous => select!(
                "WHERE team = $1 AND is_listed AND location = $3 AND (sku, id) < ($2, $4)
                 ORDER BY sku DESC, id DESC LIMIT $5"
            ),
        }
    };
}

/// One level more than `wanted` from the cursor on, by SKU and then by location, both in the order
/// of their bytes.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<StoredLevel>> {
    let (mut sku, mut location, id) = match cursor {
        None => (Vec::new(), Vec::new(), Uuid::nil()),
        Some(cursor) => match find_place(tx, team, cursor.id)? {
            Some((sku, location)) => (sku, location, cursor.id),
            None => return Ok(Vec::new()),
        },
    };
    let direction = cursor.map_or(Direction::Next, |cursor| cursor.direction);
    let statement = match (&filter.sku, &filter.location) {
        (Some(wanted), None) => {
            // What is before the first of its levels is before all of them.
            sku = wanted.clone().into_bytes();
            page!(" AND sku = $2 ", direction)
        }
        (None, Some(wanted)) => {
            location = wanted.clone().into_bytes();
            page_at!(direction)
        }
        (Some(of), Some(at)) => {
            (sku, location) = (of.clone().into_bytes(), at.clone().into_bytes());
            page!(" AND sku = $2 AND location = $3 ", direction)
        }
        (None, None) => page!("", direction),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    let params: [Param<'_>; 5] =
        [team.into(), sku.into(), location.into(), id.into(), limit.into()];
    tx.all(statement, &params)
}

/// Where a level stands in the list.
fn find_place(tx: &mut Tx<'_>, team: TeamId, id: Uuid) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    tx.one(
        "SELECT sku, location FROM wms_level WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}
