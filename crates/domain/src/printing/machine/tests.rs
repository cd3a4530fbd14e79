use super::*;
use crate::printing::state::PrintStep::{Creating, Over, Ready, Sending, Watching};

const NOW: Time = Time(1_000_000_000_000);

fn job(step: PrintStep) -> Printing {
    let sent = matches!(step, Sending | Watching);
    Printing {
        state: if step == Watching { PrintState::Queued } else { PrintState::Pending },
        step,
        tries: 0,
        size: 512 * 1024,
        expires_at: NOW.plus(Duration::from_hours(12)),
        sent_at: sent.then_some(NOW),
        is_answered: step == Watching,
        silent_since: None,
    }
}

fn after(step: PrintStep, seen: Seen) -> Change {
    record(&job(step), seen, NOW)
}

fn outcome(change: &Change) -> (PrintState, PrintStep, Option<SubmissionEnd>) {
    (change.job.state, change.job.step, change.submission)
}

fn has(state: PrinterJobState, is_whole: bool) -> Seen {
    Seen::Looked(Evidence::Has { state, is_whole })
}

#[test]
fn only_a_job_that_is_ready_is_submitted() {
    for step in [Creating, Sending, Watching, Over] {
        for at in [NOW, NOW.plus(Duration::from_hours(1)), NOW.plus(Duration::from_hours(99))] {
            assert_ne!(decide(&job(step), at), Next::Submit);
        }
    }
    assert_eq!(decide(&job(Ready), NOW), Next::Submit);
    for step in [Ready, Creating] {
        assert_eq!(decide(&job(step), NOW.plus(Duration::from_hours(12))), Next::Expire);
    }
}

#[test]
fn what_may_have_left_is_looked_for_only_when_it_must_have_arrived() {
    let arrived = NOW.plus(Duration::from_secs(7));
    assert_eq!(decide(&job(Sending), NOW), Next::Wait(arrived));
    assert_eq!(decide(&job(Sending), arrived), Next::Resolve);
}

#[test]
fn a_second_submission_follows_only_on_proof_that_the_first_is_empty() {
    let again = (PrintState::Pending, Ready, Some(SubmissionEnd::Empty));
    assert_eq!(outcome(&after(Sending, Seen::Emptied)), again);
    assert_eq!(outcome(&after(Sending, Seen::Looked(Evidence::OverEmpty))), again);
    assert_eq!(outcome(&after(Creating, Seen::CleanedUp)), again);
    // Without an empty job: only whoever was to send the file knows that nothing left.
    assert_eq!(outcome(&after(Sending, Seen::NotSent)), again);
    assert_eq!(after(Watching, Seen::NotSent).job.step, Watching);
    let every = [
        Seen::PutOff,
        Seen::Begun,
        Seen::Created,
        Seen::NotCreated,
        Seen::CleanedUp,
        Seen::NotEmptied,
        Seen::NoContact,
        Seen::Looked(Evidence::Gone),
        Seen::Looked(Evidence::Empty),
        Seen::Looked(Evidence::Incoming),
        has(PrinterJobState::Aborted, true),
        has(PrinterJobState::Completed, false),
        Seen::Unwanted(PrintProblem::Cancelled),
    ];
    for seen in every {
        for step in [Sending, Watching, Over] {
            assert_ne!(after(step, seen).job.step, Ready, "{step:?} {seen:?}");
        }
    }
}

#[test]
fn printed_needs_the_printers_word_and_proof_of_the_whole_file() {
    let printed = (PrintState::Printed, Over, Some(SubmissionEnd::Accepted));
    let completed = PrinterJobState::Completed;
    assert_eq!(outcome(&after(Sending, has(completed, true))), printed);
    assert_eq!(outcome(&after(Sending, Seen::Sent(completed))), printed);
    // The printer has answered that it has the file.
    assert_eq!(outcome(&after(Watching, has(completed, false))), printed);
    let change = after(Sending, has(completed, false));
    assert_eq!(outcome(&change), (PrintState::Unknown, Over, Some(SubmissionEnd::Unknown)));
    assert_eq!(change.problem, Some(PrintProblem::NotProved));
}

#[test]
fn a_printer_that_forgot_a_job_leaves_it_unknown() {
    for step in [Sending, Watching] {
        let change = after(step, Seen::Looked(Evidence::Gone));
        assert_eq!(outcome(&change), (PrintState::Unknown, Over, Some(SubmissionEnd::Unknown)));
        assert_eq!(change.problem, Some(PrintProblem::Forgotten));
    }
}

