//! The browser that a form is drawn for, and what proves that a form came back from it.

use axum::http::header;
use maud::{Markup, html};
use waybill_domain::session;
use waybill_engine::forms::FormBinding;

use super::cookies::Cookie;
use super::form::Form;
use super::guard;
use crate::reply::Reply;
use crate::request::Request;

/// The field of a form that holds the proof.
pub const TOKEN: &str = "csrf_token";

/// The browser that forms are drawn for: what its cookie holds, and whether that is new.
pub struct Browser {
    value: String,
    is_new: bool,
}

impl Browser {
    /// The one that sent this request.
    pub fn of(request: &Request) -> Browser {
        let known = Cookie::Browser.read(&request.headers, request.app.base_url());
        let fresh = || session::generate(request.app.ids().as_ref()).expose().clone();
        Browser { value: known.map_or_else(fresh, str::to_owned), is_new: known.is_none() }
    }

    /// What forms are bound to.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Gives the browser its cookie with this page, unless it has it.
    pub fn remember(&self, reply: Reply, base_url: &str) -> Reply {
        match self.is_new {
            true => reply.header(header::SET_COOKIE, Cookie::Browser.set(&self.value, base_url)),
            false => reply,
        }
    }
}

/// The hidden field of a form of this step, with what must come back as it was.
pub fn token_field(
    request: &Request,
    browser: &Browser,
    step: &'static str,
    fields: &[(String, String)],
) -> Markup {
    let binding = FormBinding { browser: browser.value(), step, fields };
    let token = request.app.secrets().form_signer().sign(binding, request.now);
    html! { input type="hidden" name=(TOKEN) value=(token); }
}

/// Whether we drew this form for this browser, less than an hour ago, and no other site sent it.
pub fn is_own(
    request: &Request,
    form: &Form,
    step: &'static str,
    fields: &[(String, String)],
) -> bool {
    let browser = Cookie::Browser.read(&request.headers, request.app.base_url());
    let (Some(browser), Some(token)) = (browser, form.value(TOKEN)) else { return false };
    let binding = FormBinding { browser, step, fields };
    guard::is_own_form(&request.headers, request.app.base_url())
        && request.app.secrets().form_signer().is_good(token, binding, request.now)
}
