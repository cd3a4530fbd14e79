//! What is heard from a carrier, without what lets us in. Carriers repeat what they were sent: a
//! complaint quotes the key, a page shows the whole request. Their words go on to whoever asked,
//! into the log and into the database.
//!
//! Only words for people are looked through. Numbers, links and papers stay as they are: a customer
//! number that is part of a parcel's number is no secret there.

use std::cell::OnceCell;

use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::tracking::{TrackingAnswer, TrackingEvent, Unreadable};
use waybill_outbound::Secrets;

use crate::account::{Account, Verdict};
use crate::booking::{CarrierFiles, Complaint, File, Found, Outcome, Why};
use crate::carrier::{Cancelled, CarrierBooking};
use crate::closing::CloseError;
use crate::error::CarrierError;
use crate::session::{DialFailure, Session};
use crate::tracking::{NumberAnswer, Refused};

/// Hides what lets this account in. Most answers have no words, so what is secret is worked out
/// when the first is met.
pub struct Redactor<'a> {
    account: &'a Account,
    secrets: OnceCell<Secrets>,
}

impl<'a> Redactor<'a> {
    /// Hides what lets this account in.
    pub fn new(account: &'a Account) -> Redactor<'a> {
        Redactor { account, secrets: OnceCell::new() }
    }

    fn secrets(&self) -> &Secrets {
        self.secrets.get_or_init(|| self.account.secrets())
    }

    /// In words for people.
    fn words(&self, text: &mut String) {
        *text = self.secrets().hide_in_words(text);
    }

    /// In words that an ordinary word must not be missing from.
    fn note(&self, text: &mut Option<String>) {
        if let Some(text) = text {
            *text = self.secrets().hide_in_notes(text);
        }
    }

    fn complaints(&self, complaints: &mut [Complaint]) {
        for Complaint { path, code, message } in complaints {
            self.words(message);
            code.iter_mut().for_each(|code| self.words(code));
            self.note(path);
        }
    }

    fn why(&self, Why { reason, said }: &mut Why) {
        self.words(reason);
        self.complaints(said);
    }
}

/// An answer of a carrier.
pub trait Redact {
    /// Hides what lets us in, wherever words for people are.
    fn redact(&mut self, redactor: &Redactor<'_>);
}

impl<T: Redact, E: Redact> Redact for Result<T, E> {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            Ok(answer) => answer.redact(redactor),
            Err(error) => error.redact(redactor),
        }
    }
}

impl Redact for Outcome {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            Outcome::Accepted(_) => {}
            Outcome::Partial(partial) => redactor.complaints(&mut partial.complaints),
            Outcome::Rejected(complaints) => redactor.complaints(complaints),
            Outcome::AccessDenied(why)
            | Outcome::NotSent(why)
            | Outcome::TurnedAway(why, _)
            | Outcome::Unknown(why) => redactor.why(why),
        }
    }
}

impl Redact for Found {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            Found::Accepted(_) | Found::Absent => {}
            Found::Partial(partial) => redactor.complaints(&mut partial.complaints),
            Found::Unknown(why) => redactor.why(why),
        }
    }
}

impl Redact for Verdict {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            Verdict::Good => {}
            Verdict::Refused(why) | Verdict::Unknown(why) => redactor.why(why),
        }
    }
}

impl Redact for Cancelled {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            Cancelled::Done => {}
            Cancelled::Refused(words) | Cancelled::NotSent(words) | Cancelled::Unknown(words) => {
                redactor.words(words);
            }
        }
    }
}

impl Redact for Why {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        redactor.why(self);
    }
}

impl Redact for DialFailure {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        let (DialFailure::Unreachable(why) | DialFailure::AccessDenied(why)) = self;
        redactor.why(why);
    }
}

impl Redact for CloseError {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        let (CloseError::Refused(why) | CloseError::Unknown(why)) = self;
        redactor.why(why);
    }
}

impl Redact for CarrierError {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        match self {
            CarrierError::AccessDenied(why) | CarrierError::Unexpected(why) => redactor.why(why),
            CarrierError::Unreachable(words)
            | CarrierError::NoAnswer(words)
            | CarrierError::Unwritable(words) => redactor.words(words),
            CarrierError::Unreadable(_) | CarrierError::TooSlow => {}
        }
    }
}

impl Redact for Vec<NumberAnswer> {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        for (_number, answer) in self {
            match answer {
                TrackingAnswer::Report(report) => report.events.redact(redactor),
                TrackingAnswer::Unreadable(unreadable) => unreadable.redact(redactor),
                TrackingAnswer::Later(_) => {}
            }
        }
    }
}

impl Redact for Vec<Result<TrackingEvent, Unreadable>> {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        self.iter_mut().for_each(|event| event.redact(redactor));
    }
}

impl Redact for TrackingEvent {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        redactor.note(&mut self.location);
        redactor.note(&mut self.note);
    }
}

impl Redact for Unreadable {
    fn redact(&mut self, redactor: &Redactor<'_>) {
        redactor.words(&mut self.raw);
        redactor.words(&mut self.why);
    }
}

/// Answers without words for people.
macro_rules! wordless {
    ($($answer:ty),* $(,)?) => {
        $(impl Redact for $answer {
            fn redact(&mut self, _: &Redactor<'_>) {}
        })*
    };
}

wordless!(
    Session,
    CarrierFiles,
    Vec<File>,
    Vec<Point>,
    Vec<CarrierBooking>,
    Option<Money>,
    Refused,
);
