//! What every request and every job can reach: the store, the clock, the ids, the keys.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use uuid::Uuid;
use waybill_carriers::{Carriers, catalog};
use waybill_domain::catalog::Catalog;
use waybill_domain::ids::{IdSource, TeamId};
use waybill_domain::page::Sealer;
use waybill_domain::quota::Quotas;
use waybill_domain::time::{Clock, Time};
use waybill_outbound::Outbound;
use waybill_paper::Renderer;
use waybill_store::jobs::Claimed;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Store, Tx, jobs};

use crate::breaker::Breakers;
use crate::files::{Files, Signer};
use crate::handoff::{HandedJob, JobHandoff};
use crate::keys::Keys;
use crate::pauses::Pauses;
use crate::points::Points;
use crate::turns::Turns;
use crate::vault::Vault;
use crate::wake::Wake;

/// The kind of job that books a shipment.
pub const BOOK: &str = "book";
/// The kind of job that books a member of a batch. It has seats of its own, so that no single
/// booking waits behind a batch.
pub const BOOK_MEMBER: &str = "book-member";
/// The kind of job that begins a batch.
pub const BATCH: &str = "batch";
/// The kind of job that makes a report.
pub const REPORT: &str = "report";
/// The kind of job that asks again about a cancellation.
pub const CANCEL: &str = "cancel";
/// The kind of job that sends a webhook what waits for it.
pub const DELIVER: &str = "deliver";
/// The kind of job that asks a carrier about the parcels of an account.
pub const TRACK: &str = "track";

/// The kind of job that looks for broken invariants. Some worker sees to it once a minute.
pub const CHECK: &str = "check";
/// Bookings that wait this long, while that job is late by as much, have no worker.
const FORSAKEN: Duration = Duration::from_mins(2);

/// The kind of job that books this shipment.
pub fn booking_job(shipment: &Shipment) -> &'static str {
    if shipment.batch.is_some() { BOOK_MEMBER } else { BOOK }
}

/// How long a worker may be silent before its jobs are taken over: 30 seconds. Crash runs shorten
/// it, in milliseconds, with `WAYBILL_LEASE_MS`.
pub fn lease() -> Duration {
    static LEASE: OnceLock<Duration> = OnceLock::new();
    *LEASE.get_or_init(|| {
        let given = std::env::var("WAYBILL_LEASE_MS").ok().and_then(|text| text.parse().ok());
        Duration::from_millis(given.unwrap_or(30_000))
    })
}

/// How long after the intent the first byte may leave: well before the lease ends.
pub fn send_budget() -> Duration {
    lease() / 15
}

/// The running service. Cheap to clone.
pub type App = Arc<AppState>;

/// The parts of the running service.
pub struct AppState {
    /// What we remember.
    pub store: Store,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where ids and randomness come from.
    pub ids: Arc<dyn IdSource>,
    /// Seals the cursors of lists.
    pub sealer: Sealer,
    /// The address that callers know us by, without a slash at the end.
    pub base_url: String,
    /// Wakes the runner when work was scheduled.
    pub work_arrived: Notify,
    /// Tells those who wait for a booking that it moved.
    pub wake: Wake,
    /// Hands a job that was just made to the runner of this process.
    pub handoff: JobHandoff,
    /// Seals credentials.
    pub vault: Vault,
    /// Signs download URLs.
    pub signer: Signer,
    /// Where the bytes of documents are kept.
    pub files: Files,
    /// The way to addresses that others gave us.
    pub outbound: Outbound,
    /// The carriers that we can speak to.
    pub carriers: Carriers,
    /// What they offer.
    pub catalog: Catalog,
    /// Draws labels and papers.
    pub renderer: Renderer,
    /// Where service points are.
    pub points: Points,
    /// How many batches of a team have a member in hand at once.
    pub batches_at_once: i64,
    /// How much a team may have.
    pub quotas: Quotas,
    /// The webhooks whose receivers are left alone for a while.
    pub pauses: Arc<Pauses>,
    /// Whose turn it is to have many papers drawn.
    pub drawing: Arc<Turns>,
    /// Whose turn it is to have a few papers drawn: every thread that draws takes memory.
    pub drawing_small: Arc<Turns>,
    /// Which carriers are left alone for a while.
    pub breakers: Arc<Breakers>,
    is_stopping: AtomicBool,
}

impl AppState {
    /// Adds a job that is due now: leased to the runner of this process where there is one, to be
    /// [`AppState::hand`]ed over after the commit, else for whoever comes.
    pub fn start_job(
        &self,
        tx: &mut Tx<'_>,
        kind: &str,
        subject: Uuid,
        team: TeamId,
        now: Time,
    ) -> Result<Option<Claimed>, Error> {
        let now = tx.now(now)?;
        match self.handoff.is_open() {
            true => jobs::claim_one(tx, kind, subject, Some(team), now, lease()),
            false => jobs::schedule(tx, kind, subject, Some(team), now).map(|()| None),
        }
    }

    /// Whether bookings wait and no worker is there, in this process or in another one.
    pub async fn is_forsaken(&self) -> Result<bool, Error> {
        let now = self.clock.now();
        let look = move |tx: &mut Tx<'_>| {
            let before = tx.now(now)?.minus(FORSAKEN);
            jobs::any_is_forsaken(tx, CHECK, before)
        };
        self.store.read(look).await
    }

    /// From here on nothing that could go on forever does.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
    }

    /// Whether the server is about to stop.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    /// Hands a leased job to the runner beside us, or wakes it to look for what is due.
    pub fn hand(&self, handed: Option<HandedJob>) {
        match handed {
            Some(handed) => self.handoff.hand(handed),
            None => self.work_arrived.notify_one(),
        }
    }
}

/// What an `App` is made of.
pub struct AppBuilder {
    /// An open store.
    pub store: Store,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where ids and randomness come from.
    pub ids: Arc<dyn IdSource>,
    /// The keys derived from the secret key file.
    pub keys: Keys,
    /// Where the bytes of documents are kept.
    pub files: Files,
    /// The address that callers know us by.
    pub base_url: String,
    /// Where the sandbox carrier listens.
    pub sandbox_url: String,
    /// The way to addresses that others gave us.
    pub outbound: Outbound,
    /// How many batches of a team have a member in hand at once.
    pub batches_at_once: u32,
    /// How much a team may have.
    pub quotas: Quotas,
}

impl AppBuilder {
    /// Puts the parts together.
    pub fn build(self) -> Result<App, String> {
        Ok(Arc::new(AppState {
            wake: Wake::default(),
            handoff: JobHandoff::default(),
            vault: Vault::new(&self.keys),
            signer: Signer::new(&self.keys),
            files: self.files,
            carriers: Carriers::new(self.outbound.network(), &self.sandbox_url)?,
            catalog: catalog::load()?,
            renderer: Renderer::new(),
            points: Points::default(),
            outbound: self.outbound,
            batches_at_once: self.batches_at_once.into(),
            quotas: self.quotas,
            pauses: Arc::default(),
            drawing: Turns::new(2, 1),
            drawing_small: Turns::new(2 * processors(), processors()),
            breakers: Arc::default(),
            is_stopping: AtomicBool::new(false),
            store: self.store,
            clock: self.clock,
            ids: self.ids,
            sealer: self.keys.sealer(),
            base_url: self.base_url.trim_end_matches('/').to_owned(),
            work_arrived: Notify::new(),
        }))
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
