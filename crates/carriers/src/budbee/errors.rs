//! What each reply of Budbee means. What is not listed is unknown: the order may be there.

use std::collections::BTreeSet;

use waybill_domain::booking::Reference;
use waybill_domain::json::{Json, parse};
use waybill_outbound::line::Response;

use super::data::Kept;
use super::uncertain::{TRACKING_LINK, found_orders};
use crate::Cancelled;
use crate::account::Verdict;
use crate::answers::{is_turned_away, message, odd, turned_away};
use crate::booking::{Accepted, BookedParcel, Complaint, Found, Outcome, Why};
use crate::members::{body, list, text, text_or_number, within};
use crate::texts::escape;

/// A refusal to deliver there.
const NOT_SERVED: u16 = 404;
const POSTAL_CODE: &str = "parties.customer.address.postal_code";

/// What became of a request to book parcels with these names.
pub fn booked(response: &Response, parcels: &[String]) -> Outcome {
    let unknown = || Outcome::Unknown(odd(response));
    match response.status.as_u16() {
        200 | 201 => taken(response, parcels).map_or_else(unknown, Outcome::Accepted),
        // Every refusal of the parcel has words. One without is of somebody on the way, perhaps.
        status @ (400 | 403 | NOT_SERVED | 412 | 422) => match message(response) {
            Some(message) => {
                let path = (status == NOT_SERVED).then(|| POSTAL_CODE.to_owned());
                Outcome::Rejected(vec![Complaint { path, code: None, message }])
            }
            None => unknown(),
        },
        401 => Outcome::AccessDenied(odd(response)),
        _ if is_turned_away(response) => turned_away(response, odd(response)),
        _ => unknown(),
    }
}

fn taken(response: &Response, parcels: &[String]) -> Option<Accepted> {
    let body = body(response);
    let order = text_or_number(&body, "id")?;
    accepted(&order, list(&body, "parcels"), parcels)
}

/// An order with a number for each parcel, in the order in which they were sent.
fn accepted(order: &str, entries: &[Json], parcels: &[String]) -> Option<Accepted> {
    let entries = in_order(entries, parcels)?;
    let numbers: Option<Vec<String>> =
        entries.iter().map(|entry| text_or_number(entry, "packageId")).collect();
    let labels = entries.iter().map(|entry| text(entry, "label").map(str::to_owned)).collect();
    let booked = |number: String| BookedParcel {
        tracking_url: Some(format!("{TRACKING_LINK}{}", escape(&number))),
        tracking_number: number,
    };
    Some(Accepted {
        carrier_reference: order.to_owned(),
        parcels: numbers?.into_iter().map(booked).collect(),
        carrier_data: Some(Kept { order: order.to_owned(), labels }.written()),
        ..Accepted::default()
    })
}

/// An entry for each parcel: by the names of the parcels where no two are the same, else in the
/// order of the answer.
fn in_order<'a>(entries: &'a [Json], parcels: &[String]) -> Option<Vec<&'a Json>> {
    if entries.len() != parcels.len() || entries.is_empty() {
        return None;
    }
    let named = |name: &String| {
        let mut found = entries.iter().filter(|entry| text(entry, "shipmentId") == Some(name));
        found.next().filter(|_| found.next().is_none())
    };
    let by_name: Option<Vec<&Json>> = parcels.iter().map(named).collect();
    let is_each_once = parcels.iter().collect::<BTreeSet<_>>().len() == parcels.len();
    Some(by_name.filter(|_| is_each_once).unwrap_or_else(|| entries.iter().collect()))
}

/// What a search for a reference found.
pub enum Searched {
    /// The order with this number.
    Order(String),
    /// Nothing.
    Absent,
}

/// Which order has our reference. Orders that have another one prove nothing: the search looks at
/// names and addresses, too.
pub fn searched(response: &Response, reference: &Reference) -> Result<Searched, Why> {
    let body = parse(&response.body).unwrap_or(Json::Null);
    let orders = found_orders(&body).filter(|_| response.status.as_u16() == 200);
    let orders = orders.ok_or_else(|| odd(response))?;
    if orders.is_empty() {
        return Ok(Searched::Absent);
    }
    let is_ours = |order: &&Json| {
        let cart = within(order, &["cart", "cartId"]);
        cart == Some(&Json::text(reference.as_str()))
    };
    let mut ours = orders.iter().filter(is_ours);
    // Of two it would not be known which one is ours.
    let one = ours.next().filter(|_| ours.next().is_none());
    let one = one.and_then(|order| text_or_number(order, "id"));
    one.map(Searched::Order).ok_or_else(|| odd(response))
}

/// An order that was found, with its parcels.
pub fn found(response: &Response, order: &str, parcels: &[String]) -> Found {
    let entries = entries(response).and_then(|entries| accepted(order, &entries, parcels));
    entries.map_or_else(|| Found::Unknown(odd(response)), Found::Accepted)
}

/// The parcels of an order: a list, or an object that has it.
fn entries(response: &Response) -> Option<Vec<Json>> {
    let body = parse(&response.body).ok().filter(|_| response.status.as_u16() == 200)?;
    found_orders(&body).map(<[Json]>::to_vec)
}

/// The links to the labels of these parcels, in their order.
pub fn links(response: &Response, numbers: &[String]) -> Result<Vec<String>, Why> {
    let entries = entries(response).ok_or_else(|| odd(response))?;
    let link = |number: &String| {
        let entry = entries
            .iter()
            .find(|entry| text_or_number(entry, "packageId").as_ref() == Some(number))?;
        text(entry, "label").map(str::to_owned)
    };
    let links: Option<Vec<String>> = numbers.iter().map(link).collect();
    links.ok_or_else(|| Why::from("no label for each parcel".to_owned()))
}

/// Where people see where a parcel is.
pub fn tracking_url(response: &Response) -> Option<String> {
    let body = body(response);
    let url = text(&body, "url").filter(|url| url.starts_with("http"))?;
    (response.status.as_u16() == 200).then(|| url.to_owned())
}

/// What became of a request to cancel.
pub fn cancelled(response: &Response) -> Cancelled {
    match response.status.as_u16() {
        200 | 204 | 404 => Cancelled::Done,
        status @ (400 | 403 | 409 | 412 | 422) => {
            let words = || format!("Budbee refused to cancel it (status {status}).");
            Cancelled::Refused(message(response).unwrap_or_else(words))
        }
        _ => Cancelled::Unknown(odd(response).to_string()),
    }
}

/// Whether an account works. A postal code that is not served, or may not be asked about, says that
/// we are let in.
pub fn verified(response: &Response) -> Verdict {
    match response.status.as_u16() {
        200 | 403 | 404 => Verdict::Good,
        401 => Verdict::Refused(odd(response)),
        _ => Verdict::Unknown(odd(response)),
    }
}

#[cfg(test)]
mod tests;
