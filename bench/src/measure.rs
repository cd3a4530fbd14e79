//! Time, percentiles, rounds in turns and a small table.
//!
//! Two contenders take turns within one run, so that a machine that is busy for a while is busy for
//! both, and the median over the rounds is what counts: one odd round changes nothing.

use std::error::Error;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

/// Whatever ends a benchmark early.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Rounds of each contender.
const ROUNDS: usize = 7;
/// How long each contender runs in a round.
const ROUND: Duration = Duration::from_secs(2);
/// How long each contender runs before the first round.
const WARM_UP: Duration = Duration::from_millis(500);
/// How long a contender runs at a time.
const TURN: Duration = Duration::from_millis(250);

/// The time, for measuring and nothing else.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
pub fn now() -> Instant {
    Instant::now()
}

/// What one round saw.
#[derive(Default)]
pub struct Round {
    latencies: Vec<Duration>,
    took: Duration,
    busy: Option<Duration>,
}

impl Round {
    /// A round of this length, with how long each of its operations took.
    pub fn new(latencies: Vec<Duration>, took: Duration) -> Round {
        Round { latencies, took, busy: None }
    }

    /// Runs a round and notes the processor time that it takes. Threads that it starts and ends do
    /// not count, so the load does not and the server does.
    fn watch(run: impl FnOnce() -> Result<Round, Failure>) -> Result<Round, Failure> {
        let (round, busy) = with_processor_time(run)?;
        Ok(Round { busy: Some(busy).filter(|busy| !busy.is_zero()), ..round })
    }

    /// How many operations there were.
    pub fn count(&self) -> usize {
        self.latencies.len()
    }

    fn extend(&mut self, more: Round) {
        self.latencies.extend(more.latencies);
        self.took += more.took;
        self.busy = more.busy.map(|busy| busy + self.busy.unwrap_or_default());
    }

    /// Operations per second.
    pub fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// What half, and what nearly all of the operations took at most.
    pub fn percentiles(mut self) -> [Duration; 2] {
        self.latencies.sort_unstable();
        let last = self.latencies.len().saturating_sub(1);
        [50, 99]
            .map(|percent| self.latencies.get(last * percent / 100).copied().unwrap_or_default())
    }

    fn figures(mut self) -> Figures {
        self.latencies.sort_unstable();
        let count = self.latencies.len() as f64;
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let percentile = |percent: usize| {
            let found = self.latencies.get(self.latencies.len().saturating_sub(1) * percent / 100);
            found.map_or(f64::NAN, |latency| micros(*latency))
        };
        Figures {
            rate: count / self.took.as_secs_f64().max(f64::MIN_POSITIVE),
            p50: percentile(50),
            p99: percentile(99),
            busy: self.busy.map_or(f64::NAN, |busy| micros(busy) / count),
        }
    }
}

/// Begins so many operations a second, however long each takes, and tells what they say of
/// themselves. The first ones open connections and prepare statements: they are left out.
pub fn at_pace<F>(
    runtime: &Runtime,
    (count, rate): (u32, f64),
    one: impl Fn() -> F,
) -> Result<Round, Failure>
where
    F: Future<Output = Result<Duration, Failure>> + Send + 'static,
{
    let started = now();
    let spent = runtime.block_on(async {
        let mut pace = tokio::time::interval(Duration::from_secs(1).div_f64(rate));
        let mut tasks = Vec::new();
        for _ in 0..count {
            pace.tick().await;
            tasks.push(tokio::spawn(one()));
        }
        let mut spent = Vec::new();
        for task in tasks {
            spent.push(task.await??);
        }
        Ok::<_, Failure>(spent)
    })?;
    let warm = spent[spent.len() / 10..].to_vec();
    Ok(Round::new(warm, started.elapsed()))
}

/// Runs this and tells the processor time that the threads took that outlive it; zero where the
/// system does not tell.
pub fn with_processor_time<T>(
    run: impl FnOnce() -> Result<T, Failure>,
) -> Result<(T, Duration), Failure> {
    let before = processor_time();
    let result = run()?;
    let busy = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    Ok((result, busy.unwrap_or_default()))
}

/// The processor time of all threads that are alive, where the system tells it.
fn processor_time() -> Option<Duration> {
    let mut nanos = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end while we look.
        let read = std::fs::read_to_string(thread.ok()?.path().join("schedstat"));
        nanos += read.ok().and_then(|text| text.split(' ').next()?.parse().ok()).unwrap_or(0);
    }
    Some(Duration::from_nanos(nanos)).filter(|time| !time.is_zero())
}

/// A round in numbers.
struct Figures {
    /// Operations per second.
    rate: f64,
    /// Microseconds that half of the operations took at most.
    p50: f64,
    /// Microseconds that nearly all of the operations took at most.
    p99: f64,
    /// Microseconds of processor time for each operation.
    busy: f64,
}

impl Figures {
    fn columns(name: &str) -> [String; 4] {
        let fixed = |name: &str| name.to_owned();
        [format!("{name}/s"), fixed("p50 µs"), fixed("p99 µs"), fixed("cpu µs")]
    }

    fn values(&self) -> [f64; 4] {
        [self.rate, self.p50, self.p99, self.busy]
    }
}

