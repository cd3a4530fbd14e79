//! On which routes a product has an additional service: Bring's own table.

use waybill_domain::country::Country;

use super::services::Product;

/// Tells the receiver.
pub const NOTIFICATION: &str = "EVARSLING";
/// Leaves the parcel where nobody is.
pub const UNATTENDED: &str = "0041";
/// Somebody signs.
pub const SIGNATURE: &str = "1280";
/// What asks for proof of an age: at a door and in Norway, and at a point in Sweden.
pub const AGES: [&str; 2] = ["1082", "1229"];
/// Covers what is in it.
pub const INSURANCE: &str = "0068";
/// Collects money.
pub const CASH: &str = "1000";
/// Tells of a little of dangerous goods.
pub const LIMITED_QUANTITY: &str = "0003";

/// At which end of a border something is to be had.
#[derive(Clone, Copy)]
enum Countries {
    /// In all of them.
    All,
    /// In those that are insured.
    Insured,
    /// In these.
    These(&'static [&'static str]),
}

use Countries::{All, Insured, These};

impl Countries {
    fn have(self, country: Country) -> bool {
        match self {
            All => true,
            Insured => !UNINSURED.contains(&country.code()),
            These(codes) => codes.contains(&country.code()),
        }
    }
}

/// A product has an additional service within the first, and from the second to the third.
struct Row {
    service: &'static str,
    product: &'static str,
    within: &'static [&'static str],
    from: Countries,
    to: Countries,
}

const fn row(
    service: &'static str,
    product: &'static str,
    within: &'static [&'static str],
    from: Countries,
    to: Countries,
) -> Row {
    Row { service, product, within, from, to }
}

/// Within Norway, or nowhere else.
const fn norwegian(service: &'static str, product: &'static str) -> Row {
    row(service, product, &["NO"], NOWHERE, NOWHERE)
}

const NOWHERE: Countries = These(&[]);
const NORDIC: Countries = These(&["NO", "SE", "DK", "FI"]);
const BULK: Countries = These(&["NO", "SE", "DK", "FI", "DE", "EE", "FO", "GB", "IS", "NL"]);
const SIGNED: Countries = These(&["NO", "SE", "DK"]);
const FAR: Countries = These(&["NO", "SE", "DK", "FI", "AX", "FO", "GL", "IS"]);
/// Afghanistan, Algeria, Angola and so on.
const UNINSURED: &[&str] = &[
    "AF", "DZ", "AO", "BO", "BF", "BI", "CF", "CM", "TD", "CO", "CG", "CD", "CU", "ER", "ET", "GE",
    "GN", "IR", "IQ", "CI", "LB", "MR", "MM", "NE", "NG", "KP", "SO", "SY", "SD", "YE", "ZW",
];

const PICKUP: &str = "PICKUP_PARCEL";
const PICKUP_BULK: &str = "PICKUP_PARCEL_BULK";
const HOME: &str = "HOME_DELIVERY_PARCEL";
const BUSINESS: &str = "BUSINESS_PARCEL";
const BUSINESS_BULK: &str = "BUSINESS_PARCEL_BULK";
const PALLET: &str = "BUSINESS_PALLET";
const EXPRESS: &str = "EXPRESS_NORDIC_0900";
const EXPRESS_BULK: &str = "EXPRESS_NORDIC_0900_BULK";

