//! One page of the points of a set, in the order in which they came.

use uuid::Uuid;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::point::Bounds;

use super::{Set, Stored};
use crate::{Param, Result, Tx};

/// What the points of a list have in common.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// The key of their postal code.
    pub postal_key: Option<String>,
    /// The key of their city.
    pub city_key: Option<String>,
    /// The area that they are in.
    pub bounds: Option<Bounds>,
}

/// A statement for each way and each index that a list can be read from.
macro_rules! page {
    ($place:literal, $order:literal) => {
        concat!(
            "SELECT id, carrier, code, name, kind, address, latitude, longitude, opening_hours
               FROM service_point WHERE carrier = $1 AND country = $2 AND is_active
                AND latitude >= $3 AND longitude >= $4 AND latitude <= $5 AND longitude <= $6 AND ",
            $place,
            $order
        )
    };
}

const FORTH: [&str; 3] = [
    page!(
        "postal_key = $9 AND (CAST($10 AS TEXT) IS NULL OR city_key = $10) AND ",
        "id > $7 ORDER BY id LIMIT $8"
    ),
    page!("city_key = $9 AND ", "id > $7 ORDER BY id LIMIT $8"),
    page!("", "id > $7 ORDER BY id LIMIT $8"),
];
const BACK: [&str; 3] = [
    page!(
        "postal_key = $9 AND (CAST($10 AS TEXT) IS NULL OR city_key = $10) AND ",
        "id < $7 ORDER BY id DESC LIMIT $8"
    ),
    page!("city_key = $9 AND ", "id < $7 ORDER BY id DESC LIMIT $8"),
    page!("", "id < $7 ORDER BY id DESC LIMIT $8"),
];

/// One point more than `wanted` from the cursor on, oldest first.
pub fn list(
    tx: &mut Tx<'_>,
    set: &Set,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Stored>> {
    let (statements, id) = match cursor {
        None => (FORTH, Uuid::nil()),
        Some(Cursor { direction: Direction::Next, id, .. }) => (FORTH, id),
        Some(Cursor { direction: Direction::Previous, id, .. }) => (BACK, id),
    };
    let edge = |pick: fn(&Bounds) -> i32, otherwise: i64| {
        Param::Int(filter.bounds.as_ref().map_or(otherwise, |bounds| pick(bounds).into()))
    };
    let mut params: Vec<Param<'_>> = vec![
        (&set.carrier).into(),
        set.country.code().into(),
        edge(|bounds| bounds.min.latitude, i64::MIN),
        edge(|bounds| bounds.min.longitude, i64::MIN),
        edge(|bounds| bounds.max.latitude, i64::MAX),
        edge(|bounds| bounds.max.longitude, i64::MAX),
        id.into(),
        i64::try_from(wanted + 1).unwrap_or(i64::MAX).into(),
    ];
    let statement = match (&filter.postal_key, &filter.city_key) {
        (Some(postal_key), city_key) => {
            params.extend([postal_key.into(), city_key.as_deref().into()]);
            statements[0]
        }
        (None, Some(city_key)) => {
            params.push(city_key.into());
            statements[1]
        }
        (None, None) => statements[2],
    };
    tx.all(statement, &params)
}
