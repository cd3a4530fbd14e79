//! Tokens that are good in a team. One that is made here belongs to its maker and is bound to the
//! team; the secret is shown once.

use axum::http::StatusCode;
use waybill_domain::access::Scopes;
use waybill_domain::audit::Action;
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::ids::TokenId;
use waybill_domain::json::Json;
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::time::Time;
use waybill_domain::token;
use waybill_domain::words::Message;
use waybill_store::tokens::{self, Token};
use waybill_store::{Tx, quotas};

use super::caller::{Caller, Member};
use super::given_scopes::{maker, read_scopes};
use super::lists::NewestFirst;
use super::members::still_admin;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, find_claim, run_idempotent};

/// The longest life of a token that ends.
const YEARS_MAX: i64 = 5;

/// `GET …/tokens`, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let page = NewestFirst::read(&request, member, "listTokens")?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| tokens::list(tx, member.team, cursor, wanted)).await?;
    let view = |(row, user): &(Token, String)| view(row, user);
    let body = page.envelope(&request, member, rows, |(row, _)| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/tokens`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let who = request.who.clone();
    let who = who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?;
    let user = maker(&who)?.clone();
    if let Some(claim) = claim.clone() {
        // What was a moment in the future then may be past now.
        let before = request.read(move |tx| find_claim(tx, member.team, &claim)).await?;
        if let Some(before) = before {
            return replay(&request, member, TokenId(before)).await;
        }
    }
    let now = request.now;
    let read = |fields: &Fields| TokenInput::read(fields, &who, now);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let secret = token::generate(request.app.ids().as_ref());
    let hash = token::hash(secret.expose());
    let hash = hash.ok_or_else(|| ApiError::Internal("a token is not one".to_owned()))?;
    let id = TokenId(request.app.new_uuid());
    let row = Token {
        id,
        user: user.id,
        team: Some(member.team),
        name: input.name,
        scopes: input.scopes.in_order().to_string(),
        expires_at: input.expires_at,
        created_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    let (inserted, app, act) = (row.clone(), request.app.clone(), request.act());
    let insert = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            still_admin(tx, member)?;
            check_room(tx, app.quotas(), &inserted)?;
            Ok(tokens::any_make(tx, &inserted, &hash, &act)?)
        })
    };
    if let Idempotent::Replayed(id, _) = request.write(insert).await? {
        return replay(&request, member, TokenId(id)).await;
    }
    let mut shown = view(&row, &user.name);
    shown.merge(&Json::object([("token", secret.expose().as_str().into())]));
    Ok(Reply::made(shown).private())
}

/// The answer to a request that was made before: nobody can say the token again.
async fn replay(request: &Request, member: Member, id: TokenId) -> Result<Reply, ApiError> {
    let found = request.read(move |tx| tokens::find(tx, member.team, id)).await?;
    let (row, user) = found.ok_or(ApiError::Deleted)?;
    let Json::Object(mut shown) = view(&row, &user) else { return Err(ApiError::Deleted) };
    shown.push(("token".into(), Json::Null));
    Ok(Reply::made(Json::Object(shown)).private().replayed())
}

/// Fails when the user has as many tokens as it may.
fn check_room(tx: &mut Tx<'_>, limits: &Quotas, token: &Token) -> Result<(), ApiError> {
    let used = quotas::any_lock_tokens(tx, token.user, token.created_at)?;
    limits.check(Quota::Tokens, used).map_err(ApiError::Conflict)
}

/// `DELETE …/tokens/{token}`: it ends at once.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("token", TokenId::parse)?;
    let found = request.read(move |tx| tokens::find(tx, member.team, id)).await?;
    let (token, _) = found.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    // It is good in other teams too, which are not this one's to rule.
    if token.team.is_none() {
        if member.user != Some(token.user) {
            return Err(ApiError::Conflict(Message::new("token-of-another")));
        }
        let who = request.who.clone();
        who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?.as_user()?;
    }
    let act = request.act();
    let ended = request.write(move |tx| {
        still_admin(tx, member)?;
        let done = (Action::TokenRevoked, &act);
        let was_good = tokens::any_revoke(tx, id, act.at)?;
        if was_good {
            tokens::any_note(tx, &token, done)?;
        }
        Ok::<_, ApiError>(was_good)
    });
    let was_good = ended.await?;
    request.api.callers().forget();
    if was_good { Ok(Reply::nothing()) } else { Err(ApiError::NotFound) }
}

/// A token as a caller describes it.
struct TokenInput {
    name: String,
    scopes: Scopes,
    expires_at: Option<Time>,
}

impl TokenInput {
    fn read(fields: &Fields, who: &Caller, now: Time) -> Option<TokenInput> {
        let name = fields.text("name", Text::filled(100)).required();
        let scopes = read_scopes(fields, who);
        let expires_at = fields.value("expires_at");
        if expires_at.is_absent() && who.expires_at.is_some() {
            fields.refuse("expires_at", Message::new("token-outlives-yours"));
        }
        let expires_at = expires_at.then(|value| {
            let at = value.time()?;
            match at {
                at if at <= now => value.refuse(Message::new("not-in-the-future")),
                at if at > now.plus_years(YEARS_MAX) => {
                    value.refuse(Message::new("token-too-long"))
                }
                at if who.expires_at.is_some_and(|end| at > end) => {
                    value.refuse(Message::new("token-outlives-yours"))
                }
                at => Some(at),
            }
        });
        let expires_at = expires_at.optional();
        Some(TokenInput { name: name?, scopes: scopes?, expires_at })
    }
}

fn view(row: &Token, user: &str) -> Json {
    let owner = Json::object([("uuid", Json::text(row.user)), ("name", user.into())]);
    Json::object([
        ("uuid", Json::text(row.id)),
        ("name", row.name.as_str().into()),
        ("scopes", Json::list(row.scopes.split(' ').filter(|it| !it.is_empty()).map(Json::text))),
        ("team_uuid", row.team.map(Json::text).into()),
        ("user", owner),
        ("created_at", Json::text(row.created_at)),
        ("expires_at", row.expires_at.map(Json::text).into()),
        ("last_used_at", row.last_used_at.map(Json::text).into()),
    ])
}
