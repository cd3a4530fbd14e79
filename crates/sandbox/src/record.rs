//! One booking as the sandbox carrier has it, as a line of the journal and as a reply.

use waybill_domain::json::Json;
use waybill_domain::time::Time;

use crate::request::Request;
use crate::scenario::Scenario;
use crate::walk;

/// What comes with a booking.
pub enum Paper {
    /// A label, made here.
    File(Json),
    /// What a label made elsewhere must show.
    Marks,
}

/// Sequence numbers have twelve digits.
pub const SEQUENCE_MAX: u64 = 999_999_999_999;

/// A booking. Everything that a reply or a label needs, so that a restart forgets nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The number of its first parcel, which also names the booking.
    pub sequence: u64,
    /// The reference that it was booked with.
    pub reference: String,
    /// The reference of the customer of ours, with the words of the scenario.
    pub customer_reference: Option<String>,
    /// When it was booked.
    pub at: Time,
    /// The service.
    pub service: String,
    /// Lines of the sender's address.
    pub from: Vec<String>,
    /// Lines of the receiver's address.
    pub to: Vec<String>,
    /// The parcels' tracking numbers; nothing for one that was not taken.
    pub parcels: Vec<Option<String>>,
}

impl Record {
    /// The booking that a request makes.
    pub fn new(request: Request, sequence: u64, at: Time) -> Record {
        let taken = request.taken();
        let number = |index| tracking_number(sequence + index);
        let all = 0..u64::try_from(request.parcels).unwrap_or(0);
        Record {
            sequence,
            at,
            parcels: all.map(|index| (index < taken).then(|| number(index))).collect(),
            reference: request.reference,
            customer_reference: request.customer_reference,
            service: request.service,
            from: request.from,
            to: request.to,
        }
    }

    /// The carrier's name for the booking.
    pub fn id(&self) -> String {
        format!("SB-{:012}", self.sequence)
    }

    /// What the booking was told to do.
    pub fn scenario(&self) -> Scenario {
        Scenario::parse(self.customer_reference.as_deref().unwrap_or("")).unwrap_or_default()
    }

    /// The line of the journal that says `kind` of it, without its end.
    pub fn line(&self, kind: &str) -> String {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        let parcels = self.parcels.iter().map(|number| number.as_deref().into());
        let line = Json::object([
            ("type", kind.into()),
            ("reference", self.reference.as_str().into()),
            ("customer_reference", self.customer_reference.as_deref().into()),
            ("at", Json::text(self.at)),
            ("carrier_reference", self.id().into()),
            ("service", self.service.as_str().into()),
            ("parcels", Json::list(parcels)),
            ("from", texts(&self.from)),
            ("to", texts(&self.to)),
        ]);
        line.to_string()
    }

    /// Reads a line of the journal.
    pub fn from_line(line: &Json) -> Option<Record> {
        let text = |name| match line.member(name) {
            Some(Json::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let texts = |name| {
            let Some(Json::List(entries)) = line.member(name) else { return None };
            let texts = entries.iter().map(|entry| match entry {
                Json::Text(text) => Some(text.clone()),
                _ => None,
            });
            Some(texts.collect::<Vec<Option<String>>>())
        };
        Some(Record {
            sequence: sequence(&text("carrier_reference")?)?,
            reference: text("reference")?,
            customer_reference: text("customer_reference"),
            at: Time::parse(&text("at")?)?,
            service: text("service")?,
            from: texts("from")?.into_iter().flatten().collect(),
            to: texts("to")?.into_iter().flatten().collect(),
            parcels: texts("parcels")?,
        })
    }

    /// The booking as it is told, with this paper.
    pub fn reply(&self, status: &str, paper: Option<Paper>) -> Json {
        let (file, marks) = match paper {
            Some(Paper::File(file)) => (Some(file), None),
            Some(Paper::Marks) => {
                (None, Some(Json::object([("routing_code", self.routing_code().into())])))
            }
            None => (None, None),
        };
        let scenario = self.scenario();
        let numbers = || self.parcels.iter().flatten();
        let codes = |wanted: bool, code: fn(&String) -> Json| {
            Json::list(numbers().filter(|_| wanted).map(code))
        };
        Json::object([
            ("id", self.id().into()),
            ("reference", self.reference.as_str().into()),
            ("status", status.into()),
            ("parcels", Json::list(self.parcels.iter().map(|number| parcel(number.as_deref())))),
            ("files", Json::list(file)),
            ("label", marks.into()),
            ("qr_codes", codes(scenario.qr, |number| format!("SBXQR:{number}").into())),
            ("drop_off_codes", codes(scenario.drop_off, |number| drop_off_code(number).into())),
            ("errors", Json::list(self.refusals())),
            ("track_after_ms", scenario.track.map(walk::millis).into()),
        ])
    }

    /// The booking as an entry of the list of bookings.
    pub fn listed(&self, status: &str) -> Json {
        Json::object([
            ("id", self.id().into()),
            ("reference", self.reference.as_str().into()),
            ("customer_reference", self.customer_reference.as_deref().into()),
            ("status", status.into()),
            ("booked_at", Json::text(self.at)),
            ("parcels", Json::list(self.parcels.iter().map(|number| parcel(number.as_deref())))),
        ])
    }

    /// The terminal that it goes through: one of a hundred, by where it ends.
    fn routing_code(&self) -> String {
        let place = self.to.last().map_or("", String::as_str);
        let sum = place.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte));
        format!("SBX {:02}", sum % 100)
    }

