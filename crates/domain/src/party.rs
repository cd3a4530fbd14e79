//! People and places: who sends, who receives, and where.

use crate::country::Country;
use crate::fields::{Fields, Text, each_or_default};
use crate::json::Json;
use crate::patterns::{is_email, is_phone};
use crate::words::Message;

/// A party to a shipment, or the address that a team sends from.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Party {
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// Whom to reach.
    pub contact: Contact,
    /// Where.
    pub address: Address,
    identifiers: Vec<Option<String>>,
}

/// Whom to reach.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Contact {
    /// The person.
    pub name: String,
    /// The company.
    pub company: Option<String>,
    /// The mail address.
    pub email: Option<String>,
    /// The phone number.
    pub phone: Option<String>,
}

/// Where somebody is.
#[derive(Clone, PartialEq, Debug)]
pub struct Address {
    /// Street and number, and what follows them.
    pub lines: Vec<String>,
    /// The postal code.
    pub postal_code: String,
    /// The city.
    pub city: String,
    /// A state, province or region.
    pub administrative_area: Option<String>,
    /// The country.
    pub country: Country,
}

/// The numbers that authorities know a party by.
const IDENTIFIERS: [&str; 6] = ["vat", "eori", "gb_eori", "voec", "ioss", "tax_id"];

impl Party {
    /// Reads a party to a shipment. What cannot be read of it is left empty.
    pub fn read(fields: &Fields) -> Option<Party> {
        let identifier = fields.text("identifier", Text::up_to(255)).optional();
        let reference = fields.text("reference", Text::up_to(255)).optional();
        let contact = fields.object("contact").then(|contact| Contact::read(&contact)).required();
        let address = fields.object("address").then(|address| Address::read(&address)).required();
        let identifiers = fields.object("identifiers").optional();
        let identifiers = IDENTIFIERS.map(|name| {
            let numbers = identifiers.as_ref()?;
            numbers.text(name, Text::filled(35)).optional()
        });
        Some(Party {
            identifier,
            reference,
            contact: contact.unwrap_or_default(),
            address: address.unwrap_or_default(),
            identifiers: identifiers.to_vec(),
        })
    }

    /// The numbers that authorities know the party by, each with its kind, such as `eori`.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let known = IDENTIFIERS.iter().zip(&self.identifiers);
        known.filter_map(|(kind, number)| Some((*kind, number.as_deref()?)))
    }

    /// The party as it is shown and stored: every field present, the unknown ones null.
    pub fn to_json(&self) -> Json {
        let numbers = IDENTIFIERS.iter().zip(&self.identifiers);
        let numbers = numbers.map(|(name, number)| ((*name).into(), number.clone().into()));
        Json::object([
            ("identifier", self.identifier.as_deref().into()),
            ("reference", self.reference.as_deref().into()),
            ("contact", self.contact.to_json()),
            ("address", self.address.to_json()),
            ("identifiers", Json::Object(numbers.collect())),
        ])
    }
}

impl Contact {
    fn read(fields: &Fields) -> Option<Contact> {
        let name = fields.text("name", Text::filled(255)).required();
        let company = fields.text("company", Text::up_to(255)).optional();
        let email =
            fields.parsed("email", kept(is_email), || Message::new("not-an-email")).optional();
        let phone =
            fields.parsed("phone", kept(is_phone), || Message::new("not-a-phone")).optional();
        Some(Contact { name: name.unwrap_or_default(), company, email, phone })
    }

    fn to_json(&self) -> Json {
        Json::object([
            ("name", self.name.as_str().into()),
            ("company", self.company.as_deref().into()),
            ("email", self.email.as_deref().into()),
            ("phone", self.phone.as_deref().into()),
        ])
    }
}

impl Default for Address {
    fn default() -> Address {
        Address {
            lines: Vec::new(),
            postal_code: String::new(),
            city: String::new(),
            administrative_area: None,
            country: Country::UNKNOWN,
        }
    }
}

impl Address {
    /// Reads an address. What cannot be read of it is left empty.
    pub fn read(fields: &Fields) -> Option<Address> {
        let lines = fields
            .list("address_lines", 1..=5)
            .then(|lines| Some(each_or_default(&lines, |line| line.text(Text::filled(255)))))
            .required();
        let postal_code = fields.text("postal_code", Text::filled(20)).required();
        let city = fields.text("city", Text::filled(255)).required();
        let area = fields.text("administrative_area", Text::up_to(255)).optional();
        let country =
            fields.parsed("country", Country::parse, || Message::new("not-a-country")).required();
        Some(Address {
            lines: lines.unwrap_or_default(),
            postal_code: postal_code.unwrap_or_default(),
            city: city.unwrap_or_default(),
            administrative_area: area,
            country: country.unwrap_or(Country::UNKNOWN),
        })
    }

    /// The address as it is shown.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("address_lines", Json::list(self.lines.iter().map(Json::text))),
            ("postal_code", self.postal_code.as_str().into()),
            ("city", self.city.as_str().into()),
            ("administrative_area", self.administrative_area.as_deref().into()),
            ("country", Json::text(self.country)),
        ])
    }
}

/// The text as it came, when it keeps the rule.
fn kept(is_good: impl Fn(&str) -> bool) -> impl Fn(&str) -> Option<String> {
    move |text| is_good(text).then(|| text.to_owned())
}
