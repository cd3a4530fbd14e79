//! The carrier of a shipment with the team's account: what it takes to talk to it about a booking.

use std::sync::Arc;

use waybill_carriers::call::Found;
use waybill_carriers::{Account, Booked, Carrier};
use waybill_domain::booking::Reference;
use waybill_domain::document::Format;
use waybill_domain::ids::TeamId;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts, carrier_calls};

use crate::app::App;
use crate::booking::label_format;
use crate::telemetry::{InAWord, counted};

/// A carrier with the team's account.
pub struct BoundCarrier {
    /// The carrier.
    pub carrier: Arc<dyn Carrier>,
    /// The account.
    pub account: Account,
}

impl BoundCarrier {
    /// The carrier and account of a shipment, or why they cannot be used.
    pub async fn open(
        app: &App,
        team: TeamId,
        shipment: &Shipment,
    ) -> Result<Result<BoundCarrier, String>, Error> {
        let Some(carrier) = app.carriers().get(&shipment.carrier_code) else {
            return Ok(Err("no adapter for this carrier".to_owned()));
        };
        let id = shipment.account;
        let found = app.read(move |tx| carrier_accounts::find(tx, team, id)).await?;
        let Some(row) = found else { return Ok(Err("the account is gone".to_owned())) };
        Ok(app.vault().account(&row).map(|account| BoundCarrier { carrier, account }))
    }

    /// Makes a call to the carrier, and counts what became of it.
    pub async fn counted<T: InAWord>(
        &self,
        app: &App,
        operation: &'static str,
        call: impl Future<Output = T>,
    ) -> T {
        counted(app.clock().as_ref(), self.carrier.code(), operation, call).await
    }

    /// Asks what became of a reference.
    pub async fn find(&self, app: &App, reference: &Reference) -> Found {
        self.counted(app, "find", self.carrier.find(&self.account, reference)).await
    }
}

/// The format in which the carrier is asked for the label; none when we draw it ourselves.
pub fn carrier_format(app: &App, shipment: &Shipment) -> Option<Format> {
    let service = app.catalog().service(&shipment.service_code);
    let is_ours = service.is_some_and(|(_, service)| service.draws_label);
    (!is_ours).then(|| label_format(shipment))
}

/// How the carrier knows the booking, when it has one.
pub async fn booked(app: &App, team: TeamId, shipment: &Shipment) -> Result<Option<Booked>, Error> {
    let id = shipment.id;
    let call = app.read(move |tx| carrier_calls::find_accepted(tx, team, id)).await?;
    let known = call.zip(shipment.carrier_reference.clone());
    Ok(known.map(|(call, carrier_reference)| Booked {
        reference: Reference::from_stored(call.reference),
        carrier_reference,
        label_format: carrier_format(app, shipment),
    }))
}
