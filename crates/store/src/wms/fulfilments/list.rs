//! The list of requests, newest first: as many rows as there is room for.

use waybill_domain::ids::TeamId;
use waybill_domain::page::Cursor;
use waybill_domain::wms::RequestState;

use super::super::pages::newest_first;
use super::{Fulfilment, select};
use crate::shipments::fitting;
use crate::{Param, Result, Tx};

/// What a list is limited to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// In this state.
    pub state: Option<RequestState>,
    /// With this identifier.
    pub identifier: Option<String>,
    /// With this reference.
    pub reference: Option<String>,
}

/// How many bytes each row holds, found without reading them.
macro_rules! sizes {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT CAST(octet_length(lines) + octet_length(input) AS BIGINT)
               FROM wms_fulfilment ",
            $($rest),+
        )
    };
}

/// The statement for the narrowest filter, which chooses the index; the others look at what that
/// finds.
macro_rules! chosen {
    ($what:ident, $filter:expr, $direction:expr) => {{
        macro_rules! page {
            ($path:literal) => {
                newest_first!($what, $path, $direction)
            };
        }
        match $filter {
            Filter { identifier: Some(_), .. } => page!(
                " AND identifier = $5 AND identifier IS NOT NULL
                  AND (CAST($6 AS TEXT) IS NULL OR reference = $6)
                  AND (CAST($7 AS TEXT) IS NULL OR state = $7)"
            ),
            Filter { reference: Some(_), .. } => page!(
                " AND reference = $6 AND reference IS NOT NULL
                  AND (CAST($5 AS TEXT) IS NULL OR identifier = $5)
                  AND (CAST($7 AS TEXT) IS NULL OR state = $7)"
            ),
            Filter { state: Some(_), .. } => {
                page!(" AND state = $7 AND CAST($5 AS TEXT) IS NULL AND CAST($6 AS TEXT) IS NULL")
            }
            _ => page!(
                " AND CAST($5 AS TEXT) IS NULL AND CAST($6 AS TEXT) IS NULL
                  AND CAST($7 AS TEXT) IS NULL"
            ),
        }
    }};
}

/// One request more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Fulfilment>> {
    let (direction, ..) = Cursor::between(cursor);
    let statement = chosen!(select, filter, direction);
    tx.all(statement, &params(team, filter, cursor, wanted + 1))
}

/// How many of the rows that are wanted there is room for.
pub fn room(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<usize> {
    let (direction, ..) = Cursor::between(cursor);
    let statement = chosen!(sizes, filter, direction);
    Ok(fitting(&tx.all(statement, &params(team, filter, cursor, wanted))?, wanted))
}

fn params(team: TeamId, filter: &Filter, cursor: Option<Cursor>, limit: usize) -> [Param<'_>; 7] {
    let (_, id, bound) = Cursor::between(cursor);
    [
        team.into(),
        id.into(),
        bound.into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
        filter.identifier.as_deref().into(),
        filter.reference.as_deref().into(),
        filter.state.map(RequestState::name).into(),
    ]
}
