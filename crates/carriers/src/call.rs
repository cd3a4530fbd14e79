//! One call to a carrier: what it may answer. Four outcomes, not two: a carrier that did not answer
//! may have booked, and only an answer that proves that nothing happened may be sent again.

use std::fmt;
use std::time::Duration;

use waybill_domain::document::{DocumentType, Format};

/// What became of a request to book.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The carrier has the booking.
    Accepted(Accepted),
    /// The carrier has a part of it, and said why not the rest.
    Partial(Accepted, Vec<Complaint>),
    /// The carrier refused: nothing was created.
    Rejected(Vec<Complaint>),
    /// Provably nothing happened: it was never sent, or turned away unread. It may be sent again.
    NotSent(Why),
    /// Anything else. It may have been booked.
    Unknown(Why),
}

/// What a carrier knows about one of our references.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// It is booked.
    Booked(Accepted),
    /// A part of it is booked.
    Partly(Accepted, Vec<Complaint>),
    /// The carrier answered that it knows no such reference.
    Absent,
    /// No usable answer.
    Unknown(Why),
}

/// A booking as the carrier has it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Accepted {
    /// The carrier's own name for the booking.
    pub carrier_reference: String,
    /// One entry for each parcel, in the order of the shipment.
    pub parcels: Vec<BookedParcel>,
    /// What came with the answer.
    pub papers: CarrierFiles,
    /// What QR codes say, one for all or one for each parcel.
    pub qr_codes: Vec<String>,
    /// What to write on the parcel, one for all or one for each parcel.
    pub drop_off_codes: Vec<String>,
}

/// The number that a parcel is tracked by.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BookedParcel {
    /// The number; nothing when the carrier did not take this parcel.
    pub tracking_number: Option<String>,
    /// Where people follow it.
    pub tracking_url: Option<String>,
}

/// What a carrier gives for the parcel: files of its own, or what our label has to show.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CarrierFiles {
    /// Files as the carrier made them.
    pub files: Vec<File>,
    /// What goes on a label that we draw.
    pub label_data: Option<LabelData>,
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
}

/// What a carrier said against a booking, in its own words.
#[derive(Clone, PartialEq, Debug)]
pub struct Complaint {
    /// The field of our request that it is about.
    pub path: Option<String>,
    /// The carrier's code for it.
    pub code: Option<String>,
    /// The carrier's words.
    pub message: String,
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
    },
    /// The carrier cannot be asked: it is never called again for the shipment.
    Never,
}
