//! Service points of all carriers. They belong to no team: everybody sees the same.
//!
//! An import writes points as it reads them and ends with [`finish`], which lets those go that it
//! did not have and raises the version of the set. Searches use positions that were read at one
//! version ([`positions`]); rows are read in the same transaction as the version.

mod list;

pub use list::{Filter, list};

use std::fmt::Write as _;
use std::sync::LazyLock;

use uuid::Uuid;
use waybill_domain::country::Country;
use waybill_domain::point::{Point, Position, city_key, postal_key};
use waybill_domain::time::Time;

use crate::{Error, FromRow, Param, Result, Row, Tx};

/// The points of one carrier in one country.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Set {
    /// The carrier's code.
    pub carrier: String,
    /// The country.
    pub country: Country,
}

/// A point as it is stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    /// Its id, which stays the same from import to import.
    pub id: Uuid,
    /// Whose it is.
    pub carrier: String,
    /// The carrier's code of it.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// What stands there.
    pub kind: String,
    /// The address, as JSON.
    pub address: String,
    /// Where it is.
    pub position: Position,
    /// When it is open, as JSON.
    pub opening_hours: Option<String>,
}

impl FromRow for Position {
    fn from_row(row: &mut Row<'_>) -> Result<Position> {
        let mut degrees = || {
            let value = row.next::<i64>()?;
            i32::try_from(value).map_err(|_| Error::Broken("a position is off the globe".into()))
        };
        Ok(Position { latitude: degrees()?, longitude: degrees()? })
    }
}

impl FromRow for Stored {
    fn from_row(row: &mut Row<'_>) -> Result<Stored> {
        Ok(Stored {
            id: row.next()?,
            carrier: row.next()?,
            code: row.next()?,
            name: row.next()?,
            kind: row.next()?,
            address: row.next()?,
            position: row.next()?,
            opening_hours: row.next()?,
        })
    }
}

/// The version of the set; nothing when there is no such set.
pub fn version(tx: &mut Tx<'_>, set: &Set) -> Result<Option<i64>> {
    tx.one(
        "SELECT version FROM service_point_set WHERE carrier = $1 AND country = $2",
        &[(&set.carrier).into(), set.country.code().into()],
    )
}

/// The countries in which the carrier has points.
pub fn countries(tx: &mut Tx<'_>, carrier: &str) -> Result<Vec<Country>> {
    let codes: Vec<String> = tx.all(
        "SELECT country FROM service_point_set WHERE carrier = $1 ORDER BY country",
        &[carrier.into()],
    )?;
    Ok(codes.iter().filter_map(|code| Country::parse(code)).collect())
}

/// The points of the set with this key of a postal code, in the order of their codes as text.
pub fn list_in_postal_code(tx: &mut Tx<'_>, set: &Set, key: &str) -> Result<Vec<Stored>> {
    let mut found: Vec<Stored> = tx.all(
        "SELECT id, carrier, code, name, kind, address, latitude, longitude, opening_hours
           FROM service_point
          WHERE carrier = $1 AND country = $2 AND postal_key = $3 AND is_active",
        &[(&set.carrier).into(), set.country.code().into(), key.into()],
    )?;
    // Here, because each database has an order of its own for texts.
    found.sort_unstable_by(|one, other| one.code.cmp(&other.code));
    Ok(found)
}

/// How many points the last whole import of the set had, and what they added up to.
pub fn digest(tx: &mut Tx<'_>, set: &Set) -> Result<Option<(i64, i64)>> {
    tx.one(
        "SELECT point_count, digest FROM service_point_set WHERE carrier = $1 AND country = $2",
        &[(&set.carrier).into(), set.country.code().into()],
    )
}

/// The point with the carrier's code.
pub fn find(tx: &mut Tx<'_>, set: &Set, code: &str) -> Result<Option<Stored>> {
    tx.one(
        "SELECT id, carrier, code, name, kind, address, latitude, longitude, opening_hours
           FROM service_point
          WHERE carrier = $1 AND country = $2 AND code = $3 AND is_active",
        &[(&set.carrier).into(), set.country.code().into(), code.into()],
    )
}

/// So many points are asked for with one statement.
const TOGETHER: usize = 16;

