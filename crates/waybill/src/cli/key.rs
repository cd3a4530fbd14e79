//! `waybill key`: looks at the ring of secret keys, turns it, and seals with its first key what
//! older ones sealed. `docs/operations.md` tells in which order.

mod error;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::{Keys, Turn};
use waybill_engine::vault::{Renewed, Vault};
use waybill_store::sealed::{self, Sealed, SealedKind};
use waybill_store::{Error, Store, Tx, meta};

use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::settings::{config, settings};
pub use error::KeyError;

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
