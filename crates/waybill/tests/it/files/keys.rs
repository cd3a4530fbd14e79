//! Changing the secret key, and looking after files, as an operator does: with the program.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::fixture::order;
use crate::program::{Folder, Server, complaint, run};

fn demo(folder: &Folder) -> (String, String) {
    let demo = std::fs::read_to_string(folder.0.join("demo.json")).unwrap();
    let demo: Value = serde_json::from_str(&demo).unwrap();
    let text = |name: &str| demo[name].as_str().unwrap().to_owned();
    (format!("/v2/teams/{}", text("team_uuid")), text("token"))
}

fn said(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(&folder.0, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The path of the first document's URL, whatever port the server had.
fn file_of(booked: &Value) -> String {
    let url = booked["data"]["documents"][0]["url"].as_str().unwrap();
    format!("/files/{}", url.split_once("/files/").unwrap().1)
}

fn ring(folder: &Folder) -> Vec<String> {
    let text = std::fs::read_to_string(folder.0.join("waybill.key")).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_keeps_urls_cursors_and_secrets_good_and_ends_without_the_old_key() {
    let folder = Folder::new("rotate");
    let start = || Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let mut server = start();
    let (team, token) = demo(&folder);
    let shipments = format!("{team}/shipments");
    let booked = server.post(&shipments, &token, order("K-1")).await;
    let file = file_of(&booked);
    server.post(&shipments, &token, order("K-2")).await;
    let hook = json!({"url": "http://127.0.0.1:9/hook", "events": ["shipment.booked"]});
    server.post(&format!("{team}/webhooks"), &token, hook).await;
    let page = server.get(&format!("{shipments}?per_page=1"), &token).await.expect(200);
    let next = page.at("/links/next").as_str().unwrap().to_owned();
    let next = next.split_once("/v2/").unwrap().1.to_owned();
    assert!(server.stop());

    let old = ring(&folder);
    assert!(said(&folder, &["key", "rotate", "--prepare"]).contains("is prepared"));
    assert!(complaint(&run(&folder.0, &["key", "rotate", "--prepare"])).contains("already"));
    assert_eq!(ring(&folder)[0], old[0]);
    let turned = said(&folder, &["key", "rotate"]);
    let id = turned.split(' ').next().unwrap().to_owned();
    assert_eq!(mode(&folder.0.join("waybill.key")), 0o600);
    let both = ring(&folder);
    assert!(both.len() == 2 && both[1] == old[0], "both keys, the new one first");
    let listed = said(&folder, &["key", "list"]);
    assert!(listed.starts_with(&format!("{id}  signs")) && listed.lines().count() == 2, "{listed}");

    let early = complaint(&run(&folder.0, &["key", "rewrap"]));
    assert!(early.contains(&format!("no server was started with the key {id} yet")), "{early}");
    let mut server = start();
    assert_eq!(server.head(&file).await.status, 200, "a URL from before");
    assert_eq!(server.get(&format!("/v2/{next}"), &token).await.status, 200, "an old cursor");
    let fresh = server.post(&shipments, &token, order("K-3")).await;
    assert!(file_of(&fresh).contains(&format!("signature={id}.")), "{fresh}");
    assert!(server.stop());

    // Too early: what the old key sealed is still there.
    let path = folder.0.join("waybill.key");
    std::fs::write(&path, format!("{}\n", both[0])).unwrap();
    assert!(complaint(&run(&folder.0, &["serve", "--listen", "127.0.0.1:0"])).contains("another"));
    assert!(complaint(&run(&folder.0, &["key", "rewrap"])).contains("another secret key"));
    std::fs::write(&path, format!("# all of them\n{}\n{}\n", both[0], both[1])).unwrap();
    assert_eq!(said(&folder, &["key", "rewrap"]), format!("2 values sealed anew with {id}\n"));
    assert_eq!(said(&folder, &["key", "rewrap"]), format!("0 values sealed anew with {id}\n"));
    std::fs::write(&path, format!("{}\n", both[0])).unwrap();
    let mut server = start();
    assert_eq!(server.head(&file).await.status, 404, "a key that is gone signs nothing");
    server.post(&shipments, &token, order("K-4")).await;
    assert!(server.stop());
    std::fs::write(&path, format!("{}\n", both[1])).unwrap();
    assert!(complaint(&run(&folder.0, &["serve", "--listen", "127.0.0.1:0"])).contains("another"));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_reads_every_file_when_it_is_asked_to() {
    let folder = Folder::new("bytes");
    let mut server = Server::start(&folder.0, &["--demo", "--files", "file:papers"]);
    let (team, token) = demo(&folder);
    for n in 0..3 {
        server.post(&format!("{team}/shipments"), &token, order(&format!("C-{n}"))).await;
        if n == 0 {
            let told = said(&folder, &["backup", "first.db"]);
            assert!(told.contains("Not in it: 1 file that is kept where --files says"), "{told}");
        }
    }
    assert!(server.stop());
    assert_eq!(mode(&folder.0.join("papers")), 0o700);
    let good = said(&folder, &["check", "--bytes"]);
    assert!(good.contains("compared with their hashes: 3 of 3 unchanged\n0 v"), "{good}");
    let told = said(&folder, &["backup", "copy.db"]);
    assert!(told.contains("Not in it: 3 files that are kept where --files says"), "{told}");
    let objects = objects(&folder.0.join("papers"));
    assert_eq!(objects.len(), 3);
    std::fs::remove_file(&objects[0]).unwrap();
    std::fs::write(&objects[1], "other bytes").unwrap();
    assert!(said(&folder, &["check"]).contains("0 violations"), "only when it is asked to");
    let bad = run(&folder.0, &["check", "--bytes"]);
    let text = String::from_utf8(bad.stdout).unwrap();
    assert!(!bad.status.success() && text.contains("2 violations"), "{text}");
    assert!(text.contains("compared with their hashes: 1 of 3 unchanged\n"), "{text}");
    assert!(text.contains("is not in file:/") && text.contains("has other bytes"), "{text}");
    // What cannot be looked at is not called broken.
    std::fs::rename(folder.0.join("papers"), folder.0.join("away")).unwrap();
    std::fs::write(folder.0.join("papers"), "").unwrap();
    let unknown = run(&folder.0, &["check", "--bytes"]);
    assert!(complaint(&unknown).contains("documents cannot be looked at: "), "{unknown:?}");
    assert!(!String::from_utf8(unknown.stdout).unwrap().contains("broken rule"));
    std::fs::remove_file(folder.0.join("papers")).unwrap();
    std::fs::rename(folder.0.join("away"), folder.0.join("papers")).unwrap();
    let taken = ["serve", "--listen", "127.0.0.1:0", "--database", "sqlite:other.db"];
    let taken = run(&folder.0, &[&taken[..], &["--files", "file:papers"]].concat());
    assert!(complaint(&taken).contains("another database"), "{}", complaint(&taken));
    let nowhere = ["serve", "--listen", "127.0.0.1:0", "--files", "file:/dev/null/papers"];
    assert!(complaint(&run(&folder.0, &nowhere)).contains("--files file:/dev/null/papers"));
}

/// The files under folders of two digits.
fn objects(papers: &Path) -> Vec<std::path::PathBuf> {
    let entries = |path: &Path| {
        let all = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        all.collect::<Vec<_>>()
    };
    let folders = entries(papers).into_iter().filter(|path| path.is_dir());
    let mut objects: Vec<_> = folders.flat_map(|folder| entries(&folder)).collect();
    objects.sort();
    objects
}
