//! The server ends itself at each named place of a booking, and perhaps at another while it
//! recovers. One site serves all rounds; the verdict is over all of them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::http::{Answer, Request};
use super::load::{Told, order};
use super::process::{Process, free_address};
use super::site::{Database, Site};
use super::verdict::{check, drain, drain_max};
use super::{Failure, Report};

/// Every place, in the order in which a booking comes by.
const PLACES: [&str; 8] =
    ["accepting", "accepted-by-us", "claimed", "dialled", "intent", "answered", "accepted", "kept"];
/// Every place of a cancellation: before the carrier is asked, and after it answered.
const CANCEL_PLACES: [&str; 2] = ["cancelling", "cancelled"];
/// What is cancelled: a booking, a part of one, and one whose answer is lost.
const CANCELLED: [&str; 3] = ["", " sim:partial", " sim:cancel=drop"];
/// With look-up, without, and with a carrier that books a reference once. The label comes late, so
/// that the last place is come by.
const SERVICES: [&str; 3] = ["sandbox:home", "sandbox:no_lookup", "sandbox:idempotent"];
/// A place that is not come by within this time after a start is not on the way.
const HIT_MAX: Duration = Duration::from_secs(8);

/// Runs every place once, or every place after every place.
pub fn run(program: &Path, database: &Database, is_pairs: bool) -> Result<(), Failure> {
    let seconds: Vec<Option<&str>> = match is_pairs {
        true => PLACES.into_iter().map(Some).collect(),
        false => vec![None],
    };
    let site = Site::new(program, database, None)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let (hits, missed, report) = runtime.block_on(rounds(&site, &seconds))?;
    println!("{hits} hits; places never hit: {}; {report}", missed.len());
    if report.is_good() && missed.is_empty() {
        return site.remove();
    }
    Err(format!("not hit: {missed:?}; see {}", site.folder().display()).into())
}

async fn rounds(
    site: &Site,
    seconds: &[Option<&str>],
) -> Result<(usize, Vec<String>, Report), Failure> {
    let at = free_address()?;
    let mut server = site.start(at, None)?;
    site.until_ready(at, &mut server).await?;
    site.seed(at).await?;
    let (mut told, mut hits, mut rounds, mut missed) = (Told::default(), 0, 0, Vec::new());
    for place in PLACES {
        for second in seconds {
            for service in SERVICES {
                rounds += 1;
                let reference = format!("{place}-{second:?}-{service}-sim:documents=fail-once");
                let reference = reference.replace("-sim", " sim").replace(['(', ')', '"'], "");
                let client = Client { site, at, reference, service };
                let (hit, again) = client.round(&mut server, place, *second, &mut told).await?;
                hits += usize::from(hit) + usize::from(again);
                if !hit {
                    missed.push(client.reference);
                }
            }
        }
    }
    for (place, words) in
        CANCEL_PLACES.into_iter().flat_map(|place| CANCELLED.map(|words| (place, words)))
    {
        rounds += 1;
        let reference = format!("{place}-of-a-shipment{words}");
        let client = Client { site, at, reference, service: SERVICES[0] };
        match client.cancel_round(&mut server, place, &mut told).await? {
            true => hits += 1,
            false => missed.push(client.reference),
        }
    }
    drain(site, drain_max(false)).await?;
    let (booked, violations) = check(site, &told).await?;
    let accepts = told.shipments.len();
    let (what, faults, floor) = ("rounds with crashes", rounds, rounds);
    Ok((hits, missed, Report { what, faults, accepts, floor, booked, violations }))
}

/// One shipment and the one who wants it booked.
struct Client<'a> {
    site: &'a Site,
    at: SocketAddr,
    reference: String,
    service: &'a str,
}

impl Client<'_> {
    /// Crashes at the place, then at the second, then not. Tells which of them were hit.
    async fn round(
        &self,
        server: &mut Process,
        place: &str,
        second: Option<&str>,
        told: &mut Told,
    ) -> Result<(bool, bool), Failure> {
        let is_hit = self.crash(server, Some(place)).await?;
        let is_again = match second {
            None => false,
            second => self.crash(server, second).await?,
        };
        server.kill();
        *server = self.site.start(self.at, None)?;
        self.site.until_ready(self.at, server).await?;
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if let Some(shipment) = self.post().await.and_then(|answer| answer.shipment()) {
                let known = told.shipments.entry(self.reference.clone()).or_default();
                known.insert(shipment);
                break;
            }
        }
        Ok((is_hit, is_again))
    }

    /// Starts a server that ends at the place, asks it to book, and waits for the end.
    async fn crash(&self, server: &mut Process, place: Option<&str>) -> Result<bool, Failure> {
        server.kill();
        *server = self.site.start(self.at, place)?;
        let started = Instant::now();
        // It may end before it is ready, when it comes by the place as it takes jobs over.
        let _ended = self.site.until_ready(self.at, server).await;
        while started.elapsed() < HIT_MAX && !server.is_over() {
            let answer = self.post().await;
            let is_ended = answer.is_some_and(|answer| answer.status != 409);
            if is_ended && !server.is_over() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(server.is_over())
    }

    /// Books, crashes at the place while it is cancelled, and cancels again. Tells whether the
    /// place was hit.
    async fn cancel_round(
        &self,
        server: &mut Process,
        place: &str,
        told: &mut Told,
    ) -> Result<bool, Failure> {
        self.restart(server, None).await?;
        let Some(shipment) = self.post().await.and_then(|answer| answer.shipment()) else {
            return Err(format!("{} is not booked", self.reference).into());
        };
        told.shipments.entry(self.reference.clone()).or_default().insert(shipment.clone());
        told.cancelling.insert(self.reference.clone());
        self.restart(server, Some(place)).await?;
        let started = Instant::now();
        while started.elapsed() < HIT_MAX && !server.is_over() {
            self.cancel(&shipment).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let is_hit = server.is_over();
        self.restart(server, None).await?;
        while started.elapsed() < Duration::from_secs(30) {
            if self.cancel(&shipment).await.is_some_and(|answer| answer.status == 200) {
                told.cancelled.insert(self.reference.clone());
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(is_hit)
    }

    async fn restart(&self, server: &mut Process, place: Option<&str>) -> Result<(), Failure> {
        server.kill();
        *server = self.site.start(self.at, place)?;
        self.site.until_ready(self.at, server).await
    }

    async fn cancel(&self, shipment: &str) -> Option<Answer> {
        let path = format!("{}/shipments/{shipment}/cancel", self.site.team);
        let token = &self.site.tokens[0];
        let post = Request { method: "POST", path: &path, token, key: "", body: "" };
        self.site.caller.ask(self.at, &post, Duration::from_secs(3)).await
    }

    async fn post(&self) -> Option<Answer> {
        let path = format!("{}/shipments", self.site.team);
        let body = order(&self.reference, self.service);
        let key = self.reference.replace([' ', ':', '='], "-");
        let token = &self.site.tokens[0];
        let post = Request { method: "POST", path: &path, token, key: &key, body: &body };
        self.site.caller.ask(self.at, &post, Duration::from_secs(3)).await
    }
}
