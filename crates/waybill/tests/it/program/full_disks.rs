//! A disk without room: callers are told, and so are those who watch.

use std::process::Command;

use super::backups::Demo;
use super::{Folder, Server};
use crate::harness::fixture::order;

/// Lets no file of the server grow beyond this many bytes, as a full disk does.
fn limit(server: &Server, bytes: &str) {
    let id = server.child.id().to_string();
    let limit = format!("--fsize={bytes}:");
    let done = Command::new("prlimit").args(["--pid", &id, &limit]).status().unwrap();
    assert!(done.success());
}

#[tokio::test]
async fn a_server_whose_disk_is_full_is_not_ready_until_it_can_write_again() {
    let folder = Folder::new("full-disk");
    let mut command = Command::new("sh");
    // Who does not ignore the signal is ended by it instead of being told.
    command.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_waybill")]);
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]).current_dir(&folder.0);
    let server = Server::started(command);
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
