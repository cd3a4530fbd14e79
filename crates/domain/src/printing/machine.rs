//! The steps of a print job and what may follow which.

mod agent;

use std::time::Duration;

pub use agent::AgentNews;

use super::evidence::{Evidence, PrinterJobState};
use super::problem::PrintProblem;
use super::state::{PrintState, PrintStep, Printing, SubmissionEnd};
use crate::time::Time;

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Ask the printer whether it takes jobs, dial, commit the submission, create, commit, send.
    Submit,
    /// Cancel every job at the printer that has this one's name. They are empty.
    CleanUp,
    /// Find out by looking what became of the file. Nothing is sent.
    Resolve,
    /// Look how far the printer is.
    Look,
    /// Nothing before this time.
    Wait(Time),
    /// Give it up: it was not submitted in time.
    Expire,
    /// Nothing, ever.
    Rest,
}

/// What was seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// The printer takes nothing now: it cannot be reached, is stopped or busy. Nothing was made.
    PutOff,
    /// The submission is about to be committed: from here on an empty job may exist.
    Begun,
    /// An empty job exists, and is about to be committed: from here on the file may leave.
    Created,
    /// Create-Job was provably not done: no empty job exists, and the printer takes nothing now.
    NotCreated,
    /// Not a byte of the file left, or the printer has provably taken nothing. Only whoever was to
    /// send it can say so, where there is no empty job to be found.
    NotSent,
    /// No job of this name is left at the printer, and none had a document.
    CleanedUp,
    /// The printer refused it for good, and has taken nothing.
    Refused,
    /// The printer has answered that it has the whole file; its job is in this state.
    Sent(PrinterJobState),
    /// What a look at the printer job proves.
    Looked(Evidence),
    /// The empty job was cancelled and read back as over, and still had nothing.
    Emptied,
    /// The empty job was cancelled, and was not read back as over and empty.
    NotEmptied,
    /// The printer could not be asked.
    NoContact,
    /// It is not to be printed any more.
    Unwanted(PrintProblem),
    /// The database was restored from a copy: the one that was lost may have had it printed.
    Restored,
    /// What is known of it through a print agent.
    Agent(AgentNews),
}

/// What an observation changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The job from here on.
    pub job: Printing,
    /// What becomes of the submission that is open, if that is decided now.
    pub submission: Option<SubmissionEnd>,
    /// Why it is `failed` or `unknown` from here on. The printer's words go with it.
    pub problem: Option<PrintProblem>,
    /// When to look again; nothing when there is nothing left to do.
    pub look_at: Option<Time>,
}

/// A printer's job that nobody has heard of for so long is `unknown`.
pub const SILENCE_MAX: Duration = Duration::from_secs(120);
/// The pauses before something is tried again: doubled from the first to the last.
const PAUSE: Duration = Duration::from_millis(200);
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// How often a job is looked at that the printer has.
const LOOK_PAUSE: Duration = Duration::from_millis(500);
const LOOK_PAUSE_MAX: Duration = Duration::from_secs(20);
/// How often one is looked at that is `unknown` for want of contact, and for how long.
const SILENT: [(Duration, Duration); 2] = [
    (Duration::from_mins(10), Duration::from_secs(5)),
    (Duration::from_hours(24), Duration::from_mins(5)),
];
/// A document that is on its way in for longer than this does not arrive.
const INCOMING_MAX: Duration = Duration::from_secs(60);

/// What to do next with a print job.
pub fn decide(job: &Printing, now: Time) -> Next {
    match job.step {
        PrintStep::Over => Next::Rest,
        // Nothing follows but that its empty job is not left behind.
        PrintStep::Creating if job.state == PrintState::Failed => Next::CleanUp,
        PrintStep::Ready | PrintStep::Creating if now >= job.expires_at => Next::Expire,
        PrintStep::Ready => Next::Submit,
        PrintStep::Creating => Next::CleanUp,
        PrintStep::Sending => match job.arrived_by() {
            Some(at) if now < at => Next::Wait(at),
            _ => Next::Resolve,
        },
        PrintStep::Watching => Next::Look,
    }
}

