//! One booking with a carrier: what is asked of it, and what it may answer.
//!
//! A call has more outcomes than yes and no: a carrier that did not answer may have booked, and
//! only an answer that proves that nothing happened may be sent again.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use jiff::civil::DateTime;
use waybill_domain::booking::Reference;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::shipment::{Order, PickupPoint};
use waybill_domain::time::Time;

pub use waybill_domain::booking::Complaint;

use crate::account::local_time_by;

/// A booking to be: the accepted order, and what was agreed on for it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The attempt's own reference.
    pub reference: Reference,
    /// The order as accepted, merchant resolved.
    pub order: Order,
    /// The label that the carrier makes; none when we draw it ourselves.
    pub label: Option<LabelRequest>,
    /// The pickup point as it was when the order was accepted.
    pub pickup_point: Option<PickupPoint>,
    /// Whether the parcels go from the customer to the merchant.
    pub is_return: bool,
    /// Whether the parcels cross a customs border.
    pub is_declared: bool,
    /// The language of the team's papers.
    pub language: Language,
    /// When it is booked.
    pub now: Time,
}

impl Plan {
    /// The date and time at the merchant: by the clock that the account's options name, or else by
    /// that of the capital of the merchant's country.
    pub fn local_time(&self, options: &Json) -> DateTime {
        let country = self.order.merchant.as_ref().map(|merchant| merchant.address.country);
        local_time_by(options, country, self.now)
    }
}

/// The label that a carrier is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelRequest {
    /// The kind of file.
    pub format: Format,
    /// The size, as settings spell it: `100x150`.
    pub size: String,
}

/// A booking as it goes over the wire. Making it is pure, so whatever cannot be said to the carrier
/// is found before anything is stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Prepared {
    /// The method.
    pub method: Method,
    /// Path and query, below the carrier's base address.
    pub path: String,
    /// The body.
    pub body: Bytes,
    /// How many parcels it has.
    pub parcels: usize,
    /// Whether whoever sent the order asked for what goes wrong with it.
    pub is_simulated_failure: bool,
}

/// What became of a request to book.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The carrier has the booking.
    Accepted(Accepted),
    /// The carrier has a part of it, and said why not the rest.
    Partial(Partial),
    /// The carrier refused the parcel: nothing was created.
    Rejected(Vec<Complaint>),
    /// The carrier refused us: wrong credentials, no right, account closed. Nothing was created,
    /// and it is not sent again.
    AccessDenied(Why),
    /// Provably nothing happened: it was never sent, or turned away unread. It may be sent again.
    NotSent(Why),
    /// The same, and the carrier asked to be left alone for so long.
    TurnedAway(Why, Duration),
    /// Anything else. It may have been booked.
    Unknown(Why),
}

/// What a carrier knows about one of our references.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// The carrier has it.
    Accepted(Accepted),
    /// The carrier has a part of it.
    Partial(Partial),
    /// The carrier answered that it knows no such reference.
    Absent,
    /// No usable answer.
    Unknown(Why),
}

/// A reference that is looked up.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The reference.
    pub reference: Reference,
    /// The order that was sent with it.
    pub order: Order,
    /// The label that was agreed on; none when we draw it ourselves.
    pub label: Option<LabelRequest>,
    /// Whether it is the canary: looked up only to see that look-ups work. Nothing may change at
    /// the carrier.
    pub is_canary: bool,
}

/// A booking as the carrier has it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Accepted {
    /// The carrier's own name for the booking.
    pub carrier_reference: String,
    /// The parcels that it took, in the order of the shipment.
    pub parcels: Vec<BookedParcel>,
    /// What came with the answer.
    pub files: CarrierFiles,
    /// What QR codes say, one for all or one for each parcel.
    pub qr_codes: Vec<String>,
    /// What to write on the parcel, one for all or one for each parcel.
    pub drop_off_codes: Vec<String>,
    /// What the adapter wants back for later calls: keys for cancelling, links to labels. Nobody
    /// else reads it.
    pub carrier_data: Option<String>,
    /// The same with the files that came with the answer, from a carrier that gives them once. It
    /// is kept instead when those files could not be made into papers.
    pub carrier_data_with_files: Option<String>,
    /// When there will be something to hear of the parcels, where the carrier says so.
    pub poll_after: Option<Duration>,
}

