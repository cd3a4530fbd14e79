//! Real printers: `./printers run` starts them.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::sleep;
use waybill_domain::document::Format;
use waybill_domain::printing::{
    Evidence, FormatTypes, JobName, Media, PrinterJob, PrinterJobState, Proof, Uri,
};
use waybill_printing::{
    JobTicket, Link, LinkError, PrinterNetworks, PrinterReport, Printers, Trust,
};

use crate::faults::{printers, ticket};

const ZPL: &str = "^XA^FO50,50^A0N,40,40^FDWaybill^FS^XZ\n";

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this in ./printers run"))
}

/// The printer of its own.
fn eve() -> Uri {
    Uri::parse(&variable("TEST_EVE_URL")).unwrap()
}

/// A queue of CUPS.
fn cups(queue: &str) -> Uri {
    Uri::parse(&format!("{}{queue}", variable("TEST_CUPS_URL"))).unwrap()
}

fn all() -> Printers {
    printers(PrinterNetworks::Any)
}

/// A name of a job that no other test has.
fn unique(test: u128) -> JobName {
    let id = u128::from(std::process::id()) << 64 | test;
    JobName::new(uuid::Uuid::from_u128(id), 1)
}

/// Whatever the printer is told first, another test may be busy with it: it takes one at a time.
async fn create(link: &mut Link, ticket: &JobTicket) -> i32 {
    for _ in 0..600 {
        match link.create_job(ticket).await {
            Err(LinkError::PutOff { .. }) => sleep(Duration::from_millis(100)).await,
            other => return other.unwrap(),
        }
    }
    panic!("the printer is always busy");
}

