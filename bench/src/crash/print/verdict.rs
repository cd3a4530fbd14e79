//! Compares three tellings of the same story: the journals of the printers, the jobs of the team,
//! and what the clients were told.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::clients::{File, Told};
use super::printers::{Known, Paper, Park, Size, Source};
use crate::crash::Failure;
use crate::crash::site::Site;
use crate::crash::verdict::Violations;

/// A job at an honest printer is over by then.
const CALM: Duration = Duration::from_secs(60);
/// Any job is. A printer that does not tell how much it has is waited for that long.
const CALM_MAX: Duration = Duration::from_secs(90);
/// After a mistake some jobs never end.
const MISTAKEN_MAX: Duration = Duration::from_secs(15);
/// Of a hundred jobs at honest printers so many are printed for certain.
const PRINTED_MIN: usize = 90;
/// The states from which a job moves on.
const OPEN: [&str; 3] = ["pending", "queued", "printing"];

/// A job, as a list shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    id: String,
    printer: String,
    document: String,
    state: String,
    copies: u64,
    failure: Option<String>,
}

impl Job {
    fn read(value: &Value) -> Job {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Job {
            id: text(&value["uuid"]),
            printer: text(&value["printer"]["uuid"]),
            document: text(&value["document_uuid"]),
            state: text(&value["state"]),
            copies: value["copies"].as_u64().unwrap_or(0),
            failure: value["failure"]["message"].as_str().map(str::to_owned),
        }
    }
}

/// What became of the jobs of a run.
pub struct Outcome {
    /// The jobs that there are.
    pub jobs: usize,
    /// How many of them are printed for certain.
    pub printed: usize,
    /// How many are unknown.
    pub unknown: usize,
    /// What does not agree.
    pub violations: Violations,
}

/// All jobs that a list of this query shows.
async fn list(site: &Site, server: SocketAddr, query: &str) -> Result<Vec<Job>, Failure> {
    let (mut jobs, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/print-jobs?per_page=100{query}{cursor}");
        let page = site.ask_beta(server, "GET", &path, "").await.ok_or("no list of jobs")?;
        let rows = page.body["data"].as_array().ok_or_else(|| format!("no list: {}", page.body))?;
        jobs.extend(rows.iter().map(Job::read));
        match page.body["meta"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(jobs),
        }
    }
}

async fn open(site: &Site, server: SocketAddr) -> Result<Vec<Job>, Failure> {
    let mut open = Vec::new();
    for state in OPEN {
        open.extend(list(site, server, &format!("&state={state}")).await?);
    }
    Ok(open)
}

