//! How long an empty server takes from the start of its process until it is ready, and how much
//! memory it then holds. Measured on the program that lies beside this one.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::load::Connection;
use crate::measure::{self, Failure};
use crate::scratch::Scratch;

/// How often it is started.
const STARTS: usize = 7;
/// The goals.
const SECONDS_GOAL: f64 = 0.5;
const MEGABYTES_GOAL: f64 = 40.0;
/// A server that is not ready by then is none.
const READY_MAX: Duration = Duration::from_secs(10);
/// Between two looks at whether it is ready.
const PAUSE: Duration = Duration::from_millis(1);

/// Runs the benchmark, or says why not.
pub fn run() -> Result<(), Failure> {
    let program = std::env::current_exe()?.with_file_name("waybill");
    println!("\nStart on an empty database");
    if !program.exists() {
        println!("skipped: {} is missing; `cargo build --release` makes it", program.display());
        return Ok(());
    }
    let (mut seconds, mut megabytes) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let (time, memory) = start_once(&program)?;
        seconds.push(time.as_secs_f64());
        megabytes.push(memory);
    }
    let show = |values: &[f64], digits: usize| {
        let shown: Vec<String> = values.iter().map(|value| format!("{value:.digits$}")).collect();
        shown.join(" ")
    };
    println!("seconds until ready: {}", show(&seconds, 3));
    println!("megabytes then held: {}", show(&megabytes, 1));
    let (time, memory) = (measure::median(seconds), measure::median(megabytes));
    let verdict = |is_good: bool| if is_good { "reached" } else { "missed" };
    let (quick, small) = (verdict(time < SECONDS_GOAL), verdict(memory < MEGABYTES_GOAL));
    println!("median {time:.3} s; the goal of {SECONDS_GOAL} s is {quick}");
    println!("median {memory:.1} MB; the goal of {MEGABYTES_GOAL} MB is {small}");
    Ok(())
}

fn start_once(program: &Path) -> Result<(Duration, f64), Failure> {
    let scratch = Scratch::new()?;
    let address = free_address()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = measure::now();
    let server = Process(
        Command::new(program)
            .args(["serve", "--listen", &address.to_string()])
            .args(["--database", &scratch.database("waybill.db")])
            // Settings of whoever runs this must not reach it.
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?,
    );
    runtime.block_on(async { tokio::time::timeout(READY_MAX, until_ready(address)).await })?;
    let took = started.elapsed();
    Ok((took, resident_megabytes(server.0.id())?))
}

/// The port may be taken by another before our server does; then the start fails and says so.
fn free_address() -> Result<SocketAddr, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

async fn until_ready(address: SocketAddr) {
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\n\r\n");
    while !is_ready(address, request.as_bytes()).await {
        tokio::time::sleep(PAUSE).await;
    }
}

async fn is_ready(address: SocketAddr, request: &[u8]) -> bool {
    let Ok(mut connection) = Connection::open(address).await else { return false };
    connection.ask(request).await.is_ok_and(|answer| answer.status == 200)
}

/// What the system holds in memory for a process.
fn resident_megabytes(process: u32) -> Result<f64, Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let kibibytes = parse_resident(&status).ok_or("the process tells no VmRSS")?;
    Ok(kibibytes * 1024.0 / 1e6)
}

fn parse_resident(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// A process that ends with us.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let ended = self.0.kill().and_then(|()| self.0.wait());
        if let Err(error) = ended {
            eprintln!("the server did not end: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resident_size_is_read_off_the_status() {
        let status = "Name:\twaybill\nVmHWM:\t   99 kB\nVmRSS:\t   25600 kB\n";
        assert_eq!(parse_resident(status), Some(25600.0));
        assert_eq!(parse_resident("Name:\twaybill\n"), None);
    }
}
