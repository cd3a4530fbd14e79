//! What is left of a printer that was switched off.

use std::io::Write;

use crate::client::*;
use crate::harness::Printer;

#[test]
fn numbers_go_on_after_a_restart_also_of_jobs_without_a_paper() {
    let mut printer = Printer::start();
    let first = Client::new(&printer, "").created("never printed");
    printer.switch_off();
    printer.switch_on().unwrap();
    let client = Client::new(&printer, "");
    assert!(client.job(first).is_none());
    let second = client.created("printed");
    assert!(second > first, "{first} {second}");
    assert_eq!(client.send(second, b"once").unwrap().code, OK);
    client.wait_for(second, COMPLETED);
    printer.switch_off();
    // Without the file of numbers the journal still knows those that were printed.
    std::fs::remove_file(format!("{}.ids", printer.journal().display())).unwrap();
    printer.switch_on().unwrap();
    assert!(Client::new(&printer, "").created("next") > second);
    assert_eq!(printer.papers().len(), 1);
}

#[test]
fn ids_begins_at_one_after_a_restart() {
    let mut printer = Printer::start();
    for _ in 0..2 {
        let client = Client::new(&printer, "ids");
        assert_eq!(["a", "b"].map(|name| client.created(name)), [1, 2]);
        printer.switch_off();
        printer.switch_on().unwrap();
    }
}

#[test]
fn a_printer_that_is_switched_off_prints_nothing_later() {
    let mut printer = Printer::start();
    let client = Client::new(&printer, "slow=60s");
    let id = client.created("label");
    assert_eq!(client.send(id, b"gone").unwrap().code, OK);
    client.wait_for(id, PROCESSING);
    printer.switch_off();
    printer.switch_on().unwrap();
    assert!(Client::new(&printer, "slow=60s").job(id).is_none());
    assert!(printer.papers().is_empty());
}

#[test]
fn a_line_that_a_crash_left_half_written_is_no_paper() {
    let mut printer = Printer::start();
    let client = Client::new(&printer, "");
    let id = client.created("label");
    assert_eq!(client.send(id, b"once").unwrap().code, OK);
    client.wait_for(id, COMPLETED);
    printer.switch_off();
    let whole = std::fs::read(printer.journal()).unwrap();
    let append = |text: &str| {
        let mut file = std::fs::OpenOptions::new().append(true).open(printer.journal()).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    append("{\"job_id\":7");
    printer.switch_on().unwrap();
    assert_eq!(std::fs::read(printer.journal()).unwrap(), whole);
}

#[test]
fn a_journal_that_is_in_use_or_not_ours_is_refused() {
    let mut printer = Printer::start();
    let journal = printer.journal().display().to_string();
    let refused = printer.open_again().unwrap_err().to_string();
    assert_eq!(refused, format!("{journal}: another process writes to this journal"));
    printer.switch_off();
    std::fs::write(&journal, "{\"reference\":\"x\"}\n").unwrap();
    let refused = printer.switch_on().unwrap_err().to_string();
    assert_eq!(refused, format!("{journal}: line 1 is no line of this journal"));
}
