//! The sign-in page: who is this?

use axum::http::{StatusCode, header};
use maud::html;
use waybill_domain::password::Password;
use waybill_domain::session;
use waybill_domain::words::Message;
use waybill_engine::passwords::HashingError;
use waybill_engine::sign_in::{Credentials, SignInError};

use super::forms::{self, Step};
use super::request::{Authorization, PATH};
use crate::pages::browser::Browser;
use crate::pages::cookies::Cookie;
use crate::pages::form::Form;
use crate::pages::{Page, say, say_with, see_other};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Whoever comes too early waits so many seconds when all processors hash passwords.
const BUSY: u64 = 5;

/// The page, as it is shown first.
pub fn page(request: &Request, authorization: &Authorization) -> Reply {
    draw(request, authorization, "", None).into_reply(request, StatusCode::OK)
}

/// A page with the browser that it is for.
struct Drawn(Page, Browser);

impl Drawn {
    fn into_reply(self, request: &Request, status: StatusCode) -> Reply {
        self.1.remember(self.0.into_reply(status), request.app.base_url())
    }
}

fn draw(
    request: &Request,
    authorization: &Authorization,
    email: &str,
    problem: Option<&Message>,
) -> Drawn {
    let (language, browser) = (request.language, Browser::of(request));
    let described = problem.map(|_| "problem");
    let invalid = problem.map(|_| "true");
    let main = html! {
        h1 { (say(language, "page-sign-in")) }
        p.lead { (say_with(language, "page-sign-in-for", "app", &authorization.client.name)) }
        @if let Some(problem) = problem {
            p.problem #problem role="alert" { (problem.say(language)) }
        }
        form method="post" action=(request.page_path(PATH)) {
            (forms::hidden(request, authorization, &browser, Step::SignIn, None))
            div.field {
                label for="email" { (say(language, "page-email")) }
                // Not of the type `email`: browsers write addresses of other letters anew.
                input #email type="text" inputmode="email" name="email" value=(email) required
                    autocomplete="username" autocapitalize="none" spellcheck="false"
                    autofocus[email.is_empty()] aria-describedby=[described]
                    aria-invalid=[invalid];
            }
            div.field {
                label for="password" { (say(language, "page-password")) }
                input #password type="password" name="password" required
                    autocomplete="current-password" autofocus[!email.is_empty()]
                    aria-describedby=[described] aria-invalid=[invalid];
            }
            div.buttons { button.main type="submit" { (say(language, "page-sign-in")) } }
        }
        footer { p.quiet { (say(language, "page-forgotten")) } }
    };
    let title = say(language, "page-sign-in");
    let form_action = Some(authorization.asked.way_back.source());
    Drawn(Page { name: "sign-in", language, title, main, form_action }, browser)
}

/// Takes the form: leads on, or shows the page again with what is wrong.
pub async fn answer(
    request: &Request,
    authorization: &Authorization,
    form: &Form,
) -> Result<Reply, ApiError> {
    let base_url = request.app.base_url();
    let email = form.value("email").unwrap_or_default();
    let credentials = Credentials {
        email: email.to_owned(),
        password: Password::typed(form.value("password").unwrap_or_default()),
        address: request.caller(),
        user_agent: request.header(header::USER_AGENT).map(str::to_owned),
        act: request.act(),
    };
    let before = Cookie::Session.read(&request.headers, base_url).and_then(session::hash);
    let again = |status, problem: &Message| {
        draw(request, authorization, email, Some(problem)).into_reply(request, status)
    };
    match request.app.sign_in(credentials, before).await {
        Ok(signed_in) => {
            let cookie = Cookie::Session.set(signed_in.cookie.expose(), base_url);
            Ok(see_other(request.page_path(&authorization.path()))
                .header(header::SET_COOKIE, cookie))
        }
        Err(SignInError::Wrong) => {
            let wrong = Message::new("page-wrong-password");
            Ok(again(StatusCode::UNPROCESSABLE_ENTITY, &wrong))
        }
        Err(SignInError::TooMany(seconds)) => {
            let minutes = i64::try_from(seconds.div_ceil(60)).unwrap_or(i64::MAX);
            let wait = Message::new("page-too-many-sign-ins").count("minutes", minutes);
            let reply = again(StatusCode::TOO_MANY_REQUESTS, &wait);
            Ok(reply.header(header::RETRY_AFTER, seconds.to_string()))
        }
        Err(SignInError::Hashing(HashingError::Busy)) => {
            let reply = again(StatusCode::SERVICE_UNAVAILABLE, &Message::new("page-busy"));
            Ok(reply.header(header::RETRY_AFTER, BUSY.to_string()))
        }
        Err(SignInError::Hashing(failed)) => Err(ApiError::Internal(failed.to_string())),
        Err(SignInError::Store(error)) => Err(error.into()),
        Err(error @ SignInError::Panicked(_)) => Err(ApiError::Internal(error.to_string())),
    }
}
