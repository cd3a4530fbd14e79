//! The user behind the token, and the teams it is in.

use std::sync::Arc;

use waybill_domain::json::Json;
use waybill_store::teams;

use super::caller::{Caller, Member};
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET /v2/me`
pub async fn get_me(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let user = caller.principal.user().ok_or(ApiError::NotForAgents)?;
    let (user, id) = (user.clone(), user.id);
    let teams = request.read(move |tx| teams::list_of_user(tx, id)).await?;
    let teams = teams.iter().map(|(team, role)| {
        Json::object([
            ("uuid", Json::text(team.id)),
            ("name", team.name.as_str().into()),
            ("role", role.name().into()),
        ])
    });
    let me = Json::object([
        ("uuid", Json::text(user.id)),
        ("name", user.name.into()),
        ("email", user.email.into()),
        ("language", user.language.into()),
        ("teams", Json::list(teams)),
    ]);
    Ok(Reply::data(me).private())
}

/// `GET /v2/teams`
pub async fn list_teams(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let id = caller.principal.user().ok_or(ApiError::NotForAgents)?.id;
    let teams = request.read(move |tx| teams::list_of_user(tx, id)).await?;
    Ok(Reply::data(Json::list(teams.iter().map(|(team, _)| view(team)))).private())
}

/// `GET /v2/teams/{teamUuid}`
pub async fn get_team(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let team = request.read(move |tx| teams::find(tx, member.team)).await?;
    let team = team.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view(&team)).private())
}

fn view(team: &teams::Team) -> Json {
    let teams::Team { id, name, domain, language, created_at, updated_at } = team;
    Json::object([
        ("uuid", Json::text(id)),
        ("name", name.as_str().into()),
        ("domain", domain.as_str().into()),
        ("language", language.as_str().into()),
        ("created_at", Json::text(created_at)),
        ("updated_at", Json::text(updated_at)),
    ])
}
