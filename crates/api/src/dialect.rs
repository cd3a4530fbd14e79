//! How an area of the API speaks: where the caller's credential stands, and how an error is told.
//! A route names its dialect; handlers do not know it.

use waybill_domain::language::Language;
use waybill_domain::token::TokenHash;

use super::caller::bearer_hash;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// How an area of the API speaks.
pub struct Dialect {
    /// What is stored of the token that the request carries.
    pub credential: fn(&Request) -> Result<TokenHash, ApiError>,
    /// An error as an answer, in a language, for the request with this id.
    pub error: fn(ApiError, Language, &str) -> Reply,
}

/// JSON and bearer tokens: everything under `/v2` and `/beta`, and what is public.
pub static JSON: Dialect = Dialect { credential: bearer_hash, error: ApiError::into_reply };
