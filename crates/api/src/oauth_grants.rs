//! What members of a team allowed apps to do there.

use axum::http::StatusCode;
use waybill_domain::ids::GrantId;
use waybill_domain::json::Json;
use waybill_store::oauth::grants::{self, NamedGrant};

use super::caller::Member;
use super::lists::NewestFirst;
use super::members::still_admin;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/oauth-grants`: what holds now, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let page = NewestFirst::read(&request, member, "listOAuthGrants")?;
    let (cursor, wanted) = page.wanted();
    let now = request.now;
    let rows = request.read(move |tx| grants::list(tx, member.team, now, cursor, wanted)).await?;
    let body = page.envelope(&request, member, rows, |row| row.grant.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `DELETE …/oauth-grants/{grant}`: the app has nothing any more of what came from it.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("grant", GrantId::parse)?;
    request.query.knowing(&[]).finish()?;
    let act = request.act();
    let ended = request.write(move |tx| {
        still_admin(tx, member)?;
        grants::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        match grants::any_end(tx, id, &act)? {
            true => Ok(()),
            false => Err(ApiError::NotFound),
        }
    });
    ended.await?;
    request.api.callers().forget();
    Ok(Reply::nothing())
}

fn view(row: &NamedGrant) -> Json {
    let NamedGrant { grant, client_id, client_name, user_name } = row;
    let client = [("client_id", client_id.as_str().into()), ("name", client_name.as_str().into())];
    let user = [("uuid", Json::text(grant.user)), ("name", user_name.as_str().into())];
    Json::object([
        ("uuid", Json::text(grant.id)),
        ("client", Json::object(client)),
        ("user", Json::object(user)),
        ("scopes", Json::list(grant.scopes.split(' ').map(Json::text))),
        ("created_at", Json::text(grant.created_at)),
        ("last_used_at", grant.last_used_at.map(Json::text).into()),
    ])
}
