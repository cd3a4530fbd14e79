//! What Budbee says by itself about parcels: messages of the second version of its webhooks.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use hyper::header::{AUTHORIZATION, HeaderMap};
use sha1::Sha1;
use sha2::Sha256;
use waybill_domain::json::Json;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Unreadable,
    fingerprint,
};

use super::account::callback_authorization;
use super::uncertain::SIGNATURE;
use crate::Account;
use crate::members::{text, text_or_number};
use crate::tracking::NumberAnswer;

/// Its events, and what they mean.
const EVENTS: &[(&str, Status)] = &[
    ("PARCEL_CREATED", Status::InfoReceived),
    ("SORTED_AT_TERMINAL", Status::AtTerminal),
    ("HOME_DELIVERY_CHANGED", Status::InTransit),
    ("LOCKER_CHANGED", Status::InTransit),
    ("CHANGED_TO_LOCKER_DELIVERY", Status::InTransit),
    ("CHANGED_TO_HOME_DELIVERY", Status::InTransit),
    ("DELIVERY_VEHICLE_LOADED", Status::OutForDelivery),
    ("DELIVERED_TO_LOCKER", Status::AvailableForPickup),
    ("INJECTED_IN_LOCKER", Status::AvailableForPickup),
    ("DELIVERED_TO_CONSUMER", Status::Delivered),
    ("CONSUMER_PICKED_UP_FROM_LOCKER", Status::Delivered),
    ("DELIVERY_FAILED", Status::AttemptFailed),
    ("DELIVERY_CANCELLED", Status::Exception),
    ("PARCEL_RECALLED", Status::Exception),
    ("RETURN_BOOKED_HOME", Status::Returning),
    ("RETURN_BOOKED_LOCKER", Status::Returning),
    ("RETURN_HOME_PICKED_UP", Status::Returning),
    ("RETURNED_TO_MERCHANT", Status::Returned),
];

/// Whether Budbee sent a message: it knows a name and a password, or signed the body.
pub fn is_authentic(account: &Account, headers: &HeaderMap, body: &[u8]) -> bool {
    is_let_in(account, headers) || is_signed(account, headers, body)
}

fn is_let_in(account: &Account, headers: &HeaderMap) -> bool {
    let wanted = callback_authorization(account);
    let (Some(wanted), Some(sent)) = (wanted, headers.get(AUTHORIZATION)) else { return false };
    // Comparing digests takes as long wherever the first difference is.
    let digest = |value: &[u8]| {
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(b"a digest to compare");
        mac.map(|mac| mac.chain_update(value))
    };
    match (digest(wanted.as_bytes()), digest(sent.as_bytes())) {
        (Ok(wanted), Ok(sent)) => wanted.verify(&sent.finalize().into_bytes()).is_ok(),
        _ => false,
    }
}

fn is_signed(account: &Account, headers: &HeaderMap, body: &[u8]) -> bool {
    let Some(secret) = text(account.credentials.expose(), "api_secret") else { return false };
    let sent = headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let Some(sent) = sent.map(str::trim) else { return false };
    let Ok(mac) = <Hmac<Sha1> as KeyInit>::new_from_slice(secret.as_bytes()) else { return false };
    let mac = mac.chain_update(body);
    let readings = [unhex(sent), STANDARD.decode(sent).ok()];
    readings.into_iter().flatten().any(|read| mac.clone().verify_slice(&read).is_ok())
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    if is_hex { (0..40).step_by(2).map(byte).collect() } else { None }
}

/// What a message says about a parcel. Nothing when it is no message of Budbee's.
pub fn answer(message: &Json) -> Option<NumberAnswer> {
    let number = text_or_number(message, "packageId")?;
    text(message, "eventType")?;
    let events = vec![event(message)];
    let report = TrackingReport { events, ..TrackingReport::default() };
    Some((number, TrackingAnswer::Report(report)))
}

fn event(message: &Json) -> Result<TrackingEvent, Unreadable> {
    let unreadable = |why: &str| Unreadable::new(message.to_string(), why);
    let code = text(message, "eventType").unwrap_or_default();
    let status = status(code).ok_or_else(|| unreadable("the event is unknown"))?;
    let told = text(message, "timestamp").ok_or_else(|| unreadable("there is no time"))?;
    let time = Time::parse(told).ok_or_else(|| unreadable("the time cannot be read"))?;
    // Its own id, or all that makes it another event.
    let fingerprint = match text_or_number(message, "eventId") {
        Some(id) => fingerprint(&["id", &id]),
        None => fingerprint(&["event", code, &time.to_string()]),
    };
    Ok(TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(time),
        location: None,
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint,
    })
}

fn status(code: &str) -> Option<Status> {
    let known = EVENTS.iter().find(|(known, _)| *known == code).map(|(_, status)| *status);
    let is_undone = code.ends_with("_FAILED") || code.ends_with("_CANCELLED");
    known.or_else(|| (code.starts_with("RETURN_") && is_undone).then_some(Status::Exception))
}

#[cfg(test)]
mod tests;