/// What a ratio is taken of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratio {
    /// Operations per second: more is better.
    Rate,
    /// The median latency: less is better.
    Latency,
}

impl Ratio {
    fn of(self, one: &Figures, other: &Figures) -> f64 {
        match self {
            Ratio::Rate => one.rate / other.rate,
            Ratio::Latency => one.p50 / other.p50,
        }
    }
}

/// Lets each contender run for so long in all, a short turn at a time.
pub fn in_turns(
    time: Duration,
    mut one: impl FnMut(Duration) -> Result<Round, Failure>,
    mut other: impl FnMut(Duration) -> Result<Round, Failure>,
) -> Result<[Round; 2], Failure> {
    let mut rounds = [Round::default(), Round::default()];
    while rounds[1].took < time {
        rounds[0].extend(Round::watch(|| one(TURN))?);
        rounds[1].extend(Round::watch(|| other(TURN))?);
    }
    Ok(rounds)
}

/// Prints each round of two contenders, and returns the median ratio of the first to the second.
/// A round lets both run for the given time each, in turns.
pub fn duel(
    names: [&str; 2],
    ratio: Ratio,
    mut both: impl FnMut(Duration) -> Result<[Round; 2], Failure>,
) -> Result<f64, Failure> {
    both(WARM_UP)?;
    let mut heading: Vec<String> = names.into_iter().flat_map(Figures::columns).collect();
    heading.push("ratio".to_owned());
    let medians = print_rounds(heading, || {
        let [first, second] = both(ROUND)?.map(Round::figures);
        let mut row = [first.values(), second.values()].concat();
        row.push(ratio.of(&first, &second));
        Ok(row)
    })?;
    Ok(medians.last().copied().unwrap_or(f64::NAN))
}

/// Prints each round of one contender, and returns its median rate.
pub fn solo(
    name: &str,
    mut one: impl FnMut(Duration) -> Result<Round, Failure>,
) -> Result<f64, Failure> {
    one(WARM_UP)?;
    let heading = Figures::columns(name).to_vec();
    let row = || Ok(Round::watch(|| one(ROUND))?.figures().values().to_vec());
    let medians = print_rounds(heading, row)?;
    Ok(medians.first().copied().unwrap_or(f64::NAN))
}

/// A table with a row for each round, and the medians of its columns.
fn print_rounds(
    heading: Vec<String>,
    mut row: impl FnMut() -> Result<Vec<f64>, Failure>,
) -> Result<Vec<f64>, Failure> {
    print_line("round", &heading);
    let mut rows = Vec::new();
    for round in 1..=ROUNDS {
        let figures = row()?;
        print_line(&round.to_string(), &figures.iter().map(show).collect::<Vec<_>>());
        rows.push(figures);
    }
    let column = |index: usize| rows.iter().map(|row: &Vec<f64>| row[index]).collect();
    let medians: Vec<f64> = (0..heading.len()).map(|index| median(column(index))).collect();
    print_line("median", &medians.iter().map(show).collect::<Vec<_>>());
    Ok(medians)
}

/// The middle value; the upper one when two are in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Ratios and short times need their decimals; a rate does not.
fn show(figure: &f64) -> String {
    match *figure {
        unknown if unknown.is_nan() => "-".to_owned(),
        small if small < 10.0 => format!("{small:.3}"),
        small if small < 100.0 => format!("{small:.1}"),
        large => format!("{large:.0}"),
    }
}

fn print_line(label: &str, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>9}")).collect();
    println!("{label:>6} {}", cells.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(micros: &[u64]) -> Round {
        let latencies = micros.iter().map(|micros| Duration::from_micros(*micros)).collect();
        Round::new(latencies, Duration::from_secs(2))
    }

    #[test]
    fn a_round_knows_its_rate_and_its_percentiles() {
        let hundred = round(&(0..=100).rev().collect::<Vec<u64>>()).figures();
        assert_eq!(hundred.rate, 50.5);
        assert!((hundred.p50 - 50.0).abs() < 0.01);
        assert!((hundred.p99 - 99.0).abs() < 0.01);
        assert!(round(&[]).figures().p50.is_nan());
    }

    #[test]
    fn a_ratio_is_of_the_first_to_the_second() {
        let (quick, slow) = (round(&[10, 10, 10, 10]).figures(), round(&[20, 20]).figures());
        assert_eq!(Ratio::Rate.of(&quick, &slow), 2.0);
        assert_eq!(Ratio::Latency.of(&quick, &slow), 0.5);
    }

    #[test]
    fn contenders_take_turns_until_the_time_is_over() {
        let order = std::cell::RefCell::new(Vec::new());
        let turn = |name: &'static str| {
            let order = &order;
            move |time| {
                order.borrow_mut().push(name);
                Ok(Round::new(vec![time], time))
            }
        };
        let rounds = in_turns(2 * TURN, turn("one"), turn("other")).unwrap();
        assert_eq!(*order.borrow(), ["one", "other", "one", "other"]);
        assert!(rounds.iter().all(|round| round.took == 2 * TURN && round.latencies.len() == 2));
    }

    #[test]
    fn one_odd_round_does_not_change_the_median() {
        assert_eq!(median(vec![1.0, 900.0, 2.0, 3.0, 2.0]), 2.0);
    }
}
