//! What another program says of our answers: `ipptool`, which `./printers` brings.

use std::process::Command;

use crate::harness::{Printer, wait_until};

/// Runs a file of tests against the printer with these words.
#[track_caller]
fn run(printer: &Printer, words: &str, tests: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let uri = format!("ipp://{}/ipp/print{words}", printer.address);
    let run = Command::new("ipptool")
        .args(["-t", "-I", "-f", &format!("{folder}/label.zpl")])
        .args(["-d", "filetype=application/vnd.zebra-zpl", &uri, tests])
        .output();
    let output = run.unwrap_or_else(|error| panic!("ipptool: {error}; `./printers` brings it"));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("[PASS]") && !told.contains("[FAIL]"), "{told}");
}

#[test]
fn ipptool_finds_every_answer_as_the_standard_wants_it() {
    let printer = Printer::start();
    run(&printer, "", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/operations.ipptool"));
    wait_until("two papers come out", || printer.papers().len() == 2);
    let label = include_bytes!("label.zpl");
    assert!(printer.files().iter().all(|(_, bytes)| bytes == label));
}

/// Its own tests of IPP 1.1, which CUPS has to pass too.
#[test]
fn ipptool_finds_a_printer_of_ipp_1_1() {
    let printer = Printer::start();
    run(&printer, "", "ipp-1.1.test");
}
