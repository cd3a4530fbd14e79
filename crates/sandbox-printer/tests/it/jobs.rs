//! What a printer does with jobs when nobody tells it to fail.

use waybill_domain::json::Json;

use crate::client::*;
use crate::harness::{Printer, wait_until};

fn text<'a>(paper: &'a Json, name: &str) -> &'a str {
    paper.member_text(name).unwrap()
}

#[track_caller]
fn number(paper: &Json, name: &str) -> i64 {
    let Some(Json::Number(number)) = paper.member(name) else { panic!("{name}") };
    number.as_integer().unwrap()
}

#[test]
fn every_format_comes_out_unchanged_with_a_line_in_the_journal() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let all =
        [("application/pdf", "pdf"), ("application/vnd.zebra-zpl", "zpl"), ("image/png", "png")];
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for (format, extension) in all {
        let before = printer.papers().len();
        let answer = client.print("A/B\nø", format, 3, &bytes).unwrap();
        assert_eq!(answer.code, OK);
        wait_until("the paper comes out", || printer.papers().len() == before + 1);
        let paper = printer.papers().pop().unwrap();
        assert_eq!((text(&paper, "job_name"), text(&paper, "format")), ("A/B\nø", format));
        assert_eq!((number(&paper, "copies"), number(&paper, "bytes")), (3, 100_000));
        assert_eq!(text(&paper, "sha256"), SHA256);
        let (name, file) = printer.files().pop().unwrap();
        let time = text(&paper, "at").replace(':', "");
        assert_eq!(name, format!("{time}-A_B_ø.{extension}"));
        assert!(file == bytes);
    }
}

/// Of the bytes above, as `sha256sum` tells it.
const SHA256: &str = "db8f1d69251d95e2c88268d3c540533cc5182e0e33065a6f3f322f606a574489";

#[test]
fn an_empty_job_is_held_and_prints_nothing() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let id = client.created("label");
    let job = client.job(id).unwrap();
    assert_eq!(state(&job), HELD);
    assert_eq!(job.text("job-name"), Some("label"));
    assert_eq!(job.text("job-state-reasons"), Some("job-incoming"));
    assert_eq!(
        (job.integer("number-of-documents"), job.integer("job-k-octets")),
        (Some(0), Some(0))
    );
    assert!(printer.papers().is_empty() && printer.files().is_empty());
}

#[test]
fn a_job_and_its_document_are_printed_once() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let id = client.created("label");
    assert_eq!(client.send(id, b"^XA^XZ").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    let job = client.job(id).unwrap();
    assert_eq!(job.text("job-state-reasons"), Some("job-completed-successfully"));
    assert_eq!(
        (job.integer("number-of-documents"), job.integer("job-k-octets")),
        (Some(1), Some(1))
    );
    let papers = printer.papers();
    assert_eq!((papers.len(), number(&papers[0], "job_id")), (1, i64::from(id)));
}

#[test]
fn a_second_document_is_refused() {
    let printer = Printer::start();
    let client = Client::new(&printer, "slow=60s");
    let id = client.created("label");
    assert_eq!(client.send(id, b"first").unwrap().code, OK);
    assert_eq!(client.send(id, b"second").unwrap().code, ONE_DOCUMENT);
    let client = Client::new(&printer, "");
    let id = client.created("label");
    assert_eq!(client.send(id, b"first").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    assert_eq!(client.send(id, b"second").unwrap().code, NOT_POSSIBLE);
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn a_cancelled_job_takes_no_document() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let id = client.created("label");
    assert_eq!(client.cancel(id), OK);
    assert_eq!(client.state(id), CANCELLED);
    assert_eq!(client.send(id, b"late").unwrap().code, NOT_POSSIBLE);
    assert_eq!(client.cancel(id), NOT_POSSIBLE);
    assert_eq!(client.cancel(id + 1), NOT_FOUND);
    assert!(printer.papers().is_empty());
}

#[test]
fn a_document_that_is_cut_off_is_dropped_and_the_job_stays_empty() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let id = client.created("label");
    client.send_cut(id, &[b'x'; 100_000], 1);
    wait_until("the document is dropped", || {
        let job = client.job(id).unwrap();
        state(&job) == HELD && job.integer("number-of-documents") == Some(0)
    });
    // The job takes a document again as soon as the cut one is dropped.
    wait_until("another document is taken", || client.send(id, b"^XA^XZ").unwrap().code == OK);
    client.wait_for(id, COMPLETED);
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn open_jobs_are_listed_from_the_oldest_and_the_others_from_the_latest() {
    let printer = Printer::start();
    let client = Client::new(&printer, "");
    let ids = ["a", "b", "c", "d"].map(|name| client.created(name));
    assert_eq!((client.cancel(ids[0]), client.cancel(ids[1])), (OK, OK));
    assert_eq!(client.jobs("not-completed"), [ids[2], ids[3]]);
    assert_eq!(client.jobs("completed"), [ids[1], ids[0]]);
    // Each path is a printer of its own.
    assert!(Client::new(&printer, "blind").jobs("completed").is_empty());
}
