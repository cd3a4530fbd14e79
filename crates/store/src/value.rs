//! Values on their way into and out of a statement. A type reads and writes the same value on both
//! databases; a column of another type is an error and never a silent conversion.

use std::borrow::Cow;
use std::fmt::Display;

use uuid::Uuid;
use waybill_domain::ids::{
    AccountId, AdjustmentId, BatchId, CatalogItemId, DeliveryId, DocumentId, EventId, FulfilmentId,
    GrantId, InvitationId, ManifestId, MergeId, OAuthClientId, PrintAgentId, PrintJobId, PrinterId,
    ReportId, SessionId, ShipmentId, TeamId, TemplateId, TokenId, TrackingId, UserId, WebhookId,
};
use waybill_domain::time::Time;

use crate::error::{Error, Result};

/// A value for one `$n`. `NULL` fits every column type.
#[derive(Clone, PartialEq, Debug)]
pub enum Param<'a> {
    /// No value.
    Null,
    /// Every integer, and every time in microseconds.
    Int(i64),
    /// A truth value; 0 or 1 on SQLite.
    Bool(bool),
    /// A text, JSON included.
    Text(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// An id; 16 bytes on SQLite.
    Uuid(Uuid),
    /// A floating-point number.
    Float(f64),
}

impl Param<'_> {
    /// The same value, borrowed from nobody.
    pub(crate) fn into_owned(self) -> Param<'static> {
        match self {
            Param::Null => Param::Null,
            Param::Int(number) => Param::Int(number),
            Param::Bool(truth) => Param::Bool(truth),
            Param::Text(text) => Param::Text(Cow::Owned(text.into_owned())),
            Param::Bytes(bytes) => Param::Bytes(Cow::Owned(bytes.into_owned())),
            Param::Uuid(uuid) => Param::Uuid(uuid),
            Param::Float(number) => Param::Float(number),
        }
    }
}

/// A value of one column, borrowed from the row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// An integer.
    Int(i64),
    /// A truth value, from PostgreSQL.
    Bool(bool),
    /// A text.
    Text(&'a str),
    /// Bytes; on SQLite also an id.
    Bytes(&'a [u8]),
    /// An id, from PostgreSQL.
    Uuid(Uuid),
    /// A floating-point number.
    Float(f64),
}

/// A type that one column holds.
pub trait Column: Sized {
    /// Reads the cell; `None` when it holds something else.
    fn from_cell(cell: Cell<'_>) -> Option<Self>;
}

/// A type that is read from the next columns of a row, in `SELECT` order.
pub trait FromRow: Sized {
    /// Takes as many columns as it needs.
    fn from_row(row: &mut Row<'_>) -> Result<Self>;
}

/// One row of a result, read from left to right.
pub struct Row<'a> {
    source: Source<'a>,
    at: usize,
}

enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

/// Why SQLite has no cell to give.
#[derive(Debug, thiserror::Error)]
enum CellError {
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("not UTF-8")]
    NotText,
}

impl<'a> Row<'a> {
    pub(crate) fn sqlite(row: &'a rusqlite::Row<'a>) -> Row<'a> {
        Row { source: Source::Sqlite(row), at: 0 }
    }

    pub(crate) fn postgres(row: &'a tokio_postgres::Row) -> Row<'a> {
        Row { source: Source::Postgres(row), at: 0 }
    }

    /// Reads the next column, or the next columns of a type that spans several.
    #[expect(clippy::should_implement_trait, reason = "each column has a type of its own")]
    pub fn next<T: FromRow>(&mut self) -> Result<T> {
        T::from_row(self)
    }

    /// Reads the next column, which has one of our own words. An unknown word, of a newer release
    /// perhaps, is an error that names the row.
    pub(crate) fn word<T>(
        &mut self,
        row: (&str, Uuid),
        column: &str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<T> {
        let word = self.optional_word(row, column, parse)?;
        word.ok_or_else(|| Error::unreadable(row, column))
    }

    /// The same for a column that may have no word.
    pub(crate) fn optional_word<T>(
        &mut self,
        row: (&str, Uuid),
        column: &str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let text: Option<String> = self.next()?;
        let unreadable = || Error::unreadable(row, column);
        text.map(|text| parse(&text).ok_or_else(unreadable)).transpose()
    }

    fn column<T: Column>(&mut self) -> Result<T> {
        let at = self.at;
        self.at += 1;
        let broken = |why: &dyn Display| Error::Broken(format!("column {at}: {why}"));
        let cell = match self.source {
            Source::Sqlite(row) => Cell::sqlite(row, at).map_err(|why| broken(&why))?,
            Source::Postgres(row) => {
                row.try_get(at).map_err(|error: tokio_postgres::Error| broken(&error))?
            }
        };
        let wanted = std::any::type_name::<T>();
        // The kind only: an error may be logged and a row's contents may not.
        let wrong = || broken(&format!("a {} where {wanted} was wanted", cell.kind()));
        T::from_cell(cell).ok_or_else(wrong)
    }
}

impl<'a> Cell<'a> {
    fn sqlite(row: &'a rusqlite::Row<'a>, at: usize) -> Result<Cell<'a>, CellError> {
        use rusqlite::types::ValueRef;
        Ok(match row.get_ref(at)? {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(number) => Cell::Int(number),
            ValueRef::Real(number) => Cell::Float(number),
            ValueRef::Text(text) => {
                Cell::Text(std::str::from_utf8(text).map_err(|_| CellError::NotText)?)
            }
            ValueRef::Blob(bytes) => Cell::Bytes(bytes),
        })
    }

    fn kind(self) -> &'static str {
        match self {
            Cell::Null => "NULL",
            Cell::Int(_) => "integer",
            Cell::Bool(_) => "boolean",
            Cell::Text(_) => "text",
            Cell::Bytes(_) => "byte string",
            Cell::Uuid(_) => "UUID",
            Cell::Float(_) => "float",
        }
    }
}

