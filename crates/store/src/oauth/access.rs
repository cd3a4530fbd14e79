//! Access tokens of apps. One that expired or was revoked is still found: the caller checks it by
//! the time it was handed.

use waybill_domain::ids::{GrantId, OAuthClientId, TeamId, TokenId, UserId};
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::members::Role;
use crate::tokens::Membership;
use crate::users::User;
use crate::{FromRow, Result, Row, Tx};

/// An access token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessToken {
    /// Its id.
    pub id: TokenId,
    /// Whose it is.
    pub client: OAuthClientId,
    /// The one team in which it is good.
    pub team: TeamId,
    /// Its family; none when the client acts for itself.
    pub grant: Option<GrantId>,
    /// What it allows, separated by spaces.
    pub scopes: String,
    /// When it was given.
    pub created_at: Time,
    /// When it ends by itself.
    pub expires_at: Time,
    /// When it was revoked.
    pub revoked_at: Option<Time>,
}

impl FromRow for AccessToken {
    fn from_row(row: &mut Row<'_>) -> Result<AccessToken> {
        Ok(AccessToken {
            id: row.next()?,
            client: row.next()?,
            team: row.next()?,
            grant: row.next()?,
            scopes: row.next()?,
            created_at: row.next()?,
            expires_at: row.next()?,
            revoked_at: row.next()?,
        })
    }
}

/// A token with all that is needed to check a request made with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppBearer {
    /// The token.
    pub token: AccessToken,
    /// What the app calls itself.
    pub client_id: String,
    /// The app's name.
    pub client_name: String,
    /// For whom it acts; none when it acts for itself.
    pub user: Option<User>,
    /// Its one team; none when its user has left that.
    pub membership: Option<Membership>,
}

impl FromRow for AppBearer {
    fn from_row(row: &mut Row<'_>) -> Result<AppBearer> {
        let token: AccessToken = row.next()?;
        let (client_id, client_name, own_role) = (row.next()?, row.next()?, row.next()?);
        let (language, domain) = (row.next()?, row.next()?);
        let named: (Option<UserId>, Option<String>, Option<String>) = row.next()?;
        let more: (Option<String>, Option<Time>, Option<Role>) = row.next()?;
        let role: Option<Role> = if token.grant.is_some() { more.2 } else { own_role };
        let user = match (named, more) {
            ((Some(id), Some(name), Some(email)), (Some(language), Some(created_at), _)) => {
                Some(User { id, name, email, language, is_operator: false, created_at })
            }
            _ => None,
        };
        let membership = role.map(|role| Membership { team: token.team, role, language, domain });
        Ok(AppBearer { token, client_id, client_name, user, membership })
    }
}

/// Adds a token.
pub fn insert(tx: &mut Tx<'_>, token: &AccessToken, hash: &TokenHash) -> Result<()> {
    tx.exec(
        "INSERT INTO oauth_access_token (id, hash, client, team, grant_id, scopes, created_at,
                                         expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            token.id.into(),
            hash.into(),
            token.client.into(),
            token.team.into(),
            token.grant.into(),
            (&token.scopes).into(),
            token.created_at.into(),
            token.expires_at.into(),
        ],
    )?;
    Ok(())
}

/// The token with this hash, whose it is and what that may do in its team, in one statement.
pub fn any_find_by_hash(tx: &mut Tx<'_>, hash: &TokenHash) -> Result<Option<AppBearer>> {
    tx.one(
        "SELECT token.id, token.client, token.team, token.grant_id, token.scopes, token.created_at,
                token.expires_at, token.revoked_at, app.client_id, app.name, app.role,
                team.language, team.domain, who.id, who.name, who.email, who.language,
                who.created_at, member.role
           FROM oauth_access_token AS token
           JOIN oauth_client AS app ON app.id = token.client
           JOIN team ON team.id = token.team
           LEFT JOIN oauth_grant AS given ON given.id = token.grant_id
           LEFT JOIN app_user AS who ON who.id = given.user_id
           LEFT JOIN member ON member.team = token.team AND member.user_id = given.user_id
          WHERE token.hash = $1 AND app.deleted_at IS NULL",
        &[hash.into()],
    )
}

/// Ends a token of the client, and nothing else. False when it has none with this hash.
pub fn any_revoke(
    tx: &mut Tx<'_>,
    client: OAuthClientId,
    hash: &TokenHash,
    now: Time,
) -> Result<bool> {
    let ended = tx.exec(
        "UPDATE oauth_access_token SET revoked_at = $3
          WHERE hash = $1 AND client = $2 AND revoked_at IS NULL",
        &[hash.into(), client.into(), now.into()],
    )?;
    Ok(ended == 1)
}

/// Removes tokens that expired before this time.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM oauth_access_token WHERE id IN (
           SELECT id FROM oauth_access_token WHERE expires_at < $1 LIMIT $2)",
        &[before.into(), limit.into()],
    )
}
