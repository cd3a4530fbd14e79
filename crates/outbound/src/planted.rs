//! Mistakes made on purpose, one at a time, so that crash runs can show that they notice them.
//! Without the feature `planted-bugs` none can be made: every answer here is a constant.

/// Whether `WAYBILL_PLANTED_BUG` names this mistake.
#[cfg(feature = "planted-bugs")]
pub fn is(bug: &str) -> bool {
    use std::sync::OnceLock;
    static WANTED: OnceLock<Option<String>> = OnceLock::new();
    WANTED.get_or_init(|| std::env::var("WAYBILL_PLANTED_BUG").ok()).as_deref() == Some(bug)
}

/// Never: the feature `planted-bugs` is off.
#[cfg(not(feature = "planted-bugs"))]
pub fn is(_bug: &str) -> bool {
    false
}
