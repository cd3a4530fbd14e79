//! Jobs are claimed, fetched and stored. To be offered a job means nothing: only the report that
//! follows from storing it makes it ours.

use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use sha2::{Digest, Sha256};
use tokio::time::{sleep, timeout};

use super::line::{End, Line, wait_after};
use super::put_off::PutOff;
use crate::protocol;
use crate::server::{CALL_TIME_MAX, Call, CallError, made_at, not_understood};
use crate::spool::{Fact, Offered, Stored, rows};

/// Jobs that are claimed at once.
const LIMIT: i64 = 50;
/// A file of this many bytes takes a second longer on a slow line.
const BYTES_A_SECOND: u64 = 64 * 1024;
/// No file is longer than the server says, but an answer may be an error.
const LEAST_BYTES: u64 = 64 * 1024;
/// What was just stored is offered once more until the server says that it is ours.
const ANSWERED: Duration = Duration::from_secs(2);
/// So often is looked whether there is room again.
const ROOM: Duration = Duration::from_secs(1);
/// What is put off is offered again and again. What is new is not kept waiting for longer by that.
const BESIDE_PUT_OFF: Duration = Duration::from_secs(3);
/// So many files that do not come are the line's fault.
const MISSED_MAX: u32 = 3;

/// What became of offers.
enum Taken {
    /// At least one is new.
    Some,
    /// Nothing new is among them.
    Nothing,
    /// There is no room for one.
    NoRoom,
}

/// Claims jobs until the session is over. The server offers what is for the printers that it was
/// told of last: what it knows of a start before may be gone.
pub async fn run(line: &Line) -> End {
    line.listed.notified().await;
    loop {
        if let Err(end) = claim_on(line).await {
            return end;
        }
    }
}

async fn claim_on(line: &Line) -> Result<(), End> {
    let (shared, mut retry, mut put_off) = (&line.shared, line.retry(), PutOff::default());
    // A session before may have ended while it waited for room.
    shared.spool.run(|tx| rows::set_fact(tx, Fact::Full, "")).await?;
    loop {
        let room = shared.spool.run(rows::room).await?;
        if !room.fits(1, shared.limits) {
            wait_for_room(line, 1).await?;
        }
        let answer = line.call(Call {
            time_max: line.wait + CALL_TIME_MAX,
            ..Call::new(
                Method::POST,
                "/jobs/claim",
                protocol::claim(line.session, LIMIT, line.wait),
            )
        });
        let ours = shared.clock.now();
        let offers = answer.await.and_then(|answer| {
            // By the clock of the server, or ours where it tells none.
            let clocks = match made_at(&answer) {
                Some(server) => (server, shared.clock.now()),
                None => (ours, ours),
            };
            protocol::read_offers(&answer.body, clocks).ok_or_else(not_understood)
        });
        let taken = match offers {
            Ok(offers) if offers.is_empty() => {
                retry.reset();
                continue;
            }
            Ok(offers) => take(line, &offers, &mut put_off).await,
            Err(error) => Err(error.into()),
        };
        match taken {
            Ok(Taken::Some) => {
                retry.reset();
                until_ours(line).await?;
            }
            Ok(Taken::Nothing) if put_off.is_empty() => sleep(retry.pause()).await,
            Ok(Taken::Nothing) => sleep(retry.pause().min(BESIDE_PUT_OFF)).await,
            Ok(Taken::NoRoom) => {}
            Err(NotTaken::Call(error)) => wait_after(&mut retry, error).await?,
            Err(NotTaken::End(end)) => return Err(end),
        }
    }
}

/// Waits until the server has answered the reports of all that was stored, but not for long. A
/// claim before that offers it once more, and what follows waits for the pause after that.
async fn until_ours(line: &Line) -> Result<(), End> {
    let shared = &line.shared;
    let answered = async {
        // An answer may be that to an earlier report.
        while shared.spool.run(rows::has_offered).await? {
            shared.answered.notified().await;
        }
        Ok(())
    };
    timeout(ANSWERED, answered).await.unwrap_or(Ok(()))
}

/// Why offers were not taken in.
enum NotTaken {
    Call(CallError),
    End(End),
}