const ROWS: &[Row] = &[
    row(NOTIFICATION, BUSINESS, &["SE", "DK", "FI"], NORDIC, NORDIC),
    row(NOTIFICATION, BUSINESS_BULK, &["SE", "DK", "FI"], All, NORDIC),
    row(NOTIFICATION, PICKUP, &["SE", "DK"], These(&["SE", "DK", "FI"]), NORDIC),
    row(NOTIFICATION, PICKUP_BULK, &["SE", "DK"], All, NORDIC),
    row(NOTIFICATION, HOME, &["SE", "DK", "FI"], All, NORDIC),
    row(NOTIFICATION, EXPRESS_BULK, &[], All, These(&["NO", "SE"])),
    row(NOTIFICATION, PALLET, &["SE", "DK", "FI"], All, NORDIC),
    row(NOTIFICATION, EXPRESS, &["SE"], NOWHERE, NOWHERE),
    row(UNATTENDED, HOME, &["SE", "DK", "FI"], All, NORDIC),
    norwegian(UNATTENDED, "5600"),
    row(SIGNATURE, BUSINESS, &["SE", "DK"], NORDIC, SIGNED),
    row(SIGNATURE, BUSINESS_BULK, &["SE"], All, SIGNED),
    row(SIGNATURE, EXPRESS_BULK, &[], All, These(&["NO", "SE"])),
    row(SIGNATURE, EXPRESS, &["SE"], NOWHERE, NOWHERE),
    row(SIGNATURE, HOME, &["SE", "DK"], All, SIGNED),
    norwegian(SIGNATURE, "5600"),
    norwegian(SIGNATURE, "5000"),
    norwegian(AGES[0], "5600"),
    norwegian(AGES[0], "5800"),
    row(AGES[0], HOME, &["SE"], All, These(&["SE"])),
    row(AGES[1], PICKUP, &["SE"], NOWHERE, NOWHERE),
    row(AGES[1], PICKUP_BULK, &["SE"], NOWHERE, NOWHERE),
    row(INSURANCE, BUSINESS, &["SE", "DK", "FI"], NORDIC, Insured),
    row(INSURANCE, BUSINESS_BULK, &["SE", "FI"], All, BULK),
    row(INSURANCE, EXPRESS, &["SE"], NOWHERE, NOWHERE),
    row(INSURANCE, EXPRESS_BULK, &[], All, These(&["NO", "SE"])),
    row(INSURANCE, PICKUP, &["SE", "DK"], These(&["SE", "DK", "FI"]), Insured),
    row(INSURANCE, PICKUP_BULK, &["SE", "DK"], All, BULK),
    row(INSURANCE, HOME, &["SE", "DK", "FI"], All, NORDIC),
    norwegian(CASH, "5800"),
    row(CASH, PICKUP_BULK, &[], All, These(&["NO"])),
    row(LIMITED_QUANTITY, BUSINESS, &["SE", "DK", "FI"], NORDIC, FAR),
    row(LIMITED_QUANTITY, "BUSINESS_PARCEL_RETURN", &["SE", "DK", "FI"], NORDIC, NORDIC),
    row(LIMITED_QUANTITY, "PICKUP_PARCEL_RETURN", &["SE", "DK", "FI"], NORDIC, NORDIC),
    row(
        LIMITED_QUANTITY,
        BUSINESS_BULK,
        &["SE", "FI"],
        All,
        These(&["NO", "SE", "DK", "FI", "FO", "IS"]),
    ),
    row(LIMITED_QUANTITY, PALLET, &["SE", "DK", "FI"], All, FAR),
    row(LIMITED_QUANTITY, PICKUP, &["SE", "DK"], NORDIC, NORDIC),
    row(LIMITED_QUANTITY, PICKUP_BULK, &["SE", "DK"], All, NORDIC),
    row(LIMITED_QUANTITY, HOME, &["SE", "DK", "FI"], All, NORDIC),
];

/// What does not go together with a parcel that is left where nobody is.
pub const NOT_UNATTENDED: [&str; 4] = [SIGNATURE, AGES[0], CASH, LIMITED_QUANTITY];

/// Whether a product has an additional service on its route.
pub fn is_offered(service: &str, product: &Product) -> bool {
    let mut rows = ROWS.iter().filter(|row| row.service == service && row.product == product.id);
    rows.any(|row| match product.from == product.to {
        true => row.within.contains(&product.from.code()),
        false => row.from.have(product.from) && row.to.have(product.to),
    })
}

