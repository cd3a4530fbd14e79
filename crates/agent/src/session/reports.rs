//! Reports are sent in the order in which they were made, and repeated until they are answered.

use std::convert::Infallible;
use std::time::Duration;

use hyper::Method;
use tokio::time::{sleep, timeout};
use waybill_domain::printing::ReportResult;
use waybill_outbound::planted;

use super::line::{End, Line, wait_after};
use crate::protocol;
use crate::queues::Queues;
use crate::server::{Call, CallError, not_understood};
use crate::spool::{PendingReport, SpoolError, rows};

/// Reports that are sent at once.
const LIMIT: i64 = 100;
/// Time for what is printed too early.
const MISTAKEN: Duration = Duration::from_secs(1);
/// What ended long ago is removed so often.
const SWEEP: Duration = Duration::from_hours(1);

/// Sends reports until the session is over.
pub async fn run(line: &Line, queues: &Queues) -> End {
    match report_on(line, queues).await {
        Err(end) => end,
        Ok(never) => match never {},
    }
}

async fn report_on(line: &Line, queues: &Queues) -> Result<Infallible, End> {
    let (shared, mut retry, mut limit) = (&line.shared, line.retry(), LIMIT);
    loop {
        let pending = shared.spool.run(move |tx| rows::pending_reports(tx, limit)).await?;
        if pending.is_empty() {
            let now = shared.clock.now();
            shared.spool.run(move |tx| rows::forget_old(tx, now)).await?;
            let _woken = timeout(SWEEP, shared.reports.notified()).await;
            continue;
        }
        if planted::is("agent-print-before-taken") {
            sleep(MISTAKEN).await;
        }
        match send(line, &pending, queues).await? {
            Ok(()) => {
                retry.reset();
                limit = LIMIT;
            }
            // One of them may be at fault: the others are not kept waiting by it.
            Err(CallError::Refused { status, message }) if limit > 1 => {
                tracing::warn!(status, message, "the server does not take all reports together");
                limit = 1;
            }
            Err(error) => wait_after(&mut retry, error).await?,
        }
    }
}

/// Sends what there is for so long at most, when nothing else happens any more.
pub async fn flush(line: &Line, queues: &Queues, time: Duration) {
    let sending = async {
        loop {
            let pending = line.shared.spool.run(|tx| rows::pending_reports(tx, LIMIT)).await;
            let Ok(pending) = pending else { return };
            if pending.is_empty() {
                return;
            }
            match send(line, &pending, queues).await {
                Ok(Ok(())) => {}
                Ok(Err(CallError::NoAnswer { .. })) => sleep(Duration::from_millis(500)).await,
                _ => return,
            }
        }
    };
    // What is left is sent by the next session.
    let _late = timeout(time, sending).await;
}

/// Sends reports once, and writes what the server says to each.
async fn send(
    line: &Line,
    pending: &[PendingReport],
    queues: &Queues,
) -> Result<Result<(), CallError>, SpoolError> {
    let body = protocol::reports(line.session, pending);
    let answer = line.call(Call::new(Method::POST, "/jobs/reports", body)).await;
    let results =
        answer.and_then(|answer| protocol::read_results(&answer.body).ok_or_else(not_understood));
    let results = match results {
        Ok(results) => results,
        Err(error) => return Ok(Err(error)),
    };
    for ((job, sequence), _) in
        results.iter().filter(|(_, result)| *result == ReportResult::Refused)
    {
        tracing::warn!(%job, sequence, "the server says that a job is not ours: it is forgotten");
    }
    let (now, is_empty) = (line.shared.clock.now(), results.is_empty());
    let written = line.shared.spool.run(move |tx| {
        let mut has_new = false;
        for (report, result) in results {
            has_new |= rows::answer_report(tx, report, result, now)?;
        }
        Ok(has_new)
    });
    if written.await? {
        queues.wake_all();
    }
    line.shared.answered.notify_one();
    // An answer to nothing would be asked for again and again.
    Ok(if is_empty { Err(not_understood()) } else { Ok(()) })
}
