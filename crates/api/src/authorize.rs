//! `/oauth/authorize`: where an app sends a browser, for its user to sign in and to agree.
//!
//! The order is fixed: what is wrong with the app or with the way back is told here, and the
//! browser goes nowhere; then, of a form, where it comes from; then what is wrong with the rest is
//! told to the app. Who signs in comes before what is agreed to: the teams are known only then.

mod consent;
mod forms;
mod request;
mod sign_in;

use axum::http::{StatusCode, header};
use waybill_domain::oauth::authorization::{Parameters, Refusal};
use waybill_domain::words::Message;
use waybill_store::sessions::Session;
use waybill_store::users::User;

use super::pages::cookies::Cookie;
use super::pages::form::Form;
use super::pages::{guard, refused, see_other};
use super::reply::{ApiError, Reply};
use super::request::Request;
use forms::Step;
use request::{Authorization, check, find_client, refuse};

/// `GET /oauth/authorize`
pub async fn show(request: Request) -> Result<Reply, ApiError> {
    let parameters = Parameters::known(request.query.pairs().to_vec());
    let client = find_client(&request, &parameters).await?;
    let authorization = match check(client, parameters)? {
        Ok(authorization) => authorization,
        Err(refusal) => return Ok(refuse(&request, refusal)),
    };
    match signed_in(&request).await? {
        None => Ok(sign_in::page(&request, &authorization)),
        Some((session, user)) => consent::page(&request, &authorization, &session, &user).await,
    }
}

/// `POST /oauth/authorize`
pub async fn submit(mut request: Request) -> Result<Reply, ApiError> {
    let form = Form::read(&mut request).await?;
    let parameters = Parameters::known(form.fields().to_vec());
    let client = find_client(&request, &parameters).await?;
    let is_own = guard::is_own_form(&request.headers, request.app.base_url())
        && forms::is_good(&request, &form, &parameters);
    let checked = check(client, parameters)?;
    let stays_here = matches!(&checked, Err(Refusal::UnknownClient | Refusal::UnknownRedirect));
    if !is_own && !stays_here {
        let why = Message::new("page-refused-why");
        return Ok(refused(StatusCode::FORBIDDEN, "page-refused", &why, request.language));
    }
    let authorization = match checked {
        Ok(authorization) => authorization,
        Err(refusal) => return Ok(refuse(&request, refusal)),
    };
    match Step::of(&form) {
        Step::SignIn => sign_in::answer(&request, &authorization, &form).await,
        Step::SignOut => sign_out(&request, &authorization).await,
        Step::Consent => match signed_in(&request).await? {
            Some((session, user)) if forms::session_of(&form) == Some(&session.id.to_string()) => {
                consent::answer(&request, &authorization, &form, (&session, &user)).await
            }
            // Somebody else signed in meanwhile, or nobody is any more: what was agreed to is void.
            _ => Ok(see_other(request.page_path(&authorization.path()))),
        },
    }
}

/// Who is signed in in this browser.
async fn signed_in(request: &Request) -> Result<Option<(Session, User)>, ApiError> {
    match Cookie::Session.read(&request.headers, request.app.base_url()) {
        Some(cookie) => Ok(request.app.session(cookie).await?),
        None => Ok(None),
    }
}

async fn sign_out(request: &Request, authorization: &Authorization) -> Result<Reply, ApiError> {
    let base_url = request.app.base_url();
    if let Some(cookie) = Cookie::Session.read(&request.headers, base_url) {
        request.app.sign_out(cookie).await?;
    }
    let reply = see_other(request.page_path(&authorization.path()));
    Ok(reply.header(header::SET_COOKIE, Cookie::Session.clear(base_url)))
}
