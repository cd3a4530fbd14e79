//! Print jobs, from a wish to paper.

use std::time::Duration;

use serde_json::json;
use waybill_domain::ids::PrintJobId;
use waybill_domain::job::JobKind;
use waybill_domain::printing::{JobName, PrinterJobState, Uri};
use waybill_printing::{JobTicket, Link};
use waybill_store::{Tx, jobs, print_jobs};
use waybill_worker::restored;

use super::{Printing, text};
use crate::harness::{Database, databases};

databases! {
    a_document_is_printed_once_and_shows_it
    a_repeated_request_prints_nothing_more
    what_cannot_be_printed_leaves_no_attempt
    a_booking_prints_by_itself_and_shows_it_in_its_first_answer
    a_document_that_no_rule_fits_is_a_job_that_failed
    copies_are_limited_for_each_format
    a_label_goes_several_times_in_one_document_where_no_copies_are_made_of_labels
    what_is_too_large_for_a_printer_is_refused
    a_job_that_waits_can_be_cancelled_and_one_that_was_sent_cannot
    a_lost_answer_to_a_document_prints_nothing_twice
    a_lost_answer_to_a_new_job_prints_nothing_twice
    a_printer_without_empty_jobs_prints_once
    what_a_printer_without_empty_jobs_does_not_answer_is_looked_up_by_name
    a_whole_job_that_its_printer_forgot_is_not_sent_again
    a_busy_printer_without_empty_jobs_is_tried_again
    an_empty_job_that_was_left_behind_does_not_keep_a_printer_busy
    an_empty_job_that_was_left_behind_is_removed_when_nobody_prints
    an_empty_job_of_a_submission_with_an_unknown_end_is_removed
    empty_jobs_of_somebody_else_are_left_alone
    a_job_that_waited_when_the_database_was_restored_is_unknown_and_not_printed
    a_printer_that_stops_a_job_is_quoted
    a_job_that_its_printer_forgot_is_unknown
    jobs_of_a_removed_printer_fail
    jobs_behind_one_that_waits_do_not_keep_its_queue_busy
    a_printer_takes_more_jobs_than_it_prints_at_once
}

async fn a_document_is_printed_once_and_shows_it(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("").await;
    let booked = test.book("ONCE").await;
    let document = text(&booked, "/data/documents/0/uuid");
    assert_eq!(booked.at("/data/documents/0/print_status"), json!(null));
    let job = test.print(&document, Some(&printer), json!({"copies": 2})).await.expect(201);
    assert_eq!(job.at("/data/source"), json!("api"));
    let id = text(&job, "/data/uuid");
    let printed = test.until(&id, "printed").await;
    assert_eq!(printed.at("/data/printer/name"), json!("Packing table"));
    assert_eq!(printed.at("/data/copies"), json!(2));
    assert!(
        printed.at("/data/printed_at").is_string() && printed.at("/data/queued_at").is_string()
    );
    let papers = test.papers();
    assert_eq!(papers.len(), 1, "{papers:?}");
    assert_eq!(papers[0]["copies"], json!(2));
    let shown = test.document(&document).await;
    assert_eq!(shown.at("/data/print_status"), json!("printed"));
    assert_eq!(papers[0]["bytes"], shown.at("/data/size_bytes"));
    let after = test.fixture.read(&booked).await;
    assert_eq!(after.at("/data/updated_at"), booked.at("/data/updated_at"));
    let list = test.beta(&format!("/print-jobs?document_uuid={document}"));
    let list = test.fixture.app.get(&list).admin().send().await.expect(200);
    assert_eq!(list.at("/data/0"), printed.at("/data"));
}

async fn a_repeated_request_prints_nothing_more(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("").await;
    let booked = test.book("AGAIN").await;
    let body = json!({"document_uuid": booked.at("/data/documents/0/uuid"),
        "printer_uuid": printer});
    let path = test.beta("/print-jobs");
    let ask = || {
        let ask = test.fixture.app.post(&path).admin().json(&body.to_string());
        ask.header("Idempotency-Key", "print-once-please").send()
    };
    let first = ask().await.expect(201);
    let again = ask().await.expect(201);
    assert_eq!(text(&again, "/data/uuid"), text(&first, "/data/uuid"));
    test.until(&text(&first, "/data/uuid"), "printed").await;
    assert_eq!(test.papers().len(), 1);
}

