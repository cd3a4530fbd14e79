//! Measures and amounts as carriers want them: in one unit, with so many decimals. A measure is
//! rounded up once, from its exact value and never by way of whole grams or millimetres, so 2 lb
//! stays 2 and 12 in stays 12.

use std::fmt;

use super::{Length, LengthUnit, Money, Weight, WeightUnit};
use crate::json::Number;

/// An exact decimal number that is not negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// How many of the smallest step.
    steps: i128,
    /// How many decimals a step has: two make it a hundredth.
    decimals: u32,
}

impl Decimal {
    /// So many times `unit` goes into `amount`, rounded up to a number with these decimals.
    fn quotient(amount: i128, unit: i128, decimals: u32) -> Decimal {
        let scaled = amount * 10_i128.pow(decimals);
        Decimal { steps: (scaled + unit - 1) / unit, decimals }
    }

    /// The same rounded half up, and never to nothing.
    fn nearest(amount: i128, unit: i128, decimals: u32) -> Decimal {
        let scaled = amount * 10_i128.pow(decimals);
        Decimal { steps: ((2 * scaled + unit) / (2 * unit)).max(1), decimals }
    }

    /// As a JSON number, with as few decimals as it needs: `129.5`.
    pub fn number(self) -> Number {
        Number::from_steps(self.steps, self.decimals)
    }

    /// As text with all of its decimals: `129.50`.
    pub fn fixed(self) -> String {
        let digits = usize::try_from(self.decimals).unwrap_or_default();
        let parts = 10_i128.pow(self.decimals);
        match digits {
            0 => self.steps.to_string(),
            _ => format!("{}.{:0digits$}", self.steps / parts, self.steps % parts),
        }
    }

    /// As an integer, when it is one.
    pub fn whole(self) -> Option<i64> {
        let parts = 10_i128.pow(self.decimals);
        (self.steps % parts == 0).then(|| i64::try_from(self.steps / parts).ok()).flatten()
    }
}

impl fmt::Display for Decimal {
    /// With as few decimals as it needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Weight {
    /// In another unit, rounded up to so many decimals.
    pub fn in_unit(self, unit: WeightUnit, decimals: u32) -> Decimal {
        Weight::total([self], unit, decimals)
    }

    /// In another unit, rounded half up to so many decimals, and never to nothing.
    pub fn nearest_in_unit(self, unit: WeightUnit, decimals: u32) -> Decimal {
        Decimal::nearest(self.picograms(), unit.picograms() * 1000, decimals)
    }

    /// A weight in another unit, rounded like that to three decimals.
    #[must_use]
    pub fn converted(self, unit: WeightUnit) -> Weight {
        let steps = self.nearest_in_unit(unit, 3).steps;
        Weight { thousandths: i64::try_from(steps).unwrap_or(i64::MAX), unit }
    }

    /// Of all together, rounded up once.
    pub fn total(
        all: impl IntoIterator<Item = Weight>,
        unit: WeightUnit,
        decimals: u32,
    ) -> Decimal {
        let picograms = all.into_iter().map(Weight::picograms).sum();
        Decimal::quotient(picograms, unit.picograms() * 1000, decimals)
    }

    /// Of all together, each rounded up before: what the parts of a message add up to.
    pub fn total_of_rounded(
        all: impl IntoIterator<Item = Weight>,
        unit: WeightUnit,
        decimals: u32,
    ) -> Decimal {
        let steps = all.into_iter().map(|weight| weight.in_unit(unit, decimals).steps).sum();
        Decimal { steps, decimals }
    }

    /// Of so many pieces.
    pub fn times(self, quantity: i64) -> Option<Weight> {
        Some(Weight { thousandths: self.thousandths.checked_mul(quantity)?, ..self })
    }
}

impl Length {
    /// In another unit, rounded up to so many decimals.
    pub fn in_unit(self, unit: LengthUnit, decimals: u32) -> Decimal {
        Decimal::quotient(self.nanometres(), unit.nanometres() * 1000, decimals)
    }

    /// In another unit, rounded half up to so many decimals, and never to nothing.
    pub fn nearest_in_unit(self, unit: LengthUnit, decimals: u32) -> Decimal {
        Decimal::nearest(self.nanometres(), unit.nanometres() * 1000, decimals)
    }
}

