//! Lists of shipments: a few access paths, each with its index, so that a list costs the same with
//! ten shipments as with a million.

use uuid::Uuid;
use waybill_domain::ids::{BatchId, TeamId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;

use super::Shipment;
use crate::{Param, Result, Tx};

/// What is wanted. Everything that is given must hold.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Filter {
    /// In this state.
    pub state: Option<ShipmentState>,
    /// With this reference.
    pub reference: Option<String>,
    /// With this identifier.
    pub identifier: Option<String>,
    /// With a parcel of this number.
    pub tracking_number: Option<String>,
    /// In this batch.
    pub batch: Option<Uuid>,
    /// Changed at or after.
    pub updated_since: Option<Time>,
    /// Changed at or before: the boundary of a sync.
    pub updated_until: Option<Time>,
}

/// The order of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Newest first.
    CreatedDescending,
    /// Longest unchanged first.
    Updated,
}

/// No more bytes of shipments than this are read for one page, unless it has a single one. What is
/// shown of a row can be less than half of it.
const PAGE_BYTES_MAX: i64 = 8 * 1024 * 1024;

/// How many bytes each row holds, found without reading them.
macro_rules! sizes {
    ($($rest:expr),+) => {
        concat!(
            "SELECT CAST(octet_length(input) + octet_length(snapshot) + octet_length(parcels)
                    + coalesce(octet_length(codes), 0) + coalesce(octet_length(failure), 0)
                 AS BIGINT) FROM shipment ",
            $($rest),+
        )
    };
}

/// `$1` team, `$2` cursor time or the far end of the team's ids, `$3` cursor id, `$4` limit,
/// `$5` state, `$6` batch, `$7` since, `$8` until, `$9` reference, `$10` identifier, `$11` the
/// value of the access path.
macro_rules! statement {
    ($what:ident, $path:literal, $from:literal, $order:literal) => {
        $what!(
            "WHERE team = $1 AND state <> 'deleted'
                AND (CAST($5 AS TEXT) IS NULL OR state = $5)
                AND (CAST($6 AS UUID) IS NULL OR batch = $6)
                AND (CAST($7 AS BIGINT) IS NULL OR updated_at >= $7)
                AND (CAST($8 AS BIGINT) IS NULL OR updated_at <= $8)
                AND (CAST($9 AS TEXT) IS NULL OR reference = $9)
                AND (CAST($10 AS TEXT) IS NULL OR identifier = $10) ",
            $path,
            $from,
            $order,
            " LIMIT $4"
        )
    };
}

/// The four ways through the list, for one access path.
macro_rules! ways {
    ($what:ident, $path:literal, $sort:expr, $direction:expr) => {
        match ($sort, $direction) {
            (Sort::CreatedDescending, Direction::Next) => statement!(
                $what,
                $path,
                " AND (team, id) > ($1, $2) AND id < $3",
                " ORDER BY id DESC"
            ),
            (Sort::CreatedDescending, Direction::Previous) => {
                statement!($what, $path, " AND (team, id) < ($1, $2) AND id > $3", " ORDER BY id")
            }
            (Sort::Updated, Direction::Next) => statement!(
                $what,
                $path,
                " AND (updated_at, id) > ($2, $3)
                  AND updated_at <= COALESCE(CAST($8 AS BIGINT), 9223372036854775807)",
                " ORDER BY updated_at, id"
            ),
            // What is older than wanted is not walked through.
            (Sort::Updated, Direction::Previous) => statement!(
                $what,
                $path,
                " AND (updated_at, id) < ($2, $3)
                  AND updated_at >= COALESCE(CAST($7 AS BIGINT), -9223372036854775807)",
                " ORDER BY updated_at DESC, id DESC"
            ),
        }
    };
}

/// In the end almost all are booked. Those in another state are found by it: as a word of the
/// statement, because PostgreSQL would take a parameter for a state that half of them are in.
macro_rules! of_state {
    ($what:ident, $state:expr, $sort:expr, $direction:expr) => {
        match $state {
            Some(ShipmentState::Failed) => ways!(
                $what,
                " AND state = 'failed' AND state IN ('failed', 'cancelled') ",
                $sort,
                $direction
            ),
            Some(ShipmentState::Cancelled) => ways!(
                $what,
                " AND state = 'cancelled' AND state IN ('failed', 'cancelled') ",
                $sort,
                $direction
            ),
            Some(ShipmentState::Pending) => {
                ways!($what, " AND state = 'pending' ", $sort, $direction)
            }
            Some(ShipmentState::Processing) => {
                ways!($what, " AND state = 'processing' ", $sort, $direction)
            }
            _ => ways!($what, "", $sort, $direction),
        }
    };
}

/// The statement for the most selective path that the filter allows, and its value.
macro_rules! chosen {
    ($what:ident, $filter:expr, $sort:expr, $direction:expr) => {
        if let Some(number) = &$filter.tracking_number {
            let text = ways!(
                $what,
                " AND id IN (SELECT shipment FROM tracking_number
                              WHERE team = $1 AND number = $11) ",
                $sort,
                $direction
            );
            (text, Some(number.as_str()))
        } else if let Some(identifier) = &$filter.identifier {
            (ways!($what, " AND identifier = $11 ", $sort, $direction), Some(identifier.as_str()))
        } else if let Some(reference) = &$filter.reference {
            (ways!($what, " AND reference = $11 ", $sort, $direction), Some(reference.as_str()))
        } else if $filter.batch.is_some() {
            (ways!($what, " AND batch = $6 ", $sort, $direction), None)
        } else {
            (of_state!($what, $filter.state, $sort, $direction), None)
        }
    };
}