/// What an observation changes. What does not fit the step changes nothing.
pub fn record(job: &Printing, seen: Seen, now: Time) -> Change {
    let stay = Change {
        job: Printing { tries: job.tries.saturating_add(1), ..job.clone() },
        submission: None,
        problem: None,
        look_at: (job.step != PrintStep::Over).then(|| now.plus(pause(job))),
    };
    match (job.step, seen) {
        (PrintStep::Ready, Seen::Begun) => {
            // A printer that puts it off again and again is asked less often.
            let tries = job.tries;
            let mut change = enter(stay, PrintStep::Creating, now);
            change.job.tries = tries;
            change
        }
        (PrintStep::Creating, Seen::NotCreated) | (PrintStep::Sending, Seen::NotSent) => {
            let (tries, look_at) = (stay.job.tries, stay.look_at);
            let mut change = back_to_ready(stay, now);
            change.job.tries = tries;
            change.look_at = change.look_at.and(look_at);
            change
        }
        // One that was given up meanwhile does not leave.
        (PrintStep::Creating, Seen::Created) if job.state != PrintState::Failed => {
            let tries = job.tries;
            let mut change = enter(stay, PrintStep::Sending, now);
            change.job.tries = tries;
            change.job.sent_at = Some(now);
            change.look_at = change.job.arrived_by();
            change
        }
        (PrintStep::Creating, Seen::CleanedUp) => back_to_ready(stay, now),
        (PrintStep::Sending, Seen::Emptied | Seen::Looked(Evidence::OverEmpty)) => {
            back_to_ready(stay, now)
        }
        (PrintStep::Ready | PrintStep::Creating | PrintStep::Sending, Seen::Refused) => {
            end(stay, PrintState::Failed, PrintProblem::Refused, SubmissionEnd::Refused)
        }
        (PrintStep::Ready, Seen::Unwanted(problem)) => {
            end(stay, PrintState::Failed, problem, SubmissionEnd::Empty)
        }
        // It is over for whoever asked; whoever looks next removes the empty job.
        (PrintStep::Creating, Seen::Unwanted(problem)) if job.state != PrintState::Failed => {
            let mut change = enter(stay, PrintStep::Creating, now);
            change.job.state = PrintState::Failed;
            change.problem = Some(problem);
            change
        }
        // What a printer has is looked at by its number, and nothing more is sent.
        (PrintStep::Ready | PrintStep::Creating | PrintStep::Sending, Seen::Restored)
            if job.state != PrintState::Failed =>
        {
            end(stay, PrintState::Unknown, PrintProblem::Restored, SubmissionEnd::Unknown)
        }
        (PrintStep::Sending, Seen::Sent(state)) => {
            let mut stay = stay;
            stay.job.is_answered = true;
            follow(stay, state, true, now)
        }
        (PrintStep::Sending, Seen::NotEmptied) => {
            end(stay, PrintState::Unknown, PrintProblem::Interrupted, SubmissionEnd::Unknown)
        }
        (PrintStep::Sending | PrintStep::Watching, Seen::Looked(evidence)) => {
            looked(stay, evidence, now)
        }
        (PrintStep::Sending | PrintStep::Watching, Seen::NoContact) => silent(stay, now),
        (_, Seen::Agent(news)) => agent::record(stay, news, now),
        _ => stay,
    }
}

/// The next step, and to be looked at by somebody else if nobody goes on.
fn enter(mut change: Change, step: PrintStep, now: Time) -> Change {
    change.job.step = step;
    change.job.tries = 0;
    change.look_at = Some(now);
    change
}

/// Nothing is at the printer: it may be submitted again, unless somebody was told to look at the
/// printer, or that it failed.
fn back_to_ready(mut change: Change, now: Time) -> Change {
    match change.job.state {
        PrintState::Unknown => {
            let problem = PrintProblem::NotPrinted;
            return end(change, PrintState::Failed, problem, SubmissionEnd::Empty);
        }
        PrintState::Failed => {
            change.job.step = PrintStep::Over;
            change.submission = Some(SubmissionEnd::Empty);
            change.look_at = None;
            return change;
        }
        _ => {}
    }
    let mut change = enter(change, PrintStep::Ready, now);
    change.job.sent_at = None;
    change.job.silent_since = None;
    change.submission = Some(SubmissionEnd::Empty);
    change
}

