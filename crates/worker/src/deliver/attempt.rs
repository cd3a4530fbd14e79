//! One attempt: signed, sent, checked and written down.

use std::time::Duration;

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use waybill_domain::event::{TEST, envelope};
use waybill_domain::ids::TeamId;
use waybill_domain::json::parse;
use waybill_domain::time::Time;
use waybill_domain::webhook::{
    DisabledReason, FAILING_MAX, is_in_window, next_attempt, parse_retry_after,
};
use waybill_engine::app::App;
use waybill_engine::signing::Secrets;
use waybill_outbound::{Answer, Conversation, Failure};
use waybill_store::deliveries::{self, Attempt, DueDelivery};
use waybill_store::webhooks::{self, Webhook};
use waybill_store::{Error, Tx};

/// So much of an answer is kept.
const RESPONSE_BYTES_MAX: usize = 2048;
const AGENT: &str = concat!("Waybill/", env!("CARGO_PKG_VERSION"));

/// Whom a queue sends to.
pub struct Receiver {
    pub team: TeamId,
    pub webhook: Webhook,
    pub secrets: Secrets,
    pub conversation: Conversation,
}

/// What became of a delivery in this attempt.
pub enum DeliveryOutcome {
    /// The receiver took it.
    Taken,
    /// It did not.
    Failed,
    /// It was not sent any more.
    GivenUp,
}

/// What an attempt came to.
struct Outcome {
    attempt: Attempt,
    is_taken: bool,
    /// The receiver wants nothing more, ever.
    is_gone: bool,
    ended_at: Time,
    next_at: Option<Time>,
}

impl Receiver {
    /// Makes one attempt, or gives up what may not be sent any more.
    pub async fn deliver(&self, app: &App, due: DueDelivery) -> Result<DeliveryOutcome, Error> {
        let now = app.now();
        let is_wanted = self.webhook.is_active || due.kind == TEST;
        if !is_wanted || !is_in_window(due.started_at, now) {
            let (team, id) = (self.team, due.id);
            app.write(move |tx| deliveries::fail(tx, team, id)).await?;
            return Ok(DeliveryOutcome::GivenUp);
        }
        let unreadable = || Error::Broken(format!("the event {} cannot be read", due.event));
        let ids = parse(due.ids.as_bytes()).map_err(|_| unreadable())?;
        let body = envelope(self.team, due.event, &due.kind, due.occurred_at, &ids).to_string();
        let headers = self.headers(&due, app.clock().wall(), &body)?;
        let (answer, took) = self.conversation.post(&self.webhook.url, headers, body.into()).await;
        metrics::histogram!("waybill_delivery_seconds").record(took.as_secs_f64());
        let outcome = classify_answer(app, &due, now, answer, took);
        let fate = if outcome.is_taken { DeliveryOutcome::Taken } else { DeliveryOutcome::Failed };
        let (team, webhook) = (self.team, self.webhook.id);
        app.write(move |tx| {
            let times = (outcome.is_taken.then_some(outcome.ended_at), outcome.next_at);
            deliveries::record(tx, team, due.id, &outcome.attempt, times)?;
            match outcome.is_taken {
                true => webhooks::clear_failing(tx, team, webhook),
                false => record_failure(tx, team, webhook, &outcome),
            }
        })
        .await?;
        Ok(fate)
    }

    fn headers(&self, due: &DueDelivery, at: Time, body: &str) -> Result<HeaderMap, Error> {
        let id = due.event.to_string();
        // Nothing is ever sent unsigned.
        let unsigned = || Error::Broken(format!("the webhook {} has no secret", self.webhook.id));
        let signature = self.secrets.sign(&id, at, body.as_bytes()).ok_or_else(unsigned)?;
        let seconds = at.0.div_euclid(1_000_000).to_string();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(AGENT));
        for (name, value) in
            [("webhook-id", id), ("webhook-timestamp", seconds), ("webhook-signature", signature)]
        {
            let value = HeaderValue::try_from(value);
            let value = value.map_err(|error| Error::Broken(error.to_string()))?;
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(headers)
    }
}

fn classify_answer(
    app: &App,
    due: &DueDelivery,
    started_at: Time,
    answer: Result<Answer, Failure>,
    took: Duration,
) -> Outcome {
    let ended_at = app.now();
    let (status, response, error) = match &answer {
        Ok(answer) => (Some(i64::from(answer.status)), Some(show(&answer.body)), None),
        Err(failure) => (None, None, Some(failure.name().to_owned())),
    };
    let is_taken = matches!(status, Some(200..=299));
    let outcome = if is_taken { "delivered" } else { "failed" };
    metrics::counter!("waybill_delivery_attempts_total", "outcome" => outcome).increment(1);
    let retry_after = answer.ok().and_then(|answer| answer.retry_after);
    let retry_after = retry_after.and_then(|text| parse_retry_after(&text, ended_at));
    let mut random = [0];
    app.ids().fill(&mut random);
    let first = due.started_at.unwrap_or(started_at);
    let next_at = next_attempt(first, ended_at, retry_after, random[0]).filter(|_| !is_taken);
    let attempt = Attempt {
        id: app.new_uuid(),
        attempted_at: started_at,
        status,
        latency_micros: i64::try_from(took.as_micros()).unwrap_or(i64::MAX),
        response,
        error,
    };
    Outcome { attempt, is_taken, is_gone: status == Some(410), ended_at, next_at }
}

/// Counts a failure against the webhook, and switches off one that is gone or failed for too long.
fn record_failure(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: waybill_domain::ids::WebhookId,
    outcome: &Outcome,
) -> Result<(), Error> {
    let now = outcome.ended_at;
    let since = webhooks::find(tx, team, id)?.and_then(|webhook| webhook.failing_since);
    let reason = match since {
        _ if outcome.is_gone => DisabledReason::Gone,
        Some(since) if now.since(since) >= FAILING_MAX => DisabledReason::Failing,
        Some(_) => return Ok(()),
        None => return webhooks::set_failing(tx, team, id, now),
    };
    webhooks::set_active(tx, team, id, (false, Some(reason)), now)?;
    deliveries::fail_pending(tx, team, id)?;
    Ok(())
}

/// The beginning of an answer as text that can be stored and shown.
fn show(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(RESPONSE_BYTES_MAX)]);
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let mut shown: String =
        text.chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect();
    let end = shown.floor_char_boundary(RESPONSE_BYTES_MAX);
    shown.truncate(end);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_shown_as_text_of_two_kibibytes_at_most() {
        assert_eq!(show(b"ok\n"), "ok\n");
        assert_eq!(show(b"a\0b\x1b[2J"), "a\u{fffd}b\u{fffd}[2J");
        assert_eq!(show("æ".repeat(2000).as_bytes()).len(), 2048);
        assert!(show(&[0xff; 5000]).len() <= 2048);
    }
}
