//! What Budbee offers beside booking: cancelling, what it says by itself, and lockers.

use std::time::Duration;

use async_trait::async_trait;
use hyper::Method;
use waybill_domain::country::Country;
use waybill_domain::json::parse;
use waybill_domain::point::Point;
use waybill_domain::tracking::Pace;
use waybill_outbound::line::POINTS_BYTES_MAX;

use super::{Budbee, OLD_ORDERS, Question, errors, points, track};
use crate::booking::Booked;
use crate::texts::escape;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking};
use crate::{Account, Cancelled, Cancelling, CarrierError, ServicePoints};

const BOXES: &str = "application/vnd.budbee.boxes-v1+json";
/// There is nothing to ask.
const PACE: Pace = Pace {
    first: Duration::from_hours(24),
    shortest: Duration::from_hours(24),
    longest: Duration::from_hours(24),
};
/// As many as there are: none is asked about.
const TRACK_MAX: usize = 1000;

#[async_trait]
impl Cancelling for Budbee {
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled {
        let path = format!("/multiple/orders/{}", escape(&booking.carrier_reference));
        let question = Question { method: Method::DELETE, ..Question::get(&path, OLD_ORDERS) };
        match self.ask(account, question).await {
            Ok(response) => errors::cancelled(&response),
            Err(error) => error.into(),
        }
    }
}

#[async_trait]
impl Tracking for Budbee {
    fn pace(&self) -> Pace {
        PACE
    }

    fn batch_max(&self) -> usize {
        TRACK_MAX
    }

    async fn track(&self, _: &Account, _: &[String]) -> Result<Vec<NumberAnswer>, CarrierError> {
        Ok(Vec::new())
    }

    fn parse_callback(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<NumberAnswer>, Refused> {
        if !track::is_authentic(account, callback.headers, callback.body) {
            return Err(Refused::Unauthenticated);
        }
        let message = parse(callback.body).ok().and_then(|message| track::answer(&message));
        message.map(|answer| vec![answer]).ok_or(Refused::Unreadable)
    }
}

#[async_trait]
impl ServicePoints for Budbee {
    fn countries(&self) -> &'static [&'static str] {
        &["SE", "DK", "FI", "NL", "BE"]
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let path = format!("/boxes/all/{country}");
        let question = Question { bytes_max: POINTS_BYTES_MAX, ..Question::get(&path, BOXES) };
        points::lockers(&self.ask(account, question).await?, country)
    }
}
