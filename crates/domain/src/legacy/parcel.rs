//! Parcels of a v1 body as parcels of a shipment.

use super::lenient::is_filled;
use super::names::Names;
use crate::json::{Json, Number};
use crate::measure::Currency;

/// Milligrams in a gram.
const GRAM: i64 = 1000;
/// Three parts of a text that older clients send instead of one.
const FREETEXTS: [&str; 3] = ["freetext1", "freetext2", "freetext3"];

/// The parcel; what is not one stays as it is, for others to say so.
pub fn parcel(given: &Json, currency: &Json, path: &str, names: &mut Names) -> Json {
    if !matches!(given, Json::Object(_)) {
        return given.clone();
    }
    let text = |member: &str| given.member(member).cloned().unwrap_or(Json::Null);
    let description = freetext(given);
    if let Some((Some(name), _)) = &description {
        names.note(format!("{path}.description"), format!("{path}.{name}"));
    }
    let weight = given.member("weight");
    let items = match given.member("items") {
        Some(Json::List(items)) => {
            let weights = piece_weights(items, grams(weight));
            let items = items.iter().zip(weights).enumerate().map(|(index, (given, weight))| {
                item(given, weight, currency, &format!("{path}.items.{index}"), names)
            });
            Json::list(items)
        }
        other => other.cloned().into(),
    };
    Json::object([
        ("identifier", text("internal_id")),
        ("reference", text("internal_reference")),
        ("description", description.map(|(_, text)| text).into()),
        (
            "gross_weight",
            measured(weight, "g", grams(weight).map(|grams| grams.saturating_mul(1000))),
        ),
        ("length", length(given.member("length"))),
        ("width", length(given.member("width"))),
        ("height", length(given.member("height"))),
        ("items", items),
    ])
}

