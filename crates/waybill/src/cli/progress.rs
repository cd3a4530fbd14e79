//! How far a long command is, as a bar on a terminal.

use std::fs::File;
use std::io::{IsTerminal, Read, Result, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Letters of the bar.
const WIDTH: u64 = 40;

/// A file whose bytes are counted as they are read.
pub struct Counted {
    file: File,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.file.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// How much of a file has been read, and its bar.
pub struct Progress {
    count: Arc<AtomicU64>,
    size: u64,
    bar: Bar,
}

impl Progress {
    /// A file of this size and its bar.
    pub fn of(file: File, size: u64) -> (Counted, Progress) {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Counted { file, count: count.clone() };
        (counted, Progress { count, size, bar: Bar::new() })
    }

    /// Shows how far the reading is.
    pub fn show(&mut self, taken: u64) {
        let read = self.count.load(Ordering::Relaxed);
        self.bar.show(read, self.size, &format!("{taken} taken"));
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        self.bar.clear();
    }
}

/// A bar. It is drawn only where somebody can see it move.
pub struct Bar {
    shown: Option<u64>,
    is_seen: bool,
}

impl Bar {
    /// A bar that is not drawn yet.
    pub fn new() -> Bar {
        Bar { shown: None, is_seen: stderr().is_terminal() }
    }

    /// Draws the bar when it has moved by a thousandth.
    pub fn show(&mut self, done: u64, all: u64, label: &str) {
        let thousandths = (done * 1000).checked_div(all).unwrap_or(1000).min(1000);
        if !self.is_seen || self.shown == Some(thousandths) {
            return;
        }
        self.shown = Some(thousandths);
        eprint!("\r{} {label}", bar(thousandths));
        // A bar that cannot be drawn is not a reason to stop.
        let _unseen = stderr().flush();
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if self.is_seen && self.shown.take().is_some() {
            eprint!("\r\u{1b}[K");
        }
    }
}

fn bar(thousandths: u64) -> String {
    let full = (thousandths * WIDTH / 1000) as usize;
    let rest = WIDTH as usize - full;
    format!("[{}{}] {:>3} %", "#".repeat(full), " ".repeat(rest), thousandths / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_empty_at_first_and_full_in_the_end() {
        assert_eq!(bar(0), format!("[{}]   0 %", " ".repeat(40)));
        assert_eq!(bar(500), format!("[{}{}]  50 %", "#".repeat(20), " ".repeat(20)));
        assert_eq!(bar(1000), format!("[{}] 100 %", "#".repeat(40)));
    }
}
