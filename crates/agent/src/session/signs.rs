//! Signs of life: the server takes an agent for gone that says nothing, be it that a long file is
//! fetched or that nothing is claimed for want of room.

use std::convert::Infallible;
use std::time::Duration;

use hyper::Method;
use tokio::time::sleep;

use super::line::{End, Line};
use super::printers;
use crate::protocol;
use crate::server::{Call, CallError};

/// Nothing was said for so long. A claim is waited for less.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);
const LOOK: Duration = Duration::from_secs(1);

/// Gives signs of life until the session is over.
pub async fn run(line: &Line) -> End {
    match give_on(line).await {
        Err(end) => end,
        Ok(never) => match never {},
    }
}

async fn give_on(line: &Line) -> Result<Infallible, End> {
    let mut retry = line.retry();
    loop {
        let quiet = SIGN_OF_LIFE.saturating_sub(line.heard.silence());
        sleep(quiet.max(LOOK)).await;
        if line.heard.silence() < SIGN_OF_LIFE {
            continue;
        }
        match give(line).await? {
            true => retry.reset(),
            false => sleep(retry.pause()).await,
        }
    }
}

/// Tells the printers once more. Too many of them are a conflict too; a claim that is not waited
/// for tells whether the session is over. True when the server has answered.
async fn give(line: &Line) -> Result<bool, End> {
    let told = match printers::tell(line).await? {
        Err(CallError::Conflict(_)) => {
            let body = protocol::claim(line.session, 1, Duration::ZERO);
            line.call(Call::new(Method::POST, "/jobs/claim", body)).await.map(drop)
        }
        told => told,
    };
    match told {
        Err(CallError::Unknown) => Err(End::Removed),
        Err(CallError::Conflict(_)) => Err(End::Replaced),
        Err(CallError::NoAnswer { .. }) => Ok(false),
        Err(CallError::Refused { .. }) | Ok(()) => Ok(true),
    }
}
