//! `waybill draw-page`: a page of the file on standard input as a picture on standard output. The
//! server runs it for each picture, because files of others may ask for any time and memory: what
//! it may have is settled here before a byte is read.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use rustix::process::{Resource, Rlimit, setrlimit};
use waybill_domain::document::Format;
use waybill_engine::pictures::NOT_DRAWN;
use waybill_paper::{Wanted, picture};

use super::error::Outcome;

/// Room for addresses beside those of the program itself: the file, and what is drawn.
const MEMORY: u64 = 1024 * 1024 * 1024;
/// Seconds of a processor.
const SECONDS: u64 = 6;
/// No document is larger, joined or not.
const BYTES_MAX: u64 = 96 * 1024 * 1024;
/// Others go first when there are too few processors.
const NICE: i32 = 5;

/// `waybill draw-page`.
pub fn command() -> Command {
    let number = |name: &'static str| {
        Arg::new(name).long(name).required(true).value_parser(value_parser!(u32))
    };
    Command::new("draw-page")
        .about("Shows a page of a PDF, PNG or ZPL file as a picture, within bounds")
        .arg(Arg::new("format").long("format").required(true).help("pdf, png or zpl"))
        .arg(number("page"))
        .arg(number("width"))
        .arg(Arg::new("size").long("size").help("Of the page in millimetres, such as 100x150"))
}

/// Runs `waybill draw-page`. What cannot be drawn is an exit code, and no word.
pub fn run(matches: &ArgMatches) -> Outcome {
    limit();
    let number = |name: &str| matches.get_one::<u32>(name).copied().unwrap_or_default();
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let wanted = Wanted {
        page: number("page"),
        width: number("width"),
        size_mm: text("size").and_then(read_size),
    };
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(BYTES_MAX).read_to_end(&mut bytes);
    let format = text("format").and_then(Format::parse).filter(|_| read.is_ok());
    let drawn = format.and_then(|format| picture(bytes, format, wanted).ok());
    let written = drawn.and_then(|drawn| {
        let mut out = std::io::stdout().lock();
        out.write_all(&drawn).and_then(|()| out.flush()).ok()
    });
    Ok(written.map_or(ExitCode::from(NOT_DRAWN), |()| ExitCode::SUCCESS))
}

fn read_size(text: &str) -> Option<(f64, f64)> {
    let (width, height) = text.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// What this process may have. Where the system knows no such limits, the server still watches the
/// time.
fn limit() {
    let all = |most| Rlimit { current: Some(most), maximum: Some(most) };
    let _limited = setrlimit(Resource::As, all(addresses_used() + MEMORY));
    let _limited = setrlimit(Resource::Cpu, all(SECONDS));
    // Who runs out of memory aborts: nobody wants that on the disk.
    let _limited = setrlimit(Resource::Core, all(0));
    let _later = rustix::process::nice(NICE);
}

/// The addresses that this process has by now, in bytes. The allocator may hold many that it does
/// not use yet.
fn addresses_used() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| {
        line.strip_prefix("VmSize:")?.trim().trim_end_matches(" kB").parse::<u64>().ok()
    });
    kilobytes.unwrap_or(0) * 1024
}
