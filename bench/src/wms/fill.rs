//! Items with stock that lies there for a year, made by the database itself.

use waybill_domain::ids::TeamId;
use waybill_store::{Store, Tx};

use crate::booking::fixture::Fixture;
use crate::measure::Failure;

/// Rows of one statement: a server gives up what takes longer than half a minute.
const CHUNK: i64 = 50_000;
/// Pieces at each level: nothing that is measured uses them up.
pub const PIECES: i64 = 1_000_000;
const YEAR: i64 = 365 * 86_400_000_000;

/// The kinds of ids.
#[derive(Clone, Copy)]
enum Kind {
    Item = 1,
    Level,
    Adjustment,
}

/// What was stored so far.
pub struct Stock {
    store: Store,
    team: TeamId,
    /// A year ago, in microseconds.
    since: i64,
    /// Levels of each item.
    each: i64,
    items: i64,
}

impl Stock {
    /// Nothing yet.
    pub fn new(fixture: &Fixture, each: i64) -> Stock {
        let store = fixture.app.store().clone();
        let since = fixture.app.now().0 - YEAR;
        Stock { store, team: fixture.account.team, since, each, items: 0 }
    }

    /// Adds items until there are so many, with their levels and the ledger.
    pub fn fill(&mut self, items: i64) -> Result<(), Failure> {
        let (old, each) = (self.items, self.each);
        let team = self.team();
        let (at, item) = (self.time(), self.id(Kind::Item, "i"));
        self.insert(
            (old + 1, items),
            "wms_item (team, id, sku, details, created_at, updated_at)",
            &format!(
                "{team}, {item}, 'SKU-' || i,
                 '{{\"sku\":\"SKU-' || i || '\",\"name\":\"Thing number ' || i || '\"}}',
                 {at}, {at}"
            ),
        )?;
        // Of the level i: the number of its item, and its place among those of the item.
        let (of, place) = (format!("((i - 1) / {each} + 1)"), format!("((i - 1) % {each})"));
        let (item, sku) = (self.id(Kind::Item, &of), format!("'SKU-' || {of}"));
        let location = self.bytes(&format!("'A-' || {place}"));
        let levels = (old * each + 1, items * each);
        self.insert(
            levels,
            "wms_level (team, item, location, id, sku, on_hand, reserved, is_listed, updated_at)",
            &format!(
                "{team}, {item}, {location}, {}, {}, {PIECES}, 0, TRUE, {at}",
                self.id(Kind::Level, "i"),
                self.bytes(&sku)
            ),
        )?;
        self.insert(
            levels,
            "wms_adjustment (team, id, item, sku, location, delta, reason, created_at)",
            &format!(
                "{team}, {}, {item}, {sku}, {location}, {PIECES}, 'counted', {at}",
                self.id(Kind::Adjustment, "i")
            ),
        )?;
        self.items = items;
        Ok(())
    }

    /// Inserts a row for each of these numbers, which are `i` in the expressions.
    fn insert(&self, (first, last): (i64, i64), into: &str, values: &str) -> Result<(), Failure> {
        let sql: &'static str = format!(
            "INSERT INTO {into}
             WITH RECURSIVE number (i) AS (
                 SELECT CAST($1 AS BIGINT)
                 UNION ALL SELECT i + 1 FROM number WHERE i + 1 <= CAST($2 AS BIGINT))
             SELECT {values} FROM number"
        )
        .leak();
        let mut from = first;
        while from <= last {
            let to = last.min(from + CHUNK - 1);
            let work = move |tx: &mut Tx<'_>| tx.exec(sql, &[from.into(), to.into()]);
            self.store.blocking_write(work)?;
            from += CHUNK;
        }
        Ok(())
    }

    fn time(&self) -> String {
        format!("({} + i)", self.since)
    }

    fn team(&self) -> String {
        let id = uuid::Uuid::from(self.team);
        match self.store.is_shared() {
            true => format!("CAST('{id}' AS UUID)"),
            false => format!("X'{}'", id.simple()),
        }
    }

    /// The id of this kind and number. Those of one kind and number are the same everywhere, and
    /// higher numbers are later.
    fn id(&self, kind: Kind, number: &str) -> String {
        let (millis, kind) = (self.since / 1000, kind as i64);
        match self.store.is_shared() {
            true => format!(
                "CAST(lpad(to_hex({millis}), 12, '0') || '7{kind:03x}8' ||
                      lpad(to_hex({number}), 15, '0') AS UUID)"
            ),
            false => format!("unhex(printf('%012x7{kind:03x}8%015x', {millis}, {number}))"),
        }
    }

    fn bytes(&self, text: &str) -> String {
        match self.store.is_shared() {
            true => format!("convert_to({text}, 'UTF8')"),
            false => format!("CAST({text} AS BLOB)"),
        }
    }
}
