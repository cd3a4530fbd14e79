//! The one way out of this machine: to carriers, webhooks, object stores and printers.
//!
//! [`Network`] is what they share: who resolves names, which authorities are trusted, and which
//! proxy leads out. Addresses that the operator or an adapter chose are called over a [`Line`],
//! which tells whether a request can have left. Addresses that a caller of the API gave us are
//! called through [`Outbound`], which checks every address that a name has. A [`DirectLine`] does
//! both, for printers.
//!
//! What lets us in must not come back out: [`Secrets`] knows it in every form.
//!
//! What leaves cannot be taken back, so crashes and mistakes are tried here: at [`failpoint`]s and
//! with [`planted`] bugs.

mod boxed;
mod connection;
mod conversation;
mod download;
pub mod failpoint;
mod headers;
pub mod line;
mod network;
mod outstanding;
pub mod planted;
pub mod proxy;
mod public;
mod resolve;
mod secrets;
mod trust;

pub use conversation::{Answer, Conversation};
pub use line::{DirectError, DirectLine, Line, Lines};
pub use network::{AuthorityError, Network, TlsError, system_tls};
pub use outstanding::Outstanding;
pub use proxy::{Proxy, ProxyError};
pub use public::{Failure, Outbound};
pub use resolve::{Resolve, SystemResolver};
pub use secrets::{HIDDEN, Secrets};
pub use trust::Trust;
