//! Many callers who all want the same item, of which there are not enough for all.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use serde_json::json;

use super::tasks::Clerk;
use crate::booking::fixture::Fixture;
use crate::measure::{self, Failure};

const CALLERS: usize = 64;
/// Requests for one piece each, and how many pieces there are.
const REQUESTS: usize = 3_200;
const PIECES: i64 = 3_000;
const SKU: &str = "HOT";

/// Lets them all allocate. Tells how many allocations a second there were, after a look whether
/// exactly as many pieces are promised as there are.
pub async fn run(fixture: &Arc<Fixture>) -> Result<f64, Failure> {
    let mut clerk = Clerk::new(fixture).await?;
    let item = json!({"sku": SKU, "name": "What everybody wants"}).to_string();
    clerk.call(("POST", "/catalog-items"), &item, 201).await?;
    let goods = json!({"sku": SKU, "location": "A-0", "delta": PIECES, "reason": null});
    clerk.call(("POST", "/inventory-adjustments"), &goods.to_string(), 201).await?;
    let mut requests = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        requests.push(clerk.ask_for(&[(SKU.to_owned(), 1)]).await?);
    }
    let (requests, next) = (Arc::new(requests), Arc::new(AtomicUsize::new(0)));
    let allocated = Arc::new(AtomicI64::new(0));
    let mut callers = Vec::with_capacity(CALLERS);
    for _ in 0..CALLERS {
        callers.push(Clerk::new(fixture).await?);
    }
    let started = measure::now();
    let tasks = callers.into_iter().map(|mut caller| {
        let (requests, next, allocated) = (requests.clone(), next.clone(), allocated.clone());
        tokio::spawn(async move {
            while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (_, state) = caller.allocate(request).await?;
                allocated.fetch_add(i64::from(state == "allocated"), Ordering::Relaxed);
            }
            Ok::<_, Failure>(())
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await??;
    }
    let took = started.elapsed();
    let path = format!("/inventory-levels?sku={SKU}");
    let (_, levels) = clerk.call(("GET", &path), "", 200).await?;
    let reserved = levels["data"][0]["reserved"].as_i64();
    let allocated = allocated.load(Ordering::Relaxed);
    if (allocated, reserved) != (PIECES, Some(PIECES)) {
        let what = format!("{allocated} allocated and {reserved:?} reserved of {PIECES}");
        return Err(what.into());
    }
    Ok(REQUESTS as f64 / took.as_secs_f64())
}
