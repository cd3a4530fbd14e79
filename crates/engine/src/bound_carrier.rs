//! The carrier of a shipment with the team's account: what it takes to talk to it about a booking.

use std::sync::Arc;

use waybill_carriers::booking::{Booked, Found, LabelRequest, Plan, Sought};
use waybill_carriers::{Account, Carrier};
use waybill_domain::booking::Reference;
use waybill_domain::catalog::Service;
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::ids::TeamId;
use waybill_domain::shipment::{Order, Snapshot};
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts, carrier_calls};

use crate::app::App;
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
        let found = app.read_grouped(move |tx| carrier_accounts::find(tx, team, id)).await?;
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
fn label_request(service: Option<&Service>, snapshot: &Snapshot) -> Option<LabelRequest> {
    let is_ours = service.is_some_and(|service| service.draws_label);
    let (format, size) = (snapshot.label_format, snapshot.label_size.clone());
    (!is_ours).then_some(LabelRequest { format, size })
}

/// What is looked up: an attempt of this shipment, or only a booking that must be there.
pub fn sought(
    app: &App,
    shipment: &Shipment,
    reference: &Reference,
    is_canary: bool,
) -> Result<Sought, Error> {
    let Plan { reference, order, label, .. } = plan(app, shipment, reference, shipment.created_at)?;
    Ok(Sought { reference, order, label, is_canary })
}

/// What the carrier is asked to book, under this reference.
pub fn plan(
    app: &App,
    shipment: &Shipment,
    reference: &Reference,
    now: Time,
) -> Result<Plan, Error> {
    let service = app.catalog().service(&shipment.service_code).map(|(_, service)| service);
    let order = shipment.read_order()?;
    Ok(plan_of(service, order, &shipment.snapshot, reference.clone(), now))
}

/// The same, of an order that is not stored yet.
pub fn plan_of(
    service: Option<&Service>,
    order: Order,
    snapshot: &Snapshot,
    reference: Reference,
    now: Time,
) -> Plan {
    Plan {
        reference,
        label: label_request(service, snapshot),
        pickup_point: snapshot.pickup_point.clone(),
        is_return: service.is_some_and(|service| service.is_return),
        is_declared: is_declared(&order),
        order,
        language: snapshot.language,
        now,
    }
}

/// How the carrier knows the booking, when it has one.
pub async fn booked(app: &App, team: TeamId, shipment: &Shipment) -> Result<Option<Booked>, Error> {
    let id = shipment.id;
    let call = app.read(move |tx| carrier_calls::find_accepted(tx, team, id)).await?;
    let known = call.zip(shipment.carrier_reference.clone());
    let service = app.catalog().service(&shipment.service_code).map(|(_, service)| service);
    Ok(known.map(|(call, carrier_reference)| Booked {
        reference: Reference::from_stored(call.reference),
        carrier_reference,
        carrier_data: shipment.carrier_data.clone(),
        tracking_numbers: shipment.tracking_numbers(),
        label: label_request(service, &shipment.snapshot),
    }))
}
