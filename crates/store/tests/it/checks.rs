//! Each rule of the checks finds what breaks it, and nothing in a healthy database.

use std::time::Duration;

use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{DeliveryId, EventId, ShipmentId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_store::check::{Violation, check, check_integrity, check_recent};
use waybill_store::idempotency::{KeyClaim, claim};
use waybill_store::testing::{Database, Scratch, fresh};
use waybill_store::{deliveries, documents, events, jobs, teams, templates};

use crate::booking::{document, pdf};
use crate::fixtures::{NOW, block_on, id, seed, team, team_id, template};

/// Runs SQL behind the store's back, with foreign keys off.
pub fn vandalise(scratch: &Scratch, sql: &str) {
    if let Some(path) = scratch.url.strip_prefix("sqlite:") {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        return connection.execute_batch(sql).unwrap();
    }
    let mut client = postgres::Client::connect(&scratch.url, postgres::NoTls).unwrap();
    client.batch_execute("SET session_replication_role = replica").unwrap();
    client.batch_execute(sql).unwrap();
}

pub fn rules(scratch: &Scratch, now: Time) -> Vec<&'static str> {
    let found = block_on(scratch.store.read(move |tx| check(tx, now))).unwrap();
    found.into_iter().map(|violation| violation.rule).collect()
}

fn each_database(rule: impl Fn(Scratch)) {
    rule(fresh(Database::Sqlite));
    rule(fresh(Database::Postgres));
}

#[test]
fn rows_whose_owner_is_gone_are_found() {
    each_database(|scratch| {
        block_on(async {
            seed(&scratch.store).await;
            let filled = scratch.store.write(|tx| {
                waybill_store::tokens::insert(tx, &crate::fixtures::token(1, 1), &[1; 32])?;
                templates::insert(tx, team_id(1), &template(1))?;
                jobs::schedule(tx, JobKind::Book, id(1), Some(team_id(1)), NOW)?;
                waybill_store::rates::take(tx, team_id(1), "api", NOW, 1, 1)?;
                events::append_fanned_out(tx, team_id(1), &crate::events::event(1))?;
                documents::insert(tx, team_id(1), &document(1), &pdf())?;
                claim(tx, team_id(1), &request(), (id(1), 201), NOW)
            });
            filled.await.unwrap();
        });
        assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
        vandalise(&scratch, "DELETE FROM team; DELETE FROM app_user;");
        let expected = [
            "a member's team exists",
            "a member's user exists",
            "a token's user exists",
            "a template's team exists",
            "a job's team exists",
            "an idempotency key's team exists",
            "an event's team exists",
            "a document's team exists",
            "a rate limit's team exists",
        ];
        assert_eq!(rules(&scratch, NOW), expected);
    });
}

#[test]
fn what_still_lets_somebody_in_after_a_deletion_is_found() {
    each_database(|scratch| {
        block_on(seed(&scratch.store));
        assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
        vandalise(&scratch, "UPDATE team SET deleted_at = 1; UPDATE app_user SET deleted_at = 1");
        let expected = [
            "nothing of a deleted team lets anybody in or goes on",
            "nothing of a deleted user lets it in",
        ];
        assert_eq!(rules(&scratch, NOW), expected);
    });
}

#[test]
fn a_job_that_a_deleted_team_still_has_after_a_while_is_found() {
    each_database(|scratch| {
        let filled = async {
            seed(&scratch.store).await;
            let at = NOW.plus(Duration::from_hours(1));
            let alarm = move |tx: &mut waybill_store::Tx<'_>| {
                jobs::schedule(tx, JobKind::Deliver, id(1), Some(team_id(1)), at)
            };
            scratch.store.write(alarm).await.unwrap();
        };
        block_on(filled);
        let deleted = format!("DELETE FROM member; UPDATE team SET deleted_at = {}", NOW.0);
        vandalise(&scratch, &deleted);
        let after = |minutes| rules(&scratch, NOW.plus(Duration::from_mins(minutes)));
        assert_eq!(after(5), Vec::<&str>::new());
        assert_eq!(after(6), ["the jobs of a deleted team end"]);
        let recent = move |tx: &mut waybill_store::Tx<'_>| {
            check_recent(tx, NOW.plus(Duration::from_mins(6)))
        };
        assert!(block_on(scratch.store.read(recent)).unwrap().is_empty(), "it reads all jobs");
    });
}

