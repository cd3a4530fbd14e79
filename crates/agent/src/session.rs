//! A session with the server: jobs are claimed, reports sent and printers told, each for itself and
//! again and again, until the server ends it.

mod claims;
mod line;
mod printers;
mod reports;

use std::sync::Arc;

use crate::error::AgentError;
use crate::queues::Queues;
use crate::shared::Shared;
pub use line::{Caller, End, Line};
pub use reports::flush;

/// Speaks with the server until that is over, or nothing is begun any more.
pub async fn run(
    shared: &Arc<Shared>,
    caller: Caller,
    queues: &Queues,
) -> Result<Option<Line>, AgentError> {
    let line = tokio::select! {
        opened = line::open(shared, caller) => opened?,
        () = shared.stopped() => return Ok(None),
    };
    // What was told before, and what happened meanwhile.
    shared.reports.notify_one();
    shared.printers.notify_one();
    queues.wake_all();
    let end: End = tokio::select! {
        end = claims::run(&line) => end,
        end = reports::run(&line, queues) => end,
        end = printers::run(&line) => end,
        () = shared.stopped() => return Ok(Some(line)),
    };
    Err(end.into())
}
