//! The demo has a printer that prints into a folder, and keeps it after a restart.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Folder, Server, order, run};

/// What the demo says of itself.
fn demo(folder: &Path) -> Value {
    let demo = std::fs::read_to_string(folder.join("demo.json")).unwrap();
    serde_json::from_str(&demo).unwrap()
}

/// The papers in the folder, in the order in which they came out.
fn papers(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder.join("printed")).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| !path.to_string_lossy().contains("journal"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Books, and makes a job that prints the label: the label and the path of the job.
async fn book_and_print(server: &Server, demo: &Value, reference: &str) -> (Value, String) {
    let (team, token) = (demo["team_uuid"].as_str().unwrap(), demo["token"].as_str().unwrap());
    let path = format!("/v2/teams/{team}/shipments");
    let booked = server.post(&path, token, order(reference)).await;
    let label = &booked["data"]["documents"][0];
    let body = json!({"document_uuid": label["uuid"], "printer_uuid": demo["printer_uuid"]});
    let jobs = format!("/beta/teams/{team}/print-jobs");
    let job = server.post(&jobs, token, body).await;
    (label.clone(), format!("{jobs}/{}", job["data"]["uuid"].as_str().unwrap()))
}

/// Waits until what is at a path has this state.
async fn until(server: &Server, demo: &Value, path: &str, state: &str) {
    let token = demo["token"].as_str().unwrap();
    let mut last = Value::Null;
    for _ in 0..200 {
        last = server.get(path, token).await.expect(200).json();
        if last["data"]["state"] == state {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{last} is not {state}");
}

/// Books, prints, and tells the bytes of the label.
async fn printed(server: &Server, demo: &Value, reference: &str) -> Vec<u8> {
    let (label, job) = book_and_print(server, demo, reference).await;
    until(server, demo, &job, "printed").await;
    let url = label["url"].as_str().unwrap().strip_prefix(&server.base_url).unwrap();
    server.get(url, demo["token"].as_str().unwrap()).await.expect(200).bytes.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_prints_into_a_folder_also_after_a_restart() {
    let folder = Folder::new("virtual");
    // No printer on any network may be called; this one is inside the server.
    let arguments = ["--demo", "--printer-networks", "none"];
    let mut server = Server::start(&folder.0, &arguments);
    let first = demo(&folder.0);
    let one = printed(&server, &first, "one").await;
    assert_eq!(papers(&folder.0), std::slice::from_ref(&one));
    let mode = std::fs::metadata(folder.0.join("printed")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "papers can be read by their owner alone");
    assert!(server.stop());
    let mut server = Server::start(&folder.0, &arguments);
    let second = demo(&folder.0);
    assert_eq!(first["printer_uuid"], second["printer_uuid"]);
    let two = printed(&server, &second, "two").await;
    assert_eq!(papers(&folder.0), [one, two]);
    assert!(server.stop());
    assert!(run(&folder.0, &["check"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_virtual_printer_is_offline_on_a_server_that_is_no_demo() {
    let folder = Folder::new("no-virtual");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = demo(&folder.0);
    assert!(server.stop());
    let mut server = Server::start(&folder.0, &[]);
    let (_, job) = book_and_print(&server, &demo, "one").await;
    let (team, printer) = (demo["team_uuid"].as_str(), demo["printer_uuid"].as_str());
    let path = format!("/beta/teams/{}/printers/{}", team.unwrap(), printer.unwrap());
    until(&server, &demo, &path, "offline").await;
    until(&server, &demo, &job, "pending").await;
    assert!(server.stop());
    let server = Server::start(&folder.0, &["--demo"]);
    until(&server, &demo, &job, "printed").await;
}
