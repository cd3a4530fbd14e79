//! Compares three tellings of the same story: the carrier's journal, the database, the clients.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;
use waybill_store::{Error, FromRow, Options, Row, Store};

use super::Failure;
use super::load::Told;
use super::site::Site;

/// What becomes of a booking is known by then at the latest, and a little later in the database.
const DEADLINE: Duration = Duration::from_secs(130);

/// The longest wait for bookings that can be found out about. After a mistake some never end.
pub fn drain_max(is_mistaken: bool) -> Duration {
    Duration::from_secs(if is_mistaken { 5 } else { 90 })
}

/// A shipment as the database has it.
struct Shipment {
    id: String,
    reference: Option<String>,
    service: String,
    state: String,
    ending: Option<String>,
    age: Duration,
}

impl FromRow for Shipment {
    fn from_row(row: &mut Row<'_>) -> Result<Shipment, Error> {
        let id: Uuid = row.next()?;
        let (reference, service, state) = (row.next()?, row.next()?, row.next()?);
        let (ending, micros): (_, i64) = (row.next()?, row.next()?);
        let age = Duration::from_micros(u64::try_from(micros).unwrap_or(0));
        Ok(Shipment { id: id.to_string(), reference, service, state, ending, age })
    }
}

impl Shipment {
    /// Whether its outcome may stay unknown until the deadline: the carrier cannot be asked, or
    /// fails every time.
    fn may_wait(&self) -> bool {
        let reference = self.reference.as_deref().unwrap_or("");
        self.is_blind() || reference.contains("sim:error")
    }

    /// Whether the carrier was told to keep its documents back, or a part of the parcels.
    fn may_lack_papers(&self) -> bool {
        let reference = self.reference.as_deref().unwrap_or("");
        reference.contains("sim:documents") || reference.contains("sim:partial")
    }

    fn is_blind(&self) -> bool {
        self.service.ends_with("no_lookup")
    }

    fn is_stuck(&self) -> bool {
        self.state == "processing" && !(self.may_wait() && self.age < DEADLINE)
    }
}

/// What does not agree, by rule, in the order in which the rules were held against it.
#[derive(Default, Debug)]
pub struct Violations(Vec<(&'static str, usize)>);

impl Violations {
    /// Whether everything agrees.
    pub fn is_none(&self) -> bool {
        self.0.iter().all(|(_, count)| *count == 0)
    }

    /// Counts what was found against a rule, and tells the first of it.
    pub fn count(&mut self, rule: &'static str, found: &[String]) {
        match self.0.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, count)) => *count += found.len(),
            None => self.0.push((rule, found.len())),
        }
        for subject in found.iter().take(5) {
            eprintln!("{rule}: {subject}");
        }
    }

    /// How often this rule is broken.
    pub fn of(&self, rule: &str) -> usize {
        self.0.iter().find(|(known, _)| *known == rule).map_or(0, |(_, count)| *count)
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(rule, count)| format!("{rule} {count}"));
        f.write_str(&counts.collect::<Vec<_>>().join(" "))
    }
}

async fn shipments(store: &Store) -> Result<Vec<Shipment>, Failure> {
    let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_micros())?;
    let read = move |tx: &mut waybill_store::Tx<'_>| {
        tx.all(
            "SELECT id, reference, service_code, state, ending, $1 - created_at FROM shipment",
            &[now.into()],
        )
    };
    Ok(store.read(read).await?)
}

