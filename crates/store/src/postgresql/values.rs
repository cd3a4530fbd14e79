//! Our values on their way to PostgreSQL and back.

use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use uuid::Uuid;

use crate::value::{Cell, Param};

type Fault = Box<dyn std::error::Error + Sync + Send>;

pub(super) fn list<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Param<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(number) if *ty == Type::INT8 => number.to_sql(ty, out),
            Param::Bool(truth) if *ty == Type::BOOL => truth.to_sql(ty, out),
            Param::Text(text) if <&str as ToSql>::accepts(ty) => text.as_ref().to_sql(ty, out),
            Param::Bytes(bytes) if *ty == Type::BYTEA => bytes.as_ref().to_sql(ty, out),
            Param::Uuid(uuid) if *ty == Type::UUID => uuid.to_sql(ty, out),
            Param::Float(number) if *ty == Type::FLOAT8 => number.to_sql(ty, out),
            _ => Err(format!("a parameter of type {ty} got another type").into()),
        }
    }

    /// The value decides, in `to_sql`: a `NULL` fits every type.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Cell<'a>, Fault> {
        Ok(match *ty {
            Type::INT8 => Cell::Int(i64::from_sql(ty, raw)?),
            Type::BOOL => Cell::Bool(bool::from_sql(ty, raw)?),
            Type::BYTEA => Cell::Bytes(<&[u8]>::from_sql(ty, raw)?),
            Type::UUID => Cell::Uuid(Uuid::from_sql(ty, raw)?),
            Type::FLOAT8 => Cell::Float(f64::from_sql(ty, raw)?),
            _ => Cell::Text(<&str>::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Cell<'a>, Fault> {
        Ok(Cell::Null)
    }

    fn accepts(ty: &Type) -> bool {
        let plain = [Type::INT8, Type::BOOL, Type::BYTEA, Type::UUID, Type::FLOAT8];
        plain.contains(ty) || <&str as FromSql>::accepts(ty)
    }
}
