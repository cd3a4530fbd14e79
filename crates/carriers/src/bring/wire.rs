//! A booking as Bring wants it: one consignment.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Length, LengthUnit, WeightUnit};
use waybill_domain::parcel::Parcel;
use waybill_domain::party::Party;
use waybill_domain::words::Message;

use super::account::Options;
use super::addons::additional_services;
use super::customs::{Declaration, declaration};
use super::services::{Product, product};
use super::uncertain::customs::INFORMATION;
use crate::booking::Plan;
use crate::ends::{Ends, business_name};
use crate::members::object;
use crate::texts::{cut, postal_code};

/// So many characters a line of an address takes.
const LINE_MAX: usize = 35;
const INSTRUCTIONS_MAX: usize = 70;
const SERVICE: &str = "delivery.service_code";

/// A booking, as far as it is decided before it is written.
struct Booking<'a> {
    plan: &'a Plan,
    ends: Ends,
    product: Product,
    options: Options<'a>,
    declaration: Option<Declaration<'a>>,
}

/// The body of a request to book.
pub fn booking(plan: &Plan, options: &Json) -> Result<Json, FieldErrors> {
    let ends = Ends::of(&plan.order, plan.is_return)?;
    let service = plan.order.delivery.service_code.as_str();
    let not_here = || FieldErrors::one(SERVICE, Message::new("addon-not-on-route"));
    let product = product(service, &ends).ok_or_else(not_here)?;
    let declaration = declaration(&plan.order, &ends, &product, plan.is_declared);
    let booking = Booking { plan, ends, product, options: Options(options), declaration };
    let mut errors = booking.problems();
    match additional_services(plan, &booking.product, booking.options) {
        Ok(services) if errors.is_empty() => Ok(booking.written(services)),
        Ok(_) => Err(errors),
        Err(found) => {
            errors.extend(found);
            Err(errors)
        }
    }
}

/// The path of a party, which depends on the way that the parcels go.
fn party_path(plan: &Plan, is_sender: bool) -> &'static str {
    match is_sender != plan.is_return {
        true => "parties.merchant",
        false => "parties.customer",
    }
}

impl Booking<'_> {
    /// What cannot be said to Bring, but for its additional services.
    fn problems(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        let Booking { plan, ends, product, options, .. } = self;
        if product.needs_phone() && ends.sender.contact.phone.is_none() {
            let path = format!("{}.contact.phone", party_path(plan, true));
            errors.add(path, Message::new("required"));
        }
        if product.is_bulk && options.consolidated_shipment_id().is_none() {
            let message = Message::new("account-option-missing");
            errors.add(SERVICE, message.text("option", "consolidated_shipment_id"));
        }
        for (party, is_sender) in [(&ends.sender, true), (&ends.receiver, false)] {
            if other_lines(party).chars().count() > LINE_MAX {
                let path = format!("{}.address.address_lines", party_path(plan, is_sender));
                errors.add(path, Message::new("address-lines-too-long").text("max", LINE_MAX));
            }
        }
        if let Some(declaration) = &self.declaration {
            errors.extend(declaration.problems(&plan.order, *options));
        }
        errors
    }

    fn written(&self, services: Vec<Json>) -> Json {
        let Booking { plan, options, product, .. } = self;
        let parcels = plan.order.parcels.iter().enumerate();
        let declared = self.declaration.as_ref().map(|it| it.written(&plan.order));
        let product = object([
            ("id", product.id.into()),
            ("customerNumber", options.customer_number(product.is_norwegian).into()),
            ("additionalServices", Json::list(services)),
            (INFORMATION, declared.into()),
        ]);
        let shown = plan.local_time(options.0).strftime("%Y-%m-%dT%H:%M:%S").to_string();
        let has_codes = plan.is_return && self.ends.sender.contact.email.is_some();
        let consignment = object([
            ("shippingDateTime", shown.into()),
            ("correlationId", plan.reference.as_str().into()),
            ("generateQrCodes", has_codes.then_some(true).into()),
            ("references", object([("consolidatedShipmentId", self.consolidated().into())])),
            ("parties", self.parties()),
            ("product", product),
            ("packages", Json::list(parcels.map(|(place, it)| package(plan, place, it)))),
        ]);
        object([("schemaVersion", 1.into()), ("consignments", Json::list([consignment]))])
    }

    /// What it travels under together with others.
    fn consolidated(&self) -> Option<&str> {
        let is_taxed = self.declaration.as_ref().is_some_and(Declaration::is_consolidated);
        let is_together = is_taxed || self.product.is_bulk;
        self.options.consolidated_shipment_id().filter(|_| is_together)
    }

    fn parties(&self) -> Json {
        let Booking { plan, ends, product, declaration, .. } = self;
        let ours = Some(plan.reference.as_str());
        let excludes = declaration.as_ref().is_some_and(Declaration::excludes_reference);
        let (at_sender, at_recipient) = match excludes {
            false => (ours, plan.order.reference.as_deref()),
            true => (None, ours),
        };
        let instructions = plan.order.delivery.instructions.as_deref();
        let instructions = instructions.map(|text| cut(text, INSTRUCTIONS_MAX));
        object([
            ("sender", party(&ends.sender, [("reference", at_sender.into())])),
            (
                "recipient",
                party(
                    &ends.receiver,
                    [
                        ("reference", at_recipient.into()),
                        ("additionalAddressInfo", instructions.into()),
                    ],
                ),
            ),
            ("pickupPoint", if product.is_pickup { pickup_point(plan, ends) } else { Json::Null }),
            ("importer", declaration.as_ref().map(|_| taxed(&ends.receiver)).into()),
            ("exporter", declaration.as_ref().map(|_| taxed(&ends.sender)).into()),
        ])
    }
}

