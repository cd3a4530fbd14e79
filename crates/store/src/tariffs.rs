//! What a team pays its carriers: rows of service, zone and weight bracket, each as JSON.

use waybill_domain::country::Country;
use waybill_domain::ids::TeamId;
use waybill_domain::page::{Cursor, Way};

use crate::{Result, Tx};

/// A row: its place in the list, its service, the country of its zone, and itself as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its service.
    pub service_code: String,
    /// The country of its zone; none for everywhere else.
    pub country: Option<String>,
    /// Itself, as JSON.
    pub body: String,
}

/// Replaces all rows of the team, in this order.
pub fn replace(tx: &mut Tx<'_>, team: TeamId, rows: &[Row]) -> Result<()> {
    tx.exec("DELETE FROM rate WHERE team = $1", &[team.into()])?;
    for (place, row) in (1i64..).zip(rows) {
        tx.exec(
            "INSERT INTO rate (team, place, service_code, country, body)
             VALUES ($1, $2, $3, $4, $5)",
            &[
                team.into(),
                place.into(),
                (&row.service_code).into(),
                row.country.as_deref().into(),
                (&row.body).into(),
            ],
        )?;
    }
    Ok(())
}

/// One row more than `wanted` from the cursor on, each with its place.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<(i64, String)>> {
    let forth = "SELECT place, body FROM rate WHERE team = $1 AND place > $2
                  ORDER BY place LIMIT $3";
    let back = "SELECT place, body FROM rate WHERE team = $1 AND place < $2
                 ORDER BY place DESC LIMIT $3";
    let (statement, place) = match cursor {
        None => (forth, 0),
        Some(Cursor { way: Way::Next, at, .. }) => (forth, at),
        Some(Cursor { way: Way::Previous, at, .. }) => (back, at),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), place.into(), limit.into()])
}

/// The rows that may apply to destinations in these countries.
pub fn list_for(tx: &mut Tx<'_>, team: TeamId, ends: [Country; 2]) -> Result<Vec<String>> {
    tx.all(
        "SELECT body FROM rate
          WHERE team = $1 AND (country = $2 OR country = $3 OR country IS NULL)",
        &[team.into(), ends[0].code().into(), ends[1].code().into()],
    )
}
