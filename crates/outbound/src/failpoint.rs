//! Places where a test may stop the process, as a crash would. Without the feature `failpoints`
//! they are nothing at all.

/// Ends the process at once when `WAYBILL_FAILPOINT` names this place, as `kill -9` would.
#[cfg(feature = "failpoints")]
pub fn hit(place: &str) {
    use std::sync::atomic::{AtomicI64, Ordering};
    static LEFT: AtomicI64 = AtomicI64::new(i64::MIN);
    let Ok(wanted) = std::env::var("WAYBILL_FAILPOINT") else { return };
    let (name, count) = wanted.split_once('=').unwrap_or((&wanted, "1"));
    if name != place {
        return;
    }
    let count = count.parse().unwrap_or(1);
    let _first = LEFT.compare_exchange(i64::MIN, count, Ordering::SeqCst, Ordering::SeqCst);
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 1 {
        eprintln!("failpoint {place}");
        std::process::abort();
    }
}

/// Nothing: the feature `failpoints` is off.
#[cfg(not(feature = "failpoints"))]
pub fn hit(_place: &str) {}
