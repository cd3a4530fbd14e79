//! Six pieces of news of a print job, in each order, held against the table of what may follow
//! what: for a job that a print agent has, and for one that is looked at at its printer.

use std::time::Duration;

use waybill_domain::printing::{
    AgentNews, Custody, Evidence, PrintState, PrintStep, PrinterJobState, Printing, Receipt,
    Reported, Seen, receive, record,
};
use waybill_domain::time::Time;

const NOW: Time = Time(1_000_000_000_000_000);

fn job(step: PrintStep) -> Printing {
    Printing {
        state: PrintState::Pending,
        step,
        tries: 0,
        size: 1000,
        expires_at: NOW.plus(Duration::from_hours(12)),
        sent_at: None,
        is_answered: false,
        silent_since: None,
    }
}

/// Every order of six things.
fn orders() -> Vec<[usize; 6]> {
    let mut orders = Vec::new();
    let mut order = [0, 1, 2, 3, 4, 5];
    permute(&mut order, 0, &mut orders);
    orders
}

fn permute(order: &mut [usize; 6], from: usize, orders: &mut Vec<[usize; 6]>) {
    if from == order.len() {
        orders.push(*order);
        return;
    }
    for place in from..order.len() {
        order.swap(from, place);
        permute(order, from + 1, orders);
        order.swap(from, place);
    }
}

/// Which state may follow which, when there is news.
fn follows(from: PrintState, to: PrintState) -> bool {
    use PrintState::{Failed, Pending, Printed, Printing, Queued, Unknown};
    match to {
        Pending => false,
        Queued => matches!(from, Pending | Unknown),
        Printing => matches!(from, Pending | Queued | Unknown),
        Printed => from != Printed,
        Failed => matches!(from, Queued | Printing | Unknown),
        Unknown => matches!(from, Queued | Printing),
    }
}

#[test]
fn what_an_agent_reports_in_any_order_is_what_the_table_says() {
    let orders = orders();
    assert_eq!(orders.len(), 720);
    for order in orders {
        let (mut printing, mut held) = (job(PrintStep::Ready), None);
        let (mut state, mut is_held) = (PrintState::Pending, false);
        for (sequence, place) in (1..).zip(order) {
            let said = Reported::ALL[place];
            let custody = match held {
                Some(sequence) => Custody::Held { sequence },
                None => Custody::Offered,
            };
            match receive(&printing, custody, (said, sequence), NOW) {
                Receipt::Taken(seen) => {
                    printing = record(&printing, seen, NOW).job;
                    held = Some(sequence);
                }
                other => assert_eq!(other, Receipt::Refused(None)),
            }
            let wanted = match said {
                Reported::Stored => PrintState::Queued,
                said => PrintState::parse(said.name()).unwrap(),
            };
            // The first report must be that it is stored; a later one comes after that.
            if !is_held && (said == Reported::Stored || sequence > 1) {
                (state, is_held) = (PrintState::Queued, true);
            }
            if is_held && follows(state, wanted) {
                state = wanted;
            }
            assert_eq!((printing.state, held.is_some()), (state, is_held), "{order:?} {said}");
        }
        // It is not offered again, whatever came.
        assert_eq!(held.is_some(), printing.step != PrintStep::Ready);
    }
}

#[test]
fn what_is_seen_at_a_printer_in_any_order_is_what_the_table_says() {
    let has = |state| Seen::Looked(Evidence::Has { state, is_whole: true });
    let news = [
        (has(PrinterJobState::Pending), PrintState::Queued, false),
        (has(PrinterJobState::Processing), PrintState::Printing, false),
        (has(PrinterJobState::Completed), PrintState::Printed, true),
        (has(PrinterJobState::Aborted), PrintState::Failed, true),
        (Seen::Looked(Evidence::Gone), PrintState::Unknown, true),
        // Two minutes of silence, and the printer is asked on.
        (Seen::NoContact, PrintState::Unknown, false),
    ];
    for order in orders() {
        let mut printing = Printing { sent_at: Some(NOW), ..job(PrintStep::Sending) };
        let (mut state, mut is_over) = (PrintState::Pending, false);
        for place in order {
            let (seen, wanted, is_end) = news[place];
            if seen == Seen::NoContact {
                printing.silent_since = Some(NOW.minus(Duration::from_mins(3)));
            }
            printing = record(&printing, seen, NOW).job;
            // What was sent may be given up too: its file may have left.
            let may_follow = follows(state, wanted) || state == PrintState::Pending;
            if !is_over && may_follow {
                state = wanted;
            }
            is_over |= is_end;
            let shown = (printing.state, printing.step == PrintStep::Over);
            assert_eq!(shown, (state, is_over), "{order:?} {seen:?}");
        }
    }
}

#[test]
fn an_agent_that_is_silent_for_a_day_is_waited_for_no_longer_and_still_heard() {
    let says = |said| Seen::Agent(AgentNews::Says(said));
    let silent = Seen::Agent(AgentNews::Silent);
    let held = record(&job(PrintStep::Ready), says(Reported::Stored), NOW).job;
    assert_eq!((held.state, held.step), (PrintState::Queued, PrintStep::Watching));
    let quiet = record(&held, silent, NOW);
    assert_eq!((quiet.job.state, quiet.job.step), (PrintState::Unknown, PrintStep::Watching));
    let back = record(&quiet.job, says(Reported::Queued), NOW).job;
    assert_eq!((back.state, back.silent_since), (PrintState::Queued, None));
    let late = record(&quiet.job, silent, NOW.plus(Duration::from_hours(24)));
    assert_eq!((late.job.step, late.look_at), (PrintStep::Over, None));
    let heard = record(&late.job, says(Reported::Printed), NOW).job;
    assert_eq!(heard.state, PrintState::Printed);
}
