//! Positions in lists. A cursor is sealed: base64url of the position with a MAC over list, team and
//! filters, so that one from another list, team or filter, or a changed one, is refused.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::ids::TeamId;
use crate::secret::Secret;
use crate::time::Time;

const VERSION: u8 = 1;
const MAC_LENGTH: usize = 16;
const BODY_LENGTH: usize = 1 + 1 + 8 + 16 + 8;

/// Where a page begins: after this row, or before it when going back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// Where the page goes from here.
    pub direction: Direction,
    /// The first sort key: a time or a feed position.
    pub at: i64,
    /// The second sort key, which makes the order total. Positions of the feed need none: there it
    /// is the epoch in which the position was told.
    pub id: Uuid,
    /// The boundary of an incremental sync, fixed on its first page.
    pub sync_until: Option<Time>,
}

impl Cursor {
    /// The direction of a page of a list that is newest first, the id from which it goes, and the
    /// id at which it ends at the latest: the other end of the list.
    pub fn between(cursor: Option<Cursor>) -> (Direction, Uuid, Uuid) {
        match cursor {
            None => (Direction::Next, Uuid::max(), Uuid::nil()),
            Some(Cursor { direction: Direction::Next, id, .. }) => {
                (Direction::Next, id, Uuid::nil())
            }
            Some(Cursor { direction: Direction::Previous, id, .. }) => {
                (Direction::Previous, id, Uuid::max())
            }
        }
    }
}

/// The direction of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Towards the end of the list.
    Next,
    /// Towards its beginning.
    Previous,
}

/// What a cursor belongs to. Its filters are written as `name=value`, in a fixed order.
#[derive(Clone, Copy)]
pub struct CursorScope<'a> {
    /// The operation that lists.
    pub list: &'static str,
    /// The team whose list it is.
    pub team: TeamId,
    /// The filters and the sort order, in one text.
    pub filters: &'a str,
}

/// The keys of cursors: the first seals, and any opens.
#[derive(Clone, Debug)]
pub struct Sealer {
    key: Secret<[u8; 32]>,
    others: Vec<Secret<[u8; 32]>>,
}

impl Sealer {
    /// Seals with this key.
    pub fn new(key: [u8; 32]) -> Sealer {
        Sealer { key: Secret::new(key), others: Vec::new() }
    }

    /// Opens also what was sealed with this key.
    pub fn opening(mut self, key: [u8; 32]) -> Sealer {
        self.others.push(Secret::new(key));
        self
    }

    /// The cursor as opaque text.
    pub fn seal(&self, scope: CursorScope, cursor: Cursor) -> String {
        let mut body = Vec::with_capacity(BODY_LENGTH + MAC_LENGTH);
        body.push(VERSION);
        body.push(match cursor.direction {
            Direction::Next => 0,
            Direction::Previous => 1,
        });
        body.extend(cursor.at.to_be_bytes());
        body.extend(cursor.id.as_bytes());
        body.extend(cursor.sync_until.map_or(i64::MIN, |time| time.0).to_be_bytes());
        let mac = mac_of(&self.key, scope, &body).finalize().into_bytes();
        body.extend(&mac[..MAC_LENGTH]);
        URL_SAFE_NO_PAD.encode(body)
    }

    /// The cursor, when it was sealed by us for exactly this place.
    pub fn open(&self, scope: CursorScope, text: &str) -> Option<Cursor> {
        let sealed = unwrap(text)?;
        let (body, mac) = sealed.split_at(BODY_LENGTH);
        let is_by = |key| mac_of(key, scope, body).verify_truncated_left(mac).is_ok();
        if !is_by(&self.key) && !self.others.iter().any(is_by) {
            return None;
        }
        let direction = match body[..2] {
            [VERSION, 0] => Direction::Next,
            [VERSION, 1] => Direction::Previous,
            _ => return None,
        };
        let at = i64::from_be_bytes(body[2..10].try_into().ok()?);
        let id = Uuid::from_slice(&body[10..26]).ok()?;
        let sync_until = i64::from_be_bytes(body[26..34].try_into().ok()?);
        let sync_until = (sync_until != i64::MIN).then_some(Time(sync_until));
        Some(Cursor { direction, at, id, sync_until })
    }
}

/// Whether this has the form of a cursor, of whatever list.
pub fn is_cursor(text: &str) -> bool {
    unwrap(text).is_some()
}

fn unwrap(text: &str) -> Option<Vec<u8>> {
    let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
    (sealed.len() == BODY_LENGTH + MAC_LENGTH).then_some(sealed)
}

fn mac_of(key: &Secret<[u8; 32]>, scope: CursorScope, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.expose())
        .expect("HMAC takes a key of any length");
    // Lengths are fixed or hashed away, so no two places give the same bytes.
    mac.update(&Sha256::digest(scope.list.as_bytes()));
    mac.update(scope.team.0.as_bytes());
    mac.update(&Sha256::digest(scope.filters.as_bytes()));
    mac.update(body);
    mac
}

/// One page of rows and the cursors around it.
#[derive(Debug)]
pub struct Page<T> {
    /// The rows, in the list's order.
    pub rows: Vec<T>,
    /// Where the next page begins, when there is one.
    pub next: Option<Cursor>,
    /// Where the previous page begins, when there is one.
    pub previous: Option<Cursor>,
    /// Where to go on later, in a list that goes on.
    pub resume: Option<Cursor>,
    /// The boundary of an incremental sync.
    pub sync_until: Option<Time>,
}

