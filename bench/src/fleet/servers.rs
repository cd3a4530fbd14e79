//! The servers of a fleet.

use std::net::SocketAddr;
use std::time::Duration;

use bench::crash::{Process, Site, free_address};

use super::usage::processor_time_of;
use crate::measure::Failure;

/// Running servers, which end with this.
pub struct Servers {
    processes: Vec<Process>,
    /// Where each listens.
    pub addresses: Vec<SocketAddr>,
}

impl Servers {
    /// Starts so many with these settings, and waits until they take requests.
    pub async fn start(site: &Site, count: usize, settings: &[&str]) -> Result<Servers, Failure> {
        let mut servers = Servers { processes: Vec::new(), addresses: Vec::new() };
        for _ in 0..count {
            let address = free_address()?;
            let mut command = site.server(address)?;
            let spawned = command.args(["--log", "warn"]).args(settings).spawn()?;
            let mut process = Process(spawned);
            site.until_ready(address, &mut process).await?;
            servers.processes.push(process);
            servers.addresses.push(address);
        }
        Ok(servers)
    }

    /// The processor time that each has taken.
    pub fn processor_times(&self) -> Vec<Duration> {
        self.processes.iter().map(|process| processor_time_of(process.0.id())).collect()
    }

    /// Sends this one a signal by name.
    pub fn signal(&self, number: usize, name: &str) -> Result<(), Failure> {
        self.processes.get(number).ok_or("no such server")?.signal(name)
    }
}
