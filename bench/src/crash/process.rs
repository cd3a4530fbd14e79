//! Processes that end with us, whatever happens to them before.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command};

use super::Failure;

/// A process that ends with us.
pub struct Process(pub Child);

impl Process {
    /// As `kill -9`.
    pub fn kill(&mut self) {
        // It may have ended by itself, at a failpoint.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }

    /// Whether it has ended.
    pub fn is_over(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) -> Result<(), Failure> {
        Command::new("kill").args([name, &self.0.id().to_string()]).status()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An address that nobody listens at.
pub fn free_address() -> Result<SocketAddr, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
