//! `waybill serve`: opens the store, listens, works, and stops without losing anything.

mod error;
mod prepare;
mod setup;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use waybill_api::dispatch;
use waybill_api::docs::Demo;
use waybill_api::limits::Limits;
use waybill_api::listen::{self, Timeouts};
use waybill_api::open_files;
use waybill_api::state::{Api, Extras};
use waybill_carriers::registry::CARRIERS;
use waybill_domain::ids::IdSource;
use waybill_domain::printing::Uri;
use waybill_domain::time::{Clock, Time};
use waybill_engine::app::{App, AppBuilder};
use waybill_engine::clock::SystemClock;
use waybill_engine::files::{self, Files, FilesError, Home};
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_engine::telemetry;
use waybill_store::{OpenError, Options, Store, jobs, meta, shipments};
use waybill_worker::gauges;
use waybill_worker::restored;
use waybill_worker::runner;
use waybill_worker::state::Worker;
use waybill_worker::sweep;

use super::error::{CliError, Outcome};
use super::key::KeyError;
use super::runtime::block_on;
use super::signals::wait_for_signal;
use super::{demo, sandbox, sandbox_printer};
use crate::config::{Config, beside, unknown_variables};
use crate::logs;
pub use error::ServeError;
use prepare::Prepared;

const FILES_OWNER: &str = "files-owner";
/// The beginning of facts about places that this database has kept files in.
const FILES_PLACE: &str = "files-place ";

/// Runs the server until it is told to stop.
pub fn serve(config: &Config) -> Outcome {
    let _flushed = logs::start(&config.log)
        .map_err(|source| ServeError::Log { place: config.places.of("log"), source })?;
    telemetry::recorder();
    open_files::raise_file_limit();
    let system = Arc::new(SystemClock::start());
    let clock: Arc<dyn Clock> = system.clone();
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Each takes memory of its own when it draws.
        .max_blocking_threads(64)
        .build()
        .map_err(CliError::Runtime)?;
    let prepared = block_on(&runtime, Prepared::new(config))?;
    let Prepared { listener, metrics, outbound, keys, folders } = prepared;
    let options =
        Options { exclusive: true, connections: config.connections, ..Options::default() };
    let store = Store::open(&config.database, options)?;
    block_on(&runtime, system.begin_with(&store))?;
    let keys = same_keys(&store, keys, &config.secret_key_file, ids.as_ref())?;
    take_over(&store, clock.now())?;
    let owner = owner(&store, ids.as_ref())?;
    block_on(&runtime, async {
        let files = open_files(config, &store, &owner).await?;
        folders.keep();
        let base_url = base_url(config, listener.as_ref())?;
        let mut carrier_urls = config.carrier_urls.clone();
        if carrier_urls.get(sandbox::CODE).is_none() {
            // Servers that share a database would each have a carrier of their own, so those are
            // for trying things out; a carrier for all is a process of its own.
            let journal = beside(&config.database, sandbox::JOURNAL);
            let journal = (!store.is_shared()).then_some(journal);
            warn_of_lost_journal(&store, journal.as_deref()).await?;
            let url = sandbox::embed(journal, clock.clone(), ids.clone()).await?;
            carrier_urls.add_default(sandbox::CODE, &url);
        }
        let virtual_printer = virtual_printer(config, &clock).await?;
        let (batches_at_once, quotas) = (config.batches_at_once, config.quotas.clone());
        let app = AppBuilder {
            store,
            clock,
            ids,
            keys,
            files,
            base_url,
            registry: CARRIERS,
            carrier_urls,
            outbound,
            batches_at_once,
            quotas,
            retention: config.retention.clone(),
            printer_networks: config.printer_networks.clone(),
            virtual_printer,
            print_jobs_expire: config.print_jobs_expire,
            program: program()?,
        };
        let app = app.build()?;
        hear_hints(&app)?;
        tokio::spawn(system.follow(app.store().clone()));
        tokio::spawn(telemetry::sum_up_regularly());
        restored::begin_epoch(&app).await?;
        warn(config, &app, listener.as_ref());
        let demo = match config.is_demo {
            true => Some(demo::prepare(&app, &config.database, config.is_demo_public).await?),
            false => None,
        };
        run(config, app, demo, listener, metrics).await
    })
}