/// A booking of which the carrier took only some parcels.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Partial {
    /// What it took.
    pub accepted: Accepted,
    /// The parcels that it did not take, by their place in the shipment.
    pub missing: Vec<usize>,
    /// Why not.
    pub complaints: Vec<Complaint>,
}

/// A parcel that the carrier took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookedParcel {
    /// The number that it is tracked by.
    pub tracking_number: String,
    /// Where people see where it is.
    pub tracking_url: Option<String>,
}

impl Accepted {
    /// Keeps what came with the answer, because no papers were made of it.
    pub fn keep_files(&mut self) {
        self.carrier_data = self.carrier_data_with_files.take().or(self.carrier_data.take());
    }

    /// What became of each parcel of the shipment: none for those that are missing.
    pub fn by_place<'a>(
        &'a self,
        missing: &'a [usize],
    ) -> impl Iterator<Item = Option<&'a BookedParcel>> {
        let count = self.parcels.len() + missing.len();
        let mut taken = self.parcels.iter();
        (0..count).map(move |place| if missing.contains(&place) { None } else { taken.next() })
    }
}

/// What a carrier gives for the parcels: files of its own, or what our label has to show.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CarrierFiles {
    /// Files as the carrier made them.
    pub files: Vec<File>,
    /// What goes on a label that we draw.
    pub label_data: Option<LabelData>,
    /// Where people see where each parcel is, by its place in the shipment, where the carrier tells
    /// that only with its papers. It goes before what the booking said.
    pub tracking_urls: Vec<Option<String>>,
}

impl CarrierFiles {
    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.label_data.is_none()
    }
}

/// What a label that we draw shows beside what we know.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LabelData {
    /// The carrier's route or terminal.
    pub routing_code: Option<String>,
}

/// A file as the carrier made it.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// What it is for.
    pub types: Vec<DocumentType>,
    /// What it says it is.
    pub format: Format,
    /// The bytes, unchanged.
    pub bytes: Vec<u8>,
    /// The parcel that it is for, by its place in the shipment; none when it is for all of them.
    pub parcel: Option<usize>,
    /// Width and height in millimetres as they were ordered, for files that do not say them.
    pub ordered_mm: Option<(f64, f64)>,
}

/// Why there is no answer to rely on.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Why {
    /// For the log.
    pub reason: String,
    /// What the carrier said, if it said anything.
    pub said: Vec<Complaint>,
}

impl From<String> for Why {
    fn from(reason: String) -> Why {
        Why { reason, said: Vec::new() }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.said.iter().try_for_each(|complaint| write!(f, ": {}", complaint.message))
    }
}

/// Whether a carrier can be asked afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The same reference may be sent again: the carrier books it once.
    Idempotent,
    /// A reference can be looked up. A miss is believed only this long after the call.
    ByReference {
        /// The longest that a booking takes to be found.
        settle: Duration,
        /// Whether a miss is proof by itself. Otherwise a booking that must be there is looked up
        /// beside it.
        is_certain: bool,
    },
    /// The carrier cannot be asked: it is never called again for the shipment.
    Never,
}

/// Where the papers of a booking come from when they are wanted again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PapersAgain {
    /// The carrier gives them as often as it is asked.
    Asked,
    /// The carrier gave them once, and what it gave is kept. It will not become better.
    Kept,
    /// The carrier gave them once, and they are lost.
    Lost,
}

/// A booking that the carrier has, for later calls about it.
#[derive(Clone, Debug)]
pub struct Booked {
    /// The reference it was booked with.
    pub reference: Reference,
    /// The carrier's own name for it.
    pub carrier_reference: String,
    /// What the adapter wanted back.
    pub carrier_data: Option<String>,
    /// The numbers of its parcels, in order; none for one that the carrier did not take.
    pub tracking_numbers: Vec<Option<String>>,
    /// The label that was agreed on; none when we draw it ourselves.
    pub label: Option<LabelRequest>,
}
