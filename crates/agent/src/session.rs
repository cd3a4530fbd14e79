//! A session with the server: jobs are claimed, reports sent and printers told, each for itself and
//! again and again, until the server ends it.

mod claims;
mod heard;
mod line;
mod printers;
mod put_off;
mod reports;
mod signs;

use std::sync::Arc;

use crate::error::AgentError;
use crate::queues::Queues;
use crate::shared::Shared;
pub use line::{Caller, End, Line};
pub use reports::flush;

/// Speaks with the server until that is over, or nothing is begun any more.
pub async fn run(
    shared: &Arc<Shared>,
    mut caller: Caller,
    queues: &Queues,
) -> Result<Option<Line>, AgentError> {
    loop {
        let line = tokio::select! {
            opened = line::open(shared, caller) => opened?,
            () = shared.stopped() => return Ok(None),
        };
        shared.began.send_replace(true);
        // What was told before, and what happened meanwhile.
        shared.reports.notify_one();
        shared.printers.notify_one();
        queues.wake_all();
        let end: End = tokio::select! {
            end = claims::run(&line) => end,
            end = reports::run(&line, queues) => end,
            end = printers::run(&line) => end,
            end = signs::run(&line) => end,
            () = line.heard.was_silent() => {
                tracing::info!("the server is told once more of what is held");
                caller = line.end();
                continue;
            }
            () = shared.stopped() => return Ok(Some(line)),
        };
        return Err(end.into());
    }
}
