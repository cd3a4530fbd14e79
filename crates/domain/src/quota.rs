//! How much one team may have, so that it cannot fill the server. One table: what is counted, its
//! name in the setting `--quotas`, and how much of it is allowed unless the server says otherwise.

use crate::named_list::{ListFault, read_changes};
use crate::words::Message;

/// Something of which a team may have only so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quota {
    /// Accounts with carriers.
    Accounts,
    /// Webhooks, without the callbacks of batches.
    Webhooks,
    /// Shipment templates.
    Templates,
    /// Tokens of one user that have neither ended nor been revoked.
    Tokens,
    /// Batches that are not over.
    Batches,
    /// Reports that are not made yet.
    Reports,
    /// Streams that one server sends to the team at once.
    Streams,
    /// Bytes of JSON in the options of one account, and in its credentials.
    OptionBytes,
    /// Printers.
    Printers,
    /// Print agents.
    PrintAgents,
    /// Invitations that were neither used nor taken back.
    Invitations,
    /// OAuth clients that act for themselves.
    OAuthClients,
}

/// The table, in the order of the variants.
const TABLE: [(Quota, &str, i64); 12] = [
    (Quota::Accounts, "accounts", 100),
    (Quota::Webhooks, "webhooks", 100),
    (Quota::Templates, "templates", 1_000),
    (Quota::Tokens, "tokens", 100),
    (Quota::Batches, "batches", 1_000),
    (Quota::Reports, "reports", 10),
    (Quota::Streams, "streams", 10),
    (Quota::OptionBytes, "option-bytes", 16 * 1024),
    (Quota::Printers, "printers", 200),
    (Quota::PrintAgents, "print-agents", 100),
    (Quota::Invitations, "invitations", 100),
    (Quota::OAuthClients, "oauth-clients", 100),
];

/// The highest limit that can be set: counting goes on for as long as it is not reached.
const LIMIT_MAX: i64 = 1_000_000;

/// Why a list of limits is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QuotaError {
    /// A part of the list has no `=`.
    #[error("\"{0}\" is not a limit such as webhooks=200")]
    NotALimit(String),
    /// Nothing of this name is counted.
    #[error("\"{0}\" is none of {names}", names = TABLE.map(|(_, name, _)| name).join(", "))]
    Unknown(String),
    /// One name stands in the list twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// The limit is not a number that can be one.
    #[error("{name}: \"{value}\" is not a whole number from 1 to {LIMIT_MAX}")]
    NotANumber {
        /// What the limit is of.
        name: &'static str,
        /// What stands after the `=`.
        value: String,
    },
}

/// The limits of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotas([i64; TABLE.len()]);

impl Default for Quotas {
    fn default() -> Quotas {
        Quotas(TABLE.map(|(_, _, limit)| limit))
    }
}

impl Quotas {
    /// The defaults with the changes of a list such as `webhooks=200,templates=5000`.
    pub fn parse(list: &str) -> Result<Quotas, QuotaError> {
        let names = TABLE.map(|(_, name, _)| name);
        let changes = read_changes(list, &names).map_err(|fault| match fault {
            ListFault::NoValue(change) => QuotaError::NotALimit(change.to_owned()),
            ListFault::Unknown(name) => QuotaError::Unknown(name.to_owned()),
            ListFault::Twice(index) => QuotaError::Twice(names[index]),
        })?;
        let mut quotas = Quotas::default();
        for (index, number) in changes {
            let limit = number.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
            let name = names[index];
            let wrong = || QuotaError::NotANumber { name, value: number.to_owned() };
            quotas.0[index] = limit.ok_or_else(wrong)?;
        }
        Ok(quotas)
    }

    /// How much of it is allowed.
    pub fn limit(&self, quota: Quota) -> i64 {
        self.0[quota as usize]
    }

    /// Everything that is limited: its code for callers of the API, and how much of it is allowed.
    pub fn all(&self) -> impl Iterator<Item = (Quota, String, i64)> {
        TABLE.iter().map(|(quota, name, _)| (*quota, name.replace('-', "_"), self.limit(*quota)))
    }

    /// Whether one more may follow where there are so many; what to say if not.
    pub fn check(&self, quota: Quota, used: i64) -> Result<(), Message> {
        if used < self.limit(quota) { Ok(()) } else { Err(self.reached(quota)) }
    }

    /// What to say when there is no room for another.
    pub fn reached(&self, quota: Quota) -> Message {
        quota.message().text("max", self.limit(quota))
    }
}

impl Quota {
    /// What is counted, in words.
    pub fn name(self) -> Message {
        Message::new(match self {
            Quota::Accounts => "quota-name-accounts",
            Quota::Webhooks => "quota-name-webhooks",
            Quota::Templates => "quota-name-templates",
            Quota::Tokens => "quota-name-tokens",
            Quota::Batches => "quota-name-batches",
            Quota::Reports => "quota-name-reports",
            Quota::Printers => "quota-name-printers",
            Quota::PrintAgents => "quota-name-print-agents",
            Quota::Invitations => "quota-name-invitations",
            Quota::OAuthClients => "quota-name-oauth-clients",
            Quota::Streams => "quota-name-streams",
            Quota::OptionBytes => "quota-name-option-bytes",
        })
    }

    fn message(self) -> Message {
        Message::new(match self {
            Quota::Accounts => "quota-accounts",
            Quota::Webhooks => "quota-webhooks",
            Quota::Templates => "quota-templates",
            Quota::Tokens => "quota-tokens",
            Quota::Batches => "quota-batches",
            Quota::Reports => "quota-reports",
            Quota::Printers => "quota-printers",
            Quota::PrintAgents => "quota-print-agents",
            Quota::Invitations => "quota-invitations",
            Quota::OAuthClients => "quota-oauth-clients",
            Quota::Streams => "quota-streams",
            Quota::OptionBytes => "quota-option-bytes",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn the_table_has_every_quota_at_its_place() {
        for (index, (quota, ..)) in TABLE.iter().enumerate() {
            assert_eq!(*quota as usize, index);
        }
    }

    #[test]
    fn a_list_changes_the_limits_that_it_names() {
        let quotas = Quotas::parse("webhooks=200, templates=5000").unwrap();
        assert_eq!(quotas.limit(Quota::Webhooks), 200);
        assert_eq!(quotas.limit(Quota::Templates), 5000);
        assert_eq!(quotas.limit(Quota::Accounts), 100);
        assert_eq!(Quotas::parse("").unwrap(), Quotas::default());
    }

    #[test]
    fn a_list_that_means_nothing_is_refused_with_what_is_wrong() {
        let refused = |list: &str| Quotas::parse(list).unwrap_err().to_string();
        assert_eq!(refused("webhooks"), "\"webhooks\" is not a limit such as webhooks=200");
        assert!(refused("hooks=1").starts_with("\"hooks\" is none of accounts, webhooks,"));
        assert_eq!(refused("webhooks=1,webhooks=2"), "webhooks is given twice");
        for number in ["0", "-1", "x", "", "1000001"] {
            assert!(refused(&format!("webhooks={number}")).contains("not a whole number from 1"));
        }
    }

    #[test]
    fn what_reaches_a_limit_is_told_the_limit_in_every_language() {
        let quotas = Quotas::default();
        for (quota, _, limit) in TABLE {
            assert_eq!(quotas.check(quota, limit - 1), Ok(()));
            let message = quotas.check(quota, limit).unwrap_err();
            for language in Language::ALL {
                let said = message.say(language);
                assert!(said.contains(&limit.to_string()), "{said}");
            }
        }
    }
}