/// The points with these ids, in their order; those that are gone are left out.
pub fn find_all(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Stored>> {
    let mut found: Vec<Stored> = Vec::with_capacity(ids.len());
    for some in ids.chunks(TOGETHER) {
        // The statement has a fixed number of blanks: the last id fills those that are left.
        let last = some.last().copied().unwrap_or_default();
        let params: Vec<Param<'_>> =
            (0..TOGETHER).map(|n| some.get(n).copied().unwrap_or(last).into()).collect();
        let rows: Vec<Stored> = tx.all(
            "SELECT id, carrier, code, name, kind, address, latitude, longitude, opening_hours
               FROM service_point
              WHERE id IN ($1, $2, $3, $4, $5, $6, $7, $8,
                           $9, $10, $11, $12, $13, $14, $15, $16) AND is_active",
            &params,
        )?;
        found.extend(some.iter().filter_map(|id| rows.iter().find(|row| row.id == *id).cloned()));
    }
    Ok(found)
}

/// Id, code, position, and the keys of postal code and city.
pub type Placed = (Uuid, String, Position, String, String);

/// The positions of up to `limit` points of the set with ids after `after`, in the order of ids.
pub fn positions(tx: &mut Tx<'_>, set: &Set, after: Uuid, limit: i64) -> Result<Vec<Placed>> {
    tx.all(
        "SELECT id, code, latitude, longitude, postal_key, city_key FROM service_point
          WHERE carrier = $1 AND country = $2 AND id > $3 AND is_active ORDER BY id LIMIT $4",
        &[(&set.carrier).into(), set.country.code().into(), after.into(), limit.into()],
    )
}

/// Columns of one row of [`put`].
const COLUMNS: usize = 14;

/// The statement that puts so many rows at once: on PostgreSQL most of the time of an import is the
/// way to the database and back.
fn upsert(rows: usize) -> String {
    let mut text = "INSERT INTO service_point (id, carrier, country, code, name, kind, address,
             postal_key, city_key, latitude, longitude, opening_hours, seen_in, is_active) VALUES "
        .to_owned();
    for row in 0..rows {
        let blanks = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column));
        let comma = if row == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}({})", blanks.collect::<Vec<_>>().join(", "));
    }
    // Of two imports at once the later one is right.
    text + " ON CONFLICT (carrier, country, code) DO UPDATE SET
             name = excluded.name, kind = excluded.kind, address = excluded.address,
             postal_key = excluded.postal_key, city_key = excluded.city_key,
             latitude = excluded.latitude, longitude = excluded.longitude,
             opening_hours = excluded.opening_hours, seen_in = excluded.seen_in,
             is_active = excluded.is_active
           WHERE service_point.seen_in <= excluded.seen_in"
}

static ONE: LazyLock<String> = LazyLock::new(|| upsert(1));
static MANY: LazyLock<String> = LazyLock::new(|| upsert(TOGETHER));

/// Adds points or brings them up to date, for the import with this number. A point that was there
/// keeps its id. No two of them have the same carrier, country and code.
pub fn put(tx: &mut Tx<'_>, points: &[(Uuid, Point)], import: i64) -> Result<()> {
    for some in points.chunks(TOGETHER) {
        if some.len() == TOGETHER {
            tx.exec(&MANY, &params(some, import))?;
            continue;
        }
        for point in some.chunks(1) {
            tx.exec(&ONE, &params(point, import))?;
        }
    }
    Ok(())
}

fn params(points: &[(Uuid, Point)], import: i64) -> Vec<Param<'_>> {
    let one = |(id, point): &'_ (Uuid, Point)| -> [Param<'static>; COLUMNS] {
        let hours = point.hours.as_ref().map(|hours| hours.to_json().to_string());
        [
            (*id).into(),
            point.carrier.clone().into(),
            point.country().code().to_owned().into(),
            point.code.clone().into(),
            point.name.clone().into(),
            point.kind.name().into(),
            point.address.to_json().to_string().into(),
            postal_key(&point.address.postal_code).into(),
            city_key(&point.address.city).into(),
            i64::from(point.position.latitude).into(),
            i64::from(point.position.longitude).into(),
            hours.into(),
            import.into(),
            true.into(),
        ]
    };
    points.iter().flat_map(one).collect()
}

/// Lets go of up to `limit` points of the set that earlier imports had and this one does not. Tells
/// how many there were.
pub fn retire(tx: &mut Tx<'_>, set: &Set, import: i64, limit: i64) -> Result<u64> {
    tx.exec(
        "UPDATE service_point SET is_active = $4 WHERE id IN (
             SELECT id FROM service_point
              WHERE carrier = $1 AND country = $2 AND seen_in < $3 AND is_active LIMIT $5)",
        &[
            (&set.carrier).into(),
            set.country.code().into(),
            import.into(),
            false.into(),
            limit.into(),
        ],
    )
}

/// Ends an import of the set: from now on searches use what it brought. Tells how many points the
/// set has.
pub fn finish(tx: &mut Tx<'_>, set: &Set, digest: i64, now: Time) -> Result<i64> {
    let count: Option<i64> = tx.one(
        "SELECT count(*) FROM service_point WHERE carrier = $1 AND country = $2 AND is_active",
        &[(&set.carrier).into(), set.country.code().into()],
    )?;
    let count = count.unwrap_or(0);
    tx.exec(
        "INSERT INTO service_point_set (carrier, country, version, digest, point_count, changed_at)
         VALUES ($1, $2, 1, $3, $4, $5)
         ON CONFLICT (carrier, country) DO UPDATE SET version = service_point_set.version + 1,
             digest = excluded.digest, point_count = excluded.point_count,
             changed_at = excluded.changed_at",
        &[
            (&set.carrier).into(),
            set.country.code().into(),
            digest.into(),
            count.into(),
            now.into(),
        ],
    )?;
    Ok(count)
}
