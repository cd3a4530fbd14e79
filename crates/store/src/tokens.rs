//! API tokens. Only a hash is kept, so a copy of the database lets nobody in. A token that expired
//! or was revoked is still found: the caller checks it by the time it was handed.

use std::time::Duration;

use waybill_domain::access::Role;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{TeamId, TokenId, UserId};
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;

use crate::users::User;
use crate::{FromRow, Result, Row, Tx, audit};

/// How coarse `last_used_at` is: a busy token costs one write in this time.
pub const TOUCH: Duration = Duration::from_mins(10);

/// An API token without its secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its id.
    pub id: TokenId,
    /// Whose it is.
    pub user: UserId,
    /// The only team that it is good for; none where it is good for all of its user.
    pub team: Option<TeamId>,
    /// How it is shown.
    pub name: String,
    /// What it allows, separated by spaces.
    pub scopes: String,
    /// When it ends by itself.
    pub expires_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last used, within ten minutes.
    pub last_used_at: Option<Time>,
    /// When it was revoked.
    pub revoked_at: Option<Time>,
}

impl FromRow for Token {
    fn from_row(row: &mut Row<'_>) -> Result<Token> {
        Ok(Token {
            id: row.next()?,
            user: row.next()?,
            team: row.next()?,
            name: row.next()?,
            scopes: row.next()?,
            expires_at: row.next()?,
            created_at: row.next()?,
            last_used_at: row.next()?,
            revoked_at: row.next()?,
        })
    }
}

/// A team that a user is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// The team.
    pub team: TeamId,
    /// What the user may do there.
    pub role: Role,
    /// The language of messages to the team.
    pub language: String,
    /// The team's name in addresses.
    pub domain: String,
}

impl FromRow for Membership {
    fn from_row(row: &mut Row<'_>) -> Result<Membership> {
        Ok(Membership {
            team: row.next()?,
            role: row.next()?,
            language: row.next()?,
            domain: row.next()?,
        })
    }
}

/// A token with all that is needed to check a request made with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bearer {
    /// The token.
    pub token: Token,
    /// Its user.
    pub user: User,
    /// The user's teams.
    pub memberships: Vec<Membership>,
}

/// Adds a token. A second one with the same hash is a conflict with `token_hash`.
pub fn insert(tx: &mut Tx<'_>, token: &Token, hash: &[u8]) -> Result<()> {
    tx.exec(
        "INSERT INTO token (id, user_id, name, hash, scopes, expires_at, created_at,
                            last_used_at, revoked_at, team)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            token.id.into(),
            token.user.into(),
            (&token.name).into(),
            hash.into(),
            (&token.scopes).into(),
            token.expires_at.into(),
            token.created_at.into(),
            token.last_used_at.into(),
            token.revoked_at.into(),
            token.team.into(),
        ],
    )?;
    Ok(())
}

/// Adds a token, and writes that down.
pub fn any_make(tx: &mut Tx<'_>, token: &Token, hash: &[u8], act: &Act) -> Result<()> {
    insert(tx, token, hash)?;
    any_note(tx, token, (Action::TokenCreated, act))
}

/// Writes down what was done to a token: in the team that it is bound to, or in all of its user's.
pub fn any_note(tx: &mut Tx<'_>, token: &Token, (action, act): (Action, &Act)) -> Result<()> {
    let subject = Subject::named("token", token.id, &token.name);
    let changes = match action {
        Action::TokenCreated => Changes::none()
            .and("scopes", Json::Null, (&*token.scopes).into())
            .and("expires_at", Json::Null, token.expires_at.map(Json::text).into()),
        _ => Changes::none(),
    };
    match token.team {
        Some(team) => audit::insert(tx, team, act, (action, &subject), &changes),
        None => audit::any_insert_for_user(tx, token.user, act, (action, &subject), &changes),
    }
}

/// The token with this hash, its user and the user's teams.
pub fn any_find_by_hash(tx: &mut Tx<'_>, hash: &[u8]) -> Result<Option<Bearer>> {
    let found = tx.one::<(Token, User)>(
        "SELECT token.id, token.user_id, token.team, token.name, token.scopes, token.expires_at,
                token.created_at, token.last_used_at, token.revoked_at,
                app_user.id, app_user.name, app_user.email, app_user.language,
                app_user.is_operator, app_user.created_at
           FROM token JOIN app_user ON app_user.id = token.user_id
          WHERE token.hash = $1 AND app_user.deleted_at IS NULL",
        &[hash.into()],
    )?;
    let Some((token, user)) = found else { return Ok(None) };
    let memberships = tx.all(
        "SELECT member.team, member.role, team.language, team.domain
           FROM member JOIN team ON team.id = member.team
          WHERE member.user_id = $1 ORDER BY member.team",
        &[user.id.into()],
    )?;
    Ok(Some(Bearer { token, user, memberships }))
}

