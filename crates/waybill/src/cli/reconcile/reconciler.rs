//! Asks every carrier, compares what it has with what is known here, and notes what is not booked.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{CarrierBooking, CarrierError, Carriers, ListBookings};
use waybill_domain::ids::{EventId, IdSource, ShipmentId, TeamId};
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_engine::not_booked;
use waybill_engine::vault::{AccountError, Vault};
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::carrier_calls::{self, KnownShipment};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Store, Tx, meta};

use super::Wanted;
use super::difference::find_difference;
use super::report::{Finding, Report, Unasked, Unclaimed};
use crate::cli::error::CliError;
use crate::cli::key::KeyError;
use crate::cli::network::network;
use crate::cli::sandbox;
use crate::config::{Config, beside};

/// What it takes to ask every carrier.
pub struct Reconciler {
    store: Store,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    vault: Vault,
    carriers: Arc<Carriers>,
    /// Why a sandbox carrier that ran inside a server cannot be asked: a new one knows nothing.
    sandbox_lost: Option<String>,
}

impl Reconciler {
    pub async fn open(config: &Config, store: Store) -> Result<Reconciler, CliError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
        let keys = Keys::load(&config.secret_key_file).map_err(KeyError::File)?;
        let known = store.read(|tx| meta::find(tx, meta::SECRET_KEY)).await?;
        if known.is_some_and(|known| !keys.knows(&known)) {
            return Err(KeyError::OfAnother.into());
        }
        let vault = Vault::new(&keys);
        let mut carrier_urls = config.carrier_urls.clone();
        if carrier_urls.get(sandbox::CODE).is_none() {
            let journal = journal(config, &store).filter(|journal| journal.exists());
            if journal.as_deref().is_some_and(is_written) {
                return Err(CliError::SandboxInside);
            }
            let url = sandbox::embed(journal, clock.clone(), ids.clone()).await?;
            carrier_urls.add_default(sandbox::CODE, &url);
        }
        let carriers = Arc::new(Carriers::open(CARRIERS, &network()?, &carrier_urls)?);
        let sandbox_lost = sandbox_lost(config, &store);
        Ok(Reconciler { store, clock, ids, vault, carriers, sandbox_lost })
    }

    pub fn undecided(&self) -> Result<Vec<(TeamId, Shipment)>, Error> {
        let (carriers, now) = (self.carriers.clone(), self.clock.now());
        self.store.blocking_read(move |tx| not_booked::any_list_undecided(tx, &carriers, now))
    }

    pub async fn ask_all(&self, since: Time) -> Result<Report, Error> {
        let accounts = self.store.read(carrier_accounts::any_list).await?;
        let mut report = Report::default();
        for row in accounts {
            let name = format!("{} account {}", row.carrier_code, row.id);
            let mut skip = |why: String, is_mute| {
                let (account, name) = (row.id, name.clone());
                report.unasked.push(Unasked { account, name, why, is_mute });
            };
            let is_sandbox = row.carrier_code == sandbox::CODE;
            if let Some(why) = self.sandbox_lost.as_ref().filter(|_| is_sandbox) {
                skip(why.clone(), true);
                continue;
            }
            let carrier = self.carriers.get(&row.carrier_code);
            let Some(list) = carrier.as_deref().and_then(|carrier| carrier.list_bookings()) else {
                skip("this carrier does not list bookings".to_owned(), true);
                continue;
            };
            match ask(list, &self.vault, &row, since).await {
                Ok(bookings) => {
                    compare(&mut report, &self.store, &row.carrier_code, bookings).await?;
                    report.asked.push((row.id, name));
                }
                Err(error) => skip(error.to_string(), false),
            }
        }
        Ok(report)
    }

    /// Notes what is wanted and what nothing speaks against. Tells what was named and refused.
    pub fn note_all(&self, wanted: &Wanted, report: &mut Report) -> Result<Vec<String>, Error> {
        let strangers = wanted.strangers.iter();
        let mut refused: Vec<String> = strangers
            .map(|name| match ShipmentId::parse(name) {
                Some(id) => {
                    format!("{id} is not undecided: `waybill why {id}` tells what is known of it")
                }
                None => {
                    format!(
                        "--not-booked {name}: write the UUID of an undecided shipment, or \"all\""
                    )
                }
            })
            .collect();
        for (team, shipment) in &wanted.shipments {
            let (key, id) = ((*team, shipment.id), shipment.id);
            let why = match report.obstacle(shipment, wanted.is_named) {
                None if self.note(key)? => {
                    report.noted.push(shipment.clone());
                    continue;
                }
                None => "the carrier's list may not have it yet; ask again in a minute".to_owned(),
                Some(why) => why,
            };
            match wanted.is_named {
                true => refused.push(format!("shipment {id}: {why}")),
                false => report.kept.push((id, why)),
            }
        }
        Ok(refused)
    }

    fn note(&self, key: (TeamId, ShipmentId)) -> Result<bool, Error> {
        let (carriers, now) = (self.carriers.clone(), self.clock.now());
        let event = EventId(self.ids.uuid());
        self.store.blocking_write(move |tx| not_booked::note(tx, &carriers, key, event, now))
    }
}

