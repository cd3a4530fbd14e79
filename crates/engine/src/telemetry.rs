//! Every metric in one table with what it means, and the ways to count what carriers do.
//!
//! Labels are words of ours, never of a caller: a set of labels is closed, so metrics cannot grow.

mod printing;
mod scrape;

pub(crate) use printing::provider_label;
pub use printing::{PrintingCounts, note_printing};

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use waybill_carriers::booking::{Found, Outcome};
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{Cancelled, Verdict};
use waybill_domain::time::Clock;

const COUNTERS: [(&str, &str); 15] = [
    ("process_cpu_seconds_total", "Processor time that the process has used."),
    ("waybill_bookings_total", "Shipments that were booked or failed, by outcome."),
    ("waybill_carrier_calls_total", "Calls to carriers, by carrier, operation and outcome."),
    ("waybill_delivery_attempts_total", "Attempts to deliver to webhooks, by outcome."),
    ("waybill_http_requests_total", "Requests answered, by operation, method and status."),
    ("waybill_log_lines_dropped_total", "Log lines that nobody took in time."),
    ("waybill_print_answers_lost_total", "Answers of printers that were lost, by operation."),
    ("waybill_print_jobs_total", "States that print jobs entered, by provider and source."),
    ("waybill_print_unknown_total", "Print jobs of which nothing is known any more, by reason."),
    ("waybill_store_retries_total", "Transactions that PostgreSQL undid and that ran again."),
    ("waybill_store_large_writes_total", "Write transactions of over 2,000 statements."),
    ("waybill_store_slow_writes_total", "Write transactions whose work took over 100 ms."),
    ("waybill_tracking_entries_total", "Entries that were published in feeds of tracking."),
    ("waybill_tracking_left_out_total", "Tracking events that a full history left out, each time."),
    ("waybill_tracking_quarantined_total", "Tracking events of carriers that were set aside."),
];
const GAUGES: [(&str, &str); 14] = [
    ("process_open_fds", "Open file descriptors."),
    ("process_resident_memory_bytes", "Memory that the process holds."),
    ("waybill_build_info", "Always 1; the label is the version."),
    ("waybill_carrier_breaker_open", "Accounts that keep failing: bookings wait, by carrier."),
    ("waybill_jobs_overdue", "Jobs that are due and not taken."),
    ("waybill_late", "What has waited longer than it should. It stays zero while workers run."),
    ("waybill_print_agents", "Print agents, by state."),
    ("waybill_print_waiting", "Print jobs that wait to be sent, over all servers."),
    ("waybill_printers", "Printers, by state and provider."),
    ("waybill_service_point_bytes", "Memory that the service points take that were searched for."),
    ("waybill_service_points", "Service points that were searched for and are held in memory."),
    ("waybill_store_writer_queue", "Transactions that wait to be written."),
    ("waybill_up_seconds", "How long the process has been running."),
    ("waybill_violations", "Broken rules in the database. It must be zero."),
];
const HISTOGRAMS: [(&str, &str); 8] = [
    ("waybill_carrier_call_seconds", "How long calls to carriers took, by carrier and operation."),
    ("waybill_delivery_seconds", "How long attempts to deliver to webhooks took."),
    ("waybill_http_request_seconds", "How long requests took, by operation."),
    ("waybill_job_lag_seconds", "How late jobs began, by kind."),
    ("waybill_print_seconds", "From making a print job until it was queued, or printed."),
    ("waybill_store_group_size", "Transactions that shared one commit."),
    ("waybill_store_read_seconds", "How long reads took, the wait included."),
    ("waybill_store_write_seconds", "How long writes took, the wait included."),
];

/// How often what was measured is summed up.
const SUM_UP_PERIOD: Duration = Duration::from_secs(5);

/// Bounds of the histograms of durations, in seconds.
const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
/// Bounds of the histogram of closures per commit.
const GROUP: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// The recorder of this process, installed at its first use.
pub fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Suffix("_size".into()), GROUP)
            })
            .and_then(|builder| {
                let name = Matcher::Full("waybill_print_seconds".into());
                builder.set_buckets_for_metric(name, printing::PRINT_SECONDS)
            })
            .and_then(PrometheusBuilder::install_recorder)
            .inspect(|_| register())
            .ok()
    };
    RECORDER.get_or_init(install).as_ref()
}

/// What was measured is kept one by one until somebody sums it up. Where nobody asks for metrics,
/// this does, or memory would grow with every request.
pub async fn sum_up_regularly() {
    let Some(handle) = recorder() else { return };
    loop {
        tokio::time::sleep(SUM_UP_PERIOD).await;
        handle.run_upkeep();
    }
}

/// Every metric, for Prometheus. None when another recorder was installed.
pub async fn scrape(up: Duration) -> Option<bytes::Bytes> {
    static SCRAPES: scrape::Scrapes = scrape::Scrapes::new();
    let handle = recorder()?;
    let write = || {
        note_process(up);
        handle.run_upkeep();
        handle.render().into()
    };
    Some(SCRAPES.take(write).await)
}

