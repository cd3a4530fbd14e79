//! Why a user, a team or a token was not made or changed.

use std::io;

use uuid::Uuid;
use waybill_domain::access::{Scope, UnknownScope};
use waybill_domain::language::Language;
use waybill_domain::oauth::redirect::RedirectFault;
use waybill_domain::password::PasswordFault;
use waybill_domain::words::Message;
use waybill_engine::passwords::HashingError;
use waybill_store::Error;

/// The longest life of a token that ends: a hundred years.
pub const DAYS_MAX: u64 = 36_500;

/// What is wrong with a command of administration.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// A name of nothing but spaces.
    #[error("the name is empty")]
    EmptyName,
    /// It is not the address of anybody.
    #[error("\"{0}\" is not an e-mail address")]
    NotAnEmail(String),
    /// We do not speak it.
    #[error("\"{0}\" is not one of en, da, sv, nb, fi, de")]
    NotALanguage(String),
    /// It is not the name of a host.
    #[error("\"{0}\" is not a domain like shop.example.com")]
    NotADomain(String),
    /// There is no such role.
    #[error("\"{0}\" is neither admin nor member")]
    NotARole(String),
    /// It is not an id.
    #[error("\"{0}\" is not a UUID")]
    NotAUuid(String),
    /// `--scopes` is empty.
    #[error("--scopes: name some, or leave it out for all")]
    NoScopes,
    /// `--scopes` has something that is none.
    #[error("--scopes: {0}")]
    Scopes(#[source] UnknownScope),
    /// `--scopes` has what is for operators.
    #[error("--scopes: {0} is not for apps")]
    OperatorScope(Scope),
    /// A name that would not be shown whole.
    #[error("the name must be at most {0} characters, and none of them a control character")]
    NotAName(usize),
    /// `--redirect-uri` is not an address that browsers may be sent to.
    #[error("--redirect-uri: \"{0}\" {1}")]
    RedirectUri(String, #[source] RedirectFault),
    /// It could not get a token in any way.
    #[error(
        "give --team, so that the client may act for itself there, or --redirect-uri, so that it \
         may act for users"
    )]
    IdleClient,
    /// It has no secret, so it acts for users alone.
    #[error("a public client needs a --redirect-uri: without a secret it cannot act for itself")]
    PublicWithoutRedirect,
    /// The same.
    #[error("--public and --team exclude each other: without a secret it cannot act for itself")]
    PublicWithTeam,
    /// Users have their own roles.
    #[error("--role is for clients with --team: where it acts for a user, it has the user's role")]
    RoleWithoutTeam,
    /// There is none.
    #[error("there is no client {0}")]
    NoClient(String),
    /// It has no secret that could be replaced.
    #[error("a public client has no secret")]
    PublicClient,
    /// `--expires-in-days` is not a time that a token may have.
    #[error("--expires-in-days: \"{0}\" is not a whole number from 1 to {DAYS_MAX}")]
    NotDays(String),
    /// Nobody has this address.
    #[error("there is no user {0}")]
    NoUser(String),
    /// No team has this domain.
    #[error("there is no team {0}")]
    NoTeam(String),
    /// It cannot be taken out of a team.
    #[error("the user is not in that team")]
    NotAMember,
    /// It would leave the team to nobody.
    #[error("the user is the team's only administrator: make another member one first")]
    LastAdmin,
    /// It would leave teams to nobody.
    #[error(
        "the user is the only administrator of {}: make another member one first, or delete the \
         team",
        .0.join(", ")
    )]
    LastAdminOf(Vec<String>),
    /// What the carrier has of it is not known yet.
    #[error(
        "the team's shipments or batches are being worked on, so it is not deleted: {}",
        listed(.0)
    )]
    TeamBooks(Vec<Uuid>),
    /// Something is on its way to paper.
    #[error("the team has print jobs that are not over, so it is not deleted: {}", listed(.0))]
    TeamPrints(Vec<Uuid>),
    /// It cannot be revoked.
    #[error("there is no such token, or it was revoked before")]
    NoToken,
    /// Another team has the domain.
    #[error("there is a team with that domain already")]
    SecondTeam,
    /// Another user has the address.
    #[error("there is a user with that e-mail address already")]
    SecondUser,
    /// There are as many as the server allows.
    #[error("{}", .0.say(Language::En))]
    QuotaReached(Message),
    /// The database refused for another reason.
    #[error(transparent)]
    Store(Error),
    /// A password was not changed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Making a team panicked.
    #[error("{0}")]
    Panicked(#[source] tokio::task::JoinError),
}

fn listed(ids: &[Uuid]) -> String {
    ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(", ")
}

/// A conflict says who was there before.
impl From<Error> for AdminError {
    fn from(error: Error) -> AdminError {
        match error {
            Error::Conflict(index) if index == "team_domain" => AdminError::SecondTeam,
            Error::Conflict(index) if index == "app_user_email" => AdminError::SecondUser,
            error => AdminError::Store(error),
        }
    }
}

/// Why the password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Standard input cannot be read, or the terminal does not do what it is told.
    #[error("the password cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It was typed differently the second time.
    #[error("the two passwords are not the same; nothing was changed")]
    Different,
    /// It cannot be a password.
    #[error("{0}; nothing was changed")]
    Refused(#[from] PasswordFault),
    /// It could not be hashed.
    #[error(transparent)]
    Hashing(#[from] HashingError),
    /// There is nothing to take away.
    #[error("the user has no password")]
    None,
}
