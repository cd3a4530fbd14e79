//! What was asked so far, and which exchange a request is answered with.

use std::collections::{BTreeMap, VecDeque};

use crate::compare::{Asked, Comparison, compare};
use crate::error::Unmatched;
use crate::fault::Fault;
use crate::file::{Exchange, Exchanges};
use crate::pattern::{Captures, fill};

/// What was asked so far.
#[derive(Default)]
pub struct History {
    hits: BTreeMap<String, Vec<Captures>>,
    bookings: Vec<String>,
    unmatched: Vec<String>,
    faults: BTreeMap<String, VecDeque<Fault>>,
}

/// The exchange that a request is answered with.
pub struct Chosen<'a> {
    pub exchange: &'a Exchange,
    pub captures: Captures,
    pub fault: Option<Fault>,
}

impl History {
    /// The exchange that fits, noted.
    pub fn choose<'a>(
        &mut self,
        exchanges: &'a Exchanges,
        asked: &Asked,
    ) -> Result<Chosen<'a>, Unmatched> {
        let mut nearest: Option<(bool, usize, String)> = None;
        for exchange in &exchanges.0 {
            let mut compared = compare(exchange, asked);
            self.look_back(exchange, &mut compared);
            let Comparison { captures, differences, is_place } = compared;
            if differences.is_empty() {
                return Ok(self.note(exchange, captures));
            }
            let rank = (!is_place, differences.len());
            if nearest.as_ref().is_none_or(|(far, count, _)| rank < (*far, *count)) {
                let words = differences.join("; ");
                nearest = Some((rank.0, rank.1, format!("\"{}\": {words}", exchange.name)));
            }
        }
        let what = format!("{} {}", asked.method, asked.path);
        let complaint = match nearest {
            Some((_, _, nearest)) => format!("{what} fits nothing. The nearest is {nearest}"),
            None => format!("{what} fits nothing: there are no exchanges"),
        };
        self.unmatched.push(complaint.clone());
        Err(Unmatched(complaint))
    }

    /// Looks at what came before: whether it had its turns, and what it comes after.
    fn look_back(&self, exchange: &Exchange, compared: &mut Comparison) {
        if exchange.times.is_some_and(|times| self.hits(&exchange.name).len() >= times) {
            compared.differences.push("it was answered as often as it may be".to_owned());
        }
        let Some(after) = &exchange.after else { return };
        let earlier = self.hits(after).iter().rev();
        match earlier.filter_map(|earlier| compared.captures.joined(earlier)).next() {
            Some(joined) => compared.captures = joined,
            None => compared.differences.push(format!("\"{after}\" was not answered before")),
        }
    }

    fn note<'a>(&mut self, exchange: &'a Exchange, captures: Captures) -> Chosen<'a> {
        let injected = self.faults.get_mut(&exchange.name).and_then(VecDeque::pop_front);
        let own = || exchange.fault.clone().map(Fault::after);
        let fault = injected.or_else(own);
        if fault.as_ref().is_none_or(|fault| fault.is_done) {
            self.hits.entry(exchange.name.clone()).or_default().push(captures.clone());
            let booked = exchange.books.as_deref().map(|name| fill(name, &captures));
            self.bookings.extend(booked.map(|it| it.unwrap_or_else(|unkept| unkept.to_string())));
        }
        Chosen { exchange, captures, fault }
    }

    /// What was kept each time that an exchange was answered, or done without an answer.
    pub fn hits(&self, name: &str) -> &[Captures] {
        self.hits.get(name).map_or(&[], Vec::as_slice)
    }

    /// The bookings that were made, by the names that their exchanges give them.
    pub fn bookings(&self) -> &[String] {
        &self.bookings
    }

    /// What no exchange fitted.
    pub fn unmatched(&self) -> &[String] {
        &self.unmatched
    }

    /// Notes an answer that cannot be given.
    pub fn complain(&mut self, complaint: String) {
        self.unmatched.push(complaint);
    }

    /// The next time that this exchange would be answered, this goes wrong.
    pub fn fail(&mut self, name: &str, fault: Fault) {
        self.faults.entry(name.to_owned()).or_default().push_back(fault);
    }
}