/// This program, as it was started: what lies in its place now may be another release.
fn program() -> Result<PathBuf, CliError> {
    let running = Path::new("/proc/self/exe");
    match running.exists() {
        true => Ok(running.to_owned()),
        false => std::env::current_exe().map_err(CliError::Runtime),
    }
}

/// The demo's printer, which runs inside the server.
async fn virtual_printer(config: &Config, clock: &Arc<dyn Clock>) -> Result<Option<Uri>, CliError> {
    if !config.is_demo {
        return Ok(None);
    }
    let folder = beside(&config.database, demo::PRINTED);
    sandbox_printer::embed(folder, Arc::clone(clock)).await
}

/// Warns when the sandbox carrier inside the server begins anew beside bookings that it had.
async fn warn_of_lost_journal(
    store: &Store,
    journal: Option<&Path>,
) -> Result<(), waybill_store::Error> {
    let is_missing = journal.is_some_and(|journal| !journal.exists());
    if is_missing && store.read(|tx| shipments::any_is_accepted_by(tx, sandbox::CODE)).await? {
        let journal = sandbox::JOURNAL;
        tracing::warn!("{journal} is not there: the sandbox carrier does not know its bookings");
    }
    Ok(())
}

/// What other servers on the same database tell wakes those who wait here.
fn hear_hints(app: &App) -> Result<(), OpenError> {
    let hinted = Arc::downgrade(app);
    let hear = move |subject| {
        if let Some(app) = hinted.upgrade() {
            app.take_hint(subject);
        }
    };
    app.store().hear_hints(Box::new(hear))
}

/// All servers of a database must have the key that it knows; their rings may hold more. A file is
/// made only for a database that knows no key yet.
fn same_keys(
    store: &Store,
    found: Option<Keys>,
    path: &Path,
    ids: &dyn IdSource,
) -> Result<Keys, CliError> {
    let known = store.blocking_read(|tx| meta::find(tx, meta::SECRET_KEY))?;
    let keys = match (found, known) {
        (Some(keys), _) => keys,
        (None, Some(_)) => return Err(KeyError::Missing(path.to_owned()).into()),
        (None, None) => Keys::load_or_create(path, ids).map_err(KeyError::File)?,
    };
    let ring = keys.clone();
    let is_known = store.blocking_write(move |tx| {
        meta::insert_if_absent(tx, meta::SECRET_KEY, &ring.fingerprint())?;
        let kept = meta::find(tx, meta::SECRET_KEY)?;
        let is_known = kept.is_some_and(|kept| ring.knows(&kept));
        if is_known {
            meta::set(tx, meta::SERVER_KEY, &ring.fingerprint())?;
        }
        Ok::<_, waybill_store::Error>(is_known)
    });
    match is_known? {
        true => Ok(keys),
        false => Err(KeyError::OfAnother.into()),
    }
}

/// A name of the database's own, by which a place for files is known to be its own too.
fn owner(store: &Store, ids: &dyn IdSource) -> Result<String, CliError> {
    let fresh = ids.uuid().to_string();
    let owner = store.blocking_write(move |tx| {
        meta::insert_if_absent(tx, FILES_OWNER, &fresh)?;
        meta::find(tx, FILES_OWNER)
    });
    Ok(owner?.ok_or(ServeError::NoOwner)?)
}

/// Opens the place of the files, and remembers that it was used: one that is empty by the next
/// start is a disk that was not mounted.
async fn open_files(config: &Config, store: &Store, owner: &str) -> Result<Files, CliError> {
    let misplaced = |why: FilesError| {
        let place = config.places.of("files");
        ServeError::FilesPlace { place, why: Box::new(why) }
    };
    let (home, environment) = (&config.files, files::environment());
    if *home == Home::Database {
        let files = Files::open(home, environment, owner).await;
        return Ok(files.map_err(|why| ServeError::FilesInDatabase(Box::new(why)))?);
    }
    let fact = format!("{FILES_PLACE}{home}");
    let known = fact.clone();
    if store.read(move |tx| meta::find(tx, &known)).await?.is_some() {
        Files::verify_claimed(home, &environment).await.map_err(misplaced)?;
    }
    let files = Files::open(home, environment, owner).await.map_err(misplaced)?;
    store.write(move |tx| meta::insert_if_absent(tx, &fact, "")).await?;
    Ok(files)
}

/// We hold the exclusive lock, so these leases belong to dead processes.
fn take_over(store: &Store, now: Time) -> Result<(), waybill_store::Error> {
    if store.is_shared() {
        return Ok(());
    }
    match store.blocking_write(move |tx| jobs::any_release_all(tx, now))? {
        0 => {}
        count => tracing::info!(count, "jobs that were under way are taken over"),
    }
    Ok(())
}

