//! Who is in a team. The last administrator stays.

use axum::http::StatusCode;
use waybill_domain::access::Role;
use waybill_domain::fields::{FieldErrors, Fields, one_of, read_knowing};
use waybill_domain::ids::UserId;
use waybill_domain::json::Json;
use waybill_domain::page::{CursorScope, Page};
use waybill_domain::words::Message;
use waybill_store::members::{self, MemberChange, TeamMember};
use waybill_store::{Tx, teams};

use super::caller::{Caller, Member};
use super::given_scopes::maker;
use super::lists::{CursorQuery, cursor_envelope, render_within_limit};
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/members`, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let query = request.query.knowing(&["cursor", "per_page"]);
    let (filters, shown) = (request.query.filters(&[]), request.query.without("cursor"));
    let scope = CursorScope { list: "listMembers", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = request.read(move |tx| members::list(tx, member.team, cursor, wanted)).await?;
    let (rows, count) = render_within_limit(rows, wanted, |row| Ok(view(row)))?;
    let page = Page::new(rows, count, cursor, |(row, _)| (row.created_at.0, row.user.into()));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `PATCH …/members/{user}`: a merge patch.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let old = find(&request, member).await?;
    let (patch, errors) = request.json_body().await?;
    let mut whole = Json::object([("role", old.role.name().into())]);
    whole.merge(&patch);
    let role = errors.or(read_knowing(&whole, FieldErrors::default(), read_role))?;
    let (user, act) = (old.user, request.act());
    let who = request.who.clone();
    let who = who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?;
    let changed = request.write(move |tx| {
        still_admin(tx, member)?;
        let before = members::role_of(tx, member.team, user)?;
        if role == Role::Admin && before == Some(Role::Member) {
            may_promote(&who)?;
        }
        allowed(members::change_role(tx, member.team, user, role, &act)?)?;
        members::find(tx, member.team, user)?.ok_or(ApiError::NotFound)
    });
    let changed = changed.await?;
    request.api.callers().forget();
    Ok(Reply::data(view(&changed)).private())
}

/// An administrator may do everything, also what the token of whoever asks may not, and is one when
/// an app has ended.
fn may_promote(who: &Caller) -> Result<(), ApiError> {
    maker(who)?;
    match who.has_all() {
        true => Ok(()),
        false => Err(ApiError::invalid("role", Message::new("role-not-yours"))),
    }
}

/// `DELETE …/members/{user}`: it loses the team, and its tokens that are bound to the team end.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let user = find(&request, member).await?.user;
    request.query.knowing(&[]).finish()?;
    let act = request.act();
    let removed = request.write(move |tx| {
        still_admin(tx, member)?;
        allowed(members::take_out(tx, member.team, user, &act)?)
    });
    removed.await?;
    request.api.callers().forget();
    Ok(Reply::nothing())
}

/// Who was an administrator a moment ago may have been demoted meanwhile. Nobody changes the roles
/// of the team from here to the end of the transaction.
pub fn still_admin(tx: &mut Tx<'_>, member: Member) -> Result<(), ApiError> {
    if !teams::lock(tx, member.team)? {
        return Err(ApiError::NotFound);
    }
    let Some(user) = member.user else { return Ok(()) };
    match members::role_of(tx, member.team, user)? {
        Some(Role::Admin) => Ok(()),
        Some(Role::Member) => Err(ApiError::LacksRole),
        None => Err(ApiError::NotFound),
    }
}

fn allowed(change: MemberChange) -> Result<(), ApiError> {
    match change {
        MemberChange::Done | MemberChange::Unchanged => Ok(()),
        MemberChange::NotAMember => Err(ApiError::NotFound),
        MemberChange::LastAdmin => Err(ApiError::Conflict(Message::new("last-admin"))),
    }
}

/// Reads what somebody is to be in the team.
pub fn read_role(fields: &Fields) -> Option<Role> {
    let names = [Role::Admin.name(), Role::Member.name()];
    fields.parsed("role", Role::parse, || one_of(&names)).required()
}

async fn find(request: &Request, member: Member) -> Result<TeamMember, ApiError> {
    let user = request.id("user", UserId::parse)?;
    let found = request.read(move |tx| members::find(tx, member.team, user)).await?;
    found.ok_or(ApiError::NotFound)
}

fn view(row: &TeamMember) -> Json {
    Json::object([
        ("uuid", Json::text(row.user)),
        ("name", row.name.as_str().into()),
        ("email", row.email.as_str().into()),
        ("role", row.role.name().into()),
        ("has_password", row.has_password.into()),
        ("last_seen_at", row.last_seen_at.map(Json::text).into()),
        ("created_at", Json::text(row.created_at)),
    ])
}
