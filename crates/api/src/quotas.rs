//! What a team may have only so much of: how much it has, and 409 to one more, with the limit and
//! what to do.

use axum::http::header;
use waybill_domain::ids::TeamId;
use waybill_domain::json::Json;
use waybill_domain::quota::{Quota, Quotas};
use waybill_store::{Error, Tx, quotas, teams};

use super::caller::Member;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/quotas`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let (limits, now) = (request.app.quotas().clone(), request.now);
    let read = move |tx: &mut Tx<'_>| {
        let counted = limits.all().map(|(quota, code, limit)| {
            let used = match quota {
                Quota::Tokens => match member.user {
                    Some(user) => Some(quotas::any_count_tokens(tx, user, now)?),
                    None => None,
                },
                _ => quotas::count(tx, member.team, quota)?,
            };
            Ok((quota, code, limit, used))
        });
        counted.collect::<Result<Vec<_>, Error>>()
    };
    let streams = request.api.streams().count(member.team);
    let rows = request.read(read).await?;
    let rows = rows.into_iter().map(|(quota, code, limit, used)| {
        let used = if quota == Quota::Streams { Some(streams) } else { used };
        Json::object([
            ("code", code.into()),
            ("name", quota.name().say(request.language).into()),
            ("limit", limit.into()),
            ("used", used.map_or(Json::Null, Json::from)),
        ])
    });
    let reply = Reply::data(Json::list(rows)).private();
    Ok(reply.header(header::CONTENT_LANGUAGE, request.language.tag()))
}

/// How much of it the team has. To be asked under a lock of the team.
pub fn used(tx: &mut Tx<'_>, quota: Quota, team: TeamId) -> Result<i64, Error> {
    Ok(quotas::count(tx, team, quota)?.unwrap_or(0))
}

/// Fails when the team has as many as it may. To be called by the transaction that adds one.
pub fn check(tx: &mut Tx<'_>, limits: &Quotas, quota: Quota, team: TeamId) -> Result<(), ApiError> {
    // To whoever was let in a moment ago, a deleted team is one that does not exist, too.
    if !teams::lock(tx, team)? {
        return Err(ApiError::NotFound);
    }
    let used = quotas::count(tx, team, quota)?;
    used.map_or(Ok(()), |used| limits.check(quota, used)).map_err(ApiError::Conflict)
}
