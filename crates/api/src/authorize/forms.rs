//! The forms of these pages: what each repeats of the app's request, and the token that binds it to
//! the browser, the step, and all of that.

use maud::{Markup, html};
use waybill_domain::oauth::authorization::Parameters;
use waybill_engine::forms::FormBinding;
use waybill_store::sessions::Session;

use super::request::Authorization;
use crate::pages::browser::{Browser, TOKEN};
use crate::pages::cookies::Cookie;
use crate::pages::form::Form;
use crate::request::Request;

/// What the token binds beside the fields of a form: the session that the form was drawn in.
const SESSION: &str = "session";
/// Stands in a token between that session and the proof.
const BETWEEN: char = '~';

/// What a form is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To sign in.
    SignIn,
    /// To sign out.
    SignOut,
    /// To agree, or not.
    Consent,
}

impl Step {
    /// What was sent.
    pub fn of(form: &Form) -> Step {
        match (form.value("sign_out"), form.value("consent")) {
            (Some("1"), _) => Step::SignOut,
            (_, Some(_)) => Step::Consent,
            _ => Step::SignIn,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Step::SignIn => "authorize: sign in",
            Step::SignOut => "authorize: sign out",
            Step::Consent => "authorize: consent",
        }
    }
}

/// The hidden fields of a form for this step.
pub fn hidden(
    request: &Request,
    authorization: &Authorization,
    browser: &Browser,
    step: Step,
    session: Option<&Session>,
) -> Markup {
    let session = session.map(|session| session.id.to_string());
    let fields = authorization.parameters.filled();
    let bound = bound(&fields, session.as_deref());
    let binding = FormBinding { browser: browser.value(), step: step.name(), fields: &bound };
    let proof = request.app.secrets().form_signer().sign(binding, request.now);
    let token = match session {
        Some(session) => format!("{session}{BETWEEN}{proof}"),
        None => proof,
    };
    html! {
        @for (name, value) in &fields {
            input type="hidden" name=(name) value=(value);
        }
        input type="hidden" name=(TOKEN) value=(token);
    }
}

/// Whether we drew this form for this browser, less than an hour ago.
pub fn is_good(request: &Request, form: &Form, parameters: &Parameters) -> bool {
    let browser = Cookie::Browser.read(&request.headers, request.app.base_url());
    let (Some(browser), Some((session, proof))) = (browser, token(form)) else { return false };
    let bound = bound(&parameters.filled(), session);
    let binding = FormBinding { browser, step: Step::of(form).name(), fields: &bound };
    request.app.secrets().form_signer().is_good(proof, binding, request.now)
}

/// The session that a form was drawn in. Believe it only of a form that is good.
pub fn session_of(form: &Form) -> Option<&str> {
    token(form)?.0
}

/// The session in the token of a form, and the proof.
fn token(form: &Form) -> Option<(Option<&str>, &str)> {
    let token = form.value(TOKEN)?;
    Some(token.split_once(BETWEEN).map_or((None, token), |(session, proof)| (Some(session), proof)))
}

fn bound(fields: &[(String, String)], session: Option<&str>) -> Vec<(String, String)> {
    let session = session.map(|session| (SESSION.to_owned(), session.to_owned()));
    fields.iter().cloned().chain(session).collect()
}
