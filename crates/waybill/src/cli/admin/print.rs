//! How commands print: aligned words for people, one JSON document for scripts.

use waybill_domain::json::Json;
use waybill_store::tokens;

/// The form of the output.
pub enum Output {
    /// `name: value` lines.
    Text,
    /// One object, or an array of them.
    Json,
}

/// One row of output.
pub fn line<const N: usize>(cells: [(&'static str, String); N]) -> Json {
    Json::object(cells.map(|(name, value)| (name, Json::Text(value))))
}

/// A token without its secret.
pub fn token(token: tokens::Token) -> Json {
    Json::object([
        ("token_uuid", Json::text(token.id)),
        ("name", token.name.into()),
        ("scopes", token.scopes.into()),
        ("team_uuid", token.team.map(Json::text).into()),
        ("expires_at", token.expires_at.map(Json::text).into()),
        ("last_used_at", token.last_used_at.map(Json::text).into()),
        ("revoked_at", token.revoked_at.map(Json::text).into()),
    ])
}

impl Output {
    /// Prints what was made or changed: an object in JSON.
    pub fn print_one(&self, row: &Json) {
        match self {
            Output::Json => println!("{row}"),
            Output::Text => print_text(row),
        }
    }

    /// Prints a list: in JSON an array, however many are in it.
    pub fn print_list(&self, rows: Vec<Json>) {
        match self {
            Output::Json => println!("{}", Json::List(rows)),
            Output::Text => rows.iter().for_each(print_text),
        }
    }
}

fn print_text(row: &Json) {
    let Json::Object(cells) = row else { return };
    for (name, value) in cells {
        match value {
            Json::Text(text) => println!("{name}: {text}"),
            Json::Null => println!("{name}: -"),
            other => println!("{name}: {other}"),
        }
    }
    println!();
}
