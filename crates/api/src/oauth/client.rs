//! Which client asks, and whether it is that one.

use std::time::Duration;

use axum::http::header;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;
use waybill_domain::failures::OF_CLIENT;
use waybill_domain::ids::OAuthClientId;
use waybill_domain::oauth::ErrorCode;
use waybill_domain::token::{TokenHash, TokenKind, is_same};
use waybill_store::failures::FailureWindow;
use waybill_store::oauth::clients::{self, Client};
use waybill_store::{Error, Tx, failures};

use super::form::Form;
use super::refusal::Refusal;
use crate::headers::single;
use crate::reply::ApiError;
use crate::request::Request;

/// Ours are shorter. What is longer, or has other characters, is no client's.
const CLIENT_ID_MAX: usize = 100;

/// What a request says of its client.
struct Credentials {
    client_id: String,
    secret: Option<String>,
}

/// The client of a request: by Basic or in the body, a confidential one with its secret, a public
/// one without any. Nobody learns which part was wrong, and whoever is wrong too often waits.
pub async fn authenticate(request: &Request, form: &Form) -> Result<Client, Refusal> {
    let given = credentials(request, form)?;
    let (window, now) = (window(request, &given.client_id), request.now);
    let wanted = Some(given.client_id.clone()).filter(|id| is_plain(id));
    let find = move |tx: &mut Tx<'_>| {
        let wait = failures::any_wait(tx, &[window], now)?;
        let client = wanted.as_ref().map(|id| clients::any_find(tx, id)).transpose()?.flatten();
        // A client that nobody knows costs as much: none has this id.
        let id = client.as_ref().map_or(OAuthClientId(Uuid::nil()), |client| client.id);
        Ok::<_, Error>((wait, client, clients::any_old_secrets(tx, id, now)?))
    };
    let (wait, client, old) = request.read(find).await?;
    if let Some(wait) = wait {
        return Err(too_many(wait));
    }
    if let Some(client) = client {
        // Only the first is logged, and there is only one.
        let _known = request.client.set(client.client_id.clone());
        if is_proved(&client, &old, given.secret.as_deref()) {
            return Ok(client);
        }
    }
    match request.write(move |tx| failures::any_note(tx, window, now)).await? {
        Some(wait) => Err(too_many(wait)),
        None => Err(ErrorCode::InvalidClient.into()),
    }
}

fn credentials(request: &Request, form: &Form) -> Result<Credentials, ErrorCode> {
    let in_body = (form.get("client_id"), form.get("client_secret"));
    if !request.headers.contains_key(header::AUTHORIZATION) {
        let client_id = in_body.0.ok_or(ErrorCode::InvalidClient)?.to_owned();
        return Ok(Credentials { client_id, secret: in_body.1.map(str::to_owned) });
    }
    let given = single(&request.headers, header::AUTHORIZATION).ok_or(ErrorCode::InvalidRequest)?;
    let given = basic(given).ok_or(ErrorCode::InvalidClient)?;
    let is_other = in_body.0.is_some_and(|client_id| client_id != given.client_id);
    match in_body.1.is_some() || is_other {
        true => Err(ErrorCode::InvalidRequest),
        false => Ok(given),
    }
}

/// Reads `Basic …`: both parts are encoded as in a form before they are joined.
fn basic(value: &str) -> Option<Credentials> {
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (client_id, secret) = text.split_once(':')?;
    let secret = Some(decode(secret)).filter(|secret| !secret.is_empty());
    Some(Credentials { client_id: decode(client_id), secret })
}

/// A value of a form, which cannot have the sign that ends it.
fn decode(text: &str) -> String {
    let pair = format!("={}", text.replace('&', "%26"));
    let decoded = form_urlencoded::parse(pair.as_bytes()).next();
    decoded.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn is_plain(client_id: &str) -> bool {
    client_id.len() <= CLIENT_ID_MAX && client_id.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_proved(client: &Client, old: &[TokenHash], secret: Option<&str>) -> bool {
    let Some(current) = &client.secret_hash else { return client.is_public && secret.is_none() };
    let Some(given) = secret.and_then(|secret| TokenKind::ClientSecret.hash(secret)) else {
        return false;
    };
    // All are compared, whatever the first says.
    old.iter().fold(is_same(current, &given), |is_known, old| is_known | is_same(old, &given))
}

/// Failures are counted for what somebody calls itself, known or not, and for its address.
fn window(request: &Request, client_id: &str) -> FailureWindow {
    let names = request.app.secrets().window_names();
    names.window(OF_CLIENT, &[client_id, &request.caller().to_string()])
}

fn too_many(wait: Duration) -> Refusal {
    let seconds = wait.as_micros().div_ceil(1_000_000).max(1);
    ApiError::TooMany(u64::try_from(seconds).unwrap_or(u64::MAX)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, Option<String>)> {
        let value = format!("Basic {}", STANDARD.encode(text));
        basic(&value).map(|given| (given.client_id, given.secret))
    }

    #[test]
    fn both_parts_of_basic_are_decoded_as_in_a_form() {
        let both = |id: &str, secret: &str| Some((id.to_owned(), Some(secret.to_owned())));
        assert_eq!(read("wbc_a:wbs_b"), both("wbc_a", "wbs_b"));
        assert_eq!(read("wbc%5Fa:wbs%5Fb"), both("wbc_a", "wbs_b"));
        assert_eq!(read("a+b%3A:x&y=z:%26"), both("a b:", "x&y=z:&"));
        assert_eq!(read("wbc_a:"), Some(("wbc_a".to_owned(), None)));
        assert_eq!(read("no colon"), None);
        assert!(basic("Bearer wb_x").is_none() && basic("Basic ???").is_none());
    }
}
