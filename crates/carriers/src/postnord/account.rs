//! What an account with PostNord has, and what is made of it.

use waybill_domain::fields::{FieldErrors, Fields, Text, one_of};
use waybill_domain::json::{Json, Number};

use crate::account::{check_members, read_time_zone};
use crate::environment::Environment;
use crate::members::{text, within};

/// The countries that PostNord makes agreements in, each with its issuer code and its part of
/// tracking links.
const COUNTRIES: &[(&str, &str, &str)] =
    &[("DK", "Z11", "dk"), ("SE", "Z12", "se"), ("NO", "Z13", "no"), ("FI", "Z14", "fi")];
/// So many characters a customer number has.
const CUSTOMER_NUMBER_MAX: usize = 17;
const LABEL_TYPES: &[&str] = &["standard", "small"];
const BANKS: &[&str] = &["Z01", "Z04", "ADE", INTERNATIONAL];
/// An account that is known by its international number.
const INTERNATIONAL: &str = "IBAN";

/// What is wrong with an account.
pub fn check(credentials: &Json, options: &Json) -> FieldErrors {
    check_members((credentials, &read_credentials), (options, &read_options))
}

fn read_credentials(fields: &Fields) -> bool {
    fields.text("api_key", Text::filled(200)).required().is_some()
}

fn read_options(fields: &Fields) -> bool {
    let one = |name, choices: &'static [&'static str]| {
        let parse = move |text: &str| choices.contains(&text).then(|| text.to_owned());
        fields.parsed(name, parse, || one_of(choices))
    };
    let country =
        |text: &str| COUNTRIES.iter().any(|(code, ..)| *code == text).then(|| text.to_owned());
    let country = fields.parsed("agreement_country", country, || one_of(&["DK", "SE", "NO", "FI"]));
    let number = fields.text("customer_number", Text::filled(CUSTOMER_NUMBER_MAX)).required();
    let application = fields.integer("application_id", 0..=i64::from(i32::MAX)).required();
    let environment = Environment::read(fields);
    let _ = one("label_type", LABEL_TYPES).optional();
    let _ = fields.object("cod_account").then(|account| read_cod_account(&account)).optional();
    let _ = read_time_zone(fields);
    let country = country.required();
    country.and(number).and(application).and(environment).is_some()
}

fn read_cod_account(fields: &Fields) -> Option<()> {
    let bank = |text: &str| BANKS.contains(&text).then(|| text.to_owned());
    let bank = fields.parsed("bank", bank, || one_of(BANKS)).required();
    let number = fields.text("number", Text::filled(35)).required();
    let _ = fields.text("bic", Text::up_to(11)).optional();
    bank.and(number).map(drop)
}

/// The options of an account that were checked before.
#[derive(Clone, Copy)]
pub struct Options<'a>(pub &'a Json);

impl<'a> Options<'a> {
    /// The number that PostNord knows the merchant by.
    pub fn customer_number(self) -> &'a str {
        text(self.0, "customer_number").unwrap_or_default()
    }

    /// The country of the agreement.
    pub fn country(self) -> &'a str {
        text(self.0, "agreement_country").unwrap_or_default()
    }

    /// Who gave the customer number, in PostNord's code.
    pub fn issuer(self) -> &'static str {
        self.row().map_or("", |(_, issuer, _)| issuer)
    }

    /// Where people see where a parcel is.
    pub fn tracking_link(self, number: &str) -> String {
        let country = self.row().map_or("", |(.., country)| country);
        format!("https://tracking.postnord.com/{country}/?id={number}")
    }

    fn row(self) -> Option<&'static (&'static str, &'static str, &'static str)> {
        COUNTRIES.iter().find(|(code, ..)| *code == self.country())
    }

    /// What PostNord knows this program by: a number on the wire.
    pub fn application_id(self) -> Json {
        let id = self.0.member("application_id");
        let number = |id: &Json| match id {
            Json::Number(number) => Number::as_integer(number),
            _ => None,
        };
        id.and_then(number).into()
    }

    /// `standard` or `small`.
    pub fn label_type(self) -> &'a str {
        text(self.0, "label_type").unwrap_or(LABEL_TYPES[0])
    }

    /// The size of a label in millimetres.
    pub fn label_mm(self) -> (f64, f64) {
        if self.label_type() == LABEL_TYPES[0] { (105.0, 190.0) } else { (75.0, 105.0) }
    }

    /// What the account that money in euros is sent to lacks: it is known by an international
    /// number, and its bank by a code.
    pub fn lacks_for_euros(self) -> Option<&'static str> {
        let account = self.0.member("cod_account");
        let of = |name| account.and_then(|account| text(account, name));
        let has_code = of("bic").is_some_and(|code| !code.trim().is_empty());
        match of("bank") == Some(INTERNATIONAL) {
            false => Some("cod_account.bank = IBAN"),
            true if !has_code => Some("cod_account.bic"),
            true => None,
        }
    }

    /// The account that what receivers pay is sent to.
    pub fn cod_account(self) -> Option<Json> {
        let of = |name| within(self.0, &["cod_account", name]).cloned().unwrap_or(Json::Null);
        let account = self.0.member("cod_account").filter(|account| **account != Json::Null);
        account.map(|_| {
            crate::members::object([
                ("accountNo", of("number")),
                ("bankName", of("bank")),
                ("swiftCode", of("bic")),
            ])
        })
    }
}
