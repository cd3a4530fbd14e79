//! Units and currencies. A value without its unit means nothing, and no default ever supplies one.

use iso_currency::Currency as Iso;

macro_rules! units {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// Every spelling there is.
            pub const NAMES: &[&str] = &[$($text),*];

            /// The spelling in the API.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Reads the exact spelling.
            pub fn parse(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    )*};
}

units! {
    /// A unit of weight.
    WeightUnit { Gram = "g", Kilogram = "kg", Pound = "lb", Ounce = "oz", }
    /// A unit of length.
    LengthUnit { Millimetre = "mm", Centimetre = "cm", Inch = "in", }
}

/// An ISO 4217 currency code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Currency(Iso);

impl Currency {
    /// Reads the code: three capital letters that ISO 4217 lists.
    pub fn parse(code: &str) -> Option<Currency> {
        let is_plain = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_plain { Iso::from_code(code).map(Currency) } else { None }
    }

    /// The code.
    pub fn code(self) -> &'static str {
        self.0.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_currencies_are_read_exactly() {
        assert_eq!(WeightUnit::parse("kg"), Some(WeightUnit::Kilogram));
        assert_eq!(WeightUnit::parse("KG"), None);
        assert_eq!(LengthUnit::NAMES, ["mm", "cm", "in"]);
        assert_eq!(Currency::parse("DKK").unwrap().code(), "DKK");
        assert_eq!(Currency::parse("dkk"), None);
        assert_eq!(Currency::parse("DKR"), None);
    }
}
