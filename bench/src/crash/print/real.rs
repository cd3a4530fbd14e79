//! Printers that others have made: a CUPS of our own, which is killed, and the IPP printer of
//! `./printers`, on which it prints too.

use std::path::PathBuf;

use waybill_domain::printing::JobName;

use super::cups::Cups;
use super::printers::{Paper, Size, Source};
use crate::crash::Failure;

/// CUPS and an IPP printer.
pub struct RealPrinters {
    /// Killed.
    pub cups: Cups,
    /// Where the IPP printer is. It is not killed.
    pub eve: String,
    /// What it printed, and a journal of that.
    printed: PathBuf,
}

impl RealPrinters {
    /// Finds the IPP printer, and starts CUPS.
    pub async fn start() -> Result<RealPrinters, Failure> {
        let named = |name: &str| {
            std::env::var(name).map_err(|_| format!("{name} is not set: use ./printers run"))
        };
        let (eve, printed) = (named("TEST_EVE_URL")?, PathBuf::from(named("TEST_PRINTED")?));
        let cups = Cups::start(&eve).await?;
        Ok(RealPrinters { cups, eve, printed })
    }

    /// What both of them printed. The IPP printer also has what CUPS gave it, under the same names.
    pub fn papers(&self) -> Result<Vec<Paper>, Failure> {
        let journal = std::fs::read_to_string(self.printed.join("journal"))?;
        let of_eve = journal.lines().filter_map(|line| self.paper(line));
        Ok(of_eve.chain(self.cups.papers()?).collect())
    }

    /// A line of the journal: file, type, copies, name of the job.
    fn paper(&self, line: &str) -> Option<Paper> {
        let [file, _, copies, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let job = JobName::read(name)?.job().to_string();
        let found = std::fs::metadata(self.printed.join(file));
        let size = Size::Bytes(found.map_or(0, |found| found.len()));
        let (copies, at) = (copies.parse().unwrap_or(0), String::new());
        Some(Paper { source: Source::Eve, job, size, copies, at })
    }
}
