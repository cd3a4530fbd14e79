//! What the forms behind links have in common.

use axum::http::{StatusCode, header};
use maud::{Markup, html};
use waybill_domain::audit::Actor;
use waybill_domain::fields::Text;
use waybill_domain::password::{LENGTH_MAX, LENGTH_MIN, Password};
use waybill_domain::words::Message;
use waybill_engine::passwords::HashingError;
use waybill_engine::sign_in::Credentials;
use waybill_store::users::User;

use crate::me::not_hashed;
use crate::pages::browser::{Browser, token_field};
use crate::pages::cookies::Cookie;
use crate::pages::form::Form;
use crate::pages::{Page, refused, say, say_with};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Whoever comes too early waits so many seconds when all processors hash passwords.
const BUSY: u64 = 5;

/// What a form is for.
pub const STEP: &str = "welcome";

/// What is wrong with a form: at a field, or at none.
pub type Problem = (&'static str, Message);

/// What a form is bound to beside the browser: its link.
pub fn bound(request: &Request) -> Vec<(String, String)> {
    vec![("path".to_owned(), request.path.clone())]
}

/// One field of a form.
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The sentence before it.
    pub label: &'static str,
    /// What stands in it.
    pub value: String,
    /// What kind of field the browser shows.
    pub kind: &'static str,
    /// What browsers and their stores of passwords fill it with.
    pub autocomplete: &'static str,
}

impl Field {
    /// A field of text.
    pub fn text(name: &'static str, label: &'static str, value: &str) -> Field {
        let value = value.to_owned();
        Field { name, label, value, kind: "text", autocomplete: "off" }
    }

    /// A field in which a new password is chosen.
    pub fn new_password() -> Field {
        let (name, label) = ("password", "page-new-password");
        Field { name, label, value: String::new(), kind: "password", autocomplete: "new-password" }
    }

    /// The same field, filled by browsers with this.
    pub fn filled_with(self, kind: &'static str, autocomplete: &'static str) -> Field {
        Field { kind, autocomplete, ..self }
    }

    fn draw(&self, request: &Request, problems: &[Problem]) -> Markup {
        let problem = problems.iter().find(|(name, _)| *name == self.name);
        let id = format!("{}-problem", self.name);
        let is_new = self.autocomplete == "new-password";
        html! {
            div.field {
                label for=(self.name) { (say(request.language, self.label)) }
                @if let Some((_, problem)) = problem {
                    p.problem id=(id) role="alert" { (problem.say(request.language)) }
                }
                input id=(self.name) type=(self.kind) name=(self.name) value=(self.value) required
                    autocomplete=(self.autocomplete)
                    minlength=[is_new.then_some(LENGTH_MIN)]
                    maxlength=[is_new.then_some(LENGTH_MAX)]
                    aria-describedby=[problem.map(|_| id.as_str())]
                    aria-invalid=[problem.map(|_| "true")];
            }
        }
    }
}

/// A page with a form that leads back to its own link.
pub fn page(
    request: &Request,
    (title, lead): (&'static str, Markup),
    (fields, submit): (&[Field], &'static str),
    problems: &[Problem],
) -> Reply {
    let (language, browser) = (request.language, Browser::of(request));
    let of_none = problems.iter().find(|(name, _)| name.is_empty());
    let main = html! {
        h1 { (say(language, title)) }
        div.lead { (lead) }
        @if let Some((_, problem)) = of_none {
            p.problem role="alert" { (problem.say(language)) }
        }
        form method="post" action=(request.page_path(&request.path)) {
            (token_field(request, &browser, STEP, &bound(request)))
            @for field in fields { (field.draw(request, problems)) }
            div.buttons { button.main type="submit" { (say(language, submit)) } }
        }
    };
    let page =
        Page { name: "welcome", language, title: say(language, title), main, form_action: None };
    let is_busy = problems.iter().any(|(_, problem)| problem.key() == "page-busy");
    let status = match problems {
        [] => StatusCode::OK,
        _ if is_busy => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let reply = browser.remember(page.into_reply(status), request.app.base_url());
    if is_busy { reply.header(header::RETRY_AFTER, BUSY.to_string()) } else { reply }
}

/// A text of a form that must be there, or what is wrong with it.
pub fn filled(form: &Form, name: &'static str, max: usize, problems: &mut Vec<Problem>) -> String {
    let text = form.value(name).unwrap_or_default().trim().to_owned();
    if let Some(problem) = Text::filled(max).problem(&text) {
        problems.push((name, problem));
    }
    text
}

/// The page of every link that lets nobody in.
pub fn void(request: &Request) -> Reply {
    let why = Message::new("page-link-over-why");
    refused(StatusCode::NOT_FOUND, "page-link-over", &why, request.language)
}

/// What somebody typed, as signing in wants it.
pub fn credentials(request: &Request, email: &str, password: &str) -> Credentials {
    Credentials {
        email: email.to_owned(),
        password: Password::typed(password),
        address: request.caller(),
        user_agent: request.header(header::USER_AGENT).map(str::to_owned),
        act: request.act(),
    }
}

/// Who comes in, for the audit log.
pub fn actor(user: &User) -> Actor {
    Actor::user(user.id.into(), &user.name)
}

/// What to say to whoever comes while all processors hash passwords; another failure is ours.
pub fn busy(error: HashingError) -> Result<Message, ApiError> {
    match error {
        HashingError::Busy => Ok(Message::new("page-busy")),
        error => Err(not_hashed(error)),
    }
}

/// The last page: the user is in, and the browser is signed in.
pub fn done(request: &Request, team: &str, cookie: &str) -> Reply {
    let language = request.language;
    let main = html! {
        h1 { (say_with(language, "page-welcome-done", "team", team)) }
        p.lead { (say(language, "page-welcome-next")) }
        footer {
            p { a href=(request.page_path("/docs")) { (say(language, "page-welcome-docs")) } }
        }
    };
    let title = Message::new("page-welcome-done").text("team", team).say(language);
    let page = Page { name: "welcome-done", language, title, main, form_action: None };
    let cookie = Cookie::Session.set(cookie, request.app.base_url());
    page.into_reply(StatusCode::OK).header(header::SET_COOKIE, cookie)
}
