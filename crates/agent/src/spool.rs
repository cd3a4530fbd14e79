//! What an agent remembers: one SQLite file, whose commits are synced before anything follows from
//! them. It is the only place with SQL outside the store: the store is the server's, and an agent
//! has none.

mod error;
mod facts;
mod folder;
mod jobs;
mod migrations;
mod printers;
mod reports;
mod row;
mod status;
mod steps;
#[cfg(test)]
mod tests;
mod thread;

pub use error::SpoolError;
pub use facts::{Fact, Identity};
pub use jobs::{Held, Limits, Offered, Stock, Stored};
pub use printers::SpoolPrinter;
pub use reports::PendingReport;
pub use row::{Custody, SpoolJob};
pub use status::{JobStatus, LineStatus, Status};
pub use steps::Step;
pub use thread::Spool;

/// What is done to the rows, inside a transaction of the spool.
pub mod rows {
    pub use super::facts::{find as fact, find_identity, set as set_fact, set_identity};
    pub use super::jobs::{
        find_due, find_file, forget, forget_old, give_up_orphans, has_offered, is_left_behind,
        list_held, list_printers_with_open, next_look, offer, room,
    };
    pub use super::printers::{
        find as printer, insert as add_printer, list as list_printers, note as note_printer,
        remove as remove_printer, set_listed,
    };
    pub use super::reports::{answer as answer_report, pending as pending_reports};
    pub use super::steps::{begin, created, record};
}
