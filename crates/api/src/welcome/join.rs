//! Coming into a team by an invitation: with the password of an account, or with a new account.

use axum::http::{StatusCode, header};
use maud::html;
use waybill_domain::ids::UserId;
use waybill_domain::password::Password;
use waybill_domain::session;
use waybill_domain::token::TokenHash;
use waybill_domain::words::Message;
use waybill_engine::sign_in::{SignInError, note_signed_in};
use waybill_store::invitations::{self, Invitation};
use waybill_store::teams::Team;
use waybill_store::users::{self, User};
use waybill_store::{Error, Tx, passwords};

use super::fields::{Field, Problem, actor, busy, credentials, done, filled, page as draw, void};
use crate::me::password_fault;
use crate::pages::cookies::Cookie;
use crate::pages::form::Form;
use crate::pages::{refused, say_with, see_other};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// What there is of whoever was invited.
pub enum Account {
    /// Nobody has the address.
    None,
    /// A user who signs in with a password.
    WithPassword,
    /// A user who has none. An invitation must not give one: whoever invites knows the link, and is
    /// not the user.
    WithoutPassword,
}

/// Whoever was invited: into which team, by which invitation.
pub type Invited = (Team, Invitation, Account);

/// The page, with what was typed as the name.
pub fn page(request: &Request, invited: &Invited, name: &str, problems: &[Problem]) -> Reply {
    let (team, invitation, account) = invited;
    let lead = html! {
        p { (say_with(request.language, "page-invited-to", "team", &team.name)) }
        p { (say_with(request.language, "page-invited-as", "email", &invitation.email)) }
    };
    let password = Field::text("password", "page-password", "");
    let fields = match account {
        Account::WithPassword => vec![password.filled_with("password", "current-password")],
        Account::None => vec![
            Field::text("name", "page-your-name", name).filled_with("text", "name"),
            Field::new_password(),
        ],
        Account::WithoutPassword => {
            let why = Message::new("page-no-password-why");
            return refused(StatusCode::OK, "page-no-password", &why, request.language);
        }
    };
    draw(request, ("page-invited", lead), (&fields, "page-join"), problems)
}

/// Takes the form.
pub async fn answer(
    request: &Request,
    form: &Form,
    invited: &Invited,
    hash: TokenHash,
) -> Result<Reply, ApiError> {
    match invited.2 {
        Account::WithPassword => sign_in(request, form, invited, hash).await,
        Account::None => register(request, form, invited, hash).await,
        Account::WithoutPassword => Ok(page(request, invited, "", &[])),
    }
}

async fn sign_in(
    request: &Request,
    form: &Form,
    invited: &Invited,
    hash: TokenHash,
) -> Result<Reply, ApiError> {
    let (team, invitation, _) = invited;
    let typed = form.value("password").unwrap_or_default();
    let credentials = credentials(request, &invitation.email, typed);
    let before = Cookie::Session.read(&request.headers, request.app.base_url());
    let again = |message| page(request, invited, "", &[("", message)]);
    let signed_in = match request.app.sign_in(credentials, before.and_then(session::hash)).await {
        Ok(signed_in) => signed_in,
        Err(SignInError::Wrong) => return Ok(again(Message::new("page-wrong-password"))),
        Err(SignInError::TooMany(seconds)) => {
            let minutes = i64::try_from(seconds.div_ceil(60)).unwrap_or(i64::MAX);
            let reply = again(Message::new("page-too-many-sign-ins").count("minutes", minutes));
            let reply = reply.status(StatusCode::TOO_MANY_REQUESTS);
            return Ok(reply.header(header::RETRY_AFTER, seconds.to_string()));
        }
        Err(SignInError::Hashing(error)) => return Ok(again(busy(error)?)),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(error @ SignInError::Panicked(_)) => return Err(ApiError::Internal(error.to_string())),
    };
    let (id, act) = (signed_in.user.id, request.act().by(actor(&signed_in.user)));
    let accepted = request.write(move |tx| invitations::any_accept(tx, &hash, id, &act)).await?;
    request.api.callers().forget();
    match accepted {
        Some(_) => Ok(done(request, &team.name, signed_in.cookie.expose())),
        // Somebody took it back, or used it, a moment ago.
        None => Ok(void(request)),
    }
}

async fn register(
    request: &Request,
    form: &Form,
    invited: &Invited,
    hash: TokenHash,
) -> Result<Reply, ApiError> {
    let (team, invitation, _) = invited;
    let mut problems = Vec::new();
    let name = filled(form, "name", 100, &mut problems);
    let typed = form.value("password").unwrap_or_default();
    let password = Password::chosen(typed, &invitation.email);
    let password = password.map_err(|fault| problems.push(("password", password_fault(fault))));
    let (Ok(password), true) = (password, problems.is_empty()) else {
        return Ok(page(request, invited, &name, &problems));
    };
    let app = &request.app;
    let hashed = match app.secrets().passwords().hash(password, app.ids().clone()).await {
        Ok(hashed) => hashed,
        Err(error) => return Ok(page(request, invited, &name, &[("", busy(error)?)])),
    };
    let user = User {
        id: UserId(app.new_uuid()),
        name,
        email: invitation.email.clone(),
        language: request.language.to_string(),
        is_operator: false,
        created_at: request.now,
    };
    let credentials = credentials(request, &user.email, typed);
    let (session, cookie) = app.new_session(&user, &credentials);
    let act = request.act().by(actor(&user));
    let join = move |tx: &mut Tx<'_>| {
        if users::any_find_by_email(tx, &user.email)?.is_some() {
            return Err(NotJoined::Known);
        }
        users::insert(tx, &user)?;
        passwords::any_set(tx, user.id, &hashed, act.at)?;
        invitations::any_accept(tx, &hash, user.id, &act)?.ok_or(NotJoined::Void)?;
        session.insert(tx)?;
        Ok(note_signed_in(tx, &user, &act.line(1))?)
    };
    match request.write(join).await {
        Ok(()) => Ok(done(request, &team.name, cookie.expose())),
        Err(NotJoined::Void) => Ok(void(request)),
        // The page asks for the password of the account now, if the link is still good.
        Err(NotJoined::Known) => Ok(see_other(request.page_path(&request.path))),
        Err(NotJoined::Store(error)) => Err(error.into()),
    }
}

/// Why nobody came in: nothing of it is kept.
enum NotJoined {
    /// The link is good for nothing any more.
    Void,
    /// Somebody made the account a moment ago, by the same link or by another.
    Known,
    Store(Error),
}

impl From<Error> for NotJoined {
    fn from(error: Error) -> NotJoined {
        match error {
            Error::Conflict(index) if index == "app_user_email" => NotJoined::Known,
            error => NotJoined::Store(error),
        }
    }
}
