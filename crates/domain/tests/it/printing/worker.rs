//! A worker that follows `waybill_printing::queue`, one step at a time.

use uuid::Uuid;
use waybill_domain::printing::{
    Evidence, JobName, Next, PrintStep, PrinterJob, PrinterJobState, Proof, Seen, decide, record,
};

use super::flaws::Flaw;
use super::printer::{Answer, Printer, Request};
use super::{LATER, NOW, Row};

pub const OUR_JOB: Uuid = Uuid::from_u128(7);

/// What a worker does next.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
enum Stage {
    #[default]
    Idle,
    Decide,
    Create,
    CommitCreated(Option<u32>),
    /// Job and document begin to leave together.
    BeginToPrint,
    /// The document begins to leave, then the rest follows, if the line holds.
    BeginToSend(u32),
    Send {
        number: u32,
        has_begun: bool,
    },
    List,
    CancelLeft(Vec<u32>),
    Look,
    CancelEmpty,
    LookAgain,
    Commit(Seen),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Worker {
    stage: Stage,
    /// The row as it was read or written last.
    row: Option<Row>,
    fence: u32,
}

impl Worker {
    pub fn claim(row: &Row) -> Worker {
        Worker { stage: Stage::Decide, row: Some(row.clone()), fence: row.fence }
    }

    pub fn is_idle(&self) -> bool {
        self.stage == Stage::Idle
    }

    /// What it is about to ask of the printer.
    pub fn request(&self) -> Option<Request> {
        let row = self.row.as_ref()?;
        let number = row.printer_job;
        Some(match &self.stage {
            Stage::Create => Request::Create(row.submission),
            Stage::BeginToPrint => Request::Print(row.submission),
            Stage::BeginToSend(number) | Stage::Send { number, .. } => Request::Send(*number),
            Stage::List => Request::List,
            Stage::CancelLeft(left) => Request::Cancel(*left.first()?),
            Stage::Look if number.is_none() => Request::Find(row.submission),
            Stage::Look | Stage::LookAgain => Request::Look(number?),
            Stage::CancelEmpty => Request::Cancel(number?),
            _ => return None,
        })
    }

    pub fn asks(&self) -> bool {
        self.request().is_some()
    }

    pub fn step(
        &mut self,
        stored: &mut Row,
        printer: &mut Printer,
        is_lost: bool,
        flaw: Option<Flaw>,
    ) {
        if let Some(next) = self.send_first_bytes(printer, is_lost) {
            self.stage = next;
            return;
        }
        let answer = self.request().map(|request| printer.answer(&request));
        let answer = answer.filter(|_| !is_lost);
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Idle => Stage::Idle,
            Stage::Decide => self.decide(stored, printer, flaw),
            Stage::Create => match answer {
                Some(Answer::Created(number)) => Stage::CommitCreated(Some(number)),
                _ => Stage::Idle,
            },
            Stage::CommitCreated(number) => self.commit_created(stored, number, flaw),
            Stage::BeginToSend(_) | Stage::BeginToPrint => Stage::Idle,
            Stage::Send { number, .. } => {
                self.learn(Some(number).filter(|_| answer.is_some()));
                sent(answer.as_ref(), number, flaw)
            }
            Stage::List => match answer {
                Some(Answer::Jobs(jobs)) => {
                    let ours = jobs.iter().filter(|(_, job)| job.submission.is_some());
                    Stage::CancelLeft(ours.map(|(number, _)| *number).collect())
                }
                _ => Stage::Idle,
            },
            Stage::CancelLeft(left) if left.is_empty() => Stage::Commit(Seen::CleanedUp),
            Stage::CancelLeft(mut left) => match answer {
                Some(_) => {
                    left.remove(0);
                    Stage::CancelLeft(left)
                }
                None => Stage::Idle,
            },
            Stage::Look => match answer {
                Some(Answer::Job(job)) => self.looked(job, printer, flaw),
                Some(Answer::Found(None)) if flaw == Some(Flaw::MissingIsUnsent) => {
                    Stage::Commit(Seen::Emptied)
                }
                Some(Answer::Found(found)) => {
                    self.learn(found.map(|(number, _)| number));
                    self.looked(found.map(|(_, job)| job), printer, flaw)
                }
                _ => Stage::Commit(Seen::NoContact),
            },
            Stage::CancelEmpty if flaw == Some(Flaw::NotReadBack) => Stage::Commit(Seen::Emptied),
            // Whatever became of the cancel, only the look counts.
            Stage::CancelEmpty => Stage::LookAgain,
            Stage::LookAgain => match answer {
                Some(Answer::Job(job)) => {
                    let told = self.told(job);
                    let is_empty = Evidence::is_cancelled_empty(told.as_ref(), &self.name());
                    Stage::Commit(if is_empty { Seen::Emptied } else { Seen::NotEmptied })
                }
                _ => Stage::Commit(Seen::NoContact),
            },
            Stage::Commit(seen) => {
                self.write(stored, seen);
                Stage::Idle
            }
        };
    }

