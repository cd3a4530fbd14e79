//! Why a carrier was not asked. What was written on the command line is not repeated: somebody may
//! have written a secret there.

use std::io;

use waybill_carriers::registry::CARRIERS;
use waybill_domain::ids::AccountId;
use waybill_engine::vault::AccountError;

/// The variable that an account may be in.
pub const VARIABLE: &str = "WAYBILL_CARRIER_ACCOUNT";

/// Why there is no account to try, or nobody to ask.
#[derive(Debug, thiserror::Error)]
pub enum CarrierCommandError {
    /// No carrier has this code.
    #[error("there is no carrier with that code; there are {}", codes())]
    NoCarrier,
    /// It is in the catalog alone.
    #[error("{0} is in the catalog, and cannot be booked with by this version")]
    NotBookable(&'static str),
    /// No country has these letters.
    #[error("--country: write the two letters of a country, such as DK")]
    NoCountry,
    /// No account was named.
    #[error(
        "say which account: --account with its UUID, with a file of its credentials and options, \
         or with \"-\" for standard input; or put them into {}",
        VARIABLE
    )]
    NoAccount,
    /// The account itself was written there.
    #[error(
        "--account: other programs can see a command line; put the account into a file or into {}",
        VARIABLE
    )]
    OnCommandLine,
    /// The file, or standard input, cannot be read.
    #[error("--account is neither a UUID nor a file that can be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It is not what it should be.
    #[error(
        "the account is a JSON object of at most 64 KiB, such as {{\"credentials\": {{…}}, \
         \"options\": {{…}}}}"
    )]
    NotAnAccount,
    /// The account is with somebody else.
    #[error("the account is with another carrier")]
    OfAnother,
    /// The database has no such account.
    #[error("the database has no account {0}")]
    Unknown(AccountId),
    /// The vault does not open it.
    #[error(transparent)]
    Account(#[from] AccountError),
}

fn codes() -> String {
    let all: Vec<&str> = CARRIERS.iter().map(|row| row.code).collect();
    all.join(", ")
}
