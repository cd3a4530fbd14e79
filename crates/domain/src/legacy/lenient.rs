//! Reads a v1 body. Clients in the field send members that nobody can list, so what is not known is
//! passed over. What is known is checked in full, and all that is wrong is told at once.

use super::body::{Kind, Members, SHIPMENT, alias};
use crate::country::Country;
use crate::fields::FieldErrors;
use crate::json::{Json, Number, parse};
use crate::measure::{Currency, MINOR_MAX};
use crate::words::Message;

/// Stands where something could not be read. A shipment has nothing of this type in its place, so
/// whoever reads on knows that something was there.
pub const UNREADABLE: Json = Json::Bool(false);

/// The heaviest, in kilograms, and the longest, in centimetres: what can be told of a shipment.
const WEIGHT_MAX: i64 = 1_000_000;
const LENGTH_MAX: i64 = 1_000_000_000;
/// How many of one thing.
const QUANTITY_MAX: i64 = 99_999;
/// So many decimals an amount has when its currency is not known.
const DECIMALS: u32 = 2;

/// The body with all of its members and no others, each of the type that it should have and rounded
/// as it will be used; and what is wrong, at v1 names.
pub fn read(body: &Json) -> (Json, FieldErrors) {
    let currency = body.member("currency");
    let currency = currency.and_then(|code| match code {
        Json::Text(code) => Currency::parse_listed(code),
        _ => None,
    });
    let decimals = currency.map_or(DECIMALS, |currency| currency.decimals().into());
    let mut reader = Reader { errors: FieldErrors::default(), decimals, priced: None };
    let read = reader.object(SHIPMENT, body, "");
    if let Some(path) = reader.priced.take()
        && read.member("currency") == Some(&Json::Null)
    {
        reader.errors.add("currency", Message::new("unit-missing").text("path", path));
    }
    (read, reader.errors)
}

/// Whether text is there that is more than blanks, or anything else.
pub fn is_filled(value: Option<&Json>) -> bool {
    match value {
        None | Some(Json::Null) => false,
        Some(Json::Text(text)) => !text.trim().is_empty(),
        Some(_) => true,
    }
}

struct Reader {
    errors: FieldErrors,
    /// How many decimals an amount has.
    decimals: u32,
    /// The first amount that is there: it needs a currency.
    priced: Option<String>,
}

impl Reader {
    fn object(&mut self, members: Members, given: &Json, path: &str) -> Json {
        let read = members.iter().map(|(name, kind)| {
            let (name_given, value) = given_as(given, name);
            let path = match path {
                "" => name_given.to_owned(),
                path => format!("{path}.{name_given}"),
            };
            ((*name).into(), self.value(*kind, value, &path))
        });
        Json::Object(read.collect())
    }

    fn value(&mut self, kind: Kind, given: Option<&Json>, path: &str) -> Json {
        let given = match given {
            None | Some(Json::Null) => return Json::Null,
            Some(Json::Text(text)) if text.is_empty() => return Json::Null,
            Some(given) => given,
        };
        match kind {
            Kind::Text => self.text(given, path).map_or(UNREADABLE, Json::Text),
            Kind::Value => match given {
                Json::Number(number) => {
                    whole(number).unwrap_or_else(|| number.as_str().to_owned()).into()
                }
                _ => self.text(given, path).map_or(UNREADABLE, Json::Text),
            },
            Kind::Country => self.checked(given, path, |code| match Country::parse(code) {
                Some(_) => None,
                None => Some(Message::new("not-a-country")),
            }),
            Kind::Currency => self.checked(given, path, currency_problem),
            Kind::Date => self.checked(given, path, |text| {
                let date = text.parse::<jiff::civil::Date>().ok();
                let is_date = date.is_some_and(|date| date.to_string() == text);
                (!is_date).then(|| Message::new("not-a-date"))
            }),
            Kind::Weight => self.measure(given, path, (3, WEIGHT_MAX)),
            Kind::UnitWeight => self.measure(given, path, (6, WEIGHT_MAX)),
            Kind::Length => self.measure(given, path, (1, LENGTH_MAX)),
            Kind::Price => self.price(given, path),
            Kind::Quantity => self.quantity(given, path),
            Kind::Object(members) => match given {
                Json::Object(_) => self.object(members, given, path),
                // An object without members, as PHP writes it.
                Json::List(entries) if entries.is_empty() => Json::Null,
                _ => self.refuse(path, Message::new("not-an-object")),
            },
            Kind::List(kind) => match given {
                Json::List(entries) => self.list(*kind, entries, path),
                Json::Object(members) if members.is_empty() => Json::List(Vec::new()),
                _ => self.refuse(path, Message::new("not-a-list")),
            },
        }
    }

    fn list(&mut self, kind: Kind, entries: &[Json], path: &str) -> Json {
        let nothing = Json::Object(Vec::new());
        let read = entries.iter().enumerate().map(|(index, entry)| {
            let path = format!("{path}.{index}");
            match (kind, entry) {
                (Kind::Object(_), Json::List(members)) if members.is_empty() => {
                    self.value(kind, Some(&nothing), &path)
                }
                (_, entry) if !is_there(entry) => self.refuse(&path, Message::new("not-an-object")),
                (kind, entry) => self.value(kind, Some(entry), &path),
            }
        });
        Json::List(read.collect())
    }

