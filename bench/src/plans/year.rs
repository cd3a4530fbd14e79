//! What a year of use leaves: rows that a single booking of the service left, copied under ids and
//! times of their own, by the database itself.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::{AccountId, DeliveryId, DocumentId, EventId, TeamId, TrackingId};
use waybill_domain::ids::{ShipmentId, WebhookId};
use waybill_domain::time::Time;
use waybill_store::{Error, Store, Tx};

use crate::measure::Failure;

/// Rows of one statement: a server gives up what takes longer than half a minute.
const CHUNK: i64 = 50_000;
const DAY: i64 = 86_400_000_000;
const YEAR: i64 = 365 * DAY;

/// The kinds of ids. Those of one kind and number are the same everywhere.
#[derive(Clone, Copy)]
pub enum Kind {
    Shipment = 1,
    Document,
    Event,
    Delivery,
    DeliveryAttempt,
    Tracking,
    Entry,
    TrackingEvent,
    Manifest,
    Report,
    ReportFile,
    Job,
    SmallTeam,
    OfSmallTeam,
}

/// A year of one team.
#[derive(Clone)]
pub struct Year {
    pub team: TeamId,
    pub account: AccountId,
    pub webhook: WebhookId,
    /// How many shipments there are.
    pub count: i64,
    /// The end of the year.
    pub now: Time,
}

impl Year {
    fn step(&self) -> i64 {
        YEAR / self.count
    }

    /// When the shipment of this number was made.
    pub fn time(&self, number: i64) -> Time {
        Time(self.now.0 - (self.count - number) * self.step())
    }

    /// The number of the first shipment within so many days of the end.
    pub fn within(&self, days: i64) -> i64 {
        (self.count - days * DAY / self.step()).max(1)
    }

    fn id(&self, kind: Kind, number: i64) -> Uuid {
        let millis = u128::from((self.time(number).0 / 1000).unsigned_abs());
        let number = u128::from(number.unsigned_abs());
        Uuid::from_u128(millis << 80 | 7 << 76 | (kind as u128) << 64 | 8 << 60 | number)
    }

    /// A team with a few shipments, which the statistics of a database know nothing of.
    pub fn small_team(&self) -> TeamId {
        TeamId(self.id(Kind::SmallTeam, 1))
    }

    /// Its account with a carrier.
    pub fn small_account(&self) -> Uuid {
        self.id(Kind::OfSmallTeam, 1)
    }

    pub fn shipment(&self, number: i64) -> ShipmentId {
        ShipmentId(self.id(Kind::Shipment, number))
    }

    pub fn document(&self, number: i64) -> DocumentId {
        DocumentId(self.id(Kind::Document, number))
    }

    pub fn event(&self, number: i64) -> EventId {
        EventId(self.id(Kind::Event, number))
    }

    pub fn delivery(&self, number: i64) -> DeliveryId {
        DeliveryId(self.id(Kind::Delivery, number))
    }

    pub fn tracking(&self, number: i64) -> TrackingId {
        TrackingId(self.id(Kind::Tracking, number))
    }
}

/// Copies rows. In its expressions `i` is the number of the copy.
pub struct Copier<'a> {
    pub store: &'a Store,
    pub year: &'a Year,
}

impl Copier<'_> {
    /// The time of the copy, and so much later.
    pub fn time(&self, later: Duration) -> String {
        let first = self.year.time(0).0 + i64::try_from(later.as_micros()).unwrap_or(0);
        format!("({first} + i * {})", self.year.step())
    }

    pub fn id(&self, kind: Kind) -> String {
        let (millis, kind) = (format!("{} / 1000", self.time(Duration::ZERO)), kind as i64);
        match self.store.is_shared() {
            true => format!(
                "CAST(lpad(to_hex({millis}), 12, '0') || '7{kind:03x}8' ||
                      lpad(to_hex(i), 15, '0') AS UUID)"
            ),
            false => format!("unhex(printf('%012x7{kind:03x}8%015x', {millis}, i))"),
        }
    }

    /// An id that is the same in every copy.
    pub fn value(&self, id: Uuid) -> String {
        match self.store.is_shared() {
            true => format!("CAST('{id}' AS UUID)"),
            false => format!("X'{}'", id.simple()),
        }
    }

    /// A hash that no copy with another `salt` has.
    pub fn hash(&self, salt: i64) -> String {
        match self.store.is_shared() {
            true => format!("decode(lpad(to_hex(i), 48, '0') || '{salt:016x}', 'hex')"),
            false => format!("unhex(printf('%048x{salt:016x}', i))"),
        }
    }

    /// A few bytes.
    pub fn bytes(&self) -> String {
        let kind = if self.store.is_shared() { "BYTEA" } else { "BLOB" };
        format!("CAST('{}' AS {kind})", "label".repeat(20))
    }

    /// Copies the row of a table, for every `step`th number of these, with some columns changed.
    pub fn copy(
        &self,
        table: &str,
        (first, last, step): (i64, i64, i64),
        changed: &[(&str, String)],
    ) -> Result<(), Failure> {
        let columns = self.columns(table)?;
        let value = |column: &String| {
            let change = changed.iter().find(|(name, _)| name == column);
            change.map_or_else(|| format!("sample.{column}"), |(_, value)| value.clone())
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        let sql: &'static str = format!(
            "INSERT INTO {table} ({})
             WITH RECURSIVE number (i) AS (
                 SELECT CAST($1 AS BIGINT)
                 UNION ALL SELECT i + {step} FROM number WHERE i + {step} <= CAST($2 AS BIGINT))
             SELECT {} FROM (SELECT * FROM {table} LIMIT 1) AS sample, number",
            columns.join(", "),
            values.join(", ")
        )
        .leak();
        let mut from = first;
        while from <= last {
            let to = last.min(from + CHUNK * step - step);
            let work = move |tx: &mut Tx<'_>| tx.exec(sql, &[from.into(), to.into()]);
            self.store.blocking_write(work)?;
            from += CHUNK * step;
        }
        Ok(())
    }

    fn columns(&self, table: &str) -> Result<Vec<String>, Failure> {
        let sql: &'static str = match self.store.is_shared() {
            true => format!(
                "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                  WHERE table_schema = current_schema() AND table_name = '{table}'
                  ORDER BY ordinal_position"
            ),
            false => format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"),
        }
        .leak();
        let columns = self.store.blocking_read(move |tx| tx.all::<String>(sql, &[]));
        columns.map_err(|error: Error| error.into())
    }
}
