//! What an account with Bring has.

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use waybill_domain::fields::{Field, FieldErrors, Fields, Text, one_of};
use waybill_domain::json::Json;
use waybill_domain::patterns::is_email;
use waybill_domain::words::Message;

use crate::Account;
use crate::account::check_members;
use crate::environment::Environment;
use crate::members::text;

/// What is done when a booking is cancelled, which Bring cannot be asked for.
const CANCELS: &[&str] = &["refuse", "local"];

/// What is wrong with an account.
pub fn check(credentials: &Json, options: &Json) -> FieldErrors {
    check_members((credentials, &read_credentials), (options, &read_options))
}

fn read_credentials(fields: &Fields) -> bool {
    let email = |text: &str| (is_email(text) && is_header(text)).then(|| text.to_owned());
    let uid = fields.parsed("api_uid", email, || Message::new("not-an-email")).required();
    let key = header(fields, "api_key").required();
    uid.is_some() && key.is_some()
}

fn read_options(fields: &Fields) -> bool {
    let environment = Environment::read(fields);
    let number = fields.text("customer_number", Text::filled(50)).required();
    let client = header(fields, "client_url").required();
    let _ = fields.text("customer_number_norway", Text::filled(50)).optional();
    let _ = fields.text("consolidated_shipment_id", Text::filled(50)).optional();
    let _ = fields.text("cod_account", Text::filled(50)).optional();
    let known = |text: &str| CANCELS.contains(&text).then(|| text.to_owned());
    let _ = fields.parsed("cancel", known, || one_of(CANCELS)).optional();
    environment.is_some() && number.is_some() && client.is_some()
}

/// A text that goes into a header, where there are plain letters and signs alone.
fn header<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, String> {
    let text = fields.text(name, Text::filled(255));
    text.then(|text| {
        if is_header(&text) {
            return Some(text);
        }
        let others: String = text.chars().filter(|c| !is_header(&c.to_string())).collect();
        fields.refuse(name, Message::new("characters-not-accepted").text("characters", others));
        None
    })
}

fn is_header(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// What lets us in, on every call.
pub fn headers(account: &Account) -> Option<HeaderMap> {
    let credentials = account.credentials.expose();
    let value = |json, name| HeaderValue::from_str(text(json, name)?).ok();
    let mut key = value(credentials, "api_key")?;
    key.set_sensitive(true);
    Some(HeaderMap::from_iter([
        (HeaderName::from_static("x-mybring-api-uid"), value(credentials, "api_uid")?),
        (HeaderName::from_static("x-mybring-api-key"), key),
        (HeaderName::from_static("x-bring-client-url"), value(&account.options, "client_url")?),
    ]))
}

/// What an account chose.
#[derive(Clone, Copy)]
pub struct Options<'a>(pub &'a Json);

impl<'a> Options<'a> {
    fn get(self, name: &str) -> Option<&'a str> {
        text(self.0, name)
    }

    /// Whose booking it is: services within Norway may have a number of their own.
    pub fn customer_number(self, is_norwegian: bool) -> &'a str {
        let norwegian = self.get("customer_number_norway").filter(|_| is_norwegian);
        norwegian.or_else(|| self.get("customer_number")).unwrap_or_default()
    }

    /// Both numbers, with the names of their options.
    pub fn customer_numbers(self) -> impl Iterator<Item = (&'static str, &'a str)> {
        let names = ["customer_number", "customer_number_norway"];
        names.into_iter().filter_map(move |name| Some((name, self.get(name)?)))
    }

    /// What parcels travel under that are shipped together.
    pub fn consolidated_shipment_id(self) -> Option<&'a str> {
        self.get("consolidated_shipment_id")
    }

    /// Where money that was collected goes.
    pub fn cod_account(self) -> Option<&'a str> {
        self.get("cod_account")
    }

    /// Whether a booking is given up here alone when it is cancelled.
    pub fn cancels_locally(self) -> bool {
        self.get("cancel") == Some("local")
    }
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn paths(credentials: &str, options: &str) -> Vec<String> {
        let read = |text: &str| parse(text.as_bytes()).unwrap();
        let found = check(&read(credentials), &read(options));
        found.iter().map(|(path, _)| path.to_owned()).collect()
    }

    #[test]
    fn an_account_has_a_user_a_key_a_number_and_the_address_of_the_shop() {
        let good = r#"{"api_uid":"user@shop.example","api_key":"k-1"}"#;
        let least = r#"{"customer_number":"5","client_url":"https://shop.example"}"#;
        assert_eq!(paths(good, least), [""; 0]);
        let all = r#"{"customer_number":"5","customer_number_norway":"6","cancel":"local",
            "client_url":"https://shop.example","environment":"test","cod_account":"1",
            "consolidated_shipment_id":"C"}"#;
        assert_eq!(paths(good, all), [""; 0]);
        let missing = [
            "credentials.api_key",
            "credentials.api_uid",
            "options.client_url",
            "options.customer_number",
        ];
        assert_eq!(paths("{}", "{}"), missing);
        let wrong = r#"{"customer_number":5,"client_url":"https://bøger.example","cancel":"no",
            "time_zone":"Europe/Oslo"}"#;
        let wrong = paths(r#"{"api_uid":"user","api_key":"nøgle"}"#, wrong);
        assert_eq!(
            wrong,
            [
                "credentials.api_key",
                "credentials.api_uid",
                "options.cancel",
                "options.client_url",
                "options.customer_number",
                "options.time_zone",
            ]
        );
    }

    #[test]
    fn services_within_norway_may_have_a_number_of_their_own() {
        let options = |text: &str| parse(text.as_bytes()).unwrap();
        let both = options(r#"{"customer_number":"5","customer_number_norway":"6"}"#);
        assert_eq!(Options(&both).customer_number(true), "6");
        assert_eq!(Options(&both).customer_number(false), "5");
        let one = options(r#"{"customer_number":"5"}"#);
        assert_eq!(Options(&one).customer_number(true), "5");
    }
}
