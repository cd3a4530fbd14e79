//! Everything that the service does by itself, in the background. A kind is stored by its name, so
//! a name never changes its meaning.

use std::fmt;
use std::time::Duration;

/// A kind of background work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JobKind {
    /// Books a shipment.
    Book,
    /// Books a member of a batch. It has slots of its own, so that no single booking waits behind a
    /// batch.
    BookMember,
    /// Begins a batch.
    Batch,
    /// Asks again about a cancellation.
    Cancel,
    /// Makes a report.
    Report,
    /// Sends a webhook what waits for it.
    Deliver,
    /// Asks a carrier about the parcels of an account.
    Track,
    /// Prints what waits for a printer, and looks at it.
    Print,
    /// Tells a print agent that there is something for it, and sees that it is heard.
    PrintAgent,
    /// Forgets idempotency keys that have served their time.
    ExpireIdempotencyKeys,
    /// Forgets deliveries that ended long ago.
    ForgetDeliveries,
    /// Forgets what was tried with shipments long ago.
    ForgetAttempts,
    /// Removes reports that ended long ago, with their files.
    ForgetReports,
    /// Removes joined documents that were made a week ago.
    ForgetMerges,
    /// Removes printers and print agents that were removed long ago and that no job names.
    ForgetRemoved,
    /// Forgets browser sessions that ended a day ago, and failures that do not count any more.
    ForgetSignIns,
    /// Forgets codes and tokens of apps that ended a day ago.
    ForgetOAuth,
    /// Forgets what carriers said long ago that cannot be read.
    ForgetQuarantine,
    /// Forgets lines of audit logs that have served their time.
    ForgetAudit,
    /// Lets entries of feeds expire.
    TrimFeeds,
    /// Asks carriers for their service points.
    RefreshPoints,
    /// Removes files that no row names.
    Orphans,
    /// Looks for broken invariants. Some worker sees to it once a minute.
    Check,
}

/// Leases, and the kinds that look again soon, wait no longer than this: a carrier is asked about
/// an unclear booking every ten minutes, and what failed is tried again after five.
pub const WAIT_SHORT: Duration = Duration::from_mins(11);
/// All other kinds wait no longer than this: for the last attempt of a webhook, or for tomorrow's
/// service points.
pub const WAIT_LONG: Duration = Duration::from_hours(25);

impl JobKind {
    /// All of them.
    pub const ALL: &[JobKind] = &[
        JobKind::Book,
        JobKind::BookMember,
        JobKind::Batch,
        JobKind::Cancel,
        JobKind::Report,
        JobKind::Deliver,
        JobKind::Track,
        JobKind::Print,
        JobKind::PrintAgent,
        JobKind::ExpireIdempotencyKeys,
        JobKind::ForgetDeliveries,
        JobKind::ForgetAttempts,
        JobKind::ForgetReports,
        JobKind::ForgetMerges,
        JobKind::ForgetQuarantine,
        JobKind::ForgetRemoved,
        JobKind::ForgetSignIns,
        JobKind::ForgetOAuth,
        JobKind::ForgetAudit,
        JobKind::TrimFeeds,
        JobKind::RefreshPoints,
        JobKind::Orphans,
        JobKind::Check,
    ];

    /// Those that are always scheduled, once for the whole installation.
    pub const RECURRING: &[JobKind] = &[
        JobKind::ExpireIdempotencyKeys,
        JobKind::ForgetDeliveries,
        JobKind::ForgetAttempts,
        JobKind::ForgetReports,
        JobKind::ForgetMerges,
        JobKind::ForgetQuarantine,
        JobKind::ForgetRemoved,
        JobKind::ForgetSignIns,
        JobKind::ForgetOAuth,
        JobKind::ForgetAudit,
        JobKind::TrimFeeds,
        JobKind::RefreshPoints,
        JobKind::Orphans,
        JobKind::Check,
    ];

    /// The name that it is stored by.
    pub fn name(self) -> &'static str {
        match self {
            JobKind::Book => "book",
            JobKind::BookMember => "book-member",
            JobKind::Batch => "batch",
            JobKind::Cancel => "cancel",
            JobKind::Report => "report",
            JobKind::Deliver => "deliver",
            JobKind::Track => "track",
            JobKind::Print => "print",
            JobKind::PrintAgent => "print-agent",
            JobKind::ExpireIdempotencyKeys => "forget-keys",
            JobKind::ForgetDeliveries => "forget-deliveries",
            JobKind::ForgetAttempts => "forget-attempts",
            JobKind::ForgetReports => "forget-reports",
            JobKind::ForgetMerges => "forget-merges",
            JobKind::ForgetQuarantine => "forget-quarantine",
            JobKind::ForgetRemoved => "forget-removed",
            JobKind::ForgetSignIns => "forget-sign-ins",
            JobKind::ForgetOAuth => "forget-oauth",
            JobKind::ForgetAudit => "forget-audit",
            JobKind::TrimFeeds => "trim-feeds",
            JobKind::RefreshPoints => "refresh-points",
            JobKind::Orphans => "orphans",
            JobKind::Check => "check",
        }
    }

    /// Reads a name. A newer release may have kinds that this one does not know.
    pub fn parse(name: &str) -> Option<JobKind> {
        JobKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether it books a shipment.
    pub fn is_booking(self) -> bool {
        matches!(self, JobKind::Book | JobKind::BookMember)
    }

    /// The furthest in the future that its alarm is ever set.
    pub fn wait_max(self) -> Duration {
        match self {
            JobKind::Deliver
            | JobKind::Track
            | JobKind::TrimFeeds
            | JobKind::ForgetAttempts
            | JobKind::ForgetReports
            | JobKind::ForgetMerges
            | JobKind::ForgetQuarantine
            | JobKind::ForgetRemoved
            | JobKind::ForgetSignIns
            | JobKind::ForgetOAuth
            | JobKind::ForgetAudit
            | JobKind::RefreshPoints
            | JobKind::Orphans => WAIT_LONG,
            _ => WAIT_SHORT,
        }
    }
}

impl fmt::Display for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in JobKind::ALL {
            assert_eq!(JobKind::parse(kind.name()), Some(*kind));
        }
        assert_eq!(JobKind::parse("newer"), None);
    }
}