impl From<CallError> for NotTaken {
    fn from(error: CallError) -> NotTaken {
        NotTaken::Call(error)
    }
}

impl From<End> for NotTaken {
    fn from(end: End) -> NotTaken {
        NotTaken::End(end)
    }
}

async fn take(line: &Line, offers: &[Offered], put_off: &mut PutOff) -> Result<Taken, NotTaken> {
    let (mut taken, mut missed) = (Taken::Nothing, 0);
    put_off.keep(offers);
    for offered in offers {
        if put_off.has(offered.id, line.shared.clock.monotonic()) {
            continue;
        }
        match store(line, offered, None).await? {
            Stored::Known => line.shared.reports.notify_one(),
            Stored::NoRoom => {
                wait_for_room(line, offered.size_bytes).await?;
                return Ok(Taken::NoRoom);
            }
            Stored::NoPrinter => {
                let (job, printer) = (offered.id, &offered.printer);
                tracing::warn!(%job, printer, "a job is offered for a printer that is not here");
            }
            Stored::New => {
                let file = match fetch(line, offered).await {
                    Ok(Some(file)) => file,
                    Err(error @ CallError::Conflict(_)) => return Err(error.into()),
                    fetched => {
                        put_off.add(offered.id, line.shared.clock.monotonic());
                        let Err(error) = fetched else { continue };
                        tracing::warn!(job = %offered.id, %error, "a file does not come");
                        missed += 1;
                        if missed >= MISSED_MAX {
                            return Err(error.into());
                        }
                        continue;
                    }
                };
                store(line, offered, Some(file)).await?;
                tracing::info!(job = %offered.id, printer = offered.printer, "a job is stored");
                line.shared.reports.notify_one();
                taken = Taken::Some;
            }
        }
    }
    Ok(taken)
}

async fn store(line: &Line, offered: &Offered, file: Option<Bytes>) -> Result<Stored, End> {
    let (offered, limits, now) = (offered.clone(), line.shared.limits, line.shared.clock.now());
    let stored =
        line.shared.spool.run(move |tx| rows::offer(tx, &offered, file.as_ref(), (limits, now)));
    Ok(stored.await?)
}

/// The file of a job that is offered. Nothing when it is not offered any more, or is not the file
/// that was promised.
async fn fetch(line: &Line, offered: &Offered) -> Result<Option<Bytes>, CallError> {
    let path = format!("/jobs/{}/file", offered.id);
    let size = offered.size_bytes;
    let fetched = line.call(Call {
        method: Method::GET,
        path: &path,
        body: None,
        time_max: CALL_TIME_MAX + Duration::from_secs(size / BYTES_A_SECOND),
        bytes_max: usize::try_from(size.max(LEAST_BYTES)).unwrap_or(usize::MAX),
    });
    let file = match fetched.await {
        Ok(answer) => answer.body,
        Err(CallError::Unknown) => return Ok(None),
        Err(error) => return Err(error),
    };
    let digest = Sha256::digest(&file);
    let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if hash != offered.sha256 {
        let (job, found) = (offered.id, file.len());
        tracing::warn!(%job, size, found, "a file is not the one that was promised");
        return Ok(None);
    }
    Ok(Some(file))
}

/// Claims nothing until a file of so many bytes finds room, and says so.
async fn wait_for_room(line: &Line, size: u64) -> Result<(), End> {
    let shared = &line.shared;
    let room = shared.spool.run(rows::room).await?;
    let why = format!(
        "the spool is full: it holds {} jobs with {} MiB of files; nothing is claimed until some \
         of them are printed and told",
        room.jobs,
        room.bytes / 1024 / 1024
    );
    tracing::warn!("{why}");
    shared.spool.run(move |tx| rows::set_fact(tx, Fact::Full, &why)).await?;
    loop {
        let room = shared.spool.run(rows::room).await?;
        if room.fits(size, shared.limits) {
            break;
        }
        sleep(ROOM).await;
    }
    tracing::info!("there is room in the spool again");
    Ok(shared.spool.run(|tx| rows::set_fact(tx, Fact::Full, "")).await?)
}
