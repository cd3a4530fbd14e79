//! Scopes that a caller gives to something it makes: nobody gives more than they have.

use waybill_domain::access::{Scope, Scopes};
use waybill_domain::fields::{Fields, Value, each, one_of};
use waybill_domain::words::Message;
use waybill_store::users::User;

use super::caller::Caller;
use super::reply::ApiError;

/// The user who makes something that lets somebody in. What an app made would outlive what its user
/// agreed to, and what a program made would outlive the program.
pub fn maker(who: &Caller) -> Result<&User, ApiError> {
    match (who.app, who.principal.user()) {
        (None, Some(user)) => Ok(user),
        _ => Err(ApiError::NotForApps),
    }
}

/// The same of something that does not end.
pub fn lasting_maker(who: &Caller) -> Result<&User, ApiError> {
    match (maker(who)?, who.expires_at) {
        (user, None) => Ok(user),
        _ => Err(ApiError::NotForExpiring),
    }
}

/// Reads `scopes`, each of which the caller must have.
pub fn read_scopes(fields: &Fields, who: &Caller) -> Option<Scopes> {
    let scopes = fields.list("scopes", 1..=Scope::ALL.len() + 1).then(|values| {
        let mut known = Vec::new();
        each(&values, |value| read_scope(value, who, &mut known))
    });
    Scopes::parse(&scopes.required()?.join(" ")).ok()
}

fn read_scope(value: &Value<'_>, who: &Caller, known: &mut Vec<String>) -> Option<String> {
    let names: Vec<String> = Scope::ALL.iter().map(|scope| scope.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).chain(["*"]).collect();
    let read = |text: &str| match text {
        "*" => Some(Scope::EVERYTHING),
        text => Scope::parse(text),
    };
    let scope = value.parsed(read, || one_of(&names))?;
    if known.contains(&scope.to_string()) {
        return value.refuse(Message::new("duplicate-value"));
    }
    if scope.is_operators() {
        return value.refuse(Message::new("scope-not-of-a-team"));
    }
    if who.has(scope).is_err() {
        return value.refuse(Message::new("scope-not-yours"));
    }
    known.push(scope.to_string());
    Some(scope.to_string())
}
