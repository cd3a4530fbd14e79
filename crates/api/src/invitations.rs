//! Invitations into a team. The link is shown once to whoever invites and passes it on; we send no
//! mail.

use std::time::Duration;

use axum::http::StatusCode;
use waybill_domain::access::Role;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::ids::{InvitationId, UserId};
use waybill_domain::json::Json;
use waybill_domain::patterns::{EMAIL_MAX, is_email};
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_domain::words::Message;
use waybill_store::invitations::{self, Invitation};
use waybill_store::{Tx, audit};

use super::caller::{Caller, Member};
use super::given_scopes::maker;
use super::lists::NewestFirst;
use super::members::{read_role, still_admin};
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};

/// For how long a link is good.
const LIFE: Duration = Duration::from_hours(7 * 24);

/// `GET …/invitations`, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let page = NewestFirst::read(&request, member, "listInvitations")?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| invitations::list(tx, member.team, cursor, wanted)).await?;
    let view = |row: &Invitation| view(&request, row, None);
    let body = page.envelope(&request, member, rows, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/invitations`: a newer one for the same address replaces the old one.
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let who = request.who.clone();
    let who = who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?;
    let invited_by = maker(&who)?.id;
    let read = |fields: &Fields| InvitationInput::read(fields, &who);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let link = TokenKind::Invitation.generate(request.app.ids().as_ref());
    let hash = TokenKind::Invitation.hash(link.expose());
    let hash = hash.ok_or_else(|| ApiError::Internal("a link is not one".to_owned()))?;
    let (id, now) = (InvitationId(request.app.new_uuid()), request.now);
    let invitation = Invitation {
        id,
        email: input.email,
        role: input.role,
        created_at: now,
        expires_at: now.plus(LIFE),
        accepted_at: None,
        revoked_at: None,
    };
    let (row, app, act) = (invitation.clone(), request.app.clone(), request.act());
    let insert = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            insert(tx, app.quotas(), member, (&row, &hash, invited_by), &act)
        })
    };
    let made = request.write(insert).await?;
    match made {
        Idempotent::Executed => {
            let url = format!("{}/console/welcome/{}", request.app.base_url(), link.expose());
            let shown = view(&request, &invitation, Some(url));
            Ok(Reply::made(shown).private())
        }
        // Nobody can say the link again.
        Idempotent::Replayed(id, _) => {
            let id = InvitationId(id);
            let found = request.read(move |tx| invitations::find(tx, member.team, id)).await?;
            let shown = view(&request, &found.ok_or(ApiError::Deleted)?, None);
            Ok(Reply::made(shown).private().replayed())
        }
    }
}

fn insert(
    tx: &mut Tx<'_>,
    limits: &Quotas,
    member: Member,
    (row, hash, invited_by): (&Invitation, &TokenHash, UserId),
    act: &Act,
) -> Result<(), ApiError> {
    still_admin(tx, member)?;
    if invitations::is_member(tx, member.team, &row.email)? {
        return Err(ApiError::invalid("email", Message::new("member-already")));
    }
    let replaced = invitations::insert(tx, member.team, row, (hash, invited_by))?;
    if replaced.is_none() {
        let others = quotas::used(tx, Quota::Invitations, member.team)? - 1;
        limits.check(Quota::Invitations, others).map_err(ApiError::Conflict)?;
    }
    if let Some(old) = replaced {
        let old = Subject::named("invitation", old, &row.email);
        let done = (Action::InvitationRevoked, &old);
        audit::insert(tx, member.team, &act.line(1), done, &Changes::none())?;
    }
    let changes = Changes::none()
        .and("email", Json::Null, row.email.as_str().into())
        .and("role", Json::Null, row.role.name().into())
        .and("replaces", Json::Null, replaced.map(Json::text).into());
    Ok(audit::insert(tx, member.team, act, (Action::InvitationCreated, &subject(row)), &changes)?)
}

/// `DELETE …/invitations/{invitation}`: the link is good for nothing any more.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("invitation", InvitationId::parse)?;
    let found = request.read(move |tx| invitations::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    let (now, act) = (request.now, request.act());
    let revoked = request.write(move |tx| {
        still_admin(tx, member)?;
        let old = invitations::find(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        if old.accepted_at.is_some() {
            return Err(ApiError::Conflict(Message::new("invitation-accepted")));
        }
        if invitations::revoke(tx, member.team, id, now)? {
            let done = (Action::InvitationRevoked, &subject(&old));
            audit::insert(tx, member.team, &act, done, &Changes::none())?;
        }
        Ok(())
    });
    revoked.await?;
    Ok(Reply::nothing())
}

fn subject(row: &Invitation) -> Subject {
    Subject::named("invitation", row.id, &row.email)
}

/// Who is to be invited, as what.
struct InvitationInput {
    email: String,
    role: Role,
}

impl InvitationInput {
    fn read(fields: &Fields, who: &Caller) -> Option<InvitationInput> {
        let email = fields.text("email", Text::filled(EMAIL_MAX)).required();
        let email = email.filter(|email| {
            // It is stored in small letters, of which there may be more.
            let is_good = is_email(&email.to_lowercase());
            if !is_good {
                fields.refuse("email", Message::new("not-an-email"));
            }
            is_good
        });
        let role = read_role(fields);
        // An administrator may do everything, also what the token of whoever invites may not.
        if role == Some(Role::Admin) && !who.has_all() {
            fields.refuse("role", Message::new("role-not-yours"));
        }
        Some(InvitationInput { email: email?.to_lowercase(), role: role? })
    }
}

/// An invitation as it is shown, with its link only to whoever makes it.
fn view(request: &Request, row: &Invitation, url: Option<String>) -> Json {
    Json::object([
        ("uuid", Json::text(row.id)),
        ("email", row.email.as_str().into()),
        ("role", row.role.name().into()),
        ("state", row.state(request.now).name().into()),
        ("url", url.into()),
        ("created_at", Json::text(row.created_at)),
        ("expires_at", Json::text(row.expires_at)),
        ("accepted_at", row.accepted_at.map(Json::text).into()),
    ])
}
