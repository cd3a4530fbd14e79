//! Labels that were printed as one file: which they were, for as long as the link to it is good.

use uuid::Uuid;
use waybill_domain::ids::{ShipmentId, TeamId, parse_uuid};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// Whose labels were combined, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combination {
    /// Its id.
    pub id: Uuid,
    /// The team.
    pub team: TeamId,
    /// The shipments.
    pub shipments: Vec<ShipmentId>,
    /// When the link to the file ends.
    pub expires_at: Time,
}

impl FromRow for Combination {
    fn from_row(row: &mut Row<'_>) -> Result<Combination> {
        let (id, team) = (row.next()?, row.next()?);
        let read = |text: &str| {
            let ids = text.split_terminator(' ');
            ids.map(|id| parse_uuid(id).map(ShipmentId)).collect()
        };
        let shipments = row.word(("legacy_combination", id), "shipments", read)?;
        Ok(Combination { id, team, shipments, expires_at: row.next()? })
    }
}

/// Adds one.
pub fn insert(tx: &mut Tx<'_>, combination: &Combination) -> Result<()> {
    let shipments: Vec<String> = combination.shipments.iter().map(ShipmentId::to_string).collect();
    tx.exec(
        "INSERT INTO legacy_combination (team, id, shipments, expires_at) VALUES ($1, $2, $3, $4)",
        &[
            combination.team.into(),
            combination.id.into(),
            shipments.join(" ").into(),
            combination.expires_at.into(),
        ],
    )?;
    Ok(())
}

/// One, for a caller whose signed URL was checked: the URL stands for the team.
pub fn any_find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<Combination>> {
    tx.one(
        "SELECT id, team, shipments, expires_at FROM legacy_combination WHERE id = $1",
        &[id.into()],
    )
}

/// Removes up to `limit` whose links ended before this time, and tells how many.
pub fn any_delete_expired(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT team, id FROM legacy_combination
              WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM legacy_combination WHERE (team, id) IN (SELECT team, id FROM old)",
        &[before.into(), limit.into()],
    )
}
