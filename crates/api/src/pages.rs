//! Pages for people: HTML that is made here, without scripts and without anything from elsewhere.
//!
//! Everything that is shown goes through `maud`, which escapes it. What each page has around it,
//! its headers included, is [`Page`].

pub mod browser;
pub mod cookies;
pub mod form;
pub mod guard;
mod refusal;
mod style;

use axum::http::{HeaderName, StatusCode, header};
use maud::{DOCTYPE, Markup, html};
use waybill_domain::language::Language;
use waybill_domain::words::Message;

pub use refusal::{error, refused};

use super::cors::SAME_ORIGIN;
use super::reply::Reply;

/// A page for people.
pub struct Page {
    /// What it is called by tests and scripts.
    pub name: &'static str,
    /// The language of everything on it.
    pub language: Language,
    /// What stands in the browser's title, before our name.
    pub title: String,
    /// What is on it.
    pub main: Markup,
    /// Where its forms may lead besides ourselves, as the policy writes it.
    pub form_action: Option<String>,
}

impl Page {
    /// The page as an answer, with all its headers.
    pub fn into_reply(self, status: StatusCode) -> Reply {
        let html = html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { (self.title) " – Waybill" }
                    (style::element())
                }
                body {
                    p.brand { (style::mark()) "Waybill" }
                    main data-page=(self.name) { (self.main) }
                }
            }
        };
        let reply = Reply::bytes("text/html; charset=utf-8", html.into_string()).status(status);
        let reply = reply
            .header(header::CONTENT_LANGUAGE, self.language.to_string())
            .header(header::CONTENT_SECURITY_POLICY, policy(self.form_action.as_deref()));
        guarded(reply)
    }
}

/// The policy of a page: no scripts, nothing from elsewhere, not inside another page. Browsers
/// apply `form-action` to where a form leads in the end, so that is named too.
fn policy(form_action: Option<&str>) -> String {
    let style = style::source();
    let others = form_action.map(|source| format!(" {source}")).unwrap_or_default();
    format!(
        "default-src 'none'; style-src {style}; form-action 'self'{others}; \
         frame-ancestors 'none'; base-uri 'none'"
    )
}

/// The headers of every answer to a browser, also of one that only leads on.
pub fn guarded(reply: Reply) -> Reply {
    reply
        .header(header::CACHE_CONTROL, "no-store")
        // With `no-referrer` browsers send `Origin: null` with our own forms.
        .header(header::REFERRER_POLICY, "same-origin")
        .header(header::X_FRAME_OPTIONS, "DENY")
        .header(HeaderName::from_static(SAME_ORIGIN), "same-origin")
}

/// Leads the browser on, with a GET.
pub fn see_other(location: impl Into<String>) -> Reply {
    let reply = Reply::nothing().status(StatusCode::SEE_OTHER);
    guarded(reply.header(header::LOCATION, location))
}

/// A sentence of a page.
pub fn say(language: Language, key: &'static str) -> String {
    Message::new(key).say(language)
}

/// A sentence with one blank, which is filled with what somebody else wrote: it is set off from the
/// words around it, whatever direction it is written in.
pub fn say_with(language: Language, key: &'static str, blank: &'static str, value: &str) -> Markup {
    // Stands for an object in a text, and for nothing that a sentence of ours has.
    const OBJECT: &str = "\u{fffc}";
    let text = Message::new(key).text(blank, OBJECT).say(language);
    let (before, after) = text.split_once(OBJECT).unwrap_or((&text, ""));
    html! { (before) strong { bdi { (value) } } (after) }
}