impl<T: Column> FromRow for T {
    fn from_row(row: &mut Row<'_>) -> Result<T> {
        row.column()
    }
}

macro_rules! tuples {
    ($(($($part:ident),*))*) => {$(
        impl<$($part: FromRow),*> FromRow for ($($part,)*) {
            fn from_row(row: &mut Row<'_>) -> Result<Self> {
                Ok(($(row.next::<$part>()?,)*))
            }
        }
    )*};
}

tuples! { (A, B) (A, B, C) (A, B, C, D) (A, B, C, D, E) (A, B, C, D, E, F) }

macro_rules! columns {
    ($($type:ty: $($cell:pat => $value:expr),*;)*) => {$(
        impl Column for $type {
            fn from_cell(cell: Cell<'_>) -> Option<$type> {
                match cell {
                    $($cell => $value,)*
                    _ => None,
                }
            }
        }
    )*};
}

columns! {
    i64: Cell::Int(number) => Some(number);
    bool: Cell::Bool(truth) => Some(truth), Cell::Int(0) => Some(false), Cell::Int(1) => Some(true);
    f64: Cell::Float(number) => Some(number);
    String: Cell::Text(text) => Some(text.to_owned());
    Vec<u8>: Cell::Bytes(bytes) => Some(bytes.to_owned());
    [u8; 32]: Cell::Bytes(bytes) => bytes.try_into().ok();
    Uuid: Cell::Uuid(uuid) => Some(uuid), Cell::Bytes(bytes) => Uuid::from_slice(bytes).ok();
    Time: Cell::Int(micros) => Some(Time(micros));
}

impl<T: Column> Column for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Option<Option<T>> {
        match cell {
            Cell::Null => Some(None),
            other => T::from_cell(other).map(Some),
        }
    }
}

macro_rules! params {
    ($($type:ty: $value:pat => $param:expr;)*) => {$(
        impl<'a> From<$type> for Param<'a> {
            fn from($value: $type) -> Param<'a> {
                $param
            }
        }
    )*};
}

params! {
    i64: number => Param::Int(number);
    bool: truth => Param::Bool(truth);
    f64: number => Param::Float(number);
    &'a str: text => Param::Text(Cow::Borrowed(text));
    &'a String: text => Param::Text(Cow::Borrowed(text));
    String: text => Param::Text(Cow::Owned(text));
    &'a [u8]: bytes => Param::Bytes(Cow::Borrowed(bytes));
    &'a Vec<u8>: bytes => Param::Bytes(Cow::Borrowed(bytes));
    &'a [u8; 32]: bytes => Param::Bytes(Cow::Borrowed(bytes));
    Vec<u8>: bytes => Param::Bytes(Cow::Owned(bytes));
    Uuid: uuid => Param::Uuid(uuid);
    Time: Time(micros) => Param::Int(micros);
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Param<'a> {
        value.map_or(Param::Null, Into::into)
    }
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl From<$id> for Param<'_> {
            fn from(id: $id) -> Self {
                Param::Uuid(id.0)
            }
        }

        impl Column for $id {
            fn from_cell(cell: Cell<'_>) -> Option<$id> {
                Uuid::from_cell(cell).map($id)
            }
        }
    )*};
}

ids! {
    TeamId UserId TokenId TemplateId ShipmentId BatchId AccountId DocumentId ManifestId MergeId
    ReportId EventId WebhookId DeliveryId TrackingId PrinterId PrintJobId PrintAgentId OAuthClientId
    GrantId SessionId InvitationId CatalogItemId AdjustmentId FulfilmentId
}
