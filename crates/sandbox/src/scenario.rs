//! What the sandbox carrier is told to do, by words in the customer's reference: `sim:drop`,
//! `sim:delay=15s`. Words may be combined. A word that it does not know is an error, no surprise.

use std::time::Duration;

use waybill_domain::time::parse_duration;

/// How a booking is to go wrong, or what comes with it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scenario {
    /// Nothing is created, and the reply says why.
    pub reject: bool,
    /// Booked and answered only after this time.
    pub delay: Option<Duration>,
    /// Answered with this status before anything happened.
    pub error: Option<u16>,
    /// Booked, then the connection breaks.
    pub drop: bool,
    /// Booked at once, answered after this time.
    pub late: Option<Duration>,
    /// Whether the label can be had.
    pub documents: Documents,
    /// Booked, then answered with nonsense.
    pub garbage: bool,
    /// All parcels but the last are booked.
    pub partial: bool,
    /// QR codes come with it.
    pub qr: bool,
    /// Drop-off codes come with it.
    pub drop_off: bool,
    /// One tracking event in each such time.
    pub track: Option<Duration>,
    /// It cannot be cancelled.
    pub refuse_cancel: bool,
    /// It has no price.
    pub no_quote: bool,
    /// The price of this service is told after this time.
    pub slow_quote: Option<(String, Duration)>,
    /// The first time it is cancelled, the connection breaks instead of an answer.
    pub drop_cancel: bool,
}

/// Whether the label of a booking can be had.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Documents {
    /// With the booking, and at any time after.
    #[default]
    Ready,
    /// Not with the booking, and not when first asked for.
    FailOnce,
    /// Only this long after the booking.
    After(Duration),
    /// Never.
    Fail,
}

/// A word that the sandbox does not know. This is told to the one who wrote it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("The sandbox does not know sim:{0}.")]
pub struct UnknownWord(String);

impl Scenario {
    /// Reads the words in a reference.
    pub fn parse(reference: &str) -> Result<Scenario, UnknownWord> {
        let mut scenario = Scenario::default();
        for word in reference.split_whitespace().filter_map(|word| word.strip_prefix("sim:")) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let is_known = scenario.apply(name, value).is_some();
            if !is_known {
                return Err(UnknownWord(word.to_owned()));
            }
        }
        Ok(scenario)
    }

    fn apply(&mut self, name: &str, value: &str) -> Option<()> {
        match (name, value) {
            ("reject", "") => self.reject = true,
            ("drop", "") => self.drop = true,
            ("garbage", "") => self.garbage = true,
            ("partial", "") => self.partial = true,
            ("qr", "") => self.qr = true,
            ("dropoff", "") => self.drop_off = true,
            ("cancel", "refuse") => self.refuse_cancel = true,
            ("cancel", "drop") => self.drop_cancel = true,
            ("quote", "fail") => self.no_quote = true,
            ("quote", _) => {
                let (service, time) = value.split_once(':')?;
                self.slow_quote = Some((service.to_owned(), parse_duration(time)?));
            }
            ("documents", "fail") => self.documents = Documents::Fail,
            ("documents", "fail-once") => self.documents = Documents::FailOnce,
            ("documents", _) => self.documents = Documents::After(parse_duration(value)?),
            ("delay", _) => self.delay = Some(parse_duration(value)?),
            ("late", _) => self.late = Some(parse_duration(value)?),
            ("track", _) => self.track = Some(parse_duration(value)?),
            ("error", _) => {
                let status = value.parse().ok().filter(|status| (400..600).contains(status));
                self.error = Some(status?);
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_anywhere_and_combined() {
        let scenario = Scenario::parse("ORDER-1 sim:delay=200ms sim:documents=fail-once").unwrap();
        assert_eq!(scenario.delay, Some(Duration::from_millis(200)));
        assert_eq!(scenario.documents, Documents::FailOnce);
        assert_eq!(Scenario::parse("ORDER-1 simple sim"), Ok(Scenario::default()));
        assert_eq!(Scenario::parse("sim:late=2m").unwrap().late, Some(Duration::from_secs(120)));
        let after = Documents::After(Duration::from_secs(10));
        assert_eq!(Scenario::parse("sim:documents=10s").unwrap().documents, after);
        assert_eq!(Scenario::parse("sim:error=503").unwrap().error, Some(503));
    }

    #[test]
    fn a_word_that_means_nothing_is_an_error() {
        for word in [
            "sim:",
            "sim:gold",
            "sim:drop=1",
            "sim:delay",
            "sim:delay=15",
            "sim:delay=s",
            "sim:delay=-1s",
            "sim:delay=2h",
            "sim:late=61m",
            "sim:error=200",
            "sim:error=70000",
            "sim:delay=99999999999999999999s",
            "sim:documents=maybe",
            "sim:quote",
            "sim:quote=express",
        ] {
            assert!(Scenario::parse(word).is_err(), "{word}");
        }
    }
}
