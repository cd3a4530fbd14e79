//! The log of what happened, on both databases.

use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::EventId;
use waybill_domain::time::Time;
use waybill_store::{Error, Store, Tx, events};

use crate::fixtures::{NOW, id, seconds, seed, team_id};

/// An event about a report, so that no rule asks for a shipment.
pub fn event(number: u128) -> Event {
    let at = NOW.plus(seconds(u64::try_from(number).unwrap()));
    let about = ("report_uuid", id(1000 + number));
    Event::new(EventId(id(number)), EventKind::ReportReady, at, about)
}

pub async fn append(store: &Store, numbers: std::ops::RangeInclusive<u128>) {
    let write = move |tx: &mut Tx<'_>| {
        for number in numbers.clone() {
            events::append(tx, team_id(1), &event(number))?;
        }
        Ok::<_, Error>(())
    };
    store.write(write).await.unwrap();
}

both! {
    async fn an_event_is_there_exactly_when_its_transaction_is(store) {
        seed(&store).await;
        let undone = store.write(|tx| {
            events::append(tx, team_id(1), &event(1))?;
            Err::<(), _>(Error::Broken("changed its mind".to_owned()))
        });
        assert!(undone.await.is_err());
        append(&store, 2..=2).await;
        let all = store.read(|tx| events::list_since(tx, team_id(1), (Time(0), EventId(id(0))), 9));
        let all = all.await.unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].id, EventId(id(2)));
        assert!(all[0].ids.contains("report_uuid"));
    }

    async fn an_event_is_pending_until_it_has_its_deliveries_and_never_again(store) {
        seed(&store).await;
        append(&store, 1..=5).await;
        let take = |limit| move |tx: &mut Tx<'_>| {
            let pending = events::take_pending(tx, team_id(1), limit)?;
            Ok::<_, Error>(pending.iter().map(|event| event.id.0.as_u128()).collect::<Vec<_>>())
        };
        assert_eq!(store.write(take(2)).await.unwrap(), [1, 2]);
        assert_eq!(store.write(take(9)).await.unwrap(), [3, 4, 5]);
        assert_eq!(store.write(take(9)).await.unwrap(), []);
    }

    async fn the_log_of_a_team_is_read_in_parts_and_holds_nothing_of_another(store) {
        seed(&store).await;
        append(&store, 1..=5).await;
        let (mut seen, mut after) = (Vec::new(), (NOW.plus(seconds(2)), EventId(id(0))));
        loop {
            let part = store.read(move |tx| events::list_since(tx, team_id(1), after, 2)).await;
            let part = part.unwrap();
            let Some(last) = part.last() else { break };
            after = (last.occurred_at, last.id);
            seen.extend(part.iter().map(|event| event.id.0.as_u128()));
        }
        assert_eq!(seen, [2, 3, 4, 5]);
        let other = store.read(|tx| events::list_of(tx, team_id(2), id(1001))).await.unwrap();
        assert_eq!(other, []);
        let own = store.read(|tx| events::list_of(tx, team_id(1), id(1001))).await.unwrap();
        assert_eq!(own.len(), 1);
    }
}
