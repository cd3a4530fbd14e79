//! The jobs of one printer. Moments are handed in; nothing here waits.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use crate::job::{Document, Job, Phase, Ticket};
use crate::scenario::Scenario;
use crate::status::Status;

/// So many jobs that are over are remembered, as CUPS does.
const OVER_MAX: usize = 500;

/// What is done with a document that someone begins to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intake {
    /// It is printed when it has arrived.
    Take,
    /// It is read and thrown away, and nobody is told.
    Ignore,
}

/// The operations whose answer may be lost on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Losable {
    /// Create-Job.
    Create,
    /// Send-Document and Print-Job.
    Send,
}

/// The jobs of one printer.
pub struct Table {
    scenario: Scenario,
    jobs: BTreeMap<i32, Job>,
    /// The last number of its own that it gave out.
    last_id: i32,
    /// When it was first asked to take a job.
    first_asked: Option<Duration>,
    /// The answers that were lost already.
    lost: HashSet<(Losable, String)>,
}

impl Table {
    /// A printer without jobs.
    pub fn new(scenario: Scenario) -> Table {
        Table {
            scenario,
            jobs: BTreeMap::new(),
            last_id: 0,
            first_asked: None,
            lost: HashSet::new(),
        }
    }

    /// Whether a job may be made now.
    pub fn admit(&mut self, now: Duration) -> Result<(), Status> {
        let first_asked = *self.first_asked.get_or_insert(now);
        let is_busy = self.scenario.busy.is_some_and(|busy| now < first_asked + busy);
        if self.scenario.is_rejecting {
            return Err(Status::NotAccepting);
        }
        let is_waiting = |job: &Job| matches!(job.phase, Phase::Empty | Phase::Incoming);
        let is_blocked = self.scenario.waits_for_documents && self.jobs.values().any(is_waiting);
        if is_busy || is_blocked { Err(Status::Busy) } else { Ok(()) }
    }

    /// A number that no job of this table had before. A table begins at one.
    pub fn next_id(&mut self) -> i32 {
        self.last_id += 1;
        self.last_id
    }

    /// Makes a job without a document.
    pub fn create(&mut self, id: i32, ticket: Ticket, now: Duration) {
        self.jobs.insert(id, Job::new(id, ticket, now));
    }

    /// Somebody begins to send a document.
    pub fn begin(&mut self, id: i32) -> Result<Intake, Status> {
        let takes_more = self.scenario.takes_more;
        let job = self.jobs.get_mut(&id).ok_or(Status::NotFound)?;
        match job.phase {
            Phase::Empty => {
                job.phase = Phase::Incoming;
                Ok(Intake::Take)
            }
            phase if takes_more => Ok(if phase.is_over() { Intake::Ignore } else { Intake::Take }),
            phase if phase.is_over() => Err(Status::NotPossible),
            _ => Err(Status::OneDocument),
        }
    }

    /// The document that was coming in does not come.
    pub fn drop_document(&mut self, id: i32) {
        if let Some(job) = self.jobs.get_mut(&id)
            && job.phase == Phase::Incoming
        {
            job.phase = Phase::Empty;
        }
    }

    /// A document is here. Tells whether the job has to be put into the queue, which is so with its
    /// first.
    pub fn arrive(&mut self, id: i32, document: Document) -> Result<bool, Status> {
        let takes_more = self.scenario.takes_more;
        let job = self.jobs.get_mut(&id).ok_or(Status::NotFound)?;
        if job.phase.is_over() {
            return if takes_more { Ok(false) } else { Err(Status::NotPossible) };
        }
        job.documents += 1;
        job.bytes += u64::try_from(document.bytes.len()).unwrap_or(u64::MAX);
        job.waiting.push_back(document);
        let is_first = matches!(job.phase, Phase::Empty | Phase::Incoming);
        if is_first {
            job.phase = Phase::Waiting;
        }
        Ok(is_first)
    }

    /// It is this job's turn; not when it is over.
    pub fn start(&mut self, id: i32, now: Duration) {
        if let Some(job) = self.open(id) {
            job.begun = Some(now);
            job.phase = Phase::Printing;
        }
    }

    /// Whether the printer has paper for this job.
    pub fn set_paper(&mut self, id: i32, is_there: bool) {
        if let Some(job) = self.open(id) {
            job.phase = if is_there { Phase::Printing } else { Phase::OutOfPaper };
        }
    }

    /// The next document that comes out, and for whom. From here on the job cannot be cancelled.
    /// Without another one the job is completed.
    pub fn next_paper(&mut self, id: i32, now: Duration) -> Option<(Ticket, Document)> {
        let job = self.open(id)?;
        match job.waiting.pop_front() {
            Some(document) => {
                job.phase = Phase::PuttingOut;
                Some((job.ticket.clone(), document))
            }
            None => {
                self.end(id, Phase::Completed, now);
                None
            }
        }
    }

    /// The printer gives the job up.
    pub fn abort(&mut self, id: i32, now: Duration) {
        if self.open(id).is_some() {
            self.end(id, Phase::Aborted, now);
        }
    }

    /// Somebody does not want the job any more.
    pub fn cancel(&mut self, id: i32, now: Duration) -> Result<(), Status> {
        match self.jobs.get(&id).map(|job| job.phase) {
            None => Err(Status::NotFound),
            Some(Phase::PuttingOut) => Err(Status::NotPossible),
            Some(phase) if phase.is_over() => Err(Status::NotPossible),
            Some(_) => {
                self.end(id, Phase::Cancelled, now);
                Ok(())
            }
        }
    }

    /// Whether an answer is to be lost now. It is once for each print job.
    pub fn loses(&mut self, what: Losable, ticket: &Ticket) -> bool {
        let is_told_to = match what {
            Losable::Create => self.scenario.loses_create,
            Losable::Send => self.scenario.loses_send,
        };
        is_told_to && self.lost.insert((what, ticket.print_job()))
    }

    /// A job.
    pub fn job(&self, id: i32) -> Option<&Job> {
        self.jobs.get(&id)
    }

    /// All jobs, the oldest first.
    pub fn jobs(&self) -> impl DoubleEndedIterator<Item = &Job> {
        self.jobs.values()
    }

    /// Whether a job will not change any more.
    pub fn is_over(&self, id: i32) -> bool {
        self.jobs.get(&id).is_none_or(|job| job.phase.is_over())
    }

    fn open(&mut self, id: i32) -> Option<&mut Job> {
        self.jobs.get_mut(&id).filter(|job| !job.phase.is_over())
    }

    fn end(&mut self, id: i32, phase: Phase, now: Duration) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.end(phase, now);
        }
        let over: Vec<i32> =
            self.jobs.values().filter(|job| job.phase.is_over()).map(|job| job.id).collect();
        let kept = if self.scenario.forgets { 0 } else { OVER_MAX };
        for id in over.iter().take(over.len().saturating_sub(kept)) {
            self.jobs.remove(id);
        }
    }
}

#[cfg(test)]
mod tests;
