//! A reader of the feed, through the whole API but for the socket.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::Value;
use tower::ServiceExt;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::state::Api;

use super::fixture::Fixture;
use crate::measure::{self, Failure};

const FULL: usize = 1000;
const BODY_MAX: usize = 64 * 1024 * 1024;
/// Between two looks at a feed that has nothing new.
const PAUSE: Duration = Duration::from_millis(20);

/// A reader.
pub struct Reader {
    routers: Vec<Router>,
    path: String,
    token: String,
    turn: usize,
}

/// What a reader read.
pub struct Seen {
    /// The entries, in the order in which they came.
    pub seen: Vec<String>,
    /// How long each full page took.
    pub full_pages: Vec<Duration>,
}

impl Reader {
    /// A reader that turns from one server to the other.
    pub fn new(fixture: &Fixture, number: usize) -> Reader {
        Reader {
            routers: fixture
                .servers
                .iter()
                .map(|app| dispatch::router(Api::new(app.clone(), Limits::new(0, 0))))
                .collect(),
            path: format!("/v2/teams/{}/tracking/events", fixture.account.team),
            token: fixture.account.token.clone(),
            turn: number,
        }
    }

    /// Follows the feed until it has read everything after the writers have ended.
    pub async fn follow(mut self, is_over: Arc<AtomicBool>) -> Result<Seen, Failure> {
        let mut all = Seen { seen: Vec::new(), full_pages: Vec::new() };
        let mut cursor: Option<String> = None;
        loop {
            let was_over = is_over.load(Ordering::SeqCst);
            let (body, took) = self.page(cursor.as_deref()).await?;
            let rows = body["data"].as_array().ok_or("no data")?;
            if rows.len() == FULL {
                all.full_pages.push(took);
            }
            for row in rows {
                all.seen.push(row["uuid"].as_str().ok_or("no uuid")?.to_owned());
            }
            let resume = body["meta"]["resume_cursor"].as_str().ok_or("no resume_cursor")?;
            cursor = Some(resume.to_owned());
            if rows.is_empty() {
                if was_over {
                    return Ok(all);
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// How long full pages take when nobody writes.
    pub async fn measure(mut self, pages: usize) -> Result<Vec<Duration>, Failure> {
        let (mut latencies, mut cursor) = (Vec::new(), None);
        while latencies.len() < pages {
            let (body, took) = self.page(cursor.as_deref()).await?;
            let is_full = body["data"].as_array().is_some_and(|rows| rows.len() == FULL);
            if is_full {
                latencies.push(took);
            }
            cursor = body["meta"]["next_cursor"].as_str().map(str::to_owned);
        }
        Ok(latencies)
    }

    async fn page(&mut self, cursor: Option<&str>) -> Result<(Value, Duration), Failure> {
        self.turn += 1;
        let after = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let uri = format!("{}?per_page={FULL}{after}", self.path);
        let request = Request::get(uri).header("authorization", format!("Bearer {}", self.token));
        let request = request.body(Body::empty())?;
        let router = self.routers[self.turn % self.routers.len()].clone();
        let asked = measure::now();
        let response = router.oneshot(request).await?;
        let status = response.status();
        let body = to_bytes(response.into_body(), BODY_MAX).await?;
        let took = asked.elapsed();
        if !status.is_success() {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok((serde_json::from_slice(&body)?, took))
    }
}

/// How what was read differs from what was published; an error when it does.
pub fn compare(published: &[String], read: &[String]) -> Result<String, Failure> {
    let seen: HashSet<&String> = read.iter().collect();
    let missed = published.iter().filter(|id| !seen.contains(id)).count();
    let repeated = read.len() - seen.len();
    let reordered = published.iter().zip(read).filter(|(one, other)| one != other).count();
    let text = format!("{} read, {missed} missed, {repeated} repeated", read.len());
    let text = format!("{text}, {reordered} reordered");
    if missed + repeated + reordered > 0 { Err(text.into()) } else { Ok(text) }
}
