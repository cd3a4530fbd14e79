//! How long we wait for another process.

use std::time::Duration;

/// How long a statement waits for another process, such as the command line beside a server.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// The same wait, where we look ourselves: so often, with so long a pause.
pub(crate) const LOOKS: u32 = 500;
pub(crate) const PAUSE: Duration = Duration::from_millis(10);
