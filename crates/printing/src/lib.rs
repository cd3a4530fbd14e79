//! How to speak to printers. IPP is read and written in [`ipp`]; [`Printers`] finds and asks them,
//! and a [`Link`] is an open connection to one. What a printer says is another program's word: it
//! is bounded, cut and never trusted to be well-formed. A [`queue`] is how one printer gets its
//! jobs, whoever remembers them.

mod address;
mod cups;
mod error;
pub mod ipp;
mod link;
mod printer;
pub mod queue;
mod report;
mod status;
mod ticket;

pub use address::{NetworksError, PrinterNetworks};
pub use cups::CupsQueue;
pub use error::LinkError;
pub use link::Link;
pub use printer::Printers;
pub use report::PrinterReport;
pub use ticket::JobTicket;
pub use waybill_outbound::Trust;