/// What asks for proof of an age, where that is to be had.
pub fn age(product: &Product) -> Option<&'static str> {
    AGES.into_iter().find(|service| is_offered(service, product))
}

#[cfg(test)]
mod tests {
    use super::super::services::product;
    use super::*;
    use crate::ends::Ends;

    fn at(service: &str, from: &str, to: &str) -> Product {
        let party = |code: &str| {
            let mut party = waybill_domain::party::Party::default();
            party.address.country = Country::parse(code).unwrap();
            party
        };
        let ends = Ends { sender: party(from), receiver: party(to) };
        product(&format!("bring:{service}"), &ends).unwrap()
    }

    #[test]
    fn an_additional_service_is_to_be_had_where_brings_table_says_so() {
        for (id, service, from, to, is_offered) in [
            (NOTIFICATION, "pickup_parcel", "SE", "NO", true),
            (NOTIFICATION, "pickup_parcel", "NO", "SE", false),
            (NOTIFICATION, "pickup_parcel", "SE", "DE", false),
            (NOTIFICATION, "pickup_parcel_return", "SE", "SE", false),
            (NOTIFICATION, "business_parcel_return", "SE", "NO", false),
            (NOTIFICATION, "business_parcel", "FI", "FI", true),
            (UNATTENDED, "home_delivery_parcel", "FI", "SE", true),
            (UNATTENDED, "home_delivery_parcel", "NO", "NO", true),
            (UNATTENDED, "home_mailbox_parcel", "NO", "NO", false),
            (SIGNATURE, "home_delivery_parcel", "SE", "SE", true),
            (SIGNATURE, "business_parcel", "FI", "FI", false),
            (SIGNATURE, "business_parcel_bulk", "SE", "FI", false),
            (SIGNATURE, "business_parcel_bulk", "DK", "DK", false),
            (SIGNATURE, "business_parcel", "NO", "NO", true),
            (SIGNATURE, "express_nordic_0900", "NO", "NO", false),
            (INSURANCE, "pickup_parcel", "SE", "DE", true),
            (INSURANCE, "pickup_parcel", "SE", "IR", false),
            (INSURANCE, "pickup_parcel", "NO", "SE", false),
            (INSURANCE, "business_parcel", "NO", "NO", false),
            (INSURANCE, "business_parcel_bulk", "DK", "DK", false),
            (CASH, "pickup_parcel", "NO", "NO", true),
            (CASH, "pickup_parcel_bulk", "SE", "NO", true),
            (CASH, "pickup_parcel_bulk", "SE", "SE", false),
            (LIMITED_QUANTITY, "business_parcel", "SE", "IS", true),
            (LIMITED_QUANTITY, "business_parcel", "SE", "DE", false),
            (LIMITED_QUANTITY, "pickup_parcel", "NO", "NO", false),
            (LIMITED_QUANTITY, "pickup_parcel_return", "NO", "NO", false),
        ] {
            let product = at(service, from, to);
            assert_eq!(super::is_offered(id, &product), is_offered, "{id} {service} {from} {to}");
        }
    }

    #[test]
    fn an_age_is_proven_in_another_way_at_a_point_in_sweden() {
        for (service, from, to, wanted) in [
            ("pickup_parcel", "NO", "NO", Some("1082")),
            ("pickup_parcel", "SE", "SE", Some("1229")),
            ("pickup_parcel_bulk", "SE", "SE", Some("1229")),
            ("pickup_parcel", "SE", "NO", None),
            ("pickup_parcel", "DK", "DK", None),
            ("home_delivery_parcel", "NO", "NO", Some("1082")),
            ("home_delivery_parcel", "SE", "SE", Some("1082")),
            ("home_delivery_parcel", "DK", "DK", None),
        ] {
            assert_eq!(age(&at(service, from, to)), wanted, "{service} {from} {to}");
        }
    }
}
