//! Hears what other servers on the same database tell, on a connection of its own. What is missed
//! while there is no connection is found by polling.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;
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
            tracing::debug!(error = chain(&error), "hints of other servers are not heard");
            pause(is_closed);
        }
    }
}

fn hear_once(
    server: &Server,
    is_closed: &AtomicBool,
    hear: &impl Fn(Uuid),
) -> Result<(), postgres::Error> {
    let mut client = postgres::Config::from(server.config.clone()).connect(server.tls.clone())?;
    client.batch_execute(hints::LISTEN)?;
    while !is_closed.load(Ordering::SeqCst) {
        hear_for_a_while(&mut client, hear)?;
        if client.is_closed() {
            return Ok(());
        }
    }
    Ok(())
}

fn hear_for_a_while(client: &mut Client, hear: &impl Fn(Uuid)) -> Result<(), postgres::Error> {
    let mut notifications = client.notifications();
    let mut heard = notifications.timeout_iter(LOOK);
    while let Some(notification) = heard.next()? {
        hints::parse(notification.payload()).for_each(hear);
    }
    Ok(())
}

fn pause(is_closed: &AtomicBool) {
    let mut left = PAUSE;
    while !left.is_zero() && !is_closed.load(Ordering::SeqCst) {
        std::thread::sleep(LOOK);
        left = left.saturating_sub(LOOK);
    }
}
