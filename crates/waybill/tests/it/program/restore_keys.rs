//! `waybill backup` and `waybill restore`, and the secret keys, which are not in a copy.

use super::backups::{opened, succeed};
use super::{Folder, Server, complaint, run};

#[tokio::test]
async fn a_copy_that_was_sealed_with_another_key_is_told_before_anything_is_replaced() {
    let (folder, mut server, demo) = opened("restore-key");
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B").await;
    assert!(server.stop());
    let elsewhere = Folder::new("restore-key-other");
    assert!(Server::start(&elsewhere.0, &[]).stop());
    std::fs::copy(elsewhere.0.join("waybill.key"), folder.0.join("other.key")).unwrap();
    let before = std::fs::read(folder.0.join("waybill.db")).unwrap();
    for (key, words) in [
        ("other.key", "copy.db was made with another secret key than those in other.key"),
        ("none.key", "there is no secret key file none.key, and copy.db was made with one"),
    ] {
        let line = ["restore", "copy.db", "--secret-key-file", key];
        let said = complaint(&run(&folder.0, &line));
        assert!(said.contains(words), "{said}");
        assert!(said.contains("--secret-key-file"), "{said}");
        assert!(!folder.0.join("none.key").exists());
        assert!(std::fs::read(folder.0.join("waybill.db")).unwrap() == before);
    }
    let kept =
        |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().contains(".replaced-");
    assert!(!std::fs::read_dir(&folder.0).unwrap().flatten().any(|entry| kept(&entry)));
    succeed(&folder.0, &["restore", "copy.db"]);
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!((demo.count(&server, "A").await, demo.count(&server, "B").await), (1, 0));
}

#[test]
fn a_copy_that_knows_no_key_is_restored_without_one() {
    let folder = Folder::new("restore-no-key");
    succeed(&folder.0, &["team", "create", "--name", "Shop", "--domain", "shop.example.com"]);
    succeed(&folder.0, &["backup", "copy.db"]);
    assert!(!folder.0.join("waybill.key").exists());
    succeed(&folder.0, &["restore", "copy.db"]);
    assert!(Server::start(&folder.0, &[]).stop());
}

#[test]
fn a_backup_tells_which_file_has_the_keys_that_it_lacks() {
    let folder = Folder::new("backup-key");
    assert!(Server::start(&folder.0, &[]).stop());
    let told = |line: &[&str]| {
        let output = run(&folder.0, line);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = told(&["backup", "one.db"]);
    assert!(said.contains("Not in it: the secret keys (waybill.key). Keep a copy"), "{said}");
    let elsewhere = Folder::new("backup-key-other");
    assert!(Server::start(&elsewhere.0, &[]).stop());
    std::fs::copy(elsewhere.0.join("waybill.key"), folder.0.join("other.key")).unwrap();
    for (copy, key) in [("two.db", "other.key"), ("three.db", "none.key")] {
        let said = told(&["backup", copy, "--secret-key-file", key]);
        assert!(said.contains(&format!("They are not in {key}: ")), "{said}");
    }
    std::fs::write(folder.0.join("broken.key"), "no key").unwrap();
    let said = told(&["backup", "four.db", "--secret-key-file", "broken.key"]);
    assert!(said.contains("(broken.key, or the file that the server was given)"), "{said}");
}

#[test]
fn a_linked_key_file_is_made_and_rotated_where_the_link_leads() {
    let folder = Folder::new("linked-key");
    std::fs::create_dir(folder.0.join("etc")).unwrap();
    std::os::unix::fs::symlink("etc/waybill.key", folder.0.join("waybill.key")).unwrap();
    assert!(Server::start(&folder.0, &[]).stop());
    let made = std::fs::read_to_string(folder.0.join("etc/waybill.key")).unwrap();
    succeed(&folder.0, &["key", "rotate"]);
    assert!(folder.0.join("waybill.key").is_symlink());
    let rotated = std::fs::read_to_string(folder.0.join("etc/waybill.key")).unwrap();
    assert!(rotated.len() > made.len() && rotated.ends_with(&made), "{rotated}");
    assert!(Server::start(&folder.0, &[]).stop());
}

#[test]
fn a_folder_is_not_a_copy_and_a_link_is_not_a_draft() {
    let folder = Folder::new("odd-copies");
    assert!(Server::start(&folder.0, &[]).stop());
    std::fs::create_dir(folder.0.join("copies")).unwrap();
    let said = complaint(&run(&folder.0, &["restore", "copies"]));
    assert!(said.contains("copies: this is a folder, and a file is needed"), "{said}");
    std::os::unix::fs::symlink("elsewhere", folder.0.join("copy.db.partial")).unwrap();
    let said = complaint(&run(&folder.0, &["backup", "copy.db"]));
    assert!(said.contains("copy.db.partial is there already"), "{said}");
}
