//! Everything that can be said against a shipment before it is booked, what the carrier cannot be
//! told included. Booking and delivery options ask the same functions.

use std::borrow::Cow;

use waybill_domain::booking::Reference;
use waybill_domain::catalog::customs::{customs_problems, is_input_declared};
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::document::{Format, negotiate};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::party::Party;
use waybill_domain::settings::Settings;
use waybill_domain::shipment::{Order, PickupPoint, Snapshot};
use waybill_domain::words::Message;
use waybill_engine::bound_carrier;
use waybill_engine::papers::{self, DocumentInputs};
use waybill_paper::PaperSize;

use crate::request::Request;

/// Where a request names its point.
const POINT: &str = "delivery.pickup_point";

/// What a label is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelWish {
    /// The first of the team's formats that the service has.
    AsTheTeam,
    /// PDF, wherever it stands among the team's formats.
    Pdf,
}

impl LabelWish {
    /// The format that a label is made in, among those that the service offers.
    fn choose(self, wanted: &[Format], offered: &[Format]) -> Result<Format, Message> {
        match self {
            LabelWish::AsTheTeam => negotiate(wanted, offered),
            LabelWish::Pdf if wanted.contains(&Format::Pdf) => negotiate(&[Format::Pdf], offered),
            LabelWish::Pdf => Err(Message::new("legacy-no-pdf")),
        }
    }
}

/// What a shipment is checked by.
pub struct BookingContext<'a> {
    /// The team's choices.
    pub settings: &'a Settings,
    /// Whom it would be booked with.
    pub carrier: &'a Carrier,
    /// How.
    pub service: &'a Service,
    /// The order, with its merchant and its point.
    pub order: &'a Order,
    /// The order in the API's shape, as it came or as it is stored.
    pub input: &'a Json,
    /// The point as it is snapshotted.
    pub pickup_point: Option<&'a PickupPoint>,
    /// What its label is made of.
    pub label: LabelWish,
}

/// What is wrong, in addition to what is known already. And what is snapshotted with the order when
/// its label can be made, in the first format and size of the team's that the service has.
pub fn validate_booking(
    request: &Request,
    context: &BookingContext<'_>,
    mut errors: FieldErrors,
) -> (FieldErrors, Option<Snapshot>) {
    let BookingContext { settings, carrier, service, order, input, pickup_point, label } = context;
    if order.merchant.is_none() {
        errors.add("parties.merchant", Message::new("no-merchant"));
    }
    for found in [service.problems(input), customs_problems(input)] {
        errors.extend(found);
    }
    let format = label.choose(&settings.label.formats(), &service.label_formats);
    let format = format.map_err(|message| errors.add("delivery.service_code", message)).ok();
    let size = settings.label.size_among(&service.label_sizes);
    let size = size.map_err(|message| errors.add("delivery.service_code", message)).ok();
    let snapshot = format.zip(size).map(|(format, size)| snapshot(context, format, size));
    // What is printed is tried out whatever else is wrong. Nobody sends it as long as the merchant
    // is not known: the sender's place on the label is empty.
    let mut printed = Cow::Borrowed(*order);
    if printed.merchant.is_none() {
        printed.to_mut().merchant = Some(Party::default());
    }
    let inputs = DocumentInputs {
        order: &printed,
        carrier,
        service,
        language: settings.language,
        size: size.and_then(PaperSize::parse).unwrap_or(PaperSize::Label100x150),
        pickup_point: *pickup_point,
        date: papers::day(request.now),
        is_declared: is_input_declared(input),
    };
    errors.extend(papers::problems(request.app.renderer(), &inputs));
    (errors, snapshot)
}

fn snapshot(context: &BookingContext<'_>, format: Format, size: &str) -> Snapshot {
    let BookingContext { settings, service, order, pickup_point, .. } = context;
    // Last mile follows the parcel: to the customer, or for a return to the merchant.
    let end = if service.is_return { order.merchant.as_ref() } else { Some(&order.customer) };
    let last_mile = end.and_then(|party| service.last_mile.carrier(party.address.country));
    Snapshot {
        label_format: format,
        label_size: size.to_owned(),
        label_dpi: settings.label.dpi,
        last_mile: last_mile.map(str::to_owned),
        language: settings.language,
        pickup_point: pickup_point.cloned(),
        printing: Some(settings.printing.clone()).filter(|printing| printing.automatic),
    }
}

/// What the carrier cannot be told, found before anything is stored. `options` are what the team
/// chose for its account with the carrier. Why there is no point was said before.
pub fn prepare_problems(
    request: &Request,
    context: &BookingContext<'_>,
    options: &Json,
    snapshot: &Snapshot,
) -> FieldErrors {
    let BookingContext { carrier, service, order, pickup_point, .. } = context;
    let Some(adapter) = request.app.carriers().get(&carrier.code) else {
        return FieldErrors::default();
    };
    // The attempt has its own reference later, of the same length.
    let reference = Reference::new(request.app.ids().as_ref());
    let order = (*order).clone();
    let plan = bound_carrier::plan_of(Some(*service), order, snapshot, reference, request.now);
    let mut problems = adapter.prepare(&plan, options).err().unwrap_or_default();
    if service.is_pickup && pickup_point.is_none() {
        problems.take(|path| path.starts_with(POINT));
    }
    problems
}
