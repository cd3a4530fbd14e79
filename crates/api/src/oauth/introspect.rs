//! What a client may learn of its own tokens (RFC 7662). Of everything else it learns that it is
//! not active, and no more.

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::json::{Json, MemberName};
use waybill_domain::oauth::ErrorCode;
use waybill_domain::oauth::rotation::{self, RefreshState, Rotation};
use waybill_domain::time::Time;
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_store::oauth::clients::Client;
use waybill_store::oauth::{access, grants, refresh};
use waybill_store::{Error, Tx, members, users};

use super::client::authenticate;
use super::form::Form;
use super::refusal::{Refusal, unstored};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST /oauth/introspect`
pub async fn introspect(mut request: Request) -> Result<Reply, ApiError> {
    tell(&mut request).await.or_else(Refusal::into_reply)
}

/// A token that is good.
struct Known {
    is_access: bool,
    scopes: String,
    team: TeamId,
    subject: Uuid,
    username: Option<String>,
    created_at: Time,
    expires_at: Time,
}

async fn tell(request: &mut Request) -> Result<Reply, Refusal> {
    let form = Form::read(request).await?;
    let client = authenticate(request, &form).await?;
    if client.is_public {
        return Err(ErrorCode::InvalidClient.into());
    }
    let (token, now) = (form.require("token")?, request.now);
    let (issuer, client_id) = (request.app.base_url().to_owned(), client.client_id.clone());
    let known = if let Some(hash) = TokenKind::Access.hash(token) {
        request.read(move |tx| find_access(tx, &client, &hash, now)).await?
    } else if let Some(hash) = TokenKind::Refresh.hash(token) {
        request.read(move |tx| find_refresh(tx, &client, &hash, now)).await?
    } else {
        None
    };
    let body = match known {
        Some(known) => view(known, &client_id, &issuer),
        None => Json::object([("active", false.into())]),
    };
    Ok(unstored(Reply::json(StatusCode::OK, body)))
}

fn find_access(
    tx: &mut Tx<'_>,
    client: &Client,
    hash: &TokenHash,
    now: Time,
) -> Result<Option<Known>, Error> {
    let found = access::any_find_by_hash(tx, hash)?;
    let own = found.filter(|found| found.token.client == client.id && found.membership.is_some());
    let is_live =
        |token: &access::AccessToken| token.revoked_at.is_none() && token.expires_at > now;
    Ok(own.filter(|found| is_live(&found.token)).map(|found| Known {
        is_access: true,
        scopes: found.token.scopes,
        team: found.token.team,
        subject: found.user.as_ref().map_or(client.id.0, |user| user.id.0),
        username: found.user.map(|user| user.email),
        created_at: found.token.created_at,
        expires_at: found.token.expires_at,
    }))
}

fn find_refresh(
    tx: &mut Tx<'_>,
    client: &Client,
    hash: &TokenHash,
    now: Time,
) -> Result<Option<Known>, Error> {
    let Some(token) = refresh::any_find(tx, hash)? else { return Ok(None) };
    let Some(family) = grants::any_find(tx, token.grant)? else { return Ok(None) };
    let state = RefreshState {
        is_of_client: family.client == client.id,
        is_used: token.used_at.is_some(),
        expires_at: token.expires_at,
        has_family_ended: family.ended_at.is_some(),
        family_expires_at: family.expires_at,
        is_member: members::role_of(tx, family.team, family.user)?.is_some(),
    };
    if rotation::decide(&state, now) != Rotation::Rotate {
        return Ok(None);
    }
    Ok(Some(Known {
        is_access: false,
        scopes: family.scopes,
        team: family.team,
        subject: family.user.0,
        username: users::any_find(tx, family.user)?.map(|user| user.email),
        created_at: token.created_at,
        expires_at: token.expires_at,
    }))
}

fn view(known: Known, client_id: &str, issuer: &str) -> Json {
    let seconds = |time: Time| Json::from(time.0.div_euclid(1_000_000));
    let mut members: Vec<(&'static str, Json)> = vec![
        ("active", true.into()),
        ("scope", known.scopes.into()),
        ("client_id", client_id.into()),
    ];
    members.extend(known.username.map(|email| ("username", email.into())));
    members.extend(known.is_access.then(|| ("token_type", "Bearer".into())));
    members.extend([
        ("exp", seconds(known.expires_at)),
        ("iat", seconds(known.created_at)),
        ("sub", Json::text(known.subject)),
        ("iss", issuer.into()),
        ("team_uuid", Json::text(known.team)),
    ]);
    let named = |(name, value): (&'static str, Json)| (MemberName::from(name), value);
    Json::Object(members.into_iter().map(named).collect())
}