    /// What is said against the parcels that were not taken.
    fn refusals(&self) -> impl Iterator<Item = Json> {
        let refused = self.parcels.iter().enumerate().filter(|(_, number)| number.is_none());
        refused.map(|(index, _)| {
            let field = format!("parcels.{index}");
            refusal(Some(&field), "parcel_refused", "This parcel is not taken.")
        })
    }
}

fn parcel(number: Option<&str>) -> Json {
    let url = number.map(|number| format!("https://track.sandbox.example/{number}"));
    Json::object([("tracking_number", number.into()), ("tracking_url", url.into())])
}

/// An entry of the list of errors in a reply.
pub fn refusal(field: Option<&str>, code: &str, message: &str) -> Json {
    Json::object([("field", field.into()), ("code", code.into()), ("message", message.into())])
}

/// The sequence number in a carrier reference.
pub fn sequence(id: &str) -> Option<u64> {
    let digits = id.strip_prefix("SB-")?;
    let is_ours = digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_ours)
}

/// The sequence number in a tracking number.
pub fn parcel_sequence(number: &str) -> Option<u64> {
    let digits = number.strip_prefix("SBX")?;
    let is_ours = digits.len() == 13 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.get(..12).filter(|_| is_ours)?.parse().ok()
}

/// `SBX`, twelve digits and the check digit that GS1 puts behind such numbers.
fn tracking_number(sequence: u64) -> String {
    let digits = format!("{:012}", sequence % (SEQUENCE_MAX + 1));
    let weights = [3, 1].into_iter().cycle();
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip(weights)
        .map(|(byte, weight)| u32::from(byte - b'0') * weight)
        .sum();
    format!("SBX{digits}{}", (10 - sum % 10) % 10)
}

/// Eight characters that a person can write on a parcel.
fn drop_off_code(number: &str) -> String {
    let tail = number.len().saturating_sub(7);
    format!("D{}", &number[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back_as_the_same_booking() {
        let record = Record {
            sequence: 629_104_150_021,
            reference: "R1".to_owned(),
            customer_reference: None,
            at: Time(1_700_000_000_000_001),
            service: "home".to_owned(),
            from: vec!["Ada \"A\"".to_owned()],
            to: vec!["Søren".to_owned(), "DK".to_owned()],
            parcels: vec![Some(tracking_number(629_104_150_021)), None],
        };
        let line = waybill_domain::json::parse(record.line("booked").as_bytes()).unwrap();
        assert_eq!(Record::from_line(&line), Some(record));
    }

    #[test]
    fn the_check_digit_is_the_one_of_gs1() {
        // 629104150021 has the check digit 3 in GS1's own example.
        assert_eq!(tracking_number(629_104_150_021), "SBX6291041500213");
        assert_eq!(sequence("SB-629104150021"), Some(629_104_150_021));
        assert_eq!(sequence("SB-+29104150021"), None);
        assert_eq!(parcel_sequence("SBX6291041500213"), Some(629_104_150_021));
        assert_eq!(parcel_sequence("SBX629104150021æ"), None);
    }
}
