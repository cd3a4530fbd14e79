//! Tracking parcels: asking a carrier about many at once, and hearing from it unasked.

use async_trait::async_trait;
use hyper::header::HeaderMap;
use waybill_domain::tracking::{Pace, TrackingAnswer};

use crate::{Account, CarrierError};

/// Tracking parcels.
#[async_trait]
pub trait Tracking: Send + Sync {
    /// How often a parcel is polled, unless the carrier says when there is something to hear.
    fn pace(&self) -> Pace;

    /// How many parcels can be asked about at once.
    fn batch_max(&self) -> usize;

    /// What the carrier says about these numbers, each by itself: one that cannot be read costs no
    /// other its news. A number that the carrier does not know is left out. An error is about all
    /// of these numbers: they are put off, and other calls go on.
    async fn track(
        &self,
        account: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError>;

    /// What the carrier says by itself, if it is the carrier who says it.
    fn parse_callback(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<NumberAnswer>, Refused>;
}

/// A number, and what the carrier says about it.
pub type NumberAnswer = (String, TrackingAnswer);

/// What was heard of some numbers before a call failed: the others are asked about again soon. When
/// nothing was heard, the failure itself.
pub fn put_off(
    heard: Vec<NumberAnswer>,
    others: &[String],
    error: CarrierError,
) -> Result<Vec<NumberAnswer>, CarrierError> {
    if heard.is_empty() {
        return Err(error);
    }
    let later = others.iter().map(|number| (number.clone(), TrackingAnswer::Later(None)));
    Ok(heard.into_iter().chain(later).collect())
}

/// A message that came unasked.
#[derive(Clone, Copy)]
pub struct Callback<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// Its body, as it came.
    pub body: &'a [u8],
}

/// Why a message is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Nothing proves who sent it.
    Unauthenticated,
    /// It is not a message of this carrier.
    Unreadable,
}
