//! Requests of the first version of the API: the same one is one shipment while that is open.

use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ShipmentId};
use waybill_domain::json::Json;
use waybill_store::legacy::{self, Combination, LegacyBooking};
use waybill_store::team_deletion::{self, TeamDeletion};
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Options, Store, Tx, plans, shipments, statistics};

use crate::booking::{fail, shipment, shipments_of};
use crate::fixtures::{NOW, act, id, seconds, team_id};

const SAME: [u8; 32] = [7; 32];

fn booking(number: u128) -> LegacyBooking {
    LegacyBooking {
        shipment: ShipmentId(id(number)),
        is_demo: false,
        carrier: "postnord".to_owned(),
        method: "agent".to_owned(),
        kept: Json::object([("receiver", "Ada Jensen".into())]),
    }
}

fn add(tx: &mut Tx<'_>, number: u128, fingerprint: Option<&[u8; 32]>) -> Result<bool, Error> {
    legacy::insert(tx, team_id(1), &booking(number), fingerprint, NOW)
}

/// Stores a shipment for the same request, unless there is one.
async fn accept_once(store: Store, number: u128) -> bool {
    let accepted = store.write(move |tx| {
        shipments::insert(tx, team_id(1), &shipment(number))?;
        match add(tx, number, Some(&SAME))? {
            true => Ok(()),
            // What came before must not be committed.
            false => Err(Error::Unavailable("another was first".to_owned())),
        }
    });
    accepted.await.is_ok()
}

