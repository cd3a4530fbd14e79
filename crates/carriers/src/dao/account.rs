//! What an account with dao has.

use waybill_domain::fields::{FieldErrors, Fields, Text};
use waybill_domain::json::Json;

use crate::account::check_members;
use crate::environment::Environment;

/// What is wrong with an account.
pub fn check(credentials: &Json, options: &Json) -> FieldErrors {
    check_members((credentials, &read_credentials), (options, &read_options))
}

fn read_credentials(fields: &Fields) -> bool {
    let customer = fields.text("customer_id", Text::filled(50)).required();
    let code = fields.text("code", Text::filled(100)).required();
    customer.is_some() && code.is_some()
}

fn read_options(fields: &Fields) -> bool {
    let environment = Environment::read(fields);
    let _ = fields.text("sender_id", Text::filled(50)).optional();
    environment.is_some()
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
    fn an_account_has_a_number_and_a_code_and_perhaps_a_sender() {
        let good = r#"{"customer_id":"1332","code":"hush"}"#;
        assert_eq!(paths(good, "{}"), [""; 0]);
        assert_eq!(paths(good, "null"), [""; 0]);
        assert_eq!(paths(good, r#"{"environment":"test","sender_id":"7"}"#), [""; 0]);
        let missing = ["credentials.code", "credentials.customer_id"];
        assert_eq!(paths("{}", "{}"), missing);
        assert_eq!(paths(r#"{"customer_id":1,"code":"a"}"#, "{}"), ["credentials.customer_id"]);
        let wrong = r#"{"environment":"staging","sender_id":7,"customer_number":"1"}"#;
        let paths = paths(good, wrong);
        assert_eq!(paths, ["options.customer_number", "options.environment", "options.sender_id"]);
    }
}