    /// A document begins to leave, or does not go on: what follows then.
    fn send_first_bytes(&self, printer: &mut Printer, is_lost: bool) -> Option<Stage> {
        match self.stage {
            Stage::BeginToSend(number) => {
                Some(Stage::Send { number, has_begun: printer.begin_to_receive(number) })
            }
            // The line may break before a byte has left.
            Stage::BeginToPrint if is_lost => Some(Stage::Commit(Seen::NotSent)),
            Stage::BeginToPrint => {
                let number = printer.begin_whole(self.row.as_ref()?.submission);
                Some(Stage::Send { number, has_begun: true })
            }
            // The line was cut.
            Stage::Send { number, has_begun: true } if !printer.receives(number) => {
                Some(Stage::Idle)
            }
            _ => None,
        }
    }

    /// The number at the printer, where nobody knew it before.
    fn learn(&mut self, number: Option<u32>) {
        if let Some(row) = self.row.as_mut() {
            row.printer_job = row.printer_job.or(number);
        }
    }

    fn decide(&mut self, stored: &mut Row, printer: &Printer, flaw: Option<Flaw>) -> Stage {
        let Some(row) = self.row.clone() else { return Stage::Idle };
        match decide(&row.printing, LATER) {
            Next::Submit => {
                if row.submission >= 3 {
                    return Stage::Idle;
                }
                let create = match printer.prints_whole_jobs {
                    true => Stage::CommitCreated(None),
                    false => Stage::Create,
                };
                let numbered = Row { submission: row.submission + 1, printer_job: None, ..row };
                if flaw == Some(Flaw::NoIntent) {
                    self.row = Some(numbered);
                    return create;
                }
                match self.commit(stored, numbered, Seen::Begun) {
                    true => create,
                    false => Stage::Idle,
                }
            }
            Next::CleanUp => Stage::List,
            Next::Resolve | Next::Look => Stage::Look,
            Next::Wait(_) | Next::Expire | Next::Rest => Stage::Idle,
        }
    }

    fn commit_created(
        &mut self,
        stored: &mut Row,
        number: Option<u32>,
        flaw: Option<Flaw>,
    ) -> Stage {
        let Some(row) = self.row.clone() else { return Stage::Idle };
        let numbered = Row { printer_job: number, ..row };
        let begin = number.map_or(Stage::BeginToPrint, Stage::BeginToSend);
        if flaw == Some(Flaw::NoIntent) {
            self.row = Some(numbered);
            return begin;
        }
        let is_written = self.commit(stored, numbered, Seen::Created);
        match is_written && stored.printing.step == PrintStep::Sending {
            true => begin,
            false => Stage::Idle,
        }
    }

    fn looked(
        &self,
        job: Option<super::printer::Job>,
        printer: &Printer,
        flaw: Option<Flaw>,
    ) -> Stage {
        let proof = Proof { drops_what_is_cut: printer.drops_what_is_cut(), size: 1000 };
        let proof = match flaw {
            Some(Flaw::HalfIsWhole) => Proof { drops_what_is_cut: true, ..proof },
            _ => proof,
        };
        let mut told = self.told(job);
        if let Some(told) = told.as_mut().filter(|_| flaw == Some(Flaw::NoNameCheck)) {
            told.name = Some(self.name().with("Label"));
        }
        let is_sending =
            self.row.as_ref().is_some_and(|row| row.printing.step == PrintStep::Sending);
        match Evidence::read(told.as_ref(), &self.name(), proof) {
            Some(Evidence::Empty) if is_sending => Stage::CancelEmpty,
            Some(evidence) => Stage::Commit(Seen::Looked(evidence)),
            None => Stage::Commit(Seen::NoContact),
        }
    }

    fn told(&self, job: Option<super::printer::Job>) -> Option<PrinterJob> {
        let number = self.row.as_ref()?.printer_job?;
        job.map(|job| job.told(number))
    }

    fn name(&self) -> JobName {
        let submission = self.row.as_ref().map_or(0, |row| row.submission);
        JobName::new(OUR_JOB, submission.into())
    }

    /// Writes what was seen of the row that was read, if nobody else has the queue.
    fn write(&mut self, stored: &mut Row, seen: Seen) {
        if let Some(row) = self.row.clone() {
            self.commit(stored, row, seen);
        }
    }

    fn commit(&mut self, stored: &mut Row, row: Row, seen: Seen) -> bool {
        // Somebody may have given it up since it was read.
        let is_as_read = self.row.as_ref().is_some_and(|read| {
            read.printing.step == stored.printing.step && read.submission == stored.submission
        });
        if stored.fence != self.fence || !is_as_read {
            return false;
        }
        let now = if seen == Seen::Created { NOW } else { LATER };
        let change = record(&stored.printing, seen, now);
        let mut printing = change.job;
        // How often it was tried makes no difference to what may follow.
        printing.tries = 0;
        printing.silent_since = None;
        let row = Row { printing, ..row };
        *stored = row.clone();
        self.row = Some(row);
        true
    }
}

/// What follows on the answer to a document.
fn sent(answer: Option<&Answer>, number: u32, flaw: Option<Flaw>) -> Stage {
    match (answer, flaw) {
        (Some(Answer::Sent(_)), Some(Flaw::StatusAlone)) => {
            Stage::Commit(Seen::Sent(PrinterJobState::Completed))
        }
        (Some(Answer::Sent(state)), _) => Stage::Commit(Seen::Sent(*state)),
        (Some(_), _) => Stage::Commit(Seen::Refused),
        (None, Some(Flaw::Resend)) => Stage::Send { number, has_begun: false },
        (None, Some(Flaw::BlindRetry)) => Stage::Commit(Seen::Emptied),
        (None, _) => Stage::Idle,
    }
}
