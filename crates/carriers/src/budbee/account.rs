//! What an account with Budbee has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::HeaderValue;
use waybill_domain::fields::{FieldErrors, Fields, Text};
use waybill_domain::json::Json;

use crate::Account;
use crate::account::check_members;
use crate::environment::Environment;
use crate::members::text;

/// What is wrong with an account.
pub fn check(credentials: &Json, options: &Json) -> FieldErrors {
    check_members((credentials, &read_credentials), (options, &read_options))
}

fn read_credentials(fields: &Fields) -> bool {
    let key = fields.text("api_key", Text::filled(255)).required();
    let secret = fields.text("api_secret", Text::filled(255)).required();
    let name = fields.text("webhook_username", Text::filled(255));
    let password = fields.text("webhook_password", Text::filled(255));
    // One of them alone lets nobody in.
    if !(name.is_absent() && password.is_absent()) {
        let _ = (name.required(), password.required());
    }
    key.is_some() && secret.is_some()
}

fn read_options(fields: &Fields) -> bool {
    let collection = fields.integer("collection_id", 1..=i64::from(i32::MAX)).required();
    let environment = Environment::read(fields);
    collection.is_some() && environment.is_some()
}

/// What lets us in.
pub fn authorization(account: &Account) -> Option<HeaderValue> {
    let credentials = account.credentials.expose();
    let mut value = basic(text(credentials, "api_key")?, text(credentials, "api_secret")?)?;
    value.set_sensitive(true);
    Some(value)
}

/// What lets Budbee in when it says something by itself.
pub fn callback_authorization(account: &Account) -> Option<HeaderValue> {
    let credentials = account.credentials.expose();
    basic(text(credentials, "webhook_username")?, text(credentials, "webhook_password")?)
}

fn basic(name: &str, password: &str) -> Option<HeaderValue> {
    let pair = STANDARD.encode(format!("{name}:{password}"));
    HeaderValue::from_str(&format!("Basic {pair}")).ok()
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
    fn an_account_has_a_key_a_secret_and_the_place_where_parcels_are_collected() {
        let good = r#"{"api_key":"k","api_secret":"s"}"#;
        let all = r#"{"api_key":"k","api_secret":"s","webhook_username":"u",
            "webhook_password":"p"}"#;
        assert_eq!(paths(good, r#"{"collection_id":7}"#), [""; 0]);
        assert_eq!(paths(all, r#"{"collection_id":7,"environment":"test"}"#), [""; 0]);
        for (told, missing) in [
            ("webhook_username", "credentials.webhook_password"),
            ("webhook_password", "credentials.webhook_username"),
        ] {
            let half = format!(r#"{{"api_key":"k","api_secret":"s","{told}":"w"}}"#);
            assert_eq!(paths(&half, r#"{"collection_id":7}"#), [missing]);
        }
        let missing = ["credentials.api_key", "credentials.api_secret", "options.collection_id"];
        assert_eq!(paths("{}", "{}"), missing);
        assert_eq!(paths("{}", "null"), missing);
        let wrong = r#"{"collection_id":"7","environment":1,"webhook_username":"u"}"#;
        let paths = paths(good, wrong);
        assert_eq!(
            paths,
            ["options.collection_id", "options.environment", "options.webhook_username"]
        );
    }
}
