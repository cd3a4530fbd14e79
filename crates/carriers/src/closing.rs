//! Closing the day with carriers that want to be told what is handed to them.

use async_trait::async_trait;
use jiff::civil::Date;

use crate::Account;
use crate::booking::{Booked, File, Why};

/// A carrier with which the day is closed.
#[async_trait]
pub trait Closing: Send + Sync {
    /// Closes these bookings, and gives what the carrier says of it on paper. What is asked for
    /// again under the same reference is closed once, as far as the carrier can tell.
    async fn close(&self, account: &Account, day: &ClosingDay) -> Result<Vec<File>, CloseError>;
}

/// What is closed.
#[derive(Clone, Debug)]
pub struct ClosingDay {
    /// The same for the same bookings of the same account, whenever they are closed.
    pub reference: String,
    /// The bookings.
    pub bookings: Vec<Booked>,
    /// The date at the merchant.
    pub date: Date,
}

/// Why the day is not closed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CloseError {
    /// The carrier refused: nothing is closed.
    #[error("{0}")]
    Refused(Why),
    /// No usable answer: it may be closed.
    #[error("{0}")]
    Unknown(Why),
}

impl CloseError {
    /// What the carrier said, if it said anything.
    pub fn words(&self) -> Option<String> {
        let (CloseError::Refused(why) | CloseError::Unknown(why)) = self;
        let said: Vec<&str> = why.said.iter().map(|it| it.message.as_str()).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }
}
