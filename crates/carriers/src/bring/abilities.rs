//! What Bring offers beside booking: tracking, points and prices. Cancelling it does not.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::Method;
use waybill_domain::country::Country;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_domain::tracking::{Pace, TrackingAnswer};
use waybill_outbound::line::{POINTS_BYTES_MAX, RESPONSE_BYTES_MAX};

use super::account::Options;
use super::{Bring, points, price, track};
use crate::answers::unexpected;
use crate::booking::Booked;
use crate::members::body;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking, put_off};
use crate::{Account, Cancelled, Cancelling, CarrierError, Pricing, ServicePoints};

/// Parcels that are asked about in turn.
const TRACK_MAX: usize = 10;
const PACE: Pace = Pace {
    first: Duration::from_mins(1),
    shortest: Duration::from_mins(15),
    longest: Duration::from_hours(6),
};
const NOT_CANCELLED: &str = "Bring cannot be asked to cancel a booking. What is never handed in \
    costs nothing; cancel it in Mybring where that is possible.";

impl Bring {
    async fn track_one(
        &self,
        account: &Account,
        number: &str,
    ) -> Result<Option<TrackingAnswer>, CarrierError> {
        let response = self.search(account, number).await?;
        match response.status.as_u16() {
            200 | 404 => Ok(track::answer(&body(&response), number)),
            _ => Err(unexpected(&response)),
        }
    }
}

#[async_trait]
impl Cancelling for Bring {
    /// There is no such call. Whoever knows that nothing is handed in may give up the booking here.
    async fn cancel(&self, account: &Account, _booking: &Booked) -> Cancelled {
        match Options(&account.options).cancels_locally() {
            true => Cancelled::Done,
            false => Cancelled::Refused(NOT_CANCELLED.to_owned()),
        }
    }
}

#[async_trait]
impl Tracking for Bring {
    fn pace(&self) -> Pace {
        PACE
    }

    fn batch_max(&self) -> usize {
        TRACK_MAX
    }

    async fn track(
        &self,
        account: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError> {
        let mut heard = Vec::new();
        for (place, number) in numbers.iter().enumerate() {
            match self.track_one(account, number).await {
                Ok(answer) => heard.extend(answer.map(|answer| (number.clone(), answer))),
                Err(error) => return put_off(heard, &numbers[place..], error),
            }
        }
        Ok(heard)
    }

    fn parse_callback(&self, _: &Account, _: &Callback<'_>) -> Result<Vec<NumberAnswer>, Refused> {
        Err(Refused::Unauthenticated)
    }
}

#[async_trait]
impl ServicePoints for Bring {
    fn countries(&self) -> &'static [&'static str] {
        &["NO", "SE", "DK", "FI"]
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let path = format!("/pickuppoint/api/pickuppoint/{country}/all.json");
        let asked = (Method::GET, path.as_str());
        let response = self.ask_with(account, asked, Bytes::new(), POINTS_BYTES_MAX).await?;
        points::points(&response, country)
    }
}

#[async_trait]
impl Pricing for Bring {
    async fn quote(
        &self,
        account: &Account,
        order: &Order,
        now: Time,
    ) -> Result<Option<Money>, CarrierError> {
        let country = order.merchant.as_ref().map(|merchant| merchant.address.country);
        let shown = account.local_time(country, now);
        let Some(question) = price::question(order, Options(&account.options), shown) else {
            return Ok(None);
        };
        let (place, body) = ((Method::POST, price::PATH), question.to_string().into());
        price::price(&self.ask_with(account, place, body, RESPONSE_BYTES_MAX).await?)
    }
}
