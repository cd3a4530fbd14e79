//! What print agents ask for. An agent sees its own printers and jobs, and nothing else.

mod claim;
mod fields;
mod file;
mod printers;
mod register;
mod reports;
mod sessions;

pub use claim::claim;
pub use file::file;
pub use printers::replace as replace_printers;
pub use register::register;
pub use reports::report;
pub use sessions::open as open_session;
