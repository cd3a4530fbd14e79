//! Hints between servers on one PostgreSQL: "something about this changed". They are only hints:
//! whoever waits looks for itself now and then, and nothing depends on one that is lost.

use uuid::Uuid;

use crate::{Result, Tx};

/// Begins to hear them on a connection.
pub(crate) const LISTEN: &str = "LISTEN waybill_hint";
/// PostgreSQL takes up to 8,000 bytes; an id and a comma have 37.
const IDS_MAX: usize = 200;

/// Tells all servers, when this transaction is committed.
pub fn send(tx: &mut Tx<'_>, subjects: &[Uuid]) -> Result<()> {
    for part in subjects.chunks(IDS_MAX) {
        let ids: Vec<String> = part.iter().map(Uuid::to_string).collect();
        let sql = "SELECT CAST(1 AS BIGINT) FROM pg_notify('waybill_hint', $1)";
        tx.one::<i64>(sql, &[ids.join(",").into()])?;
    }
    Ok(())
}

/// The subjects of a hint. What is not an id was not sent by us.
pub(crate) fn parse(payload: &str) -> impl Iterator<Item = Uuid> {
    payload.split(',').filter_map(|id| id.parse().ok())
}
