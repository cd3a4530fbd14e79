//! The account that a command uses: a row of the database, or what a file, standard input or the
//! environment has. Credentials are never a part of the command line.

use std::fs::File;
use std::io::{self, Read};

use clap::{Arg, ArgMatches};
use uuid::Uuid;
use waybill_carriers::{Account, IssuedTokens};
use waybill_domain::ids::AccountId;
use waybill_domain::json::{Json, parse};
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_engine::keys::Keys;
use waybill_engine::vault::Vault;
use waybill_store::{carrier_accounts, meta};

use super::error::{CarrierCommandError as Failure, VARIABLE};
use crate::cli::database::open_existing;
use crate::cli::error::CliError;
use crate::cli::key::KeyError;
use crate::cli::settings::check_text;
use crate::config::Config;

const BYTES_MAX: u64 = 64 * 1024;

/// The flag that names the account.
pub fn flag() -> Arg {
    let help = format!(
        "The UUID of an account in the database; or a file with its credentials and options as \
         JSON, \"-\" for standard input [env: {VARIABLE}, which has that JSON itself]"
    );
    Arg::new("account").long("account").value_name("ACCOUNT").help(help)
}

/// The account that was given, when one was.
pub fn given(
    matches: &ArgMatches,
    config: &Config,
    code: &str,
) -> Result<Option<Account>, CliError> {
    let Some(named) = matches.get_one::<String>("account") else {
        check_text(VARIABLE)?;
        let account = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
        return Ok(account.map(|text| read(text.as_bytes(), code)).transpose()?);
    };
    if let Some(id) = AccountId::parse(named) {
        return stored(config, id, code).map(Some);
    }
    let bytes = match named.as_str() {
        "-" => bounded(io::stdin().lock()),
        text if text.trim_start().starts_with('{') => return Err(Failure::OnCommandLine.into()),
        path => File::open(path).and_then(bounded),
    };
    Ok(Some(read(&bytes.map_err(Failure::Unreadable)?, code)?))
}

fn bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads an account as the API takes it. Its name and whether it is active do not matter here.
fn read(bytes: &[u8], code: &str) -> Result<Account, Failure> {
    let is_short = bytes.len() as u64 <= BYTES_MAX;
    let json = parse(bytes).ok().filter(|_| is_short).ok_or(Failure::NotAnAccount)?;
    let Json::Object(members) = &json else { return Err(Failure::NotAnAccount) };
    let known = ["carrier_code", "name", "is_active", "credentials", "options"];
    if members.iter().any(|(name, _)| !known.contains(&name.as_ref())) {
        return Err(Failure::NotAnAccount);
    }
    if json.member("carrier_code").is_some_and(|named| *named != Json::text(code)) {
        return Err(Failure::OfAnother);
    }
    let of = |name| json.member(name).cloned().unwrap_or_else(|| Json::Object(Vec::new()));
    Ok(Account {
        id: AccountId(Uuid::nil()),
        changed_at: Time(0),
        credentials: Secret::new(of("credentials")),
        options: of("options"),
        issued: IssuedTokens::default(),
    })
}

/// The account of the database, opened with its secret keys.
fn stored(config: &Config, id: AccountId, code: &str) -> Result<Account, CliError> {
    let store = open_existing(config)?;
    let found = store.blocking_read(move |tx| carrier_accounts::any_find(tx, id))?;
    let (_, row) = found.ok_or(Failure::Unknown(id))?;
    if row.carrier_code != code {
        return Err(Failure::OfAnother.into());
    }
    let keys = Keys::load(&config.secret_key_file).map_err(KeyError::File)?;
    let known = store.blocking_read(|tx| meta::find(tx, meta::SECRET_KEY))?;
    if known.is_some_and(|known| !keys.knows(&known)) {
        return Err(KeyError::OfAnother.into());
    }
    Ok(Vault::new(&keys).account(&row).map_err(Failure::Account)?)
}
