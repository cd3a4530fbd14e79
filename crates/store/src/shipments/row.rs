//! A row of the table, and the one place where its parts are read and written.

use std::borrow::Cow;

use uuid::Uuid;
use waybill_domain::booking::{Ending, Failure, Note, Step};
use waybill_domain::ids::{AccountId, FulfilmentId, ShipmentId};
use waybill_domain::json::{Json, parse};
use waybill_domain::shipment::{
    Codes, Order, ShipmentParcel, ShipmentState, Snapshot, StoredOrder,
};
use waybill_domain::time::Time;

use crate::{Cell, Column, Error, FromRow, Param, Result, Row};

/// A shipment.
#[derive(Clone, PartialEq, Debug)]
pub struct Shipment {
    /// Its id.
    pub id: ShipmentId,
    /// The public state.
    pub state: ShipmentState,
    /// The step of its booking.
    pub step: Step,
    /// How its booking ended, for replays.
    pub ending: Option<Ending>,
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// The carrier it is booked with.
    pub carrier_code: String,
    /// The service it is booked with.
    pub service_code: String,
    /// The account it is booked with.
    pub account: AccountId,
    /// The order as accepted.
    pub order: StoredOrder,
    /// What was resolved at acceptance.
    pub snapshot: Snapshot,
    /// Ids and tracking numbers of its parcels.
    pub parcels: Vec<ShipmentParcel>,
    /// QR and drop-off codes.
    pub codes: Option<Codes>,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// The carrier's own name for the booking.
    pub carrier_reference: Option<String>,
    /// What the adapter wants back for later calls; nobody else reads it.
    pub carrier_data: Option<String>,
    /// The batch it is a member of.
    pub batch: Option<Uuid>,
    /// Its place in the batch.
    pub batch_position: Option<i64>,
    /// When the caller is told that it failed, at the latest.
    pub deadline_at: Time,
    /// When we stop asking the carrier.
    pub give_up_at: Time,
    /// When the open call was committed.
    pub called_at: Option<Time>,
    /// How often something was tried in this step.
    pub tries: i64,
    /// When it was accepted by us.
    pub created_at: Time,
    /// When its booking last changed.
    pub updated_at: Time,
    /// When the carrier accepted it.
    pub accepted_at: Option<Time>,
    /// When everything was ready.
    pub booked_at: Option<Time>,
    /// When it was cancelled.
    pub cancelled_at: Option<Time>,
    /// The request that made it.
    pub request_id: Option<String>,
    /// What was asked of the warehouse, when it is sent for that.
    pub fulfilment: Option<FulfilmentId>,
}

impl Shipment {
    /// The order, read.
    pub fn read_order(&self) -> Result<Order> {
        self.order.read().ok_or_else(|| unreadable(self.id, "order"))
    }

    /// The members of the order in the shape of the API, each as text.
    pub fn order_members(&self) -> Result<Vec<(Cow<'_, str>, Cow<'_, str>)>> {
        self.order.members().ok_or_else(|| unreadable(self.id, "order"))
    }

    /// The number of each parcel; nothing for one that the carrier does not have.
    pub fn tracking_numbers(&self) -> Vec<Option<String>> {
        self.parcels.iter().map(|parcel| parcel.tracking_number.clone()).collect()
    }

    /// Whether this was noted of its booking.
    pub fn has_note(&self, note: Note) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.has(note))
    }
}

/// A part of a stored shipment that cannot be read.
fn unreadable(id: ShipmentId, what: &str) -> Error {
    Error::unreadable(("shipment", id.into()), what)
}

/// Reads a part of a shipment that is stored as JSON.
fn read<T>(id: ShipmentId, what: &str, text: &str, read: fn(&Json) -> Option<T>) -> Result<T> {
    let json = parse(text.as_bytes()).ok();
    json.as_ref().and_then(read).ok_or_else(|| unreadable(id, what))
}

pub(super) fn read_codes(id: ShipmentId, text: Option<String>) -> Result<Option<Codes>> {
    text.map(|text| read(id, "codes", &text, Codes::stored)).transpose()
}

pub(super) fn read_failure(id: ShipmentId, text: Option<String>) -> Result<Option<Failure>> {
    text.map(|text| read(id, "failure", &text, Failure::stored)).transpose()
}

impl FromRow for Shipment {
    fn from_row(row: &mut Row<'_>) -> Result<Shipment> {
        let id = row.next()?;
        Ok(Shipment {
            id,
            state: row.next()?,
            step: row.next()?,
            ending: row.next()?,
            identifier: row.next()?,
            reference: row.next()?,
            carrier_code: row.next()?,
            service_code: row.next()?,
            account: row.next()?,
            order: StoredOrder::from_stored(row.next()?),
            snapshot: read(id, "snapshot", &row.next::<String>()?, Snapshot::stored)?,
            parcels: read(id, "parcels", &row.next::<String>()?, ShipmentParcel::stored_list)?,
            codes: read_codes(id, row.next()?)?,
            failure: read_failure(id, row.next()?)?,
            carrier_reference: row.next()?,
            carrier_data: row.next()?,
            batch: row.next()?,
            batch_position: row.next()?,
            deadline_at: row.next()?,
            give_up_at: row.next()?,
            called_at: row.next()?,
            tries: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
            accepted_at: row.next()?,
            booked_at: row.next()?,
            cancelled_at: row.next()?,
            request_id: row.next()?,
            fulfilment: row.next()?,
        })
    }
}

impl Column for Step {
    fn from_cell(cell: Cell<'_>) -> Option<Step> {
        match cell {
            Cell::Text(text) => Step::parse(text),
            _ => None,
        }
    }
}

impl Column for ShipmentState {
    fn from_cell(cell: Cell<'_>) -> Option<ShipmentState> {
        match cell {
            Cell::Text(text) => ShipmentState::parse(text),
            _ => None,
        }
    }
}

impl Column for Ending {
    fn from_cell(cell: Cell<'_>) -> Option<Ending> {
        match cell {
            Cell::Text(text) => Ending::parse(text),
            _ => None,
        }
    }
}

impl From<ShipmentState> for Param<'_> {
    fn from(state: ShipmentState) -> Self {
        state.name().into()
    }
}

impl From<Step> for Param<'_> {
    fn from(step: Step) -> Self {
        step.name().into()
    }
}

pub(super) fn parcels_text(shipment: &Shipment) -> String {
    ShipmentParcel::list_to_json(&shipment.parcels).to_string()
}

pub(super) fn failure_text(failure: &Failure) -> String {
    failure.to_json().to_string()
}