/// A party that customs know by a number.
fn taxed(it: &Party) -> Json {
    let vat = it.numbers().find(|(kind, _)| *kind == "vat").map(|(_, number)| number);
    party(it, [("vatNumber", vat.into())])
}

fn party<const N: usize>(party: &Party, others: [(&'static str, Json); N]) -> Json {
    let contact = &party.contact;
    let own = object([
        ("name", business_name(party).into()),
        ("addressLine", party.address.lines.first().map(String::as_str).into()),
        ("addressLine2", other_lines(party).into()),
        ("postalCode", postal_code(&party.address).into()),
        ("city", party.address.city.as_str().into()),
        ("countryCode", party.address.country.code().into()),
        (
            "contact",
            object([
                ("name", contact.name.as_str().into()),
                ("email", contact.email.as_deref().into()),
                ("phoneNumber", contact.phone.as_deref().into()),
            ]),
        ),
    ]);
    let mut whole = own;
    whole.merge(&object(others));
    whole
}

fn other_lines(party: &Party) -> String {
    party.address.lines.get(1..).unwrap_or_default().join(", ")
}

fn pickup_point(plan: &Plan, ends: &Ends) -> Json {
    let receiver = ends.receiver.address.country;
    match (&plan.pickup_point, plan.order.delivery.pickup_point.as_deref()) {
        (Some(point), _) => object([
            ("id", point.code.as_str().into()),
            ("countryCode", point.address.country.code().into()),
        ]),
        (None, Some(code)) => {
            object([("id", code.into()), ("countryCode", receiver.code().into())])
        }
        (None, None) => Json::Null,
    }
}

fn package(plan: &Plan, place: usize, parcel: &Parcel) -> Json {
    let whole = |side: Option<Length>| {
        side.and_then(|side| side.in_unit(LengthUnit::Centimetre, 0).whole()).into()
    };
    let kilograms = parcel.gross_weight.map(|weight| weight.in_unit(WeightUnit::Kilogram, 3));
    object([
        ("weightInKg", kilograms.map_or(Json::Null, |weight| Json::Number(weight.number()))),
        (
            "dimensions",
            object([
                ("heightInCm", whole(parcel.height)),
                ("widthInCm", whole(parcel.width)),
                ("lengthInCm", whole(parcel.length)),
            ]),
        ),
        ("goodsDescription", parcel.description.as_deref().map(|it| cut(it, 35)).into()),
        ("correlationId", format!("{}-{}", plan.reference, place + 1).into()),
    ])
}
