//! What the server does by itself. `runner` holds the list of everything.

pub mod book;
mod cancel;
pub mod deliver;
mod report;
mod refresh;
pub mod runner;
pub mod sweep;
