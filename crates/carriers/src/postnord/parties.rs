//! Who sends, who gets it, and where it is fetched.

use waybill_domain::json::Json;
use waybill_domain::party::{Address, Party};
use waybill_domain::shipment::PickupPoint;

use super::account::Options;
use super::services::Service;
use super::uncertain::SENDER_OF_A_RETURN_HAS_OUR_NUMBER;
use crate::booking::Plan;
use crate::ends::{Ends, has_addon};
use crate::members::object;
use crate::texts::postal_code;

/// A customer number.
const CUSTOMER: &str = "160";
/// A service point.
const SERVICE_POINT: &str = "156";

/// All parties to a booking.
pub fn parties(plan: &Plan, ends: &Ends, service: &Service, options: Options<'_>) -> Json {
    let point = plan.pickup_point.as_ref().filter(|_| service.is_to_a_point());
    let account = match has_addon(&plan.order, "cash_on_delivery") {
        true => options.cod_account().into(),
        false => Json::Null,
    };
    let ours = |is_ours: bool| match is_ours {
        true => (options.issuer().into(), identified(options.customer_number(), CUSTOMER)),
        false => (Json::Null, Json::Null),
    };
    let sender = ours(!plan.is_return || SENDER_OF_A_RETURN_HAS_OUR_NUMBER);
    let receiver = ours(plan.is_return);
    let one = |(issuer, identification), who: &Party, account| {
        object([
            ("issuerCode", issuer),
            ("partyIdentification", identification),
            ("party", party(who)),
            ("account", account),
        ])
    };
    object([
        ("consignor", one(sender, &ends.sender, account)),
        ("consignee", one(receiver, &ends.receiver, Json::Null)),
        ("deliveryParty", point.map(delivery).into()),
    ])
}

/// The merchant's number with PostNord.
pub fn customer(options: Options<'_>) -> Json {
    identified(options.customer_number(), CUSTOMER)
}

fn identified(id: &str, kind: &str) -> Json {
    object([("partyId", id.into()), ("partyIdType", kind.into())])
}

fn party(party: &Party) -> Json {
    let contact = &party.contact;
    let phone = contact.phone.as_deref();
    object([
        (
            "nameIdentification",
            object([
                ("name", contact.name.as_str().into()),
                ("companyName", contact.company.as_deref().into()),
            ]),
        ),
        ("address", address(&party.address)),
        (
            "contact",
            object([
                ("contactName", contact.name.as_str().into()),
                ("emailAddress", contact.email.as_deref().into()),
                ("phoneNo", phone.into()),
                ("smsNo", phone.into()),
            ]),
        ),
    ])
}

fn address(address: &Address) -> Json {
    object([
        ("streets", Json::list(address.lines.iter().map(Json::text))),
        ("postalCode", postal_code(address).into()),
        ("city", address.city.as_str().into()),
        ("state", address.administrative_area.as_deref().into()),
        ("countryCode", Json::text(address.country)),
    ])
}

fn delivery(point: &PickupPoint) -> Json {
    object([
        ("partyIdentification", identified(&point.code, SERVICE_POINT)),
        (
            "party",
            object([
                ("nameIdentification", object([("name", point.name.as_str().into())])),
                ("address", address(&point.address)),
            ]),
        ),
    ])
}
