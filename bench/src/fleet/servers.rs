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

    /// The megabytes of memory that this one holds now, and the most it has held.
    pub fn memory(&self, number: usize) -> Result<[f64; 2], Failure> {
        let process = self.processes.get(number).ok_or("no such server")?.0.id();
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let megabytes = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            let kilobytes = line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
            kilobytes.map_or(0.0, |kilobytes: f64| kilobytes / 1024.0)
        };
        Ok([megabytes("VmRSS:"), megabytes("VmHWM:")])
    }

    /// The bytes that this one has given to disks.
    pub fn written(&self, number: usize) -> Result<u64, Failure> {
        let process = self.processes.get(number).ok_or("no such server")?.0.id();
        let io = std::fs::read_to_string(format!("/proc/{process}/io"))?;
        let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
        Ok(line.and_then(|bytes| bytes.parse().ok()).unwrap_or(0))
    }

    /// Sends this one a signal by name.
    pub fn signal(&self, number: usize, name: &str) -> Result<(), Failure> {
        self.processes.get(number).ok_or("no such server")?.signal(name)
    }
}
