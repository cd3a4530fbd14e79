//! What each word at the end of a printer's path does.

use waybill_printing::ipp::{Kind, Value, group, operation};

use crate::client::*;
use crate::harness::{Printer, wait_until};

const FIRST: &str = "wb-0199a1b2-0000-7000-8000-000000000001-1 Label";
const SECOND: &str = "wb-0199a1b2-0000-7000-8000-000000000001-2 Label";
const OTHER: &str = "wb-0199a1b2-0000-7000-8000-000000000002-1 Label";

#[test]
fn slow_takes_its_time_and_can_be_cancelled_until_the_paper_comes_out() {
    let printer = Printer::start();
    let client = Client::new(&printer, "slow=60s");
    let (id, next) = (client.created("label"), client.created("label"));
    assert_eq!(client.send(id, b"never").unwrap().code, OK);
    assert_eq!(client.send(next, b"never").unwrap().code, OK);
    client.wait_for(id, PROCESSING);
    assert_eq!(client.state(next), PENDING);
    assert_eq!(client.attributes().integer("printer-state"), Some(4));
    assert_eq!(client.cancel(id), OK);
    assert_eq!(client.state(id), CANCELLED);
    // The next one does not wait for the time of the one that was cancelled.
    client.wait_for(next, PROCESSING);
    let client = Client::new(&printer, "slow=50ms");
    let id = client.created("label");
    assert_eq!(client.send(id, b"soon").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn busy_takes_no_job_for_a_while() {
    let printer = Printer::start();
    let client = Client::new(&printer, "busy=200ms");
    assert_eq!(client.create("label").unwrap().code, BUSY);
    assert_eq!(client.print("label", "image/png", 1, b"x").unwrap().code, BUSY);
    wait_until("it is not busy any more", || client.create("label").unwrap().code == OK);
}

#[test]
fn stopped_takes_jobs_and_prints_none() {
    let printer = Printer::start();
    let client = Client::new(&printer, "stopped");
    let attributes = client.attributes();
    assert_eq!(attributes.integer("printer-state"), Some(5));
    assert_eq!(attributes.boolean("printer-is-accepting-jobs"), Some(true));
    let id = client.created("label");
    assert_eq!(told_state(client.send(id, b"never")), PENDING);
    assert_eq!(client.state(id), PENDING);
    assert_eq!(client.cancel(id), OK);
    assert!(printer.papers().is_empty());
}

#[test]
fn rejecting_takes_no_job_although_it_would_be_valid() {
    let printer = Printer::start();
    let client = Client::new(&printer, "rejecting");
    assert_eq!(client.attributes().boolean("printer-is-accepting-jobs"), Some(false));
    assert_eq!(client.create("label").unwrap().code, NOT_ACCEPTING);
    assert_eq!(client.print("label", "image/png", 1, b"x").unwrap().code, NOT_ACCEPTING);
    let validated = client.ask(operation::VALIDATE_JOB, client.operation_group());
    assert_eq!(validated.unwrap().code, OK);
    assert!(client.jobs("not-completed").is_empty());
}

#[test]
fn print_job_only_knows_no_job_without_its_document() {
    let printer = Printer::start();
    let client = Client::new(&printer, "print-job-only");
    let attributes = client.attributes();
    let has = |operation: u16| {
        let known = attributes.values("operations-supported");
        known.iter().any(|it| it.as_integer() == Some(i32::from(operation)))
    };
    assert!(has(operation::PRINT_JOB) && has(operation::GET_JOBS));
    assert!(!has(operation::CREATE_JOB) && !has(operation::SEND_DOCUMENT));
    assert_eq!(client.create("label").unwrap().code, UNKNOWN_OPERATION);
    assert_eq!(client.send(1, b"x").unwrap().code, UNKNOWN_OPERATION);
    assert_eq!(client.print("label", "image/png", 1, b"x").unwrap().code, OK);
    wait_until("it is printed", || printer.papers().len() == 1);
}

#[test]
fn one_at_a_time_takes_no_job_while_another_has_no_document() {
    let printer = Printer::start();
    let client = Client::new(&printer, "one-at-a-time");
    let id = client.created("label");
    assert_eq!(client.create("next").unwrap().code, BUSY);
    assert_eq!(client.print("next", "image/png", 1, b"x").unwrap().code, BUSY);
    assert_eq!(client.cancel(id), OK);
    let id = client.created("next");
    assert_eq!(client.send(id, b"x").unwrap().code, OK);
    client.created("last");
}

#[test]
fn single_makes_one_copy_of_a_kind_and_says_so_when_it_is_asked_about_it() {
    let printer = Printer::start();
    let client = Client::new(&printer, "single=zpl");
    let most = |format: Option<&str>| {
        let mut group = client.operation_group();
        if let Some(format) = format {
            group = group.with("document-format", Value::text(Kind::MimeType, format));
        }
        let answer = client.ask(operation::GET_PRINTER_ATTRIBUTES, group).unwrap();
        answer.group(group::PRINTER).unwrap().values("copies-supported").to_vec()
    };
    assert_eq!(most(None), [Value::Range(1, 99)]);
    assert_eq!(most(Some("image/png")), [Value::Range(1, 99)]);
    assert_eq!(most(Some("application/vnd.zebra-zpl")), [Value::Range(1, 1)]);
    assert_eq!(client.print("label", "application/vnd.zebra-zpl", 3, b"x").unwrap().code, OK);
    assert_eq!(client.print("label", "image/png", 3, b"x").unwrap().code, OK);
    wait_until("both are printed", || printer.papers().len() == 2);
    let papers = printer.papers();
    let mut copies: Vec<_> =
        papers.iter().map(|paper| paper.member("copies").unwrap().to_string()).collect();
    copies.sort();
    assert_eq!(copies, ["1", "3"]);
}

#[test]
fn paper_out_interrupts_a_job_until_there_is_paper() {
    let printer = Printer::start();
    let client = Client::new(&printer, "paper-out=300ms");
    let id = client.created("label");
    assert_eq!(client.send(id, b"later").unwrap().code, OK);
    client.wait_for(id, STOPPED);
    let attributes = client.attributes();
    assert_eq!(attributes.text("printer-state-reasons"), Some("media-empty-error"));
    assert_eq!(attributes.integer("printer-state"), Some(5));
    assert!(printer.papers().is_empty());
    client.wait_for(id, COMPLETED);
    assert_eq!(client.attributes().integer("printer-state"), Some(3));
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn abort_takes_the_document_and_prints_nothing() {
    let printer = Printer::start();
    let client = Client::new(&printer, "abort");
    let id = client.created("label");
    assert_eq!(client.send(id, b"never").unwrap().code, OK);
    client.wait_for(id, ABORTED);
    assert_eq!(client.job(id).unwrap().text("job-state-reasons"), Some("aborted-by-system"));
    assert!(printer.papers().is_empty());
}

#[test]
fn lose_create_makes_the_job_and_loses_the_first_answer_of_each_print_job() {
    let printer = Printer::start();
    let client = Client::new(&printer, "lose-create");
    assert!(client.create(FIRST).is_none());
    let [id] = client.jobs("not-completed")[..] else { panic!("there is one job") };
    assert_eq!(client.job(id).unwrap().text("job-name"), Some(FIRST));
    assert_eq!(client.create(SECOND).unwrap().code, OK);
    assert!(client.create(OTHER).is_none());
    assert_eq!(client.send(id, b"once").unwrap().code, OK);
}

#[test]
fn lose_send_prints_and_loses_the_first_answer_of_each_print_job() {
    let printer = Printer::start();
    let client = Client::new(&printer, "lose-send");
    let id = client.created(FIRST);
    assert!(client.send(id, b"once").is_none());
    client.wait_for(id, COMPLETED);
    let id = client.created(SECOND);
    assert_eq!(client.send(id, b"again").unwrap().code, OK);
    assert!(client.print(OTHER, "image/png", 1, b"other").is_none());
    wait_until("all came out", || printer.papers().len() == 3);
}

#[test]
fn half_prints_what_arrived_of_a_cut_document_and_calls_it_completed() {
    let printer = Printer::start();
    let client = Client::new(&printer, "half");
    let id = client.created("label");
    client.send_cut(id, &[b'x'; 100_000], 50_000);
    client.wait_for(id, COMPLETED);
    assert_eq!(printer.files()[0].1, [b'x'; 50_000]);
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn twice_prints_a_second_document_and_ignores_one_that_comes_too_late() {
    let printer = Printer::start();
    let client = Client::new(&printer, "twice,slow=300ms");
    let id = client.created("label");
    assert_eq!(client.send(id, b"first").unwrap().code, OK);
    assert_eq!(client.send(id, b"second").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    assert_eq!(client.job(id).unwrap().integer("number-of-documents"), Some(2));
    let files: Vec<Vec<u8>> = printer.files().into_iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(files, [b"first".to_vec(), b"second".to_vec()]);
    assert_eq!(told_state(client.send(id, b"third")), COMPLETED);
    let cancelled = client.created("label");
    assert_eq!(client.cancel(cancelled), OK);
    assert_eq!(told_state(client.send(cancelled, b"fourth")), CANCELLED);
    assert_eq!(printer.papers().len(), 2);
}

#[test]
fn forget_does_not_know_jobs_that_are_over() {
    let printer = Printer::start();
    let client = Client::new(&printer, "forget");
    let id = client.created("label");
    assert_eq!(client.send(id, b"once").unwrap().code, OK);
    wait_until("the job is forgotten", || client.job(id).is_none());
    assert_eq!(printer.papers().len(), 1);
    assert!(client.jobs("completed").is_empty());
}

#[test]
fn blind_does_not_tell_what_it_has_of_a_job() {
    let printer = Printer::start();
    let client = Client::new(&printer, "blind");
    let id = client.created("label");
    let is_silent = || {
        let job = client.job(id).unwrap();
        !job.has("number-of-documents") && !job.has("job-k-octets")
    };
    assert!(is_silent());
    assert_eq!(client.send(id, b"once").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    assert!(is_silent());
}

#[test]
fn a_word_that_means_nothing_is_told() {
    let printer = Printer::start();
    let client = Client::new(&printer, "gold");
    let answer = client.create("label").unwrap();
    assert_eq!(answer.code, NOT_FOUND);
    let words = answer.group(group::OPERATION).unwrap().text("status-message").unwrap();
    assert_eq!(words, "The sandbox printer does not know gold.");
}
