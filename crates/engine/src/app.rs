//! What every request and every job can reach: the store, the clock, the ids, the keys.

mod secrets;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use uuid::Uuid;
use waybill_carriers::registry::{OpenError, Row};
use waybill_carriers::{CarrierUrls, Carriers};
use waybill_domain::catalog::Catalog;
use waybill_domain::ids::{IdSource, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::page::Sealer;
use waybill_domain::printing::Uri;
use waybill_domain::quota::Quotas;
use waybill_domain::retention::Retention;
use waybill_domain::time::{Clock, Time};
use waybill_outbound::Outbound;
use waybill_paper::Renderer;
use waybill_printing::{PrinterNetworks, Printers};
use waybill_store::jobs::Claimed;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Store, Tx, jobs};

use crate::breaker::Breakers;
use crate::fair_queue::{FairQueue, Turn};
use crate::files::{Files, Signer};
use crate::handoff::{HandedJob, JobHandoff};
use crate::hints::{self, Hints};
use crate::keys::Keys;
pub use crate::lease_times::{lease, send_budget};
use crate::pauses::WebhookPauses;
use crate::pictures::Pictures;
use crate::points::Points;
use crate::vault::Vault;
use crate::wake::{CommittedShipment, Waiter, Wake};
pub use secrets::Secrets;

/// When bookings, and the job that checks every minute, are late by this much, nobody works.
const NO_WORKER_AFTER: Duration = Duration::from_mins(2);

/// The kind of job that books this shipment.
pub fn booking_job(shipment: &Shipment) -> JobKind {
    if shipment.batch.is_some() { JobKind::BookMember } else { JobKind::Book }
}

/// The running service. Cheap to clone.
pub type App = Arc<AppState>;

/// The state of the running service. What belongs together is reached through one method.
pub struct AppState {
    store: Store,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    secrets: Secrets,
    signals: Signals,
    files: Files,
    outbound: Outbound,
    printers: Printers,
    carriers: CarrierSet,
    drawing: Drawing,
    points: Points,
    pauses: Arc<WebhookPauses>,
    config: AppConfig,
}

/// How the parts of this process wake each other.
#[derive(Default)]
struct Signals {
    work_arrived: Notify,
    wake: Wake,
    hints: Hints,
    handoff: JobHandoff,
    is_stopping: watch::Sender<bool>,
}

/// The carriers that we can speak to, and which are left alone for a while.
struct CarrierSet {
    adapters: Carriers,
    breakers: Arc<Breakers>,
}

/// Draws labels and papers. Every thread that draws takes memory, so teams take turns.
struct Drawing {
    renderer: Renderer,
    many: Arc<FairQueue>,
    few: Arc<FairQueue>,
    pictures: Pictures,
}

/// What the operator chose.
struct AppConfig {
    /// Without a slash at the end.
    base_url: String,
    batches_at_once: i64,
    quotas: Quotas,
    retention: Retention,
    print_jobs_expire: Duration,
}

