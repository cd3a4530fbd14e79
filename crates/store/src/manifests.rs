//! End-of-day manifests. A shipment is on one at most, and only what was booked can be on one.

use uuid::Uuid;
use waybill_domain::ids::{ManifestId, ShipmentId, TeamId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;

use crate::{FromRow, Param, Result, Row, Tx};

/// A manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// Its id.
    pub id: ManifestId,
    /// The carrier whose day it closes.
    pub carrier_code: String,
    /// How many shipments are on it.
    pub shipment_count: i64,
    /// How many parcels they have.
    pub parcel_count: i64,
    /// When it was made.
    pub created_at: Time,
}

impl FromRow for Manifest {
    fn from_row(row: &mut Row<'_>) -> Result<Manifest> {
        Ok(Manifest {
            id: row.next()?,
            carrier_code: row.next()?,
            shipment_count: row.next()?,
            parcel_count: row.next()?,
            created_at: row.next()?,
        })
    }
}

/// Adds a manifest. Its shipments are [`put_on`] it in the same transaction.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, manifest: &Manifest) -> Result<()> {
    tx.exec(
        "INSERT INTO manifest (team, id, carrier_code, shipment_count, parcel_count, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            team.into(),
            manifest.id.into(),
            (&manifest.carrier_code).into(),
            manifest.shipment_count.into(),
            manifest.parcel_count.into(),
            manifest.created_at.into(),
        ],
    )?;
    Ok(())
}

/// As many shipments as one statement puts on a manifest.
const SHIPMENTS: usize = 16;

/// Puts shipments on a manifest. False when one is on another already, or not booked any more.
pub fn put_on(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ManifestId,
    shipments: &[ShipmentId],
) -> Result<bool> {
    for some in shipments.chunks(SHIPMENTS) {
        // The last one fills the places that are left.
        let padded = some.iter().chain(std::iter::repeat(&some[some.len() - 1])).take(SHIPMENTS);
        let mut params: Vec<Param<'_>> = vec![team.into(), id.into()];
        params.extend(padded.map(|shipment| Param::from(*shipment)));
        let rows = tx.exec(
            "UPDATE shipment SET manifest = $2
              WHERE team = $1 AND state = 'booked' AND manifest IS NULL
                AND id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                           $18)",
            &params,
        )?;
        if rows != some.len() as u64 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is booked with the carrier and on no manifest, the oldest first.
pub fn list_to_close(
    tx: &mut Tx<'_>,
    team: TeamId,
    carrier_code: &str,
    limit: i64,
) -> Result<Vec<ShipmentId>> {
    tx.all(
        "SELECT id FROM shipment
          WHERE team = $1 AND carrier_code = $2 AND state = 'booked' AND manifest IS NULL
          ORDER BY id LIMIT $3",
        &[team.into(), carrier_code.into(), limit.into()],
    )
}

/// The manifest that a shipment is on.
pub fn find_of(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
) -> Result<Option<Option<ManifestId>>> {
    tx.one(
        "SELECT manifest FROM shipment WHERE team = $1 AND id = $2 AND state <> 'deleted'",
        &[team.into(), shipment.into()],
    )
}

/// The team's manifest.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: ManifestId) -> Result<Option<Manifest>> {
    tx.one(
        "SELECT id, carrier_code, shipment_count, parcel_count, created_at
           FROM manifest WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// The team's manifests, newest first: one more than `wanted` from the cursor on.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Manifest>> {
    let text = match cursor.map_or(Direction::Next, |cursor| cursor.direction) {
        Direction::Next => {
            "SELECT id, carrier_code, shipment_count, parcel_count, created_at
               FROM manifest WHERE team = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
        }
        Direction::Previous => {
            "SELECT id, carrier_code, shipment_count, parcel_count, created_at
               FROM manifest WHERE team = $1 AND id > $2 ORDER BY id LIMIT $3"
        }
    };
    let from = cursor.map_or(Uuid::max(), |cursor| cursor.id);
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(text, &[team.into(), from.into(), limit.into()])
}
