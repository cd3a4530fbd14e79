//! What papers are made from, and where its problems are told.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::shipment::{Order, PickupPoint};
use waybill_domain::time::Time;
use waybill_paper::PaperSize;

/// All that the papers of a shipment are made from.
pub struct DocumentInputs<'a> {
    /// The order, with its merchant.
    pub order: &'a Order,
    /// Whom it is booked with.
    pub carrier: &'a Carrier,
    /// How.
    pub service: &'a Service,
    /// Of the label's captions.
    pub language: Language,
    /// What the label is printed on.
    pub size: PaperSize,
    /// The point where it is fetched, as it was snapshotted.
    pub pickup_point: Option<&'a PickupPoint>,
    /// The day of the booking.
    pub date: Date,
    /// Whether it crosses a customs border.
    pub is_declared: bool,
}

/// The day of a moment, in UTC.
pub fn day(time: Time) -> Date {
    let moment = jiff::Timestamp::from_microsecond(time.0).unwrap_or_default();
    moment.to_zoned(TimeZone::UTC).date()
}

/// The same problems at other paths.
pub(super) fn moved(errors: &FieldErrors, path: impl Fn(&str) -> String) -> FieldErrors {
    let mut all = FieldErrors::default();
    for (at, messages) in errors.iter() {
        messages.iter().for_each(|message| all.add(path(at), message.clone()));
    }
    all
}