async fn what_cannot_be_printed_leaves_no_attempt(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("").await;
    let path = test.beta(&format!("/printers/{printer}"));
    test.fixture.app.patch(&path).admin().json(r#"{"formats": ["png"]}"#).send().await.expect(200);
    let booked = test.book("WRONG").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let nobody = "0199a1b2-0000-7000-8000-000000000001";
    for (document, printer, more, at) in [
        (document.as_str(), Some(printer.as_str()), json!({}), "printer_uuid"),
        (&document, None, json!({}), "printer_uuid"),
        (&document, Some(nobody), json!({}), "printer_uuid"),
        (nobody, Some(&printer), json!({}), "document_uuid"),
        (&document, Some(&printer), json!({"copies": 100}), "copies"),
        (&document, Some(&printer), json!({"copy": 1}), "copy"),
    ] {
        let refused = test.print(document, printer, more).await.expect(422);
        assert_eq!(refused.problems(), [at]);
    }
    let list = test.fixture.app.get(&test.beta("/print-jobs")).admin().send().await.expect(200);
    assert_eq!(list.at("/data"), json!([]));
    assert_eq!(test.document(&document).await.at("/data/print_status"), json!(null));
}

/// Documents of bookings are printed at this printer by themselves.
async fn print_by_itself(test: &Printing, printer: &str, format: &str) {
    let rules = json!({"documents": {"label": {"formats": ["zpl"]}}, "printing": {"automatic": true,
        "rules": [{"format": format, "printer_uuid": printer, "copies": 1}]}});
    let settings = test.fixture.app.path("/settings");
    test.fixture.app.patch(&settings).admin().json(&rules.to_string()).send().await.expect(200);
}

async fn a_booking_prints_by_itself_and_shows_it_in_its_first_answer(database: Database) {
    let test = Printing::new(database).await;
    print_by_itself(&test, &test.printer("").await, "zpl").await;
    let booked = test.book("SELF").await;
    assert_eq!(booked.at("/data/documents/0/format"), json!("zpl"));
    let status = booked.at("/data/documents/0/print_status");
    assert!(["pending", "queued", "printing", "printed"].map(|word| json!(word)).contains(&status));
    let document = text(&booked, "/data/documents/0/uuid");
    let list = test.beta(&format!("/print-jobs?document_uuid={document}"));
    let list = test.fixture.app.get(&list).admin().send().await.expect(200);
    assert_eq!(list.at("/data/0/source"), json!("booking"));
    test.until(&text(&list, "/data/0/uuid"), "printed").await;
    assert_eq!(test.papers().len(), 1);
}

async fn a_document_that_no_rule_fits_is_a_job_that_failed(database: Database) {
    let test = Printing::new(database).await;
    print_by_itself(&test, &test.printer("").await, "pdf").await;
    let booked = test.book("NORULE").await;
    assert_eq!(booked.at("/data/documents/0/print_status"), json!("failed"));
    let list = test.fixture.app.get(&test.beta("/print-jobs")).admin().send().await.expect(200);
    assert_eq!(list.at("/data/0/printer"), json!(null));
    let said = text(&list, "/data/0/failure/message");
    assert!(said.contains("zpl 100 × 150 mm"), "{said}");
    assert!(test.papers().is_empty());
}

async fn copies_are_limited_for_each_format(database: Database) {
    let test = Printing::new(database).await;
    let single = test.printer("/single=pdf").await;
    let other = text(&test.add("Other", "/single=png").await.expect(201), "/data/uuid");
    let booked = test.book("COPIES").await;
    let document = text(&booked, "/data/documents/0/uuid");
    assert_eq!(booked.at("/data/documents/0/format"), json!("pdf"));
    let refused = test.print(&document, Some(&single), json!({"copies": 2})).await.expect(422);
    assert_eq!(refused.problems(), ["copies"]);
    let said = refused.json().to_string();
    assert!(said.contains("at most 1") && said.contains("of pdf"), "{said}");
    let job = test.print(&document, Some(&other), json!({"copies": 2})).await.expect(201);
    test.until(&text(&job, "/data/uuid"), "printed").await;
    assert_eq!(test.papers()[0]["copies"], json!(2));
}

async fn a_label_goes_several_times_in_one_document_where_no_copies_are_made_of_labels(
    database: Database,
) {
    let test = Printing::new(database).await;
    let printer = test.printer("/single=zpl").await;
    let settings = test.fixture.app.path("/settings");
    let labels = json!({"documents": {"label": {"formats": ["zpl"]}}}).to_string();
    test.fixture.app.patch(&settings).admin().json(&labels).send().await.expect(200);
    let booked = test.book("REPEAT").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let job = test.print(&document, Some(&printer), json!({"copies": 3})).await.expect(201);
    test.until(&text(&job, "/data/uuid"), "printed").await;
    let papers = test.papers();
    let size = test.document(&document).await.at("/data/size_bytes").as_u64().unwrap();
    assert_eq!((papers.len(), &papers[0]["copies"]), (1, &json!(1)));
    assert_eq!(papers[0]["bytes"], json!(3 * size));
}

async fn what_is_too_large_for_a_printer_is_refused(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/single=zpl").await;
    let settings = test.fixture.app.path("/settings");
    let labels = json!({"documents": {"label": {"formats": ["zpl"]}}}).to_string();
    test.fixture.app.patch(&settings).admin().json(&labels).send().await.expect(200);
    let booked = test.book("LARGE").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let id = waybill_domain::ids::parse_uuid(&document).unwrap();
    let resize = async |bytes: i64| {
        let written = test.fixture.app.app.write(move |tx: &mut Tx<'_>| {
            let resized = "UPDATE document SET size_bytes = $2 WHERE id = $1";
            tx.exec(resized, &[id.into(), bytes.into()])
        });
        assert_eq!(written.await.unwrap(), 1);
    };
    resize(64 * 1024 * 1024 + 1).await;
    let refused = test.print(&document, Some(&printer), json!({"copies": 100})).await.expect(422);
    assert_eq!(refused.problems(), ["copies", "document_uuid"], "all at once");
    resize(40 * 1024 * 1024).await;
    let refused = test.print(&document, Some(&printer), json!({"copies": 2})).await.expect(422);
    assert_eq!(refused.problems(), ["copies"]);
    let list = test.fixture.app.get(&test.beta("/print-jobs")).admin().send().await.expect(200);
    assert_eq!(list.at("/data"), json!([]));
}

