//! What is recorded, and where to. The tests of the adapters record in the same way.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use waybill_domain::time::Time;
use waybill_outbound::Secrets;
use waybill_replay::{RecordOptions, Upstream};

/// A folder of the test's own, which is not there yet.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("waybill-tape-{}-{count}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

/// What this carrier says goes into the folder.
pub fn options(upstream: &str, folder: &Folder) -> RecordOptions {
    RecordOptions {
        listen: "127.0.0.1:0".to_owned(),
        to: folder.0.clone(),
        overwrites: false,
        upstream: Upstream::new(upstream, &[]).unwrap(),
        secrets: Secrets::default(),
        now: Time::parse("2026-11-16T13:30:00Z").unwrap(),
    }
}