/// The user's tokens, oldest first, revoked ones included.
pub fn any_list_of_user(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<Token>> {
    tx.all(
        "SELECT id, user_id, team, name, scopes, expires_at, created_at, last_used_at, revoked_at
           FROM token WHERE user_id = $1 ORDER BY id",
        &[user.into()],
    )
}

/// A token that has not been revoked.
pub fn any_find(tx: &mut Tx<'_>, id: TokenId) -> Result<Option<Token>> {
    tx.one(
        "SELECT id, user_id, team, name, scopes, expires_at, created_at, last_used_at, revoked_at
           FROM token WHERE id = $1 AND revoked_at IS NULL",
        &[id.into()],
    )
}

/// A token that is good in the team, unless it was revoked, with the name of its user: one that is
/// bound to the team, or one of a member that is bound to none.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: TokenId) -> Result<Option<(Token, String)>> {
    tx.one(
        "SELECT token.id, token.user_id, token.team, token.name, token.scopes, token.expires_at,
                token.created_at, token.last_used_at, token.revoked_at, app_user.name
           FROM token JOIN app_user ON app_user.id = token.user_id
          WHERE token.id = $2 AND token.revoked_at IS NULL
            AND (token.team = $1 OR (token.team IS NULL AND EXISTS (
                  SELECT 1 FROM member
                   WHERE member.team = $1 AND member.user_id = token.user_id)))",
        &[team.into(), id.into()],
    )
}

macro_rules! of_team {
    ($rest:literal) => {
        concat!(
            "SELECT token.id, token.user_id, token.team, token.name, token.scopes,
                    token.expires_at, token.created_at, token.last_used_at, token.revoked_at,
                    app_user.name
               FROM token JOIN app_user ON app_user.id = token.user_id
              WHERE token.revoked_at IS NULL AND token.id IN (
                      SELECT id FROM token WHERE team = $1
                      UNION ALL
                      SELECT own.id FROM member JOIN token AS own ON own.user_id = member.user_id
                       WHERE member.team = $1 AND own.team IS NULL) ",
            $rest
        )
    };
}

/// Tokens that are good in the team, with the names of their users: one more than `wanted` from the
/// cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<(Token, String)>> {
    let (direction, id, _) = Cursor::between(cursor);
    let statement = match direction {
        Direction::Next => of_team!("AND token.id < $2 ORDER BY token.id DESC LIMIT $3"),
        Direction::Previous => of_team!("AND token.id > $2 ORDER BY token.id LIMIT $3"),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), id.into(), limit.into()])
}

/// The lines of tokens that end with something else are numbered from here on. Families of apps
/// have the lines before.
const TOKENS_FROM: usize = 1 << 20;
/// The same of tokens that are bound to no team.
const UNBOUND_FROM: usize = TOKENS_FROM + (1 << 19);

/// Ends the tokens which these words find: `$1` is the moment.
macro_rules! end {
    ($which:literal) => {
        concat!(
            "UPDATE token SET revoked_at = $1 WHERE revoked_at IS NULL AND ",
            $which,
            " RETURNING id, user_id, team, name, scopes, expires_at, created_at, last_used_at,
                        revoked_at"
        )
    };
}

/// Ends all tokens of the user that are bound to the team, and writes down which.
pub fn revoke_of_member(tx: &mut Tx<'_>, team: TeamId, user: UserId, act: &Act) -> Result<()> {
    let of = [act.at.into(), team.into(), user.into()];
    let ended = tx.all(end!("team = $2 AND user_id = $3"), &of)?;
    note_revoked(tx, ended, TOKENS_FROM, act)
}

/// Ends all tokens that are bound to the team, and writes down which.
pub fn revoke_of_team(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<()> {
    let ended = tx.all(end!("team = $2"), &[act.at.into(), team.into()])?;
    note_revoked(tx, ended, TOKENS_FROM, act)
}

/// Ends all tokens of the user that are bound to no team, and writes down which, in each team that
/// the user is in.
pub fn any_revoke_unbound(tx: &mut Tx<'_>, user: UserId, act: &Act) -> Result<()> {
    let ended = tx.all(end!("team IS NULL AND user_id = $2"), &[act.at.into(), user.into()])?;
    note_revoked(tx, ended, UNBOUND_FROM, act)
}

fn note_revoked(tx: &mut Tx<'_>, ended: Vec<Token>, first_line: usize, act: &Act) -> Result<()> {
    // One that had ended by itself let nobody in any more. There may be any number of those.
    let was_good = |token: &Token| token.expires_at.is_none_or(|at| at > act.at);
    let mut good: Vec<Token> = ended.into_iter().filter(was_good).collect();
    good.sort_by_key(|token| token.id);
    for (number, token) in good.iter().enumerate() {
        any_note(tx, token, (Action::TokenRevoked, &act.line(first_line + number)))?;
    }
    Ok(())
}

/// Ends the token. False when there is none or it was revoked before.
pub fn any_revoke(tx: &mut Tx<'_>, id: TokenId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE token SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
        &[id.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Notes that the token was used, unless that was noted less than ten minutes ago.
pub fn any_touch(tx: &mut Tx<'_>, id: TokenId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE token SET last_used_at = $2
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        &[id.into(), now.into(), now.minus(TOUCH).into()],
    )?;
    Ok(rows == 1)
}
