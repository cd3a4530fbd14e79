//! Errors as pages: what went wrong, in words, and what the request was called.

use axum::http::StatusCode;
use maud::html;
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use super::{Page, say};
use crate::reply::{ApiError, Reply};

/// An error of any handler as a page.
pub fn error(error: ApiError, language: Language, request_id: &str) -> Reply {
    let message = match error {
        ApiError::UnsupportedMedia => Message::new("page-not-a-form"),
        _ => error.message(request_id),
    };
    let html = html! {
        h1 { (say(language, "page-error")) }
        p.lead role="alert" { (message.say(language)) }
        footer { p.quiet { "Request-ID: " (request_id) } }
    };
    let title = say(language, "page-error");
    let page = Page { name: "error", language, title, main: html, form_action: None };
    error.with_headers(page.into_reply(error.status()))
}

/// A page that says only why nothing was done.
pub fn refused(
    status: StatusCode,
    title: &'static str,
    why: &Message,
    language: Language,
) -> Reply {
    let main = html! {
        h1 { (say(language, title)) }
        p.lead role="alert" { (why.say(language)) }
    };
    let page =
        Page { name: "refused", language, title: say(language, title), main, form_action: None };
    page.into_reply(status)
}
