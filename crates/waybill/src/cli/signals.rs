//! How a process is told to stop.

use tokio::signal::unix::{SignalKind, signal};

use super::serve::ServeError;

/// Listens for SIGTERM and SIGINT from now on; done when one has come.
pub fn wait_for_signal() -> Result<impl Future<Output = ()>, ServeError> {
    let listen = |kind| signal(kind).map_err(ServeError::Signals);
    let (mut terminate, mut interrupt) =
        (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
