//! What customs are told through Bring: of parcels from Norway, and of parcels to Norway whose tax
//! the customer has paid already. Bring takes nothing else.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Money, Weight, WeightUnit};
use waybill_domain::parcel::Item;
use waybill_domain::shipment::Order;
use waybill_domain::words::Message;

use super::account::Options;
use super::services::Product;
use super::uncertain::customs as names;
use crate::ends::{Ends, undescribed};
use crate::members::object;
use crate::texts::cut;

/// Why goods are sent, and what Bring calls it.
const NATURES: &[(&str, &str)] = &[
    ("commercial_goods", SALE),
    ("commercial_sample", "COMMERCIAL_SAMPLE"),
    ("gift", "GIFT"),
    ("documents", "DOCUMENTS"),
    ("returned_goods", "RETURNED_GOODS"),
    ("other", "OTHER"),
];
const SALE: &str = "SALE_OF_GOODS";

/// What customs are told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration<'a> {
    nature: &'static str,
    ioss: Option<&'a str>,
    voec: Option<&'a str>,
}

/// What is told of an order, when Bring takes anything.
pub fn declaration<'a>(
    order: &'a Order,
    ends: &Ends,
    product: &Product,
    is_declared: bool,
) -> Option<Declaration<'a>> {
    let number = |kind| {
        let mut numbers = order.merchant.iter().flat_map(|merchant| merchant.numbers());
        numbers.find(|(it, _)| *it == kind).map(|(_, number)| number)
    };
    let (from, to) = (ends.sender.address.country.code(), ends.receiver.address.country.code());
    let content = order.customs.as_ref().and_then(|customs| customs.content_type.as_deref());
    let nature = NATURES.iter().find(|(ours, _)| Some(*ours) == content);
    let nature = nature.map_or("OTHER", |(_, theirs)| *theirs);
    let is_sale = nature == SALE;
    let sold = |kind| number(kind).filter(|_| is_sale);
    match (from, to) {
        _ if !is_declared => None,
        (_, "NO") => {
            let voec = sold("voec").filter(|_| product.may_be_taxed())?;
            Some(Declaration { nature, ioss: None, voec: Some(voec) })
        }
        ("NO", _) => Some(Declaration { nature, ioss: sold("ioss"), voec: None }),
        _ => None,
    }
}

impl Declaration<'_> {
    /// Whether it takes the place of the sender's reference.
    pub fn excludes_reference(&self) -> bool {
        self.ioss.is_some()
    }

    /// Whether it travels under the number of a shipment with others.
    pub fn is_consolidated(&self) -> bool {
        self.voec.is_some()
    }

    /// What is wrong with it, for this account.
    pub fn problems(&self, order: &Order, options: Options<'_>) -> FieldErrors {
        let mut errors = undescribed(order);
        if self.is_consolidated() && options.consolidated_shipment_id().is_none() {
            let message = Message::new("account-option-missing");
            let message = message.text("option", "consolidated_shipment_id");
            errors.add("parties.merchant.identifiers.voec", message);
        }
        errors
    }

    /// As it stands in a product.
    pub fn written(&self, order: &Order) -> Json {
        let items = order.parcels.iter().flat_map(|parcel| &parcel.items);
        object([
            (names::CONSENT, true.into()),
            (names::NATURE, self.nature.into()),
            ("ioss", self.ioss.into()),
            ("voec", self.voec.into()),
            (names::LINES, Json::list(items.map(line))),
        ])
    }
}

fn line(item: &Item) -> Json {
    let weight = item.net_weight.and_then(|weight| weight.times(item.quantity));
    let kilograms = |weight: Weight| weight.in_unit(WeightUnit::Kilogram, 3).number();
    let amount = item.unit_price.and_then(|price: Money| price.times(item.quantity));
    object([
        (names::QUANTITY, item.quantity.into()),
        (names::DESCRIPTION, item.description.as_deref().map(|it| cut(it, 35)).into()),
        (names::ARTICLE, item.hs_code.as_deref().into()),
        (names::NET_WEIGHT, weight.map_or(Json::Null, |it| Json::Number(kilograms(it)))),
        (names::AMOUNT, amount.map_or(Json::Null, |it| Json::Number(it.decimal().number()))),
        (names::CURRENCY, item.unit_price.map(|price| price.currency.code()).into()),
        (names::ORIGIN, item.country_of_origin.map(Json::text).unwrap_or(Json::Null)),
    ])
}
