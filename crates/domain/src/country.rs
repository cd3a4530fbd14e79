//! The countries of ISO 3166-1 by their two letters.

use std::fmt;

/// A country that exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Country([u8; 2]);

impl Country {
    /// Stands where a country could not be read. ISO 3166-1 never assigns it.
    pub const UNKNOWN: Country = Country(*b"ZZ");

    /// Reads two capital letters that ISO 3166-1 assigns.
    pub fn parse(code: &str) -> Option<Country> {
        let letters: [u8; 2] = code.as_bytes().try_into().ok()?;
        let (codes, _) = CODES.as_bytes().as_chunks::<3>();
        let found = codes.binary_search_by(|known| known[..2].cmp(&letters));
        found.is_ok().then_some(Country(letters))
    }

    /// Every country, in the order of the codes.
    pub fn all() -> impl Iterator<Item = Country> {
        CODES.split_terminator(' ').filter_map(Country::parse)
    }

    /// The two letters.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// In order, and three bytes each, so that they are found by halving.
const CODES: &str = "\
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS \
BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE \
EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM \
HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC \
LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA \
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO \
TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_two_capital_letters_that_are_assigned() {
        assert_eq!(Country::parse("DK").unwrap().to_string(), "DK");
        for bad in ["dk", "AA", "DNK", "D", "", "UK", "EU", "Æ"] {
            assert_eq!(Country::parse(bad), None, "{bad}");
        }
        assert_eq!(CODES.split_terminator(' ').count(), 249);
        assert_eq!(Country::all().count(), 249);
    }
}
