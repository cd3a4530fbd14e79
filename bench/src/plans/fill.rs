//! One booking with everything that can be beside it, and then a year of such bookings.

use std::time::Duration;

use waybill_domain::document::SourceKind;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{DeliveryId, EventId, IdSource, ReportId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::language::Language;
use waybill_domain::report::{ReportFormat, ReportKind, ReportState};
use waybill_domain::tracking::{NewEntry, Status, TrackingEvent, TrackingEventKind, Unreadable};
use waybill_engine::app::App;
use waybill_store::attempts::{self, Attempt, AttemptKind, AttemptOutcome};
use waybill_store::feed::EntryInsert;
use waybill_store::reports::Report;
use waybill_store::shipments::{self, Shipment};
use waybill_store::webhooks::Webhook;
use waybill_store::{Error, Tx, deliveries, events, feed, jobs, reports, trackings};
use waybill_store::{idempotency, webhooks};

use super::year::{Copier, Kind, Year};
use crate::measure::Failure;
use crate::scratch::Account;

const LATER: Duration = Duration::from_secs(60);
const MUCH_LATER: Duration = Duration::from_hours(24);

/// Adds to the only booking what others leave beside theirs, one row of each.
pub fn sample(app: &App, account: &Account, count: i64) -> Result<Year, Failure> {
    let (team, now, ids) = (account.team, app.now(), app.ids().clone());
    let year = app.store().blocking_write(move |tx| {
        let sort = shipments::Sort::CreatedDescending;
        let filter = shipments::Filter::default();
        let found = shipments::list(tx, team, &filter, sort, None, 1)?.into_iter().next();
        let shipment = found.ok_or_else(|| Error::Broken("nothing is booked".to_owned()))?;
        let webhook = WebhookId(ids.uuid());
        let year = Year { team, account: shipment.account, webhook, count, now };
        add_delivery(tx, &year, ids.as_ref())?;
        add_report(tx, &year, ids.as_ref())?;
        add_history(tx, &year, &shipment, ids.as_ref())?;
        let tried = Attempt::documents_wanted("request", now);
        let tried = Attempt { kind: AttemptKind::Book, outcome: AttemptOutcome::Failed, ..tried };
        attempts::insert(tx, team, shipment.id, &tried)?;
        let key = idempotency::KeyClaim {
            method: "POST".to_owned(),
            path: "/sample".to_owned(),
            key: "sample".to_owned(),
            fingerprint: [7; 32],
        };
        idempotency::claim(tx, team, &key, (shipment.id.into(), 201), now)?;
        jobs::schedule(tx, JobKind::Deliver, webhook.into(), Some(team), now)?;
        Ok::<_, Error>(year)
    })?;
    Ok(year)
}

fn add_delivery(tx: &mut Tx<'_>, year: &Year, ids: &dyn IdSource) -> Result<(), Error> {
    let Year { team, webhook, now, .. } = *year;
    let subscribed = Webhook {
        id: webhook,
        url: "https://shop.example.com/hook".to_owned(),
        kinds: "report.ready".to_owned(),
        is_active: true,
        disabled_reason: None,
        secrets: vec![1],
        batch: None,
        failing_since: None,
        created_at: now,
        updated_at: now,
    };
    webhooks::insert(tx, team, &subscribed)?;
    let about = ("report_uuid", ids.uuid());
    let event = Event::new(EventId(ids.uuid()), EventKind::ReportReady, now, about);
    events::append(tx, team, &event)?;
    let id = DeliveryId(ids.uuid());
    deliveries::insert(tx, team, id, (webhook, event.id), now)?;
    let attempt = deliveries::Attempt {
        id: ids.uuid(),
        attempted_at: now,
        status: Some(200),
        latency_micros: 9000,
        response: Some("ok".to_owned()),
        error: None,
    };
    deliveries::record(tx, team, id, &attempt, (Some(now), None))
}

fn add_report(tx: &mut Tx<'_>, year: &Year, ids: &dyn IdSource) -> Result<(), Error> {
    let Year { team, now, .. } = *year;
    let report = Report {
        id: ReportId(ids.uuid()),
        kind: ReportKind::Shipments,
        from_at: now,
        to_at: now.plus(LATER),
        formats: vec![ReportFormat::Xlsx],
        language: Language::En,
        state: ReportState::Pending,
        created_at: now,
        updated_at: now,
    };
    reports::insert(tx, team, &report)?;
    let about = ("report_uuid", report.id.into());
    let event = Event::new(EventId(ids.uuid()), EventKind::ReportReady, now, about);
    reports::end(tx, team, report.id, ReportState::Ready, &event)?;
    Ok(())
}

fn add_history(
    tx: &mut Tx<'_>,
    year: &Year,
    shipment: &Shipment,
    ids: &dyn IdSource,
) -> Result<(), Error> {
    let Year { team, now, .. } = *year;
    let followed = trackings::list_of(tx, team, shipment.id)?.into_iter().next();
    let mut parcel = followed.ok_or_else(|| Error::Broken("no parcel is followed".to_owned()))?;
    let event = TrackingEvent {
        kind: TrackingEventKind::Seen(Status::AtTerminal),
        happened_at: Some(now),
        location: Some("Taulov".to_owned()),
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: [7; 32],
    };
    parcel.summary.apply(&event, now);
    let entry = EntryInsert {
        id: ids.uuid(),
        event_id: ids.uuid(),
        tracking: parcel.id,
        shipment: shipment.id,
        entry: NewEntry { event, after: parcel.summary },
    };
    feed::publish(tx, team, &[entry], now)?;
    let unreadable = Unreadable::new("{}", "the code is unknown");
    trackings::quarantine(tx, team, parcel.id, &unreadable, now).map(drop)
}

/// Copies the booking, and what is beside it for as long as that is kept.
pub fn year(app: &App, year: &Year) -> Result<(), Failure> {
    let copier = &Copier { store: app.store(), year };
    bookings(copier)?;
    papers(copier)?;
    told(copier)?;
    followed(copier)?;
    leftovers(copier)?;
    small_team(copier)
}

/// A few shipments of another team, with their labels.
fn small_team(copier: &Copier<'_>) -> Result<(), Failure> {
    let (once, few, made) = ((1, 1, 1), (1, 30, 1), copier.time(Duration::ZERO));
    let team = copier.value(copier.year.small_team().into());
    copier.copy("team", once, &[("id", team.clone()), ("domain", text("'small.example.com'"))])?;
    let id = copier.id(Kind::OfSmallTeam);
    copier.copy("carrier_account", once, &[("team", team.clone()), ("id", id.clone())])?;
    let shipment = [
        ("team", team.clone()),
        ("id", id.clone()),
        ("account", copier.value(copier.year.small_account())),
        ("created_at", made.clone()),
        ("updated_at", made),
    ];
    copier.copy("shipment", few, &shipment)?;
    copier.copy("document", few, &[("team", team), ("id", id.clone()), ("source", id)])
}

fn now(copier: &Copier<'_>, later: Duration) -> String {
    copier.year.now.plus(later).0.to_string()
}

fn text(value: &str) -> String {
    value.to_owned()
}

fn bookings(copier: &Copier<'_>) -> Result<(), Failure> {
    let count = copier.year.count;
    let all = (1, count, 1);
    let (id, made) = (copier.id(Kind::Shipment), copier.time(Duration::ZERO));
    let booked = copier.time(LATER);
    let manifest = copier.id(Kind::Manifest);
    // The newest are not handed over yet.
    let manifest = format!("CASE WHEN i > {} THEN NULL ELSE {manifest} END", count - 1000);
    copier.copy(
        "shipment",
        all,
        &[
            ("id", id.clone()),
            ("state", text("CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'booked' END")),
            ("reference", text("'ORDER-' || i")),
            ("identifier", text("'SHOP-' || i")),
            ("manifest", manifest),
            ("deadline_at", booked.clone()),
            ("give_up_at", booked.clone()),
            ("called_at", made.clone()),
            ("created_at", made.clone()),
            ("updated_at", booked.clone()),
            ("accepted_at", booked.clone()),
            ("booked_at", booked),
        ],
    )?;
    let number = ("number", text("'TN' || i"));
    copier.copy("tracking_number", all, &[("shipment", id.clone()), number])?;
    let call = [
        ("shipment", id.clone()),
        ("reference", text("'CALL-' || i")),
        ("started_at", made.clone()),
        ("ended_at", made.clone()),
    ];
    copier.copy("carrier_call", all, &call)?;
    let tried = (copier.year.within(90) / 50 * 50 + 50, count, 50);
    copier.copy("attempt", tried, &[("shipment", id), ("tried_at", made)])
}

fn papers(copier: &Copier<'_>) -> Result<(), Failure> {
    let (all, made) = ((1, copier.year.count, 1), copier.time(Duration::ZERO));
    let blob = |salt| [("hash", copier.hash(salt)), ("bytes", copier.bytes())];
    copier.copy("blob", all, &blob(1))?;
    let times = [("created_at", made.clone()), ("updated_at", made.clone())];
    let file = [
        ("id", copier.id(Kind::Document)),
        ("source_type", format!("'{}'", SourceKind::Shipment.name())),
        ("types", text("'label'")),
        ("format", text("'pdf'")),
        ("source", copier.id(Kind::Shipment)),
        ("hash", copier.hash(1)),
    ];
    copier.copy("document", all, &[file.as_slice(), &times].concat())?;
    let some = (1, copier.year.count, (copier.year.count / 2000).max(1));
    let temporary = [("is_temporary", text("TRUE"))];
    copier.copy("blob", some, &[blob(2).as_slice(), &temporary].concat())?;
    let file = [
        ("id", copier.id(Kind::ReportFile)),
        ("source_type", format!("'{}'", SourceKind::Report.name())),
        ("types", text("'report'")),
        ("format", text("'xlsx'")),
        ("source", copier.id(Kind::Report)),
        ("hash", copier.hash(2)),
    ];
    copier.copy("document", some, &[file.as_slice(), &times].concat())?;
    let report = [("id", copier.id(Kind::Report))];
    copier.copy("report", some, &[report.as_slice(), &times].concat())
}

fn told(copier: &Copier<'_>) -> Result<(), Failure> {
    let year = copier.year;
    let made = copier.time(Duration::ZERO);
    let event = [
        ("id", copier.id(Kind::Event)),
        ("kind", text("'shipment.booked'")),
        ("subject", copier.id(Kind::Shipment)),
        ("occurred_at", made.clone()),
    ];
    copier.copy("event", (1, year.count, 1), &event)?;
    let month = (year.within(30), year.count, 1);
    let delivery = [
        ("id", copier.id(Kind::Delivery)),
        ("event", copier.id(Kind::Event)),
        ("state", text("CASE WHEN i % 500 = 0 THEN 'failed' ELSE 'delivered' END")),
        ("created_at", made.clone()),
    ];
    copier.copy("delivery", month, &delivery)?;
    let attempt = [
        ("id", copier.id(Kind::DeliveryAttempt)),
        ("delivery", copier.id(Kind::Delivery)),
        ("attempted_at", made.clone()),
    ];
    copier.copy("delivery_attempt", month, &attempt)?;
    // What waits is little: the newest.
    let newest = (year.count - 100, year.count, 1);
    let pending = [("event", copier.id(Kind::Event)), ("since", made.clone())];
    copier.copy("pending_event", newest, &pending)?;
    let key = [("key", text("'key-' || i")), ("accepted_at", made)];
    copier.copy("idempotency", (year.within(2), year.count, 1), &key)
}

fn followed(copier: &Copier<'_>) -> Result<(), Failure> {
    let year = copier.year;
    let (all, made) = ((1, year.count, 1), copier.time(Duration::ZERO));
    // A parcel is asked about for two weeks.
    let (recent, next) = (year.within(14), now(copier, MUCH_LATER));
    let parcel = [
        ("id", copier.id(Kind::Tracking)),
        ("shipment", copier.id(Kind::Shipment)),
        ("parcel", copier.id(Kind::Tracking)),
        ("number", text("'TN' || i")),
        ("look_at", format!("CASE WHEN i < {recent} THEN NULL ELSE {next} - i % 86000 END")),
        ("updated_at", made.clone()),
        ("created_at", made.clone()),
    ];
    copier.copy("tracking", all, &parcel)?;
    for turn in 0..2 {
        let entry = [
            ("position", format!("2 * i + {turn}")),
            ("id", copier.id(Kind::Entry)),
            ("event", copier.id(Kind::TrackingEvent)),
            ("tracking", copier.id(Kind::Tracking)),
            ("shipment", copier.id(Kind::Shipment)),
            ("fingerprint", copier.hash(turn)),
            ("recorded_at", made.clone()),
            ("published_at", made.clone()),
        ];
        copier.copy("tracking_event", all, &entry)?;
    }
    let last = 2 * year.count + 1;
    copier.store.blocking_write(move |tx| tx.exec("UPDATE feed SET last = $1", &[last.into()]))?;
    let strange = [("tracking", copier.id(Kind::Tracking)), ("recorded_at", made.clone())];
    copier.copy("tracking_quarantine", (year.within(90), year.count, 200), &strange)?;
    let newest = (year.count - 100, year.count, 1);
    let waiting = [("tracking", copier.id(Kind::Tracking)), ("since", made)];
    copier.copy("unscheduled_tracking", newest, &waiting)
}

/// Few jobs are alive at once, and half of these are due.
fn leftovers(copier: &Copier<'_>) -> Result<(), Failure> {
    let year = copier.year;
    let due = format!("CASE WHEN i % 2 = 0 THEN {} ELSE {} END", now(copier, Duration::ZERO), {
        now(copier, MUCH_LATER)
    });
    let job = [
        ("kind", text("'book'")),
        ("subject", copier.id(Kind::Job)),
        ("team", text("sample.team")),
        ("run_at", due),
        ("due_at", text("NULL")),
        ("wanted_at", text("NULL")),
    ];
    copier.copy("job", (year.count - 200, year.count, 1), &job)
}
