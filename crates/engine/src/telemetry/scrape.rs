//! What `GET /metrics` answers. To write it takes a millisecond or more of a processor, and very
//! many may ask: those who wait at the same time get the same page, and pages keep a distance.

use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Time from the beginning of one page to that of the next.
const DISTANCE: Duration = Duration::from_millis(50);

/// The page that was written last.
pub struct Scrapes(Mutex<Option<(Instant, Bytes)>>);

impl Scrapes {
    pub const fn new() -> Scrapes {
        Scrapes(Mutex::const_new(None))
    }

    /// A page that was begun after this call: whatever was counted before is in it.
    pub async fn take(&self, write: impl FnOnce() -> Bytes) -> Bytes {
        let asked = Instant::now();
        let mut last = self.0.lock().await;
        if let Some((begun, page)) = last.as_ref() {
            if *begun > asked {
                return page.clone();
            }
            tokio::time::sleep_until(*begun + DISTANCE).await;
        }
        let begun = Instant::now();
        let page = write();
        *last = Some((begun, page.clone()));
        page
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn those_who_ask_together_share_a_page_that_is_newer_than_their_question() {
        let scrapes = Scrapes::new();
        let (counted, pages) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let ask = || async {
            let before = counted.fetch_add(1, Ordering::Relaxed) + 1;
            let page = scrapes
                .take(|| {
                    pages.fetch_add(1, Ordering::Relaxed);
                    counted.load(Ordering::Relaxed).to_string().into()
                })
                .await;
            let told: usize = std::str::from_utf8(&page).unwrap().parse().unwrap();
            assert!(told >= before, "{told} was counted before {before}");
        };
        let started = Instant::now();
        for _ in 0..4 {
            futures_util::future::join_all((0..100).map(|_| ask())).await;
        }
        let spent = started.elapsed();
        let written = pages.load(Ordering::Relaxed);
        assert!(written <= 9, "{written} pages in {spent:?}");
        assert!(spent >= DISTANCE * 3, "{spent:?}");
        ask().await;
    }
}
