//! The audit log of a team: read, and never changed.

use axum::http::StatusCode;
use waybill_domain::audit::Action;
use waybill_domain::ids::parse_uuid;
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_store::audit::{self, Filters, Line};

use super::caller::Member;
use super::lists::NewestFirst;
use super::reply::{ApiError, Reply};
use super::request::Request;

const PARAMETERS: [&str; 7] =
    ["action", "actor_uuid", "subject_uuid", "since", "until", "cursor", "per_page"];

/// `GET …/audit-log`, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(&PARAMETERS);
    let action = query.choice("action", Action::NAMES);
    let not_a_uuid = || Message::new("not-a-uuid");
    let actor = query.parsed("actor_uuid", parse_uuid, not_a_uuid);
    let subject = query.parsed("subject_uuid", parse_uuid, not_a_uuid);
    let (since, until) = (query.time("since"), query.time("until"));
    let page = NewestFirst::of(&request, member, "listAuditLog", query)?;
    let (filters, (cursor, wanted)) =
        (Filters { action, actor, subject, since, until }, page.wanted());
    let rows = request.read(move |tx| audit::list(tx, member.team, filters, cursor, wanted));
    let body = page.envelope(&request, member, rows.await?, |row| row.id, view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

fn view(line: &Line) -> Json {
    let (actor_kind, actor, actor_name) = &line.actor;
    let (subject_kind, subject, subject_name) = &line.subject;
    let actor = Json::object([
        ("type", actor_kind.as_str().into()),
        ("uuid", actor.map(Json::text).into()),
        ("name", actor_name.as_str().into()),
    ]);
    let subject = Json::object([
        ("type", subject_kind.as_str().into()),
        ("uuid", Json::text(subject)),
        ("name", subject_name.as_deref().into()),
    ]);
    Json::object([
        ("uuid", Json::text(line.id)),
        ("at", Json::text(line.at)),
        ("actor", actor),
        ("action", line.action.as_str().into()),
        ("subject", subject),
        ("changes", Json::Written(line.changes.clone())),
        ("request_id", line.request_id.as_deref().into()),
        ("address", line.address.as_deref().into()),
    ])
}
