//! Where log lines go: readable on a terminal, JSON elsewhere, always on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Starts logging. `filter` is in the form of `RUST_LOG`, for instance `info` or `debug`.
pub fn start(filter: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    // A line that nobody takes is lost. Telling that on standard error would panic there.
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    let started = if std::io::stderr().is_terminal() {
        lines.with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).with_current_span(false).with_span_list(true).try_init()
    };
    started.map_err(|error| error.to_string())
}