    fn text(&mut self, given: &Json, path: &str) -> Option<String> {
        let text = match given {
            Json::Text(text) => Some(text.clone()),
            Json::Number(number) => whole(number),
            _ => None,
        };
        if text.is_none() {
            self.errors.add(path, Message::new("not-text"));
        }
        text
    }

    /// Text that keeps a rule. What does not is kept too: others must see that something is there.
    fn checked(
        &mut self,
        given: &Json,
        path: &str,
        problem: impl FnOnce(&str) -> Option<Message>,
    ) -> Json {
        let Some(text) = self.text(given, path) else { return UNREADABLE };
        if let Some(message) = problem(&text) {
            self.errors.add(path, message);
        }
        Json::Text(text)
    }

    /// A measure, rounded to so many decimals. One that is above zero stays so.
    fn measure(&mut self, given: &Json, path: &str, (decimals, max): (u32, i64)) -> Json {
        let Some(number) = self.not_negative(given, path) else { return UNREADABLE };
        let is_zero = number.canonical() == "0";
        let steps = number.rounded(decimals).map(|steps| steps.max(i64::from(!is_zero)));
        match steps.filter(|steps| i128::from(*steps) <= i128::from(max) * 10_i128.pow(decimals)) {
            Some(steps) => Json::Number(Number::from_steps(steps.into(), decimals)),
            None => self.refuse(path, Message::new("too-large").text("max", max)),
        }
    }

    fn price(&mut self, given: &Json, path: &str) -> Json {
        self.priced.get_or_insert_with(|| path.to_owned());
        let Some(number) = self.not_negative(given, path) else { return UNREADABLE };
        match number.rounded(self.decimals).filter(|minor| *minor <= MINOR_MAX) {
            Some(minor) => Json::Number(Number::from_steps(minor.into(), self.decimals)),
            None => {
                let max = Number::from_steps(MINOR_MAX.into(), self.decimals);
                self.refuse(path, Message::new("too-large").text("max", max))
            }
        }
    }

    fn quantity(&mut self, given: &Json, path: &str) -> Json {
        let Some(number) = self.number(given, path) else { return UNREADABLE };
        match number.as_integer() {
            None if number.is_huge() && !number.is_negative() => {
                self.refuse(path, Message::new("too-large").text("max", QUANTITY_MAX))
            }
            None => self.refuse(path, Message::new("not-an-integer")),
            Some(value) if value < 1 => self.refuse(path, Message::new("too-small").text("min", 1)),
            Some(value) if value > QUANTITY_MAX => {
                self.refuse(path, Message::new("too-large").text("max", QUANTITY_MAX))
            }
            Some(value) => value.into(),
        }
    }

    fn not_negative(&mut self, given: &Json, path: &str) -> Option<Number> {
        let number = self.number(given, path)?;
        if number.is_negative() {
            self.errors.add(path, Message::new("too-small").text("min", 0));
            return None;
        }
        Some(number)
    }

    fn number(&mut self, given: &Json, path: &str) -> Option<Number> {
        let number = match given {
            Json::Number(number) => Some(number.clone()),
            Json::Text(text) => number_of(text),
            _ => None,
        };
        if number.is_none() {
            self.errors.add(path, Message::new("not-a-number"));
        }
        number
    }

    fn refuse(&mut self, path: &str, message: Message) -> Json {
        self.errors.add(path, message);
        UNREADABLE
    }
}

/// The value under this name or under the other one that clients have for it, and the name.
fn given_as<'a>(given: &'a Json, name: &'static str) -> (&'static str, Option<&'a Json>) {
    let value = given.member(name).filter(|value| is_there(value));
    let other = alias(name).filter(|_| value.is_none());
    let other = other.and_then(|other| Some((other, given.member(other)?)));
    match other.filter(|(_, value)| is_there(value)) {
        Some((other, value)) => (other, Some(value)),
        None => (name, value),
    }
}

/// An empty text is null.
fn is_there(value: &Json) -> bool {
    *value != Json::Null && !matches!(value, Json::Text(text) if text.is_empty())
}

/// A whole number as text, in the spelling that came in where that is digits alone.
fn whole(number: &Number) -> Option<String> {
    let digits = number.as_str();
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { Some(digits.to_owned()) } else { Some(number.as_integer()?.to_string()) }
}

/// The number that a text holds, in the spelling of JSON or as PHP also writes it: `.5`, `1.`,
/// `007`.
pub fn number_of(text: &str) -> Option<Number> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let is_number = |byte: u8| byte.is_ascii_digit() || b".eE+-".contains(&byte);
    if digits.len() > NUMBER_MAX || !digits.bytes().all(is_number) {
        return None;
    }
    let end = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(end);
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if part.is_empty() { "" } else { "." };
    match parse(format!("{sign}{whole}{point}{part}{exponent}").as_bytes()) {
        Ok(Json::Number(number)) => Some(number),
        _ => None,
    }
}

/// A text with more characters is not a number of ours.
const NUMBER_MAX: usize = 100;

fn currency_problem(code: &str) -> Option<Message> {
    match (Currency::parse(code), Currency::parse_listed(code)) {
        (Some(_), _) => None,
        (None, Some(_)) => Some(Message::new("not-money")),
        (None, None) => Some(Message::new("not-a-currency")),
    }
}
