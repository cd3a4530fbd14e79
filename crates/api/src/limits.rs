//! How often a team may call: one bucket for reads and one for writes, and one for each address
//! that calls without a valid token.
//!
//! On one server the buckets are in memory. Servers that share a PostgreSQL take requests out of
//! the shared bucket in blocks, so that together they let through no more than one would.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{HeaderMap, HeaderValue};
use uuid::Uuid;
use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::rate::{Rate, Verdict};
use waybill_domain::time::Time;
use waybill_store::{Store, Tx, rates};

use super::reply::ApiError;
use crate::proxies::{Proxies, network};

/// More buckets than this start the memory over: a full bucket for everyone is the safe side.
const BUCKETS_MAX: usize = 100_000;
/// A block is this part of the burst.
const BLOCKS_PER_BURST: u32 = 20;
/// What is left of a block after so many microseconds belongs to nobody any more.
const BLOCK_LIFE: i64 = 1_000_000;

/// A print agent that has much to do fetches many files at once.
const AGENTS: Rate = Rate::all_at_once(600);
/// Codes are short enough to be typed, and nobody gets to try many.
const REGISTRATIONS: Rate = Rate::all_at_once(10);

/// Whose bucket, and which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bucket {
    /// A team's GETs.
    Reads(TeamId),
    /// A team's other requests.
    Writes(TeamId),
    /// What carriers tell a team by themselves.
    Callbacks(TeamId),
    /// What a print agent asks for.
    Agent(PrintAgentId),
    /// Print agents that register.
    Registrations(IpAddr),
    /// A caller's requests that concern no team.
    Caller(Uuid),
    /// Requests without a valid token.
    Anonymous(IpAddr),
    /// Looks at health and metrics. They do not fail because somebody else at the same address
    /// calls too often.
    Probes(IpAddr),
}

impl Bucket {
    fn name(self) -> &'static str {
        match self {
            Bucket::Reads(_) => "reads",
            Bucket::Writes(_) => "writes",
            Bucket::Callbacks(_) => "callbacks",
            Bucket::Agent(_) => "agent",
            Bucket::Registrations(_) => "registrations",
            Bucket::Caller(_) => "user",
            Bucket::Anonymous(_) => "anonymous",
            Bucket::Probes(_) => "probes",
        }
    }
}

/// All buckets of this server.
pub struct Limits {
    reads: Rate,
    writes: Rate,
    proxies: Proxies,
    full_at: Mutex<HashMap<Bucket, i64>>,
    blocks: Mutex<HashMap<Bucket, Arc<tokio::sync::Mutex<Block>>>>,
}

/// Requests that this server took out of a shared bucket and has not used yet.
#[derive(Default)]
struct Block {
    left: u32,
    until: i64,
}

/// What the answer's headers say.
pub struct RateLimitHeaders {
    /// `RateLimit-Policy`
    pub policy: HeaderValue,
    /// `RateLimit`
    pub rest: HeaderValue,
}

impl Limits {
    /// Limits with these requests a minute; zero is none.
    pub fn new(reads: u32, writes: u32) -> Limits {
        Limits {
            reads: Rate::new(reads),
            writes: Rate::new(writes),
            proxies: Proxies::default(),
            full_at: Mutex::default(),
            blocks: Mutex::default(),
        }
    }

    /// The same behind these proxies, who tell for whom they ask.
    #[must_use]
    pub fn behind(self, proxies: Proxies) -> Limits {
        Limits { proxies, ..self }
    }

