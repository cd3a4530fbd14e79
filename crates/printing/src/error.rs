//! Why a printer did not do what it was asked for, and whether it can have heard of it.

use waybill_domain::words::Message;
use waybill_outbound::DirectError;

/// No more of what a printer says is kept.
const WORDS_MAX: usize = 500;

/// Why there is no good answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// Not a byte of the request left.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request may have arrived, and may have been acted on.
    #[error("no usable answer: {0}")]
    Unclear(String),
    /// The printer took nothing, and may take it later.
    #[error("the printer takes nothing now (status 0x{status:04x}): {message}")]
    PutOff {
        /// The status, of IPP or of HTTP.
        status: u16,
        /// The printer's words, or the name of the status.
        message: String,
    },
    /// The printer took nothing, and never will.
    #[error("the printer refuses (status 0x{status:04x}): {message}")]
    Refused {
        /// The status, of IPP or of HTTP.
        status: u16,
        /// The printer's words, or the name of the status.
        message: String,
    },
    /// The address is one that may not be called.
    #[error("the address may not be called")]
    NotAllowed,
    /// The name has no address.
    #[error("the name has no address")]
    UnknownName,
    /// Nobody takes a connection there.
    #[error("there is no connection")]
    NoConnection,
    /// There was no answer in time to a question that changes nothing.
    #[error("there was no answer in time")]
    TimedOut,
    /// Something answers that is not a printer.
    #[error("the answer is not IPP")]
    NotIpp,
    /// There is a server, but no such queue.
    #[error("there is no such queue")]
    NoSuchQueue,
    /// It is open only for those who have a password.
    #[error("the printer wants a password")]
    WantsPassword,
    /// It is open only with TLS.
    #[error("the printer wants TLS")]
    WantsTls,
    /// No authority that the system trusts says who it is.
    #[error("the printer's certificate is not trusted: {0}")]
    NotTrusted(String),
    /// Nobody vouches for it, and its key is not the one that it had when it was added.
    #[error("the certificate changed")]
    OtherKey,
}

impl LinkError {
    /// What callers are told. It stands after the field with the address.
    pub fn message(&self) -> Message {
        let message = Message::new(match self {
            LinkError::NotSent(_) | LinkError::Unclear(_) => "printer-broken",
            LinkError::PutOff { .. } => "printer-put-off",
            LinkError::Refused { .. } => "printer-refused",
            LinkError::NotAllowed => "printer-not-allowed",
            LinkError::UnknownName => "printer-unknown-name",
            LinkError::NoConnection => "printer-no-connection",
            LinkError::TimedOut => "printer-timed-out",
            LinkError::NotIpp => "printer-not-ipp",
            LinkError::NoSuchQueue => "printer-no-such-queue",
            LinkError::WantsPassword => "printer-wants-password",
            LinkError::WantsTls => "printer-wants-tls",
            LinkError::NotTrusted(_) | LinkError::OtherKey => "printer-not-trusted",
        });
        match self {
            LinkError::PutOff { message: said, .. } | LinkError::Refused { message: said, .. } => {
                message.text("said", said)
            }
            _ => message,
        }
    }

    /// Whether the printer may have acted on the request.
    pub fn may_have_arrived(&self) -> bool {
        matches!(self, LinkError::Unclear(_))
    }
}

impl From<DirectError> for LinkError {
    fn from(error: DirectError) -> LinkError {
        match error {
            DirectError::NotAllowed => LinkError::NotAllowed,
            DirectError::UnknownName => LinkError::UnknownName,
            DirectError::NoConnection(_) => LinkError::NoConnection,
            DirectError::TooSlow => LinkError::TimedOut,
            DirectError::Tls(error) => LinkError::NotTrusted(error.to_string()),
            DirectError::OtherKey => LinkError::OtherKey,
        }
    }
}

/// A printer's words, without control characters and cut when they are long.
pub(crate) fn clean(words: &str) -> String {
    let plain = words.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let visible: String = plain.filter(|c| !c.is_control()).take(WORDS_MAX).collect();
    visible.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use waybill_domain::language::Language;

    use super::*;

    fn all() -> Vec<LinkError> {
        let (status, message) = (0x0507, "warming up".to_owned());
        vec![
            LinkError::NotSent("why".to_owned()),
            LinkError::Unclear("why".to_owned()),
            LinkError::PutOff { status, message: message.clone() },
            LinkError::Refused { status, message },
            LinkError::NotAllowed,
            LinkError::UnknownName,
            LinkError::NoConnection,
            LinkError::TimedOut,
            LinkError::NotIpp,
            LinkError::NoSuchQueue,
            LinkError::WantsPassword,
            LinkError::WantsTls,
            LinkError::NotTrusted("why".to_owned()),
            LinkError::OtherKey,
        ]
    }

    #[test]
    fn every_error_has_a_sentence_and_quotes_the_printer() {
        for error in all() {
            let message = error.message();
            let said = message.say(Language::En);
            assert_ne!(said, message.key(), "{error}");
            let is_quoted = matches!(error, LinkError::PutOff { .. } | LinkError::Refused { .. });
            assert_eq!(said.contains("warming up"), is_quoted, "{said}");
        }
    }

    #[test]
    fn only_what_is_unclear_may_have_arrived() {
        let arrived = all().into_iter().filter(LinkError::may_have_arrived);
        assert_eq!(arrived.collect::<Vec<_>>(), [LinkError::Unclear("why".to_owned())]);
    }

    #[test]
    fn words_of_a_printer_are_cut_and_have_no_control_characters() {
        assert_eq!(clean(" out of\n\u{1b}[1mpaper\u{0} "), "out of [1mpaper");
        assert_eq!(clean(&"ø".repeat(501)).chars().count(), 500);
    }
}