/// Says what is allowed and seldom meant.
fn warn(config: &Config, app: &App, listener: Option<&TcpListener>) {
    if !config.is_worker && !app.store().is_shared() {
        tracing::warn!(
            "nothing will be booked: with --role api this server does no background work, and a \
             SQLite database has only one server"
        );
    }
    let address = listener.and_then(|listener| listener.local_addr().ok());
    let is_public = address.is_some_and(|address| !address.ip().to_canonical().is_loopback());
    for name in
        unknown_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
    {
        tracing::warn!(name, "there is no such setting: the variable changes nothing");
    }
    if config.is_demo && is_public {
        tracing::warn!("the demo is reached from other machines: who has its token can book");
    }
}

/// Where we say that we are.
fn base_url(config: &Config, listener: Option<&TcpListener>) -> Result<String, CliError> {
    Ok(match (&config.base_url, listener) {
        (Some(url), _) => url.clone(),
        (None, Some(listener)) => format!("http://{}", local_address(listener)?),
        (None, None) => format!("http://{}", config.listen),
    })
}

fn local_address(listener: &TcpListener) -> Result<String, CliError> {
    let address = listener.local_addr().map_err(CliError::System)?;
    Ok(match address.ip().is_unspecified() {
        true => format!("127.0.0.1:{}", address.port()),
        false => address.to_string(),
    })
}

/// Does this for as long as the server runs.
async fn until(work: impl Future<Output = ()>, stopped: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = stopped => {}
    }
}

async fn run(
    config: &Config,
    app: App,
    demo: Option<Demo>,
    listener: Option<TcpListener>,
    metrics: Option<TcpListener>,
) -> Outcome {
    // Whoever is answered, or reads "ready", may ask us to stop at once.
    let signalled = wait_for_signal()?;
    let (stop, stopped) = watch::channel(false);
    let until_stopped = |mut stopped: watch::Receiver<bool>| async move {
        // A closed channel means that there is nobody left to wait for.
        let _closed = stopped.wait_for(|is_stopped| *is_stopped).await;
    };
    let counting = gauges::count_regularly(app.clone());
    let mut tasks = vec![tokio::spawn(until(counting, until_stopped(stopped.clone())))];
    if config.is_worker {
        let worker = Worker::new(app.clone());
        tasks.push(tokio::spawn(runner::run(worker, until_stopped(stopped.clone()))));
    } else {
        let watching = sweep::watch(app.clone());
        tasks.push(tokio::spawn(until(watching, until_stopped(stopped.clone()))));
    }
    let limits = Limits::new(config.reads_per_minute, config.writes_per_minute)
        .behind(config.proxies.clone());
    let extras = Extras {
        demo,
        legacy_sunset: config.legacy_sunset.clone(),
        legacy_links: Some(config.legacy_links),
    };
    let api = Api::with_extras(app.clone(), limits, extras);
    let metrics_address = metrics.as_ref().map(local_address).transpose()?;
    let router = match &metrics {
        None => dispatch::router(api.clone()),
        Some(_) => dispatch::router_without_metrics(api.clone()),
    };
    let served = listener.map(|listener| (listener, router));
    let served = served.into_iter().chain(metrics.map(|it| (it, dispatch::probes(api.clone()))));
    for (listener, router) in served {
        let (timeouts, stop) = (Timeouts::default(), until_stopped(stopped.clone()));
        tasks.push(tokio::spawn(listen::serve(app.clone(), router, listener, timeouts, stop)));
    }
    // Only a server that answers can be set up.
    let setup_url = if config.is_api { setup::new_link(&app).await? } else { None };
    if let Some(url) = &setup_url {
        eprintln!("setup: {url}");
    }
    // Without user and password.
    let proxy = app.outbound().network().proxy().map(ToString::to_string);
    tracing::info!(
        base_url = app.base_url(),
        metrics_address,
        proxy,
        setup_url,
        version = env!("CARGO_PKG_VERSION"),
        "ready"
    );
    signalled.await;
    tracing::info!("stopping: requests and jobs under way are finished first");
    app.stop();
    let _no_receiver = stop.send(true);
    for task in tasks {
        task.await.map_err(ServeError::Panicked)?;
    }
    app.store().clone().close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}
