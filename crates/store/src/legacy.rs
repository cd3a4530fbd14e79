//! Shipments that came by the first version of the API. Its clients have no keys: a request that
//! comes again is known by its fingerprint, and one shipment at most is open for a fingerprint. The
//! index `legacy_booking_open` decides, on whichever server the requests arrive.

mod combinations;

pub use combinations::{
    Combination, any_delete_expired as any_delete_expired_combinations,
    any_find as any_find_combination, insert as insert_combination,
};

use waybill_domain::idempotency::Fingerprint;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::time::Time;

use crate::{FromRow, Param, Result, Row, Tx};

/// What is kept beside a shipment.
#[derive(Clone, PartialEq, Debug)]
pub struct LegacyBooking {
    /// The shipment.
    pub shipment: ShipmentId,
    /// Whether it came by a demo path.
    pub is_demo: bool,
    /// The carrier that was asked for.
    pub carrier: String,
    /// The method that was asked for.
    pub method: String,
    /// What was sent.
    pub kept: Json,
}

impl FromRow for LegacyBooking {
    fn from_row(row: &mut Row<'_>) -> Result<LegacyBooking> {
        let shipment: ShipmentId = row.next()?;
        let (is_demo, carrier, method) = (row.next()?, row.next()?, row.next()?);
        let read = |text: &str| parse(text.as_bytes()).ok();
        let kept = row.word(("legacy_booking", shipment.into()), "kept body", read)?;
        Ok(LegacyBooking { shipment, is_demo, carrier, method, kept })
    }
}

/// The newest shipment of requests with this fingerprint: when it was made, and when its label was
/// taken.
pub fn find_open(
    tx: &mut Tx<'_>,
    team: TeamId,
    fingerprint: &Fingerprint,
) -> Result<Option<(ShipmentId, Time, Option<Time>)>> {
    tx.one(
        "SELECT shipment, created_at, answered_at FROM legacy_booking
          WHERE team = $1 AND fingerprint = $2 AND fingerprint IS NOT NULL",
        &[team.into(), fingerprint.into()],
    )
}

/// Adds what is kept beside a shipment that was just added, open for this fingerprint if there is
/// one. False when another one is: then the shipment must not be committed.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    booking: &LegacyBooking,
    fingerprint: Option<&Fingerprint>,
    now: Time,
) -> Result<bool> {
    // Who holds the fingerprint and has not committed yet may keep us waiting for too long.
    let added = tx.exec_unless_locked(
        "INSERT INTO legacy_booking (team, shipment, fingerprint, is_demo, carrier, method, kept,
                                     created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT DO NOTHING",
        &[
            team.into(),
            booking.shipment.into(),
            fingerprint.map(Fingerprint::as_slice).into(),
            booking.is_demo.into(),
            (&booking.carrier).into(),
            (&booking.method).into(),
            booking.kept.to_string().into(),
            now.into(),
        ],
    )?;
    Ok(added == Some(1))
}

/// From now on the same request is a new shipment.
pub fn close(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<()> {
    tx.exec(
        "UPDATE legacy_booking SET fingerprint = NULL WHERE team = $1 AND shipment = $2",
        &[team.into(), shipment.into()],
    )?;
    Ok(())
}

/// Notes that all of a label has gone out. The first time counts.
pub fn set_answered(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE legacy_booking SET answered_at = COALESCE(answered_at, $3)
          WHERE team = $1 AND shipment = $2",
        &[team.into(), shipment.into(), now.into()],
    )?;
    Ok(())
}

/// What is kept beside one shipment.
pub fn find(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Option<LegacyBooking>> {
    tx.one(
        "SELECT shipment, is_demo, carrier, method, kept FROM legacy_booking
          WHERE team = $1 AND shipment = $2",
        &[team.into(), shipment.into()],
    )
}

/// As many shipments as one statement asks for: a page of them.
const ASKED: usize = 15;

/// What is kept beside those of these shipments that have something, in no order.
pub fn list_of(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipments: &[ShipmentId],
) -> Result<Vec<LegacyBooking>> {
    let mut found = Vec::new();
    for some in shipments.chunks(ASKED) {
        // The last one fills the places that are left.
        let last = some[some.len() - 1];
        let padded = some.iter().copied().chain(std::iter::repeat(last)).take(ASKED);
        let params: Vec<Param<'_>> =
            std::iter::once(team.into()).chain(padded.map(Param::from)).collect();
        found.extend(tx.all::<LegacyBooking>(
            "SELECT shipment, is_demo, carrier, method, kept FROM legacy_booking
              WHERE team = $1
                AND shipment IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                                $16)",
            &params,
        )?);
    }
    Ok(found)
}

/// Erases what is kept beside a shipment, because the shipment itself is erased.
pub(crate) fn delete(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<()> {
    tx.exec_later(
        "DELETE FROM legacy_booking WHERE team = $1 AND shipment = $2",
        &[team.into(), shipment.into()],
    )
}
