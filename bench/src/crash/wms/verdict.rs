//! Compares what the API tells in the end with itself, with the carrier's journal, and with what
//! clients were told before.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use serde_json::Value;

use super::clients::Told;
use crate::crash::Failure;
use crate::crash::site::Site;
use crate::crash::verdict::{Violations, bookings};

/// Everything that the API tells of a warehouse, and what the carrier booked for it.
pub struct Books {
    levels: Vec<Value>,
    adjustments: Vec<Value>,
    requests: Vec<Value>,
    /// How often the carrier booked each reference.
    bookings: BTreeMap<String, usize>,
}

/// An item at a location.
type LevelKey = (String, String);

impl Books {
    /// Reads every page of it.
    pub async fn read(site: &Site, at: SocketAddr) -> Result<Books, Failure> {
        Ok(Books {
            levels: all(site, at, "inventory-levels").await?,
            adjustments: all(site, at, "inventory-adjustments").await?,
            requests: all(site, at, "fulfilment-requests").await?,
            bookings: bookings(site)?,
        })
    }

    /// How many requests are in this state.
    pub fn in_state(&self, state: &str) -> usize {
        self.requests.iter().filter(|request| request["state"] == state).count()
    }

    fn booked(&self, request: &Value) -> usize {
        self.bookings.get(text(&request["reference"])).copied().unwrap_or(0)
    }

    /// The lines of the ledger that this request has.
    fn taken(&self, request: &Value) -> BTreeMap<String, i64> {
        let is_its = |line: &&Value| line["fulfilment_request_uuid"] == request["uuid"];
        let mut taken = BTreeMap::new();
        for line in self.adjustments.iter().filter(is_its) {
            *taken.entry(text(&line["sku"]).to_owned()).or_default() -= number(&line["delta"]);
        }
        taken
    }
}

async fn all(site: &Site, at: SocketAddr, list: &str) -> Result<Vec<Value>, Failure> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/wms/{list}?per_page=100{cursor}");
        let answer = site.ask_beta(at, "GET", &path, "").await.ok_or("no answer to a list")?;
        let page = answer.body["data"]
            .as_array()
            .ok_or_else(|| format!("{path}: {} {}", answer.status, answer.body))?;
        rows.extend(page.iter().cloned());
        match answer.body["meta"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(rows),
        }
    }
}

/// Holds every rule against it.
pub fn find_violations(books: &Books, told: &Told, violations: &mut Violations) {
    levels(books, violations);
    let of_requests = |rule: fn(&Books, &Value) -> bool| {
        books.requests.iter().filter(move |one| rule(books, one))
    };
    let named = |requests: &mut dyn Iterator<Item = &Value>| -> Vec<String> {
        requests.map(|one| said(books, one)).collect()
    };
    violations.count("duplicates", &named(&mut of_requests(|books, one| books.booked(one) > 1)));
    violations.count("not as booked", &named(&mut of_requests(is_not_as_booked)));
    violations.count("taken wrongly", &named(&mut of_requests(is_taken_wrongly)));
    violations.count("half reserved", &named(&mut of_requests(is_half_reserved)));
    violations.count("double keys", &double_keys(books, told));
    violations.count("lost", &lost(books, told));
    violations.count("refused", &told.refused);
}

