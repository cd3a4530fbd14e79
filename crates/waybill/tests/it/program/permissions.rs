//! What this user may not do is said, and harms nothing.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use waybill_store::testing::{Database, fresh, unique_name};

use super::{Folder, complaint, waybill};

/// Some user who is not the superuser.
const SOMEBODY: u32 = 65534;

/// Runs the program as somebody whom permissions bind, who owns the folder.
fn run_bound(folder: &Path, arguments: &[&str]) -> Output {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return waybill(folder, arguments).output().unwrap();
    }
    std::os::unix::fs::chown(folder, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
    let id = SOMEBODY.to_string();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    command.arg(env!("CARGO_BIN_EXE_waybill")).args(arguments).current_dir(folder);
    command.output().unwrap()
}

fn succeed(folder: &Path, arguments: &[&str]) {
    let output = run_bound(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

const TEAM: [&str; 6] = ["team", "create", "--name", "Shop", "--domain", "shop.example.com"];

#[test]
fn a_database_that_cannot_be_written_is_told_of_and_can_be_used_once_it_can() {
    let folder = Folder::new("unwritable-file");
    succeed(&folder.0, &TEAM);
    let database = folder.0.join("waybill.db");
    set_mode(&database, 0o444);
    for command in [&["check"][..], &["team", "list"], &["backup", "copy.db"]] {
        let output = run_bound(&folder.0, command);
        if command[0] != "backup" {
            let said = complaint(&output);
            assert!(said.contains("waybill.db: the database cannot be written by us"), "{said}");
        }
        for suffix in ["-wal", "-shm"] {
            let left = folder.0.join(format!("waybill.db{suffix}"));
            assert!(!left.exists(), "{command:?} leaves {}", left.display());
        }
    }
    set_mode(&database, 0o600);
    succeed(&folder.0, &["check"]);
    succeed(&folder.0, &["check", "--database", "sqlite:copy.db"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named_as_the_reason() {
    let folder = Folder::new("unwritable-folder");
    succeed(&folder.0, &TEAM);
    set_mode(&folder.0, 0o555);
    let said = complaint(&run_bound(&folder.0, &["team", "list"]));
    set_mode(&folder.0, 0o755);
    let words = "the database or its folder cannot be written by us";
    assert!(said.contains(words), "{said}");
    succeed(&folder.0, &["team", "list"]);
}

/// Runs a script in which `$WAYBILL` is the program, with a mount of `kept` that can only be read.
fn run_with_read_only_mount(folder: &Path, script: &str) -> Output {
    let mount = "mount --bind kept kept && mount -o remount,bind,ro kept";
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let user: &[&str] = if is_root { &[] } else { &["--map-root-user"] };
    let mut command = Command::new("unshare");
    command.args(user).args(["--mount", "sh", "-c", &format!("{mount} && {script}")]);
    command.env("WAYBILL", env!("CARGO_BIN_EXE_waybill")).current_dir(folder).output().unwrap()
}

#[test]
fn a_backup_to_a_place_that_cannot_be_written_names_it_and_says_what_to_do() {
    let folder = Folder::new("unwritable-copy");
    succeed(&folder.0, &TEAM);
    let kept = folder.0.join("kept");
    std::fs::create_dir(&kept).unwrap();
    let mounted = run_with_read_only_mount(&folder.0, "$WAYBILL backup kept/copy.db");
    set_mode(&kept, 0o555);
    let bound = run_bound(&folder.0, &["backup", "kept/copy.db"]);
    let missing = run_bound(&folder.0, &["backup", "nowhere/copy.db"]);
    for (output, why) in [
        (mounted, "the folder kept is on a file system that can only be read"),
        (bound, "the folder kept cannot be written by us"),
        (missing, "there is no folder nowhere"),
    ] {
        let said = complaint(&output);
        assert_eq!(said, format!("waybill: {why}: choose another place for the copy"));
    }
}

#[test]
fn a_restore_reads_a_copy_from_a_mount_that_cannot_be_written() {
    let folder = Folder::new("read-only-copy");
    let kept = folder.0.join("kept");
    std::fs::create_dir(&kept).unwrap();
    succeed(&folder.0, &TEAM);
    succeed(&folder.0, &["backup", "copy.db"]);
    std::fs::rename(folder.0.join("copy.db"), kept.join("copy.db")).unwrap();
    let output = run_with_read_only_mount(&folder.0, "$WAYBILL restore kept/copy.db");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1);
}

#[test]
fn a_restore_by_the_superuser_keeps_the_owner_of_the_database() {
    let folder = Folder::new("restored-owner");
    succeed(&folder.0, &TEAM);
    succeed(&folder.0, &["backup", "copy.db"]);
    let database = folder.0.join("waybill.db");
    let owner = || (database.metadata().unwrap().uid(), database.metadata().unwrap().gid());
    let before = owner();
    // By whoever runs the tests: where that is the superuser, the database is somebody else's.
    let output = waybill(&folder.0, &["restore", "copy.db"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(owner(), before);
    succeed(&folder.0, &["team", "list"]);
}

/// Runs statements as the superuser.
fn administer(url: &str, statements: &str) {
    let mut psql = Command::new("psql");
    let done = psql.args(["-q", "-v", "ON_ERROR_STOP=1", "-c", statements, url]).status().unwrap();
    assert!(done.success(), "{statements}");
}

#[test]
fn what_a_user_of_postgresql_lacks_is_told_with_who_can_grant_it() {
    let (folder, scratch) = (Folder::new("denied"), fresh(Database::Postgres));
    let user = unique_name("somebody");
    administer(&scratch.url, &format!("CREATE ROLE {user} LOGIN PASSWORD 'pass'"));
    let (_, place) = scratch.url.split_once("://").unwrap();
    let place = place.split_once('@').map_or(place, |(_, place)| place);
    let url = format!("postgres://{user}:pass@{place}");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let list = ["team", "list", "--database", &url];
    for (grant, denied, advice) in [
        ("SELECT 1", "schema public", "GRANT USAGE, CREATE ON SCHEMA public"),
        (
            "GRANT CREATE ON SCHEMA public",
            "table schema_migration",
            "GRANT ALL ON schema_migration",
        ),
        ("GRANT ALL ON schema_migration", "table ", "GRANT ALL ON "),
    ] {
        let to = if grant.starts_with("GRANT") { format!(" TO {user}") } else { String::new() };
        administer(&scratch.url, &format!("{grant}{to}"));
        for command in [&serve[..], &list] {
            let said = complaint(&super::run(&folder.0, command));
            assert!(said.contains(&format!("permission denied for {denied}")), "{said}");
            let advice = format!(": the owner or a superuser must say {advice}");
            assert!(said.contains(&advice) && said.ends_with(&format!(" TO {user}")), "{said}");
            assert!(!said.contains("broken") && !said.contains("pass@"), "{said}");
        }
    }
    let drop = format!("DROP OWNED BY {user}; DROP ROLE {user}");
    administer(&scratch.url, &drop);
    assert!(!folder.0.join("waybill.key").exists());
}
