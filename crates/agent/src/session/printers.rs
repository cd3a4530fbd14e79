//! The server is told of all printers, each time that there is news of one.

use std::convert::Infallible;

use hyper::Method;
use waybill_domain::json::Json;

use super::line::{End, Line, wait_after};
use crate::protocol;
use crate::server::{Call, CallError};
use crate::spool::{SpoolError, SpoolPrinter, rows};

/// Tells of printers until the session is over.
pub async fn run(line: &Line) -> End {
    match tell_on(line).await {
        Err(end) => end,
        Ok(never) => match never {},
    }
}

async fn tell_on(line: &Line) -> Result<Infallible, End> {
    let (mut told, mut retry) = (None, line.retry());
    loop {
        let list = list(line).await?;
        if told.as_ref() != Some(&list) {
            match put(line, list.clone()).await {
                Ok(()) => {
                    retry.reset();
                    told = Some(list);
                }
                // The team may have too many printers. Should the session be over, whoever claims
                // is told.
                Err(CallError::Conflict(why)) => {
                    tracing::warn!(why, "the server does not take the printers");
                    tokio::time::sleep(retry.pause()).await;
                }
                Err(error) => wait_after(&mut retry, error).await?,
            }
            continue;
        }
        line.shared.printers.notified().await;
    }
}

/// Tells of all printers once.
pub async fn tell(line: &Line) -> Result<Result<(), CallError>, SpoolError> {
    let list = list(line).await?;
    Ok(put(line, list).await)
}

async fn list(line: &Line) -> Result<Json, SpoolError> {
    let all: Vec<SpoolPrinter> = line.shared.spool.run(rows::list_printers).await?;
    let listed: Vec<SpoolPrinter> = all.into_iter().filter(|printer| printer.is_listed).collect();
    Ok(protocol::printers(&listed))
}

async fn put(line: &Line, list: Json) -> Result<(), CallError> {
    let body = protocol::printer_list(line.session, list);
    let answer = line.call(Call::new(Method::PUT, "/printers", body)).await;
    if !matches!(answer, Err(CallError::NoAnswer { .. })) {
        line.listed.notify_one();
    }
    answer.map(drop)
}
