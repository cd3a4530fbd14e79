//! What the sandbox printer is told to do, by words at the end of its address: `slow=2s`,
//! `twice,slow=5s`. A word that it does not know is an error, no surprise.

use std::fmt;
use std::time::Duration;

use waybill_domain::time::parse_duration;
use waybill_printing::ipp::operation;

use crate::job::Format;

/// The operations that a printer knows when nothing else is said.
const OPERATIONS: [u16; 8] = [
    operation::PRINT_JOB,
    operation::VALIDATE_JOB,
    operation::CREATE_JOB,
    operation::SEND_DOCUMENT,
    operation::CANCEL_JOB,
    operation::GET_JOB_ATTRIBUTES,
    operation::GET_JOBS,
    operation::GET_PRINTER_ATTRIBUTES,
];
/// Where the printers are; the words follow.
const HOME: &str = "ipp/print";

/// How a printer is to behave.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scenario {
    /// Each job takes so long before its paper comes out.
    pub slow: Option<Duration>,
    /// It takes no job for so long after it was first asked to.
    pub busy: Option<Duration>,
    /// Each job waits so long for paper.
    pub paper_out: Option<Duration>,
    /// It takes jobs and prints none.
    pub is_stopped: bool,
    /// It takes no jobs.
    pub is_rejecting: bool,
    /// It gives up every job when it has the document.
    pub aborts: bool,
    /// The first Create-Job of each print job gets no answer.
    pub loses_create: bool,
    /// The first document of each print job gets no answer.
    pub loses_send: bool,
    /// It prints what has arrived of a document that was cut off.
    pub prints_half: bool,
    /// It takes further documents for the same job, as CUPS does.
    pub takes_more: bool,
    /// It does not remember jobs that are over.
    pub forgets: bool,
    /// Its jobs are counted from one after every start.
    pub restarts_ids: bool,
    /// It does not tell how much it has of a job.
    pub is_blind: bool,
    /// It knows no jobs without their document.
    pub prints_whole_jobs: bool,
    /// It takes no job while another one has no document, and waits for that forever.
    pub waits_for_documents: bool,
    /// It makes one copy of documents of this kind, however many it is told to.
    pub single: Option<Format>,
}

/// Why there is no printer at an address. This is told to the one who wrote it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoPrinter {
    /// The words are behind `/ipp/print/`.
    #[error("The sandbox printer is at /{HOME}, and not at {0}.")]
    Path(String),
    /// It does not know this word.
    #[error("The sandbox printer does not know {0}.")]
    Word(String),
}

/// A printer by its path, and the job that the path may name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrinterPath {
    /// The words, which are the printer's name among the others.
    pub words: String,
    /// What they mean.
    pub scenario: Scenario,
    /// The job of a path that ends in `/jobs/7`.
    pub job: Option<i32>,
}

impl PrinterPath {
    /// Reads a path.
    pub fn parse(path: &str) -> Result<PrinterPath, NoPrinter> {
        let nowhere = || NoPrinter::Path(path.to_owned());
        let rest = path.trim_matches('/').strip_prefix(HOME).ok_or_else(nowhere)?;
        let parts: Vec<&str> = rest.split('/').skip(1).collect();
        let (words, job) = match *parts.as_slice() {
            [] if rest.is_empty() => ("", None),
            ["jobs", id] => ("", Some(id)),
            [words] if rest.starts_with('/') => (words, None),
            [words, "jobs", id] if rest.starts_with('/') => (words, Some(id)),
            _ => return Err(nowhere()),
        };
        let job = job.map(|id| id.parse().map_err(|_| nowhere())).transpose()?;
        Ok(PrinterPath { words: words.to_owned(), scenario: Scenario::parse(words)?, job })
    }
}

/// The path of the printer, without a job.
impl fmt::Display for PrinterPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words.as_str() {
            "" => write!(f, "/{HOME}"),
            words => write!(f, "/{HOME}/{words}"),
        }
    }
}

impl Scenario {
    /// Reads words with commas between them.
    fn parse(words: &str) -> Result<Scenario, NoPrinter> {
        let mut scenario = Scenario::default();
        for word in words.split(',').filter(|_| !words.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let is_known = scenario.apply(name, value).is_some();
            if !is_known {
                return Err(NoPrinter::Word(word.to_owned()));
            }
        }
        Ok(scenario)
    }

    /// The operations that it knows.
    pub fn operations(&self) -> impl Iterator<Item = u16> + use<> {
        let is_whole = self.prints_whole_jobs;
        let needs_parts = [operation::CREATE_JOB, operation::SEND_DOCUMENT];
        OPERATIONS.into_iter().filter(move |known| !is_whole || !needs_parts.contains(known))
    }

    fn apply(&mut self, name: &str, value: &str) -> Option<()> {
        match (name, value) {
            ("stopped", "") => self.is_stopped = true,
            ("rejecting", "") => self.is_rejecting = true,
            ("abort", "") => self.aborts = true,
            ("lose-create", "") => self.loses_create = true,
            ("lose-send", "") => self.loses_send = true,
            ("half", "") => self.prints_half = true,
            ("twice", "") => self.takes_more = true,
            ("forget", "") => self.forgets = true,
            ("ids", "") => self.restarts_ids = true,
            ("blind", "") => self.is_blind = true,
            ("print-job-only", "") => self.prints_whole_jobs = true,
            ("one-at-a-time", "") => self.waits_for_documents = true,
            ("single", _) => self.single = Some(Format::parse(value)?),
            ("slow", _) => self.slow = Some(parse_duration(value)?),
            ("busy", _) => self.busy = Some(parse_duration(value)?),
            ("paper-out", _) => self.paper_out = Some(parse_duration(value)?),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_at_the_end_of_the_path_and_are_combined() {
        let plain = PrinterPath::parse("/ipp/print").unwrap();
        assert_eq!((plain.scenario.clone(), plain.job), (Scenario::default(), None));
        assert_eq!(plain.to_string(), "/ipp/print");
        let path = PrinterPath::parse("/ipp/print/slow=2s,twice").unwrap();
        assert_eq!(path.scenario.slow, Some(Duration::from_secs(2)));
        assert!(path.scenario.takes_more && !path.scenario.prints_half);
        assert_eq!(path.to_string(), "/ipp/print/slow=2s,twice");
    }

    #[test]
    fn a_path_may_name_a_job() {
        let path = PrinterPath::parse("/ipp/print/jobs/7").unwrap();
        assert_eq!((path.words.as_str(), path.job), ("", Some(7)));
        let path = PrinterPath::parse("/ipp/print/half/jobs/8").unwrap();
        assert_eq!((path.to_string().as_str(), path.job), ("/ipp/print/half", Some(8)));
    }

    #[test]
    fn a_path_or_word_that_means_nothing_is_an_error() {
        for path in ["", "/", "/ipp", "/ipp/printer", "/ipp/print/a/b", "/ipp/print/jobs/x"] {
            assert_eq!(PrinterPath::parse(path), Err(NoPrinter::Path(path.to_owned())), "{path}");
        }
        for word in
            ["gold", "slow", "slow=2", "busy=s", "abort=1", "paper-out=-1s", "single=gif", "jobs"]
        {
            let path = format!("/ipp/print/{word}");
            assert_eq!(PrinterPath::parse(&path), Err(NoPrinter::Word(word.to_owned())), "{word}");
        }
    }
}