/// The journal of a sandbox carrier that runs inside the server.
fn journal(config: &Config, store: &Store) -> Option<PathBuf> {
    (!store.is_shared()).then(|| beside(&config.database, sandbox::JOURNAL))
}

/// Why the sandbox carrier inside the server cannot be asked what it has.
fn sandbox_lost(config: &Config, store: &Store) -> Option<String> {
    if config.carrier_urls.get(sandbox::CODE).is_some() {
        return None;
    }
    match journal(config, store) {
        None => Some(
            "it ran inside a server and kept nothing; where it runs on its own, give \
             --sandbox-carrier-url"
                .to_owned(),
        ),
        Some(journal) => (!journal.exists()).then(|| {
            format!("{}, where it keeps its bookings, is not there: put it back", journal.display())
        }),
    }
}

/// Whether a running server writes this journal.
fn is_written(journal: &Path) -> bool {
    let locked = File::open(journal).map(|file| file.try_lock_shared());
    matches!(locked, Ok(Err(TryLockError::WouldBlock)))
}

/// Why an account was not asked about.
#[derive(Debug, thiserror::Error)]
enum AskError {
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Carrier(#[from] CarrierError),
}

async fn ask(
    list: &dyn ListBookings,
    vault: &Vault,
    row: &Account,
    since: Time,
) -> Result<Vec<CarrierBooking>, AskError> {
    Ok(list.list_bookings(&vault.account(row)?, since).await?)
}

/// The shipment whose call the carrier knows the booking by, and the shipment that it is taken for:
/// a restored database may have forgotten the call, and still have the shipment.
fn find_shipment(
    tx: &mut Tx<'_>,
    carrier_code: &str,
    booking: &CarrierBooking,
) -> Result<(Option<KnownShipment>, Option<KnownShipment>), Error> {
    let called = carrier_calls::any_find_shipment(tx, &booking.reference)?;
    let taken_for = match (&called, &booking.customer_reference) {
        (None, Some(reference)) => carrier_calls::any_find_unaccepted(tx, carrier_code, reference)?,
        (called, _) => (*called).clone(),
    };
    Ok((called, taken_for))
}

/// Compares what a carrier lists with what is known here.
async fn compare(
    report: &mut Report,
    store: &Store,
    carrier_code: &str,
    bookings: Vec<CarrierBooking>,
) -> Result<(), Error> {
    for booking in bookings {
        let (wanted, code) = (booking.clone(), carrier_code.to_owned());
        let found = store.read(move |tx| find_shipment(tx, &code, &wanted)).await;
        let (called, known) = found?;
        let carrier_code = carrier_code.to_owned();
        let is_claimed = called.as_ref().is_some_and(|called| called.is_accepted);
        if !booking.is_cancelled && !is_claimed {
            let (carrier_code, shipment) = (carrier_code.clone(), called.map(|called| called.id));
            let booking = booking.clone();
            report.unclaimed.push(Unclaimed { carrier_code, shipment, booking });
        }
        let Some(difference) = find_difference(known.as_ref(), booking.is_cancelled) else {
            continue;
        };
        let key = (booking.booked_at, carrier_code.clone(), booking.reference.clone());
        let shipment = known.map(|known| known.id);
        report.findings.insert(key, Finding { carrier_code, difference, shipment, booking });
    }
    Ok(())
}
