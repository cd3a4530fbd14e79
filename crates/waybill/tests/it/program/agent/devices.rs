//! Printers that take bytes as they are, folders, and the queues of a CUPS server.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::spawn;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Site, says, text};

/// A device on a port: it keeps what it reads, and does what it is told to.
struct Device {
    uri: String,
    listener: Arc<TcpListener>,
    papers: Arc<Mutex<Vec<Vec<u8>>>>,
    reads: Arc<Mutex<usize>>,
}

impl Device {
    fn new() -> Device {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let uri = format!("socket://{}", listener.local_addr().unwrap());
        let (papers, reads) = (Arc::default(), Arc::new(Mutex::new(usize::MAX)));
        let device = Device { uri, listener: Arc::new(listener), papers, reads };
        let (listener, papers) = (Arc::clone(&device.listener), Arc::clone(&device.papers));
        let reads = Arc::clone(&device.reads);
        spawn(move || {
            for stream in listener.incoming().flatten() {
                let most = *reads.lock().unwrap();
                let bytes = read(stream, most);
                // Somebody only looked whether we are there.
                if !bytes.is_empty() {
                    papers.lock().unwrap().push(bytes);
                }
            }
        });
        device
    }

    fn papers(&self) -> Vec<Vec<u8>> {
        self.papers.lock().unwrap().clone()
    }
}

/// Reads no more than so many bytes, and closes then.
fn read(mut stream: TcpStream, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut piece = [0; 512];
    while let Ok(count) = stream.read(&mut piece) {
        bytes.extend_from_slice(&piece[..count]);
        if count == 0 || bytes.len() >= most {
            break;
        }
    }
    let _said = stream.write_all(b"\x02ok\x03");
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_printer_that_takes_bytes_prints_or_nobody_knows() {
    let site = Site::on_sqlite("raw").await;
    let device = Device::new();
    let mut agent = site.register(&[("Zebra", &device.uri)]).await;
    let printer = site.online("Zebra").await;
    let shown = site.get(&format!("printers/{printer}")).await;
    assert_eq!((&shown["formats"], &shown["copies_max"]), (&json!(["zpl"]), &Value::Null));
    let pdf = site.document.clone();
    let refused = site.try_print(&pdf, &printer).await;
    assert_eq!(refused, 422, "it takes ZPL alone");
    let label = site.zpl_label("RAW").await;
    let job = site.print_document(&label, &printer, 2).await;
    let done = site.until(&job, &["printed", "failed", "unknown"]).await;
    assert_eq!(done["state"], "printed", "{done:#}");
    let papers = device.papers();
    assert_eq!(papers.len(), 1);
    let (first, second) = papers[0].split_at(papers[0].len() / 2);
    assert!(first == second && first.starts_with(b"^XA"), "the label twice, as it is");
    // One that breaks the line after the first byte: nobody knows, and nobody prints it again.
    *device.reads.lock().unwrap() = 1;
    let job = site.print_document(&label, &printer, 99).await;
    let lost = site.until(&job, &["printed", "failed", "unknown"]).await;
    assert_eq!(lost["state"], "unknown", "{lost:#}");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(device.papers().len(), 2);
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_takes_no_connection_gets_the_job_later() {
    let site = Site::on_sqlite("raw-later").await;
    let device = Device::new();
    let mut agent = site.register(&[("Zebra", &device.uri)]).await;
    let printer = site.online("Zebra").await;
    let label = site.zpl_label("LATER").await;
    assert_eq!(agent.stop().await, Some(0));
    let address = device.listener.local_addr().unwrap();
    // Somebody who takes no connections: the port is bound, and nobody listens.
    let elsewhere = format!("socket://127.0.0.1:{}", free_port());
    let mut agent = site.agent(&[("Zebra", &elsewhere)]);
    agent.said("a printer is offline").await;
    assert_eq!(agent.stop().await, Some(0));
    let mut agent = site.agent(&[("Zebra", &format!("socket://{address}"))]);
    site.online("Zebra").await;
    let job = site.print_document(&label, &printer, 1).await;
    site.until(&job, &["printed"]).await;
    assert_eq!(device.papers().len(), 1);
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_has_a_whole_file_for_each_copy() {
    let site = Site::on_sqlite("folder").await;
    let mut agent = site.register(&[("Out", "file:out")]).await;
    let printer = site.online("Out").await;
    let job = site.print_copies(&printer, 2).await;
    site.until(&job, &["printed"]).await;
    let files: Vec<PathBuf> =
        std::fs::read_dir(site.path().join("out")).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let bytes: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(bytes[0] == bytes[1] && bytes[0].starts_with(b"%PDF"));
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queues_of_cups_are_printers_of_the_agent() {
    let cups = std::env::var("TEST_CUPS_URL").expect("./printers run");
    let printed = PathBuf::from(std::env::var("TEST_PRINTED").expect("./printers run"));
    let site = Site::on_sqlite("cups").await;
    let arguments = ["--cups", cups.as_str(), "--queues", "zebra,office"];
    let eve = std::env::var("TEST_EVE_URL").expect("./printers run");
    let mut agent = site.register_with(&[("Eve", &eve)], &arguments).await;
    let (zebra, office) = (site.online("zebra").await, site.online("office").await);
    let eve = site.online("Eve").await;
    let label = site.zpl_label("CUPS").await;
    let mut jobs = vec![site.print_document(&label, &zebra, 1).await];
    jobs.push(site.print(&office).await);
    jobs.push(site.print(&eve).await);
    for job in &jobs {
        let done = site.until(job, &["printed", "failed", "unknown"]).await;
        assert_eq!(done["state"], "printed", "{done:#}");
    }
    let journal = std::fs::read_to_string(printed.join("journal")).unwrap();
    let of_eve = journal.lines().filter(|line| line.contains(&jobs[2])).count();
    assert_eq!(of_eve, 1, "{journal}");
    assert!(!says(&json!(text(&site.get("printers").await[0]["name"])), "PDF queue"));
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}
