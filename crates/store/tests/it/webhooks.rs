//! Webhooks and deliveries, on both databases.

use uuid::Uuid;
use waybill_domain::ids::{BatchId, DeliveryId, EventId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::webhook::DeliveryState;
use waybill_store::deliveries::{self, Attempt};
use waybill_store::webhooks::{self, Webhook};
use waybill_store::{Error, Store, Tx, jobs};

use crate::events::append;
use crate::fixtures::{NOW, id, seconds, seed, team_id};

pub fn webhook(number: u128, batch: Option<Uuid>) -> Webhook {
    Webhook {
        id: WebhookId(id(number)),
        url: format!("https://shop{number}.example.com/hook"),
        kinds: "report.ready report.failed".to_owned(),
        is_active: true,
        disabled_reason: None,
        secrets: vec![1, 2, 3],
        batch,
        failing_since: None,
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn attempt(number: u128, at: Time) -> Attempt {
    Attempt {
        id: id(number),
        attempted_at: at,
        status: Some(500),
        latency_micros: 12,
        response: Some("no".to_owned()),
        error: None,
    }
}

/// A webhook with deliveries of as many events, the first due first.
pub async fn deliveries_of(store: &Store, numbers: std::ops::RangeInclusive<u128>) {
    seed(store).await;
    append(store, numbers.clone()).await;
    let write = move |tx: &mut Tx<'_>| {
        webhooks::insert(tx, team_id(1), &webhook(1, None))?;
        for number in numbers.clone() {
            let at = NOW.plus(seconds(u64::try_from(number).unwrap()));
            let pair = (WebhookId(id(1)), EventId(id(number)));
            assert!(deliveries::insert(tx, team_id(1), DeliveryId(id(number)), pair, at)?);
            let twice = DeliveryId(id(900 + number));
            assert!(!deliveries::insert(tx, team_id(1), twice, pair, at)?);
        }
        jobs::schedule(tx, JobKind::Deliver, id(1), Some(team_id(1)), NOW)
    };
    store.write(write).await.unwrap();
}

async fn due(store: &Store, at: Time) -> Vec<u128> {
    let read =
        move |tx: &mut Tx<'_>| deliveries::list_due(tx, team_id(1), WebhookId(id(1)), at, 100);
    let due = store.read(read).await.unwrap();
    due.iter().map(|due| due.id.0.as_u128()).collect()
}

both! {
    async fn a_webhook_hears_what_it_asked_for_and_a_callback_only_of_its_batch(store) {
        seed(&store).await;
        let (plain, callback) = (webhook(1, None), webhook(2, Some(id(7))));
        assert!(plain.wants("report.ready") && plain.wants("report.failed"));
        assert!(!plain.wants("report") && !plain.wants("shipment.booked"));
        let write = move |tx: &mut Tx<'_>| {
            webhooks::insert(tx, team_id(1), &plain)?;
            webhooks::insert(tx, team_id(1), &callback)
        };
        store.write(write).await.unwrap();
        let listed = store.read(|tx| webhooks::list(tx, team_id(1), None, 10)).await.unwrap();
        assert_eq!(listed.iter().map(|w| w.id.0.as_u128()).collect::<Vec<_>>(), [1]);
        let heard = [(1, None, 1), (1, Some(id(7)), 2), (1, Some(id(8)), 1), (2, None, 0)];
        for (team, batch, heard) in heard {
            let read = move |tx: &mut Tx<'_>| webhooks::list_active(tx, team_id(team), batch);
            assert_eq!(store.read(read).await.unwrap().len(), heard);
        }
        let found = store.read(|tx| webhooks::find_callback(tx, team_id(1), BatchId(id(7)))).await;
        assert_eq!(found.unwrap().map(|found| found.id), Some(WebhookId(id(2))));
    }

    async fn webhooks_are_listed_newest_first_in_both_directions(store) {
        seed(&store).await;
        let write = |tx: &mut Tx<'_>| {
            (1..=5).try_for_each(|number| webhooks::insert(tx, team_id(1), &webhook(number, None)))
        };
        store.write(write).await.unwrap();
        let page = |cursor| {
            let store = store.clone();
            async move {
                let rows = store.read(move |tx| webhooks::list(tx, team_id(1), cursor, 2)).await;
                rows.unwrap().iter().map(|w| w.id.0.as_u128()).collect::<Vec<_>>()
            }
        };
        let at = |direction, number| {
            Some(Cursor { direction, at: 0, id: id(number), sync_until: None })
        };
        assert_eq!(page(None).await, [5, 4, 3]);
        assert_eq!(page(at(Direction::Next, 4)).await, [3, 2, 1]);
        assert_eq!(page(at(Direction::Previous, 3)).await, [4, 5]);
    }

    async fn secrets_are_replaced_only_by_who_has_seen_the_old_ones(store) {
        seed(&store).await;
        store.write(|tx| webhooks::insert(tx, team_id(1), &webhook(1, None))).await.unwrap();
        let set = |old: &'static [u8], new: &'static [u8]| {
            store.write(move |tx| {
                webhooks::set_secrets(tx, team_id(1), WebhookId(id(1)), (old, new), NOW)
            })
        };
        assert!(set(&[1, 2, 3], &[4]).await.unwrap());
        assert!(!set(&[1, 2, 3], &[5]).await.unwrap());
        let found = store.read(|tx| webhooks::find(tx, team_id(1), WebhookId(id(1)))).await;
        assert_eq!(found.unwrap().unwrap().secrets, [4]);
    }

    async fn a_failure_is_dated_by_the_first_and_forgotten_at_a_success(store) {
        seed(&store).await;
        store.write(|tx| webhooks::insert(tx, team_id(1), &webhook(1, None))).await.unwrap();
        let hook = WebhookId(id(1));
        let fail = |at| store.write(move |tx| webhooks::set_failing(tx, team_id(1), hook, at));
        let since = || async {
            let found = store.read(move |tx| webhooks::find(tx, team_id(1), hook)).await;
            found.unwrap().unwrap().failing_since
        };
        fail(NOW).await.unwrap();
        fail(NOW.plus(seconds(9))).await.unwrap();
        assert_eq!(since().await, Some(NOW));
        store.write(move |tx| webhooks::clear_failing(tx, team_id(1), hook)).await.unwrap();
        assert_eq!(since().await, None);
        fail(NOW).await.unwrap();
        let switch = |on| store.write(move |tx| {
            webhooks::set_active(tx, team_id(1), hook, (on, None), NOW)
        });
        switch(true).await.unwrap();
        assert_eq!(since().await, Some(NOW), "it was on already");
        switch(false).await.unwrap();
        switch(true).await.unwrap();
        assert_eq!(since().await, None, "a clean slate");
    }

    async fn a_deleted_webhook_is_nowhere_and_keeps_no_secret(store) {
        deliveries_of(&store, 1..=1).await;
        let hook = WebhookId(id(1));
        let delete = move |tx: &mut Tx<'_>| {
            deliveries::fail_pending(tx, team_id(1), hook)?;
            webhooks::delete(tx, team_id(1), hook, NOW)
        };
        assert!(!store.write(move |tx| webhooks::delete(tx, team_id(2), hook, NOW)).await.unwrap());
        assert!(store.write(delete).await.unwrap());
        assert!(!store.write(delete).await.unwrap());
        assert_eq!(store.read(move |tx| webhooks::find(tx, team_id(1), hook)).await.unwrap(), None);
        assert_eq!(store.read(|tx| webhooks::list(tx, team_id(1), None, 9)).await.unwrap(), []);
        let left = store.read(|tx| tx.one::<Vec<u8>>("SELECT secrets FROM webhook", &[])).await;
        assert_eq!(left.unwrap(), Some(Vec::new()));
        assert_eq!(due(&store, NOW.plus(seconds(100))).await, []);
    }

    async fn what_is_due_comes_in_order_and_an_outcome_decides_what_is_next(store) {
        deliveries_of(&store, 1..=4).await;
        let later = NOW.plus(seconds(3));
        assert_eq!(due(&store, later).await, [1, 2, 3]);
        let record = |number: u128, outcome| {
            let attempt = attempt(number, NOW);
            store.write(move |tx| {
                deliveries::record(tx, team_id(1), DeliveryId(id(number)), &attempt, outcome)
            })
        };
        record(1, (Some(NOW), None)).await.unwrap();
        record(2, (None, Some(NOW.plus(seconds(60))))).await.unwrap();
        record(3, (None, None)).await.unwrap();
        assert_eq!(due(&store, later).await, []);
        let next = store.read(|tx| deliveries::next_due(tx, team_id(1), WebhookId(id(1)))).await;
        assert_eq!(next.unwrap(), Some(NOW.plus(seconds(4))));
        let states = store.read(|tx| {
            let hook = (WebhookId(id(1)), None);
            let all = deliveries::list(tx, team_id(1), hook, None, 10)?;
            Ok::<_, Error>(all.into_iter().map(|delivery| delivery.state).collect::<Vec<_>>())
        });
        use DeliveryState::{Delivered, Failed, Pending};
        assert_eq!(states.await.unwrap(), [Pending, Failed, Pending, Delivered]);
        let failed = store.read(|tx| {
            let hook = (WebhookId(id(1)), Some(DeliveryState::Failed));
            deliveries::list(tx, team_id(1), hook, None, 10)
        });
        assert_eq!(failed.await.unwrap().len(), 1);
        let tried = store.read(|tx| deliveries::list_tried(tx, team_id(1), id(1), 10)).await;
        let tried: Vec<u128> = tried.unwrap().iter().map(|t| t.attempt.id.as_u128()).collect();
        assert_eq!(tried, [2, 3]);
    }

    async fn a_retry_begins_anew_only_for_what_had_ended(store) {
        deliveries_of(&store, 1..=2).await;
        let write = |tx: &mut Tx<'_>| {
            let (one, two) = (DeliveryId(id(1)), DeliveryId(id(2)));
            let again = NOW.plus(seconds(60));
            deliveries::record(tx, team_id(1), one, &attempt(1, NOW), (Some(NOW), None))?;
            deliveries::record(tx, team_id(1), two, &attempt(2, NOW), (None, Some(again)))?;
            deliveries::set_due(tx, team_id(1), one, NOW)?;
            deliveries::set_due(tx, team_id(1), two, NOW)
        };
        store.write(write).await.unwrap();
        let due = store.read(|tx| {
            deliveries::list_due(tx, team_id(1), WebhookId(id(1)), NOW, 10)
        });
        let started: Vec<_> = due.await.unwrap().into_iter().map(|due| due.started_at).collect();
        assert_eq!(started, [None, Some(NOW)]);
    }

    async fn a_replay_adds_what_is_missing_and_repeats_what_is_there(store) {
        deliveries_of(&store, 1..=1).await;
        append(&store, 2..=2).await;
        let write = |tx: &mut Tx<'_>| {
            let one = DeliveryId(id(1));
            deliveries::record(tx, team_id(1), one, &attempt(1, NOW), (Some(NOW), None))?;
            for number in 1..=2 {
                let (fresh, pair) = (id(50 + number), (WebhookId(id(1)), EventId(id(number))));
                deliveries::insert_again(tx, team_id(1), DeliveryId(fresh), pair, NOW)?;
            }
            Ok::<_, Error>(())
        };
        store.write(write).await.unwrap();
        assert_eq!(due(&store, NOW).await, [1, 52]);
        let one = store.read(|tx| {
            deliveries::find(tx, team_id(1), WebhookId(id(1)), DeliveryId(id(1)))
        });
        assert_eq!(one.await.unwrap().unwrap().state, DeliveryState::Pending);
        let other = store.read(|tx| {
            deliveries::find(tx, team_id(1), WebhookId(id(2)), DeliveryId(id(1)))
        });
        assert_eq!(other.await.unwrap(), None, "of another webhook");
    }
}
