//! A job that a print agent has: what it tells of it, and its silence.

use std::time::Duration;

use super::{Change, end};
use crate::printing::problem::PrintProblem;
use crate::printing::state::{PrintState, PrintStep, Reported, SubmissionEnd};
use crate::time::Time;

/// What is known of a job through a print agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AgentNews {
    /// The agent that it is offered to, or that has it, says this.
    Says(Reported),
    /// The agent was not heard for a while.
    Silent,
    /// The agent that has it does not come back: it was removed, or its spool was replaced.
    Gone(PrintProblem),
}

/// A job whose agent is silent is waited for no longer than this. Its news count after that too.
const WAITED_FOR: Duration = Duration::from_hours(24);

pub(super) fn record(change: Change, news: AgentNews, now: Time) -> Change {
    match (change.job.step, news) {
        (PrintStep::Ready, AgentNews::Says(said)) => follow(hold(change, now), said, now),
        (PrintStep::Watching | PrintStep::Over, AgentNews::Says(said)) => follow(change, said, now),
        (PrintStep::Watching, AgentNews::Silent) => silent(change, now),
        (PrintStep::Watching, AgentNews::Gone(problem)) => {
            end(change, PrintState::Unknown, problem, SubmissionEnd::Unknown)
        }
        _ => change,
    }
}

/// The agent has the job and its file in its spool: from here on it prints, and nobody else does.
fn hold(mut change: Change, now: Time) -> Change {
    change.job.sent_at = Some(now);
    change.job.is_answered = true;
    watch(change, PrintState::Queued, now)
}

fn watch(mut change: Change, state: PrintState, now: Time) -> Change {
    change.job.state = state;
    change.job.step = PrintStep::Watching;
    change.job.tries = 0;
    change.submission = Some(SubmissionEnd::Accepted);
    change.look_at = Some(now.plus(WAITED_FOR));
    change
}

/// What an agent says of a job that it has. `printed` is final, `failed` takes nothing but that,
/// and a late word does not take back what was said before.
fn follow(mut change: Change, said: Reported, now: Time) -> Change {
    change.job.silent_since = None;
    match (change.job.state, said) {
        (PrintState::Printed, _) => change,
        (_, Reported::Printed) => {
            change.job.state = PrintState::Printed;
            change.job.step = PrintStep::Over;
            change.submission = Some(SubmissionEnd::Accepted);
            change.look_at = None;
            change
        }
        (PrintState::Failed, _) => change,
        (_, Reported::Failed) => {
            let problem = PrintProblem::AgentFailed;
            end(change, PrintState::Failed, problem, SubmissionEnd::Accepted)
        }
        (_, Reported::Unknown) => {
            let problem = PrintProblem::AgentUnsure;
            end(change, PrintState::Unknown, problem, SubmissionEnd::Unknown)
        }
        (_, Reported::Printing) | (PrintState::Printing, _) => {
            watch(change, PrintState::Printing, now)
        }
        (_, Reported::Stored | Reported::Queued) => watch(change, PrintState::Queued, now),
    }
}

/// Nothing is known any more of what the agent was printing. It may come back.
fn silent(mut change: Change, now: Time) -> Change {
    let since = change.job.silent_since.unwrap_or(now);
    change.job.silent_since = Some(since);
    if matches!(change.job.state, PrintState::Queued | PrintState::Printing) {
        change.job.state = PrintState::Unknown;
        change.problem = Some(PrintProblem::AgentSilent);
    }
    let until = since.plus(WAITED_FOR);
    match now < until {
        true => change.look_at = Some(until),
        false => {
            change.job.step = PrintStep::Over;
            change.submission = Some(SubmissionEnd::Unknown);
            change.look_at = None;
        }
    }
    change
}
