//! `POST /oauth/token`: a client gets tokens for its secret, a code or a refresh token. Whatever
//! that costs the code or the refresh token is one transaction with what is given for it.

mod code;
mod issued;
mod made;
mod own;
mod refresh;

use axum::http::StatusCode;
use waybill_domain::json::{Json, MemberName};
use waybill_domain::oauth::{ACCESS_LIFE, ErrorCode, GrantType};

use super::client::authenticate;
use super::form::Form;
use super::refusal::{Refusal, unstored};
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use issued::Issued;
use made::Secrets;

/// `POST /oauth/token`
pub async fn issue(mut request: Request) -> Result<Reply, ApiError> {
    give(&mut request).await.or_else(Refusal::into_reply)
}

async fn give(request: &mut Request) -> Result<Reply, Refusal> {
    let form = Form::read(request).await?;
    let client = authenticate(request, &form).await?;
    let grant_type = form.require("grant_type")?;
    let grant_type = GrantType::parse(grant_type).ok_or(ErrorCode::UnsupportedGrantType)?;
    let is_allowed = match grant_type {
        GrantType::ClientCredentials => client.team.is_some() && !client.is_public,
        GrantType::AuthorizationCode | GrantType::RefreshToken => !client.redirect_uris.is_empty(),
    };
    if !is_allowed {
        return Err(ErrorCode::UnauthorizedClient.into());
    }
    let secrets = Secrets::make(request.app.ids().as_ref());
    let issued = match grant_type {
        GrantType::ClientCredentials => own::give(request, &form, client, secrets.clone()).await,
        GrantType::AuthorizationCode => code::give(request, &form, client, secrets.clone()).await,
        GrantType::RefreshToken => refresh::give(request, &form, client, secrets.clone()).await,
    };
    Ok(view(&issued?, &secrets))
}

fn view(issued: &Issued, secrets: &Secrets) -> Reply {
    let seconds = i64::try_from(ACCESS_LIFE.as_secs()).unwrap_or(i64::MAX);
    let mut members: Vec<(&'static str, Json)> = vec![
        ("access_token", secrets.access.expose().as_str().into()),
        ("token_type", "Bearer".into()),
        ("expires_in", seconds.into()),
        ("scope", issued.scopes.as_str().into()),
        ("team_uuid", Json::text(issued.team)),
    ];
    if issued.is_renewable {
        members.push(("refresh_token", secrets.refresh.expose().as_str().into()));
    }
    let named = |(name, value): (&'static str, Json)| (MemberName::from(name), value);
    let body = Json::Object(members.into_iter().map(named).collect());
    unstored(Reply::json(StatusCode::OK, body))
}
