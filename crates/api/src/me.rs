//! What belongs to the calling user alone: its password, the browsers in which it is signed in, and
//! its end.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use waybill_domain::audit::Act;
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::ids::SessionId;
use waybill_domain::json::Json;
use waybill_domain::password::{LENGTH_MAX, LENGTH_MIN, Password, PasswordFault};
use waybill_domain::secret::Secret;
use waybill_domain::session;
use waybill_domain::words::Message;
use waybill_engine::change_password::ChangeError;
use waybill_engine::delete_user::DeleteError;
use waybill_engine::passwords::HashingError;
use waybill_engine::sign_in::{Credentials, SignInError};
use waybill_store::sessions::{self, Session};
use waybill_store::users::User;

use super::caller::Caller;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// Nobody types more than this, and a password of so many characters is refused in any case.
const TYPED_MAX: usize = 1_000;

/// `POST /v2/me/password`
pub async fn change_password(mut request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let user = caller.as_user()?;
    let (body, errors) = request.json_body().await?;
    let read = |fields: &Fields| {
        let current = fields.text("current_password", Text::up_to(TYPED_MAX)).optional();
        let new = fields.text("password", Text::up_to(TYPED_MAX)).required();
        Some((current, new?))
    };
    let (current, new) = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let act = request.act();
    let current = current.map(|typed| credentials(&request, user, &typed, act.clone()));
    match request.app.change_password(user, current, Secret::new(new), act).await {
        Ok(()) => Ok(Reply::nothing()),
        Err(error) => Err(refusal(error)),
    }
}

fn credentials(request: &Request, user: &User, typed: &str, act: Act) -> Credentials {
    Credentials {
        email: user.email.clone(),
        password: Password::typed(typed),
        address: request.caller(),
        user_agent: request.header(header::USER_AGENT).map(str::to_owned),
        act,
    }
}

/// `DELETE /v2/me`: it leaves every team, and nothing lets it in any more.
pub async fn delete(mut request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let user = caller.as_user()?;
    let (body, errors) = request.json_body().await?;
    let read =
        |fields: &Fields| Some(fields.text("current_password", Text::up_to(TYPED_MAX)).optional());
    let current = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let act = request.act();
    let current = current.map(|typed| credentials(&request, user, &typed, act.clone()));
    let deleted = request.app.delete_user(user, current, act).await;
    request.api.callers().forget();
    match deleted {
        Ok(()) => Ok(Reply::nothing()),
        Err(DeleteError::Current(error)) => Err(not_proven(error)),
        Err(DeleteError::LastAdmin(domains)) => {
            let teams = domains.join(", ");
            Err(ApiError::Conflict(Message::new("last-admin-of").text("teams", teams)))
        }
        Err(DeleteError::Store(error)) => Err(error.into()),
    }
}

fn not_proven(error: SignInError) -> ApiError {
    match error {
        SignInError::Wrong => {
            ApiError::invalid("current_password", Message::new("wrong-current-password"))
        }
        SignInError::TooMany(seconds) => ApiError::TooMany(seconds),
        SignInError::Hashing(error) => not_hashed(error),
        SignInError::Store(error) => error.into(),
        error @ SignInError::Panicked(_) => ApiError::Internal(error.to_string()),
    }
}

fn refusal(error: ChangeError) -> ApiError {
    match error {
        ChangeError::Current(error) => not_proven(error),
        ChangeError::Hashing(error) => not_hashed(error),
        ChangeError::Store(error) => error.into(),
        ChangeError::New { fault, is_current_wrong } => {
            let mut errors = FieldErrors::one("password", password_fault(fault));
            if is_current_wrong {
                errors.add("current_password", Message::new("wrong-current-password"));
            }
            ApiError::Invalid(errors)
        }
    }
}

/// A password that was not looked at.
pub fn not_hashed(error: HashingError) -> ApiError {
    match error {
        HashingError::Busy => ApiError::Unavailable(error.to_string()),
        error => ApiError::Internal(error.to_string()),
    }
}

/// Why a text cannot be a password, for people.
pub fn password_fault(fault: PasswordFault) -> Message {
    match fault {
        PasswordFault::TooShort => Message::new("too-short").count("min", count(LENGTH_MIN)),
        PasswordFault::TooLong => Message::new("too-long").count("max", count(LENGTH_MAX)),
        PasswordFault::IsEmail => Message::new("password-is-email"),
    }
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// `GET /v2/me/sessions`: the browsers in which the user is signed in, the newest first.
pub async fn list_sessions(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let user = caller.as_user()?.id;
    request.query.knowing(&[]).finish()?;
    let rows = request.read(move |tx| sessions::any_list(tx, user)).await?;
    let live = rows.iter().filter(|row| row.is_live(request.now));
    let body = Json::object([("data", Json::list(live.map(view)))]);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `DELETE /v2/me/sessions/{session}`: that browser is asked again who it is.
pub async fn end_session(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let user = caller.as_user()?.id;
    let id = request.id("session", SessionId::parse)?;
    request.query.knowing(&[]).finish()?;
    let now = request.now;
    let ended = request.write(move |tx| {
        let found = sessions::any_find_of_user(tx, user, id)?;
        match found.is_some_and(|session| session.is_live(now)) {
            true => sessions::any_end(tx, id, now).map(|()| true),
            false => Ok(false),
        }
    });
    if ended.await? { Ok(Reply::nothing()) } else { Err(ApiError::NotFound) }
}

/// A session. No call of the API is made in one, so none of them is the current one.
fn view(row: &Session) -> Json {
    Json::object([
        ("uuid", Json::text(row.id)),
        ("is_current", false.into()),
        ("address", row.address.as_str().into()),
        ("user_agent", row.user_agent.as_deref().into()),
        ("created_at", Json::text(row.created_at)),
        ("last_seen_at", Json::text(row.seen_at)),
        ("expires_at", Json::text(session::ends_at(row.created_at, row.seen_at))),
    ])
}