impl<T> Page<T> {
    /// Makes a page of rows that were selected from `from` on, one more than `wanted` when there
    /// are more. Rows of a page that goes back come in reverse order.
    pub fn new(
        mut rows: Vec<T>,
        wanted: usize,
        from: Option<Cursor>,
        key: impl Fn(&T) -> (i64, Uuid),
    ) -> Page<T> {
        let has_more = rows.len() > wanted;
        rows.truncate(wanted);
        let direction = from.map_or(Direction::Next, |cursor| cursor.direction);
        if direction == Direction::Previous {
            rows.reverse();
        }
        let sync_until = from.and_then(|cursor| cursor.sync_until);
        let cursor = |direction, row: &T| {
            let (at, id) = key(row);
            Cursor { direction, at, id, sync_until }
        };
        let (has_next, has_previous) = match direction {
            Direction::Next => (has_more, from.is_some()),
            Direction::Previous => (true, has_more),
        };
        let next = rows.last().filter(|_| has_next).map(|row| cursor(Direction::Next, row));
        let previous =
            rows.first().filter(|_| has_previous).map(|row| cursor(Direction::Previous, row));
        Page { rows, next, previous, resume: None, sync_until }
    }
}

impl<T> Page<T> {
    /// Fixes the boundary of a sync, which the cursors carry.
    pub fn until(mut self, sync_until: Time) -> Page<T> {
        for cursor in [&mut self.next, &mut self.previous].into_iter().flatten() {
            cursor.sync_until = Some(sync_until);
        }
        self.sync_until = Some(sync_until);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealer() -> Sealer {
        Sealer::new([7; 32])
    }

    fn scope(filters: &str) -> CursorScope<'_> {
        CursorScope { list: "listShipments", team: TeamId(Uuid::from_u128(1)), filters }
    }

    fn cursor() -> Cursor {
        Cursor {
            direction: Direction::Next,
            at: 42,
            id: Uuid::from_u128(9),
            sync_until: Some(Time(77)),
        }
    }

    #[test]
    fn a_cursor_opens_where_it_was_sealed() {
        for cursor in
            [cursor(), Cursor { direction: Direction::Previous, sync_until: None, ..cursor() }]
        {
            let text = sealer().seal(scope("state=booked"), cursor);
            assert_eq!(sealer().open(scope("state=booked"), &text), Some(cursor));
        }
    }

    #[test]
    fn a_cursor_of_another_list_team_filter_or_key_is_refused() {
        let text = sealer().seal(scope("a=1"), cursor());
        let elsewhere = [
            CursorScope { list: "listDocuments", ..scope("a=1") },
            CursorScope { team: TeamId(Uuid::from_u128(2)), ..scope("a=1") },
            scope("a=2"),
        ];
        for scope in elsewhere {
            assert_eq!(sealer().open(scope, &text), None);
        }
        assert_eq!(Sealer::new([8; 32]).open(scope("a=1"), &text), None);
    }

    #[test]
    fn a_cursor_outlives_its_key_while_that_is_kept() {
        let text = sealer().seal(scope(""), cursor());
        let rotated = Sealer::new([8; 32]).opening([7; 32]);
        assert_eq!(rotated.open(scope(""), &text), Some(cursor()));
        let fresh = rotated.seal(scope(""), cursor());
        assert_eq!(Sealer::new([8; 32]).open(scope(""), &fresh), Some(cursor()));
        assert_eq!(sealer().open(scope(""), &fresh), None);
    }

    #[test]
    fn a_cursor_with_any_bit_flipped_is_refused() {
        let text = sealer().seal(scope(""), cursor());
        let sealed = URL_SAFE_NO_PAD.decode(&text).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let changed = URL_SAFE_NO_PAD.encode(changed);
            assert_eq!(sealer().open(scope(""), &changed), None, "bit {bit}");
        }
        for text in ["", "A", "!!!", &text[1..], &format!("{text}A"), &format!("{text}=")] {
            assert_eq!(sealer().open(scope(""), text), None);
        }
    }

    /// A list of 0..count in this order, read the way a store reads it.
    fn select(count: i64, from: Option<Cursor>, wanted: usize) -> Page<i64> {
        let all = 0..count;
        let rows: Vec<i64> = match from {
            None => all.take(wanted + 1).collect(),
            Some(Cursor { direction: Direction::Next, at, .. }) => {
                all.filter(|n| *n > at).take(wanted + 1).collect()
            }
            Some(Cursor { at, .. }) => all.rev().filter(|n| *n < at).take(wanted + 1).collect(),
        };
        Page::new(rows, wanted, from, |n| (*n, Uuid::nil()))
    }

    #[test]
    fn pages_forth_and_back_cover_the_list_without_a_gap() {
        for count in 0..8 {
            let mut seen: Vec<i64> = Vec::new();
            let mut page = select(count, None, 3);
            assert!(page.previous.is_none());
            let mut last = None;
            loop {
                seen.extend(&page.rows);
                last = page.previous.or(last);
                let Some(next) = page.next else { break };
                page = select(count, Some(next), 3);
                assert!(page.previous.is_some());
            }
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
            if let Some(back) = last {
                let page = select(count, Some(back), 3);
                assert!(page.next.is_some() && page.rows.len() == 3, "{page:?}");
            }
        }
    }
}
