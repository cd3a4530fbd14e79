//! Idempotency keys. A key is claimed in the transaction that accepts its request, so a request
//! is accepted once however often and however concurrently it arrives.

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::time::Time;

use crate::{Error, FromRow, Result, Row, Tx};

/// What a client repeats when it sends a request again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyClaim {
    /// The request's method.
    pub method: String,
    /// The request's path.
    pub path: String,
    /// The client's key.
    pub key: String,
    /// A hash of the request's content.
    pub fingerprint: [u8; 32],
}

/// Whether the request may go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyState {
    /// The key is new and now belongs to this request: go on.
    New,
    /// The key belongs to a request that was accepted before.
    Taken {
        /// Whether that request had the same content.
        fingerprint_matches: bool,
        /// What it made.
        resource: Option<Uuid>,
        /// The status it was answered with.
        status: u16,
        /// When it was accepted.
        accepted_at: Time,
    },
    /// A request with this key is being accepted at this moment.
    Busy,
}

/// What a key was used for before, and whether by the same content.
pub fn find(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &KeyClaim,
) -> Result<Option<(bool, Option<Uuid>)>> {
    let taken = find_taken(tx, team, request)?;
    Ok(taken.map(|taken| (taken.fingerprint == request.fingerprint, taken.resource)))
}

struct Taken {
    fingerprint: [u8; 32],
    resource: Option<Uuid>,
    status: i64,
    accepted_at: Time,
}

impl FromRow for Taken {
    fn from_row(row: &mut Row<'_>) -> Result<Taken> {
        Ok(Taken {
            fingerprint: row.next()?,
            resource: row.next()?,
            status: row.next()?,
            accepted_at: row.next()?,
        })
    }
}

/// Takes the key for this request, which makes this resource and is answered with this status, or
/// tells who has it.
pub fn claim(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &KeyClaim,
    made: (Uuid, u16),
    now: Time,
) -> Result<KeyState> {
    // A key that expires between the two statements is free again: a second try settles it.
    for _ in 0..2 {
        match insert(tx, team, request, made, now)? {
            None => return Ok(KeyState::Busy),
            Some(1) => return Ok(KeyState::New),
            Some(_) => {}
        }
        if let Some(taken) = find_taken(tx, team, request)? {
            let status = u16::try_from(taken.status);
            return Ok(KeyState::Taken {
                fingerprint_matches: taken.fingerprint == request.fingerprint,
                resource: taken.resource,
                status: status
                    .map_err(|_| Error::Broken("a stored status is not one of HTTP".to_owned()))?,
                accepted_at: taken.accepted_at,
            });
        }
    }
    Ok(KeyState::Busy)
}

/// Frees up to `limit` keys that were accepted before this time, oldest first.
pub fn any_delete_expired(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT team, method, path, key FROM idempotency
              WHERE accepted_at < $1 ORDER BY accepted_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM idempotency
          WHERE (team, method, path, key) IN (SELECT team, method, path, key FROM old)",
        &[before.into(), limit.into()],
    )
}

/// On PostgreSQL a second request with the key waits here until the first commits.
fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &KeyClaim,
    (resource, status): (Uuid, u16),
    now: Time,
) -> Result<Option<u64>> {
    tx.exec_unless_locked(
        "INSERT INTO idempotency (team, method, path, key, fingerprint, resource, status,
                                  accepted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (team, method, path, key) DO NOTHING",
        &[
            team.into(),
            (&request.method).into(),
            (&request.path).into(),
            (&request.key).into(),
            (&request.fingerprint).into(),
            resource.into(),
            i64::from(status).into(),
            now.into(),
        ],
    )
}

fn find_taken(tx: &mut Tx<'_>, team: TeamId, request: &KeyClaim) -> Result<Option<Taken>> {
    tx.one(
        "SELECT fingerprint, resource, status, accepted_at FROM idempotency
          WHERE team = $1 AND method = $2 AND path = $3 AND key = $4",
        &[team.into(), (&request.method).into(), (&request.path).into(), (&request.key).into()],
    )
}