fn end(
    mut change: Change,
    state: PrintState,
    problem: PrintProblem,
    submission: SubmissionEnd,
) -> Change {
    change.job.state = state;
    change.job.step = PrintStep::Over;
    change.job.tries = 0;
    // What was committed and not sent is over with it.
    change.submission = Some(submission);
    change.problem = Some(problem);
    change.look_at = None;
    change
}

fn looked(mut change: Change, evidence: Evidence, now: Time) -> Change {
    change.job.silent_since = None;
    match evidence {
        Evidence::Gone => {
            end(change, PrintState::Unknown, PrintProblem::Forgotten, SubmissionEnd::Unknown)
        }
        Evidence::Has { state, is_whole } => {
            let is_whole = is_whole || change.job.is_answered;
            follow(change, state, is_whole, now)
        }
        // A printer that has answered that it has the file does not lose it again.
        Evidence::Empty | Evidence::Incoming | Evidence::OverEmpty if change.job.is_answered => {
            change
        }
        Evidence::Incoming if is_long_incoming(&change.job, now) => {
            end(change, PrintState::Unknown, PrintProblem::Interrupted, SubmissionEnd::Unknown)
        }
        // Who looks cancels an empty one, and says what came of that.
        Evidence::Empty | Evidence::Incoming | Evidence::OverEmpty => change,
    }
}

fn is_long_incoming(job: &Printing, now: Time) -> bool {
    job.arrived_by().is_some_and(|at| now >= at.plus(INCOMING_MAX))
}

/// The printer has a document, and its job is in this state.
fn follow(mut change: Change, state: PrinterJobState, is_whole: bool, now: Time) -> Change {
    let was_watched = change.job.step == PrintStep::Watching;
    change.job.step = PrintStep::Watching;
    if !was_watched {
        change.job.tries = 0;
        change.submission = Some(SubmissionEnd::Accepted);
    }
    change.look_at = Some(now.plus(pause(&change.job)));
    match state {
        PrinterJobState::Pending | PrinterJobState::Held => {
            // A late word does not take back what was said before.
            if change.job.state != PrintState::Printing {
                change.job.state = PrintState::Queued;
            }
        }
        PrinterJobState::Processing | PrinterJobState::Stopped => {
            change.job.state = PrintState::Printing;
        }
        PrinterJobState::Cancelled => {
            let problem = PrintProblem::CancelledAtPrinter;
            return end(change, PrintState::Failed, problem, SubmissionEnd::Accepted);
        }
        PrinterJobState::Aborted => {
            let problem = PrintProblem::StoppedByPrinter;
            return end(change, PrintState::Failed, problem, SubmissionEnd::Accepted);
        }
        PrinterJobState::Completed if is_whole => {
            change.job.state = PrintState::Printed;
            change.job.step = PrintStep::Over;
            change.submission = Some(SubmissionEnd::Accepted);
            change.look_at = None;
        }
        PrinterJobState::Completed => {
            let problem = PrintProblem::NotProved;
            return end(change, PrintState::Unknown, problem, SubmissionEnd::Unknown);
        }
    }
    change
}

/// The printer was asked in vain. After a while nothing is known any more; it is asked still.
fn silent(mut change: Change, now: Time) -> Change {
    let since = change.job.silent_since.unwrap_or(now);
    change.job.silent_since = Some(since);
    let silence = now.since(since);
    if silence < SILENCE_MAX {
        return change;
    }
    if change.job.state != PrintState::Unknown {
        change.job.state = PrintState::Unknown;
        change.problem = Some(match change.job.is_answered {
            true => PrintProblem::Unreachable,
            false => PrintProblem::Interrupted,
        });
    }
    let pause = SILENT.iter().find(|(until, _)| silence < SILENCE_MAX + *until);
    match pause {
        Some((_, pause)) => change.look_at = Some(now.plus(*pause)),
        None => {
            change.job.step = PrintStep::Over;
            change.submission = Some(SubmissionEnd::Unknown);
            change.look_at = None;
        }
    }
    change
}

fn pause(job: &Printing) -> Duration {
    let (first, most) = match job.step {
        PrintStep::Watching => (LOOK_PAUSE, LOOK_PAUSE_MAX),
        _ => (PAUSE, PAUSE_MAX),
    };
    (first * 2u32.pow(job.tries.min(16))).min(most)
}

#[cfg(test)]
mod tests;
