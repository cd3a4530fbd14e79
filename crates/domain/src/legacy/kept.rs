//! What a shipment of v1 shows of the body that it came with: texts as they were sent, and numbers
//! rounded as they were used.

use super::body::{AGENT, ITEM, Members, PARCEL, PARTY};
use super::parcel::freetext;
use crate::json::{Json, MemberName, Number};
use crate::measure::Currency;

/// Members of a body that are used and not shown.
const UNSHOWN: [&str; 4] = ["services", "freetext1", "freetext2", "freetext3"];

/// The body as it is kept, with the addons of the order that was made of it.
pub fn kept(body: &Json, order: &Json) -> Json {
    let addons = order.member("delivery").and_then(|delivery| delivery.member("addons"));
    let Json::Object(members) = body else { return Json::Null };
    let shown = members.iter().filter(|(name, _)| !UNSHOWN.contains(&name.as_ref()));
    let shown = shown.map(|(name, value)| {
        let value = match name.as_ref() {
            "addons" => addons.map_or(Json::Null, told_addons),
            "parcels" => parcels(value),
            _ => value.clone(),
        };
        (name.clone(), value)
    });
    Json::Object(shown.collect())
}

fn parcels(given: &Json) -> Json {
    let Json::List(parcels) = given else { return Json::Null };
    Json::list(parcels.iter().map(|parcel| {
        let Json::Object(members) = parcel else { return Json::Null };
        let shown = members.iter().filter(|(name, _)| !UNSHOWN.contains(&name.as_ref()));
        let shown = shown.map(|(name, value)| match name.as_ref() {
            "freetext" => (name.clone(), freetext(parcel).map(|(_, text)| text).into()),
            _ => (name.clone(), value.clone()),
        });
        Json::Object(shown.collect())
    }))
}

/// The addons of an order as v1 tells them: each value is a text.
pub fn told_addons(addons: &Json) -> Json {
    let Json::List(addons) = addons else { return Json::List(Vec::new()) };
    Json::list(addons.iter().map(|addon| {
        let code = addon.member("code").cloned().unwrap_or(Json::Null);
        let value = match addon.member("value") {
            Some(money @ Json::Object(_)) => major(money).map(Json::text).into(),
            Some(Json::Text(text)) => text.as_str().into(),
            _ => Json::Null,
        };
        Json::object([("code", code), ("value", value)])
    }))
}

/// An amount of an order in the major unit of its currency.
pub fn major(money: &Json) -> Option<Number> {
    let Some(Json::Number(minor)) = money.member("value") else { return None };
    let currency = Currency::parse_listed(money.member_text("currency")?)?;
    Some(Number::from_steps(minor.as_integer()?.into(), currency.decimals().into()))
}

/// The named members of something, each of them there.
pub fn members(of: &Json, names: &[&'static str]) -> Vec<(MemberName, Json)> {
    let member =
        |name: &&'static str| ((*name).into(), of.member(name).cloned().unwrap_or(Json::Null));
    names.iter().map(member).collect()
}

/// The same for all members that a body has there.
pub fn whole(of: &Json, known: Members) -> Vec<(MemberName, Json)> {
    let names: Vec<&'static str> =
        known.iter().map(|(name, _)| *name).filter(|name| !UNSHOWN.contains(name)).collect();
    members(of, &names)
}

/// A party, or null.
pub fn party(of: &Json) -> Json {
    if matches!(of, Json::Object(_)) { Json::Object(whole(of, PARTY)) } else { Json::Null }
}

/// An agent, or null.
pub fn agent(of: &Json) -> Json {
    if matches!(of, Json::Object(_)) { Json::Object(whole(of, AGENT)) } else { Json::Null }
}

/// The members of a parcel and of an item without their ids.
pub fn parcel(of: &Json) -> Vec<(MemberName, Json)> {
    whole(of, PARCEL)
}

/// The members of an item without its id.
pub fn item(of: &Json) -> Vec<(MemberName, Json)> {
    whole(of, ITEM)
}
