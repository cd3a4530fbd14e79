//! Printing in numbers: which labels there are, and how many printers, agents and waiting jobs.

use metrics::{counter, gauge, histogram};
use waybill_domain::printing::{AgentState, PrintProblem, PrintSource, PrintState, Provider};

/// Operations of printers whose answers can be lost.
const OPERATIONS: [&str; 3] = ["create", "send", "print"];
/// Who prints a job that no rule had a printer for.
const NO_PROVIDER: &str = "none";
/// Bounds of the histogram of print jobs, in seconds: some wait until a printer is switched on.
pub(super) const PRINT_SECONDS: &[f64] =
    &[0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0, 43200.0];

/// What there is of printing at one moment, over all teams.
#[derive(Default)]
pub struct PrintingCounts {
    /// Agents by their state.
    pub agents: Vec<(AgentState, i64)>,
    /// Printers by their provider, and whether they are online.
    pub printers: Vec<(Provider, bool, i64)>,
    /// Jobs that wait to be sent.
    pub waiting: i64,
}

/// Who speaks to the printer of a job.
pub(crate) fn provider_label(has_printer: bool, has_agent: bool) -> &'static str {
    match (has_printer, has_agent) {
        (false, _) => NO_PROVIDER,
        (true, true) => Provider::Agent.name(),
        (true, false) => Provider::Ipp.name(),
    }
}

/// Makes all that is counted of printing known at zero.
pub(super) fn register() {
    let providers = Provider::NAMES.iter().copied().chain([NO_PROVIDER]);
    for provider in providers {
        for state in PrintState::NAMES {
            for source in PrintSource::NAMES {
                let labels = [("state", *state), ("provider", provider), ("source", *source)];
                counter!("waybill_print_jobs_total", &labels).increment(0);
            }
        }
    }
    for operation in OPERATIONS {
        counter!("waybill_print_answers_lost_total", "operation" => operation).increment(0);
    }
    for problem in PrintProblem::UNKNOWN {
        counter!("waybill_print_unknown_total", "reason" => problem.name()).increment(0);
    }
    for to in ["queued", "printed"] {
        drop(histogram!("waybill_print_seconds", "to" => to));
    }
    note_printing(&PrintingCounts::default());
}

/// Notes what there is of printing.
pub fn note_printing(counts: &PrintingCounts) {
    for state in AgentState::ALL {
        let found = counts.agents.iter().filter(|(other, _)| other == state);
        let count: i64 = found.map(|(_, count)| count).sum();
        gauge!("waybill_print_agents", "state" => state.name()).set(count as f64);
    }
    for provider in Provider::ALL {
        for (is_online, state) in [(true, "online"), (false, "offline")] {
            let found = counts.printers.iter().filter(|it| it.0 == *provider && it.1 == is_online);
            let count: i64 = found.map(|(.., count)| count).sum();
            let labels = [("provider", provider.name()), ("state", state)];
            gauge!("waybill_printers", &labels).set(count as f64);
        }
    }
    gauge!("waybill_print_waiting").set(counts.waiting as f64);
}
