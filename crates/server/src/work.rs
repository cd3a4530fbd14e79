//! What the server does by itself. `runner` holds the list of everything.

pub mod book;
pub mod deliver;
pub mod runner;
pub mod sweep;
