//! A disk without room: callers are told, and so are those who watch.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::backups::Demo;
use super::{Folder, Server, run};
use crate::harness::fixture::order;

/// Lets no file of the server grow beyond this many bytes, as a full disk does.
fn limit(server: &Server, bytes: &str) {
    let id = server.child.id().to_string();
    let limit = format!("--fsize={bytes}:");
    let done = Command::new("prlimit").args(["--pid", &id, &limit]).status().unwrap();
    assert!(done.success());
}

/// A server on such a disk, once it has a limit. Its leases last so many milliseconds.
fn serve(folder: &Folder, lease: &str) -> Server {
    let mut command = Command::new("sh");
    // Who does not ignore the signal is ended by it instead of being told.
    command.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_waybill")]);
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]).current_dir(&folder.0);
    command.env("WAYBILL_LEASE_MS", lease);
    Server::started(command)
}

/// How often the sandbox carrier was called to do this.
async fn calls(server: &Server, operation: &str) -> u32 {
    let metrics = server.get("/metrics", "").await.expect(200);
    let text = String::from_utf8(metrics.bytes.clone()).unwrap();
    let is_meant = |line: &&str| {
        line.starts_with("waybill_carrier_calls_total{")
            && line.contains("carrier=\"sandbox\"")
            && line.contains(&format!("operation=\"{operation}\""))
    };
    let count = |line: &str| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    text.lines().filter(is_meant).map(count).sum()
}

#[tokio::test]
async fn a_booking_goes_on_while_its_lease_cannot_be_renewed() {
    let folder = Folder::new("full-disk-lease");
    // Renewed every three seconds: twice in vain, and the answer comes before the lease ends.
    let server = serve(&folder, "9000");
    let demo = Demo::read(&folder.0);
    // Those who watch count from the first look on.
    assert_eq!(calls(&server, "book").await, 0);
    let body = order("SLOW sim:delay=7s").to_string();
    let path = demo.path("shipments");
    let booked = server.ask("POST", &path, &demo.token, &body);
    let full_for_a_while = async {
        let is_sent = || {
            let why = run(&folder.0, &["why", "SLOW sim:delay=7s"]);
            String::from_utf8_lossy(&why.stdout).contains("call 1: ")
        };
        while !is_sent() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        limit(&server, "4096");
        let in_vain = |line: &Value| line["message"] == "a lease was not renewed";
        for _ in 0..600 {
            if server.count_logged(in_vain) == 2 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        limit(&server, "unlimited");
    };
    let (booked, ()) = tokio::join!(booked, full_for_a_while);
    booked.expect(201);
    assert_eq!(calls(&server, "book").await, 1, "it is sent once");
    assert_eq!(calls(&server, "find").await, 0, "nobody needs to ask what became of it");
}

#[tokio::test]
async fn a_server_whose_disk_is_full_is_not_ready_until_it_can_write_again() {
    let folder = Folder::new("full-disk");
    let server = serve(&folder, "30000");
    let demo = Demo::read(&folder.0);
    demo.book(&server, "BEFORE").await;
    server.get("/readyz", "").await.expect(200);
    limit(&server, "4096");
    let body = order("FULL").to_string();
    server.ask("POST", &demo.path("shipments"), &demo.token, &body).await.expect(503);
    for _ in 0..2 {
        let told = server.get("/readyz", "").await.expect(503).json();
        assert_eq!(told["message"], "The database cannot be written.");
    }
    server.get("/healthz", "").await.expect(200);
    assert_eq!(demo.count(&server, "BEFORE").await, 1);
    limit(&server, "unlimited");
    server.get("/readyz", "").await.expect(200);
    demo.book(&server, "AFTER").await;
    server.get("/readyz", "").await.expect(200);
}
