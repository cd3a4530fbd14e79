//! What is not certain of Budbee, in one place. docs/carriers/budbee.md lists it for people.

use waybill_domain::json::Json;

/// Where people see where a parcel is when Budbee does not say; its number follows.
pub const TRACKING_LINK: &str = "https://tracking.budbee.com/";

/// Where fresh links to the labels of an order are. The list is one that others derived.
pub fn parcels_path(order: &str) -> String {
    format!("/multiple/orders/{order}/parcels")
}

/// The lockers of a country: a list, or an object with one under this name.
pub const LOCKERS: &str = "lockers";

/// The orders of a search: a list, or an object with one list in it.
pub fn found_orders(body: &Json) -> Option<&[Json]> {
    let list = |json: &'_ Json| matches!(json, Json::List(_));
    let orders = match body {
        Json::Object(members) => {
            let mut lists = members.iter().map(|(_, value)| value).filter(|value| list(value));
            let only = lists.next().filter(|_| lists.next().is_none());
            only?
        }
        body => body,
    };
    match orders {
        Json::List(entries) => Some(entries),
        _ => None,
    }
}

/// A signature in the header of a message: hexadecimal or base64, nobody says which. Both are
/// tried.
pub const SIGNATURE: &str = "x-budbee-signature";
