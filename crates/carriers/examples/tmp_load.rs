use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use std::time::{Duration, Instant};
use waybill_carriers::{
    call::*,
    sandbox::{Sandbox, service::*},
    *,
};
use waybill_domain::{
    booking::*, document::Format, ids::IdSource, json::*, secret::Secret, time::*,
};
struct C(Instant);
impl Clock for C {
    fn now(&self) -> Time {
        Time(1_700_000_000_000_000 + self.0.elapsed().as_micros() as i64)
    }
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}
struct I;
static N: AtomicU64 = AtomicU64::new(1);
impl IdSource for I {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::nil()
    }
    fn fill(&self, b: &mut [u8]) {
        let mut n = N.fetch_add(1, Ordering::Relaxed);
        for x in b {
            *x = (n % 32) as u8;
            n /= 32;
        }
    }
}
#[tokio::main]
async fn main() {
    let journal = std::env::args().nth(1).map(Into::into);
    let l = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let a = format!("http://{}", l.local_addr().unwrap());
    tokio::spawn(serve(
        l,
        ServiceOptions {
            journal,
            visible_after: Duration::ZERO,
            clock: Arc::new(C(Instant::now())),
            ids: Arc::new(I),
        },
        std::future::pending(),
    ));
    let s = Arc::new(Sandbox::new(&a).unwrap());
    let order = parse(r#"{"reference":"ORDER-1","parties":{"merchant":{"contact":{"name":"A"},"address":{"address_lines":["x 1"],"postal_code":"2300","city":"K","country":"DK"}},"customer":{"contact":{"name":"A"},"address":{"address_lines":["x 1"],"postal_code":"2300","city":"K","country":"DK"}}},"delivery":{"service_code":"sandbox:home"},"parcels":[{"description":"b"}]}"#.as_bytes()).unwrap();
    let n = Arc::new(AtomicU64::new(0));
    let t = Instant::now();
    let mut set = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let (s, n, order) = (s.clone(), n.clone(), order.clone());
        set.spawn(async move {
            let acc = Account { credentials: Secret::new(Json::Null), options: Json::Null };
            let mut lat = vec![];
            while t.elapsed() < Duration::from_secs(8) {
                let plan = Plan {
                    reference: Reference::new(&I),
                    order: order.clone(),
                    label_format: Format::Pdf,
                };
                let b = Instant::now();
                let line = s.dial(&acc).await.unwrap();
                let o = s.book(line, &acc, &plan, Permit::for_committed_intent()).await;
                lat.push(b.elapsed());
                assert!(matches!(o, Outcome::Accepted(_)), "{o:?}");
                n.fetch_add(1, Ordering::Relaxed);
            }
            lat
        });
    }
    let mut lat: Vec<_> = set.join_all().await.into_iter().flatten().collect();
    lat.sort();
    println!(
        "{}/s p50 {:?} p99 {:?}",
        n.load(Ordering::Relaxed) / 8,
        lat[lat.len() / 2],
        lat[lat.len() * 99 / 100]
    );
    println!(
        "{}",
        std::fs::read_to_string("/proc/self/status")
            .unwrap()
            .lines()
            .find(|l| l.starts_with("VmRSS"))
            .unwrap()
    );
}
