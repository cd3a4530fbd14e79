//! Processor time, as the system tells it.

use std::time::Duration;

use crate::measure::Failure;

/// Linux tells programs of time in ticks of a hundredth of a second, whatever it counts in itself.
const TICKS: u64 = 100;

/// The processor time that a process has taken, with threads that have ended. Nothing where the
/// system does not tell.
pub fn processor_time_of(process: u32) -> Duration {
    let fields = fields_of(process);
    ticks(fields.get(11..13).unwrap_or_default())
}

/// The processor time of the children of a process that have ended.
pub fn processor_time_of_ended_children(process: u32) -> Duration {
    let fields = fields_of(process);
    ticks(fields.get(13..15).unwrap_or_default())
}

/// Who started a process.
pub fn parent_of(process: u32) -> Option<u32> {
    fields_of(process).get(1).and_then(|parent| u32::try_from(*parent).ok())
}

/// What stands after the name of the program, from the state on; what is no number is zero.
fn fields_of(process: u32) -> Vec<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect()
}

fn ticks(ticks: &[u64]) -> Duration {
    Duration::from_millis(ticks.iter().sum::<u64>() * 1000 / TICKS)
}

/// The processors' time since the machine was started, or in a span.
pub struct Machine {
    all: u64,
    idle: u64,
}

impl Machine {
    /// Until now.
    pub fn now() -> Result<Machine, Failure> {
        let text = std::fs::read_to_string("/proc/stat")?;
        let fields = text.lines().next().unwrap_or_default().split_whitespace().skip(1);
        let ticks: Vec<u64> = fields.map(|field| field.parse().unwrap_or(0)).collect();
        // Who waits for a disk leaves the processor to others.
        let idle = ticks.iter().skip(3).take(2).sum();
        Ok(Machine { all: ticks.iter().take(8).sum(), idle })
    }

    /// From then to now.
    pub fn since(&self, earlier: &Machine) -> Machine {
        Machine { all: self.all - earlier.all, idle: self.idle.saturating_sub(earlier.idle) }
    }

    /// The part of the time in which they had work.
    pub fn busy(&self) -> f64 {
        self.working() / (self.all as f64).max(1.0)
    }

    /// The part of that which others took, when so many seconds were ours.
    pub fn others(&self, ours: f64) -> f64 {
        (1.0 - ours * TICKS as f64 / self.working().max(1.0)).max(0.0)
    }

    fn working(&self) -> f64 {
        self.all.saturating_sub(self.idle) as f64
    }
}