impl Money {
    /// In the major unit, with the decimals that the currency has: 12950 øre are 129.50 kroner.
    pub fn decimal(self) -> Decimal {
        Decimal { steps: self.minor.into(), decimals: self.currency.decimals().into() }
    }

    /// Of so many pieces.
    pub fn times(self, quantity: i64) -> Option<Money> {
        Some(Money { minor: self.minor.checked_mul(quantity)?, ..self })
    }

    /// In so many even parts of the minor unit; what is left over goes with the first.
    pub fn split(self, parts: usize) -> Vec<Money> {
        let Ok(count) = i64::try_from(parts) else { return Vec::new() };
        let share = |index| {
            let rest = if index == 0 { self.minor % count } else { 0 };
            Money { minor: self.minor / count + rest, ..self }
        };
        (0..count).map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measure::Currency;
    use crate::parcel::Parcel;

    const WEIGHTS: [WeightUnit; 4] =
        [WeightUnit::Gram, WeightUnit::Kilogram, WeightUnit::Pound, WeightUnit::Ounce];
    const LENGTHS: [LengthUnit; 3] =
        [LengthUnit::Millimetre, LengthUnit::Centimetre, LengthUnit::Inch];

    fn weight(thousandths: i64, unit: WeightUnit) -> Weight {
        Weight { thousandths, unit }
    }

    fn length(thousandths: i64, unit: LengthUnit) -> Length {
        Length { thousandths, unit }
    }

    fn money(minor: i64, code: &str) -> Money {
        Money { minor, currency: Currency::parse(code).unwrap() }
    }

    #[test]
    fn a_measure_in_its_own_unit_stays_as_it_is() {
        assert_eq!(weight(2000, WeightUnit::Pound).in_unit(WeightUnit::Pound, 1).to_string(), "2");
        assert_eq!(length(12_000, LengthUnit::Inch).in_unit(LengthUnit::Inch, 0).to_string(), "12");
        assert_eq!(length(12_000, LengthUnit::Inch).in_unit(LengthUnit::Inch, 0).whole(), Some(12));
    }

    #[test]
    fn a_measure_in_another_unit_is_rounded_up_to_the_step() {
        let pounds = |grams, decimals| {
            weight(grams, WeightUnit::Gram).in_unit(WeightUnit::Pound, decimals).to_string()
        };
        assert_eq!(pounds(453_592, 1), "1");
        assert_eq!(pounds(453_593, 1), "1.1");
        assert_eq!(pounds(453_593, 4), "1.0001");
        assert_eq!(pounds(1_000_000, 4), "2.2047");
        let kilograms = |thousandths, decimals| {
            weight(thousandths, WeightUnit::Pound).in_unit(WeightUnit::Kilogram, decimals)
        };
        assert_eq!(kilograms(1000, 3).to_string(), "0.454");
        assert_eq!(kilograms(1000, 2).to_string(), "0.46");
        assert_eq!(kilograms(1000, 2).fixed(), "0.46");
        assert_eq!(weight(1500, WeightUnit::Gram).in_unit(WeightUnit::Gram, 0).whole(), Some(2));
        let inches = length(300_000, LengthUnit::Millimetre).in_unit(LengthUnit::Inch, 2);
        assert_eq!(inches.to_string(), "11.82");
        let centimetres = length(12_000, LengthUnit::Inch).in_unit(LengthUnit::Centimetre, 0);
        assert_eq!((centimetres.to_string(), centimetres.whole()), ("31".to_owned(), Some(31)));
    }

    #[test]
    fn a_total_is_rounded_once() {
        let parcels = [weight(400, WeightUnit::Gram); 3];
        assert_eq!(Weight::total(parcels, WeightUnit::Gram, 0).whole(), Some(2));
        assert_eq!(Weight::total([], WeightUnit::Gram, 0).whole(), Some(0));
        assert_eq!(weight(400, WeightUnit::Gram).times(3), Some(weight(1200, WeightUnit::Gram)));
        assert_eq!(weight(i64::MAX, WeightUnit::Gram).times(2), None);
    }

    #[test]
    fn an_amount_has_the_decimals_of_its_currency() {
        let said = |minor, code| {
            let decimal = money(minor, code).decimal();
            (decimal.to_string(), decimal.fixed())
        };
        let pair = |number: &str, fixed: &str| (number.to_owned(), fixed.to_owned());
        assert_eq!(said(12_950, "SEK"), pair("129.5", "129.50"));
        assert_eq!(said(12_950, "JPY"), pair("12950", "12950"));
        assert_eq!(said(12_950, "KWD"), pair("12.95", "12.950"));
        assert_eq!(said(5, "USD"), pair("0.05", "0.05"));
        assert_eq!(said(0, "USD"), pair("0", "0.00"));
    }

    #[test]
    fn what_cannot_be_split_evenly_goes_with_the_first() {
        let minor = |amount: i64, parts| {
            money(amount, "EUR").split(parts).iter().map(|part| part.minor).collect::<Vec<_>>()
        };
        assert_eq!(minor(1000, 3), [334, 333, 333]);
        assert_eq!(minor(1001, 3), [335, 333, 333]);
        assert_eq!(minor(2, 3), [2, 0, 0]);
        assert_eq!(minor(2, 0), [0; 0]);
        assert_eq!(money(7, "EUR").times(3), Some(money(21, "EUR")));
    }

    #[test]
    fn sides_are_told_from_the_longest_to_the_shortest() {
        let side = |thousandths| Some(length(thousandths, LengthUnit::Inch));
        let (length, width, height) = (side(2000), side(12_000), side(5000));
        let parcel = Parcel { length, width, height, ..Parcel::default() };
        let sides = parcel.sides().unwrap().map(|side| side.in_unit(LengthUnit::Inch, 0).whole());
        assert_eq!(sides, [Some(12), Some(5), Some(2)]);
        assert_eq!(Parcel { width: None, ..parcel }.sides(), None);
    }

    proptest! {
        // One step less would be too little, and the number says exactly the steps.
        #[test]
        fn what_is_told_is_the_least_that_is_enough(
            thousandths in 1..1_000_000_000_000_i64,
            (from, to) in (0..4_usize, 0..4_usize),
            decimals in 0..5_u32,
        ) {
            let (weight, unit) = (weight(thousandths, WEIGHTS[from]), WEIGHTS[to]);
            let told = weight.in_unit(unit, decimals);
            let scale = 10_i128.pow(decimals);
            let wanted = weight.picograms() * scale;
            let enough = |steps: i128| steps * unit.picograms() * 1000 >= wanted;
            prop_assert!(enough(told.steps) && !enough(told.steps - 1));
            let (from, to) = (LENGTHS[from % 3], LENGTHS[to % 3]);
            let length = length(thousandths, from);
            let told = length.in_unit(to, decimals);
            let wanted = length.nanometres() * scale;
            let enough = |steps: i128| steps * to.nanometres() * 1000 >= wanted;
            prop_assert!(enough(told.steps) && !enough(told.steps - 1));
        }

        #[test]
        fn with_three_decimals_a_measure_keeps_its_value_in_its_own_unit(
            thousandths in 1..1_000_000_000_000_i64,
            index in 0..4_usize,
        ) {
            let number = Number::from_thousandths(thousandths).to_string();
            let unit = WEIGHTS[index];
            prop_assert_eq!(&weight(thousandths, unit).in_unit(unit, 3).to_string(), &number);
            let unit = LENGTHS[index % 3];
            prop_assert_eq!(&length(thousandths, unit).in_unit(unit, 4).to_string(), &number);
        }

        #[test]
        fn the_parts_of_an_amount_are_the_whole_and_differ_by_the_rest_alone(
            minor in 0..=super::super::MINOR_MAX,
            parts in 1..100_usize,
        ) {
            let split = money(minor, "EUR").split(parts);
            prop_assert_eq!(split.len(), parts);
            prop_assert_eq!(split.iter().map(|part| part.minor).sum::<i64>(), minor);
            let rest = split[0].minor - split[parts - 1].minor;
            prop_assert!(usize::try_from(rest).unwrap() < parts);
            prop_assert!(split[1..].iter().all(|part| *part == split[parts - 1]));
        }
    }
}
