//! Orders that are made up to ask for a price: one parcel, from door to door within a country.

use waybill_domain::country::Country;
use waybill_domain::json::{Json, parse};
use waybill_domain::shipment::Order;

/// Country, postal code, city, street, and a phone.
const PLACES: &[[&str; 5]] = &[
    ["DK", "2300", "København S", "Islands Brygge 39", "+4530274735"],
    ["SE", "11122", "Stockholm", "Sveavägen 1", "+46701234567"],
    ["NO", "0150", "Oslo", "Storgata 1", "+4740612345"],
    ["FI", "00100", "Helsinki", "Mannerheimintie 1", "+358401234567"],
    ["DE", "10115", "Berlin", "Chausseestraße 1", "+4915112345678"],
];

const PARCEL: &str = r#"{"description": "Books", "gross_weight": {"value": 1200, "unit": "g"},
    "length": {"value": 30, "unit": "cm"}, "width": {"value": 20, "unit": "cm"},
    "height": {"value": 10, "unit": "cm"}}"#;

/// Whether there is an order within this country.
pub fn is_known(country: Country) -> bool {
    PLACES.iter().any(|[code, ..]| *code == country.code())
}

/// An order of this service within a country.
pub fn order(service: &str, country: Country) -> Option<Order> {
    let [code, postal_code, city, street, phone] =
        PLACES.iter().find(|[code, ..]| *code == country.code())?;
    let party = Json::object([
        (
            "contact",
            Json::object([
                ("name", "Waybill".into()),
                ("email", "test@waybill.example".into()),
                ("phone", (*phone).into()),
            ]),
        ),
        (
            "address",
            Json::object([
                ("address_lines", Json::list([(*street).into()])),
                ("postal_code", (*postal_code).into()),
                ("city", (*city).into()),
                ("country", (*code).into()),
            ]),
        ),
    ]);
    let parcel = parse(PARCEL.as_bytes()).ok()?;
    Order::stored(&Json::object([
        ("reference", "PRICE".into()),
        ("parties", Json::object([("merchant", party.clone()), ("customer", party)])),
        ("delivery", Json::object([("service_code", service.into())])),
        ("parcels", Json::list([parcel])),
    ]))
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_has_an_order_of_one_parcel() {
        for [code, ..] in PLACES {
            let country = Country::parse(code).unwrap();
            let order = order("bring:home", country).unwrap();
            assert!(is_known(country) && order.parcels.len() == 1, "{code}");
            assert_eq!(order.customer.address.country, country);
        }
    }
}
