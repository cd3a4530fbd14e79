//! A client gives a token back (RFC 7009). Nobody learns whether it was one.

use axum::http::StatusCode;
use waybill_domain::audit::{Act, Actor};
use waybill_domain::ids::OAuthClientId;
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_store::oauth::{access, grants, refresh};
use waybill_store::{Error, Tx};

use super::client::authenticate;
use super::form::Form;
use super::refusal::{Refusal, unstored};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST /oauth/revoke`
pub async fn revoke(mut request: Request) -> Result<Reply, ApiError> {
    end(&mut request).await.or_else(Refusal::into_reply)
}

async fn end(request: &mut Request) -> Result<Reply, Refusal> {
    let form = Form::read(request).await?;
    let client = authenticate(request, &form).await?;
    let act = request.act().by(Actor::client(client.id.into(), &client.name));
    let client = client.id;
    let (token, now) = (form.require("token")?, request.now);
    if let Some(hash) = TokenKind::Access.hash(token) {
        request.write(move |tx| access::any_revoke(tx, client, &hash, now)).await?;
    } else if let Some(hash) = TokenKind::Refresh.hash(token) {
        request.write(move |tx| end_family(tx, client, &hash, &act)).await?;
    }
    request.api.callers().forget();
    Ok(unstored(Reply::nothing().status(StatusCode::OK)))
}

/// A refresh token takes its whole family with it, also when it was used.
fn end_family(
    tx: &mut Tx<'_>,
    client: OAuthClientId,
    hash: &TokenHash,
    act: &Act,
) -> Result<(), Error> {
    let Some(token) = refresh::any_find(tx, hash)? else { return Ok(()) };
    let family = grants::any_lock(tx, token.grant)?;
    if family.is_some_and(|family| family.client == client) {
        grants::any_end(tx, token.grant, act)?;
    }
    Ok(())
}
