//! Trackings and the feed, on both databases.

use waybill_domain::event::{Event as Told, EventKind};
use waybill_domain::ids::{AccountId, EventId, ShipmentId, TeamId, TrackingId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Known, NewEntry, State, Status, TrackingEvent, TrackingEventKind, TrackingReport,
    TrackingSummary, Unreadable, diff, fingerprint,
};
use waybill_store::feed::{self, EntryInsert, FeedBounds, Filter};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Options, Store, Tx, jobs, shipments};

use crate::booking::shipments_of;
use crate::fixtures::{NOW, id, seconds, team_id};

pub fn tracking(number: u128) -> Tracking {
    Tracking {
        id: TrackingId(id(1000 + number)),
        shipment: ShipmentId(id(1 + number % 2)),
        parcel: id(2000 + number),
        place: i64::try_from(number).unwrap(),
        account: AccountId(id(1)),
        carrier_code: "sandbox".to_owned(),
        service_code: "sandbox:home".to_owned(),
        number: format!("N{number}"),
        url: None,
        summary: TrackingSummary::default(),
        created_at: NOW,
        look_at: Some(NOW.plus(seconds(u64::try_from(number).unwrap()))),
    }
}

/// Two shipments and so many parcels.
pub async fn trackings_of(store: &Store, numbers: std::ops::RangeInclusive<u128>) {
    shipments_of(store, 1..=2).await;
    let write = move |tx: &mut Tx<'_>| {
        for number in numbers.clone() {
            let row = tracking(number);
            shipments::insert_tracking_number(tx, team_id(1), &row.number, row.shipment)?;
            trackings::insert(tx, team_id(1), &row)?;
            trackings::insert(tx, team_id(1), &row)?;
        }
        Ok::<_, Error>(())
    };
    store.write(write).await.unwrap();
}

/// Something is heard of a parcel, and published.
pub fn hear(tx: &mut Tx<'_>, number: u128, n: u128, at: Time) -> Result<(), Error> {
    let mut row = trackings::find(tx, team_id(1), tracking(number).id)?.unwrap();
    let event = TrackingEvent {
        kind: TrackingEventKind::Seen(Status::AtTerminal),
        happened_at: Some(at),
        location: Some("Taulov".to_owned()),
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&[&n.to_string()]),
    };
    row.summary.apply(&event, at);
    let about = ("tracking_uuid", row.id.into());
    let told = Told::new(EventId(id(50_000 + n)), EventKind::TrackingUpdated, at, about);
    trackings::change(tx, team_id(1), row.id, &row.summary, row.look_at, &told)?;
    let insert = EntryInsert {
        id: id(60_000 + n),
        event_id: id(70_000 + n),
        tracking: row.id,
        shipment: row.shipment,
        entry: NewEntry { event, after: row.summary },
    };
    feed::publish(tx, team_id(1), &[insert], at)
}

fn positions(entries: &[feed::FeedEntry]) -> Vec<i64> {
    entries.iter().map(|entry| entry.recorded.position).collect()
}

/// Every parcel gets its alarm.
pub async fn schedule(store: &Store) {
    let write = |tx: &mut Tx<'_>| {
        for (team, account, _) in trackings::any_take_unscheduled(tx, 100)? {
            jobs::schedule(tx, JobKind::Track, account.into(), Some(team), NOW)?;
        }
        Ok::<_, Error>(())
    };
    store.write(write).await.unwrap();
}

