//! Service points: searching them, taking them in, and asking carriers for them.
//!
//! Positions are held in memory, one region for each carrier and country. Every search compares the
//! version of what is held with the one in the store, in the transaction that reads the rows: all
//! servers find the same, and what an import changed is found by the next search.

mod accounts;
mod intake;
mod refresh;

pub use intake::{Intake, Taken};
pub use refresh::{RefreshError, RefreshTimes, refresh_all};

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Mutex;
use uuid::Uuid;
use waybill_domain::fields::read_stored;
use waybill_domain::json::parse;
use waybill_domain::party::Address;
use waybill_domain::point::{Builder, Near, Region};
use waybill_domain::shipment::PickupPoint;
use waybill_store::service_points::{self, Set, Stored};
use waybill_store::{Error, Tx};

use crate::app::App;

/// Positions read with one statement.
const PAGE: i64 = 5000;
/// A search waits this long for new positions; then the old ones, if there are any, must do.
const TIMEOUT: Duration = Duration::from_secs(2);
/// So often an import may come in between before a search takes what it has.
const TRIES: usize = 4;

/// The positions that this server holds.
#[derive(Default)]
pub struct Points {
    regions: RwLock<HashMap<Set, Arc<Held>>>,
    /// Whoever reads positions: one at a time, because each reading holds a connection.
    turn: Mutex<()>,
}

struct Held {
    version: i64,
    region: Region,
}

impl Points {
    fn held(&self, set: &Set) -> Option<Arc<Held>> {
        let regions = self.regions.read().unwrap_or_else(PoisonError::into_inner);
        regions.get(set).cloned()
    }

    fn hold(&self, set: Set, held: Held) {
        let mut regions = self.regions.write().unwrap_or_else(PoisonError::into_inner);
        regions.insert(set, Arc::new(held));
    }

    /// How many points are held, and in how many bytes.
    pub fn size(&self) -> (usize, usize) {
        let regions = self.regions.read().unwrap_or_else(PoisonError::into_inner);
        let sizes = regions.values().map(|held| (held.region.count(), held.region.bytes()));
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}

/// A point that was found, with how far it is.
pub type Found = (Stored, i64);

/// What `look` finds in the set, with the points' rows, in its order.
pub async fn search(
    app: &App,
    set: &Set,
    look: impl Fn(&Region) -> Vec<Near> + Send + Sync + 'static,
) -> Result<Vec<Found>, Error> {
    let look = move |regions: &[&Region]| match regions {
        [region] => (look(region), ()),
        _ => (Vec::new(), ()),
    };
    Ok(search_all(app, std::slice::from_ref(set), look).await?.0)
}

/// The same in several sets at once. `look` is given those that there are, and may say more of what
/// it found.
pub async fn search_all<T: Send + 'static>(
    app: &App,
    sets: &[Set],
    look: impl Fn(&[&Region]) -> (Vec<Near>, T) + Send + Sync + 'static,
) -> Result<(Vec<Found>, T), Error> {
    let look = Arc::new(look);
    let mut is_patient = true;
    for left in (0..TRIES).rev() {
        let known = |set: &Set| (set.clone(), app.points().held(set));
        let held: Vec<(Set, Option<Arc<Held>>)> = sets.iter().map(known).collect();
        let (look, takes_old) = (look.clone(), left == 0 || !is_patient);
        let read = move |tx: &mut Tx<'_>| {
            let (mut regions, mut missing) = (Vec::with_capacity(held.len()), Vec::new());
            for (set, held) in &held {
                let Some(version) = service_points::version(tx, set)? else { continue };
                match held.as_ref().filter(|held| held.version == version || takes_old) {
                    Some(held) => regions.push(&held.region),
                    None => missing.push(set.clone()),
                }
            }
            if !missing.is_empty() {
                return Ok::<_, Error>(Err(missing));
            }
            let (near, more) = look(regions.as_slice());
            Ok(Ok((rows(tx, &near)?, more)))
        };
        let missing = match app.read(read).await? {
            Ok(found) => return Ok(found),
            Err(missing) => missing,
        };
        // A task of its own: the next search profits even when this caller goes away.
        let task = tokio::spawn(gather(app.clone(), missing));
        match tokio::time::timeout(TIMEOUT, task).await {
            Ok(gathered) => gathered.map_err(|error| Error::Broken(error.to_string()))??,
            Err(_) => is_patient = false,
        }
    }
    Err(Error::Unavailable("the service points are being read".to_owned()))
}

fn rows(tx: &mut Tx<'_>, near: &[Near]) -> Result<Vec<Found>, Error> {
    let ids: Vec<Uuid> = near.iter().map(|near| near.id).collect();
    let rows = service_points::find_all(tx, &ids)?;
    let metres = |id: Uuid| near.iter().find(|near| near.id == id).map_or(0, |near| near.metres);
    Ok(rows.into_iter().map(|row| (row.clone(), metres(row.id))).collect())
}

/// Reads the positions of these sets, unless somebody else just did.
async fn gather(app: App, sets: Vec<Set>) -> Result<(), Error> {
    let _turn = app.points().turn.lock().await;
    for set in sets {
        gather_one(&app, set).await?;
    }
    Ok(())
}

async fn gather_one(app: &App, set: Set) -> Result<(), Error> {
    let (held, wanted) = (app.points().held(&set).map(|held| held.version), set.clone());
    let started = app.monotonic();
    let gathered = app.read(move |tx| {
        let version = service_points::version(tx, &wanted)?;
        match version.filter(|version| Some(*version) != held) {
            Some(version) => Ok(Some(Held { version, region: region(tx, &wanted)? })),
            None => Ok::<_, Error>(None),
        }
    });
    let Some(held) = gathered.await? else { return Ok(()) };
    let millis = app.monotonic().saturating_sub(started).as_millis();
    let (points, version, country) = (held.region.count(), held.version, set.country);
    tracing::info!(carrier = set.carrier, %country, points, version, millis, "positions read");
    app.points().hold(set, held);
    let (points, bytes) = app.points().size();
    metrics::gauge!("waybill_service_points").set(points as f64);
    metrics::gauge!("waybill_service_point_bytes").set(bytes as f64);
    Ok(())
}

/// Everything in one snapshot, a page at a time.
fn region(tx: &mut Tx<'_>, set: &Set) -> Result<Region, Error> {
    let mut builder = Builder::default();
    let mut after = Uuid::nil();
    loop {
        let page = service_points::positions(tx, set, after, PAGE)?;
        let Some((last, ..)) = page.last() else { return Ok(builder.build()) };
        after = *last;
        for (id, code, at, postal_key, city_key) in page {
            builder.add((id, &code), at, &postal_key, &city_key);
        }
    }
}

/// The point as it is snapshotted on a shipment.
pub fn snapshot(point: &Stored) -> Result<PickupPoint, Error> {
    let address = parse(point.address.as_bytes()).ok();
    let address = address.and_then(|address| read_stored(&address, Address::read).ok());
    let unreadable =
        || Error::Broken(format!("the address of the service point {} cannot be read", point.id));
    Ok(PickupPoint {
        code: point.code.clone(),
        name: point.name.clone(),
        address: address.ok_or_else(unreadable)?,
        position: point.position,
    })
}
