//! What a warehouse is asked for. Every change is told in the same transaction.

mod list;

use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, FulfilmentId, ShipmentId, TeamId};
use waybill_domain::json::parse;
use waybill_domain::time::Time;
use waybill_domain::wms::{RequestLine, RequestState};

use crate::{Error, FromRow, Result, Row, Tx, events};

pub use list::{Filter, list, room};

/// A request for stock, and for a shipment of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fulfilment {
    /// Its id.
    pub id: FulfilmentId,
    /// How far it is.
    pub state: RequestState,
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// What is wanted, and where that is.
    pub lines: Vec<RequestLine>,
    /// The shipment as it was given, JSON.
    pub input: String,
    /// The latest shipment that was made for it.
    pub shipment: Option<ShipmentId>,
    /// The request of the API that made it.
    pub request_id: Option<String>,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
    /// When stock was promised to it.
    pub allocated_at: Option<Time>,
    /// When it was packed.
    pub packed_at: Option<Time>,
    /// When its shipment was booked.
    pub shipped_at: Option<Time>,
    /// When it was cancelled.
    pub cancelled_at: Option<Time>,
}

impl FromRow for Fulfilment {
    fn from_row(row: &mut Row<'_>) -> Result<Fulfilment> {
        let id: FulfilmentId = row.next()?;
        Ok(Fulfilment {
            id,
            state: row.next()?,
            identifier: row.next()?,
            reference: row.next()?,
            lines: read_lines(id, &row.next::<String>()?)?,
            input: row.next()?,
            shipment: row.next()?,
            request_id: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
            allocated_at: row.next()?,
            packed_at: row.next()?,
            shipped_at: row.next()?,
            cancelled_at: row.next()?,
        })
    }
}

fn read_lines(id: FulfilmentId, text: &str) -> Result<Vec<RequestLine>> {
    let json = parse(text.as_bytes()).ok();
    let lines = json.and_then(|json| RequestLine::stored_list(&json).ok());
    lines.ok_or_else(|| Error::unreadable(("wms_fulfilment", id.into()), "lines"))
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, state, identifier, reference, lines, input, shipment, request_id,
                    created_at, updated_at, allocated_at, packed_at, shipped_at, cancelled_at
               FROM wms_fulfilment ",
            $($rest),+
        )
    };
}

use select;

/// Adds a request, and tells of it. False when one of its items is not in the catalog any more:
/// then nothing may be kept of this transaction.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, request: &Fulfilment, event: EventId) -> Result<bool> {
    tx.exec_one(
        "INSERT INTO wms_fulfilment (team, id, state, identifier, reference, lines, input,
                                     request_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            team.into(),
            request.id.into(),
            request.state.into(),
            request.identifier.as_deref().into(),
            request.reference.as_deref().into(),
            RequestLine::list_to_json(&request.lines).to_string().into(),
            (&request.input).into(),
            request.request_id.as_deref().into(),
            request.created_at.into(),
            request.updated_at.into(),
        ],
    )?;
    for line in &request.lines {
        tx.exec_one(
            "INSERT INTO wms_line (team, fulfilment, item, quantity, is_open)
             VALUES ($1, $2, $3, $4, $5)",
            &[team.into(), request.id.into(), line.item.into(), line.quantity.into(), true.into()],
        )?;
    }
    // Whoever removes an item from the catalog waits for this, or is waited for.
    let held: Vec<uuid::Uuid> = tx.all(
        "SELECT id FROM wms_item
          WHERE team = $1 AND deleted_at IS NULL
            AND id IN (SELECT item FROM wms_line WHERE team = $1 AND fulfilment = $2)
          ORDER BY id FOR KEY SHARE",
        &[team.into(), request.id.into()],
    )?;
    tell(tx, team, request, event)?;
    Ok(held.len() == request.lines.len())
}

/// The team's request.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<Option<Fulfilment>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// The same, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<Option<Fulfilment>> {
    tx.one(select!("WHERE team = $1 AND id = $2 FOR UPDATE"), &[team.into(), id.into()])
}

/// Writes everything of a request that changes, and tells of it. Of one that is over, its items
/// are not wanted any more.
pub fn change(tx: &mut Tx<'_>, team: TeamId, request: &Fulfilment, event: EventId) -> Result<()> {
    tx.exec_one(
        "UPDATE wms_fulfilment
            SET state = $3, lines = $4, shipment = $5, updated_at = $6, allocated_at = $7,
                packed_at = $8, shipped_at = $9, cancelled_at = $10
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            request.id.into(),
            request.state.into(),
            RequestLine::list_to_json(&request.lines).to_string().into(),
            request.shipment.into(),
            request.updated_at.into(),
            request.allocated_at.into(),
            request.packed_at.into(),
            request.shipped_at.into(),
            request.cancelled_at.into(),
        ],
    )?;
    if request.state.is_over() {
        tx.exec_later(
            "UPDATE wms_line SET is_open = $3 WHERE team = $1 AND fulfilment = $2",
            &[team.into(), request.id.into(), false.into()],
        )?;
    }
    tell(tx, team, request, event)
}

fn tell(tx: &mut Tx<'_>, team: TeamId, request: &Fulfilment, event: EventId) -> Result<()> {
    let about = ("fulfilment_request_uuid", request.id.into());
    let event = Event::new(event, EventKind::FulfilmentUpdated, request.updated_at, about);
    let event = match request.shipment {
        Some(shipment) => event.with("shipment_uuid", shipment.into()),
        None => event,
    };
    events::append(tx, team, &event)
}
