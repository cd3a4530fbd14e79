//! A sandbox carrier on a port of its own, and orders to book with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;
use waybill_carriers::booking::{Accepted, Booked, LabelRequest, Outcome, Plan, Sought};
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{Account, Carrier, CarrierUrls, Carriers, IssuedTokens};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::document::Format;
use waybill_domain::ids::{AccountId, IdSource};
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::secret::Secret;
use waybill_domain::shipment::Order;
use waybill_domain::time::{Clock, Time};
use waybill_outbound::Network;
use waybill_sandbox::{ServeError, ServiceOptions, serve};

/// The way out of this machine.
pub fn network() -> Network {
    Network::new().unwrap()
}

/// The adapter of a sandbox carrier at this address.
pub fn sandbox(address: &str) -> Arc<dyn Carrier> {
    let urls = CarrierUrls::one("sandbox", address);
    Carriers::open(CARRIERS, &network(), &urls).unwrap().get("sandbox").unwrap()
}

/// A sandbox carrier that runs, and an adapter that speaks to it.
pub struct Running {
    pub sandbox: Arc<dyn Carrier>,
    pub address: String,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    pub async fn start() -> Running {
        Running::with(None, Duration::ZERO).await
    }

    pub async fn with_journal(path: &Path) -> Running {
        Running::with(Some(path.to_owned()), Duration::ZERO).await
    }

    pub async fn with(journal: Option<PathBuf>, visible_after: Duration) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(serve(listener, options(journal, visible_after), async {
            let _ = stopped.await;
        }));
        Running { sandbox: sandbox(&address), address, stop, ended }
    }

    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }

    pub async fn book(&self, plan: &Plan) -> Outcome {
        let session = self.sandbox.dial(&account()).await.unwrap();
        let prepared = self.sandbox.prepare(plan, &Json::Null).unwrap();
        let permit = Permit::for_committed_intent();
        self.sandbox.book(session, &account(), prepared, &plan.reference, permit).await
    }

    /// Books what is sure to be accepted.
    pub async fn accepted(&self, plan: &Plan) -> Accepted {
        match self.book(plan).await {
            Outcome::Accepted(accepted) => accepted,
            other => panic!("{other:?}"),
        }
    }
}

pub fn options(journal: Option<PathBuf>, visible_after: Duration) -> ServiceOptions {
    let clock = Arc::new(TestClock::start());
    ServiceOptions { journal, visible_after, points: 100, clock, ids: Arc::new(CountingIds) }
}

pub fn account() -> Account {
    Account {
        id: AccountId(Uuid::nil()),
        changed_at: Time(0),
        credentials: Secret::new(Json::Null),
        options: Json::Null,
        issued: IssuedTokens::default(),
    }
}

/// An order with this reference and so many parcels, under a reference of its own.
pub fn plan(service: &str, words: &str, parcels: usize) -> Plan {
    let party = r#"{"contact":{"name":"Åse Nørgård","company":"Bøger & Co (ApS)"},"address":{
        "address_lines":["Islands Brygge 39","2. th"],"postal_code":"2300","city":"København S",
        "country":"DK"}}"#;
    let parcel = r#"{"description":"Books","gross_weight":{"value":1.2,"unit":"kg"}}"#;
    let parcels = vec![parcel; parcels].join(",");
    let order = format!(
        r#"{{"reference":"ORDER-1 {words}","parties":{{"merchant":{party},"customer":{party}}},
        "delivery":{{"service_code":"{service}","addons":[{{"code":"sms_notification",
        "value":"+4530274735"}}]}},"parcels":[{parcels}]}}"#
    );
    Plan {
        reference: Reference::new(&CountingIds),
        order: Order::stored(&parse(order.as_bytes()).unwrap()).unwrap(),
        label: Some(label(Format::Pdf)),
        pickup_point: None,
        is_return: false,
        is_declared: false,
        language: Language::En,
        now: Time(0),
    }
}

/// A reference of its own.
pub fn new_reference() -> Reference {
    Reference::new(&CountingIds)
}

pub fn label(format: Format) -> LabelRequest {
    LabelRequest { format, size: "100x150".to_owned() }
}

/// The attempt of a plan, looked up.
pub fn sought(plan: &Plan) -> Sought {
    Sought {
        reference: plan.reference.clone(),
        order: plan.order.clone(),
        label: plan.label.clone(),
        is_canary: false,
    }
}

pub fn booked(plan: &Plan, accepted: &Accepted) -> Booked {
    Booked {
        reference: plan.reference.clone(),
        carrier_reference: accepted.carrier_reference.clone(),
        carrier_data: accepted.carrier_data.clone(),
        tracking_numbers: accepted
            .parcels
            .iter()
            .map(|it| Some(it.tracking_number.clone()))
            .collect(),
        label: plan.label.clone(),
    }
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The lines of a journal of one type with this reference.
pub fn journaled(path: &Path, kind: &str, reference: &Reference) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| parse(line.as_bytes()).unwrap());
    let wanted = [("type", kind), ("reference", reference.as_str())];
    lines.filter(|line| wanted.iter().all(|(n, v)| line.member(n) == Some(&(*v).into()))).count()
}

struct TestClock {
    started: Instant,
}

impl TestClock {
    #[expect(clippy::disallowed_methods, reason = "the tests run in real time")]
    fn start() -> TestClock {
        TestClock { started: Instant::now() }
    }
}

impl Clock for TestClock {
    #[expect(clippy::disallowed_methods, reason = "the tests run in real time")]
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Time(i64::try_from(since.as_micros()).unwrap())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Bytes that count, so that no two are the same in one run.
struct CountingIds;

impl IdSource for CountingIds {
    fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        Uuid::from_bytes(bytes)
    }

    fn fill(&self, buffer: &mut [u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut number = NEXT.fetch_add(1, Ordering::Relaxed);
        for byte in buffer {
            *byte = u8::try_from(number % 32).unwrap();
            number /= 32;
        }
    }
}