/// Waits until nothing that can be found out is unknown, but not forever.
pub async fn drain(site: &Site, max: Duration) -> Result<(), Failure> {
    let store = Store::open(&site.url, Options::default())?;
    let started = tokio::time::Instant::now();
    while started.elapsed() < max {
        let open = shipments(&store).await?;
        let unsettled = "SELECT count(*) FROM job WHERE kind = 'cancel' AND run_at IS NOT NULL";
        let cancelling = store.read(move |tx| tx.one::<i64>(unsettled, &[])).await?;
        let is_open = |shipment: &Shipment| shipment.state == "processing" && !shipment.may_wait();
        if !open.iter().any(is_open) && cancelling == Some(0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    store.close().await;
    Ok(())
}

/// How often the carrier has booked each reference.
pub fn bookings(site: &Site) -> Result<BTreeMap<String, usize>, Failure> {
    journaled(site, "booked")
}

/// How often the carrier's journal says this of each reference.
fn journaled(site: &Site, kind: &str) -> Result<BTreeMap<String, usize>, Failure> {
    let mut counts = BTreeMap::new();
    for line in site.journal()?.lines() {
        let line: Value = serde_json::from_str(line)?;
        if line["type"] == kind {
            let reference = line["customer_reference"].as_str().unwrap_or("").to_owned();
            *counts.entry(reference).or_default() += 1;
        }
    }
    Ok(counts)
}

/// Everything that does not agree, and how many shipments are booked.
pub async fn check(site: &Site, told: &Told) -> Result<(usize, Violations), Failure> {
    let store = Store::open(&site.url, Options::default())?;
    let rows = shipments(&store).await?;
    store.close().await;
    let bookings = bookings(site)?;
    let mut violations = Violations::default();
    let names = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();

    let twice = bookings.iter().filter(|(_, count)| **count > 1);
    violations.count("duplicates", &names(twice.map(|(reference, _)| reference).collect()));

    let kept: BTreeSet<&String> =
        rows.iter().filter(|row| row.state != "deleted").map(|row| &row.id).collect();
    let is_lost = |ids: &BTreeSet<String>| ids.iter().any(|id| !kept.contains(id));
    let lost = told.shipments.iter().filter(|(_, ids)| is_lost(ids)).map(|(name, _)| name);
    let lost: BTreeSet<&String> = lost.chain(&told.deleted).collect();
    violations.count("lost", &names(lost.into_iter().collect()));

    let mut by_reference: BTreeMap<&String, Vec<&Shipment>> = BTreeMap::new();
    for row in &rows {
        by_reference.entry(row.reference.as_ref().unwrap_or(&row.id)).or_default().push(row);
    }
    let is_double = |reference: &String, rows: &[&Shipment]| {
        rows.len() > 1 || told.shipments.get(reference).is_some_and(|ids| ids.len() > 1)
    };
    let double = by_reference.iter().filter(|(name, rows)| is_double(name, rows));
    violations.count("double keys", &names(double.map(|(name, _)| *name).collect()));

    let is_phantom = |row: &&Shipment| {
        let known = row.reference.as_ref().and_then(|reference| bookings.get(reference));
        row.state == "booked" && known.is_none()
    };
    violations.count("phantom", &said(rows.iter().filter(is_phantom)));

    let is_kept = |rows: &Vec<&Shipment>| {
        let is_told = |row: &&Shipment| {
            let is_known = matches!(row.state.as_str(), "booked" | "processing" | "cancelled");
            let may_fail = match row.ending.as_deref() {
                Some("deadline") => row.is_blind(),
                Some("technical") => row.may_lack_papers(),
                _ => false,
            };
            is_known || (row.state == "failed" && may_fail)
        };
        rows.iter().any(is_told)
    };
    let orphans = bookings.keys().filter(|name| !by_reference.get(name).is_some_and(is_kept));
    violations.count("orphan", &names(orphans.collect()));

    violations.count("cancellations", &cancellations(&rows, &journaled(site, "cancelled")?, told));
    violations.count("stuck", &said(rows.iter().filter(|row| row.is_stuck())));
    violations.count("broken rules", &site.complaints()?);
    violations.count("undeclared answers", &site.caller.undeclared());
    violations.count("refused", &told.refused);
    Ok((rows.iter().filter(|row| row.state == "booked").count(), violations))
}

/// What is cancelled here and not there, there and not here, twice, or unasked.
fn cancellations(rows: &[Shipment], there: &BTreeMap<String, usize>, told: &Told) -> Vec<String> {
    let reference = |row: &Shipment| row.reference.clone().unwrap_or_default();
    let here: BTreeSet<String> =
        rows.iter().filter(|row| row.state == "cancelled").map(reference).collect();
    let twice = there.iter().filter(|(_, count)| **count > 1).map(|(name, _)| ("twice", name));
    let lost = there.keys().filter(|name| !here.contains(*name)).map(|name| ("only there", name));
    let phantom =
        here.iter().filter(|name| !there.contains_key(*name)).map(|name| ("only here", name));
    let unasked = there.keys().filter(|name| !told.cancelling.contains(*name));
    let broken = told.cancelled.iter().filter(|name| !here.contains(*name));
    let all = twice.chain(lost).chain(phantom).chain(unasked.map(|name| ("unasked", name)));
    let all = all.chain(broken.map(|name| ("said to be cancelled", name)));
    all.map(|(what, name)| format!("{what}: {name}")).collect()
}

fn said<'a>(rows: impl Iterator<Item = &'a Shipment>) -> Vec<String> {
    let say =
        |row: &Shipment| format!("{} {:?} {} {:?}", row.id, row.reference, row.state, row.ending);
    rows.map(say).collect()
}
