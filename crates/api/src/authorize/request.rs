//! What an app asks for, before anybody was asked.

use axum::http::StatusCode;
use waybill_domain::access::Scopes;
use waybill_domain::oauth::authorization::{Asked, Parameters, Refusal, Registration};
use waybill_domain::words::Message;
use waybill_store::oauth::clients::{self, Client};

use crate::pages::{refused, see_other};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Where the pages are.
pub const PATH: &str = "/oauth/authorize";

/// What an app asks for, when nothing is wrong with it.
pub struct Authorization {
    /// The app.
    pub client: Client,
    /// What it asks for.
    pub asked: Asked,
    /// As it came.
    pub parameters: Parameters,
}

impl Authorization {
    /// The page itself, from the beginning.
    pub fn path(&self) -> String {
        format!("{PATH}?{}", self.parameters.query())
    }
}

/// The app that asks, if there is such a one.
pub async fn find_client(
    request: &Request,
    parameters: &Parameters,
) -> Result<Option<Client>, ApiError> {
    let is_possible =
        |id: &&str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let Some(id) = parameters.client_id().filter(is_possible).map(str::to_owned) else {
        return Ok(None);
    };
    let client = request.read(move |tx| clients::any_find(tx, &id)).await?;
    if let Some(client) = &client {
        // Only the first is logged.
        let _known = request.client.set(client.client_id.clone());
    }
    Ok(client)
}

/// What is asked for; inside it the first thing that is wrong with it.
pub fn check(
    client: Option<Client>,
    parameters: Parameters,
) -> Result<Result<Authorization, Refusal>, ApiError> {
    let Some(client) = client else { return Ok(Err(Refusal::UnknownClient)) };
    let scopes = Scopes::parse(&client.scopes);
    let scopes = scopes.map_err(|error| ApiError::Internal(error.to_string()))?;
    let registration = Registration { redirect_uris: &client.redirect_uris, scopes: &scopes };
    let checked = parameters.check(Some(&registration));
    Ok(checked.map(|asked| Authorization { client, asked, parameters }))
}

/// What is wrong is told to the user, or to the app by way of the browser.
pub fn refuse(request: &Request, refusal: Refusal) -> Reply {
    let here = |title, why| {
        let why = Message::new(why);
        refused(StatusCode::BAD_REQUEST, title, &why, request.language)
    };
    match refusal {
        Refusal::UnknownClient => here("page-unknown-app", "page-unknown-app-why"),
        Refusal::UnknownRedirect => here("page-unknown-redirect", "page-unknown-redirect-why"),
        Refusal::Told(way_back, code, why) => {
            let parameters = [("error", code.name()), ("error_description", why)];
            see_other(way_back.with(&parameters, request.app.base_url()))
        }
    }
}