/// The sums of the ledger and of the reservations.
fn levels(books: &Books, violations: &mut Violations) {
    let (mut deltas, mut reserved) = (BTreeMap::<LevelKey, i64>::new(), BTreeMap::new());
    for line in &books.adjustments {
        *deltas.entry(place(line, &line["location"])).or_default() += number(&line["delta"]);
    }
    for line in books.requests.iter().filter(|one| has_stock(one)).flat_map(lines) {
        for taken in array(&line["allocations"]) {
            *reserved.entry(place(line, &taken["location"])).or_insert(0) +=
                number(&taken["quantity"]);
        }
    }
    let (mut oversold, mut ledger, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for level in &books.levels {
        let place = place(level, &level["location"]);
        let (on_hand, promised) = (number(&level["on_hand"]), number(&level["reserved"]));
        if !(0 <= promised && promised <= on_hand) {
            oversold.push(level.to_string());
        }
        let sum = deltas.remove(&place).unwrap_or(0);
        if on_hand != sum {
            ledger.push(format!("{level}, and the ledger has {sum}"));
        }
        let sum = reserved.remove(&place).unwrap_or(0);
        if promised != sum {
            kept.push(format!("{level}, and requests have {sum}"));
        }
    }
    ledger.extend(deltas.keys().map(|place| format!("{place:?} has lines and no level")));
    kept.extend(reserved.keys().map(|place| format!("{place:?} is promised and is no level")));
    violations.count("oversold", &oversold);
    violations.count("ledger", &ledger);
    violations.count("reservations", &kept);
}

/// A request is shipped when the carrier has its parcel and only then. One whose documents are not
/// to be had is booked there, and not yet shipped.
fn is_not_as_booked(books: &Books, request: &Value) -> bool {
    let is_shipped = request["state"] == "shipped";
    let may_wait = text(&request["reference"]).contains("sim:documents=fail ")
        || text(&request["reference"]).ends_with("sim:documents=fail");
    let is_held = may_wait && request["state"] == "packed";
    is_shipped != (books.booked(request) > 0) && !is_held
}

/// What left for a request is what it wanted, once it is shipped, else nothing.
fn is_taken_wrongly(books: &Books, request: &Value) -> bool {
    let wanted: BTreeMap<String, i64> = match request["state"] == "shipped" {
        true => lines(request)
            .map(|line| (text(&line["sku"]).to_owned(), number(&line["quantity"])))
            .collect(),
        false => BTreeMap::new(),
    };
    books.taken(request) != wanted
}

/// It has all that it wants, or nothing.
fn is_half_reserved(_: &Books, request: &Value) -> bool {
    let has = |line: &Value| -> i64 {
        array(&line["allocations"]).map(|taken| number(&taken["quantity"])).sum()
    };
    match request["state"].as_str() {
        Some("shipped") => false,
        _ if has_stock(request) => {
            !lines(request).all(|line| has(line) == number(&line["quantity"]))
        }
        _ => !lines(request).all(|line| has(line) == 0),
    }
}

/// Requests and adjustments that are there more than once, or under several names.
fn double_keys(books: &Books, told: &Told) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for request in &books.requests {
        *counts.entry(text(&request["reference"])).or_default() += 1;
    }
    let is_adjustment = |line: &&Value| text(&line["reason"]).starts_with("adjust-");
    for line in books.adjustments.iter().filter(is_adjustment) {
        *counts.entry(text(&line["reason"])).or_default() += 1;
    }
    let twice = counts.iter().filter(|(_, count)| **count > 1).map(|(name, _)| (*name).to_owned());
    let named = told.requests.iter().chain(&told.adjustments);
    let named = named.filter(|(_, ids)| ids.len() > 1).map(|(name, _)| name.clone());
    twice.chain(named).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What a client was told and is not so: what is not there, what was refused and is there, and
/// requests that went back or ended in another way.
fn lost(books: &Books, told: &Told) -> Vec<String> {
    let lines: BTreeSet<&str> = books.adjustments.iter().map(|line| text(&line["uuid"])).collect();
    let reasons: BTreeSet<&str> =
        books.adjustments.iter().map(|line| text(&line["reason"])).collect();
    let by_id: BTreeMap<&str, &Value> =
        books.requests.iter().map(|one| (text(&one["uuid"]), one)).collect();
    let mut lost = Vec::new();
    for (reason, ids) in &told.adjustments {
        if !ids.iter().all(|id| lines.contains(id.as_str())) {
            lost.push(format!("{reason} is gone"));
        }
    }
    let refused = told.refused_adjustments.iter();
    lost.extend(
        refused
            .filter(|reason| reasons.contains(reason.as_str()))
            .map(|reason| format!("{reason} was refused, and made")),
    );
    for (reference, ids) in &told.requests {
        let Some(found) = ids.iter().find_map(|id| by_id.get(id.as_str())) else {
            lost.push(format!("{reference} is gone"));
            continue;
        };
        let state = text(&found["state"]);
        let states = told.states.get(reference).into_iter().flatten();
        let not_so = states.filter(|was| !may_become(was, state));
        lost.extend(not_so.map(|was| format!("{reference} was {was}, and is {state}")));
    }
    lost
}

/// Whether a request that was in one state may be in the other one later.
fn may_become(was: &str, is: &str) -> bool {
    let rank = |state: &str| {
        let order = ["received", "backordered", "allocated", "picking", "packed"];
        order.iter().position(|known| *known == state).unwrap_or(order.len())
    };
    was == is || rank(was) < rank(is)
}

fn has_stock(request: &Value) -> bool {
    matches!(request["state"].as_str(), Some("allocated" | "picking" | "packed"))
}

fn lines(request: &Value) -> impl Iterator<Item = &Value> {
    array(&request["lines"])
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn place(of_item: &Value, location: &Value) -> LevelKey {
    (text(&of_item["sku"]).to_owned(), text(location).to_owned())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(i64::MIN / 4)
}

fn said(books: &Books, request: &Value) -> String {
    let Value::Object(members) = request else { return request.to_string() };
    let (reference, state) = (text(&members["reference"]), text(&members["state"]));
    let (booked, taken) = (books.booked(request), books.taken(request));
    format!("{reference} is {state}, booked {booked} times, taken {taken:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_goes_on_and_never_back_and_ends_once() {
        assert!(may_become("received", "backordered"));
        assert!(may_become("packed", "cancelled"));
        assert!(may_become("shipped", "shipped"));
        assert!(!may_become("allocated", "backordered"));
        assert!(!may_become("shipped", "cancelled"));
    }
}
