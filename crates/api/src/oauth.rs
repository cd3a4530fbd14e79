//! OAuth 2.0 for programs: tokens for codes, secrets and refresh tokens, and what becomes of them.
//! Forms come in, and what is wrong goes out as words that programs read (RFC 6749).

mod client;
mod form;
mod introspect;
mod metadata;
mod refusal;
mod revoke;
mod token;

pub use form::Form;
pub use introspect::introspect;
pub use metadata::metadata;
pub use refusal::Refusal;
pub use revoke::revoke;
pub use token::issue;

use super::dialect::{Dialect, JSON};

/// What is for servers alone: no script in a browser has a reason to ask.
pub static OF_SERVERS: Dialect = Dialect { is_cross_origin: false, ..JSON };
