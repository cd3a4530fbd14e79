//! How a database goes about a statement, and how much it reads for it: for tests and benchmarks,
//! which take the statements from [`statistics`](crate::statistics) and write none themselves.

use crate::{Param, Result, Tx};

/// The steps by which the database finds the rows of a statement, whatever its parameters are.
pub fn any_explain(tx: &mut Tx<'_>, sql: &'static str) -> Result<Vec<String>> {
    let nothing = vec![Param::Null; parameter_count(sql)];
    if !tx.is_shared() {
        let explain: &'static str = format!("EXPLAIN QUERY PLAN {sql}").leak();
        let steps: Vec<(i64, i64, i64, String)> = tx.all(explain, &nothing)?;
        return Ok(steps.into_iter().map(|(.., step)| step).collect());
    }
    // The plan that a connection keeps for parameters which it does not know yet.
    tx.batch("SET LOCAL plan_cache_mode = force_generic_plan")?;
    tx.batch(&format!("PREPARE explained AS {sql}"))?;
    let values = vec!["NULL"; nothing.len()].join(", ");
    let values = if nothing.is_empty() { String::new() } else { format!("({values})") };
    let explain: &'static str = format!("EXPLAIN (COSTS OFF) EXECUTE explained {values}").leak();
    let plan = tx.all(explain, &[])?;
    tx.batch("DEALLOCATE explained")?;
    Ok(plan)
}

/// How many rows and entries of indexes this connection of PostgreSQL has read, since some time
/// before: the difference counts. SQLite does not tell.
pub fn any_rows_read(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    if !tx.is_shared() {
        return Ok(None);
    }
    let (rows, entries) = (
        "SELECT CAST(sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)) AS BIGINT)
           FROM pg_stat_xact_user_tables",
        "SELECT CAST(sum(pg_stat_get_xact_tuples_returned(indexrelid)) AS BIGINT)
           FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
          WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())",
    );
    let rows = tx.one::<i64>(rows, &[])?.unwrap_or(0);
    Ok(Some(rows + tx.one::<i64>(entries, &[])?.unwrap_or(0)))
}

/// The highest number of a parameter.
fn parameter_count(sql: &str) -> usize {
    let numbers = sql.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().unwrap_or(0)
    });
    numbers.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_as_many_parameters_as_its_highest_number() {
        assert_eq!(parameter_count("SELECT 1"), 0);
        assert_eq!(parameter_count("SELECT $2 WHERE a = $11 AND b = $1"), 11);
    }
}