/// Waits until every job is over and no printer has an empty one of ours, but not forever. Tells
/// which jobs are open for too long.
async fn settle(
    site: &Site,
    server: SocketAddr,
    park: &Park,
    is_mistaken: bool,
) -> Result<Vec<Job>, Failure> {
    let (started, honest) = (Instant::now(), honest(&park.known));
    let mut late: BTreeMap<String, Job> = BTreeMap::new();
    loop {
        let (open, elapsed) = (open(site, server).await?, started.elapsed());
        if open.is_empty() && park.empty_jobs().await?.is_empty() {
            break;
        }
        let is_late = |job: &&Job| elapsed > CALM && honest.contains(&job.printer);
        late.extend(open.iter().filter(is_late).map(|job| (job.id.clone(), job.clone())));
        if elapsed > if is_mistaken { MISTAKEN_MAX } else { CALM_MAX } {
            late.extend(open.into_iter().map(|job| (job.id.clone(), job)));
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(late.into_values().collect())
}

fn honest(known: &[Known]) -> BTreeSet<String> {
    known.iter().filter(|known| known.kind.is_honest).map(|known| known.id.clone()).collect()
}

/// Waits until all is settled, and holds it against the papers.
pub async fn check(
    site: &Site,
    server: SocketAddr,
    park: &Park,
    (files, told): (&[File], &Told),
    is_mistaken: bool,
) -> Result<Outcome, Failure> {
    let late = settle(site, server, park, is_mistaken).await?;
    let (jobs, empty) = (list(site, server, "").await?, park.empty_jobs().await?);
    let papers = papers(park.papers()?, &jobs, &park.known);
    let books = Books { known: &park.known, files, papers };
    let mut violations = Violations::default();
    let mut hold = |rule, is_broken: &dyn Fn(&&Job) -> bool| {
        violations.count(rule, &books.say(jobs.iter().filter(is_broken)));
    };
    hold("twice", &|job| books.papers_of(job).len() > 1);
    hold("not printed", &|job| job.state == "printed" && !books.is_right(job));
    hold("printed though failed", &|job| job.state == "failed" && !books.papers_of(job).is_empty());
    hold("printed though cancelled", &|job| {
        told.cancelled.contains(&job.id) && job.state != "failed"
    });
    violations.count("stuck", &books.say(late.iter()));
    violations.count("left empty", &empty);
    let ids: BTreeSet<&String> = jobs.iter().map(|job| &job.id).collect();
    let lost = told.jobs.values().flatten().filter(|job| !ids.contains(job));
    violations.count("lost", &lost.cloned().collect::<Vec<_>>());
    let double = told.jobs.iter().filter(|(_, jobs)| jobs.len() > 1).map(|(key, _)| key);
    violations.count("double keys", &double.cloned().collect::<Vec<_>>());
    let unasked = books.papers.keys().filter(|job| !ids.contains(job));
    violations.count("unasked", &unasked.cloned().collect::<Vec<_>>());
    violations.count("too few printed", &too_few(&jobs, &honest(&park.known), told));
    violations.count("broken rules", &site.complaints()?);
    violations.count("undeclared answers", &site.caller.undeclared());
    violations.count("refused", &told.refused);
    let of = |state: &str| jobs.iter().filter(|job| job.state == state).count();
    Ok(Outcome { jobs: jobs.len(), printed: of("printed"), unknown: of("unknown"), violations })
}

/// Says so when jobs at honest printers were not printed for certain often enough.
fn too_few(jobs: &[Job], honest: &BTreeSet<String>, told: &Told) -> Vec<String> {
    let is_wanted = |job: &&Job| honest.contains(&job.printer) && !told.cancelled.contains(&job.id);
    let wanted: Vec<&Job> = jobs.iter().filter(is_wanted).collect();
    let printed = wanted.iter().filter(|job| job.state == "printed").count();
    match 100 * printed >= PRINTED_MIN * wanted.len() {
        true => Vec::new(),
        false => vec![format!("{printed} of {} at honest printers", wanted.len())],
    }
}

/// The papers of each job, as its own printer tells of them: it may have passed them on to another.
fn papers(all: Vec<Paper>, jobs: &[Job], known: &[Known]) -> BTreeMap<String, Vec<Paper>> {
    let source = |job: &Job| {
        let printer = known.iter().find(|known| known.id == job.printer)?;
        Some((job.id.clone(), printer.kind.access.source()))
    };
    let sources: BTreeMap<String, Source> = jobs.iter().filter_map(source).collect();
    let mut papers: BTreeMap<String, Vec<Paper>> = BTreeMap::new();
    for paper in all {
        if sources.get(&paper.job).is_some_and(|source| *source != paper.source) {
            continue;
        }
        papers.entry(paper.job.clone()).or_default().push(paper);
    }
    papers
}

/// What is known of jobs beside what a list shows.
struct Books<'a> {
    known: &'a [Known],
    files: &'a [File],
    papers: BTreeMap<String, Vec<Paper>>,
}

impl Books<'_> {
    fn papers_of(&self, job: &Job) -> &[Paper] {
        self.papers.get(&job.id).map_or(&[], Vec::as_slice)
    }

    /// Whether exactly one paper came out, of the whole file, with its copies.
    fn is_right(&self, job: &Job) -> bool {
        let file = self.files.iter().find(|file| file.id == job.document);
        match self.papers_of(job) {
            [paper] => {
                file.is_some_and(|file| paper.size.is_of(file.bytes)) && paper.copies == job.copies
            }
            _ => false,
        }
    }

    fn say<'a>(&self, jobs: impl Iterator<Item = &'a Job>) -> Vec<String> {
        let say = |job: &Job| {
            let printer = self.known.iter().find(|known| known.id == job.printer);
            let printer = printer.map(|known| (known.kind.access, known.kind.words));
            let sizes: Vec<Size> = self.papers_of(job).iter().map(|paper| paper.size).collect();
            format!("{} {} {printer:?} {sizes:?} {:?}", job.id, job.state, job.failure)
        };
        jobs.map(say).collect()
    }
}
