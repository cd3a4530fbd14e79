use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::job::Format;

const NOW: Duration = Duration::from_secs(100);

fn table(change: impl FnOnce(&mut Scenario)) -> Table {
    let mut scenario = Scenario::default();
    change(&mut scenario);
    Table::new(scenario)
}

fn ticket(name: &str) -> Ticket {
    Ticket { name: name.to_owned(), user: "waybill".to_owned(), copies: 1 }
}

fn document(bytes: &'static [u8]) -> Document {
    Document { format: Format::Zpl, bytes: Bytes::from_static(bytes) }
}

fn phase(table: &Table, id: i32) -> Phase {
    table.job(id).unwrap().phase
}

#[test]
fn a_job_comes_out_once_and_is_over_afterwards() {
    let mut table = table(|_| {});
    table.create(1, ticket("a"), NOW);
    assert_eq!(table.begin(1), Ok(Intake::Take));
    assert_eq!(table.arrive(1, document(b"x")), Ok(true));
    table.start(1, NOW);
    assert_eq!(table.next_paper(1, NOW).map(|(_, document)| document), Some(document(b"x")));
    assert_eq!(phase(&table, 1), Phase::PuttingOut);
    assert_eq!(table.next_paper(1, NOW), None);
    assert_eq!(phase(&table, 1), Phase::Completed);
    assert_eq!(table.next_paper(1, NOW), None);
}

#[test]
fn a_job_that_is_cancelled_while_its_document_comes_in_prints_nothing() {
    let mut table = table(|_| {});
    table.create(1, ticket("a"), NOW);
    assert_eq!(table.begin(1), Ok(Intake::Take));
    assert_eq!(table.cancel(1, NOW), Ok(()));
    assert_eq!(table.arrive(1, document(b"x")), Err(Status::NotPossible));
    table.start(1, NOW);
    assert_eq!((phase(&table, 1), table.next_paper(1, NOW)), (Phase::Cancelled, None));
}

#[test]
fn a_paper_that_is_coming_out_cannot_be_cancelled() {
    let mut table = table(|_| {});
    table.create(1, ticket("a"), NOW);
    assert_eq!(table.arrive(1, document(b"x")), Ok(true));
    table.start(1, NOW);
    assert!(table.next_paper(1, NOW).is_some());
    assert_eq!(table.cancel(1, NOW), Err(Status::NotPossible));
}

#[test]
fn two_documents_cannot_come_in_at_the_same_time() {
    let mut table = table(|_| {});
    table.create(1, ticket("a"), NOW);
    assert_eq!(table.begin(1), Ok(Intake::Take));
    assert_eq!(table.begin(1), Err(Status::OneDocument));
    table.drop_document(1);
    assert_eq!(table.begin(1), Ok(Intake::Take));
}

#[test]
fn a_dropped_document_does_not_touch_a_job_that_is_further() {
    let mut table = table(|scenario| scenario.takes_more = true);
    table.create(1, ticket("a"), NOW);
    assert_eq!(table.arrive(1, document(b"x")), Ok(true));
    assert_eq!(table.begin(1), Ok(Intake::Take));
    table.drop_document(1);
    assert_eq!(phase(&table, 1), Phase::Waiting);
    assert_eq!(table.arrive(1, document(b"y")), Ok(false));
}

#[test]
fn it_is_busy_from_the_first_time_that_it_is_asked() {
    let mut table = table(|scenario| scenario.busy = Some(Duration::from_secs(5)));
    assert_eq!(table.admit(NOW), Err(Status::Busy));
    assert_eq!(table.admit(NOW + Duration::from_millis(4999)), Err(Status::Busy));
    assert_eq!(table.admit(NOW + Duration::from_secs(5)), Ok(()));
}

#[test]
fn an_answer_is_lost_once_for_each_print_job_and_operation() {
    let mut table = table(|scenario| {
        scenario.loses_create = true;
        scenario.loses_send = true;
    });
    let name = |n: i32| format!("wb-0199a1b2-0000-7000-8000-000000000001-{n} x");
    assert!(table.loses(Losable::Create, &ticket(&name(1))));
    assert!(!table.loses(Losable::Create, &ticket(&name(2))));
    assert!(table.loses(Losable::Send, &ticket(&name(2))));
    assert!(table.loses(Losable::Create, &ticket("somebody else's")));
}

#[test]
fn only_the_last_jobs_are_remembered_and_open_ones_always() {
    let mut table = table(|_| {});
    table.create(1, ticket("open"), NOW);
    for id in 2..=i32::try_from(OVER_MAX).unwrap() + 3 {
        table.create(id, ticket("a"), NOW);
        table.abort(id, NOW);
    }
    assert_eq!(table.jobs().count(), OVER_MAX + 1);
    assert!(table.job(1).is_some() && table.job(3).is_none() && table.job(4).is_some());
}
