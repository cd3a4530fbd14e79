//! A code, which a user's browser brought to the app, becomes the first tokens of a family.

use waybill_domain::audit::{Act, Action, Actor, Changes};
use waybill_domain::json::Json;
use waybill_domain::oauth::exchange::{CodeState, Exchange, Proof, decide};
use waybill_domain::oauth::{ErrorCode, FAMILY_LIFE, asked_scopes};
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_store::oauth::clients::{self, Client};
use waybill_store::oauth::codes::{self, StoredCode};
use waybill_store::oauth::grants::{self, Grant};
use waybill_store::{Error, Tx, users};

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
    let hash = TokenKind::Code.hash(form.require("code")?).ok_or(ErrorCode::InvalidGrant)?;
    let asked = Asked {
        redirect_uri: form.get("redirect_uri").map(str::to_owned),
        verifier: form.get("code_verifier").map(str::to_owned),
        scope: form.get("scope").map(str::to_owned),
    };
    let act = request.act();
    let taken = request.write(move |tx| take(tx, &client, &hash, &asked, &secrets, &act)).await?;
    if taken.is_err() {
        // Tokens of a family may have ended.
        request.api.callers().forget();
    }
    Ok(taken?)
}

/// What the client says.
struct Asked {
    redirect_uri: Option<String>,
    verifier: Option<String>,
    scope: Option<String>,
}

/// What becomes of the code is written in either case, so a refusal is no error here.
fn take(
    tx: &mut Tx<'_>,
    client: &Client,
    hash: &TokenHash,
    asked: &Asked,
    secrets: &Secrets,
    act: &Act,
) -> Result<Result<Issued, ErrorCode>, Refusal> {
    let now = act.at;
    if !clients::any_lock(tx, client.id)? {
        return Ok(Err(ErrorCode::InvalidClient));
    }
    let Some(found) = codes::any_find(tx, hash)? else { return Ok(Err(ErrorCode::InvalidGrant)) };
    let StoredCode { code, expires_at, used_at, grant } = &found;
    let state = CodeState {
        is_of_client: code.client == client.id,
        is_used: used_at.is_some(),
        expires_at: *expires_at,
        redirect_uri: &code.redirect_uri,
        is_redirect_sent: code.is_redirect_sent,
        challenge: &code.challenge,
        // Whoever leaves the team at this moment ends the family, or is seen to have left.
        is_member: grants::lock_member(tx, code.team, code.user)?,
    };
    let (redirect_uri, verifier) = (asked.redirect_uri.as_deref(), asked.verifier.as_deref());
    match decide(&state, &Proof { redirect_uri, verifier }, now) {
        Exchange::Issue => {
            let agreed = stored_scopes(&code.scopes)?;
            let scopes = match asked_scopes(asked.scope.as_deref(), &agreed) {
                Ok(scopes) => scopes.to_string(),
                Err(error) => {
                    // Whoever brings it again has something else in mind than its user agreed to.
                    codes::any_use(tx, hash, None, now)?;
                    return Ok(Err(error));
                }
            };
            begin(tx, &found, hash, (&scopes, secrets), act)?;
            Ok(Ok(Issued { scopes, team: found.code.team, is_renewable: true }))
        }
        Exchange::Refuse => Ok(Err(ErrorCode::InvalidGrant)),
        Exchange::UseUp => {
            codes::any_use(tx, hash, None, now)?;
            Ok(Err(ErrorCode::InvalidGrant))
        }
        Exchange::EndFamily => {
            if let Some(family) = *grant {
                grants::any_lock(tx, family)?;
                grants::any_end(tx, family, act)?;
            }
            Ok(Err(ErrorCode::InvalidGrant))
        }
    }
}

/// Begins the family.
fn begin(
    tx: &mut Tx<'_>,
    found: &StoredCode,
    hash: &TokenHash,
    (scopes, secrets): (&str, &Secrets),
    act: &Act,
) -> Result<(), Error> {
    let (code, now) = (&found.code, act.at);
    let family = Grant {
        id: secrets.grant,
        client: code.client,
        team: code.team,
        user: code.user,
        scopes: code.scopes.clone(),
        created_at: code.created_at,
        expires_at: code.created_at.plus(FAMILY_LIFE),
        last_used_at: Some(now),
        ended_at: None,
    };
    grants::insert(tx, &family)?;
    // It is the user's doing, though the app brings the proof of it.
    let user = users::any_find(tx, code.user)?;
    let user = user.map(|user| Actor::user(user.id.into(), &user.name));
    let act = user.map_or_else(|| act.clone(), |user| act.by(user));
    let changes = Changes::none().and("scopes", Json::Null, family.scopes.as_str().into());
    grants::note(tx, family.id, (Action::OAuthGrantCreated, &act), &changes)?;
    codes::any_use(tx, hash, Some(family.id), now)?;
    clients::any_touch(tx, family.client, now)?;
    secrets.insert_both(tx, &family, scopes, now)
}
