//! Where log lines go: readable on a terminal, JSON elsewhere, always on standard error.

mod writer;

use std::error::Error;
use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use writer::Flushed;
use writer::LineWriter;

/// Why nothing is logged.
#[derive(Debug, thiserror::Error)]
pub enum LogsError {
    /// The filter cannot be read.
    #[error("{0}")]
    Filter(#[from] ParseError),
    /// There is no thread to write the lines.
    #[error("{0}")]
    Thread(#[from] io::Error),
    /// Somebody logs already.
    #[error("{0}")]
    Second(#[source] Box<dyn Error + Send + Sync>),
}

/// Starts logging. `filter` is a level or a list such as `info,waybill_worker=debug`. What was
/// logged is on its way until the returned value is dropped, which waits for it a moment.
pub fn start(filter: &str) -> Result<Flushed, LogsError> {
    let filter: Targets = filter.parse()?;
    let is_terminal = std::io::stderr().is_terminal();
    let (writer, flushed) = LineWriter::start(std::io::stderr(), !is_terminal)?;
    // A line that nobody takes is lost and counted. Telling that on standard error helps nobody.
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .log_internal_errors(false);
    let started = if is_terminal {
        lines.with_target(false).finish().with(filter).try_init()
    } else {
        let lines = lines.json().flatten_event(true);
        lines.with_current_span(false).with_span_list(true).finish().with(filter).try_init()
    };
    started.map(|()| flushed).map_err(|error| LogsError::Second(error.into()))
}
