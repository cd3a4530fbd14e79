//! Following parcels: asking a carrier about many at once, and hearing from it unasked.

use async_trait::async_trait;
use hyper::header::HeaderMap;
use waybill_domain::tracking::{Pace, Snapshot};

use crate::Account;

/// Following parcels.
#[async_trait]
pub trait Tracking: Send + Sync {
    /// How often a parcel of a shipment with this reference is looked at.
    fn pace(&self, reference: Option<&str>) -> Pace;

    /// How many parcels can be asked about at once.
    fn batch_max(&self) -> usize;

    /// What the carrier says about these numbers. One that it does not know is left out; an error
    /// is words for the log.
    async fn track(&self, account: &Account, numbers: &[String]) -> Result<Vec<Snapshot>, String>;

    /// What the carrier says by itself, if it is the carrier who says it.
    fn parse_webhook(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<Snapshot>, Refused>;
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
    /// It is no message of this carrier.
    Unreadable,
}
