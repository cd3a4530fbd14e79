//! For how long things are kept that may go. One table: what it is, its name in the setting
//! `--retention`, for how many days it is kept unless the server says otherwise, and how few days
//! it may be.

use std::time::Duration;

use crate::named_list::{ListFault, read_changes};

/// Something that goes after a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Deliveries to webhooks that ended, with their attempts.
    Deliveries,
    /// What was tried with a shipment, once nothing is open about it.
    Attempts,
    /// Reports that ended, with their files.
    Reports,
    /// What carriers said of parcels that cannot be read.
    Quarantine,
    /// Entries of a feed.
    Feed,
    /// Documents that were joined, and papers of a warehouse.
    Merges,
    /// Lines of the audit log.
    Audit,
}

/// A row of the table.
struct Rule {
    name: &'static str,
    /// Unless the server says otherwise.
    days: u32,
    at_least: u32,
    /// Why it cannot be less.
    because: &'static str,
}

/// The table, in the order of the variants.
const TABLE: [Rule; 7] = [
    Rule { name: "deliveries", days: 30, at_least: 2, because: "attempts go on for a day" },
    Rule {
        name: "attempts",
        days: 90,
        at_least: 8,
        because: "carriers are asked about a booking for 7 days",
    },
    // A year ago it was the same month.
    Rule {
        name: "reports",
        days: 400,
        at_least: 2,
        because: "a request for a report may be repeated for a day",
    },
    Rule {
        name: "quarantine",
        days: 90,
        at_least: 31,
        because: "a carrier may repeat for a month what it said",
    },
    // Two days more than promised forgive a clock that jumps.
    Rule {
        name: "feed",
        days: 92,
        at_least: 92,
        because: "entries are promised for 90 days, and a clock may jump",
    },
    Rule {
        name: "merges",
        days: 7,
        at_least: 2,
        because: "a request to merge documents may be repeated for a day",
    },
    Rule {
        name: "audit",
        days: 400,
        at_least: 400,
        because: "what was done is to be seen for more than a year",
    },
];

/// The most days that can be set: a hundred years.
const DAYS_MAX: u32 = 36_500;

/// Why a list of times is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RetentionError {
    /// A part of the list has no `=`.
    #[error("\"{0}\" does not say for how long, such as deliveries=30d")]
    NotATime(String),
    /// Nothing of this name goes after a while.
    #[error("\"{0}\" is none of {names}", names = TABLE.map(|rule| rule.name).join(", "))]
    Unknown(String),
    /// One name stands in the list twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// It is not a number of days that can be one.
    #[error("{name}: \"{value}\" is not a number of days from 1d to {DAYS_MAX}d, such as 30d")]
    NotDays {
        /// What is kept.
        name: &'static str,
        /// What stands after the `=`.
        value: String,
    },
    /// It would go too early.
    #[error("{name}: {days}d is too short; {at_least}d is the least: {because}")]
    TooShort {
        /// What is kept.
        name: &'static str,
        /// What stands after the `=`.
        days: u32,
        /// The least that is possible.
        at_least: u32,
        /// Why it cannot be less.
        because: &'static str,
    },
}

/// For how long a server keeps what may go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Retention([u32; TABLE.len()]);

impl Default for Retention {
    fn default() -> Retention {
        Retention(TABLE.map(|rule| rule.days))
    }
}

impl Retention {
    /// The defaults with the changes of a list such as `deliveries=14d,reports=90d`.
    pub fn parse(list: &str) -> Result<Retention, RetentionError> {
        let names = TABLE.map(|rule| rule.name);
        let changes = read_changes(list, &names).map_err(|fault| match fault {
            ListFault::NoValue(change) => RetentionError::NotATime(change.to_owned()),
            ListFault::Unknown(name) => RetentionError::Unknown(name.to_owned()),
            ListFault::Twice(index) => RetentionError::Twice(names[index]),
        })?;
        let mut retention = Retention::default();
        for (index, value) in changes {
            let Rule { name, at_least, because, .. } = TABLE[index];
            let wrong = || RetentionError::NotDays { name, value: value.to_owned() };
            let days = read_days(value).ok_or_else(wrong)?;
            if days < at_least {
                return Err(RetentionError::TooShort { name, days, at_least, because });
            }
            retention.0[index] = days;
        }
        Ok(retention)
    }

    /// For how long it is kept.
    pub fn life(&self, kept: Kept) -> Duration {
        Duration::from_hours(24) * self.0[kept as usize]
    }
}

fn read_days(value: &str) -> Option<u32> {
    let number = value.strip_suffix('d').filter(|text| text.bytes().all(|c| c.is_ascii_digit()))?;
    number.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [(Kept, &str); TABLE.len()] = [
        (Kept::Deliveries, "deliveries"),
        (Kept::Attempts, "attempts"),
        (Kept::Reports, "reports"),
        (Kept::Quarantine, "quarantine"),
        (Kept::Feed, "feed"),
        (Kept::Merges, "merges"),
        (Kept::Audit, "audit"),
    ];

    fn days(count: u64) -> Duration {
        Duration::from_hours(24 * count)
    }

    #[test]
    fn the_table_has_everything_at_its_place_and_keeps_it_long_enough() {
        for (kept, name) in NAMES {
            let rule = &TABLE[kept as usize];
            assert_eq!(rule.name, name);
            assert!(rule.days >= rule.at_least, "{name}");
        }
    }

    #[test]
    fn a_list_changes_the_times_that_it_names() {
        let retention = Retention::parse("deliveries=14d, reports=36500d").unwrap();
        assert_eq!(retention.life(Kept::Deliveries), days(14));
        assert_eq!(retention.life(Kept::Reports), days(36_500));
        assert_eq!(retention.life(Kept::Attempts), days(90));
        assert_eq!(Retention::parse("").unwrap(), Retention::default());
    }

    #[test]
    fn a_list_that_means_nothing_is_refused_with_what_is_wrong() {
        let refused = |list: &str| Retention::parse(list).unwrap_err().to_string();
        assert_eq!(
            refused("reports"),
            "\"reports\" does not say for how long, such as deliveries=30d"
        );
        assert_eq!(
            refused("shipments=9d"),
            "\"shipments\" is none of deliveries, attempts, reports, quarantine, feed, merges, \
             audit"
        );
        assert_eq!(refused("feed=99d,feed=98d"), "feed is given twice");
        for value in ["0d", "-1d", "30", "12h", "d", "", "+5d", "36501d", "99999999999d"] {
            let said = refused(&format!("reports={value}"));
            assert_eq!(
                said,
                format!(
                    "reports: \"{value}\" is not a number of days from 1d to 36500d, such as 30d"
                )
            );
        }
    }

    #[test]
    fn nothing_goes_before_the_time_for_which_it_is_promised() {
        let refused = |list: &str| Retention::parse(list).unwrap_err().to_string();
        assert_eq!(
            refused("feed=91d"),
            "feed: 91d is too short; 92d is the least: entries are promised for 90 days, and a \
             clock may jump"
        );
        for (kept, name) in NAMES {
            let at_least = TABLE[kept as usize].at_least;
            let least = Retention::parse(&format!("{name}={at_least}d"));
            assert_eq!(least.unwrap().life(kept), days(at_least.into()));
            let less = refused(&format!("{name}={}d", at_least - 1));
            assert!(less.starts_with(name), "{less}");
        }
    }
}
