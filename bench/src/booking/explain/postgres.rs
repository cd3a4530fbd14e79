//! What PostgreSQL itself counts: statements, rows, row versions, index entries and its log.

use std::collections::HashMap;
use std::time::Duration;

use postgres::{Client, NoTls, Row};
use waybill_store::statistics::Usage;

use super::table::Table;
use crate::measure::Failure;

const STATEMENTS: &str = "
    SELECT query, calls, total_exec_time + total_plan_time, CAST(rows AS BIGINT),
           CAST(wal_bytes AS BIGINT)
      FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database
                                             WHERE datname = current_database())";

const TABLES: &str = "
    SELECT relname, seq_tup_read, COALESCE(idx_tup_fetch, 0), n_tup_ins, n_tup_upd, n_tup_hot_upd,
           n_tup_del, (SELECT count(*) FROM pg_index WHERE indrelid = relid)
      FROM pg_stat_user_tables";

/// The counters at the beginning.
pub struct Watch {
    client: Client,
    tables: HashMap<String, Vec<i64>>,
    position: i64,
    busy: Duration,
}

impl Watch {
    /// Forgets which statements ran, and notes the other counters.
    pub fn start(url: &str) -> Result<Watch, Failure> {
        let mut client = Client::connect(url, NoTls)?;
        client.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").map_err(
            |error| format!("start the server with pg_stat_statements preloaded: {error}"),
        )?;
        client.batch_execute("SELECT pg_stat_statements_reset()")?;
        let (tables, position) = (tables(&mut client)?, position(&mut client)?);
        let busy = processor_time(&mut client)?;
        Ok(Watch { client, tables, position, busy })
    }

    /// Prints what each booking took since.
    pub fn report(&mut self, count: f64, usages: &[(&'static str, Usage)]) -> Result<(), Failure> {
        let busy = processor_time(&mut self.client)?.saturating_sub(self.busy);
        let wal = (position(&mut self.client)? - self.position) as f64 / 1024.0;
        println!("  {:>8.3} ms of PostgreSQL's", busy.as_secs_f64() * 1e3 / count);
        println!("  {:>8.1} KiB of write-ahead log\n", wal / count);
        self.print_statements(count)?;
        super::print_statements(count, usages);
        self.print_tables(count)
    }

    fn print_statements(&mut self, count: f64) -> Result<(), Failure> {
        let rows = self.client.query(STATEMENTS, &[])?;
        let all: f64 = rows.iter().map(|row| row.get::<_, f64>(2)).sum();
        let calls: i64 = rows.iter().map(|row| row.get::<_, i64>(1)).sum();
        println!("{:.1} statements, {:.3} ms in the server\n", calls as f64 / count, all / count);
        let mut table = Table::new(&["calls", "µs", "%", "rows", "WAL bytes"], "statement");
        for row in &rows {
            let of = |index: usize| row.get::<_, i64>(index) as f64 / count;
            let took: f64 = row.get(2);
            let figures = [of(1), 1000.0 * took / count, 100.0 * took / all, of(3), of(4)];
            table.add(&figures, row.get(0));
        }
        table.print(1);
        Ok(())
    }

    fn print_tables(&mut self, count: f64) -> Result<(), Failure> {
        // What a connection counted is told to the others a moment later.
        std::thread::sleep(Duration::from_secs(2));
        let columns =
            ["scanned", "fetched", "inserted", "updated", "in place", "deleted", "entries"];
        let mut table = Table::new(&columns, "table");
        for (name, now) in tables(&mut self.client)? {
            let before = self.tables.get(&name).cloned().unwrap_or_else(|| vec![0; 7]);
            let of = |index: usize| (now[index] - before[index]) as f64 / count;
            let [scanned, fetched, inserted, updated, in_place, deleted] =
                [0, 1, 2, 3, 4, 5].map(of);
            // At most: an index of some rows has fewer.
            let entries = (inserted + updated - in_place) * now[6] as f64;
            let figures = [scanned, fetched, inserted, updated, in_place, deleted, entries];
            table.add(&figures, &name);
        }
        table.print(6);
        Ok(())
    }
}

/// The counters of each table, and its number of indexes.
fn tables(client: &mut Client) -> Result<HashMap<String, Vec<i64>>, Failure> {
    let numbers = |row: &Row| (1..8).map(|index| row.get::<_, i64>(index)).collect();
    let rows = client.query(TABLES, &[])?;
    Ok(rows.iter().map(|row| (row.get(0), numbers(row))).collect())
}

/// How much was ever written to the log.
fn position(client: &mut Client) -> Result<i64, Failure> {
    let sql = "SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)";
    Ok(client.query_one(sql, &[])?.get(0))
}

/// The processor time of the server's processes, when it runs on this machine.
fn processor_time(client: &mut Client) -> Result<Duration, Failure> {
    let rows = client.query("SELECT pid FROM pg_stat_activity", &[])?;
    let nanos = rows.iter().filter_map(|row| {
        let path = format!("/proc/{}/schedstat", row.get::<_, i32>(0));
        std::fs::read_to_string(path).ok()?.split(' ').next()?.parse::<u64>().ok()
    });
    Ok(Duration::from_nanos(nanos.sum()))
}
