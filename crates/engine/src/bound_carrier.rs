//! The carrier of a shipment with the team's account: what it takes to talk to it about a booking.

use std::sync::Arc;

use waybill_carriers::booking::{Booked, Found, LabelRequest, PickupPoint, Plan, Sought};
use waybill_carriers::{Account, Carrier};
use waybill_domain::booking::Reference;
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::fields;
use waybill_domain::ids::TeamId;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::party::Address;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts, carrier_calls};

use crate::app::App;
use crate::booking::{label_format, stored_input, stored_snapshot, tracking_numbers, unreadable};
use crate::telemetry::{OutcomeLabel, counted};
use crate::vault::AccountError;

/// A carrier with the team's account.
pub struct BoundCarrier {
    /// The carrier.
    pub carrier: Arc<dyn Carrier>,
    /// The account.
    pub account: Account,
}

/// Why there is no way to speak to the carrier of a shipment.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unusable {
    /// This release cannot speak to it.
    #[error("no adapter for this carrier")]
    NoAdapter,
    /// The account was deleted.
    #[error("the account is gone")]
    AccountGone,
    /// The account cannot be read.
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl BoundCarrier {
    /// The carrier and account of a shipment, or why they cannot be used.
    pub async fn open(
        app: &App,
        team: TeamId,
        shipment: &Shipment,
    ) -> Result<Result<BoundCarrier, Unusable>, Error> {
        let Some(carrier) = app.carriers().get(&shipment.carrier_code) else {
            return Ok(Err(Unusable::NoAdapter));
        };
        let id = shipment.account;
        let found = app.read(move |tx| carrier_accounts::find(tx, team, id)).await?;
        let Some(row) = found else { return Ok(Err(Unusable::AccountGone)) };
        let account = app.vault().account(&row).map_err(Unusable::from);
        Ok(account.map(|account| BoundCarrier { carrier, account }))
    }

    /// Makes a call to the carrier, and counts what became of it.
    pub async fn counted<T: OutcomeLabel>(
        &self,
        app: &App,
        operation: &'static str,
        call: impl Future<Output = T>,
    ) -> T {
        counted(app.clock().as_ref(), self.carrier.code(), operation, call).await
    }

    /// Asks what became of a reference.
    pub async fn find(&self, app: &App, sought: &Sought) -> Found {
        self.counted(app, "find", self.carrier.find(&self.account, sought)).await
    }
}

/// The label that the carrier is asked for; none when we draw it ourselves.
fn label_request(app: &App, shipment: &Shipment, snapshot: &Json) -> Option<LabelRequest> {
    let service = app.catalog().service(&shipment.service_code);
    let is_ours = service.is_some_and(|(_, service)| service.draws_label);
    let size = match snapshot.member("label_size") {
        Some(Json::Text(size)) => size.clone(),
        _ => String::new(),
    };
    (!is_ours).then(|| LabelRequest { format: label_format(snapshot), size })
}

/// What is looked up: an attempt of this shipment, or only a booking that must be there.
pub fn sought(
    app: &App,
    shipment: &Shipment,
    reference: &Reference,
    is_check: bool,
) -> Result<Sought, Error> {
    let Plan { reference, order, label, .. } = plan(app, shipment, reference, shipment.created_at)?;
    Ok(Sought { reference, order, label, is_check })
}

/// What the carrier is asked to book, under this reference.
pub fn plan(
    app: &App,
    shipment: &Shipment,
    reference: &Reference,
    now: Time,
) -> Result<Plan, Error> {
    let input = stored_input(shipment)?;
    let order = Order::stored(&input).map_err(|_| unreadable(shipment, "order"))?;
    let snapshot = stored_snapshot(shipment)?;
    let language = match snapshot.member("language") {
        Some(Json::Text(language)) => Language::parse(language),
        _ => None,
    };
    let service = app.catalog().service(&shipment.service_code);
    Ok(Plan {
        reference: reference.clone(),
        order,
        label: label_request(app, shipment, &snapshot),
        pickup_point: snapshot.member("pickup_point").and_then(pickup_point),
        is_return: service.is_some_and(|(_, service)| service.is_return),
        is_declared: is_declared(&input),
        language: language.unwrap_or(Language::En),
        now,
    })
}

/// A pickup point as it was snapshotted; none when there is none.
pub fn pickup_point(snapshot: &Json) -> Option<PickupPoint> {
    let text = |name: &str| match snapshot.member(name) {
        Some(Json::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let address = fields::read(snapshot.member("address")?, Address::read).ok()?;
    Some(PickupPoint { code: text("code")?, name: text("name")?, address })
}

/// How the carrier knows the booking, when it has one.
pub async fn booked(app: &App, team: TeamId, shipment: &Shipment) -> Result<Option<Booked>, Error> {
    let id = shipment.id;
    let call = app.read(move |tx| carrier_calls::find_accepted(tx, team, id)).await?;
    let known = call.zip(shipment.carrier_reference.clone());
    let snapshot = stored_snapshot(shipment)?;
    Ok(known.map(|(call, carrier_reference)| Booked {
        reference: Reference::from_stored(call.reference),
        carrier_reference,
        carrier_data: shipment.carrier_data.clone(),
        tracking_numbers: tracking_numbers(shipment),
        label: label_request(app, shipment, &snapshot),
    }))
}
