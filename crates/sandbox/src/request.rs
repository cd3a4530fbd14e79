//! A request to book, as the sandbox carrier reads it. It asks for little, and says all that is
//! wrong at once.

use waybill_domain::document::Format;
use waybill_domain::json::Json;

use crate::record::refusal;
use crate::scenario::Scenario;

/// How a caller says that it wants no label file.
pub const NO_FILE: &str = "none";

/// The service that books a reference once, however often it is sent.
pub const IDEMPOTENT: &str = "idempotent";

/// The services, and whether they make labels for label printers.
const SERVICES: &[(&str, &[Format])] = &[
    ("home", &[Format::Pdf, Format::Zpl]),
    ("pickup_point", &[Format::Pdf, Format::Zpl]),
    ("express", &[Format::Pdf, Format::Zpl]),
    ("business", &[Format::Pdf, Format::Zpl]),
    ("return_drop_off", &[Format::Pdf, Format::Zpl]),
    ("letter", &[Format::Pdf]),
    ("no_lookup", &[Format::Pdf, Format::Zpl]),
    (IDEMPOTENT, &[Format::Pdf, Format::Zpl]),
];

/// A request to book.
#[derive(Clone, Debug)]
pub struct Request {
    /// The attempt's reference.
    pub reference: String,
    /// The reference of the customer of ours.
    pub customer_reference: Option<String>,
    /// The service.
    pub service: String,
    /// The format of the label; none for those who draw it themselves.
    pub format: Option<Format>,
    /// Lines of the sender's address.
    pub from: Vec<String>,
    /// Lines of the receiver's address.
    pub to: Vec<String>,
    /// How many parcels.
    pub parcels: usize,
    /// What the words in the customer's reference ask for.
    pub scenario: Scenario,
}

impl Request {
    /// How many of the parcels are taken.
    pub fn taken(&self) -> u64 {
        let refused = usize::from(self.scenario.partial);
        u64::try_from(self.parcels.saturating_sub(refused)).unwrap_or(0)
    }

    /// Reads a body. The errors are entries for the reply.
    pub fn read(body: &Json) -> Result<Request, Vec<Json>> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, code: &str, message: &str| {
            errors.push(refusal(Some(field), code, message));
        };
        let reference = text(body, "reference").unwrap_or_else(|| {
            refuse("reference", "missing", "A reference is needed.");
            String::new()
        });
        let customer_reference = text(body, "customer_reference");
        let scenario = Scenario::parse(customer_reference.as_deref().unwrap_or(""));
        let scenario = scenario.unwrap_or_else(|error| {
            refuse("customer_reference", "unknown_word", &error.to_string());
            Scenario::default()
        });
        let service = text(body, "service").unwrap_or_default();
        let format = match text(body, "label_format").as_deref() {
            Some(NO_FILE) => None,
            name => Some(name.and_then(Format::parse).unwrap_or(Format::Pdf)),
        };
        match SERVICES.iter().find(|(name, _)| *name == service) {
            None => refuse("service", "unknown_service", "There is no such service."),
            Some((_, formats)) if format.is_some_and(|format| !formats.contains(&format)) => {
                refuse("label_format", "no_such_label", "The service does not make such labels.");
            }
            Some(_) => {}
        }
        let to = address(body.member("to"));
        if to.is_empty() {
            refuse("to", "missing", "A receiver is needed.");
        }
        let parcels = match body.member("parcels") {
            Some(Json::List(parcels)) => parcels.len(),
            _ => 0,
        };
        if !(1..=99).contains(&parcels) {
            refuse("parcels", "parcel_count", "From 1 to 99 parcels are taken.");
        }
        let from = address(body.member("from"));
        let request =
            Request { reference, customer_reference, service, format, from, to, parcels, scenario };
        if errors.is_empty() { Ok(request) } else { Err(errors) }
    }
}

fn text(body: &Json, name: &str) -> Option<String> {
    match body.member(name) {
        Some(Json::Text(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}

/// An address as lines of a label; none without a name.
fn address(party: Option<&Json>) -> Vec<String> {
    let Some(party) = party else { return Vec::new() };
    let Some(name) = text(party, "name") else { return Vec::new() };
    let street = match party.member("street") {
        Some(Json::List(lines)) => lines.as_slice(),
        _ => &[],
    };
    let street = street.iter().filter_map(|line| match line {
        Json::Text(line) => Some(line.clone()),
        _ => None,
    });
    let places = ["country", "postal_code", "city"].map(|name| text(party, name));
    let city = places.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut lines = vec![name];
    lines.extend(text(party, "company"));
    // Six lines fit on a label; the city must be one of them.
    lines.extend(street.take(5 - lines.len()));
    lines.push(city);
    lines
}
