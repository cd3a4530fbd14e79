//! `waybill backup` and `waybill restore`: a copy of a SQLite database beside a running server, and
//! the way back. PostgreSQL has `pg_dump`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::keys::Keys;
use waybill_store::backup::{self, Copied, Restored};
use waybill_store::sqlite_path;

use super::error::{CliError, Outcome};
use super::key::KeyError;
use super::progress::Bar;
use super::settings::{config, settings};

/// `waybill backup`, `waybill restore`.
pub fn commands() -> [Command; 2] {
    let command = |name: &'static str, about: &'static str, file: &'static str| {
        Command::new(name)
            .about(about)
            .arg(Arg::new("file").required(true).value_name("FILE").help(file))
            .args(settings(|name| matches!(name, "database" | "config" | "secret-key-file")))
    };
    [
        command(
            "backup",
            "Writes a verified copy of a SQLite database, beside a running server",
            "The file to write; it must not exist",
        ),
        command(
            "restore",
            "Puts a copy in the place of a SQLite database that nobody uses",
            "A file that `waybill backup` wrote",
        ),
    ]
}

/// Runs `waybill backup`.
pub fn back_up(matches: &ArgMatches) -> Outcome {
    let (file, config) = (file(matches), config(matches)?);
    let Some(database) = sqlite_path(&config.database) else {
        return Err(CliError::BackUpElsewhere);
    };
    let mut bar = Bar::new();
    let copied = backup::back_up(database, &file, &mut |done, all| bar.show(done, all, "copied"));
    bar.clear();
    let copied = copied?;
    println!("{}: {}, verified", file.display(), size(copied.bytes));
    remind(&copied, &config.secret_key_file);
    Ok(ExitCode::SUCCESS)
}

/// Runs `waybill restore`.
pub fn restore(matches: &ArgMatches) -> Outcome {
    let (file, config) = (file(matches), config(matches)?);
    let Some(database) = sqlite_path(&config.database) else {
        return Err(CliError::RestoreElsewhere);
    };
    let now = SystemClock::start().now();
    let mut bar = Bar::new();
    let on_progress = &mut |done, all| bar.show(done, all, "restored");
    let verify_key = |known: &str| Ok(verify_key(&config.secret_key_file, &file, known)?);
    let restored = backup::restore(&file, database, now, &verify_key, on_progress);
    bar.clear();
    let Restored { copied, replaced, logs } = restored?;
    println!("{}: {}, verified", database.display(), size(copied.bytes));
    if let Some(replaced) = replaced {
        println!("The database that was there is kept as {}.", replaced.display());
    }
    for log in logs {
        println!("The write-ahead log that was there is kept as {}.", log.display());
    }
    match copied.outside {
        0 => {}
        1 => println!("1 of its files is kept where --files says: it must be there."),
        many => println!("{many} of its files are kept where --files says: they must be there."),
    }
    println!("Next: `waybill reconcile` asks the carriers for bookings that this copy lacks.");
    Ok(ExitCode::SUCCESS)
}

/// Refuses a copy that a server with these keys would refuse to start with.
fn verify_key(path: &Path, copy: &Path, known: &str) -> Result<(), KeyError> {
    let (file, copy) = (path.to_owned(), copy.to_owned());
    if !path.exists() {
        return Err(KeyError::MissingForCopy { file, copy });
    }
    match Keys::load(path).map_err(KeyError::File)?.knows(known) {
        true => Ok(()),
        false => Err(KeyError::NotOfCopy { file, copy }),
    }
}

/// Says what a copy of the database does not hold.
fn remind(copied: &Copied, key_file: &Path) {
    if let Some(key) = &copied.key {
        println!("Not in it: the secret keys{}", whereabouts(key, key_file));
    }
    match copied.outside {
        0 => {}
        1 => println!("Not in it: 1 file that is kept where --files says."),
        many => println!("Not in it: {many} files that are kept where --files says."),
    }
}

/// Where the secret keys of a database are, as far as we can see.
fn whereabouts(key: &str, file: &Path) -> String {
    let shown = file.display();
    match Keys::find(file) {
        Ok(Some(keys)) if keys.knows(key) => format!(" ({shown}). Keep a copy of them too."),
        Ok(_) => {
            format!(". They are not in {shown}: keep a copy of the file that the server was given.")
        }
        Err(_) => format!(" ({shown}, or the file that the server was given)."),
    }
}

fn file(matches: &ArgMatches) -> PathBuf {
    PathBuf::from(matches.get_one::<String>("file").cloned().unwrap_or_default())
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
