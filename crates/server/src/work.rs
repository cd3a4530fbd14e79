//! What the server does by itself. `runner` holds the list of everything.

pub mod batch;
mod book;
mod cancel;
pub mod deliver;
mod orphans;
mod refresh;
mod report;
pub mod runner;
pub mod sweep;
mod track;
