//! `waybill key`: looks at the ring of secret keys, turns it, and seals with its first key what
//! older ones sealed. `docs/operations.md` tells in which order.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::{KeyFileError, KeyId, Keys, Turn};
use waybill_engine::vault::{Renewed, Vault};
use waybill_store::sealed::{self, Sealed, SealedKind};
use waybill_store::{Error, Store, Tx, meta};

use super::error::CliError;
use super::{Outcome, config, open_existing, settings};

/// Why the secret keys that are there cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] KeyFileError),
    /// A database was made with keys, and there are none.
    #[error(
        "there is no secret key file {}, and this database was made with one: put it back, or \
         give it with --secret-key-file",
        .0.display()
    )]
    Missing(PathBuf),
    /// A database was made with other keys.
    #[error("this database was made with another secret key file: give it with --secret-key-file")]
    OfAnother,
    /// What is sealed with a key that no server has yet cannot be opened by those that run.
    #[error(
        "no server was started with the key {0} yet, and one that runs with the old file could \
         not open what is sealed with it: give the file to all servers, restart them, and rewrap \
         then"
    )]
    NotStarted(KeyId),
    /// What is in a database is not to be sealed with keys that do not open it.
    #[error("this database was made with another secret key file")]
    CannotRewrap,
    /// Some of what is in a database was sealed with keys that are gone.
    #[error("{count} values cannot be opened with these keys, such as {first}")]
    Locked {
        /// How many.
        count: usize,
        /// The row of the first.
        first: String,
    },
    /// A copy was made with keys, and there are none.
    #[error(
        "there is no secret key file {}, and {} was made with one: put its own in place, or give \
         it with --secret-key-file",
        file.display(),
        copy.display()
    )]
    MissingForCopy {
        /// Where the keys are looked for.
        file: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
    /// A copy was made with other keys.
    #[error(
        "{} was made with another secret key than those in {}: put its own in place, or give it \
         with --secret-key-file",
        copy.display(),
        file.display()
    )]
    NotOfCopy {
        /// Where the keys are.
        file: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
}

/// Values sealed anew in one transaction.
const CHUNK: i64 = 100;

/// `waybill key`.
pub fn command() -> Command {
    let verb = |name: &'static str, about: &'static str| {
        let wanted = |name: &str| matches!(name, "secret-key-file" | "database" | "config");
        Command::new(name).about(about).args(settings(wanted))
    };
    let prepare = Arg::new("prepare").long("prepare").action(ArgAction::SetTrue);
    let prepare = prepare.help("Adds the new key without using it yet: the next rotation does");
    Command::new("key")
        .about("Replaces the secret key while the server's data stays readable")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(verb("list", "Names the keys of the file, the one that signs first"))
        .subcommand(verb("rotate", "Puts a new key first; the others still open").arg(prepare))
        .subcommand(verb("rewrap", "Seals what is in the database with the first key"))
}

/// Runs `waybill key …`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let Some((verb, matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    let config = config(matches)?;
    let path = &config.secret_key_file;
    let ids = SystemIds::new(Arc::new(SystemClock::start()) as Arc<dyn Clock>);
    match verb {
        "list" => {
            let keys = Keys::load(path).map_err(KeyError::File)?;
            for (index, id) in keys.ids().iter().enumerate() {
                println!("{id}  {}", if index == 0 { "signs and seals" } else { "opens" });
            }
        }
        "rotate" if matches.get_flag("prepare") => {
            let id = Keys::rotate(path, Turn::Prepare, &ids).map_err(KeyError::File)?;
            println!("{id} is prepared: give the file to all servers and restart them");
        }
        "rotate" => {
            let id = Keys::rotate(path, Turn::Rotate, &ids).map_err(KeyError::File)?;
            println!("{id} is the first key: give the file to all servers and restart them");
        }
        _ => {
            let keys = Keys::load(path).map_err(KeyError::File)?;
            let store = open_existing(&config)?;
            let count = rewrap(&store, &keys, &ids)?;
            let values = if count == 1 { "value" } else { "values" };
            println!("{count} {values} sealed anew with {}", keys.ids()[0]);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Seals everything with the first key, and notes that the database needs no other.
fn rewrap(store: &Store, keys: &Keys, ids: &SystemIds) -> Result<usize, CliError> {
    let vault = Vault::new(keys);
    let known = store.blocking_read(|tx| meta::find(tx, meta::SECRET_KEY));
    if known?.is_some_and(|known| !keys.knows(&known)) {
        return Err(KeyError::CannotRewrap.into());
    }
    let started = store.blocking_read(|tx| meta::find(tx, meta::SERVER_KEY))?;
    if started.is_some_and(|started| started != keys.fingerprint()) {
        return Err(KeyError::NotStarted(keys.ids()[0]).into());
    }
    let (mut count, mut locked) = (0, Vec::new());
    for kind in SealedKind::ALL {
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let page = move |tx: &mut Tx<'_>| sealed::any_list(tx, kind, after, CHUNK);
            let page = store.blocking_read(page)?;
            let Some(last) = page.last() else { break };
            after = (last.team, last.id);
            count += renew(store, kind, page, &vault, ids, &mut locked)?;
        }
    }
    if let Some(first) = locked.first() {
        return Err(KeyError::Locked { count: locked.len(), first: first.clone() }.into());
    }
    let fingerprint = keys.fingerprint();
    store.blocking_write(move |tx| meta::set(tx, meta::SECRET_KEY, &fingerprint))?;
    Ok(count)
}

/// Seals one page anew. What somebody changes meanwhile was sealed with the first key by then.
fn renew(
    store: &Store,
    kind: SealedKind,
    page: Vec<Sealed>,
    vault: &Vault,
    ids: &dyn IdSource,
    locked: &mut Vec<String>,
) -> Result<usize, Error> {
    let mut renewed = Vec::new();
    for old in page {
        match vault.renew(old.id, &old.value, ids) {
            Renewed::Already => {}
            Renewed::Sealed(new) => renewed.push((old, new)),
            Renewed::Locked => locked.push(old.id.to_string()),
        }
    }
    let write = move |tx: &mut Tx<'_>| {
        let mut count = 0;
        for (old, new) in &renewed {
            count += usize::from(sealed::any_replace(tx, kind, old, new)?);
        }
        Ok::<_, Error>(count)
    };
    store.blocking_write(write)
}