#[test]
fn json_that_does_not_parse_is_found_in_every_chunk() {
    each_database(|scratch| {
        let filled = scratch.store.write(|tx| {
            for number in 1..=450 {
                teams::insert(tx, &team(number), if number == 450 { "{" } else { "{}" })?;
            }
            for number in 1..=450 {
                let shipment = if number % 200 == 0 { "nonsense" } else { "{}" }.to_owned();
                templates::insert(
                    tx,
                    team_id(7),
                    &templates::Template { shipment, ..template(number) },
                )?;
            }
            check(tx, NOW)
        });
        let found = block_on(filled).unwrap();
        let violation = |rule, kind: &str, number| Violation {
            rule,
            subject: format!("{kind} {}", id(number)),
            is_late: false,
        };
        let expected = [
            violation("a team's settings are JSON", "team", 450),
            violation("a template's shipment is JSON", "template", 200),
            violation("a template's shipment is JSON", "template", 400),
        ];
        assert_eq!(found, expected);
    });
}

#[test]
fn a_job_is_stuck_after_five_minutes_and_a_key_is_unbound_after_one() {
    each_database(|scratch| {
        block_on(async {
            seed(&scratch.store).await;
            let filled = scratch.store.write(|tx| {
                jobs::schedule(tx, JobKind::Book, id(1), None, NOW)?;
                claim(tx, team_id(1), &request(), (id(1), 201), NOW)
            });
            filled.await.unwrap();
        });
        vandalise(&scratch, "UPDATE idempotency SET resource = NULL;");
        let after = |seconds| NOW.plus(Duration::from_secs(seconds));
        let unbound = "an accepted idempotency key is bound to what it made";
        assert_eq!(rules(&scratch, after(60)), Vec::<&str>::new());
        assert_eq!(rules(&scratch, after(61)), [unbound]);
        assert_eq!(rules(&scratch, after(301)), ["no job is stuck", unbound]);
        let recent = block_on(scratch.store.read(move |tx| check_recent(tx, after(301)))).unwrap();
        let recent: Vec<_> = recent.into_iter().map(|violation| violation.rule).collect();
        assert_eq!(recent, ["no job is stuck", unbound]);
    });
}

#[test]
fn a_wish_without_a_lease_is_found() {
    each_database(|scratch| {
        let scheduled =
            scratch.store.write(|tx| jobs::schedule(tx, JobKind::Book, id(1), None, NOW));
        block_on(scheduled).unwrap();
        vandalise(&scratch, "UPDATE job SET wanted_at = 1");
        assert_eq!(rules(&scratch, NOW), ["a job is asked for again only while it is leased"]);
    });
}

#[test]
fn an_event_without_its_change_and_one_that_nobody_is_told_of_are_found() {
    each_database(|scratch| {
        block_on(seed(&scratch.store));
        let event = Event::of_shipment(
            EventId(id(9)),
            EventKind::ShipmentBooked,
            NOW,
            ShipmentId(id(1)),
            None,
        );
        let mut again = event.clone();
        again.id = EventId(id(10));
        let appended = scratch.store.write(move |tx| {
            events::append(tx, team_id(1), &event)?;
            events::append(tx, team_id(1), &again)
        });
        block_on(appended).unwrap();
        let about = "an event about a shipment is about what happened to it";
        let once = "what happens once is told once";
        let soon = "an event is soon told to whom it concerns";
        assert_eq!(rules(&scratch, NOW), [about, about, once]);
        let later = rules(&scratch, NOW.plus(Duration::from_mins(6)));
        assert_eq!(later, [about, about, once, soon, soon]);
    });
}

#[test]
fn a_failure_of_which_more_is_known_than_was_told_is_found() {
    let told = "the last that is known of a failed shipment was told";
    let ends = "documents that are tried again come to an end";
    let carriers = "what is cancelled after it was begun was the carrier's";
    let late = "the caller is told by the deadline";
    for (sql, expected) in [
        ("", vec![]),
        ("UPDATE shipment SET updated_at = updated_at + 1", vec![told]),
        ("UPDATE shipment SET state = 'processing'", vec![ends]),
        ("UPDATE shipment SET state = 'processing', ending = NULL; DELETE FROM event", vec![late]),
        ("UPDATE shipment SET state = 'cancelled'", vec![carriers]),
    ] {
        each_database(|scratch| {
            block_on(async {
                crate::booking::shipments_of(&scratch.store, 1..=1).await;
                scratch.store.write(|tx| crate::booking::fail(tx, 1)).await.unwrap();
            });
            vandalise(&scratch, sql);
            let mut found = rules(&scratch, NOW.plus(Duration::from_mins(6)));
            found.retain(|rule| [told, ends, carriers, late].contains(rule));
            assert_eq!(found, expected, "{sql}");
        });
    }
}

