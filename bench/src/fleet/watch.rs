//! What PostgreSQL itself tells while it is used: transactions, statements, deadlocks, and who
//! waits for whose lock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use postgres::{Client, NoTls};

use super::usage::{parent_of, processor_time_of, processor_time_of_ended_children};
use crate::measure::Failure;

/// How often somebody looks who waits.
const LOOK: Duration = Duration::from_millis(50);
/// So much of what was seen is printed.
const LINES_MAX: usize = 6;

const COUNTS: &str = "
    SELECT xact_commit + xact_rollback, deadlocks FROM pg_stat_database
     WHERE datname = current_database()";

const WAITING: &str = "
    SELECT waiting.query, waiting.wait_event, holding.query, holding.state
      FROM pg_stat_activity waiting
      LEFT JOIN pg_stat_activity holding ON holding.pid = ANY (pg_blocking_pids(waiting.pid))
     WHERE waiting.datname = current_database() AND waiting.wait_event_type = 'Lock'";

/// A server that runs is never silent for so long inside a transaction.
const LEFT_OPEN: &str = "
    SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'
       AND state_change < clock_timestamp() - interval '500 ms'";

const STATEMENTS: &str = "
    SELECT CAST(sum(calls) AS BIGINT) FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// The counters at the beginning, and a thread that looks who waits.
pub struct Watch {
    client: Client,
    counts: [i64; 2],
    statements: Option<i64>,
    busy: Duration,
    is_over: Arc<AtomicBool>,
    looking: Option<JoinHandle<Result<Seen, Failure>>>,
}

/// What was counted since.
pub struct Counts {
    /// Transactions, those that only read included.
    pub transactions: f64,
    /// Statements, when the server counts them.
    pub statements: Option<f64>,
    /// Deadlocks.
    pub deadlocks: i64,
    /// How many connections waited for a lock, on average over the time.
    pub lock_waits: f64,
    /// What waited for what, and how often it was seen.
    pub seen: Seen,
}

/// What was seen, and how often.
#[derive(Default)]
pub struct Seen {
    looks: usize,
    waits: usize,
    /// The statement that waits, and the last one of who holds the lock.
    blocked: BTreeMap<String, usize>,
    /// The last statements of transactions that were left open.
    left_open: BTreeMap<String, usize>,
}

impl Seen {
    /// Adds what was seen another time.
    pub fn extend(&mut self, more: Seen) {
        self.looks += more.looks;
        self.waits += more.waits;
        for (all, some) in
            [(&mut self.blocked, more.blocked), (&mut self.left_open, more.left_open)]
        {
            some.into_iter().for_each(|(line, count)| *all.entry(line).or_default() += count);
        }
    }

    /// Prints what was seen most often: who waits for which lock of whom.
    pub fn print(&self) {
        for (what, lines) in [("open", &self.left_open), ("waits", &self.blocked)] {
            let mut lines: Vec<_> = lines.iter().collect();
            lines.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (line, count) in lines.into_iter().take(LINES_MAX) {
                println!("{:>10} {count:>5} of {} times: {line}", what, self.looks);
            }
        }
    }
}

impl Watch {
    /// Notes the counters and begins to look.
    pub fn start(url: &str) -> Result<Watch, Failure> {
        let mut client = Client::connect(url, NoTls)?;
        // Only where the server was started with it.
        let _missing = client.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
        let (counts, statements) = (counts(&mut client)?, statements(&mut client));
        let is_over = Arc::new(AtomicBool::new(false));
        let (end, mut looker) = (Arc::clone(&is_over), Client::connect(url, NoTls)?);
        let looking = std::thread::spawn(move || look(&mut looker, &end));
        let busy = processor_time(&mut client)?;
        Ok(Watch { client, counts, statements, busy, is_over, looking: Some(looking) })
    }

    /// The processor time of PostgreSQL since the beginning, and what was counted.
    pub fn finish(&mut self) -> Result<(Duration, Counts), Failure> {
        let busy = processor_time(&mut self.client)?.saturating_sub(self.busy);
        self.is_over.store(true, Ordering::Relaxed);
        let looking = self.looking.take().ok_or("it was finished before")?;
        let seen = looking.join().map_err(|_| "the thread that looks has panicked")??;
        // What a connection counted is told to the others a moment later.
        std::thread::sleep(Duration::from_secs(1));
        let now = counts(&mut self.client)?;
        let statements = statements(&mut self.client).zip(self.statements);
        let counts = Counts {
            transactions: (now[0] - self.counts[0]) as f64,
            statements: statements.map(|(now, before)| (now - before) as f64),
            deadlocks: now[1] - self.counts[1],
            lock_waits: seen.waits as f64 / (seen.looks as f64).max(1.0),
            seen,
        };
        Ok((busy, counts))
    }
}

fn look(client: &mut Client, is_over: &AtomicBool) -> Result<Seen, Failure> {
    let mut seen = Seen::default();
    while !is_over.load(Ordering::Relaxed) {
        seen.looks += 1;
        for row in client.query(WAITING, &[])? {
            seen.waits += 1;
            let text = |index: usize| row.get::<_, Option<&str>>(index).unwrap_or("-");
            let (waiting, holding) = (short(text(0)), short(text(2)));
            let line = format!("{waiting} <- {} <- {holding} ({})", text(1), text(3));
            *seen.blocked.entry(line).or_default() += 1;
        }
        for row in client.query(LEFT_OPEN, &[])? {
            *seen.left_open.entry(short(row.get(0))).or_default() += 1;
        }
        std::thread::sleep(LOOK);
    }
    Ok(seen)
}

/// A statement on one line that is not too long.
fn short(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(70).collect()
}

fn counts(client: &mut Client) -> Result<[i64; 2], Failure> {
    let row = client.query_one(COUNTS, &[])?;
    Ok([row.get(0), row.get(1)])
}

fn statements(client: &mut Client) -> Option<i64> {
    client.query_one(STATEMENTS, &[]).ok()?.get(0)
}

/// The processor time of the server's processes, also of those that have ended.
fn processor_time(client: &mut Client) -> Result<Duration, Failure> {
    let rows = client.query("SELECT pid FROM pg_stat_activity", &[])?;
    let ids: Vec<u32> =
        rows.iter().filter_map(|row| row.get::<_, i32>(0).try_into().ok()).collect();
    let mother = ids.iter().find_map(|id| parent_of(*id)).ok_or("PostgreSQL runs elsewhere")?;
    let alive: Duration = ids.iter().map(|id| processor_time_of(*id)).sum();
    Ok(alive + processor_time_of(mother) + processor_time_of_ended_children(mother))
}
