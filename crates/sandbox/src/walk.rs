//! The way of a parcel with the sandbox carrier: announced when it is booked, one step further
//! after each span of time, expected later once, and delivered in the end.

use std::time::Duration;

use waybill_domain::json::{Json, parse};
use waybill_domain::time::Time;

use crate::record::Record;

/// The span between two steps when nothing else is wished for.
const STEP: Duration = Duration::from_hours(4);
/// How long after its first estimate a parcel is expected when it is late.
const DELAY: Duration = Duration::from_hours(2);

/// A step: its code, where it happens, and what is said about it.
struct Step {
    code: &'static str,
    place: Option<(&'static str, &'static str)>,
    text: &'static str,
}

const fn step(
    code: &'static str,
    place: Option<(&'static str, &'static str)>,
    text: &'static str,
) -> Step {
    Step { code, place, text }
}

const TERMINAL: Option<(&str, &str)> =
    Some(("Taulov", r#"{"latitude":55.5463,"longitude":9.6112}"#));
const DEPOT: Option<(&str, &str)> =
    Some(("Kastrup", r#"{"latitude":55.6295,"longitude":12.6484}"#));

/// The way to a door; `at_point` stands for `loaded` on the way to a pickup point.
const WAY: &[Step] = &[
    step("announced", None, "Announced by the sender"),
    step("collected", None, "Collected"),
    step("terminal", TERMINAL, "Sorted"),
    step("estimate", None, "Delivered later than expected"),
    step("terminal", DEPOT, "Arrived at the last terminal"),
    step("loaded", DEPOT, "Loaded for delivery"),
    step("delivered", None, "Handed over"),
];

/// What is said about one parcel of a booking now.
pub fn parcel(record: &Record, number: &str, is_cancelled: bool, now: Time) -> Json {
    let wished = record.scenario().track;
    let pause = wished.unwrap_or(STEP).max(Duration::from_millis(1));
    let span = |from: Time| {
        let (start, end) = (from, from.plus(Duration::from_hours(4)));
        Json::object([("from", Json::text(start)), ("until", Json::text(end))])
    };
    let expected = record.at.plus(pause * 5).plus(Duration::from_hours(24));
    let steps = WAY.iter().zip(0_u32..).map(|(step, n)| (step, n, record.at.plus(pause * n)));
    // What is cancelled goes nowhere.
    let told = steps.filter(|(_, n, at)| *at <= now && (*n == 0 || !is_cancelled));
    let events = told.map(|(step, n, at)| {
        let is_pickup = record.service == "pickup_point" && step.code == "loaded";
        let estimate = match step.code {
            "announced" => Some(span(expected)),
            "estimate" => Some(span(expected.plus(DELAY))),
            _ => None,
        };
        let mut event = Json::object([
            ("id", format!("{number}-{n}").into()),
            ("code", if is_pickup { "at_point" } else { step.code }.into()),
            ("at", Json::text(at)),
            ("text", step.text.into()),
        ]);
        if let Some((place, coordinates)) = step.place {
            event.merge(&Json::object([("place", place.into())]));
            event.merge(&parse(coordinates.as_bytes()).unwrap_or(Json::Null));
        }
        if let Some(estimate) = estimate {
            event.merge(&Json::object([("estimate", estimate)]));
        }
        event
    });
    Json::object([
        ("tracking_number", number.into()),
        ("events", Json::list(events)),
        ("track_after_ms", wished.map(millis).into()),
    ])
}

/// How long it takes until something new is heard, when a scenario says so.
pub fn millis(pause: Duration) -> i64 {
    i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)
}