/// One row more than `wanted` from the cursor on, in the direction of the cursor.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    sort: Sort,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Shipment>> {
    let direction = cursor.map_or(Direction::Next, |cursor| cursor.direction);
    let (statement, value) = chosen!(select, filter, sort, direction);
    let mut params = params(team, filter, sort, cursor, wanted + 1);
    params.extend(value.map(Param::from));
    tx.all(statement, &params)
}

/// How many of the rows that are wanted there is room for.
pub fn room(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    sort: Sort,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<usize> {
    let direction = cursor.map_or(Direction::Next, |cursor| cursor.direction);
    let (statement, value) = chosen!(sizes, filter, sort, direction);
    let mut params = params(team, filter, sort, cursor, wanted);
    params.extend(value.map(Param::from));
    Ok(fitting(&tx.all(statement, &params)?, wanted))
}

fn params<'a>(
    team: TeamId,
    filter: &'a Filter,
    sort: Sort,
    cursor: Option<Cursor>,
    limit: usize,
) -> Vec<Param<'a>> {
    let (bound, id): (Param<'_>, Uuid) = match (cursor, sort) {
        // The other end of the team. PostgreSQL takes a team for all there are when one has almost
        // all the rows, and would look for the rows of another team in the order of all ids.
        (Some(Cursor { direction: Direction::Previous, id, .. }), Sort::CreatedDescending) => {
            (Uuid::max().into(), id)
        }
        (Some(Cursor { id, .. }), Sort::CreatedDescending) => (Uuid::nil().into(), id),
        (None, Sort::CreatedDescending) => (Uuid::nil().into(), Uuid::max()),
        (Some(cursor), Sort::Updated) => (cursor.at.into(), cursor.id),
        // What is older than wanted is not walked through.
        (None, Sort::Updated) => {
            (filter.updated_since.map_or(i64::MIN, |at| at.0).into(), Uuid::nil())
        }
    };
    vec![
        team.into(),
        bound,
        id.into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
        filter.state.into(),
        filter.batch.into(),
        filter.updated_since.into(),
        filter.updated_until.into(),
        filter.reference.as_deref().into(),
        filter.identifier.as_deref().into(),
    ]
}

/// How many rows of these sizes are read: one at least. All that are wanted, if all of them fit.
pub(crate) fn fitting(sizes: &[i64], wanted: usize) -> usize {
    let mut held = 0;
    let fits = |size: &&i64| {
        held += **size;
        held <= PAGE_BYTES_MAX
    };
    match sizes.iter().take_while(fits).count() {
        all if all == sizes.len() => wanted,
        some => some.max(1),
    }
}

/// How many shipments a team has.
pub fn count(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    let count = tx.one(
        "SELECT count(*) FROM shipment WHERE team = $1 AND state <> 'deleted'",
        &[team.into()],
    )?;
    Ok(count.unwrap_or(0))
}

/// So many shipments behind the newest ones, newest first: for lists with numbered pages.
pub fn list_numbered(
    tx: &mut Tx<'_>,
    team: TeamId,
    offset: i64,
    limit: i64,
) -> Result<Vec<Shipment>> {
    // What is passed by is not read.
    tx.all(
        select!(
            "WHERE team = $1 AND id IN (
                 SELECT id FROM shipment WHERE team = $1 AND state <> 'deleted'
                  ORDER BY id DESC LIMIT $3 OFFSET $2)
             ORDER BY id DESC"
        ),
        &[team.into(), offset.into(), limit.into()],
    )
}

/// Shipments that were accepted within a time, the oldest first, after this one: for reports, which
/// go through them a page at a time.
pub fn list_created(
    tx: &mut Tx<'_>,
    team: TeamId,
    (from, to): (Time, Time),
    (after, after_id): (Time, Uuid),
    limit: i64,
) -> Result<Vec<Shipment>> {
    tx.all(
        select!(
            "WHERE team = $1 AND state <> 'deleted' AND created_at >= $2 AND created_at < $3
               AND (created_at, id) > ($4, $5)
             ORDER BY created_at, id LIMIT $6"
        ),
        &[team.into(), from.into(), to.into(), after.into(), after_id.into(), limit.into()],
    )
}

/// The two ways through the members of a batch.
macro_rules! members {
    ($what:ident, $direction:expr) => {
        match $direction {
            Direction::Next => $what!(
                "WHERE team = $1 AND batch = $2 AND batch_position > $3 AND state <> 'deleted'
                 ORDER BY batch_position LIMIT $4"
            ),
            Direction::Previous => $what!(
                "WHERE team = $1 AND batch = $2 AND batch_position < $3 AND state <> 'deleted'
                 ORDER BY batch_position DESC LIMIT $4"
            ),
        }
    };
}

/// Members of a batch in the order in which they were added: one more than `wanted` from the cursor
/// on, in its direction.
pub fn list_batch(
    tx: &mut Tx<'_>,
    team: TeamId,
    batch: BatchId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Shipment>> {
    let (direction, at) =
        cursor.map_or((Direction::Next, -1), |cursor| (cursor.direction, cursor.at));
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(members!(select, direction), &[team.into(), batch.into(), at.into(), limit.into()])
}

/// How many of the members that are wanted there is room for.
pub fn room_of_batch(
    tx: &mut Tx<'_>,
    team: TeamId,
    batch: BatchId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<usize> {
    let (direction, at) =
        cursor.map_or((Direction::Next, -1), |cursor| (cursor.direction, cursor.at));
    let limit = i64::try_from(wanted).unwrap_or(i64::MAX);
    let params = [team.into(), batch.into(), at.into(), limit.into()];
    Ok(fitting(&tx.all(members!(sizes, direction), &params)?, wanted))
}
