//! What two databases call differently.

/// What a transaction may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// See one snapshot and change nothing.
    Read,
    /// Read and change.
    Write,
}

/// A statement whose two texts truly differ. There are at most five.
pub(crate) struct Both {
    pub(crate) postgres: &'static str,
    pub(crate) sqlite: &'static str,
}

pub(crate) const DATABASE_CLOCK: Both = Both {
    postgres: "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
    sqlite: "SELECT CAST(unixepoch('subsec') * 1000000 AS BIGINT)",
};

/// The text for SQLite. `$` stands in our statements only before a parameter's number.
pub(crate) fn render_for_sqlite(sql: &str) -> String {
    let sql = sql.replace('$', "?").replace("FOR UPDATE SKIP LOCKED", "");
    let sql = sql.replace("FOR NO KEY UPDATE", "").replace("FOR KEY SHARE", "");
    sql.replace("FOR UPDATE", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_gets_numbered_parameters_and_no_row_locks() {
        let sql = "SELECT 'æ' FROM job WHERE a = $1 AND b = $12 LIMIT $2 FOR UPDATE SKIP LOCKED";
        assert_eq!(
            render_for_sqlite(sql),
            "SELECT 'æ' FROM job WHERE a = ?1 AND b = ?12 LIMIT ?2 "
        );
        assert_eq!(render_for_sqlite("SELECT a FROM b FOR UPDATE"), "SELECT a FROM b ");
        for lock in ["FOR NO KEY UPDATE", "FOR KEY SHARE"] {
            assert_eq!(render_for_sqlite(&format!("SELECT a FROM b {lock}")), "SELECT a FROM b ");
        }
    }
}