#[test]
fn a_late_word_takes_nothing_back() {
    let printing = Printing { state: PrintState::Printing, ..job(Watching) };
    let change = record(&printing, has(PrinterJobState::Pending, false), NOW);
    assert_eq!(change.job.state, PrintState::Printing);
    for state in [PrintState::Printed, PrintState::Failed] {
        let over = Printing { state, ..job(Over) };
        for seen in [Seen::Begun, Seen::Refused, Seen::NoContact, Seen::Emptied] {
            let change = record(&over, seen, NOW);
            assert_eq!((change.job.state, change.look_at), (state, None));
        }
    }
}

#[test]
fn a_printer_that_is_silent_for_two_minutes_leaves_it_unknown_and_news_moves_it_on() {
    let silent = Printing { silent_since: Some(NOW), ..job(Watching) };
    let early = record(&silent, Seen::NoContact, NOW.plus(Duration::from_secs(119)));
    assert_eq!((early.job.state, early.problem), (PrintState::Queued, None));
    let late = record(&silent, Seen::NoContact, NOW.plus(Duration::from_secs(120)));
    assert_eq!(late.job.state, PrintState::Unknown);
    assert_eq!((late.job.step, late.problem), (Watching, Some(PrintProblem::Unreachable)));
    assert!(late.look_at.is_some());
    let news = record(&late.job, has(PrinterJobState::Processing, false), NOW);
    assert_eq!((news.job.state, news.job.silent_since), (PrintState::Printing, None));
    let end = record(&late.job, Seen::NoContact, NOW.plus(Duration::from_hours(25)));
    assert_eq!(outcome(&end), (PrintState::Unknown, Over, Some(SubmissionEnd::Unknown)));
}

#[test]
fn what_is_not_sent_can_be_given_up_and_what_may_be_sent_cannot() {
    let change = after(Ready, Seen::Unwanted(PrintProblem::Cancelled));
    assert_eq!((change.job.state, change.job.step), (PrintState::Failed, Over));
    // An empty job may be at the printer: it is not left behind.
    let change = after(Creating, Seen::Unwanted(PrintProblem::Cancelled));
    assert_eq!((change.job.state, change.job.step), (PrintState::Failed, Creating));
    assert_eq!(decide(&change.job, NOW.plus(Duration::from_hours(99))), Next::CleanUp);
    let cleaned = record(&change.job, Seen::CleanedUp, NOW);
    assert_eq!(outcome(&cleaned), (PrintState::Failed, Over, Some(SubmissionEnd::Empty)));
    assert_eq!(cleaned.look_at, None);
    for step in [Sending, Watching] {
        let change = after(step, Seen::Unwanted(PrintProblem::Cancelled));
        assert_eq!((change.job.state, change.job.step), (job(step).state, step));
    }
}

#[test]
fn what_was_given_up_while_its_empty_job_was_made_does_not_leave() {
    let given_up = after(Creating, Seen::Unwanted(PrintProblem::Cancelled)).job;
    let change = record(&given_up, Seen::Created, NOW);
    assert_eq!(outcome(&change), (PrintState::Failed, Creating, None));
    assert_eq!(decide(&change.job, NOW), Next::CleanUp);
}

#[test]
fn a_printer_that_takes_nothing_is_asked_again_after_doubled_pauses() {
    let pauses = (0..8).map(|tries| {
        let change = record(&Printing { tries, ..job(Ready) }, Seen::PutOff, NOW);
        change.look_at.unwrap().since(NOW).as_millis()
    });
    assert_eq!(pauses.collect::<Vec<_>>(), [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
}

#[test]
fn what_somebody_was_told_to_look_at_is_not_printed_again() {
    let unknown = Printing { state: PrintState::Unknown, is_answered: false, ..job(Sending) };
    for seen in [Seen::Emptied, Seen::Looked(Evidence::OverEmpty)] {
        let change = record(&unknown, seen, NOW);
        assert_eq!(outcome(&change), (PrintState::Failed, Over, Some(SubmissionEnd::Empty)));
        assert_eq!(change.problem, Some(PrintProblem::NotPrinted));
    }
}

#[test]
fn a_printer_that_is_busy_is_asked_less_and_less_often() {
    let mut waits = Vec::new();
    let mut printing = job(Ready);
    for _ in 0..7 {
        printing = record(&printing, Seen::Begun, NOW).job;
        let change = record(&printing, Seen::NotCreated, NOW);
        waits.push(change.look_at.unwrap().since(NOW).as_millis());
        // The same where job and file go together.
        let sending = record(&printing, Seen::Created, NOW).job;
        assert_eq!(record(&sending, Seen::NotSent, NOW).look_at, change.look_at);
        printing = change.job;
        assert_eq!(printing.step, Ready);
    }
    assert_eq!(waits, [200, 400, 800, 1600, 3200, 6400, 10_000]);
}
