//! For how long a job is one worker's alone, and what follows from that.

use std::sync::OnceLock;
use std::time::Duration;

/// With a shorter lease than this, in milliseconds, a worker does nothing but renew it.
const LEASE_MIN: u64 = 50;

/// How long a worker may be silent before its jobs are taken over: 30 seconds. Crash runs shorten
/// it, in milliseconds, with `WAYBILL_LEASE_MS`.
pub fn lease() -> Duration {
    static LEASE: OnceLock<Duration> = OnceLock::new();
    *LEASE.get_or_init(|| {
        let given = std::env::var("WAYBILL_LEASE_MS").ok().and_then(|text| text.parse().ok());
        Duration::from_millis(given.map_or(30_000, |given: u64| given.max(LEASE_MIN)))
    })
}

/// How long after the intent the first byte may leave: well before the lease ends.
pub fn send_budget() -> Duration {
    lease() / 15
}
