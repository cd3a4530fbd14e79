//! What a team pays its carriers: rows of service, zone and weight bracket, each as JSON.

use std::sync::LazyLock;

use waybill_domain::audit::{Act, Action, Changes};
use waybill_domain::country::Country;
use waybill_domain::ids::TeamId;
use waybill_domain::page::{Cursor, Direction};

use crate::{Result, Tx, teams};

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

/// Rows that one statement inserts: each statement costs more than its rows.
const AT_ONCE: usize = 100;

/// Replaces all rows of the team, in this order.
pub fn replace(tx: &mut Tx<'_>, team: TeamId, rows: &[Row], act: &Act) -> Result<()> {
    // Two who replace them at once would both insert.
    teams::lock(tx, team)?;
    let before = tx.exec("DELETE FROM rate WHERE team = $1", &[team.into()])?;
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let after = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let changes = Changes::none().and("rate_count", before.into(), after.into());
    teams::note(tx, team, (Action::RatesReplaced, act), &changes)?;
    let numbered: Vec<(i64, &Row)> = (1i64..).zip(rows).collect();
    let (many, few) = numbered.as_chunks::<AT_ONCE>();
    for rows in many {
        insert(tx, team, INSERT_MANY.as_str(), rows)?;
    }
    few.iter().try_for_each(|row| insert(tx, team, INSERT_ONE.as_str(), std::slice::from_ref(row)))
}

static INSERT_ONE: LazyLock<String> = LazyLock::new(|| insertion(1));
static INSERT_MANY: LazyLock<String> = LazyLock::new(|| insertion(AT_ONCE));

/// The statement that inserts so many rows.
fn insertion(rows: usize) -> String {
    let values = (0..rows).map(|row| {
        let [place, service, country, body] = [2, 3, 4, 5].map(|column| row * 4 + column);
        format!("($1, ${place}, ${service}, ${country}, ${body})")
    });
    let values = values.collect::<Vec<_>>().join(", ");
    format!("INSERT INTO rate (team, place, service_code, country, body) VALUES {values}")
}

fn insert(tx: &mut Tx<'_>, team: TeamId, sql: &'static str, rows: &[(i64, &Row)]) -> Result<()> {
    let columns = rows.iter().flat_map(|(place, row)| {
        let country = row.country.as_deref();
        [(*place).into(), (&row.service_code).into(), country.into(), (&row.body).into()]
    });
    let params: Vec<_> = std::iter::once(team.into()).chain(columns).collect();
    tx.exec(sql, &params).map(drop)
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
        Some(Cursor { direction: Direction::Next, at, .. }) => (forth, at),
        Some(Cursor { direction: Direction::Previous, at, .. }) => (back, at),
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
