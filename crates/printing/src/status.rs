//! What the statuses of IPP mean for a request.

use crate::error::{LinkError, clean};
use crate::ipp::{Message, group};

/// `client-error-not-found`.
pub(crate) const NOT_FOUND: u16 = 0x0406;
/// `client-error-gone`.
pub(crate) const GONE: u16 = 0x0407;
/// `server-error-version-not-supported`.
pub(crate) const VERSION_NOT_SUPPORTED: u16 = 0x0503;

/// What a status says about a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// Nothing was taken; later it may be.
    PutOff,
    /// Nothing was taken, and nothing ever will.
    Refused,
    /// Only who has a password is let in.
    WantsPassword,
    /// What it is about does not exist.
    Missing,
    /// Something went wrong, at a moment that is not told: a part may have been printed.
    Interrupted,
}

/// The statuses that mean an error: RFC 8011 appendix B, and what IANA has registered since then.
const STATUSES: &[(u16, &str, Meaning)] = &[
    (0x0400, "bad-request", Meaning::Refused),
    (0x0401, "forbidden", Meaning::Refused),
    (0x0402, "not-authenticated", Meaning::WantsPassword),
    (0x0403, "not-authorized", Meaning::Refused),
    (0x0404, "not-possible", Meaning::Refused),
    // It waited for more of the document, and may print what it has.
    (0x0405, "timeout", Meaning::Interrupted),
    (NOT_FOUND, "not-found", Meaning::Missing),
    (GONE, "gone", Meaning::Missing),
    (0x0408, "request-entity-too-large", Meaning::Refused),
    (0x0409, "request-value-too-long", Meaning::Refused),
    (0x040a, "document-format-not-supported", Meaning::Refused),
    (0x040b, "attributes-or-values-not-supported", Meaning::Refused),
    (0x040c, "uri-scheme-not-supported", Meaning::Refused),
    (0x040d, "charset-not-supported", Meaning::Refused),
    (0x040e, "conflicting-attributes", Meaning::Refused),
    (0x040f, "compression-not-supported", Meaning::Refused),
    (0x0410, "compression-error", Meaning::Refused),
    (0x0411, "document-format-error", Meaning::Refused),
    (0x0412, "document-access-error", Meaning::Refused),
    (0x0413, "attributes-not-settable", Meaning::Refused),
    (0x0414, "ignored-all-subscriptions", Meaning::Refused),
    (0x0415, "too-many-subscriptions", Meaning::Refused),
    (0x0418, "document-password-error", Meaning::Refused),
    (0x0419, "document-permission-error", Meaning::Refused),
    (0x041a, "document-security-error", Meaning::Refused),
    (0x041b, "document-unprintable-error", Meaning::Refused),
    (0x041c, "account-info-needed", Meaning::Refused),
    (0x041d, "account-closed", Meaning::Refused),
    (0x041e, "account-limit-reached", Meaning::Refused),
    (0x041f, "account-authorization-failed", Meaning::Refused),
    (0x0420, "not-fetchable", Meaning::Refused),
    (0x0500, "internal-error", Meaning::Interrupted),
    (0x0501, "operation-not-supported", Meaning::Refused),
    (0x0502, "service-unavailable", Meaning::PutOff),
    (VERSION_NOT_SUPPORTED, "version-not-supported", Meaning::Refused),
    (0x0504, "device-error", Meaning::Interrupted),
    (0x0505, "temporary-error", Meaning::PutOff),
    (0x0506, "not-accepting-jobs", Meaning::PutOff),
    (0x0507, "busy", Meaning::PutOff),
    // Somebody cancelled it while it was taken, perhaps printed.
    (0x0508, "job-canceled", Meaning::Interrupted),
    // The job has a document already.
    (0x0509, "multiple-document-jobs-not-supported", Meaning::Interrupted),
    (0x050a, "printer-is-deactivated", Meaning::PutOff),
    (0x050b, "too-many-jobs", Meaning::PutOff),
    (0x050c, "too-many-documents", Meaning::PutOff),
];

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To know something. It may be asked as often as we like.
    Look,
    /// To make or cancel a job that has no document: nothing is printed by it.
    Change,
    /// To print.
    Print,
}

/// Whether a status is a success, with or without remarks.
fn is_success(status: u16) -> bool {
    status < 0x0100
}