/// Looks until the job is over.
async fn over(link: &mut Link, number: i32) -> PrinterJob {
    for _ in 0..600 {
        let job = link.job(number).await.unwrap().unwrap();
        let is_over = job
            .state
            .is_some_and(|state| state.is_given_up() || state == PrinterJobState::Completed);
        if is_over {
            return job;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("job {number} does not end");
}

fn formats(report: &PrinterReport) -> Vec<Format> {
    FormatTypes::of(&report.abilities).formats().collect()
}

#[tokio::test]
async fn a_printer_says_what_it_can_do() {
    let (report, key) = all().probe(&eve(), None).await.unwrap();
    assert_eq!(key, None);
    assert!(report.is_accepting && !report.is_stopped, "{}", report.words());
    let abilities = &report.abilities;
    assert!(abilities.has_create_job && !abilities.is_cups, "{abilities:?}");
    assert_eq!(formats(&report), [Format::Pdf, Format::Png, Format::Zpl]);
    let a4 = Some(Media::Named("iso_a4_210x297mm".to_owned()));
    assert_eq!(abilities.media_for(Some(210_000), Some(297_000)), a4);
    let sizes = abilities.sizes.as_ref().unwrap();
    assert!(!sizes.iter().any(|size| size.name.starts_with("custom_m")), "{sizes:?}");
    assert_eq!(abilities.custom, None, "{abilities:?}");
    assert_eq!(abilities.media_for(Some(100_000), Some(150_000)), None);
    assert!(abilities.has_one_sided, "{abilities:?}");
    assert!(abilities.copies_max.is_some_and(|most| most > 1), "{abilities:?}");
    let asked: Vec<&str> = abilities.copies_by_type.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(asked, ["application/pdf", "image/png", "application/vnd.zebra-zpl"]);
}

#[tokio::test]
async fn queues_of_cups_say_whether_they_are_raw() {
    let (raw, _) = all().probe(&cups("printers/zebra"), None).await.unwrap();
    assert!(raw.abilities.is_cups && raw.abilities.has_create_job, "{raw:?}");
    assert_eq!(formats(&raw), [Format::Zpl]);
    let (driver, _) = all().probe(&cups("printers/office"), None).await.unwrap();
    assert!(formats(&driver).contains(&Format::Pdf), "{driver:?}");
    let missing = all().probe(&cups("printers/nowhere"), None).await;
    assert_eq!(missing.err(), Some(LinkError::NoSuchQueue));
}

#[tokio::test]
async fn a_printer_that_vouches_for_itself_is_known_again_by_its_key() {
    let secured = variable("TEST_EVE_URL").replacen("ipp:", "ipps:", 1);
    let uri = Uri::parse(&secured).unwrap();
    let refused = all().connect(&uri).await.map(drop);
    assert!(matches!(refused, Err(LinkError::NotTrusted(_))), "{refused:?}");
    let (report, key) = all().probe(&uri, None).await.unwrap();
    let key = key.expect("no authority vouches for it");
    assert!(report.is_ready() && key.len() == 64, "{key}");
    let mut link = all().connect_trusting(&uri, Trust::Key(key.clone())).await.unwrap();
    assert!(link.attributes().await.unwrap().is_ready());
    assert_eq!(link.key(), Some(key));
    let other = all().connect_trusting(&uri, Trust::Key("0".repeat(64))).await.map(drop);
    assert_eq!(other, Err(LinkError::OtherKey));
}

/// Creates a job, finds it empty, sends the document and follows it to its end.
async fn print(uri: &Uri, format: &str, test: u128) -> PrinterJob {
    let mut link = all().connect(uri).await.unwrap();
    let is_cups = link.attributes().await.unwrap().abilities.is_cups;
    let name = unique(test);
    let ticket = ticket(&name.with("Label 1"), format);
    let number = create(&mut link, &ticket).await;
    let proof = Proof { drops_what_is_cut: is_cups, size: ZPL.len() as u64 };
    let empty = link.job(number).await.unwrap();
    assert_eq!(Evidence::read(empty.as_ref(), &name, proof), Some(Evidence::Empty), "{empty:?}");
    let listed = link.jobs().await.unwrap();
    let ours = listed.iter().filter(|job| job.name.as_deref().is_some_and(|it| name.is_in(it)));
    assert_eq!(ours.map(|job| job.id).collect::<Vec<_>>(), [number]);
    link.send_within(Duration::from_secs(2));
    let sent = link.send_document(number, &ticket, Bytes::from(ZPL)).await.unwrap();
    assert_eq!(sent.id, number);
    assert!(sent.state.is_some_and(|state| !state.is_given_up()), "{sent:?}");
    let job = over(&mut link, number).await;
    assert!(name.is_in(job.name.as_deref().unwrap()), "{job:?}");
    job
}

#[tokio::test]
async fn a_label_is_printed_by_a_printer() {
    let job = print(&eve(), "application/vnd.zebra-zpl", 1).await;
    assert_eq!(job.state, Some(PrinterJobState::Completed), "{job:?}");
}

/// The line about a job in the journal of what was printed: file, type, copies, name.
fn journal(name: &JobName) -> Vec<String> {
    let journal = std::fs::read_to_string(printed("journal")).unwrap();
    let lines = journal.lines().map(|line| line.split('\t').map(str::to_owned).collect());
    let mut found = lines.filter(|line: &Vec<String>| name.is_in(&line[3]));
    let line = found.next().expect("the job was not printed");
    assert_eq!(found.next(), None, "the job was printed twice");
    line
}

fn printed(file: &str) -> PathBuf {
    PathBuf::from(variable("TEST_PRINTED")).join(file)
}

#[tokio::test]
async fn a_printer_gets_the_bytes_as_they_are_and_is_told_how_to_print_them() {
    let mut link = all().connect(&eve()).await.unwrap();
    let name = unique(7);
    let ticket = JobTicket {
        copies: 3,
        media: Some(Media::Named("iso_a4_210x297mm".to_owned())),
        one_sided: true,
        ..ticket(&name.with("Label"), "application/vnd.zebra-zpl")
    };
    // Longer than what goes out in one piece.
    let bytes = Bytes::from(ZPL.repeat(20_000));
    let number = create(&mut link, &ticket).await;
    link.send_document(number, &ticket, bytes.clone()).await.unwrap();
    assert_eq!(over(&mut link, number).await.state, Some(PrinterJobState::Completed));
    let line = journal(&name);
    assert_eq!(line[1..3], ["application/vnd.zebra-zpl", "3"]);
    assert_eq!(std::fs::read(printed(&line[0])).unwrap(), bytes);
}

#[tokio::test]
async fn a_queue_with_a_driver_takes_a_size_of_its_own() {
    let mut link = all().connect(&cups("printers/office")).await.unwrap();
    let custom = ticket(&unique(8).with("Label"), "application/pdf");
    let custom = JobTicket { media: Some(Media::Custom(10_000, 15_000)), ..custom };
    let number = link.create_job(&custom).await.unwrap();
    assert_eq!(link.cancel_job(number).await, Ok(()));
}

#[tokio::test]
async fn a_label_is_printed_by_a_queue_of_cups() {
    let job = print(&cups("printers/zebra"), "application/octet-stream", 2).await;
    assert_eq!(job.state, Some(PrinterJobState::Completed), "{job:?}");
    assert!(job.kilobytes.is_some_and(|kilobytes| kilobytes > 0), "{job:?}");
}

#[tokio::test]
async fn an_empty_job_is_cancelled_and_takes_nothing_any_more() {
    for (test, uri) in [(3, eve()), (4, cups("printers/zebra"))] {
        let mut link = all().connect(&uri).await.unwrap();
        let name = unique(test);
        let format =
            if test == 3 { "application/vnd.zebra-zpl" } else { "application/octet-stream" };
        let ticket = ticket(&name.with("Label"), format);
        let number = create(&mut link, &ticket).await;
        assert_eq!(link.cancel_job(number).await, Ok(()));
        let cancelled = link.job(number).await.unwrap();
        assert!(Evidence::is_cancelled_empty(cancelled.as_ref(), &name), "{cancelled:?}");
        // One says that it took the document, and says in the same breath that the job is over.
        match link.send_document(number, &ticket, Bytes::from(ZPL)).await {
            Ok(job) => assert!(job.state.is_some_and(PrinterJobState::is_given_up), "{job:?}"),
            Err(error) => assert!(matches!(error, LinkError::Refused { .. }), "{error}"),
        }
    }
}

#[tokio::test]
async fn a_job_with_its_document_is_printed_as_well() {
    let uri = cups("printers/zebra");
    let mut link = all().connect(&uri).await.unwrap();
    let name = unique(5);
    let job = ticket(&name.with("Label"), "application/octet-stream");
    let printed = link.print_job(&job, Bytes::from(ZPL)).await.unwrap();
    assert_eq!(over(&mut link, printed.id).await.state, Some(PrinterJobState::Completed));
}

#[tokio::test]
async fn a_format_that_a_printer_does_not_take_is_refused_for_good() {
    let mut link = all().connect(&eve()).await.unwrap();
    let wrong = ticket(&unique(6).with("Table"), "application/x-unheard-of");
    let number = create(&mut link, &wrong).await;
    let refused = link.send_document(number, &wrong, Bytes::from("x")).await;
    assert!(matches!(refused, Err(LinkError::Refused { .. })), "{refused:?}");
    link.cancel_job(number).await.unwrap();
}

#[tokio::test]
async fn a_job_that_a_printer_does_not_know_is_none() {
    for uri in [eve(), cups("printers/zebra")] {
        let mut link = all().connect(&uri).await.unwrap();
        assert_eq!(link.job(999_999).await, Ok(None));
        let refused = link.cancel_job(999_999).await;
        assert!(matches!(refused, Err(LinkError::Refused { .. })), "{refused:?}");
    }
}
