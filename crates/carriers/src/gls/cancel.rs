//! Cancelling, parcel by parcel. The first decides: when it is refused, nothing was cancelled.

use waybill_domain::json::Json;

use super::client::{Call, Client};
use super::errors::why;
use super::kept::Kept;
use super::look::{Look, look};
use super::wire::{BASE, parcel_reference};
use crate::booking::{Booked, Why};
use crate::members::{body, text};
use crate::texts::escape;
use crate::{Account, Cancelled};

/// What is said of returns, which GLS cancels for nobody.
const RETURN: &str = "GLS cancels a return only through its depot.";
/// What is said of a refusal without words.
const UNSAID: &str = "GLS does not cancel it, and does not say why.";
/// What a parcel is by then.
const DONE: [&str; 2] = ["CANCELLED", "CANCELLATION_PENDING"];
const SCANNED: &str = "SCANNED";

/// Cancels all parcels of a booking.
pub async fn cancel(client: &Client, account: &Account, booking: &Booked) -> Cancelled {
    let kept = Kept::of(booking);
    if kept.is_return {
        return Cancelled::Refused(RETURN.to_owned());
    }
    if kept.track_ids.is_empty() {
        return Cancelled::Unknown("the keys of its parcels are not known".to_owned());
    }
    let taken = booking.tracking_numbers.iter().enumerate();
    let taken = taken.filter(|(_, number)| number.is_some()).map(|(place, _)| place);
    for (index, (place, track_id)) in taken.zip(&kept.track_ids).enumerate() {
        let parcel = Parcel { booking, kept: &kept, place, track_id };
        match cancel_one(client, account, &parcel).await {
            Cancelled::Done => {}
            first if index == 0 => return first,
            Cancelled::Refused(words) | Cancelled::NotSent(words) | Cancelled::Unknown(words) => {
                let words =
                    format!("parcel {} of a booking that is cut in two: {words}", place + 1);
                return Cancelled::Unknown(words);
            }
        }
    }
    Cancelled::Done
}

/// A parcel that GLS has.
struct Parcel<'a> {
    booking: &'a Booked,
    kept: &'a Kept,
    place: usize,
    track_id: &'a str,
}

async fn cancel_one(client: &Client, account: &Account, parcel: &Parcel<'_>) -> Cancelled {
    let path = format!("{BASE}/shipments/cancel/{}", escape(parcel.track_id));
    let response = match client.ask(account, Call::post(path, &Json::Null)).await {
        Ok(response) => response,
        Err(error) => return error.into(),
    };
    let body = body(&response);
    let result = text(&body, "result").or_else(|| text(&body, "Result"));
    match (response.status.as_u16(), result) {
        (200, Some(result)) if DONE.contains(&result) => Cancelled::Done,
        (200, Some(SCANNED)) => Cancelled::Refused(SCANNED.to_owned()),
        (400, _) => Cancelled::Refused(words(&why(&response))),
        // It was cancelled before, or something broke.
        (500, _) => is_gone(client, account, parcel).await,
        _ => Cancelled::Unknown(why(&response).to_string()),
    }
}

fn words(why: &Why) -> String {
    why.said.first().map_or(UNSAID, |said| said.message.as_str()).to_owned()
}

async fn is_gone(client: &Client, account: &Account, parcel: &Parcel<'_>) -> Cancelled {
    let Some(weight) = parcel.kept.weights.get(parcel.place) else {
        return Cancelled::Unknown("its weight is not known any more".to_owned());
    };
    let name = parcel_reference(parcel.booking.reference.as_str(), parcel.place);
    match look(client, account, &name, weight).await {
        Ok(Look::NotThere(_)) => Cancelled::Done,
        Ok(Look::There) => Cancelled::Unknown("it may be cancelled".to_owned()),
        Err(error) => Cancelled::Unknown(error.to_string()),
    }
}
