//! One service as an option.

use std::sync::Arc;

use waybill_domain::calendar::Route;
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::party::Address;
use waybill_domain::shipment::{Order, Question, Window};
use waybill_domain::tariff::{Rate, price};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::points::snapshot;
use waybill_store::Error;
use waybill_store::service_points::Stored;

use super::OptionsContext;
use crate::request::Request;
use crate::service_points::view;
use crate::shipments::carrier_entry;
use crate::shipments::validate::{BookingContext, LabelWish, prepare_problems, validate_booking};

/// A service with what speaks for it and against it.
pub struct Choice<'a> {
    /// Whose it is.
    pub carrier: &'a Carrier,
    /// The order that would be made.
    pub order: Order,
    /// What it would cost.
    pub price: Option<Money>,
    service: &'a Service,
    errors: FieldErrors,
    last_mile: Option<&'a str>,
    plan: Option<(Time, Vec<Window>)>,
    points: Arc<Vec<Stored>>,
}

impl<'a> Choice<'a> {
    /// Checks the order that the question would become with this service.
    pub fn new(
        request: &Request,
        context: &OptionsContext,
        question: &Question,
        (carrier, service): (&'a Carrier, &'a Service),
        points: &Arc<Vec<Stored>>,
    ) -> Result<Choice<'a>, Error> {
        let mut order = question.order(&service.code, context.settings.merchant(service.is_return));
        let mut errors = FieldErrors::default();
        let point = points.first().filter(|_| service.is_pickup);
        order.delivery.pickup_point = point.map(|point| point.code.clone());
        if service.is_pickup && point.is_none() {
            errors.add("delivery.pickup_point", Message::new("no-pickup-point"));
        }
        let input = order.to_json();
        let point = point.map(snapshot).transpose()?;
        let settings = &context.settings;
        let options = context.account_options(carrier)?;
        let booking = BookingContext {
            settings,
            carrier,
            service,
            order: &order,
            input: &input,
            pickup_point: point.as_ref(),
            label: LabelWish::AsTheTeam,
        };
        let (mut errors, snapshot) = validate_booking(request, &booking, errors);
        if let Some(snapshot) = snapshot.filter(|_| errors.is_empty()) {
            errors = prepare_problems(request, &booking, &options, &snapshot);
        }
        let (from, to) = ends(service, &order);
        let ready = question.ship_at.unwrap_or(request.now);
        let plan = service.transit.as_ref().zip(from).zip(to).and_then(|((transit, from), to)| {
            let merchant = order.merchant.as_ref()?.address.country;
            transit.plan(Route { merchant, from: from.country, to: to.country }, ready)
        });
        let last_mile = to.and_then(|to| service.last_mile.carrier(to.country));
        let price = to.and_then(|to| tariff(&context.rates, service, &order, to));
        let points = points.clone();
        Ok(Choice { carrier, order, price, service, errors, last_mile, plan, points })
    }

    /// Whether it can be booked.
    pub fn is_available(&self) -> bool {
        self.errors.is_empty()
    }

    /// What comes first: what can be had, what has a price, and the lowest. Prices in different
    /// currencies do not compare, so each currency has its own order.
    pub fn rank(&self) -> (bool, bool, &'static str, i64) {
        let price = self.price.map_or(("", 0), |price| (price.currency.code(), price.minor));
        (!self.is_available(), self.price.is_none(), price.0, price.1)
    }

    /// The option as callers see it.
    pub fn to_json(&self, request: &Request) -> Json {
        let (service, language) = (self.service, request.language);
        let delivery = Json::object([
            ("carrier", self.carrier.entry(request.app.base_url())),
            (
                "last_mile_carrier",
                self.last_mile.map_or(Json::Null, |code| carrier_entry(request, code)),
            ),
            ("service_code", service.code.as_str().into()),
            ("service_name", service.names.say(language).into()),
            ("is_pickup", service.is_pickup.into()),
            ("is_return", service.is_return.into()),
        ]);
        let points = service
            .is_pickup
            .then(|| Json::list(self.points.iter().map(|point| view(request, point))));
        let windows = self.plan.iter().flat_map(|(_, windows)| windows);
        Json::object([
            ("delivery", delivery),
            ("addons", Json::list(service.addons.iter().map(|addon| addon.to_json(language)))),
            ("is_available", self.is_available().into()),
            ("unavailable_reasons", Json::list(self.reasons(request))),
            ("estimated_price", self.price.map(Money::to_json).into()),
            ("delivery_windows", Json::list(windows.map(|window| window.to_json()))),
            ("cutoff_at", self.plan.as_ref().map(|(cutoff, _)| Json::text(cutoff)).into()),
            ("pickup_points", points.into()),
        ])
    }

    /// Everything that speaks against it. The question has no delivery, so what is wrong with that
    /// has no path in it.
    fn reasons(&self, request: &Request) -> Vec<Json> {
        let one = |path: &str, message: &Message| {
            let path = (!path.starts_with("delivery")).then_some(path);
            let message = message.say(request.language);
            Json::object([("path", path.into()), ("message", message.into())])
        };
        let all = self.errors.iter();
        all.flat_map(|(path, all)| all.iter().map(move |message| one(path, message))).collect()
    }
}

/// Where the parcel starts and where it ends: a return goes the other way.
fn ends<'o>(service: &Service, order: &'o Order) -> (Option<&'o Address>, Option<&'o Address>) {
    let merchant = order.merchant.as_ref().map(|party| &party.address);
    let customer = Some(&order.customer.address);
    if service.is_return { (customer, merchant) } else { (merchant, customer) }
}

fn tariff(rates: &[Rate], service: &Service, order: &Order, to: &Address) -> Option<Money> {
    let rates: Vec<&Rate> = rates.iter().filter(|rate| rate.service_code == service.code).collect();
    let weights: Vec<_> = order.parcels.iter().map(|parcel| parcel.gross_weight).collect();
    price(&rates, to.country, &to.postal_code, &weights)
}
