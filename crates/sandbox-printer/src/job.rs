//! A job of the sandbox printer, and what may follow what.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use waybill_domain::printing::{JobName, PrinterJobState};

/// What whoever made a job said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// What it is called.
    pub name: String,
    /// Whose it is.
    pub user: String,
    /// How often each document is printed.
    pub copies: i32,
}

impl Ticket {
    /// The print job that it is a submission of, or its whole name when it is not one of ours.
    pub fn print_job(&self) -> String {
        JobName::read(&self.name).map_or_else(|| self.name.clone(), |name| name.job().to_string())
    }
}

/// What is to be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Its kind.
    pub format: Format,
    /// Its bytes, of which nothing is changed.
    pub bytes: Bytes,
}

/// The kinds of documents that are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// PDF.
    Pdf,
    /// ZPL.
    Zpl,
    /// PNG.
    Png,
}

impl Format {
    /// All, the first being the one that is taken when nothing is said.
    pub const ALL: [Format; 3] = [Format::Pdf, Format::Zpl, Format::Png];

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Pdf => "application/pdf",
            Format::Zpl => "application/vnd.zebra-zpl",
            Format::Png => "image/png",
        }
    }

    /// Reads how the name of a file of it ends.
    pub fn parse(extension: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.extension() == extension)
    }

    /// How the name of a file of it ends.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Pdf => "pdf",
            Format::Zpl => "zpl",
            Format::Png => "png",
        }
    }
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It has no document.
    Empty,
    /// Its document is coming in.
    Incoming,
    /// It has its document and waits for its turn.
    Waiting,
    /// It is the printer's turn to print it; nothing has come out.
    Printing,
    /// The same, and there is no paper.
    OutOfPaper,
    /// Its paper is coming out, which nothing can stop.
    PuttingOut,
    /// It was printed.
    Completed,
    /// Somebody did not want it any more.
    Cancelled,
    /// The printer gave it up.
    Aborted,
}

impl Phase {
    /// Whether nothing can follow.
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Completed | Phase::Cancelled | Phase::Aborted)
    }

    /// The state that others are told.
    pub fn state(self) -> PrinterJobState {
        match self {
            Phase::Empty | Phase::Incoming => PrinterJobState::Held,
            Phase::Waiting => PrinterJobState::Pending,
            Phase::Printing | Phase::PuttingOut => PrinterJobState::Processing,
            Phase::OutOfPaper => PrinterJobState::Stopped,
            Phase::Completed => PrinterJobState::Completed,
            Phase::Cancelled => PrinterJobState::Cancelled,
            Phase::Aborted => PrinterJobState::Aborted,
        }
    }

    /// Why it is in this state, in the words of RFC 8011 section 5.3.8. An empty job and one whose
    /// document is coming in look alike, as they do at CUPS.
    pub fn reason(self) -> &'static str {
        match self {
            Phase::Empty | Phase::Incoming => "job-incoming",
            Phase::Waiting => "none",
            Phase::Printing | Phase::PuttingOut => "job-printing",
            Phase::OutOfPaper => "printer-stopped",
            Phase::Completed => "job-completed-successfully",
            Phase::Cancelled => "job-canceled-by-user",
            Phase::Aborted => "aborted-by-system",
        }
    }
}

/// A job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number.
    pub id: i32,
    /// What was said of it.
    pub ticket: Ticket,
    /// How far it is.
    pub phase: Phase,
    /// How many documents it was given.
    pub documents: i32,
    /// How many bytes they have.
    pub bytes: u64,
    /// The documents that have not come out yet.
    pub waiting: VecDeque<Document>,
    /// When it was made, since the printer's start.
    pub created: Duration,
    /// When its turn came.
    pub begun: Option<Duration>,
    /// When it was over.
    pub ended: Option<Duration>,
}

impl Job {
    /// A job without a document.
    pub fn new(id: i32, ticket: Ticket, now: Duration) -> Job {
        Job {
            id,
            ticket,
            phase: Phase::Empty,
            documents: 0,
            bytes: 0,
            waiting: VecDeque::new(),
            created: now,
            begun: None,
            ended: None,
        }
    }

    /// It is over. What has not come out stays inside.
    pub fn end(&mut self, phase: Phase, now: Duration) {
        self.phase = phase;
        self.waiting.clear();
        self.ended = Some(now);
    }
}
