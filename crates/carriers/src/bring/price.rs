//! Prices of the shipping guide.

use jiff::civil::DateTime;
use waybill_domain::json::{Json, Number, parse};
use waybill_domain::measure::{Currency, Length, LengthUnit, Money, Weight};
use waybill_domain::parcel::Parcel;
use waybill_domain::shipment::Order;
use waybill_outbound::line::Response;

use super::account::Options;
use super::services::{is_return, product};
use crate::CarrierError;
use crate::answers::unexpected;
use crate::ends::Ends;
use crate::members::{body, list, object, text, within};
use crate::texts::postal_code;

/// Where the shipping guide is.
pub const PATH: &str = "/shippingguide/api/v2/products";

/// What the guide is asked. Nothing when there is no such product on the route.
pub fn question(order: &Order, options: Options<'_>, shown: DateTime) -> Option<Json> {
    let service = order.delivery.service_code.as_str();
    let ends = Ends::of(order, is_return(service)).ok()?;
    let product = product(service, &ends)?;
    let number = options.customer_number(product.is_norwegian);
    let asked = object([("id", product.id.into()), ("customerNumber", number.into())]);
    let (from, to) = (&ends.sender.address, &ends.receiver.address);
    let parcels = order.parcels.iter().enumerate().map(|(place, it)| package(place, it));
    let consignment = object([
        ("id", "1".into()),
        ("products", Json::list([asked])),
        ("fromCountryCode", from.country.code().into()),
        ("fromPostalCode", postal_code(from).into()),
        ("toCountryCode", to.country.code().into()),
        ("toPostalCode", postal_code(to).into()),
        ("shippingDate", date(shown)),
        ("packages", Json::list(parcels)),
    ]);
    Some(object([
        ("withPrice", true.into()),
        ("edi", true.into()),
        ("language", "en".into()),
        ("consignments", Json::list([consignment])),
    ]))
}

fn date(shown: DateTime) -> Json {
    object([
        ("year", shown.year().to_string().into()),
        ("month", shown.month().to_string().into()),
        ("day", shown.day().to_string().into()),
        ("hour", shown.hour().to_string().into()),
        ("minute", shown.minute().to_string().into()),
    ])
}

fn package(place: usize, parcel: &Parcel) -> Json {
    let whole = |side: Option<Length>| {
        side.and_then(|side| side.in_unit(LengthUnit::Centimetre, 0).whole()).into()
    };
    object([
        ("id", (place + 1).to_string().into()),
        ("length", whole(parcel.length)),
        ("width", whole(parcel.width)),
        ("height", whole(parcel.height)),
        ("grossWeight", parcel.gross_weight.map(Weight::grams).into()),
    ])
}

/// The price in an answer: that of the agreement, else the list's, without tax. Nothing when the
/// guide has none.
pub fn price(response: &Response) -> Result<Option<Money>, CarrierError> {
    if response.status.as_u16() != 200 {
        return Err(unexpected(response));
    }
    let body = body(response);
    let consignment = list(&body, "consignments").first();
    let consignment = consignment.ok_or(CarrierError::Unreadable("a price"))?;
    let product = list(consignment, "products").first();
    let prices = product.and_then(|product| product.member("price"));
    let named = |name| prices.and_then(|prices| prices.member(name)).and_then(amount);
    Ok(named("netPrice").or_else(|| named("listPrice")))
}

fn amount(price: &Json) -> Option<Money> {
    let currency = Currency::parse(text(price, "currencyCode")?)?;
    let told = within(price, &["priceWithAdditionalServices", "amountWithoutVAT"])?;
    let number = match told {
        Json::Text(told) => match parse(told.trim().as_bytes()) {
            Ok(Json::Number(number)) => number,
            _ => return None,
        },
        Json::Number(number) => number.clone(),
        _ => return None,
    };
    minor(&number, currency).map(|minor| Money { minor, currency })
}

/// In the minor unit, rounded up.
fn minor(number: &Number, currency: Currency) -> Option<i64> {
    let thousandths = number.as_thousandths().filter(|it| *it >= 0)?;
    let step = 10_i64.checked_pow(3_u32.checked_sub(currency.decimals().into())?)?;
    Some(thousandths.checked_add(step - 1)? / step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_told_as_text_in_the_major_unit() {
        let read = |code: &str, told: &str| {
            let price = format!(
                r#"{{"currencyCode":"{code}","priceWithAdditionalServices":{{
                "amountWithoutVAT":{told}}}}}"#
            );
            amount(&parse(price.as_bytes()).unwrap()).map(|money| money.minor)
        };
        assert_eq!(read("NOK", r#""124.50""#), Some(12_450));
        assert_eq!(read("NOK", r#""124""#), Some(12_400));
        assert_eq!(read("EUR", "9.999"), Some(1000));
        for told in [r#""""#, r#""free""#, r#""-1""#, "null"] {
            assert_eq!(read("NOK", told), None, "{told}");
        }
        assert_eq!(read("XXX", r#""1""#), None);
    }
}
