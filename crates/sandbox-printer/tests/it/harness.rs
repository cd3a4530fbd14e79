//! A sandbox printer on a port of its own, with a folder of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use waybill_domain::json::{Json, parse};
use waybill_domain::time::{Clock, Time};
use waybill_sandbox_printer::{PrinterError, PrinterOptions, prepare};

/// How long is waited for what has to happen, in steps of five milliseconds.
const STEPS_MAX: u32 = 4000;
const STEP: Duration = Duration::from_millis(5);

/// A printer that runs until this is dropped.
pub struct Printer {
    /// Where it listens.
    pub address: SocketAddr,
    home: PathBuf,
    runtime: Option<Runtime>,
}

impl Printer {
    /// A new printer that has printed nothing.
    pub fn start() -> Printer {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("waybill-sandbox-printer-{}-{count}", std::process::id());
        let home = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&home).unwrap();
        Printer::open(home).unwrap()
    }

    fn open(home: PathBuf) -> Result<Printer, PrinterError> {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let options = PrinterOptions {
            folder: home.join("printed"),
            journal: home.join("journal.jsonl"),
            clock: Arc::new(TestClock::start()),
        };
        let serving = prepare(listener, options, std::future::pending())?;
        runtime.spawn(serving);
        Ok(Printer { address, home, runtime: Some(runtime) })
    }

    /// Switches the printer off.
    pub fn switch_off(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }

    /// Switches a printer on that has the same folder.
    pub fn switch_on(&mut self) -> Result<(), PrinterError> {
        // The home is moved, so that the old one does not remove it.
        let home = self.home.clone();
        let mut new = Printer::open(home)?;
        self.address = new.address;
        self.runtime = new.runtime.take();
        new.home = PathBuf::new();
        Ok(())
    }

    /// Tries to start another printer on the same folder.
    pub fn open_again(&self) -> Result<(), PrinterError> {
        let mut other = Printer::open(self.home.clone())?;
        other.home = PathBuf::new();
        Ok(())
    }

    /// The journal as a file.
    pub fn journal(&self) -> PathBuf {
        self.home.join("journal.jsonl")
    }

    /// The lines of the journal.
    pub fn papers(&self) -> Vec<Json> {
        let text = std::fs::read_to_string(self.journal()).unwrap();
        text.lines().map(|line| parse(line.as_bytes()).unwrap()).collect()
    }

    /// The files in the folder, by name.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(self.home.join("printed")).unwrap();
        let file = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        };
        let mut files: Vec<_> = entries.map(|entry| file(entry.unwrap().path())).collect();
        files.sort();
        files
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        self.switch_off();
        if !self.home.as_os_str().is_empty() {
            std::fs::remove_dir_all(&self.home).unwrap();
        }
    }
}

/// Waits until something is so.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..STEPS_MAX {
        if is_so() {
            return;
        }
        std::thread::sleep(STEP);
    }
    panic!("this did not happen: {what}");
}

struct TestClock {
    started: Instant,
}

impl TestClock {
    #[expect(clippy::disallowed_methods, reason = "the tests run in real time")]
    fn start() -> TestClock {
        TestClock { started: Instant::now() }
    }
}

impl Clock for TestClock {
    #[expect(clippy::disallowed_methods, reason = "the tests run in real time")]
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Time(i64::try_from(since.as_micros()).unwrap())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}