#[test]
fn a_delivery_that_nothing_wakes_and_an_attempt_after_a_day_are_found() {
    each_database(|scratch| {
        block_on(crate::webhooks::deliveries_of(&scratch.store, 1..=1));
        vandalise(&scratch, "DELETE FROM job");
        assert_eq!(rules(&scratch, NOW), ["a delivery that waits has an alarm"]);
        let tried = |number: u128, hours| {
            let at = NOW.plus(Duration::from_hours(hours));
            let attempt = crate::webhooks::attempt(number, at);
            move |tx: &mut waybill_store::Tx<'_>| {
                let (delivered_at, next_at) = (None, (number == 1).then_some(at));
                let delivery = DeliveryId(id(1));
                deliveries::record(tx, team_id(1), delivery, &attempt, (delivered_at, next_at))
            }
        };
        block_on(scratch.store.write(tried(1, 0))).unwrap();
        block_on(scratch.store.write(tried(2, 25))).unwrap();
        let late = "nothing is sent later than a day after the first attempt";
        assert_eq!(rules(&scratch, NOW), [late]);
    });
}

#[test]
fn a_parcel_that_is_not_its_history_and_a_feed_with_a_gap_are_found() {
    use crate::tracking::{hear, schedule, trackings_of};
    let healthy = |scratch: &Scratch| {
        block_on(async {
            trackings_of(&scratch.store, 1..=1).await;
            schedule(&scratch.store).await;
            let write = |tx: &mut waybill_store::Tx<'_>| {
                hear(tx, 1, 1, NOW)?;
                hear(tx, 1, 2, NOW)
            };
            scratch.store.write(write).await.unwrap();
        });
        assert_eq!(rules(scratch, NOW), Vec::<&str>::new());
    };
    let fold = "a parcel's summary is the fold of its history";
    let once = "a feed has every position once";
    for (sql, expected) in [
        ("UPDATE tracking SET state = 'OutForDelivery'", vec![fold]),
        ("UPDATE tracking_event SET newest_at = 7 WHERE position = 1", vec![fold]),
        ("DELETE FROM tracking_event WHERE position = 1", vec![once]),
        ("UPDATE tracking_event SET position = 9 WHERE position = 2", vec![once]),
        ("DELETE FROM feed", vec!["what was heard is in a feed"; 2]),
        (
            "UPDATE tracking_event SET state = 'Delivered'",
            vec!["an end has its time", "an end has its time", fold],
        ),
        (
            "DELETE FROM event WHERE kind = 'tracking.updated'",
            vec!["a parcel that was heard of has its event"],
        ),
        (
            "UPDATE event SET occurred_at = 5 WHERE id IN (SELECT id FROM event
              WHERE kind = 'tracking.updated' ORDER BY id LIMIT 1)",
            vec!["an event about a parcel is about something that was heard"],
        ),
        (
            "DELETE FROM job WHERE kind = 'track'",
            vec!["a parcel that is to be looked at has an alarm"],
        ),
        ("DELETE FROM tracking_number", vec!["a parcel is followed in its shipment"]),
        (
            "DELETE FROM tracking_event; DELETE FROM feed; DELETE FROM event; DELETE FROM tracking;
             UPDATE shipment SET accepted_at = 1800000000000000",
            vec!["a parcel that has a number is followed"],
        ),
    ] {
        each_database(|scratch| {
            healthy(&scratch);
            vandalise(&scratch, sql);
            assert_eq!(rules(&scratch, NOW), expected, "{sql}");
        });
    }
}

fn request() -> KeyClaim {
    KeyClaim {
        method: "POST".to_owned(),
        path: "/".to_owned(),
        key: "a".to_owned(),
        fingerprint: [0; 32],
    }
}

#[test]
fn an_index_of_postgresql_that_lacks_a_row_is_found_with_amcheck() {
    let scratch = fresh(Database::Postgres);
    let before = check_integrity(&scratch.store).unwrap();
    assert!(before.looked_at.contains("CREATE EXTENSION amcheck"), "{before:?}");
    vandalise(&scratch, "CREATE EXTENSION amcheck");
    let sound = check_integrity(&scratch.store).unwrap();
    assert!(sound.looked_at.starts_with("amcheck looked at ") && sound.violations.is_empty());
    // An index that is not ready gets no entries.
    let ready = |is_ready: bool| {
        format!(
            "UPDATE pg_index SET indisready = {is_ready} WHERE indexrelid = 'epoch_id'::regclass;"
        )
    };
    vandalise(&scratch, &ready(false));
    let row = "INSERT INTO epoch VALUES (1, gen_random_uuid(), 0, 'copy', NULL);";
    vandalise(&scratch, &format!("{row} {}", ready(true)));
    let broken = check_integrity(&scratch.store).unwrap().violations;
    assert!(broken.iter().any(|found| found.subject.starts_with("epoch_id: ")), "{broken:?}");
}

#[test]
fn a_reference_of_sqlite_that_leads_nowhere_is_found() {
    let scratch = fresh(Database::Sqlite);
    block_on(seed(&scratch.store));
    assert_eq!(check_integrity(&scratch.store).unwrap().violations, Vec::new());
    vandalise(&scratch, "DELETE FROM app_user");
    let broken = check_integrity(&scratch.store).unwrap().violations;
    assert!(broken.iter().any(|found| found.subject.contains("foreign_key_check")), "{broken:?}");
}
