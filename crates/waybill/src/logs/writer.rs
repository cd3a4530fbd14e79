//! Lines on their way to standard error. Nobody who logs waits for whoever reads the log: a thread
//! of its own writes, what does not fit into its queue is left out, and so is what nobody takes.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::json;

/// The longest line. A longer one is cut: its text came from outside.
const LINE_MAX: usize = 16 * 1024;
/// What is shown of a line that is longer.
const HEAD: usize = 2000;
/// Bytes that may wait to be written.
const WAITING_MAX: usize = 4 * 1024 * 1024;
/// How long the end of the program waits for the last lines.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Lines that come within this time after a write go out with the next one: waking the thread and
/// calling the system for each line costs a request more than its line does.
const GATHER: Duration = Duration::from_millis(2);
/// So many bytes are written at once.
const WRITE_MAX: usize = 64 * 1024;

/// Takes lines, one in each `write`.
#[derive(Clone)]
pub struct LineWriter {
    lines: Sender<Message>,
    waiting: Arc<AtomicUsize>,
    is_json: bool,
}

enum Message {
    Line(Vec<u8>),
    Flush(Sender<()>),
}

/// Waits for the lines that were logged, a moment at most, when it is dropped.
pub struct Flushed(Sender<Message>);

impl LineWriter {
    /// Starts the thread that writes to `out`.
    pub fn start(
        out: impl Write + Send + 'static,
        is_json: bool,
    ) -> io::Result<(LineWriter, Flushed)> {
        let (lines, arriving) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || pass_on(&arriving, out, &left))?;
        let flushed = Flushed(lines.clone());
        Ok((LineWriter { lines, waiting, is_json }, flushed))
    }
}

impl Write for LineWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let shown = if line.len() > LINE_MAX { cut(line, self.is_json) } else { line.to_vec() };
        let length = shown.len();
        let before = self.waiting.fetch_add(length, Ordering::Relaxed);
        let is_taken =
            before + length <= WAITING_MAX && self.lines.send(Message::Line(shown)).is_ok();
        if !is_taken {
            self.waiting.fetch_sub(length, Ordering::Relaxed);
            count_dropped(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Flushed {
    fn drop(&mut self) {
        let (sender, written) = channel();
        if self.0.send(Message::Flush(sender)).is_ok() {
            let _late = written.recv_timeout(TIMEOUT);
        }
    }
}

fn pass_on(arriving: &Receiver<Message>, mut out: impl Write, waiting: &AtomicUsize) {
    let mut gathered = Gathered::default();
    while let Ok(first) = arriving.recv() {
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Line(line) => gathered.add(&line),
                Message::Flush(done) => {
                    gathered.write(&mut out, waiting);
                    let _nobody_reads = out.flush();
                    let _nobody_waits = done.send(());
                }
            }
            if gathered.bytes.len() >= WRITE_MAX {
                gathered.write(&mut out, waiting);
            }
            next = arriving.try_recv().ok();
        }
        gathered.write(&mut out, waiting);
        std::thread::sleep(GATHER);
    }
}

/// Lines that are written together.
#[derive(Default)]
struct Gathered {
    bytes: Vec<u8>,
    lines: u64,
}

impl Gathered {
    fn add(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
        self.lines += 1;
    }

    fn write(&mut self, out: &mut impl Write, waiting: &AtomicUsize) {
        if !self.bytes.is_empty() && out.write_all(&self.bytes).is_err() {
            count_dropped(self.lines);
        }
        waiting.fetch_sub(self.bytes.len(), Ordering::Relaxed);
        self.bytes.clear();
        self.lines = 0;
    }
}

fn count_dropped(lines: u64) {
    metrics::counter!("waybill_log_lines_dropped_total").increment(lines);
}

/// The beginning of a line that is too long, as a line of the same form.
fn cut(line: &[u8], is_json: bool) -> Vec<u8> {
    let head = String::from_utf8_lossy(&line[..HEAD]).into_owned();
    let text = match is_json {
        true => {
            let message = format!("a log line of {} bytes was cut", line.len());
            json!({"level": "WARN", "message": message, "begins": head}).to_string()
        }
        false => format!("{head}… ({} bytes, cut)", line.len()),
    };
    (text + "\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Takes nothing, forever.
    struct Stuck;

    impl Write for Stuck {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                std::thread::park();
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_arrive_in_order_before_the_end() {
        let paper = Paper::default();
        let (mut writer, flushed) = LineWriter::start(paper.clone(), true).unwrap();
        for line in ["one\n", "two\n"] {
            writer.write_all(line.as_bytes()).unwrap();
        }
        drop(flushed);
        assert_eq!(*paper.0.lock().unwrap(), b"one\ntwo\n");
    }

    #[test]
    fn who_logs_never_waits_for_a_reader_that_is_stuck_and_memory_is_bounded() {
        let (mut writer, flushed) = LineWriter::start(Stuck, true).unwrap();
        let line = vec![b'x'; 10_000];
        for _ in 0..10_000 {
            writer.write_all(&line).unwrap();
        }
        assert!(writer.waiting.load(Ordering::Relaxed) <= WAITING_MAX);
        let begun = tokio::time::Instant::now();
        drop(flushed);
        assert!(begun.elapsed() < 2 * TIMEOUT);
    }

    /// Counts writes; the first one waits for its leave.
    struct Slow {
        leave: Option<Receiver<()>>,
        writes: Arc<AtomicUsize>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes.fetch_add(1, Ordering::SeqCst);
            if let Some(leave) = self.leave.take() {
                leave.recv().unwrap();
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_that_come_during_a_write_go_out_with_the_next_one() {
        let (sender, leave) = channel();
        let writes = Arc::new(AtomicUsize::new(0));
        let slow = Slow { leave: Some(leave), writes: writes.clone() };
        let (mut writer, flushed) = LineWriter::start(slow, true).unwrap();
        writer.write_all(b"first\n").unwrap();
        while writes.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        for _ in 0..100 {
            writer.write_all(b"later\n").unwrap();
        }
        sender.send(()).unwrap();
        drop(flushed);
        assert_eq!(writes.load(Ordering::SeqCst), 2);
        assert_eq!(writer.waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_still_json() {
        let paper = Paper::default();
        let (mut writer, flushed) = LineWriter::start(paper.clone(), true).unwrap();
        writer.write_all(&[b'"'; LINE_MAX + 1]).unwrap();
        drop(flushed);
        let written = paper.0.lock().unwrap().clone();
        assert!(written.len() < LINE_MAX);
        let line: serde_json::Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(line["message"], "a log line of 16385 bytes was cut");
    }
}
