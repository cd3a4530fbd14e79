//! Cursors: what is sealed opens where it was sealed and nowhere else, and nothing else opens.

#![no_main]

use libfuzzer_sys::fuzz_target;
use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::page::{Cursor, CursorScope, Direction, Sealer};
use waybill_domain::time::Time;
use waybill_fuzz::bytes::Bytes;

const LISTS: [&str; 3] = ["listShipments", "listDocuments", ""];

fuzz_target!(|input: &[u8]| {
    let mut bytes = Bytes::new(input);
    let mut key = bytes.array();
    let sealer = Sealer::new(key);
    let cursor = cursor(&mut bytes);
    let (list, team) = (usize::from(bytes.byte()) % LISTS.len(), bytes.array());
    let (place_of_change, change) = (bytes.array(), bytes.byte());
    let length = usize::from(bytes.byte());
    let filters = String::from_utf8_lossy(bytes.slice(length)).into_owned();
    let place =
        CursorScope { list: LISTS[list], team: TeamId(Uuid::from_bytes(team)), filters: &filters };
    let text = bytes.text();

    let sealed = sealer.seal(place, cursor);
    assert_eq!(sealer.open(place, &sealed), Some(cursor));
    check_shape(&sealed);
    check_arbitrary(&sealer, place, &text);
    check_changed(&sealer, place, &sealed, u16::from_le_bytes(place_of_change), change);
    check_lengths(&sealer, place, &sealed, &text);
    check_elsewhere(&sealer, place, &sealed, list, &text);
    key[31] ^= 1;
    assert_eq!(Sealer::new(key).open(place, &sealed), None, "another key");
});

/// A sync boundary of `i64::MIN` is no moment: it stands for none.
fn cursor(bytes: &mut Bytes) -> Cursor {
    let is_next = bytes.byte().is_multiple_of(2);
    let direction = if is_next { Direction::Next } else { Direction::Previous };
    let at = i64::from_be_bytes(bytes.array());
    let id = Uuid::from_bytes(bytes.array());
    let sync_until = i64::from_be_bytes(bytes.array());
    let sync_until = (sync_until != i64::MIN).then_some(Time(sync_until));
    Cursor { direction, at, id, sync_until }
}

/// It fits into a URL as it is.
fn check_shape(sealed: &str) {
    assert!(sealed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
}

/// Any text: a cursor comes out only if sealing it gives that text.
fn check_arbitrary(sealer: &Sealer, place: CursorScope, text: &str) {
    if let Some(cursor) = sealer.open(place, text) {
        assert_eq!(sealer.seal(place, cursor), text, "two texts for one cursor");
    }
}

/// The bits that the input chose, flipped in the byte that it chose.
fn check_changed(sealer: &Sealer, place: CursorScope, sealed: &str, at: u16, change: u8) {
    let mut changed = sealed.as_bytes().to_vec();
    let at = usize::from(at) % changed.len();
    changed[at] ^= change;
    let Ok(changed) = String::from_utf8(changed) else { return };
    if changed != sealed {
        assert_eq!(sealer.open(place, &changed), None, "a changed text opens");
    }
}

/// Longer, shorter and padded texts.
fn check_lengths(sealer: &Sealer, place: CursorScope, sealed: &str, text: &str) {
    for cut in [1, sealed.len() / 2, sealed.len() - 1] {
        assert_eq!(sealer.open(place, &sealed[..cut]), None);
        assert_eq!(sealer.open(place, &sealed[cut..]), None);
    }
    for more in [text, "=", "==", "A", "\n"].into_iter().filter(|more| !more.is_empty()) {
        assert_eq!(sealer.open(place, &format!("{sealed}{more}")), None);
        assert_eq!(sealer.open(place, &format!("{more}{sealed}")), None);
    }
}

/// Another list, team or filter.
fn check_elsewhere(sealer: &Sealer, place: CursorScope, sealed: &str, list: usize, text: &str) {
    let other_team = TeamId(Uuid::from_u128(place.team.0.as_u128() ^ 1));
    let other_filters = format!("{}{}", place.filters, if text.is_empty() { "x" } else { text });
    let elsewhere = [
        CursorScope { list: LISTS[(list + 1) % LISTS.len()], ..place },
        CursorScope { team: other_team, ..place },
        CursorScope { filters: &other_filters, ..place },
    ];
    for elsewhere in elsewhere {
        assert_eq!(sealer.open(elsewhere, sealed), None);
    }
}
