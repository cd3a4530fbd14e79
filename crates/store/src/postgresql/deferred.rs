//! Statements that were put off. Closures that share a transaction mostly say the same words with
//! other values: rows that they insert into one table travel as one statement.

use tokio_postgres::Statement;
use tokio_postgres::types::{ToSql, Type};

use super::values::list;
use crate::value::Param;

/// Statements in the order in which they will run.
#[derive(Default)]
pub(super) struct DeferredList {
    batches: Vec<Batch>,
    /// The batch of the closure's last statement. Its next one runs after that.
    last: usize,
    length: usize,
}

/// The same statement, once for each row of values.
pub(super) struct Batch {
    pub(super) sql: &'static str,
    pub(super) statement: Statement,
    rows: Vec<Vec<Param<'static>>>,
    /// How many rows of the table each will change, when that matters.
    expected: Option<u64>,
}

/// A statement that is ready to be sent.
pub(super) struct Outgoing {
    pub(super) sql: &'static str,
    pub(super) statement: Statement,
    values: Values,
    pub(super) expected: Option<u64>,
}

enum Values {
    Row(Vec<Param<'static>>),
    Columns(Vec<Vec<Param<'static>>>),
}

impl DeferredList {
    /// From now on another closure speaks. It did not wait for what the one before it said, so its
    /// statements may run between those.
    pub(super) fn next_closure(&mut self) {
        self.last = 0;
    }

    pub(super) fn push(
        &mut self,
        sql: &'static str,
        statement: Statement,
        row: Vec<Param<'static>>,
        expected: Option<u64>,
    ) {
        self.length += 1;
        let mut later = self.batches.iter_mut().enumerate().skip(self.last);
        let same = later.find(|(_, batch)| batch.sql == sql && batch.expected == expected);
        if let Some((at, batch)) = same {
            batch.rows.push(row);
            self.last = at;
        } else {
            self.last = self.batches.len();
            self.batches.push(Batch { sql, statement, rows: vec![row], expected });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// What is to be sent now.
    pub(super) fn take(&mut self) -> Vec<Batch> {
        std::mem::take(self).batches
    }
}

impl Batch {
    pub(super) fn has_many_rows(&self) -> bool {
        self.rows.len() > 1
    }

    /// One statement for all rows, which was made by [`for_many_rows`].
    pub(super) fn together(self, statement: Statement) -> Outgoing {
        let expected = self.expected.map(|each| each * self.rows.len() as u64);
        let width = self.rows.first().map_or(0, Vec::len);
        let mut columns = vec![Vec::with_capacity(self.rows.len()); width];
        for row in self.rows {
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        Outgoing { sql: self.sql, statement, values: Values::Columns(columns), expected }
    }

    /// One statement for each row.
    pub(super) fn one_by_one(self) -> impl Iterator<Item = Outgoing> {
        let Batch { sql, statement, rows, expected } = self;
        let outgoing = move |row| Outgoing {
            sql,
            statement: statement.clone(),
            values: Values::Row(row),
            expected,
        };
        rows.into_iter().map(outgoing)
    }
}

impl Outgoing {
    pub(super) fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        match &self.values {
            Values::Row(row) => list(row),
            Values::Columns(columns) => {
                columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect()
            }
        }
    }
}

/// The words that insert many rows, given those that insert one and the types of its values: each
/// `$n` becomes a list. Nothing when the statement does something else, or looks at its values
/// again after a conflict.
pub(super) fn for_many_rows(sql: &str, types: &[Type]) -> Option<String> {
    let (head, rest) = sql.split_once("VALUES (")?;
    let (row, tail) = rest.split_once(')')?;
    if !head.trim_start().starts_with("INSERT") || row.contains('(') || tail.contains('$') {
        return None;
    }
    let numbers = || 1..=types.len();
    let lists: Vec<_> = numbers().zip(types).map(|(n, kind)| format!("${n}::{kind}[]")).collect();
    let names: Vec<_> = numbers().map(|n| format!("v{n}")).collect();
    let (lists, names, row) = (lists.join(", "), names.join(", "), row.replace('$', "given.v"));
    Some(format!("{head}SELECT {row} FROM unnest({lists}) AS given ({names}){tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_an_insert_become_lists() {
        let types = [Type::UUID, Type::INT8];
        let many = |sql| for_many_rows(sql, &types);
        assert_eq!(
            many("INSERT INTO seen (id, at, count) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING")
                .as_deref(),
            Some(
                "INSERT INTO seen (id, at, count) SELECT given.v1, given.v2, 1 \
                 FROM unnest($1::uuid[], $2::int8[]) AS given (v1, v2) ON CONFLICT DO NOTHING"
            )
        );
    }

    #[test]
    fn what_is_not_a_plain_insert_stays_as_it_is() {
        for sql in [
            "UPDATE seen SET at = $2 WHERE id = $1",
            "DELETE FROM seen WHERE id = $1 AND at = $2",
            "INSERT INTO seen (id, at) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM seen)",
            "INSERT INTO seen (id, at) VALUES ($1, abs($2))",
            "INSERT INTO seen (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = $2",
        ] {
            assert_eq!(for_many_rows(sql, &[Type::UUID, Type::INT8]), None, "{sql}");
        }
    }
}
