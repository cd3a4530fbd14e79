//! What a team has in its catalog.

use waybill_domain::ids::{CatalogItemId, TeamId};
use waybill_domain::json::parse;
use waybill_domain::page::Cursor;
use waybill_domain::time::Time;
use waybill_domain::wms::CatalogItem;

use super::pages::newest_first;
use crate::{Error, FromRow, Param, Result, Row, Tx};

/// An item of a catalog.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredItem {
    /// Its id.
    pub id: CatalogItemId,
    /// What it is.
    pub item: CatalogItem,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

impl FromRow for StoredItem {
    fn from_row(row: &mut Row<'_>) -> Result<StoredItem> {
        let (id, details) = (row.next::<CatalogItemId>()?, row.next::<String>()?);
        let json = parse(details.as_bytes()).ok();
        let item = json.and_then(|json| CatalogItem::stored(&json).ok());
        Ok(StoredItem {
            id,
            item: item.ok_or_else(|| Error::unreadable(("wms_item", id.into()), "details"))?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!("SELECT id, details, created_at, updated_at FROM wms_item ", $($rest),+)
    };
}

/// Adds an item. False when the team has one with this SKU.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, item: &StoredItem) -> Result<bool> {
    let rows = tx.exec(
        "INSERT INTO wms_item (team, id, sku, barcode, details, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (team, sku) WHERE deleted_at IS NULL DO NOTHING",
        &[
            team.into(),
            item.id.into(),
            (&item.item.sku).into(),
            item.item.barcode.as_deref().into(),
            item.item.to_json().to_string().into(),
            item.created_at.into(),
            item.updated_at.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// The team's item.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: CatalogItemId) -> Result<Option<StoredItem>> {
    let sql = select!("WHERE team = $1 AND id = $2 AND deleted_at IS NULL");
    tx.one(sql, &[team.into(), id.into()])
}

/// The same, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: CatalogItemId) -> Result<Option<StoredItem>> {
    let sql = select!("WHERE team = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE");
    tx.one(sql, &[team.into(), id.into()])
}

/// Whether the team had this item and removed it.
pub fn is_deleted(tx: &mut Tx<'_>, team: TeamId, id: CatalogItemId) -> Result<bool> {
    let found: Option<CatalogItemId> = tx.one(
        "SELECT id FROM wms_item WHERE team = $1 AND id = $2 AND deleted_at IS NOT NULL",
        &[team.into(), id.into()],
    )?;
    Ok(found.is_some())
}

/// The team's item with this SKU.
pub fn find_by_sku(tx: &mut Tx<'_>, team: TeamId, sku: &str) -> Result<Option<StoredItem>> {
    let sql = select!("WHERE team = $1 AND sku = $2 AND deleted_at IS NULL");
    tx.one(sql, &[team.into(), sku.into()])
}

/// What a list is limited to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// With this SKU.
    pub sku: Option<String>,
    /// With this barcode.
    pub barcode: Option<String>,
}

/// One item more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<StoredItem>> {
    let (direction, id, bound) = Cursor::between(cursor);
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    let mut params: Vec<Param<'_>> = vec![team.into(), id.into(), bound.into(), limit.into()];
    let statement = match (&filter.sku, &filter.barcode) {
        (Some(sku), barcode) => {
            params.extend([sku.into(), barcode.as_deref().into()]);
            newest_first!(
                select,
                " AND deleted_at IS NULL AND sku = $5
                  AND (CAST($6 AS TEXT) IS NULL OR barcode = $6)",
                direction
            )
        }
        (None, Some(barcode)) => {
            params.push(barcode.into());
            newest_first!(
                select,
                " AND deleted_at IS NULL AND barcode = $5 AND barcode IS NOT NULL",
                direction
            )
        }
        (None, None) => newest_first!(select, " AND deleted_at IS NULL", direction),
    };
    tx.all(statement, &params)
}

/// Writes what changed of an item.
pub fn change(tx: &mut Tx<'_>, team: TeamId, item: &StoredItem) -> Result<()> {
    tx.exec(
        "UPDATE wms_item SET barcode = $3, details = $4, updated_at = $5
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            item.id.into(),
            item.item.barcode.as_deref().into(),
            item.item.to_json().to_string().into(),
            item.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// Why an item stays in the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InUse {
    /// So many pieces are in stock.
    Stocked(i64),
    /// A request that is neither shipped nor cancelled is for it.
    Wanted,
}

/// Why an item that is locked cannot be removed, if it cannot.
pub fn find_use(tx: &mut Tx<'_>, team: TeamId, id: CatalogItemId) -> Result<Option<InUse>> {
    let on_hand: i64 = tx
        .one(
            "SELECT CAST(COALESCE(sum(on_hand), 0) AS BIGINT) FROM wms_level
              WHERE team = $1 AND item = $2",
            &[team.into(), id.into()],
        )?
        .unwrap_or(0);
    if on_hand > 0 {
        return Ok(Some(InUse::Stocked(on_hand)));
    }
    let wanted: Option<CatalogItemId> = tx.one(
        "SELECT item FROM wms_line WHERE team = $1 AND item = $2 AND is_open LIMIT 1",
        &[team.into(), id.into()],
    )?;
    Ok(wanted.map(|_| InUse::Wanted))
}

/// Removes an item that is locked from the catalog. Its ledger stays.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: CatalogItemId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE wms_item SET deleted_at = $3, updated_at = $3 WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), now.into()],
    )?;
    tx.exec(
        "UPDATE wms_level SET is_listed = $3 WHERE team = $1 AND item = $2",
        &[team.into(), id.into(), false.into()],
    )?;
    Ok(())
}
