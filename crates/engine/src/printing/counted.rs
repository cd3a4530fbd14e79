//! Print jobs in numbers: counted where they change, once that is committed.

use std::time::Duration;

use metrics::{counter, histogram};
use waybill_domain::printing::PrintState;
use waybill_domain::time::Time;
use waybill_store::Tx;
use waybill_store::print_jobs::PrintJob;

use crate::telemetry::provider_label;

/// Counts a job that was made.
pub(super) fn count_new(tx: &mut Tx<'_>, job: &PrintJob) {
    count_state(tx, job);
}

/// Counts the state that a job has entered, and how long that took.
pub(super) fn count_change(tx: &mut Tx<'_>, old: &PrintJob, new: &PrintJob) {
    if old.state != new.state {
        count_state(tx, new);
    }
    let times =
        [("queued", old.queued_at, new.queued_at), ("printed", old.printed_at, new.printed_at)];
    for (to, before, at) in times {
        let took = |at: Time| at.since(new.created_at);
        if let (None, Some(took)) = (before, at.map(took)) {
            tx.after_commit(move || record(to, took));
        }
    }
}

fn count_state(tx: &mut Tx<'_>, job: &PrintJob) {
    let provider = provider_label(job.target.is_some(), job.agent.is_some());
    let (state, source) = (job.state, job.source.name());
    let reason = job.failure.as_ref().map(|failure| failure.problem.name());
    let reason = reason.filter(|_| state == PrintState::Unknown);
    tx.after_commit(move || {
        let labels = [("state", state.name()), ("provider", provider), ("source", source)];
        counter!("waybill_print_jobs_total", &labels).increment(1);
        if let Some(reason) = reason {
            counter!("waybill_print_unknown_total", "reason" => reason).increment(1);
        }
    });
}

fn record(to: &'static str, took: Duration) {
    histogram!("waybill_print_seconds", "to" => to).record(took.as_secs_f64());
}
