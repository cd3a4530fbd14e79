//! What came and went: every change of what lies at a location, one line each.

use waybill_domain::ids::{AdjustmentId, CatalogItemId, FulfilmentId, TeamId};
use waybill_domain::page::Cursor;
use waybill_domain::time::Time;

use super::pages::newest_first;
use super::read_name;
use crate::{FromRow, Param, Result, Row, Tx};

/// One change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerLine {
    /// Its id.
    pub id: AdjustmentId,
    /// The item.
    pub item: CatalogItemId,
    /// Its SKU.
    pub sku: String,
    /// Where.
    pub location: String,
    /// How many came in, or went out with a minus.
    pub delta: i64,
    /// Why.
    pub reason: Option<String>,
    /// The request that they were shipped for.
    pub fulfilment: Option<FulfilmentId>,
    /// When.
    pub created_at: Time,
}

impl FromRow for LedgerLine {
    fn from_row(row: &mut Row<'_>) -> Result<LedgerLine> {
        Ok(LedgerLine {
            id: row.next()?,
            item: row.next()?,
            sku: row.next()?,
            location: read_name(row.next()?)?,
            delta: row.next()?,
            reason: row.next()?,
            fulfilment: row.next()?,
            created_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, item, sku, location, delta, reason, fulfilment, created_at
               FROM wms_adjustment ",
            $($rest),+
        )
    };
}

/// Adds a line. What lies there changes in the same transaction.
pub(super) fn insert(tx: &mut Tx<'_>, team: TeamId, line: &LedgerLine) -> Result<()> {
    tx.exec_one(
        "INSERT INTO wms_adjustment (team, id, item, sku, location, delta, reason, fulfilment,
                                     created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            team.into(),
            line.id.into(),
            line.item.into(),
            (&line.sku).into(),
            line.location.as_bytes().into(),
            line.delta.into(),
            line.reason.as_deref().into(),
            line.fulfilment.into(),
            line.created_at.into(),
        ],
    )?;
    Ok(())
}

/// The team's line.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: AdjustmentId) -> Result<Option<LedgerLine>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// What a list is limited to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Of items with this SKU.
    pub sku: Option<String>,
    /// At this location.
    pub location: Option<String>,
    /// Shipped for this request.
    pub fulfilment: Option<FulfilmentId>,
}

/// One line more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<LedgerLine>> {
    let (direction, id, bound) = Cursor::between(cursor);
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    let location = filter.location.as_ref().map(String::as_bytes);
    let params: [Param<'_>; 7] = [
        team.into(),
        id.into(),
        bound.into(),
        limit.into(),
        filter.sku.as_deref().into(),
        location.into(),
        filter.fulfilment.into(),
    ];
    macro_rules! page {
        ($path:literal) => {
            newest_first!(select_filtered, $path, direction)
        };
    }
    macro_rules! select_filtered {
        ($team:literal, $path:literal, $rest:literal) => {
            select!(
                $team,
                $path,
                " AND (CAST($5 AS TEXT) IS NULL OR sku = $5)
                  AND (CAST($6 AS BYTEA) IS NULL OR location = $6)
                  AND (CAST($7 AS UUID) IS NULL OR fulfilment = $7) ",
                $rest
            )
        };
    }
    // The narrowest filter chooses the index; the others look at what it finds.
    let statement = match filter {
        Filter { fulfilment: Some(_), .. } => {
            page!(" AND fulfilment = $7 AND fulfilment IS NOT NULL")
        }
        Filter { sku: Some(_), location: Some(_), .. } => {
            page!(" AND sku = $5 AND location = $6")
        }
        Filter { sku: Some(_), .. } => page!(" AND sku = $5"),
        Filter { location: Some(_), .. } => page!(" AND location = $6"),
        _ => page!(""),
    };
    tx.all(statement, &params)
}