both! {
    async fn the_same_request_many_times_at_once_on_two_servers_is_one_shipment(store, url) {
        shipments_of(&store, 100..=100).await;
        let other = Store::open(&url, Options::default()).unwrap();
        let all = (1..=10).map(|number| {
            let store = if number % 2 == 0 { store.clone() } else { other.clone() };
            tokio::spawn(accept_once(store, number))
        });
        let mut accepted = 0;
        for one in all.collect::<Vec<_>>() {
            accepted += usize::from(one.await.unwrap());
        }
        assert_eq!(accepted, 1);
        let count = |tx: &mut Tx<'_>| shipments::count(tx, team_id(1));
        assert_eq!(store.read(count).await.unwrap(), 2, "with the one that was there before");
        // None of these has a job, which is a rule of shipments.
        let forget = |tx: &mut Tx<'_>| {
            tx.exec("DELETE FROM legacy_booking", &[])?;
            tx.exec("DELETE FROM shipment WHERE id <> $1", &[id(100).into()])
        };
        store.write(forget).await.unwrap();
    }

    async fn what_is_closed_leaves_room_for_the_next_and_tells_when_it_was_answered(store) {
        shipments_of(&store, 1..=4).await;
        let open = |tx: &mut Tx<'_>| legacy::find_open(tx, team_id(1), &SAME);
        store.write(|tx| add(tx, 1, Some(&SAME))).await.unwrap();
        assert!(!store.write(|tx| add(tx, 2, Some(&SAME))).await.unwrap());
        assert_eq!(store.read(open).await.unwrap(), Some((ShipmentId(id(1)), NOW, None)));
        let close = |tx: &mut Tx<'_>| legacy::close(tx, team_id(1), ShipmentId(id(1)));
        store.write(close).await.unwrap();
        assert!(store.write(|tx| add(tx, 2, Some(&SAME))).await.unwrap());
        let answer = |tx: &mut Tx<'_>| {
            legacy::set_answered(tx, team_id(1), ShipmentId(id(2)), NOW)?;
            legacy::set_answered(tx, team_id(1), ShipmentId(id(2)), NOW.plus(seconds(9)))
        };
        store.write(answer).await.unwrap();
        let answered = Some((ShipmentId(id(2)), NOW, Some(NOW)));
        assert_eq!(store.read(open).await.unwrap(), answered, "the first time counts");
        let close = |tx: &mut Tx<'_>| legacy::close(tx, team_id(1), ShipmentId(id(2)));
        store.write(close).await.unwrap();
        assert_eq!(store.read(open).await.unwrap(), None);
        assert!(store.write(|tx| add(tx, 3, Some(&SAME))).await.unwrap());
        // One that has a key stands beside it.
        assert!(store.write(|tx| add(tx, 4, None)).await.unwrap());
        let other = |tx: &mut Tx<'_>| legacy::find_open(tx, team_id(2), &SAME);
        assert_eq!(store.read(other).await.unwrap(), None, "another team");
    }

    async fn what_was_sent_is_erased_with_the_shipment(store) {
        shipments_of(&store, 1..=2).await;
        let deleted = store.write(|tx| {
            add(tx, 1, Some(&SAME))?;
            add(tx, 2, None)?;
            fail(tx, 1)?;
            let (event, subject) = (EventId(id(900)), ShipmentId(id(1)));
            let event = Event::of_shipment(event, EventKind::ShipmentDeleted, NOW, subject, None);
            shipments::delete(tx, team_id(1), subject, &event, NOW)
        });
        assert!(deleted.await.unwrap());
        let ids = [ShipmentId(id(1)), ShipmentId(id(2))];
        let left = store.read(move |tx| legacy::list_of(tx, team_id(1), &ids)).await.unwrap();
        assert_eq!(left, [booking(2)]);
        let gone = |tx: &mut Tx<'_>| legacy::find(tx, team_id(1), ShipmentId(id(1)));
        assert_eq!(store.read(gone).await.unwrap(), None);
    }

    async fn a_deleted_team_keeps_nothing_of_what_was_sent(store) {
        shipments_of(&store, 1..=1).await;
        let deleted = store.write(|tx| {
            add(tx, 1, None)?;
            fail(tx, 1)?;
            let combination = Combination {
                id: id(5),
                team: team_id(1),
                shipments: vec![ShipmentId(id(1))],
                expires_at: NOW,
            };
            legacy::insert_combination(tx, &combination)?;
            tx.exec("DELETE FROM job", &[])?;
            team_deletion::delete(tx, team_id(1), &act(950))
        });
        assert_eq!(deleted.await.unwrap(), TeamDeletion::Done(Vec::new()));
        for table in
            ["SELECT count(*) FROM legacy_booking", "SELECT count(*) FROM legacy_combination"]
        {
            let left = store.read(move |tx| tx.one::<i64>(table, &[])).await;
            assert_eq!(left.unwrap(), Some(0), "{table}");
        }
    }

    async fn combined_labels_are_found_until_their_link_is_long_over(store) {
        shipments_of(&store, 1..=1).await;
        let combination = |number: u128, after: u64| Combination {
            id: id(number),
            team: team_id(1),
            shipments: vec![ShipmentId(id(3)), ShipmentId(id(1))],
            expires_at: NOW.plus(seconds(after)),
        };
        let left = store.write(move |tx| {
            legacy::insert_combination(tx, &combination(5, 10))?;
            legacy::insert_combination(tx, &combination(6, 20))?;
            let before = NOW.plus(seconds(20));
            assert_eq!(legacy::any_delete_expired_combinations(tx, before, 10)?, 1);
            Ok::<_, Error>((legacy::any_find_combination(tx, id(5))?,
                legacy::any_find_combination(tx, id(6))?))
        });
        assert_eq!(left.await.unwrap(), (None, Some(combination(6, 20))));
    }

    async fn numbered_pages_go_back_from_the_newest(store) {
        shipments_of(&store, 1..=5).await;
        let page = |offset: i64| {
            let store = store.clone();
            async move {
                let read = move |tx: &mut Tx<'_>| {
                    shipments::list_numbered(tx, team_id(1), offset, 2)
                };
                let rows = store.read(read).await.unwrap();
                rows.iter().map(|row| row.id.0.as_u128()).collect::<Vec<_>>()
            }
        };
        assert_eq!(page(0).await, [5, 4]);
        assert_eq!(page(4).await, [1]);
        assert!(page(6).await.is_empty());
    }
}

#[tokio::test]
async fn a_request_that_comes_again_is_found_without_a_walk() {
    let scratch = fresh(Database::Sqlite);
    statistics::take();
    let read = |tx: &mut Tx<'_>| {
        legacy::find_open(tx, team_id(1), &SAME)?;
        legacy::list_of(tx, team_id(1), &[ShipmentId(id(1))])?;
        legacy::any_find_combination(tx, id(1))?;
        shipments::list_numbered(tx, team_id(1), 0, 15)?;
        Ok::<_, Error>(())
    };
    scratch.store.read(read).await.unwrap();
    let all = statistics::take();
    let ours: Vec<&'static str> =
        all.iter().map(|(sql, _)| *sql).filter(|sql| sql.starts_with("SELECT")).collect();
    assert_eq!(ours.len(), 4);
    for sql in ours {
        let plan = scratch.store.read(move |tx| plans::any_explain(tx, sql)).await.unwrap();
        let plan = plan.join("; ");
        assert!(plan.contains("SEARCH") && !plan.contains("SCAN"), "{plan}");
    }
}
