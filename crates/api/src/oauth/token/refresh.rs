//! A refresh token becomes the next one, with a new access token.

use waybill_domain::audit::Act;
use waybill_domain::oauth::rotation::{RefreshState, Rotation, decide};
use waybill_domain::oauth::{ErrorCode, asked_scopes};
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_store::oauth::clients::{self, Client};
use waybill_store::oauth::{grants, refresh};
use waybill_store::{Tx, members};

use super::issued::{Issued, stored_scopes};
use super::made::Secrets;
use crate::oauth::form::Form;
use crate::oauth::refusal::Refusal;
use crate::request::Request;

pub(super) async fn give(
    request: &Request,
    form: &Form,
    client: Client,
    secrets: Secrets,
) -> Result<Issued, Refusal> {
    let token = form.require("refresh_token")?;
    let hash = TokenKind::Refresh.hash(token).ok_or(ErrorCode::InvalidGrant)?;
    let (scope, act) = (form.get("scope").map(str::to_owned), request.act());
    let rotate =
        move |tx: &mut Tx<'_>| rotate(tx, &client, &hash, (scope.as_deref(), &secrets), &act);
    let rotated = request.write(rotate).await?;
    if rotated.is_err() {
        // Tokens of the family may have ended.
        request.api.callers().forget();
    }
    Ok(rotated?)
}

/// What becomes of the family is written in either case, so a refusal is no error here.
fn rotate(
    tx: &mut Tx<'_>,
    client: &Client,
    hash: &TokenHash,
    (scope, secrets): (Option<&str>, &Secrets),
    act: &Act,
) -> Result<Result<Issued, ErrorCode>, Refusal> {
    if !clients::any_lock(tx, client.id)? {
        return Ok(Err(ErrorCode::InvalidClient));
    }
    let now = act.at;
    let refused = Ok(Err(ErrorCode::InvalidGrant));
    let Some(token) = refresh::any_find(tx, hash)? else { return refused };
    let Some(family) = grants::any_lock(tx, token.grant)? else { return refused };
    // Once more: until the lock was there, others may have used it.
    let Some(token) = refresh::any_find(tx, hash)? else { return refused };
    let state = RefreshState {
        is_of_client: family.client == client.id,
        is_used: token.used_at.is_some(),
        expires_at: token.expires_at,
        has_family_ended: family.ended_at.is_some(),
        family_expires_at: family.expires_at,
        is_member: members::role_of(tx, family.team, family.user)?.is_some(),
    };
    match decide(&state, now) {
        Rotation::Refuse => refused,
        Rotation::EndFamily => {
            grants::any_end(tx, family.id, act)?;
            refused
        }
        Rotation::Rotate => {
            let granted = stored_scopes(&family.scopes)?;
            let scopes = match asked_scopes(scope, &granted) {
                Ok(scopes) => scopes.to_string(),
                Err(error) => return Ok(Err(error)),
            };
            refresh::any_use(tx, hash, now)?;
            secrets.insert_both(tx, &family, &scopes, now)?;
            grants::any_touch(tx, family.id, now)?;
            clients::any_touch(tx, client.id, now)?;
            Ok(Ok(Issued { scopes, team: family.team, is_renewable: true }))
        }
    }
}