    /// The address, or network, that a request came from.
    pub fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        network(self.address(peer, headers))
    }

    /// The address that a request came from.
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let said = headers.get_all("x-forwarded-for").iter();
        // Nothing is left out: what cannot be read ends what is believed.
        let said: Vec<_> =
            said.map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned()).collect();
        self.proxies.caller(peer, said.iter().map(String::as_str))
    }

    /// Takes one request out of the bucket. The second part is the error when there is none left.
    pub async fn take(
        &self,
        store: &Store,
        bucket: Bucket,
        now: Time,
    ) -> (Option<RateLimitHeaders>, Result<(), ApiError>) {
        let Some(rate) = self.rate(bucket) else { return (None, Ok(())) };
        let mut verdict = self.take_here(bucket, rate, now);
        if verdict.is_allowed && store.is_shared() {
            match self.take_group(store, bucket, rate, now).await {
                Ok(None) => {}
                Ok(Some(refused)) => verdict = refused,
                Err(error) => return (None, Err(error)),
            }
        }
        let result = match verdict.is_allowed {
            true => Ok(()),
            false => Err(ApiError::TooMany(seconds(verdict))),
        };
        (rate_limit(bucket, rate, verdict), result)
    }

    /// The rate of a bucket; none where there is no limit.
    fn rate(&self, bucket: Bucket) -> Option<Rate> {
        let (rate, own) = match bucket {
            Bucket::Agent(_) => (self.writes, Some(AGENTS)),
            Bucket::Registrations(_) => (self.reads, Some(REGISTRATIONS)),
            Bucket::Writes(_) | Bucket::Callbacks(_) => (self.writes, None),
            _ => (self.reads, None),
        };
        (rate.per_minute > 0).then(|| own.unwrap_or(rate))
    }

    fn take_here(&self, bucket: Bucket, rate: Rate, now: Time) -> Verdict {
        let mut buckets = lock(&self.full_at);
        if buckets.len() >= BUCKETS_MAX {
            buckets.clear();
        }
        rate.take(buckets.entry(bucket).or_insert(0), now.0)
    }

    /// Uses up the block at hand, or takes another one. Gives a verdict only when there is none.
    async fn take_group(
        &self,
        store: &Store,
        bucket: Bucket,
        rate: Rate,
        now: Time,
    ) -> Result<Option<Verdict>, ApiError> {
        let (Bucket::Reads(team) | Bucket::Writes(team)) = bucket else { return Ok(None) };
        let block = self.block(bucket);
        // Those who come meanwhile wait for this block and share it, or each would take its own.
        let mut block = block.lock().await;
        if block.left > 0 && (now.0..=now.0 + BLOCK_LIFE).contains(&block.until) {
            block.left -= 1;
            return Ok(None);
        }
        let size = (rate.burst() / BLOCKS_PER_BURST).max(1);
        let (cost, depth) = (rate.cost_micros() * i64::from(size), rate.depth_micros());
        let name = bucket.name();
        let take = move |tx: &mut Tx<'_>| {
            // What servers share goes by one clock: none of them can be ahead of it.
            let now = tx.now(now)?;
            rates::take(tx, team, name, now, cost, depth)
        };
        let wait = store.write(take).await?;
        match wait {
            None => {
                *block = Block { left: size - 1, until: now.0 + BLOCK_LIFE };
                Ok(None)
            }
            Some(micros) => Ok(Some(Verdict {
                is_allowed: false,
                remaining: 0,
                reset: std::time::Duration::from_micros(micros.max(0).unsigned_abs()),
            })),
        }
    }

    fn block(&self, bucket: Bucket) -> Arc<tokio::sync::Mutex<Block>> {
        let mut blocks = lock(&self.blocks);
        if blocks.len() >= BUCKETS_MAX {
            blocks.clear();
        }
        Arc::clone(blocks.entry(bucket).or_default())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whole seconds until another request may come, at least one.
fn seconds(verdict: Verdict) -> u64 {
    verdict.reset.as_micros().div_ceil(1_000_000).max(1).try_into().unwrap_or(u64::MAX)
}

fn rate_limit(bucket: Bucket, rate: Rate, verdict: Verdict) -> Option<RateLimitHeaders> {
    let name = bucket.name();
    let policy = format!("\"{name}\";q={};w=60", rate.per_minute);
    let rest = format!("\"{name}\";r={};t={}", verdict.remaining, seconds(verdict));
    Some(RateLimitHeaders { policy: policy.try_into().ok()?, rest: rest.try_into().ok()? })
}
