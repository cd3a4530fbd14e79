//! The server ends itself at each named place of a print job, and perhaps at another while it
//! recovers. One site serves all rounds; the verdict is over all of them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::clients::{File, Told, files};
use super::printers::{Access, Kind, Known, Park};
use super::verdict::{Outcome, check};
use crate::crash::Failure;
use crate::crash::http::{Answer, Request};
use crate::crash::process::{Process, free_address};
use crate::crash::site::{Database, Site};

/// Every place of a submission, in the order in which a job comes by.
const PLACES: [&str; 5] =
    ["print-ready", "print-begun", "print-created", "print-sending", "print-sent"];
/// Places that only a job comes by that was found on its way.
const LATER: [&str; 2] = ["print-resolve", EMPTIED];
/// Whoever ends here leaves an empty job whose number is known.
const BEFORE_LATER: &str = "print-sending";
/// Whoever ends here has sent nothing: the job is printed all the same.
const BEFORE_SENDING: [&str; 3] = ["print-ready", "print-begun", "print-created"];
/// The printers. Some jobs stay unknown at each, because of where the server ends.
const KINDS: [Kind; 5] = [
    Kind::awkward(Access::Steady, "", 0),
    Kind::awkward(Access::Steady, "lose-create", 0),
    Kind::awkward(Access::Steady, "twice", 0),
    Kind::awkward(Access::Steady, LOSES_SEND, 0),
    Kind::awkward(Access::Steady, WHOLE_JOBS, 0),
];
/// A printer that takes every document and loses the answer.
const LOSES_SEND: &str = "lose-send";
/// A printer that knows no jobs without their file: whoever ends before it has sent leaves none.
const WHOLE_JOBS: &str = "print-job-only";
/// Only an empty job is cancelled and read back.
const EMPTIED: &str = "print-emptied";
/// A place that is not come by within this time after a start is not on the way. What may be on
/// its way to a printer is waited for five seconds of it.
const HIT_MAX: Duration = Duration::from_secs(12);
/// The longest wait for one answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs every place once, or every place after every place.
pub fn run(program: &Path, database: &Database, is_pairs: bool) -> Result<(), Failure> {
    let site = Site::new(program, database, None)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let (hits, missed, outcome) = runtime.block_on(rounds(&site, is_pairs))?;
    let Outcome { jobs, printed, unknown, violations } = &outcome;
    println!(
        "printing: {hits} hits; places never hit: {}; {jobs} jobs, {printed} printed, \
         {unknown} unknown, violations: {violations}",
        missed.len()
    );
    if violations.is_none() && missed.is_empty() {
        return site.remove();
    }
    Err(format!("not hit or not printed: {missed:?}; see {}", site.folder().display()).into())
}

/// The places of each round, and whether the second must be come by too.
fn plan(is_pairs: bool) -> Vec<(&'static str, Option<&'static str>, bool)> {
    let singles = PLACES.map(|place| (place, None, false));
    let later = LATER.map(|place| (BEFORE_LATER, Some(place), true));
    let all = PLACES.into_iter().chain(LATER);
    let pairs = PLACES
        .into_iter()
        .flat_map(|first| all.clone().map(move |second| (first, Some(second), false)));
    let pairs =
        pairs.filter(|(first, second, _)| is_pairs && !later.contains(&(*first, *second, true)));
    singles.into_iter().chain(later).chain(pairs).collect()
}

async fn rounds(site: &Site, is_pairs: bool) -> Result<(usize, Vec<String>, Outcome), Failure> {
    let at = free_address()?;
    let mut server = site.start(at, None)?;
    site.until_ready(at, &mut server).await?;
    site.seed(at).await?;
    let files = files(site, at).await?;
    let park = Park::open(site, at, &KINDS).await?;
    let (mut told, mut hits, mut missed) = (Told::default(), 0, Vec::new());
    for (number, (first, second, must_hit)) in plan(is_pairs).into_iter().enumerate() {
        for printer in &park.known {
            let key = format!("{number:04}-{first}-{second:?}-{}", printer.kind.words);
            let key = key.replace(['(', ')', '"', ','], "");
            let round = Round { site, at, key, printer, file: &files[0] };
            let is_hit = round.crash(&mut server, first).await?;
            let is_again = match second {
                None => false,
                Some(second) => round.crash(&mut server, second).await?,
            };
            hits += usize::from(is_hit) + usize::from(is_again);
            let state = round.finish(&mut server, &mut told).await?;
            let must_print = second.is_none()
                && BEFORE_SENDING.contains(&first)
                && printer.kind.words != LOSES_SEND;
            let may_miss = second == Some(EMPTIED) && printer.kind.words == WHOLE_JOBS;
            if !is_hit || (must_hit && !is_again && !may_miss) || (must_print && state != "printed")
            {
                missed.push(format!("{} is {state}", round.key));
            }
        }
    }
    let outcome = check(site, at, &park, (&files, &told), false).await?;
    Ok((hits, missed, outcome))
}

/// One print job and the one who wants it.
struct Round<'a> {
    site: &'a Site,
    at: SocketAddr,
    key: String,
    printer: &'a Known,
    file: &'a File,
}

impl Round<'_> {
    /// Starts a server that ends at the place, asks it to print, and waits for the end. Tells
    /// whether the place was come by.
    async fn crash(&self, server: &mut Process, place: &str) -> Result<bool, Failure> {
        server.kill();
        *server = self.site.start(self.at, Some(place))?;
        let started = Instant::now();
        // It may end before it is ready, when it comes by the place as it takes the job over.
        let _ended = self.site.until_ready(self.at, server).await;
        while started.elapsed() < HIT_MAX && !server.is_over() {
            let is_over = self.post().await.is_some_and(|answer| is_over(&answer));
            if is_over && !server.is_over() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(server.is_over())
    }

    /// Lets a server that nothing happens to bring the job to its end, and tells its state.
    async fn finish(&self, server: &mut Process, told: &mut Told) -> Result<String, Failure> {
        server.kill();
        *server = self.site.start(self.at, None)?;
        self.site.until_ready(self.at, server).await?;
        let (started, mut state) = (Instant::now(), String::new());
        while started.elapsed() < HIT_MAX {
            if let Some(answer) = self.post().await.filter(|answer| answer.status == 201) {
                let text = |name: &str| answer.body["data"][name].as_str().unwrap_or_default();
                let jobs = told.jobs.entry(self.key.clone()).or_default();
                jobs.insert(text("uuid").to_owned());
                state = text("state").to_owned();
                if is_over(&answer) {
                    break;
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(state)
    }

    /// Asks for the job, or how far it is when it is there.
    async fn post(&self) -> Option<Answer> {
        let body = json!({"document_uuid": self.file.id, "printer_uuid": self.printer.id});
        let (path, body) = (format!("{}/print-jobs", self.site.beta()), body.to_string());
        let token = &self.site.tokens[0];
        let post = Request { method: "POST", path: &path, token, key: &self.key, body: &body };
        self.site.caller.ask(self.at, &post, PATIENCE).await
    }
}

fn is_over(answer: &Answer) -> bool {
    matches!(answer.body["data"]["state"].as_str(), Some("printed" | "failed" | "unknown"))
}
