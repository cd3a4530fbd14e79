//! What a server does all the time, through the functions that it uses.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{EventId, TeamId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::quota::Quota;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::webhook::DeliveryState;
use waybill_store::idempotency::KeyClaim;
use waybill_store::retention::SweepPosition;
use waybill_store::shipments::{self, Filter, Sort};
use waybill_store::{
    Error, Tx, attempts, batches, carrier_calls, check, deliveries, documents, events, feed,
    idempotency, jobs, manifests, quotas, reports, trackings,
};

use super::year::Year;

const LEASE: Duration = Duration::from_secs(30);
/// Rows of a page.
const PAGE: usize = 100;
/// What any of these may read, unless it says more.
const FEW: u64 = 1000;

type Work = Arc<dyn Fn(&mut Tx<'_>) -> Result<(), Error> + Send + Sync>;

/// Something that a server does all the time.
pub struct Operation {
    pub name: String,
    /// So many rows may be read for it.
    pub rows: u64,
    pub work: Work,
}

/// All operations, in groups.
#[derive(Default)]
struct Operations(Vec<Operation>);

impl Operations {
    fn add<T>(
        &mut self,
        name: impl Into<String>,
        rows: u64,
        work: impl Fn(&mut Tx<'_>) -> Result<T, Error> + Send + Sync + 'static,
    ) {
        let work = Arc::new(move |tx: &mut Tx<'_>| work(tx).map(drop));
        self.0.push(Operation { name: name.into(), rows, work });
    }
}

/// Everything that must stay cheap.
pub fn all(year: &Year) -> Vec<Operation> {
    let mut operations = Operations::default();
    polled(&mut operations, year);
    followed(&mut operations, year);
    listed(&mut operations, year);
    listed_by_few(&mut operations, year);
    found(&mut operations, year);
    told(&mut operations, year);
    other_lists(&mut operations, year);
    forgotten(&mut operations, year);
    operations.0
}

fn polled(all: &mut Operations, year: &Year) {
    let Year { team, now, .. } = *year;
    all.add("claims of jobs", FEW, move |tx| jobs::claim(tx, JobKind::ALL, now, LEASE, 64));
    all.add("the next job", FEW, |tx| jobs::any_next_due(tx, JobKind::ALL));
    all.add("jobs that are overdue", FEW, move |tx| jobs::any_overdue(tx, now));
    all.add("whether there is a worker", FEW, move |tx| jobs::any_has_no_worker(tx, now));
    all.add("teams whose reports wait", FEW, move |tx| {
        jobs::any_waiting_teams(tx, JobKind::Report, now)
    });
    all.add("a report of a team", FEW, move |tx| {
        jobs::claim_of(tx, JobKind::Report, team, now, LEASE)
    });
    all.add("teams with pending events", FEW, |tx| {
        events::any_pending_teams(tx, TeamId(Uuid::nil()), 100)
    });
    all.add("pending events", FEW, move |tx| events::take_pending(tx, team, 100));
    all.add("parcels without an alarm", FEW, |tx| trackings::any_take_unscheduled(tx, 100));
    all.add("the check of every minute", FEW, move |tx| check::check_recent(tx, now));
    all.add("alarms that cannot be", FEW, move |tx| check::mend_jobs(tx, now, LEASE));
}

fn followed(all: &mut Operations, year: &Year) {
    let Year { team, account, webhook, now, .. } = *year;
    let soon = now.plus(Duration::from_hours(48));
    all.add("parcels that are due", FEW, move |tx| {
        trackings::list_due(tx, team, account, soon, 100)
    });
    all.add("when a parcel is due", FEW, move |tx| trackings::next_poll_at(tx, team, account));
    all.add("deliveries that are due", FEW, move |tx| {
        deliveries::list_due(tx, team, webhook, soon, 100)
    });
    all.add("when a delivery is due", FEW, move |tx| deliveries::next_due(tx, team, webhook));
    all.add("a canary", FEW, move |tx| {
        carrier_calls::find_canary(tx, team, account, "sandbox:letter", (now, now))
    });
}

/// The first page, and those before and after the middle.
fn cursors(year: &Year) -> [(&'static str, Option<Cursor>); 3] {
    let middle = year.count / 2;
    let (at, id) = (year.time(middle).0, year.shipment(middle).into());
    let cursor = |direction| Some(Cursor { direction, at, id, sync_until: None });
    [("first", None), ("next", cursor(Direction::Next)), ("previous", cursor(Direction::Previous))]
}

fn listed(all: &mut Operations, year: &Year) {
    let team = year.team;
    let middle = year.count / 2;
    let text = |text: &str| Some(format!("{text}{middle}"));
    let filters = [
        ("all", Filter::default()),
        ("by reference", Filter { reference: text("ORDER-"), ..Filter::default() }),
        ("by identifier", Filter { identifier: text("SHOP-"), ..Filter::default() }),
        ("by tracking number", Filter { tracking_number: text("TN"), ..Filter::default() }),
        ("booked", Filter { state: Some(ShipmentState::Booked), ..Filter::default() }),
        ("failed", Filter { state: Some(ShipmentState::Failed), ..Filter::default() }),
        ("processing", Filter { state: Some(ShipmentState::Processing), ..Filter::default() }),
        ("of a batch", Filter { batch: Some(Uuid::max()), ..Filter::default() }),
        (
            "since",
            Filter {
                updated_since: Some(year.time(middle)),
                updated_until: Some(year.now),
                ..Filter::default()
            },
        ),
    ];
    for (name, filter) in filters {
        for (sort, order) in [(Sort::CreatedDescending, "newest"), (Sort::Updated, "updated")] {
            // What changed since then may be anywhere among the newest: no index has both orders.
            if filter.updated_since.is_some() && sort == Sort::CreatedDescending {
                continue;
            }
            for (page, cursor) in cursors(year) {
                // PostgreSQL sorts those in a state while they are few: here there are 1000.
                let rows = if filter.state.is_some() { 5 * FEW } else { FEW };
                let filter = filter.clone();
                all.add(format!("shipments {name}, {order}, {page}"), rows, move |tx| {
                    shipments::room(tx, team, &filter, sort, cursor, PAGE)?;
                    shipments::list(tx, team, &filter, sort, cursor, PAGE)
                });
            }
        }
    }
}

/// The lists of a team that has few rows among those of a large one.
fn listed_by_few(all: &mut Operations, year: &Year) {
    let team = year.small_team();
    for (page, cursor) in cursors(year) {
        for (sort, order) in [(Sort::CreatedDescending, "newest"), (Sort::Updated, "updated")] {
            all.add(format!("shipments of a small team, {order}, {page}"), FEW, move |tx| {
                shipments::list(tx, team, &Filter::default(), sort, cursor, PAGE)
            });
        }
        all.add(format!("documents of a small team, {page}"), FEW, move |tx| {
            documents::list(tx, team, &documents::Filter::default(), cursor, PAGE)
        });
        all.add(format!("deliveries of a small team, {page}"), FEW, move |tx| {
            deliveries::list(tx, team, (WebhookId(Uuid::nil()), None), cursor, PAGE)
        });
    }
    all.add("feed of a small team", FEW, move |tx| {
        feed::list(tx, team, feed::Filter::default(), 0, 101)
    });
    all.add("a replay of a small team", FEW, move |tx| {
        events::list_since(tx, team, (Time(0), EventId(Uuid::nil())), 100)
    });
}

fn found(all: &mut Operations, year: &Year) {
    let (team, middle, some) = (year.team, year.count / 2, year.clone());
    let (shipment, document) = (year.shipment(middle), year.document(middle));
    let tracking = year.tracking(middle);
    all.add("a shipment", FEW, move |tx| {
        shipments::find(tx, team, shipment)?;
        documents::list_of(tx, team, SourceKind::Shipment, shipment.into())?;
        carrier_calls::find_open(tx, team, shipment)?;
        carrier_calls::list(tx, team, shipment)?;
        trackings::list_of(tx, team, shipment)?;
        events::list_of(tx, team, shipment.into())
    });
    all.add("files of a page", FEW, move |tx| {
        let ids: Vec<Uuid> = (middle..middle + 100).map(|n| some.shipment(n).into()).collect();
        documents::list_of_all(tx, team, SourceKind::Shipment, &ids)
    });
    all.add("a document", FEW, move |tx| {
        documents::find(tx, team, document)?;
        documents::any_find(tx, document)
    });
    all.add("a parcel by its number", FEW, move |tx| {
        trackings::list_by_number(tx, team, &format!("TN{middle}"), None, None)
    });
    all.add("a parcel", FEW, move |tx| {
        trackings::find(tx, team, tracking)?;
        feed::list_of(tx, team, tracking)?;
        feed::list_seen(tx, team, tracking)
    });
    let (id, at) = (shipment.into(), year.now);
    all.add("an idempotency key", FEW, move |tx| {
        let claim = KeyClaim {
            method: "POST".to_owned(),
            path: "/sample".to_owned(),
            key: format!("key-{middle}"),
            fingerprint: [7; 32],
        };
        idempotency::find(tx, team, &claim)?;
        idempotency::claim(tx, team, &claim, (id, 201), at)
    });
}

fn told(all: &mut Operations, year: &Year) {
    let (team, webhook, middle) = (year.team, year.webhook, year.count / 2);
    let (shipment, tracking) = (year.shipment(middle), year.tracking(middle));
    let (from, delivery) = (year.time(middle), year.delivery(year.within(9)));
    let event = year.event(year.within(9));
    let feeds = [
        ("the feed", feed::Filter::default()),
        ("of a shipment", feed::Filter { shipment: Some(shipment), tracking: None }),
        ("of a parcel", feed::Filter { shipment: None, tracking: Some(tracking) }),
        ("of both", feed::Filter { shipment: Some(shipment), tracking: Some(tracking) }),
    ];
    for (name, filter) in feeds {
        for (page, after) in [("first", 0), ("middle", year.count), ("last", 2 * year.count)] {
            all.add(format!("feed, {name}, {page}"), FEW, move |tx| {
                feed::bounds(tx, team)?;
                feed::is_known_position(tx, team, after, Uuid::nil())?;
                feed::list(tx, team, filter, after, 101)
            });
        }
    }
    for (name, state) in [("all", None), ("failed", Some(DeliveryState::Failed))] {
        for (page, cursor) in cursors(year) {
            let cursor = cursor.map(|cursor| Cursor { id: delivery.into(), ..cursor });
            // Failed ones are few, and those of a month are looked through.
            let rows = if state.is_some() { 150_000 } else { FEW };
            all.add(format!("deliveries {name}, {page}"), rows, move |tx| {
                deliveries::list(tx, team, (webhook, state), cursor, PAGE)
            });
        }
    }
    all.add("a delivery", FEW, move |tx| {
        deliveries::find(tx, team, webhook, delivery)?;
        deliveries::list_attempts(tx, team, delivery)?;
        deliveries::list_of_event(tx, team, event)
    });
    all.add("a replay", FEW, move |tx| {
        events::list_since(tx, team, (from, EventId(Uuid::nil())), 100)
    });
    all.add("new attempts", FEW, move |tx| deliveries::list_tried(tx, team, delivery.into(), 100));
}

fn other_lists(all: &mut Operations, year: &Year) {
    let (team, now) = (year.team, year.now);
    let (from, source) = (year.time(year.count / 2), year.shipment(year.count / 2));
    let filters = [
        ("all", documents::Filter::default()),
        ("of a shipment", documents::Filter { source: Some(source.into()), ..Default::default() }),
        ("labels", documents::Filter { kind: Some("label".to_owned()), ..Default::default() }),
        (
            "for customs",
            documents::Filter { kind: Some("commercial_invoice".to_owned()), ..Default::default() },
        ),
        (
            "of shipments",
            documents::Filter { source_type: Some(SourceKind::Shipment), ..Default::default() },
        ),
        (
            "of reports",
            documents::Filter { source_type: Some(SourceKind::Report), ..Default::default() },
        ),
        ("as XLSX", documents::Filter { format: Some("xlsx".to_owned()), ..Default::default() }),
    ];
    for (name, filter) in filters {
        for (page, cursor) in cursors(year) {
            let filter = filter.clone();
            all.add(format!("documents {name}, {page}"), FEW, move |tx| {
                documents::list(tx, team, &filter, cursor, PAGE)
            });
        }
    }
    for (page, cursor) in cursors(year) {
        all.add(format!("reports, {page}"), FEW, move |tx| reports::list(tx, team, cursor, PAGE));
        all.add(format!("manifests, {page}"), FEW, move |tx| {
            manifests::list(tx, team, cursor, PAGE)
        });
        all.add(format!("batches, {page}"), FEW, move |tx| {
            batches::list(tx, team, None, cursor, PAGE)
        });
    }
    all.add("what is to be handed over", FEW, move |tx| {
        manifests::list_to_close(tx, team, "sandbox", 100)
    });
    all.add("a page of a report of shipments", FEW, move |tx| {
        shipments::list_created(tx, team, (from, now), (from, Uuid::nil()), 500)
    });
    all.add("a page of a report of parcels", FEW, move |tx| {
        trackings::list_created(tx, team, (from, now), (from, Uuid::nil()), 500)
    });
    for quota in
        [Quota::Accounts, Quota::Webhooks, Quota::Templates, Quota::Batches, Quota::Reports]
    {
        all.add(format!("quota {quota:?}"), FEW, move |tx| quotas::count(tx, team, quota));
    }
}

/// Each deletion with something to do, and with nothing.
fn forgotten(all: &mut Operations, year: &Year) {
    let (team, start) = (year.team, SweepPosition::START);
    for (name, before) in [("", year.now), (", nothing", year.time(0))] {
        // All keys of two days are little enough to be read for a thousand.
        all.add(format!("old keys{name}"), 10_000, move |tx| {
            idempotency::any_delete_expired(tx, before, 1000)
        });
        all.add(format!("old deliveries{name}"), 5000, move |tx| {
            deliveries::any_delete_old(tx, before, 200)
        });
        all.add(format!("old attempts{name}"), 5000, move |tx| {
            attempts::any_delete_old(tx, before, start, 200)
        });
        all.add(format!("old reports{name}"), 5000, move |tx| {
            reports::any_delete_old(tx, before, 10)
        });
        all.add(format!("old quarantine{name}"), 5000, move |tx| {
            trackings::any_delete_quarantined(tx, before, 500)
        });
        all.add(format!("old entries{name}"), 5000, move |tx| {
            feed::any_teams(tx, TeamId(Uuid::nil()), 20)?;
            feed::raise_floor(tx, team, before, 1000)
        });
    }
}
