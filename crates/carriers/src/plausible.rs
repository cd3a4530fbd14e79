//! What carriers say of parcels, held against what can be so: it goes on to labels, webhooks and
//! browsers.

use crate::booking::{Accepted, Why};

/// No number of a parcel is longer.
const NUMBER_MAX: usize = 100;
/// No address of a page is longer.
const LINK_MAX: usize = 2000;

/// Why a booking cannot be as the carrier says.
pub fn fault(accepted: &Accepted) -> Option<Why> {
    let numbers: Vec<&str> =
        accepted.parcels.iter().map(|parcel| parcel.tracking_number.as_str()).collect();
    let is_twice =
        |(place, number): (usize, &&str)| !number.is_empty() && numbers[..place].contains(number);
    let reason = if !numbers.iter().all(|number| is_number(number)) {
        "the carrier gave a parcel a number that cannot be one"
    } else if numbers.iter().enumerate().any(is_twice) {
        "the carrier gave two parcels the same number"
    } else {
        return None;
    };
    Some(Why::from(reason.to_owned()))
}

fn is_number(number: &str) -> bool {
    number.len() <= NUMBER_MAX && !number.chars().any(|c| c.is_control() || matches!(c, '<' | '>'))
}

/// The address of a page that people may be led to.
pub fn link(url: &str) -> Option<&str> {
    let is_page = url.starts_with("https://") || url.starts_with("http://");
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte);
    (is_page && url.len() <= LINK_MAX && url.bytes().all(is_plain)).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::booking::BookedParcel;

    fn of(numbers: &[&str]) -> Accepted {
        let parcel = |number: &&str| BookedParcel {
            tracking_number: (*number).to_owned(),
            tracking_url: None,
        };
        Accepted { parcels: numbers.iter().map(parcel).collect(), ..Accepted::default() }
    }

    #[test]
    fn two_parcels_never_have_the_same_number() {
        assert_eq!(fault(&of(&["370 1", "370-2", "Æ/3"])), None);
        let said = fault(&of(&["A1", "B2", "A1"])).unwrap().to_string();
        assert_eq!(said, "the carrier gave two parcels the same number");
    }

    #[test]
    fn what_cannot_be_printed_or_is_endless_is_no_number() {
        for number in ["A\n1", "A\u{7}", "<script>", &"9".repeat(101)] {
            assert!(fault(&of(&[number])).is_some(), "{number}");
        }
    }

    #[test]
    fn people_are_led_to_pages_alone() {
        for url in ["https://track.example/?n=370%201&x=1#a", "http://127.0.0.1:8080/t"] {
            assert_eq!(link(url), Some(url));
        }
        let long = format!("https://x.example/{}", "a".repeat(2000));
        for url in [
            "javascript:alert(1)",
            "https://x.example/a b",
            "//x",
            "",
            &long,
            "https://x.example/\"><script>",
        ] {
            assert_eq!(link(url), None, "{url}");
        }
    }
}
