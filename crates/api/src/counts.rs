//! How often an operation was called, and how long it took.

use std::sync::{Mutex, OnceLock, PoisonError};

use metrics::{Counter, Histogram, counter, histogram};

/// One operation's counters, found in the registry once and then at hand.
#[derive(Default)]
pub struct Counts {
    seconds: OnceLock<Histogram>,
    requests: Mutex<Vec<(&'static str, u16, Counter)>>,
}

impl Counts {
    /// How long it took.
    pub(super) fn seconds(&self, operation: &str) -> &Histogram {
        let find =
            || histogram!("waybill_http_request_seconds", "operation" => operation.to_owned());
        self.seconds.get_or_init(find)
    }

    /// How often it was answered so.
    pub(super) fn requests(&self, operation: &str, method: &'static str, status: u16) -> Counter {
        let mut known = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|known| known.0 == method && known.1 == status);
        if let Some((_, _, counter)) = found {
            return counter.clone();
        }
        let counter = counter!("waybill_http_requests_total",
            "operation" => operation.to_owned(),
            "method" => method,
            "status" => status.to_string());
        known.push((method, status, counter.clone()));
        counter
    }
}
