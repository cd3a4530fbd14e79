//! `/console/welcome/{token}`: where an invitation leads, and where the first user of a server
//! comes in. A link that is used, replaced, taken back, over or invented gets one and the same
//! page.

mod fields;
mod join;
mod setup;

use axum::http::StatusCode;
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_domain::words::Message;
use waybill_store::{Error, invitations, passwords, setup_links, teams};

use super::pages::browser::is_own;
use super::pages::form::Form;
use super::pages::refused;
use super::reply::{ApiError, Reply};
use super::request::Request;
use fields::{STEP, bound, void};
use join::{Account, Invited};

/// What a link is good for.
enum Link {
    /// To come into a team.
    Invitation(Box<Invited>),
    /// To make the first user and the first team.
    FirstRun,
}

/// `GET /console/welcome/{token}`
pub async fn show(request: Request) -> Result<Reply, ApiError> {
    match find(&request).await? {
        None => Ok(void(&request)),
        Some((_, Link::FirstRun)) => Ok(setup::page(&request, &setup::Typed::default(), &[])),
        Some((_, Link::Invitation(invited))) => Ok(join::page(&request, &invited, "", &[])),
    }
}

/// `POST /console/welcome/{token}`
pub async fn submit(mut request: Request) -> Result<Reply, ApiError> {
    let form = Form::read(&mut request).await?;
    let Some((hash, link)) = find(&request).await? else { return Ok(void(&request)) };
    if !is_own(&request, &form, STEP, &bound(&request)) {
        let why = Message::new("page-refused-why");
        return Ok(refused(StatusCode::FORBIDDEN, "page-refused", &why, request.language));
    }
    match link {
        Link::FirstRun => setup::answer(&request, &form, hash).await,
        Link::Invitation(invited) => join::answer(&request, &form, &invited, hash).await,
    }
}

async fn find(request: &Request) -> Result<Option<(TokenHash, Link)>, ApiError> {
    let token = request.parameter("token").unwrap_or_default();
    let Some(hash) = TokenKind::Invitation.hash(token) else { return Ok(None) };
    let now = request.now;
    let found = request.read(move |tx| {
        if setup_links::any_is_open(tx, &hash, now)? {
            return Ok(Some(Link::FirstRun));
        }
        let Some((team, invitation)) = invitations::any_find_open(tx, &hash, now)? else {
            return Ok(None);
        };
        let Some(team) = teams::find(tx, team)? else { return Ok(None) };
        let account = match passwords::any_find(tx, &invitation.email)? {
            None => Account::None,
            Some((_, Some(_))) => Account::WithPassword,
            Some((_, None)) => Account::WithoutPassword,
        };
        Ok::<_, Error>(Some(Link::Invitation(Box::new((team, invitation, account)))))
    });
    Ok(found.await?.map(|link| (hash, link)))
}
