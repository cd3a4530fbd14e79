//! Webhooks and deliveries as the contract shows them.

use waybill_domain::json::{Json, parse};
use waybill_domain::webhook::DisabledReason;
use waybill_domain::words::Message;
use waybill_engine::signing::Secrets;
use waybill_outbound::Failure;
use waybill_store::deliveries::{Attempt, Delivery};
use waybill_store::webhooks::Webhook;

use crate::request::Request;

/// A webhook without its secret.
pub fn webhook(request: &Request, webhook: &Webhook) -> Json {
    let reason = webhook.disabled_reason.map(|reason| {
        let key = match reason {
            DisabledReason::Gone => "webhook-gone",
            DisabledReason::Failing => "webhook-failing",
        };
        Message::new(key).say(request.language)
    });
    Json::object([
        ("uuid", Json::text(webhook.id)),
        ("url", webhook.url.as_str().into()),
        ("events", Json::list(webhook.kinds.split(' ').map(Json::text))),
        ("is_active", webhook.is_active.into()),
        ("disabled_reason", reason.into()),
        ("created_at", Json::text(webhook.created_at)),
        ("updated_at", Json::text(webhook.updated_at)),
    ])
}

/// A webhook with the secret that was made just now.
pub fn with_secret(request: &Request, row: &Webhook, secrets: &Secrets) -> Json {
    let mut shown = webhook(request, row);
    shown.merge(&Json::object([("secret", secrets.current().expose().as_str().into())]));
    shown
}

/// A delivery with its attempts.
pub fn delivery(request: &Request, delivery: &Delivery, attempts: &[Attempt]) -> Json {
    Json::object([
        ("uuid", Json::text(delivery.id)),
        ("webhook_uuid", Json::text(delivery.webhook)),
        ("event_id", Json::text(delivery.event)),
        ("event_type", delivery.kind.as_str().into()),
        ("state", delivery.state.name().into()),
        ("attempts", Json::list(attempts.iter().map(|row| attempt(request, row)))),
        ("next_attempt_at", delivery.next_at.map(Json::text).into()),
        ("created_at", Json::text(delivery.created_at)),
        ("delivered_at", delivery.delivered_at.map(Json::text).into()),
    ])
}

fn attempt(request: &Request, attempt: &Attempt) -> Json {
    let error = attempt.error.as_deref().and_then(Failure::explain);
    Json::object([
        ("attempted_at", Json::text(attempt.attempted_at)),
        ("status", attempt.status.into()),
        ("latency_ms", millis(attempt.latency_micros)),
        ("response", attempt.response.as_deref().into()),
        ("error", error.map(|error| error.say(request.language)).into()),
    ])
}

/// Milliseconds with their decimals.
fn millis(micros: i64) -> Json {
    let text = format!("{}.{:03}", micros / 1000, micros % 1000);
    parse(text.as_bytes()).unwrap_or(Json::Null)
}
