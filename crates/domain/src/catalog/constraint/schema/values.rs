//! Small parts of schemas.

use crate::catalog::path::schema_needing;
use crate::json::Json;

/// An object whose member has this value.
pub(super) fn has(name: &'static str, value: &str) -> Json {
    Json::object([
        ("type", "object".into()),
        ("required", Json::list([name.into()])),
        ("properties", Json::object([(name, Json::object([("const", value.into())]))])),
    ])
}

/// An order in which the addon is chosen.
pub(crate) fn has_addon(code: &str) -> Json {
    let list = Json::object([("type", "array".into()), ("contains", has("code", code))]);
    schema_needing("delivery.addons", list)
}

/// A number as a schema has it.
pub(super) fn count(number: usize) -> Json {
    Json::from(i64::try_from(number).unwrap_or(i64::MAX))
}
