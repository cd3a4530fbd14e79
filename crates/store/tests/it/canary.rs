//! Which booking a look-up is tried with.

use waybill_domain::ids::{AccountId, ShipmentId};
use waybill_domain::time::Time;
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::{Tx, carrier_calls, shipments};

use crate::booking::{accept, account, reference, shipments_of};
use crate::fixtures::{NOW, id, seconds, team_id};

both! {
    async fn a_canary_is_from_before_the_call_where_there_is_one(store) {
        shipments_of(&store, 1..=2).await;
        let booked = |tx: &mut Tx<'_>| {
            for (number, name) in [(1, "A"), (2, "B")] {
                let subject = ShipmentId(id(number));
                shipments::set_calling(tx, team_id(1), subject, NOW)?;
                carrier_calls::insert(tx, team_id(1), subject, &reference(name), 1, NOW)?;
                accept(tx, number)?;
            }
            let later = "UPDATE carrier_call SET ended_at = $1 WHERE reference = 'B'";
            tx.exec(later, &[NOW.plus(seconds(10)).into()])
        };
        store.write(booked).await.unwrap();
        let canary = |called_at: Time| {
            let (account, times) = (AccountId(id(1)), (called_at, NOW.plus(seconds(20))));
            store.read(move |tx| {
                carrier_calls::find_canary(tx, team_id(1), account, "sandbox:home", times)
            })
        };
        assert_eq!(canary(NOW.plus(seconds(5))).await.unwrap().as_deref(), Some("A"));
        assert_eq!(canary(NOW.plus(seconds(15))).await.unwrap().as_deref(), Some("B"));
        let change = |at: Time| {
            let changed = Account { updated_at: at, ..account(1) };
            store.write(move |tx| carrier_accounts::replace(tx, team_id(1), &changed))
        };
        let first_of_all = Time(NOW.0 - 2);
        change(first_of_all).await.unwrap();
        assert_eq!(canary(first_of_all).await.unwrap().as_deref(), Some("B"));
        change(Time(NOW.0 - 1)).await.unwrap();
        assert_eq!(canary(first_of_all).await.unwrap(), None, "the account was changed since");
        assert_eq!(canary(NOW.plus(seconds(5))).await.unwrap().as_deref(), Some("A"));
        // Other credentials, under which the call may have gone out, and the old ones again.
        change(NOW.plus(seconds(7))).await.unwrap();
        assert_eq!(canary(NOW.plus(seconds(5))).await.unwrap(), None, "whatever was before");
        assert_eq!(canary(NOW.plus(seconds(8))).await.unwrap().as_deref(), Some("A"));
    }
}