async fn a_job_that_waits_can_be_cancelled_and_one_that_was_sent_cannot(database: Database) {
    let test = Printing::new(database).await;
    let stopped = test.printer("/stopped").await;
    let booked = test.book("WAIT").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let waits = test.print(&document, Some(&stopped), json!({})).await.expect(201);
    let id = text(&waits, "/data/uuid");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(test.job(&id).await.at("/data/state"), json!("pending"));
    let cancelled = test.cancel(&id).await.expect(200);
    assert_eq!(cancelled.at("/data/state"), json!("failed"));
    assert!(cancelled.at("/data/failure/message").is_string());
    assert_eq!(test.cancel(&id).await.expect(200).at("/data"), cancelled.at("/data"));
    assert_eq!(test.document(&document).await.at("/data/print_status"), json!("failed"));
    let good = text(&test.add("Other", "").await.expect(201), "/data/uuid");
    let sent = test.print(&document, Some(&good), json!({})).await.expect(201);
    test.until(&text(&sent, "/data/uuid"), "printed").await;
    test.cancel(&text(&sent, "/data/uuid")).await.expect(409);
    assert_eq!(test.papers().len(), 1);
}

/// Prints at a printer that fares as the scenario says, until the job is in this state.
async fn print_with(test: &Printing, scenario: &str, state: &str) -> serde_json::Value {
    let printer = test.printer(scenario).await;
    let booked = test.book("ODD").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let job = test.print(&document, Some(&printer), json!({})).await.expect(201);
    test.until(&text(&job, "/data/uuid"), state).await.json()
}

async fn a_lost_answer_to_a_document_prints_nothing_twice(database: Database) {
    let test = Printing::new(database).await;
    // Whether the whole file arrived is not proved.
    let job = print_with(&test, "/lose-send", "unknown").await;
    assert!(job["data"]["failure"]["message"].is_string(), "{job}");
    assert_eq!(test.papers().len(), 1);
}

async fn a_lost_answer_to_a_new_job_prints_nothing_twice(database: Database) {
    let test = Printing::new(database).await;
    print_with(&test, "/lose-create", "printed").await;
    assert_eq!(test.papers().len(), 1);
}

async fn a_printer_without_empty_jobs_prints_once(database: Database) {
    let test = Printing::new(database).await;
    print_with(&test, "/print-job-only", "printed").await;
    assert_eq!(test.papers().len(), 1);
}