/// Makes every metric known at zero: a watcher cannot tell one that is missing from one that was
/// never counted.
fn register() {
    COUNTERS.iter().for_each(|(name, help)| describe_counter!(*name, *help));
    GAUGES.iter().for_each(|(name, help)| describe_gauge!(*name, *help));
    HISTOGRAMS.iter().for_each(|(name, help)| describe_histogram!(*name, *help));
    for (name, _) in COUNTERS.iter().filter(|(name, _)| !HAS_LABELS.contains(name)) {
        counter!(*name).increment(0);
    }
    for (name, _) in GAUGES.iter().filter(|(name, _)| !HAS_LABELS.contains(name)) {
        gauge!(*name).increment(0.0);
    }
    for (name, _) in HISTOGRAMS.iter().filter(|(name, _)| !HAS_LABELS.contains(name)) {
        drop(histogram!(*name));
    }
    for outcome in ["delivered", "failed"] {
        counter!("waybill_delivery_attempts_total", "outcome" => outcome).increment(0);
    }
    printing::register();
    for outcome in ["booked", "rejected", "technical", "deadline"] {
        counter!("waybill_bookings_total", "outcome" => outcome).increment(0);
    }
    for row in CARRIERS.iter().filter(|row| row.adapter.is_some()) {
        let labels = [("carrier", row.code), ("operation", "book"), ("outcome", "accepted")];
        counter!("waybill_carrier_calls_total", &labels).increment(0);
        drop(histogram!("waybill_carrier_call_seconds", &labels[..2]));
        gauge!("waybill_carrier_breaker_open", "carrier" => row.code).increment(0.0);
    }
    drop(histogram!("waybill_job_lag_seconds", "kind" => "book"));
    let operation = "getMetrics";
    drop(histogram!("waybill_http_request_seconds", "operation" => operation));
    let labels = [("operation", operation), ("method", "GET"), ("status", "200")];
    counter!("waybill_http_requests_total", &labels).increment(0);
    gauge!("waybill_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Known by their labels only.
const HAS_LABELS: [&str; 15] = [
    "waybill_print_unknown_total",
    "waybill_print_seconds",
    "waybill_print_agents",
    "waybill_printers",
    "waybill_print_answers_lost_total",
    "waybill_print_jobs_total",
    "waybill_bookings_total",
    "waybill_build_info",
    "waybill_carrier_breaker_open",
    "waybill_carrier_call_seconds",
    "waybill_carrier_calls_total",
    "waybill_delivery_attempts_total",
    "waybill_http_request_seconds",
    "waybill_http_requests_total",
    "waybill_job_lag_seconds",
];

/// Notes what the system says about this process. Elsewhere than on Linux it says nothing.
fn note_process(up: Duration) {
    gauge!("waybill_up_seconds").set(up.as_secs_f64());
    if let Ok(entries) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(entries.count() as f64);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let resident = resident.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    if let Some(kilobytes) = resident {
        gauge!("process_resident_memory_bytes").set(kilobytes * 1024.0);
    }
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may have spaces in it.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split(' ').collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    if let Some((user, system)) = ticks(12).zip(ticks(13)) {
        counter!("process_cpu_seconds_total").absolute((user + system) / TICKS_PER_SECOND);
    }
}

/// What Linux counts processor time in, on every machine.
const TICKS_PER_SECOND: u64 = 100;

/// An answer of a carrier, in one word.
pub trait OutcomeLabel {
    /// The word.
    fn word(&self) -> &'static str;
}

impl OutcomeLabel for Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Accepted(_) => "accepted",
            Outcome::Partial(..) => "partial",
            Outcome::Rejected(_) => "rejected",
            Outcome::AccessDenied(_) => "access_denied",
            Outcome::NotSent(_) | Outcome::TurnedAway(..) => "not_sent",
            Outcome::Unknown(_) => "unknown",
        }
    }
}

impl OutcomeLabel for Found {
    fn word(&self) -> &'static str {
        match self {
            Found::Accepted(_) => "booked",
            Found::Partial(..) => "partial",
            Found::Absent => "absent",
            Found::Unknown(_) => "unknown",
        }
    }
}

impl OutcomeLabel for Verdict {
    fn word(&self) -> &'static str {
        match self {
            Verdict::Good => "ok",
            Verdict::Refused(_) => "rejected",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

impl OutcomeLabel for Cancelled {
    fn word(&self) -> &'static str {
        match self {
            Cancelled::Done => "cancelled",
            Cancelled::Refused(_) => "rejected",
            Cancelled::NotSent(_) => "not_sent",
            Cancelled::Unknown(_) => "unknown",
        }
    }
}

impl<T, E> OutcomeLabel for Result<T, E> {
    fn word(&self) -> &'static str {
        if self.is_ok() { "ok" } else { "failed" }
    }
}

/// Makes a call to a carrier, and counts what became of it.
pub async fn counted<T: OutcomeLabel>(
    clock: &dyn Clock,
    carrier: &'static str,
    operation: &'static str,
    call: impl Future<Output = T>,
) -> T {
    let began = clock.monotonic();
    let answer = call.await;
    let took = clock.monotonic().saturating_sub(began);
    let labels = [("carrier", carrier), ("operation", operation), ("outcome", answer.word())];
    counter!("waybill_carrier_calls_total", &labels).increment(1);
    histogram!("waybill_carrier_call_seconds", &labels[..2]).record(took.as_secs_f64());
    answer
}