both! {
    async fn a_parcel_is_followed_once_and_polled_when_due(store) {
        trackings_of(&store, 1..=4).await;
        schedule(&store).await;
        let read = |tx: &mut Tx<'_>| {
            let (account, soon) = (AccountId(id(1)), NOW.plus(seconds(2)));
            let due = trackings::list_due(tx, team_id(1), account, soon, 9)?;
            assert_eq!(trackings::any_take_unscheduled(tx, 9)?.len(), 0);
            Ok::<_, Error>((due, trackings::next_poll_at(tx, team_id(1), AccountId(id(1)))?))
        };
        let (due, next) = store.write(read).await.unwrap();
        assert_eq!(due, ["N1", "N2"]);
        assert_eq!(next, Some(NOW.plus(seconds(1))));
        let write = |tx: &mut Tx<'_>| {
            for number in 1..=4 {
                trackings::set_poll_at(tx, team_id(1), tracking(number).id, None)?;
            }
            trackings::next_poll_at(tx, team_id(1), AccountId(id(1)))
        };
        assert_eq!(store.write(write).await.unwrap(), None);
    }

    async fn a_parcel_of_a_cancelled_shipment_is_not_polled(store) {
        trackings_of(&store, 1..=4).await;
        schedule(&store).await;
        let (account, late) = (AccountId(id(1)), NOW.plus(seconds(9)));
        let due = move |tx: &mut Tx<'_>| {
            let next = trackings::next_poll_at(tx, team_id(1), account)?;
            Ok::<_, Error>((trackings::list_due(tx, team_id(1), account, late, 9)?, next))
        };
        // As an older release left it: the shipment is cancelled, and its parcels keep their time.
        let set_state = |state: &'static str| {
            let sql = "UPDATE shipment SET state = $3 WHERE team = $1 AND id = $2";
            let params = move || [team_id(1).into(), id(2).into(), state.into()];
            store.write(move |tx: &mut Tx<'_>| tx.exec(sql, &params()))
        };
        set_state("cancelled").await.unwrap();
        let (numbers, next) = store.read(due).await.unwrap();
        assert_eq!(numbers, ["N2", "N4"]);
        assert_eq!(next, Some(NOW.plus(seconds(2))));
        set_state("processing").await.unwrap();
        let stop = |tx: &mut Tx<'_>| {
            trackings::stop_polling(tx, team_id(1), ShipmentId(id(1)))?;
            trackings::stop_polling(tx, team_id(1), ShipmentId(id(2)))
        };
        store.write(stop).await.unwrap();
        assert_eq!(store.read(due).await.unwrap(), (Vec::new(), None));
    }

    async fn the_feed_is_read_in_the_order_of_publication(store) {
        trackings_of(&store, 1..=3).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            assert_eq!(feed::bounds(tx, team_id(1))?, FeedBounds::default());
            for n in 1..=9 {
                hear(tx, 1 + n % 3, n, NOW.minus(seconds(u64::try_from(n).unwrap())))?;
            }
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
        let read = |tx: &mut Tx<'_>| {
            let list = |tx: &mut Tx<'_>, filter, after, limit| {
                feed::list(tx, team_id(1), filter, after, limit).map(|rows| positions(&rows))
            };
            let of = |tracking: Option<u128>, shipment: Option<u128>| Filter {
                tracking: tracking.map(|number| super::tracking::tracking(number).id),
                shipment: shipment.map(|number| ShipmentId(id(number))),
            };
            assert_eq!(list(tx, of(None, None), 0, 100)?, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
            assert_eq!(list(tx, of(None, None), 4, 2)?, [5, 6]);
            assert_eq!(list(tx, of(Some(2), None), 0, 100)?, [1, 4, 7]);
            assert_eq!(list(tx, of(None, Some(1)), 2, 100)?, [4, 7]);
            assert!(list(tx, of(Some(2), Some(2)), 0, 100)?.is_empty());
            assert_eq!(feed::list(tx, TeamId(id(2)), of(None, None), 0, 100)?, []);
            assert_eq!(feed::bounds(tx, team_id(1))?, FeedBounds { last: 9, floor: 0 });
            let history = feed::list_of(tx, team_id(1), tracking(3).id)?;
            assert_eq!(history.iter().map(|one| one.position).collect::<Vec<_>>(), [2, 5, 8]);
            assert_eq!(history[0].event.location.as_deref(), Some("Taulov"));
            assert_eq!(feed::list_seen(tx, team_id(1), tracking(3).id)?.len(), 3);
            Ok::<_, Error>(())
        };
        store.read(read).await.unwrap();
    }

    async fn the_same_event_is_never_published_twice(store) {
        trackings_of(&store, 1..=1).await;
        schedule(&store).await;
        store.write(|tx| hear(tx, 1, 1, NOW)).await.unwrap();
        let twice = store.write(|tx| hear(tx, 1, 1, NOW)).await;
        assert!(matches!(twice, Err(Error::Conflict(_))), "{twice:?}");
        let bounds = store.read(|tx| feed::bounds(tx, team_id(1))).await.unwrap();
        assert_eq!(bounds, FeedBounds { last: 1, floor: 0 }, "a failure leaves no gap");
    }

    async fn entries_expire_in_their_order_and_stay_in_the_history(store) {
        trackings_of(&store, 1..=1).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            // The clock of the third writer went wrong.
            for (n, at) in [(1, 10), (2, 20), (3, 5), (4, 30)] {
                hear(tx, 1, n, NOW.plus(seconds(at)))?;
            }
            let trim = |tx: &mut Tx<'_>, at| {
                assert!(!feed::raise_floor(tx, team_id(1), NOW.plus(seconds(at)), 100)?);
                Ok::<_, Error>(feed::bounds(tx, team_id(1))?.floor)
            };
            assert_eq!(trim(tx, 1)?, 0);
            assert_eq!(trim(tx, 15)?, 1);
            assert_eq!(trim(tx, 11)?, 1, "it never goes back");
            assert_eq!(trim(tx, 30)?, 3);
            assert_eq!(feed::bounds(tx, team_id(1))?, FeedBounds { last: 4, floor: 3 });
            assert_eq!(trim(tx, 99)?, 4);
            assert_eq!(feed::list_of(tx, team_id(1), tracking(1).id)?.len(), 4);
            assert_eq!(feed::any_teams(tx, TeamId(id(0)), 9)?, [team_id(1)]);
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
    }

    async fn a_few_entries_expire_at_a_time(store) {
        trackings_of(&store, 1..=1).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            for n in 1..=5_u64 {
                hear(tx, 1, n.into(), NOW.plus(seconds(n)))?;
            }
            let mut trim = |before| {
                let more = feed::raise_floor(tx, team_id(1), NOW.plus(seconds(before)), 2)?;
                Ok::<_, Error>((feed::bounds(tx, team_id(1))?.floor, more))
            };
            assert_eq!(trim(4)?, (2, true));
            assert_eq!(trim(4)?, (3, false), "the fourth is as old as it may be");
            assert_eq!(trim(99)?, (5, false));
            assert_eq!(trim(99)?, (5, false));
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
    }

    async fn what_is_set_aside_is_set_aside_once(store) {
        trackings_of(&store, 1..=1).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            let unreadable = Unreadable::new("{\"code\":\"\0\"}", "the code is unknown");
            let id = tracking(1).id;
            assert!(trackings::quarantine(tx, team_id(1), id, &unreadable, NOW)?);
            assert!(!trackings::quarantine(tx, team_id(1), id, &unreadable, NOW)?);
            assert_eq!(trackings::list_quarantined(tx, team_id(1), id)?.len(), 1);
            let events = vec![Err(unreadable)];
            let nothing = TrackingReport { events, ..TrackingReport::default() };
            let change = diff(&Known::default(), &nothing, NOW);
            assert_eq!((change.entries.len(), change.summary.state), (0, State::Pending));
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
    }

    async fn two_with_one_number_are_both_found_and_kept_apart(store) {
        trackings_of(&store, 1..=2).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            tx.exec("UPDATE tracking SET number = 'N1'", &[])?;
            tx.exec("UPDATE tracking_number SET number = 'N1'", &[])?;
            let by = |tx: &mut Tx<'_>, carrier, shipment| {
                trackings::list_by_number(tx, team_id(1), "N1", carrier, shipment)
            };
            assert_eq!(by(tx, None, None)?.len(), 2);
            assert_eq!(by(tx, Some("bring"), None)?.len(), 0);
            assert_eq!(by(tx, None, Some(ShipmentId(id(1))))?[0].id, tracking(2).id);
            let locked = trackings::lock_by_number(tx, team_id(1), AccountId(id(1)), "N1")?;
            assert_eq!(locked.len(), 2);
            let foreign = trackings::lock_by_number(tx, team_id(2), AccountId(id(1)), "N1")?;
            assert_eq!(foreign, []);
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
    }

    /// Writers on two stores, as two servers are; some of them fail. Whoever looks never sees a
    /// position before all positions below it.
    async fn what_can_be_seen_of_a_feed_has_no_gap_at_any_moment(store, url) {
        trackings_of(&store, 1..=8).await;
        schedule(&store).await;
        let is_shared = store.is_shared();
        let other = match is_shared {
            true => Store::open(&url, Options::default()).unwrap(),
            false => store.clone(),
        };
        let writers: Vec<_> = (0..8u128).map(|writer| {
            let store = if writer % 2 == 0 { store.clone() } else { other.clone() };
            tokio::spawn(async move {
                for n in 0..20u128 {
                    let write = move |tx: &mut Tx<'_>| {
                        hear(tx, 1 + writer, 1 + writer * 100 + n, NOW)?;
                        if n % 5 == 4 { Err(Error::Broken("on purpose".to_owned())) } else { Ok(()) }
                    };
                    let _some_fail = store.write(write).await;
                }
            })
        }).collect();
        let mut last = 0;
        while last < 8 * 16 {
            let read = move |tx: &mut Tx<'_>| {
                Ok::<_, Error>((feed::list(tx, team_id(1), Filter::default(), last, 1000)?,
                    feed::bounds(tx, team_id(1))?))
            };
            let (rows, bounds) = other.read(read).await.unwrap();
            let expected: Vec<i64> = (last + 1..=bounds.last).collect();
            assert_eq!(positions(&rows), expected);
            last = bounds.last;
        }
        for writer in writers {
            writer.await.unwrap();
        }
    }
}