impl AppState {
    /// What we remember.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Reads from the store.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.store.read(work).await
    }

    /// Writes to the store.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.store.write(work).await
    }

    /// Writes to the store, in a transaction that others may share ([`Store::write_grouped`]).
    pub async fn write_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.store.write_grouped(work).await
    }

    /// Reads from the store, with a snapshot that others may share ([`Store::read_grouped`]).
    pub async fn read_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.store.read_grouped(work).await
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The time since the start, which never jumps.
    pub fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// Where the time comes from.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// A new id.
    pub fn new_uuid(&self) -> Uuid {
        self.ids.uuid()
    }

    /// Where ids and randomness come from.
    pub fn ids(&self) -> &Arc<dyn IdSource> {
        &self.ids
    }

    /// The address that callers know us by, without a slash at the end.
    pub fn base_url(&self) -> &str {
        &self.config.base_url
    }

    /// How much a team may have.
    pub fn quotas(&self) -> &Quotas {
        &self.config.quotas
    }

    /// For how long things are kept that may go.
    pub fn retention(&self) -> &Retention {
        &self.config.retention
    }

    /// A print job that could not be sent is given up after this time, so that clicks on a printer
    /// that is off do not all come out the next morning.
    pub fn print_jobs_expire(&self) -> Duration {
        self.config.print_jobs_expire
    }

    /// How many batches of a team have a member in hand at once.
    pub fn batches_at_once(&self) -> i64 {
        self.config.batches_at_once
    }

    /// What is derived from the secret key file, and what hashes passwords.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Seals credentials.
    pub fn vault(&self) -> &Vault {
        self.secrets.vault()
    }

    /// Signs download URLs.
    pub fn signer(&self) -> &Signer {
        self.secrets.signer()
    }

    /// Seals the cursors of lists.
    pub fn sealer(&self) -> &Sealer {
        self.secrets.sealer()
    }

    /// Where the bytes of documents are kept.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The way to addresses that others gave us.
    pub fn outbound(&self) -> &Outbound {
        &self.outbound
    }

    /// The way to printers.
    pub fn printers(&self) -> &Printers {
        &self.printers
    }

    /// The carriers that we can speak to.
    pub fn carriers(&self) -> &Carriers {
        &self.carriers.adapters
    }

    /// What the carriers offer.
    pub fn catalog(&self) -> &Catalog {
        self.carriers.adapters.catalog()
    }

    /// The same, before the service runs: a measurement may want a larger one.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        self.carriers.adapters.catalog_mut()
    }

    /// Which carriers are left alone for a while.
    pub fn breakers(&self) -> &Arc<Breakers> {
        &self.carriers.breakers
    }

    /// Where service points are.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The webhooks whose receivers are left alone for a while.
    pub fn pauses(&self) -> &Arc<WebhookPauses> {
        &self.pauses
    }

    /// Draws labels and papers.
    pub fn renderer(&self) -> &Renderer {
        &self.drawing.renderer
    }

    /// Waits for the team's turn to have many papers drawn, or a few.
    pub async fn drawing_turn(&self, team: TeamId, is_many: bool) -> Turn {
        let queue = if is_many { &self.drawing.many } else { &self.drawing.few };
        queue.take(team).await
    }

    /// Draws pictures of pages.
    pub fn pictures(&self) -> &Pictures {
        &self.drawing.pictures
    }

    /// Wakes the runner of this process, or else those of other servers: work was scheduled.
    pub fn wake_runner(&self) {
        self.signals.work_arrived.notify_one();
        if !self.handoff().is_open() {
            self.hint(hints::WORK);
        }
    }

    /// Tells the one who waits for this that it moved, in this process or else on another server,
    /// and what was committed, when that is known.
    pub fn wake_one(&self, subject: Uuid, news: Option<Arc<CommittedShipment>>) {
        if !self.signals.wake.tell_news(subject, news) {
            self.hint(subject);
        }
    }

    /// Tells all who wait for this that it moved, on every server.
    pub fn wake_everywhere(&self, subject: Uuid) {
        self.wake(subject);
        self.hint(subject);
    }

    fn hint(&self, subject: Uuid) {
        if self.store.is_shared() {
            self.signals.hints.push(&self.store, subject);
        }
    }

    /// Takes a hint of another server.
    pub fn take_hint(&self, subject: Uuid) {
        match subject {
            hints::WORK => self.signals.work_arrived.notify_one(),
            subject => self.wake(subject),
        }
    }

    /// Until work was scheduled.
    pub async fn work_arrived(&self) {
        self.signals.work_arrived.notified().await;
    }

    /// Tells those who wait for this that it moved.
    pub fn wake(&self, subject: Uuid) {
        let _is_heard = self.signals.wake.tell(subject);
    }

    /// Starts to listen for what moves this.
    pub fn listen(&self, subject: Uuid) -> Waiter {
        self.signals.wake.listen(subject)
    }

    /// The way to the runner of this process.
    pub fn handoff(&self) -> &JobHandoff {
        &self.signals.handoff
    }

    /// Adds a job that is due now: leased to the runner of this process where there is one, to be
    /// handed over after the commit ([`AppState::hand_over_or_wake`]), else for whoever comes.
    pub fn start_job(
        &self,
        tx: &mut Tx<'_>,
        kind: JobKind,
        subject: Uuid,
        team: TeamId,
        now: Time,
    ) -> Result<Option<Claimed>, Error> {
        let now = tx.now(now)?;
        match self.handoff().is_open() {
            true => jobs::claim_one(tx, kind, subject, Some(team), now, lease()),
            false => jobs::schedule(tx, kind, subject, Some(team), now).map(|()| None),
        }
    }

    /// Whether bookings wait and no worker is there, in this process or in another one.
    pub async fn has_no_worker(&self) -> Result<bool, Error> {
        let now = self.now();
        let look = move |tx: &mut Tx<'_>| {
            let before = tx.now(now)?.minus(NO_WORKER_AFTER);
            jobs::any_has_no_worker(tx, before)
        };
        self.store.read(look).await
    }

    /// From here on nothing that could go on forever does.
    pub fn stop(&self) {
        self.signals.is_stopping.send_replace(true);
    }

    /// Whether the server is about to stop.
    pub fn is_stopping(&self) -> bool {
        *self.signals.is_stopping.borrow()
    }

    /// Until the server is about to stop.
    pub async fn stopping(&self) {
        let mut is_stopping = self.signals.is_stopping.subscribe();
        // The sender lives as long as we do.
        let _closed = is_stopping.wait_for(|is_stopping| *is_stopping).await;
    }

    /// Hands a leased job to the runner of this process. Where there is none, the job was only
    /// scheduled: then the runner is woken to look for what is due.
    pub fn hand_over_or_wake(&self, leased: Option<HandedJob>) {
        match leased {
            Some(leased) => self.handoff().hand_over(leased),
            None => self.wake_runner(),
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
    /// The carriers.
    pub registry: &'static [Row],
    /// Where carriers are, in place of their own hosts.
    pub carrier_urls: CarrierUrls,
    /// The way to addresses that others gave us.
    pub outbound: Outbound,
    /// Where printers may be.
    pub printer_networks: PrinterNetworks,
    /// The demo's printer.
    pub virtual_printer: Option<Uri>,
    /// For how long a print job may wait for its printer.
    pub print_jobs_expire: Duration,
    /// How many batches of a team have a member in hand at once.
    pub batches_at_once: u32,
    /// How much a team may have.
    pub quotas: Quotas,
    /// For how long things are kept that may go.
    pub retention: Retention,
    /// This program, which draws pictures of pages in processes of their own.
    pub program: PathBuf,
}

impl AppBuilder {
    /// Puts the parts together.
    pub fn build(self) -> Result<App, OpenError> {
        let processors = processors();
        Ok(Arc::new(AppState {
            secrets: Secrets::new(&self.keys, processors),
            signals: Signals::default(),
            files: self.files,
            carriers: CarrierSet {
                adapters: Carriers::open(
                    self.registry,
                    self.outbound.network(),
                    &self.carrier_urls,
                )?,
                breakers: Arc::default(),
            },
            printers: Printers::new(
                self.outbound.network().clone(),
                self.printer_networks,
                self.virtual_printer,
            ),
            outbound: self.outbound,
            drawing: Drawing {
                renderer: Renderer::new(),
                many: FairQueue::new(2, 1),
                few: FairQueue::new(2 * processors, processors),
                pictures: Pictures::new(self.program),
            },
            points: Points::default(),
            pauses: Arc::default(),
            config: AppConfig {
                base_url: self.base_url.trim_end_matches('/').to_owned(),
                batches_at_once: self.batches_at_once.into(),
                quotas: self.quotas,
                retention: self.retention,
                print_jobs_expire: self.print_jobs_expire,
            },
            store: self.store,
            clock: self.clock,
            ids: self.ids,
        }))
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