async fn what_a_printer_without_empty_jobs_does_not_answer_is_looked_up_by_name(
    database: Database,
) {
    let test = Printing::new(database).await;
    // It is found as completed; that the whole file arrived is not proved.
    let found = print_with(&test, "/print-job-only,lose-send", "unknown").await;
    let said = found["data"]["failure"]["message"].as_str().unwrap();
    assert!(said.contains("says that it is done"), "{said}");
    assert_eq!(test.papers().len(), 1);
}

async fn a_whole_job_that_its_printer_forgot_is_not_sent_again(database: Database) {
    let test = Printing::new(database).await;
    let gone = print_with(&test, "/print-job-only,lose-send,forget", "unknown").await;
    let said = gone["data"]["failure"]["message"].as_str().unwrap();
    assert!(said.contains("does not know the job"), "{said}");
    assert_eq!(test.papers().len(), 1);
}

async fn a_busy_printer_without_empty_jobs_is_tried_again(database: Database) {
    let test = Printing::new(database).await;
    print_with(&test, "/print-job-only,busy=1s", "printed").await;
    assert_eq!(test.papers().len(), 1);
}

/// A line of our own to the printer, and a print job that it was too busy for: somebody's letter
/// waits there for its document.
async fn kept_busy(test: &Printing) -> (Link, i32, PrintJobId) {
    let printer = test.printer("/one-at-a-time").await;
    let uri = Uri::parse(&test.uri("/one-at-a-time")).unwrap();
    let mut link = test.fixture.app.app.printers().connect(&uri).await.unwrap();
    let letter = link.create_job(&ticket("Letter".to_owned())).await.unwrap();
    let booked = test.book("BUSY").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let job = test.print(&document, Some(&printer), json!({})).await.expect(201);
    let id = PrintJobId::parse(&text(&job, "/data/uuid")).unwrap();
    let team = test.fixture.app.team;
    for _ in 0..200 {
        let tried = move |tx: &mut Tx<'_>| print_jobs::list_submissions(tx, team, id);
        let tried = test.fixture.app.app.read(tried).await.unwrap();
        if tried.iter().any(|one| one.outcome.is_some()) {
            return (link, letter, id);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the job was not tried");
}

fn ticket(name: String) -> JobTicket {
    JobTicket {
        document_name: name.clone(),
        name,
        format: "application/vnd.zebra-zpl".to_owned(),
        copies: 1,
        media: None,
        one_sided: false,
        no_scaling: false,
    }
}

async fn an_empty_job_that_was_left_behind_does_not_keep_a_printer_busy(database: Database) {
    let test = Printing::new(database).await;
    let (mut link, letter, id) = kept_busy(&test).await;
    link.cancel_job(letter).await.unwrap();
    // What a worker that is gone asked for arrives only now.
    let name = JobName::new(id.into(), 1).with("Label");
    let late = link.create_job(&ticket(name)).await.unwrap();
    test.until(&id.to_string(), "printed").await;
    let late = link.job(late).await.unwrap().unwrap();
    assert_eq!(late.state, Some(PrinterJobState::Cancelled));
    assert_eq!(test.papers().len(), 1);
}

async fn an_empty_job_that_was_left_behind_is_removed_when_nobody_prints(database: Database) {
    let test = Printing::new(database).await;
    let (mut link, letter, id) = kept_busy(&test).await;
    link.cancel_job(letter).await.unwrap();
    test.until(&id.to_string(), "printed").await;
    // A worker that was frozen asks for the job of the first submission.
    let late = link.create_job(&ticket(JobName::new(id.into(), 1).with("Label"))).await.unwrap();
    until_cancelled(&test, &mut link, late).await;
}

async fn until_cancelled(test: &Printing, link: &mut Link, job: i32) {
    for _ in 0..200 {
        test.fixture.advance(Duration::from_secs(10)).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        if link.job(job).await.unwrap().unwrap().state == Some(PrinterJobState::Cancelled) {
            return;
        }
    }
    panic!("an empty job is left at the printer");
}

async fn an_empty_job_of_a_submission_with_an_unknown_end_is_removed(database: Database) {
    let test = Printing::new(database).await;
    let unknown = print_with(&test, "/lose-send", "unknown").await;
    let id = PrintJobId::parse(unknown["data"]["uuid"].as_str().unwrap()).unwrap();
    let uri = Uri::parse(&test.uri("/lose-send")).unwrap();
    let mut link = test.fixture.app.app.printers().connect(&uri).await.unwrap();
    let late = link.create_job(&ticket(JobName::new(id.into(), 1).with("Label"))).await.unwrap();
    until_cancelled(&test, &mut link, late).await;
}

async fn a_job_that_waited_when_the_database_was_restored_is_unknown_and_not_printed(
    database: Database,
) {
    let test = Printing::new(database).await;
    let app = &test.fixture.app.app;
    restored::begin_epoch(app).await.unwrap();
    let (mut link, letter, id) = kept_busy(&test).await;
    // Another database went on from here, and may have had it printed.
    let moved = |tx: &mut Tx<'_>| tx.exec("UPDATE epoch SET copy = 'another'", &[]);
    app.write(moved).await.unwrap();
    restored::begin_epoch(app).await.unwrap();
    let unknown = test.until(&id.to_string(), "unknown").await;
    let said = text(&unknown, "/data/failure/message");
    assert!(said.contains("restored"), "{said}");
    link.cancel_job(letter).await.unwrap();
    for _ in 0..40 {
        test.fixture.advance(Duration::from_secs(1)).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(test.papers().is_empty());
    assert_eq!(test.job(&id.to_string()).await.at("/data/state"), json!("unknown"));
}

async fn empty_jobs_of_somebody_else_are_left_alone(database: Database) {
    let test = Printing::new(database).await;
    let (mut link, letter, id) = kept_busy(&test).await;
    link.cancel_job(letter).await.unwrap();
    // Another installation may print there too.
    let name = JobName::new(uuid::Uuid::from_u128(7), 1).with("Label");
    let theirs = link.create_job(&ticket(name)).await.unwrap();
    for _ in 0..40 {
        test.fixture.advance(Duration::from_secs(1)).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(test.job(&id.to_string()).await.at("/data/state"), json!("pending"));
    let state = link.job(theirs).await.unwrap().unwrap().state;
    assert_eq!(state, Some(PrinterJobState::Held));
    link.cancel_job(theirs).await.unwrap();
    test.until(&id.to_string(), "printed").await;
}

async fn a_printer_that_stops_a_job_is_quoted(database: Database) {
    let test = Printing::new(database).await;
    let job = print_with(&test, "/abort", "failed").await;
    assert!(job["data"]["failure"]["message"].is_string(), "{job}");
    assert!(test.papers().is_empty());
}

async fn a_job_that_its_printer_forgot_is_unknown(database: Database) {
    let test = Printing::new(database).await;
    print_with(&test, "/forget", "unknown").await;
    assert_eq!(test.papers().len(), 1);
}

async fn jobs_of_a_removed_printer_fail(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/stopped").await;
    let booked = test.book("LEFT").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let job = test.print(&document, Some(&printer), json!({})).await.expect(201);
    let path = test.beta(&format!("/printers/{printer}"));
    test.fixture.app.delete(&path).admin().send().await.expect(204);
    let failed = test.job(&text(&job, "/data/uuid")).await;
    assert_eq!(failed.at("/data/state"), json!("failed"));
    assert_eq!(failed.at("/data/printer/name"), json!("Packing table"));
}

async fn jobs_behind_one_that_waits_do_not_keep_its_queue_busy(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/stopped").await;
    let booked = test.book("BEHIND").await;
    let document = text(&booked, "/data/documents/0/uuid");
    for _ in 0..3 {
        test.print(&document, Some(&printer), json!({})).await.expect(201);
    }
    let subject = waybill_domain::ids::parse_uuid(&printer).unwrap();
    let mut seen = 0;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = test.fixture.app.app.now();
        let alarm = test.fixture.app.app.read(move |tx| {
            let alarm = jobs::find_alarm(tx, JobKind::Print, subject)?;
            Ok::<_, waybill_store::Error>((alarm.unwrap(), tx.now(now)?))
        });
        let (alarm, now) = alarm.await.unwrap();
        // It is due again when the first one is, which was put off.
        if !alarm.is_leased && alarm.run_at > now {
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

async fn a_printer_takes_more_jobs_than_it_prints_at_once(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/slow=60s").await;
    let booked = test.book("MANY").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let mut last = String::new();
    for _ in 0..23 {
        let job = test.print(&document, Some(&printer), json!({})).await.expect(201);
        last = text(&job, "/data/uuid");
    }
    for _ in 0..200 {
        let state = test.job(&last).await.at("/data/state");
        if state != json!("pending") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{}", test.job(&last).await.json());
}
