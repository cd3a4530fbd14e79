//! Everything that is sealed, of all teams: for sealing it anew after a change of the secret key.

use uuid::Uuid;

use crate::{FromRow, Result, Row, Tx};

/// A kind of sealed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SealedKind {
    /// The credentials of carrier accounts.
    Credentials,
    /// The signing secrets of webhooks, callbacks of batches included.
    Secrets,
}

impl SealedKind {
    /// Every kind.
    pub const ALL: [SealedKind; 2] = [SealedKind::Credentials, SealedKind::Secrets];
}

/// A sealed value and the row that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// The team of the row.
    pub team: Uuid,
    /// The row, which the value is bound to.
    pub id: Uuid,
    /// The value, as it is stored.
    pub value: Vec<u8>,
}

impl FromRow for Sealed {
    fn from_row(row: &mut Row<'_>) -> Result<Sealed> {
        Ok(Sealed { team: row.next()?, id: row.next()?, value: row.next()? })
    }
}

/// Sealed values after the row `(team, id)`, in their order. Those of deleted webhooks are gone,
/// and those of accounts of deleted teams.
pub fn any_list(
    tx: &mut Tx<'_>,
    kind: SealedKind,
    (team, id): (Uuid, Uuid),
    limit: i64,
) -> Result<Vec<Sealed>> {
    let text = match kind {
        SealedKind::Credentials => {
            "SELECT team, id, credentials FROM carrier_account
              WHERE (team, id) > ($1, $2) AND length(credentials) > 0
              ORDER BY team, id LIMIT $3"
        }
        SealedKind::Secrets => {
            "SELECT team, id, secrets FROM webhook
              WHERE (team, id) > ($1, $2) AND deleted_at IS NULL ORDER BY team, id LIMIT $3"
        }
    };
    tx.all(text, &[team.into(), id.into(), limit.into()])
}

/// Replaces a value by the same one sealed anew. False when somebody else changed it first. The row
/// does not count as changed: what it means is the same.
pub fn any_replace(tx: &mut Tx<'_>, kind: SealedKind, old: &Sealed, new: &[u8]) -> Result<bool> {
    let text = match kind {
        SealedKind::Credentials => {
            "UPDATE carrier_account SET credentials = $4
              WHERE team = $1 AND id = $2 AND credentials = $3"
        }
        SealedKind::Secrets => {
            "UPDATE webhook SET secrets = $4 WHERE team = $1 AND id = $2 AND secrets = $3"
        }
    };
    let values = [old.team.into(), old.id.into(), old.value.as_slice().into(), new.into()];
    Ok(tx.exec(text, &values)? == 1)
}
