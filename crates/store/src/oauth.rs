//! OAuth 2.0: clients, codes, families of tokens, and the tokens. Of secrets, codes and tokens only
//! hashes are kept.
//!
//! Whoever gives tokens to a client locks it first (`clients::any_lock`), and whoever does
//! something to a family locks that second (`grants::any_lock`). So of those who bring the same
//! code or token at once each sees what the one before it did, and a client that is deleted gets
//! nothing more.

pub mod access;
pub mod clients;
pub mod codes;
pub mod grants;
pub mod refresh;
