//! A bucket holds a burst and refills with time; nobody gets more than it holds.

use waybill_domain::time::Time;
use waybill_store::rates::take;
use waybill_store::{Error, Store};

use crate::fixtures::{NOW, seed, team_id};

async fn takes(store: &Store, costs: &'static [(i64, i64)]) -> Vec<Option<i64>> {
    let taken = store.write(move |tx| {
        let take =
            |&(at, cost): &(i64, i64)| take(tx, team_id(1), "api", Time(NOW.0 + at), cost, 100);
        costs.iter().map(take).collect::<Result<Vec<_>, Error>>()
    });
    taken.await.unwrap()
}

both! {
    async fn a_burst_is_taken_at_once_and_then_refills(store) {
        seed(&store).await;
        let waits = takes(&store, &[(0, 60), (0, 40), (0, 1), (9, 10), (10, 10), (10, 10)]).await;
        assert_eq!(waits, [None, None, Some(1), Some(1), None, Some(10)]);
    }

    async fn a_bucket_left_alone_is_full_and_no_fuller(store) {
        seed(&store).await;
        let waits = takes(&store, &[(0, 100), (5000, 100), (5000, 30)]).await;
        assert_eq!(waits, [None, None, Some(30)]);
    }

    async fn a_cost_above_the_burst_takes_all_there_is(store) {
        seed(&store).await;
        assert_eq!(takes(&store, &[(0, 500), (50, 500)]).await, [None, Some(50)]);
    }

    async fn a_bucket_of_a_clock_that_was_ahead_is_empty_at_the_worst(store) {
        seed(&store).await;
        let (hour, days) = (3_600_000_000, 172_800_000_000);
        for ahead in [hour, days] {
            let waits = store.write(move |tx| {
                let mut take = |at| take(tx, team_id(1), "api", Time(NOW.0 + at), 10, 100);
                let waits = [take(ahead)?, take(0)?, take(10)?, take(11)?];
                tx.exec("DELETE FROM rate_limit", &[])?;
                Ok::<_, Error>(waits)
            });
            assert_eq!(waits.await.unwrap(), [None, Some(10), None, Some(9)]);
        }
    }

    async fn teams_and_buckets_do_not_share(store) {
        seed(&store).await;
        let taken = store.write(|tx| {
            let mut take = |team, bucket| take(tx, team_id(team), bucket, NOW, 100, 100);
            Ok::<_, Error>((take(1, "a")?, take(1, "b")?, take(2, "a")?, take(1, "a")?))
        });
        assert_eq!(taken.await.unwrap(), (None, None, None, Some(100)));
    }

    async fn concurrent_takers_never_get_more_than_the_burst(store) {
        seed(&store).await;
        let takers: Vec<_> = (0..40)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move {
                    store.write(|tx| take(tx, team_id(1), "api", NOW, 10, 100)).await.unwrap()
                })
            })
            .collect();
        let mut granted = 0;
        for taker in takers {
            granted += i32::from(taker.await.unwrap().is_none());
        }
        assert_eq!(granted, 10);
    }
}
