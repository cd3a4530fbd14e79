//! A printer, as bad as printers are.

use waybill_domain::printing::{JobName, PrinterJob, PrinterJobState};

use super::worker::OUR_JOB;

/// What a worker asks of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Request {
    /// Create-Job with the name of this submission.
    Create(u32),
    /// Send-Document for the job of this number.
    Send(u32),
    /// Cancel-Job.
    Cancel(u32),
    /// Get-Job-Attributes.
    Look(u32),
    /// Get-Jobs: those that are not over.
    List,
    /// Print-Job with the name of this submission.
    Print(u32),
    /// Get-Jobs: the one with the name of this submission, over or not.
    Find(u32),
}

/// What it answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The number of a new job.
    Created(u32),
    /// The job after the document was taken, or was not.
    Sent(PrinterJobState),
    /// No.
    Refused,
    /// The job, if there is one.
    Job(Option<Job>),
    /// The number of a job by its name, and the job.
    Found(Option<(u32, Job)>),
    /// All jobs that are not over.
    Jobs(Vec<(u32, Job)>),
    /// Done.
    Ok,
}

/// A job at the printer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The submission in its name; nothing for a job of somebody else.
    pub submission: Option<u32>,
    /// How far it is.
    pub state: PrinterJobState,
    /// Documents that came in whole.
    pub documents: u8,
    /// Whether one is coming in.
    pub is_receiving: bool,
    /// Whether a part of one is all that it has.
    pub is_half: bool,
}

impl Job {
    /// As the protocol tells of it.
    pub fn told(self, number: u32) -> PrinterJob {
        let name = self.submission.map(|n| JobName::new(OUR_JOB, n.into()).with("Label"));
        let has_document = self.documents > 0 || self.is_half;
        PrinterJob {
            id: i32::try_from(number).unwrap(),
            name: name.or(Some("Somebody's letter".to_owned())),
            state: Some(self.state),
            reasons: if self.is_receiving { vec!["job-incoming".to_owned()] } else { Vec::new() },
            message: None,
            documents: Some(i32::from(has_document || self.is_receiving)),
            kilobytes: Some(i32::from(has_document)),
        }
    }
}

/// What differs between printers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kind {
    /// Whether it drops what is cut, as CUPS does, or prints it.
    pub drops_what_is_cut: bool,
    /// Whether it takes a second document for a job, as CUPS does.
    pub takes_second: bool,
    /// Whether it knows no jobs without their document.
    pub prints_whole_jobs: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Printer {
    drops_what_is_cut: bool,
    takes_second: bool,
    /// It knows no jobs without their document.
    pub prints_whole_jobs: bool,
    jobs: Vec<Option<Job>>,
    /// Papers with our file on them, whole or not.
    pub papers: u8,
    /// Papers with the whole file.
    pub whole_papers: u8,
}

impl Printer {
    pub fn new(kind: Kind) -> Printer {
        let Kind { drops_what_is_cut, takes_second, prints_whole_jobs } = kind;
        let (jobs, papers, whole_papers) = (Vec::new(), 0, 0);
        Printer { drops_what_is_cut, takes_second, prints_whole_jobs, jobs, papers, whole_papers }
    }

    pub fn drops_what_is_cut(&self) -> bool {
        self.drops_what_is_cut
    }

    fn job(&mut self, number: u32) -> Option<&mut Job> {
        self.jobs.get_mut(number as usize)?.as_mut()
    }

    /// Does what is asked.
    pub fn answer(&mut self, request: &Request) -> Answer {
        match *request {
            Request::Create(submission) => Answer::Created(self.make(submission)),
            Request::Send(number) => self.take(number),
            Request::Print(submission) => {
                let number = self.make(submission);
                self.take(number)
            }
            Request::Find(submission) => {
                let jobs = (0..).zip(&self.jobs);
                let mut known = jobs.filter_map(|(number, job)| Some((number, (*job)?)));
                Answer::Found(known.find(|(_, job)| job.submission == Some(submission)))
            }
            Request::Cancel(number) => {
                if let Some(job) = self.job(number) {
                    // One that is coming in is printed all the same.
                    if job.state == PrinterJobState::Held && !job.is_receiving {
                        job.state = PrinterJobState::Cancelled;
                    }
                }
                Answer::Ok
            }
            Request::Look(number) => Answer::Job(self.job(number).copied()),
            Request::List => {
                let open =
                    (0..).zip(&self.jobs).filter_map(|(number, job)| Some((number, (*job)?)));
                let is_open = |(_, job): &(u32, Job)| job.state == PrinterJobState::Held;
                Answer::Jobs(open.filter(is_open).collect())
            }
        }
    }

    fn make(&mut self, submission: u32) -> u32 {
        self.jobs.push(Some(Job {
            submission: Some(submission),
            state: PrinterJobState::Held,
            documents: 0,
            is_receiving: false,
            is_half: false,
        }));
        u32::try_from(self.jobs.len() - 1).unwrap()
    }

    /// A job and its document begin to come in together. Gives the number of the job.
    pub fn begin_whole(&mut self, submission: u32) -> u32 {
        let number = self.make(submission);
        self.begin_to_receive(number);
        number
    }

    fn take(&mut self, number: u32) -> Answer {
        let (takes_second, drops) = (self.takes_second, self.drops_what_is_cut);
        let Some(job) = self.job(number) else { return Answer::Refused };
        match job.state {
            // CUPS says that all is well, and tells in the state that it is not.
            PrinterJobState::Cancelled if drops => Answer::Sent(job.state),
            PrinterJobState::Held if job.documents == 0 || takes_second => {
                job.documents += 1;
                (job.is_receiving, job.state) = (false, PrinterJobState::Pending);
                Answer::Sent(job.state)
            }
            PrinterJobState::Pending if takes_second => {
                job.documents += 1;
                Answer::Sent(job.state)
            }
            _ => Answer::Refused,
        }
    }

    /// A document begins to come in, and the rest of it may never follow.
    pub fn begin_to_receive(&mut self, number: u32) -> bool {
        let job = self.job(number).filter(|job| job.state == PrinterJobState::Held);
        job.map(|job| job.is_receiving = true).is_some()
    }

    /// Whether a document is coming in for this job.
    pub fn receives(&self, number: u32) -> bool {
        let job = self.jobs.get(number as usize).and_then(Option::as_ref);
        job.is_some_and(|job| job.is_receiving)
    }

    pub fn is_receiving(&self) -> bool {
        self.jobs.iter().flatten().any(|job| job.is_receiving)
    }

    /// The line breaks: what came in is dropped, or printed as if it were all.
    pub fn cut(&mut self) {
        let drops = self.drops_what_is_cut;
        for job in self.jobs.iter_mut().flatten().filter(|job| job.is_receiving) {
            job.is_receiving = false;
            if !drops {
                (job.is_half, job.state) = (true, PrinterJobState::Pending);
            }
        }
    }

    pub fn can_print(&self) -> bool {
        self.jobs.iter().flatten().any(|job| job.state == PrinterJobState::Pending)
    }

    pub fn print(&mut self) {
        for job in self.jobs.iter_mut().flatten() {
            if job.state == PrinterJobState::Pending {
                job.state = PrinterJobState::Completed;
                self.papers += job.documents + u8::from(job.is_half);
                self.whole_papers += job.documents;
            }
        }
    }

    /// What was not printed is lost, and somebody else's job may get the number of ours.
    pub fn restart(&mut self) {
        self.jobs.clear();
        self.jobs.push(Some(Job {
            submission: None,
            state: PrinterJobState::Completed,
            documents: 1,
            is_receiving: false,
            is_half: false,
        }));
    }
}