/// The answer itself, or what its status says against it. What is missing is the job, when the
/// request named one.
pub(crate) fn check(
    answer: Message,
    purpose: Purpose,
    is_about_job: bool,
) -> Result<Message, LinkError> {
    let status = answer.code;
    if is_success(status) {
        return Ok(answer);
    }
    let (name, meaning) = look_up(status);
    let said = answer.group(group::OPERATION).and_then(|group| group.text("status-message"));
    let message = said.map(clean).filter(|said| !said.is_empty());
    let message = message.unwrap_or_else(|| name.to_owned());
    Err(match meaning {
        Meaning::PutOff => LinkError::PutOff { status, message },
        Meaning::Refused => LinkError::Refused { status, message },
        Meaning::WantsPassword if purpose == Purpose::Look => LinkError::WantsPassword,
        Meaning::WantsPassword => LinkError::Refused { status, message },
        Meaning::Missing if is_about_job => LinkError::Refused { status, message },
        Meaning::Missing => LinkError::NoSuchQueue,
        Meaning::Interrupted if purpose == Purpose::Print => {
            LinkError::Unclear(format!("status 0x{status:04x}: {message}"))
        }
        Meaning::Interrupted => LinkError::PutOff { status, message },
    })
}

/// A status that no table has is a refusal when it is said to be the client's error, and otherwise
/// not understood.
fn look_up(status: u16) -> (&'static str, Meaning) {
    match STATUSES.iter().find(|(known, ..)| *known == status) {
        Some((_, name, meaning)) => (name, *meaning),
        None if (0x0400..0x0500).contains(&status) => ("client-error", Meaning::Refused),
        None => ("server-error", Meaning::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipp::{Group, Kind, Value};

    fn outcome(status: u16, purpose: Purpose) -> Option<LinkError> {
        check(Message::new((2, 0), status, 1), purpose, false).err()
    }

    #[test]
    fn every_status_has_one_meaning() {
        for pair in STATUSES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "0x{:04x} is out of order", pair[1].0);
        }
        for purpose in [Purpose::Look, Purpose::Change, Purpose::Print] {
            for status in 0..=u16::MAX {
                assert_eq!(outcome(status, purpose).is_none(), status < 0x100, "{status:04x}");
            }
        }
    }

    #[test]
    fn a_status_says_whether_to_try_again() {
        let kind = |status, purpose| match outcome(status, purpose).unwrap() {
            LinkError::PutOff { .. } => "put off",
            LinkError::Refused { .. } => "refused",
            LinkError::Unclear(_) => "unclear",
            LinkError::NoSuchQueue => "missing",
            other => panic!("{other}"),
        };
        for status in [0x0502, 0x0505, 0x0506, 0x0507, 0x050a, 0x050b, 0x050c] {
            assert_eq!(kind(status, Purpose::Print), "put off", "{status:04x}");
        }
        for status in (0x0400..0x0500).chain([0x0501, 0x0503]) {
            let expected = match status {
                0x0405 => "unclear",
                0x0406 | 0x0407 => "missing",
                _ => "refused",
            };
            assert_eq!(kind(status, Purpose::Print), expected, "{status:04x}");
        }
    }

    #[test]
    fn who_asks_for_a_password_refuses_jobs() {
        assert_eq!(outcome(0x0402, Purpose::Look), Some(LinkError::WantsPassword));
        let refused = outcome(0x0402, Purpose::Change);
        assert!(matches!(refused, Some(LinkError::Refused { status: 0x0402, .. })));
    }

    #[test]
    fn what_is_missing_is_the_job_when_there_is_one() {
        for status in [NOT_FOUND, GONE] {
            let answer = Message::new((2, 0), status, 1);
            let missing = check(answer, Purpose::Look, true).unwrap_err();
            assert!(matches!(missing, LinkError::Refused { status: it, .. } if it == status));
        }
    }

    #[test]
    fn an_error_in_the_midst_of_printing_proves_nothing() {
        for status in
            [0x0405, 0x0500, 0x0504, 0x0508, 0x0509, 0x05ff, 0x0100, 0x0200, 0x1000, 0xffff]
        {
            let unclear = outcome(status, Purpose::Print).unwrap();
            assert!(unclear.may_have_arrived(), "{status:04x}");
            let put_off = outcome(status, Purpose::Change).unwrap();
            assert!(matches!(put_off, LinkError::PutOff { .. }), "{status:04x}");
        }
    }

    #[test]
    fn a_printer_is_quoted_when_it_says_why() {
        let words = Value::text(Kind::Text, "Out of\u{7} paper");
        let group = Group::new(group::OPERATION).with("status-message", words);
        let answer = Message::new((2, 0), 0x0507, 1).with(group);
        let message = "Out of paper".to_owned();
        assert_eq!(
            check(answer, Purpose::Look, false),
            Err(LinkError::PutOff { status: 0x0507, message })
        );
        let message = "busy".to_owned();
        assert_eq!(
            outcome(0x0507, Purpose::Look),
            Some(LinkError::PutOff { status: 0x0507, message })
        );
    }
}
