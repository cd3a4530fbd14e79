//! The warehouse: items, what of them lies where, and who asked for it.
//!
//! Whoever changes stock locks the items first, in the order of their ids, and then reads the
//! levels: of all who want the same pieces one goes on at a time, and nobody waits forever. Rows
//! are locked in the order shipment, request, items, levels.

pub mod fulfilments;
pub mod items;
pub mod ledger;
pub mod levels;
mod pages;
pub mod papers;
pub mod stock;

use waybill_domain::wms::RequestState;

use crate::{Cell, Column, Error, Param};

impl Column for RequestState {
    fn from_cell(cell: Cell<'_>) -> Option<RequestState> {
        match cell {
            Cell::Text(text) => RequestState::parse(text),
            _ => None,
        }
    }
}

impl From<RequestState> for Param<'_> {
    fn from(state: RequestState) -> Self {
        state.name().into()
    }
}

/// A name that is stored as bytes.
fn read_name(bytes: Vec<u8>) -> Result<String, Error> {
    let broken = |_| Error::Broken("a name in the warehouse is not text".to_owned());
    String::from_utf8(bytes).map_err(broken)
}
