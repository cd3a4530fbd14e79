//! The end of the day: GLS collects what it was told by then.

use std::collections::BTreeSet;

use waybill_domain::json::Json;

use super::client::{Call, Client};
use super::errors::why;
use super::kept::Kept;
use super::wire::BASE;
use crate::Account;
use crate::closing::{CloseError, ClosingDay};

/// Closes each day on which one of the bookings was made. Doing it again is harmless.
pub async fn close(client: &Client, account: &Account, day: &ClosingDay) -> Result<(), CloseError> {
    let today = || day.date.to_string();
    let dates: BTreeSet<String> =
        day.bookings.iter().map(|booking| Kept::of(booking).date.unwrap_or_else(today)).collect();
    for date in dates {
        let path = format!("{BASE}/shipments/endofday?date={date}");
        let response = client.ask(account, Call::post(path, &Json::Null)).await;
        let response = response.map_err(|error| CloseError::Unknown(error.into()))?;
        match response.status.as_u16() {
            200 => {}
            400 => return Err(CloseError::Refused(why(&response))),
            _ => return Err(CloseError::Unknown(why(&response))),
        }
    }
    Ok(())
}
