//! Limits of what several measures add up to, exact in every unit. JSON Schema cannot add, so the
//! served schema only tells them: each has a sentence for the description of its place.

use super::measured::Limit;
use crate::catalog::path::{places, schema_at};
use crate::json::Json;
use crate::measure::{Length, LengthUnit, Weight, WeightUnit};
use crate::words::Message;

/// In a millimetre.
const NANOMETRES: i128 = 1_000_000;
/// In a gram.
const PICOGRAMS: i128 = 1_000_000_000_000;

/// What is added up, and its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    /// The longest side of a parcel and twice the other two, in millimetres: once along it and
    /// once around it. A parcel with a side that is not known is not measured.
    Girth(i64),
    /// The three sides of a parcel, in millimetres, in the same way.
    Sides(i64),
    /// The weights of all parcels, in grams, as far as they are known.
    Weight(i64),
}

impl Sum {
    /// Where too much is added up, and what to say there.
    pub(super) fn problems(self, order: &Json) -> Vec<(String, Message)> {
        match self {
            Sum::Weight(_) => self.weight_problem(order).into_iter().collect(),
            Sum::Girth(_) | Sum::Sides(_) => places(order, "parcels.*")
                .into_iter()
                .filter_map(|(path, parcel)| Some((path, self.sides_problem(parcel?)?)))
                .collect(),
        }
    }

    fn weight_problem(self, order: &Json) -> Option<(String, Message)> {
        let weights: Vec<Weight> = places(order, "parcels.*.gross_weight")
            .into_iter()
            .filter_map(|(_, weight)| weight_of(weight?))
            .collect();
        let unit = weights.first()?.unit;
        let sum: i128 = weights.into_iter().map(Weight::picograms).sum();
        let message = || self.message().text("max", self.limit().told(unit.name()));
        (sum > self.max() * PICOGRAMS).then(|| ("parcels".to_owned(), message()))
    }

    fn sides_problem(self, parcel: &Json) -> Option<Message> {
        let side = |name: &str| length_of(parcel.member(name)?);
        let sides = [side("length")?, side("width")?, side("height")?];
        let nanometres = sides.map(Length::nanometres);
        let sum: i128 = nanometres.iter().sum();
        let longest = nanometres.into_iter().max().unwrap_or_default();
        let sum = if matches!(self, Sum::Girth(_)) { 2 * sum - longest } else { sum };
        let unit = sides[0].unit.name();
        let message = || self.message().text("max", self.limit().told(unit));
        (sum > self.max() * NANOMETRES).then(message)
    }

    fn max(self) -> i128 {
        let (Sum::Girth(max) | Sum::Sides(max) | Sum::Weight(max)) = self;
        i128::from(max)
    }

    fn limit(self) -> Limit {
        match self {
            Sum::Girth(max) | Sum::Sides(max) => Limit::Length(max),
            Sum::Weight(max) => Limit::Weight(max),
        }
    }

    fn message(self) -> Message {
        Message::new(match self {
            Sum::Girth(_) => "girth-too-large",
            Sum::Sides(_) => "sides-too-long",
            Sum::Weight(_) => "weights-too-heavy",
        })
    }

    /// A schema that refuses nothing, and tells the limit where it holds.
    pub(super) fn schema(self) -> Json {
        let (path, said) = match self {
            Sum::Girth(max) => (
                "parcels.*",
                format!("The longest side and twice the other two are at most {max} mm together"),
            ),
            Sum::Sides(max) => {
                ("parcels.*", format!("Length, width and height are at most {max} mm together"))
            }
            Sum::Weight(max) => ("parcels", format!("All parcels together weigh at most {max} g")),
        };
        let said = format!("{said}. JSON Schema cannot add: the server checks this.");
        schema_at(path, Json::object([("description", said.into())]))
    }
}

fn parts(measured: &Json) -> Option<(i64, &str)> {
    match (measured.member("value")?, measured.member("unit")?) {
        (Json::Number(value), Json::Text(unit)) => Some((value.as_thousandths()?, unit)),
        _ => None,
    }
}

fn weight_of(measured: &Json) -> Option<Weight> {
    let (thousandths, unit) = parts(measured)?;
    Some(Weight { thousandths, unit: WeightUnit::parse(unit)? })
}

fn length_of(measured: &Json) -> Option<Length> {
    let (thousandths, unit) = parts(measured)?;
    Some(Length { thousandths, unit: LengthUnit::parse(unit)? })
}
