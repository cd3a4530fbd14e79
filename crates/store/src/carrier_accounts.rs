//! A team's accounts with carriers. Credentials are sealed before they come here: the store never
//! sees them open.

use waybill_domain::ids::{AccountId, ShipmentId, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::time::Time;

use crate::{Error, FromRow, Result, Row, Tx};

/// An account with a carrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The carrier.
    pub carrier_code: String,
    /// How it is shown.
    pub name: String,
    /// Whether new shipments can be booked with it.
    pub is_active: bool,
    /// The team's choices, as JSON.
    pub options: String,
    /// The sealed credentials.
    pub credentials: Vec<u8>,
    /// When it was added.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

impl Account {
    /// The team's choices.
    pub fn read_options(&self) -> Result<Json> {
        let unreadable =
            |_| Error::Broken(format!("the options of the account {} cannot be read", self.id));
        parse(self.options.as_bytes()).map_err(unreadable)
    }
}

impl FromRow for Account {
    fn from_row(row: &mut Row<'_>) -> Result<Account> {
        Ok(Account {
            id: row.next()?,
            carrier_code: row.next()?,
            name: row.next()?,
            is_active: row.next()?,
            options: row.next()?,
            credentials: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// Adds an account.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, account: &Account) -> Result<()> {
    tx.exec(
        "INSERT INTO carrier_account (team, id, carrier_code, name, is_active, options,
                                      credentials, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            team.into(),
            account.id.into(),
            (&account.carrier_code).into(),
            (&account.name).into(),
            account.is_active.into(),
            (&account.options).into(),
            account.credentials.as_slice().into(),
            account.created_at.into(),
            account.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The team's account.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: AccountId) -> Result<Option<Account>> {
    tx.one(
        "SELECT id, carrier_code, name, is_active, options, credentials, created_at, updated_at
           FROM carrier_account WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// An account and whose it is, for a carrier that knows it by its id alone.
pub fn any_find(tx: &mut Tx<'_>, id: AccountId) -> Result<Option<(TeamId, Account)>> {
    tx.one(
        "SELECT team, id, carrier_code, name, is_active, options, credentials, created_at,
                updated_at
           FROM carrier_account WHERE id = $1 LIMIT 1",
        &[id.into()],
    )
}

/// The account that a booking with this carrier uses: the active one that was added first.
pub fn find_active(tx: &mut Tx<'_>, team: TeamId, carrier_code: &str) -> Result<Option<Account>> {
    tx.one(
        "SELECT id, carrier_code, name, is_active, options, credentials, created_at, updated_at
           FROM carrier_account WHERE team = $1 AND carrier_code = $2 AND is_active = $3
          ORDER BY id LIMIT 1",
        &[team.into(), carrier_code.into(), true.into()],
    )
}

/// Up to so many active accounts with this carrier of any team: those that were added after this
/// one, oldest first.
pub fn any_list_active(
    tx: &mut Tx<'_>,
    carrier_code: &str,
    after: AccountId,
    limit: i64,
) -> Result<Vec<Account>> {
    tx.all(
        "SELECT id, carrier_code, name, is_active, options, credentials, created_at, updated_at
           FROM carrier_account
          WHERE carrier_code = $1 AND is_active = $2 AND id > $3 AND length(credentials) > 0
          ORDER BY id LIMIT $4",
        &[carrier_code.into(), true.into(), after.into(), limit.into()],
    )
}

/// The team's accounts, oldest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<Account>> {
    tx.all(
        "SELECT id, carrier_code, name, is_active, options, credentials, created_at, updated_at
           FROM carrier_account WHERE team = $1 ORDER BY id",
        &[team.into()],
    )
}

/// The carriers with which the team has an active account.
pub fn list_active_carriers(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<String>> {
    tx.all(
        "SELECT DISTINCT carrier_code FROM carrier_account
          WHERE team = $1 AND is_active = $2 ORDER BY carrier_code",
        &[team.into(), true.into()],
    )
}

/// The accounts of all teams that were not deleted, oldest first.
pub fn any_list(tx: &mut Tx<'_>) -> Result<Vec<Account>> {
    tx.all(
        "SELECT id, carrier_code, name, is_active, options, credentials, created_at, updated_at
           FROM carrier_account WHERE length(credentials) > 0 ORDER BY id",
        &[],
    )
}

/// Replaces what may change of an account. False when there is none, or its team was deleted.
pub fn replace(tx: &mut Tx<'_>, team: TeamId, account: &Account) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE carrier_account
            SET name = $3, is_active = $4, options = $5, credentials = $6, updated_at = $7
          WHERE team = $1 AND id = $2 AND length(credentials) > 0",
        &[
            team.into(),
            account.id.into(),
            (&account.name).into(),
            account.is_active.into(),
            (&account.options).into(),
            account.credentials.as_slice().into(),
            account.updated_at.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Whether any shipment was booked with the account: it can then not be deleted.
pub fn is_used(tx: &mut Tx<'_>, team: TeamId, id: AccountId) -> Result<bool> {
    let found: Option<ShipmentId> = tx.one(
        "SELECT id FROM shipment WHERE team = $1 AND account = $2 LIMIT 1",
        &[team.into(), id.into()],
    )?;
    Ok(found.is_some())
}

/// Deletes the account. False when there is none.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: AccountId) -> Result<bool> {
    let rows = tx.exec(
        "DELETE FROM carrier_account WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(rows == 1)
}
