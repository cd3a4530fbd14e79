//! Hears what other servers on the same database tell, on a connection of its own. What is missed
//! while there is no connection is found by polling.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_postgres::AsyncMessage;
use uuid::Uuid;

use super::Server;
use crate::error::chain;
use crate::hints;

/// How long a thread takes to notice that the store is closed.
const LOOK: Duration = Duration::from_millis(100);
/// A server that does not answer is left alone for so long.
const PAUSE: Duration = Duration::from_secs(2);

/// Hears until the store is closed.
pub(crate) fn hear(server: &Server, is_closed: &AtomicBool, hear: impl Fn(Uuid)) {
    while !is_closed.load(Ordering::SeqCst) {
        if let Err(error) = hear_once(server, is_closed, &hear) {
            tracing::debug!(%error, "hints of other servers are not heard");
            pause(is_closed);
        }
    }
}

fn hear_once(
    server: &Server,
    is_closed: &AtomicBool,
    hear: &impl Fn(Uuid),
) -> Result<(), HearError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (client, mut connection) = server.config.connect(server.tls.clone()).await?;
        let mut listen = pin!(client.batch_execute(hints::LISTEN));
        let mut is_listening = false;
        while !is_closed.load(Ordering::SeqCst) {
            tokio::select! {
                listening = &mut listen, if !is_listening => {
                    listening?;
                    is_listening = true;
                }
                message = poll_fn(|context| connection.poll_message(context)) => match message {
                    Some(Ok(AsyncMessage::Notification(heard))) => {
                        hints::parse(heard.payload()).for_each(hear);
                    }
                    Some(message) => drop(message?),
                    None => return Ok(()),
                },
                () = tokio::time::sleep(LOOK) => {}
            }
        }
        Ok(())
    })
}

/// Why nothing is heard.
#[derive(Debug, thiserror::Error)]
enum HearError {
    #[error("{}", chain(.0))]
    Server(#[from] tokio_postgres::Error),
    #[error("{0}")]
    Runtime(#[from] std::io::Error),
}

fn pause(is_closed: &AtomicBool) {
    let mut left = PAUSE;
    while !left.is_zero() && !is_closed.load(Ordering::SeqCst) {
        std::thread::sleep(LOOK);
        left = left.saturating_sub(LOOK);
    }
}
