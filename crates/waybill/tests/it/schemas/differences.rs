//! The written list: what the server refuses although contract and constraints allow it. Each entry
//! is told to callers, word for word, in `docs/integrating.md`. There is no list of the other way
//! round: what a schema refuses, the server refuses.

use serde_json::Value;
use waybill_domain::language::Language;
use waybill_domain::words::Message;

/// A problem that the server told: where, and in English.
pub struct Problem {
    pub path: String,
    pub message: String,
}

/// One entry of the list.
pub struct Difference {
    /// The sentence in the documentation.
    pub told: &'static str,
    is_it: fn(&Problem, &Value) -> bool,
}

impl Difference {
    pub fn explains(&self, problem: &Problem, body: &Value) -> bool {
        (self.is_it)(problem, body)
    }
}

pub const DIFFERENCES: &[Difference] = &[
    Difference {
        told: "Who the merchant is when the body names none",
        is_it: |problem, body| {
            let of_route = ["required-by-customs", "required-from", "not-served-within"];
            body["parties"]["merchant"].is_null() && of_route.iter().any(|key| says(problem, key))
        },
    },
    Difference {
        told: "Whether a route crosses a customs border, for a service that names no countries",
        is_it: |problem, body| {
            let service = &body["delivery"]["service_code"];
            let is_of_tests = service == "rules:anywhere";
            let is_unlimited = is_of_tests || service == "bifrost:express_collect";
            // Its rules across a border, and within, ask for what is in the customer's contact.
            let is_of_rule = is_of_tests && problem.path.starts_with("parties.customer.contact.");
            (is_unlimited && says(problem, "required-by-customs"))
                || (is_of_rule && says(problem, "required"))
        },
    },
    Difference {
        told: "That a service ships abroad only, when it ships from everywhere",
        is_it: |problem, body| {
            body["delivery"]["service_code"] == "rules:anywhere"
                && says(problem, "not-served-within")
        },
    },
    Difference {
        told: "What sides or weights add up to",
        is_it: |problem, _| {
            let sums = ["girth-too-large", "sides-too-long", "weights-too-heavy"];
            sums.iter().any(|key| says(problem, key))
        },
    },
    Difference {
        told: "What a template holds",
        is_it: |problem, body| {
            says(problem, "unknown-template")
                || (body["template_uuid"].is_string() && says(problem, "required"))
        },
    },
    Difference {
        told: "Whether the team has an account with the carrier",
        is_it: |problem, _| problem.path == "delivery.service_code" && says(problem, "no-account"),
    },
    Difference {
        told: "Which pickup points there are",
        is_it: |problem, _| problem.path.starts_with("delivery.pickup_point"),
    },
    Difference {
        told: "That all amounts have one currency",
        is_it: |problem, _| says(problem, "mixed-currencies"),
    },
    Difference {
        told: "That a weight or length has at most three decimals",
        is_it: |problem, _| problem.path.ends_with(".value") && says(problem, "too-many-decimals"),
    },
    Difference {
        told: "That a delivery window ends after it starts and is not over",
        is_it: |problem, body| {
            let starts = body["delivery"]["delivery_window"]["start"].as_str().unwrap_or_default();
            problem.path.starts_with("delivery.delivery_window")
                && (says(problem, "not-after-start") || starts < "2030")
        },
    },
    Difference {
        told: "That the pieces in a parcel do not weigh more than the parcel",
        is_it: |problem, body| {
            let mut steps = problem.path.split('.');
            let index = (steps.next() == Some("parcels")).then(|| steps.next()?.parse().ok());
            let parcel = index.flatten().map(|index: usize| &body["parcels"][index]);
            problem.path.contains("weight") && parcel.is_some_and(is_overfull)
        },
    },
    Difference {
        told: "What can be printed: letters that our fonts have, and text that fits its place",
        is_it: |problem, _| {
            says(problem, "unprintable-character") || says(problem, "no-room-on-paper")
        },
    },
];

/// Whether the server's message is this one, whatever it fills in.
pub fn says(problem: &Problem, key: &'static str) -> bool {
    let blanks = ["units", "near", "character", "code", "carrier", "max", "country"];
    let message =
        blanks.iter().fold(Message::new(key), |message, blank| message.text(blank, '\u{1}'));
    let text = message.say(Language::En);
    problem.message.starts_with(text.split('\u{1}').next().unwrap_or_default())
}

fn is_overfull(parcel: &Value) -> bool {
    let Some(gross) = parcel["gross_weight"]["value"].as_f64() else { return false };
    let items = parcel["items"].as_array().into_iter().flatten();
    let pieces = items.map(|item| {
        let weight = item["net_weight"]["value"].as_f64().unwrap_or_default();
        weight * item["quantity"].as_f64().unwrap_or_default()
    });
    let goods = parcel["dangerous_goods"].as_array().into_iter().flatten();
    let goods = goods.map(|goods| goods["net_weight"]["value"].as_f64().unwrap_or_default());
    pieces.chain(goods).sum::<f64>() > gross
}
