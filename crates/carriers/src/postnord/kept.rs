//! What is wanted back of a booking when its labels are asked for again.

use waybill_domain::json::{Json, parse};

use crate::booking::Booked;
use crate::members::{list, object, text};

/// What is kept of a booking.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kept {
    /// The names under which its labels are printed, in order; none when they are not known.
    pub ids: Vec<String>,
    /// What people are spoken to in.
    pub locale: Option<String>,
}

impl Kept {
    /// As it is stored.
    pub fn to_text(&self) -> String {
        let ids = Json::list(self.ids.iter().map(Json::text));
        object([("ids", ids), ("locale", self.locale.as_deref().into())]).to_string()
    }

    /// What was kept of this booking. Once it was the names alone.
    pub fn of(booking: &Booked) -> Kept {
        let kept = booking.carrier_data.as_deref().and_then(|kept| parse(kept.as_bytes()).ok());
        let kept = kept.unwrap_or(Json::Null);
        let ids = match &kept {
            Json::List(ids) => ids,
            kept => list(kept, "ids"),
        };
        Kept {
            ids: ids.iter().filter_map(own_text).collect(),
            locale: text(&kept, "locale").map(str::to_owned),
        }
    }
}

fn own_text(json: &Json) -> Option<String> {
    match json {
        Json::Text(text) => Some(text.clone()),
        _ => None,
    }
}
