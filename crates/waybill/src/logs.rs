//! Where log lines go: readable on a terminal, JSON elsewhere, always on standard error.

mod writer;

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

pub use writer::Flushed;
use writer::LineWriter;

/// Starts logging. `filter` is in the form of `RUST_LOG`, for instance `info` or `debug`. What was
/// logged is on its way until the returned value is dropped, which waits for it a moment.
pub fn start(filter: &str) -> Result<Flushed, String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let is_terminal = std::io::stderr().is_terminal();
    let (writer, flushed) = LineWriter::start(std::io::stderr(), !is_terminal)?;
    // A line that nobody takes is lost and counted. Telling that on standard error helps nobody.
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(move || writer.clone())
        .log_internal_errors(false);
    let started = if is_terminal {
        lines.with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).with_current_span(false).with_span_list(true).try_init()
    };
    started.map(|()| flushed).map_err(|error| error.to_string())
}