/// What stands in the text of a parcel, and the member that it begins in when that is not the usual
/// one.
pub fn freetext(given: &Json) -> Option<(Option<&'static str>, Json)> {
    let filled = |member: &str| given.member(member).filter(|value| is_filled(Some(value)));
    if let Some(text) = filled("freetext") {
        return Some((None, text.clone()));
    }
    let parts: Vec<(&'static str, &Json)> =
        FREETEXTS.into_iter().filter_map(|member| Some((member, filled(member)?))).collect();
    let texts = parts.iter().map(|(_, part)| match part {
        Json::Text(text) => Ok(text.as_str()),
        other => Err(*other),
    });
    let joined: Result<Vec<&str>, &Json> = texts.collect();
    let (first, _) = *parts.first()?;
    Some((Some(first), joined.map_or_else(Json::clone, |texts| texts.join(" ").into())))
}

fn item(given: &Json, weight: Option<i64>, currency: &Json, path: &str, names: &mut Names) -> Json {
    if !matches!(given, Json::Object(_)) {
        return given.clone();
    }
    let text = |member: &str| given.member(member).cloned().unwrap_or(Json::Null);
    let filled = |member: &str| given.member(member).filter(|value| is_filled(Some(value)));
    let mut first = |members: [&str; 2], field: &str| {
        let found = members
            .into_iter()
            .enumerate()
            .find_map(|(place, member)| Some((place, member, filled(member)?)));
        if let Some((1, member, _)) = found {
            names.note(format!("{path}.{field}"), format!("{path}.{member}"));
        }
        found.map(|(_, _, value)| value)
    };
    let description = first(["name", "description"], "description");
    let price = first(["unit_price_excluding_tax", "unit_price_including_tax"], "unit_price");
    Json::object([
        ("identifier", text("internal_id")),
        ("sku", text("sku")),
        ("description", description.cloned().into()),
        ("quantity", text("quantity")),
        ("net_weight", measured(given.member("unit_weight"), "g", weight)),
        ("unit_price", money(price, currency)),
        ("hs_code", hs_code(&text("hs_code"))),
        ("country_of_origin", text("country_of_origin")),
    ])
}

/// The number of a customs tariff without what people put between its digits.
fn hs_code(given: &Json) -> Json {
    match given {
        Json::Text(text) => {
            let digits: String = text.chars().filter(|c| *c != '.' && !c.is_whitespace()).collect();
            if digits.is_empty() { Json::Null } else { digits.into() }
        }
        other => other.clone(),
    }
}

/// An amount in the minor unit of the currency; what is not one stays as it is. With a currency
/// that is not one, others say so.
pub fn money(given: Option<&Json>, currency: &Json) -> Json {
    let Some(Json::Number(amount)) = given else { return given.cloned().into() };
    let minor = amount.rounded(decimals(currency)).unwrap_or(i64::MAX);
    Json::object([("value", minor.into()), ("currency", currency.clone())])
}

/// How many decimals an amount has in a currency.
pub fn decimals(currency: &Json) -> u32 {
    let known = match currency {
        Json::Text(code) => Currency::parse_listed(code),
        _ => None,
    };
    known.map_or(0, |currency| currency.decimals().into())
}

/// A measure of so many thousandths of the unit. Zero is unknown; what is not a number stays as it
/// is.
fn measured(given: Option<&Json>, unit: &str, thousandths: Option<i64>) -> Json {
    match (given, thousandths) {
        (Some(Json::Number(_)), Some(value)) => {
            let value = Json::Number(Number::from_thousandths(value));
            Json::object([("value", value), ("unit", unit.into())])
        }
        (Some(Json::Number(_)), None) => Json::Null,
        (given, _) => given.cloned().into(),
    }
}

fn length(given: Option<&Json>) -> Json {
    measured(given, "cm", steps(given, 3))
}

/// The weight of a parcel in grams.
fn grams(given: Option<&Json>) -> Option<i64> {
    steps(given, 3)
}

/// A measure in steps of so many decimals; nothing when it is not known.
fn steps(given: Option<&Json>, decimals: u32) -> Option<i64> {
    let Some(Json::Number(number)) = given else { return None };
    number.rounded(decimals).filter(|steps| *steps > 0)
}

/// What one piece of each item weighs, in milligrams. The parcel is rounded to grams, so that its
/// contents may weigh more than it does by what was rounded off. Then they weigh a little less: the
/// shop has weighed them as one.
fn piece_weights(items: &[Json], parcel: Option<i64>) -> Vec<Option<i64>> {
    let weights: Vec<Option<i64>> =
        items.iter().map(|item| steps(item.member("unit_weight"), 6)).collect();
    let Some(parcel) = parcel.map(|grams| i128::from(grams) * i128::from(GRAM)) else {
        return weights;
    };
    let pieces = |item: &Json| match item.member("quantity") {
        Some(Json::Number(quantity)) => quantity.as_integer().unwrap_or(0),
        _ => 0,
    };
    let counted = items
        .iter()
        .zip(&weights)
        .map(|(item, weight)| (i128::from(pieces(item)), i128::from(weight.unwrap_or(0))));
    let (count, sum) = counted
        .fold((0, 0), |(count, sum), (pieces, weight)| (count + pieces, sum + pieces * weight));
    let above = sum - parcel;
    if above <= 0 || above > i128::from(GRAM) / 2 + count {
        return weights;
    }
    let less =
        |weight: i64| i64::try_from(i128::from(weight) * parcel / sum).unwrap_or(weight).max(1);
    weights.into_iter().map(|weight| weight.map(less)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn weights(parcel: i64, items: &str) -> Vec<Option<i64>> {
        let Ok(Json::List(items)) = parse(items.as_bytes()) else { panic!("{items}") };
        piece_weights(&items, Some(parcel))
    }

    #[test]
    fn what_was_rounded_off_a_parcel_does_not_make_it_lighter_than_its_contents() {
        // Two pounds, of a pound each.
        let told = weights(907, r#"[{"unit_weight": 0.453592, "quantity": 2}]"#);
        assert_eq!(told, [Some(453_500)]);
        let told = weights(333, r#"[{"unit_weight": 0.33349, "quantity": 1}]"#);
        assert_eq!(told, [Some(333_000)]);
    }

    #[test]
    fn contents_that_are_really_too_heavy_stay_so() {
        let told = weights(333, r#"[{"unit_weight": 0.334, "quantity": 1}]"#);
        assert_eq!(told, [Some(334_000)]);
        let told = weights(333, r#"[{"unit_weight": 0.2, "quantity": 1}, {"quantity": 3}]"#);
        assert_eq!(told, [Some(200_000), None]);
    }
}
