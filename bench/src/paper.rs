//! CarrierFiles a second on one core: laid out, drawn and read back, and how much of that is
//! reading back. Then a spreadsheet of a hundred thousand rows, with the memory that it takes.

use std::time::Duration;

use waybill_domain::document::Format;
use waybill_domain::fields::read_object;
use waybill_paper::{
    AnyPaper, Cell, Column, ColumnKind, Document, Dpi, Layout, Problem, Renderer, SpreadsheetWriter,
};

use crate::measure::{Failure, Round, now, solo};

const LABEL: &str = include_str!("../../crates/paper/tests/it/papers/label.json");
const ROWS: u32 = 100_000;
/// The least that was promised: format, labels a second.
const FORMATS: [(Format, f64); 3] =
    [(Format::Zpl, 10_000.0), (Format::Pdf, 500.0), (Format::Png, 100.0)];

/// Measures, and fails when a promise is broken.
pub fn run() -> Result<(), Failure> {
    let renderer = Renderer::new();
    let paper = label(LABEL)?;
    println!("a label with GS1-128, 100 x 150 mm, 203 dpi");
    let plain = measure(&renderer, &without_matrix(&paper))?;
    println!("\nthe same label with a Data Matrix, whose decoding takes most of the time");
    measure(&renderer, &paper)?;
    rows()?;
    for ((format, promise), rate) in FORMATS.into_iter().zip(plain) {
        if rate < promise {
            return Err(format!("{} is below {promise} labels a second", format.name()).into());
        }
    }
    Ok(())
}

fn label(text: &str) -> Result<AnyPaper, Failure> {
    let json = read_object(text.as_bytes()).map_err(|errors| format!("{errors:?}"))?;
    AnyPaper::from_json(&json).map_err(|errors| format!("{errors:?}").into())
}

fn without_matrix(paper: &AnyPaper) -> AnyPaper {
    let mut paper = paper.clone();
    if let AnyPaper::Labels(labels) = &mut paper {
        labels.labels.iter_mut().for_each(|label| label.matrix = None);
    }
    paper
}

fn lay_out(renderer: &Renderer, paper: &AnyPaper) -> Result<Document, Failure> {
    paper.layout(renderer).map_err(|errors| format!("{errors:?}").into())
}

/// Prints the rates of each format, and returns those with the self-check.
fn measure(renderer: &Renderer, paper: &AnyPaper) -> Result<Vec<f64>, Failure> {
    let mut rates = Vec::new();
    for (format, _) in FORMATS {
        let whole = |renderer: &Renderer| {
            let document = lay_out(renderer, paper)?;
            let done = renderer.render(&document, format, Dpi::Dpi203);
            done.map(|done| done.bytes.len()).map_err(|problem| format!("{problem:?}").into())
        };
        let drawn = |renderer: &Renderer| {
            let document = lay_out(renderer, paper)?;
            let drawn = renderer.draw(&document, format, Dpi::Dpi203);
            drawn.map(|bytes| bytes.len()).map_err(|problem| format!("{problem:?}").into())
        };
        println!("\n{}: {} bytes", format.name(), whole(renderer)?);
        let checked = solo("checked", |time| repeat(time, || whole(renderer)))?;
        let unchecked = solo("drawn", |time| repeat(time, || drawn(renderer)))?;
        let reading = 1e6 / checked - 1e6 / unchecked;
        println!("{checked:.0}/s with the self-check, which takes {reading:.0} µs of it");
        rates.push(checked);
    }
    Ok(rates)
}

fn repeat(time: Duration, one: impl Fn() -> Result<usize, Failure>) -> Result<Round, Failure> {
    let start = now();
    let mut latencies = Vec::new();
    while start.elapsed() < time {
        let begin = now();
        one()?;
        latencies.push(begin.elapsed());
    }
    Ok(Round::new(latencies, start.elapsed()))
}

fn rows() -> Result<(), Failure> {
    let kinds = [
        ColumnKind::Text,
        ColumnKind::Text,
        ColumnKind::Integer,
        ColumnKind::Decimal,
        ColumnKind::Text,
    ];
    let columns = kinds.map(|kind| Column { name: format!("{kind:?}"), kind, width: 20 });
    let row = |index: u32| {
        vec![
            Cell::Text(format!("35701234{index:010}")),
            Cell::Text("=HYPERLINK(\"http://example.com\")".to_owned()),
            Cell::Integer(i64::from(index)),
            Cell::Decimal(i64::from(index) * 7),
            Cell::Text(format!("receiver {index}")),
        ]
    };
    let (before, start) = (peak_memory(), now());
    let write = || {
        let mut sheet = SpreadsheetWriter::begin("Shipments", &columns)?;
        (0..ROWS).map(row).try_for_each(|cells| sheet.add_row(&cells))?;
        sheet.finish()
    };
    let bytes = write().map_err(|problem: Problem| format!("{problem:?}"))?;
    let (took, after) = (start.elapsed(), peak_memory());
    let grown = after.zip(before).map(|(after, before)| after.saturating_sub(before));
    println!("\nxlsx: {ROWS} rows, {} bytes in {took:?}, peak memory +{grown:?} kB", bytes.len());
    match grown {
        Some(grown) if grown > 100_000 => Err("the spreadsheet took more than 100 MB".into()),
        _ => Ok(()),
    }
}

/// The most memory that this process ever had, in kilobytes, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
