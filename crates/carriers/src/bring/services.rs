//! Which product of Bring a service is: within Norway it is another one than elsewhere.

use waybill_domain::country::Country;

use crate::ends::Ends;

/// A row of the table.
struct Row {
    service: &'static str,
    within_norway: Option<&'static str>,
    elsewhere: Option<&'static str>,
}

impl Row {
    const fn new(
        service: &'static str,
        within_norway: Option<&'static str>,
        elsewhere: Option<&'static str>,
    ) -> Row {
        Row { service, within_norway, elsewhere }
    }
}

const EXPRESS_WITHIN_SWEDEN: &str = "EXPRESS_NORDIC_0900";
const EXPRESS_ACROSS: &str = "EXPRESS_NORDIC_0900_BULK";

const ROWS: &[Row] = &[
    Row::new("bring:pickup_parcel", Some("5800"), Some("PICKUP_PARCEL")),
    Row::new("bring:pickup_parcel_bulk", None, Some("PICKUP_PARCEL_BULK")),
    Row::new("bring:home_delivery_parcel", Some("5600"), Some("HOME_DELIVERY_PARCEL")),
    Row::new("bring:home_mailbox_parcel", Some(MAILBOX), None),
    Row::new("bring:business_parcel", Some("5000"), Some("BUSINESS_PARCEL")),
    Row::new("bring:business_parcel_bulk", None, Some("BUSINESS_PARCEL_BULK")),
    Row::new("bring:business_pallet", None, Some("BUSINESS_PALLET")),
    Row::new("bring:express_nordic_0900", Some("4850"), Some(EXPRESS_ACROSS)),
    Row::new("bring:pickup_parcel_return", Some("9300"), Some("PICKUP_PARCEL_RETURN")),
    Row::new("bring:business_parcel_return", Some("9000"), Some("BUSINESS_PARCEL_RETURN")),
];

/// How the products end that travel with others.
const BULK: &str = "_BULK";
/// A parcel that goes into a mailbox.
const MAILBOX: &str = "3584";
/// With the number of the Norwegian tax that the customer has paid, these go to Norway.
const TAXED: [&str; 4] = ["PICKUP_PARCEL", "PICKUP_PARCEL_BULK", "HOME_DELIVERY_PARCEL", MAILBOX];

/// The services that bring parcels to a point.
const PICKUPS: [&str; 2] = ["bring:pickup_parcel", "bring:pickup_parcel_bulk"];

/// A product of Bring, on a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// What it is called in a request.
    pub id: &'static str,
    /// Whether it is one of those within Norway.
    pub is_norwegian: bool,
    /// Where it starts.
    pub from: Country,
    /// Where it ends.
    pub to: Country,
    /// Whether the receiver fetches it from a point.
    pub is_pickup: bool,
    /// Whether it travels with others under one number.
    pub is_bulk: bool,
    /// Whether it travels to the merchant.
    pub is_return: bool,
}

impl Product {
    /// Whether the sender must have a phone.
    pub fn needs_phone(&self) -> bool {
        self.id != MAILBOX && !self.is_return
    }

    /// Whether customs in Norway take the number of a tax that is paid already.
    pub fn may_be_taxed(&self) -> bool {
        TAXED.contains(&self.id)
    }
}

/// Whether a service brings parcels back.
pub fn is_return(service: &str) -> bool {
    service.ends_with("_return")
}

/// The product of a service between these ends; nothing when there is none.
pub fn product(service: &str, ends: &Ends) -> Option<Product> {
    let row = ROWS.iter().find(|row| row.service == service)?;
    let is_norwegian = ends.are_within("NO");
    let id = match is_norwegian {
        true => row.within_norway?,
        false => match row.elsewhere? {
            EXPRESS_ACROSS if ends.are_within("SE") => EXPRESS_WITHIN_SWEDEN,
            id => id,
        },
    };
    Some(Product {
        id,
        is_norwegian,
        from: ends.sender.address.country,
        to: ends.receiver.address.country,
        is_pickup: PICKUPS.contains(&service),
        is_bulk: id.ends_with(BULK),
        is_return: is_return(service),
    })
}

#[cfg(test)]
mod tests {
    use waybill_domain::party::Party;

    use super::*;

    fn ends(from: &str, to: &str) -> Ends {
        let party = |code| {
            let mut party = Party::default();
            party.address.country = Country::parse(code).unwrap();
            party
        };
        Ends { sender: party(from), receiver: party(to) }
    }

    #[test]
    fn every_service_has_its_product_within_norway_and_elsewhere() {
        for (service, norwegian, other) in [
            ("pickup_parcel", Some("5800"), Some("PICKUP_PARCEL")),
            ("pickup_parcel_bulk", None, Some("PICKUP_PARCEL_BULK")),
            ("home_delivery_parcel", Some("5600"), Some("HOME_DELIVERY_PARCEL")),
            ("home_mailbox_parcel", Some("3584"), None),
            ("business_parcel", Some("5000"), Some("BUSINESS_PARCEL")),
            ("business_parcel_bulk", None, Some("BUSINESS_PARCEL_BULK")),
            ("business_pallet", None, Some("BUSINESS_PALLET")),
            ("express_nordic_0900", Some("4850"), Some("EXPRESS_NORDIC_0900_BULK")),
            ("pickup_parcel_return", Some("9300"), Some("PICKUP_PARCEL_RETURN")),
            ("business_parcel_return", Some("9000"), Some("BUSINESS_PARCEL_RETURN")),
            ("rocket", None, None),
        ] {
            let id = |from, to| product(&format!("bring:{service}"), &ends(from, to));
            assert_eq!(id("NO", "NO").map(|it| it.id), norwegian, "{service}");
            assert_eq!(id("SE", "NO").map(|it| it.id), other, "{service}");
        }
        let express = product("bring:express_nordic_0900", &ends("SE", "SE"));
        assert_eq!(express.map(|it| it.id), Some("EXPRESS_NORDIC_0900"));
    }

    #[test]
    fn what_travels_with_others_is_known_by_its_product() {
        for (service, from, to, is_bulk) in [
            ("pickup_parcel_bulk", "SE", "NO", true),
            ("business_parcel_bulk", "SE", "SE", true),
            ("express_nordic_0900", "SE", "NO", true),
            ("express_nordic_0900", "SE", "SE", false),
            ("express_nordic_0900", "NO", "NO", false),
            ("business_pallet", "SE", "NO", false),
        ] {
            let product = product(&format!("bring:{service}"), &ends(from, to)).unwrap();
            assert_eq!(product.is_bulk, is_bulk, "{service} {from} {to}");
        }
    }
}
