//! SQLite reads what a statement needs, and not the whole team.

use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Tx};

/// How SQLite goes about it.
fn plan(tx: &mut Tx<'_>, sql: &'static str) -> Result<String, Error> {
    let steps: Vec<(i64, i64, i64, String)> = tx.all(sql, &[])?;
    Ok(steps.into_iter().map(|(.., step)| step).collect::<Vec<_>>().join("; "))
}

#[tokio::test]
async fn an_index_of_few_rows_is_preferred_to_a_walk_through_a_team() {
    let scratch = fresh(Database::Sqlite);
    let by_number = |tx: &mut Tx<'_>| {
        plan(
            tx,
            "EXPLAIN QUERY PLAN SELECT id, place FROM tracking
              WHERE team = X'00' AND number = 'a' AND account = X'00' ORDER BY id",
        )
    };
    let found = scratch.store.read(by_number).await.unwrap();
    assert!(found.contains("tracking_of_number (team=? AND number=?)"), "{found}");
    let canary = |tx: &mut Tx<'_>| {
        plan(
            tx,
            "EXPLAIN QUERY PLAN SELECT carrier_call.reference FROM shipment JOIN carrier_call
                 ON carrier_call.team = shipment.team AND carrier_call.shipment = shipment.id
              WHERE shipment.team = X'00' AND shipment.account = X'00'
                AND shipment.service_code = 'a' ORDER BY shipment.id DESC LIMIT 1",
        )
    };
    let found = scratch.store.read(canary).await.unwrap();
    assert!(found.starts_with("SEARCH shipment USING"), "{found}");
    assert!(!found.contains("TEMP B-TREE"), "{found}");
}

#[tokio::test]
async fn the_next_member_of_a_batch_is_found_among_the_pending_ones() {
    let scratch = fresh(Database::Sqlite);
    let next = |tx: &mut Tx<'_>| {
        plan(
            tx,
            "EXPLAIN QUERY PLAN SELECT id FROM shipment
              WHERE team = X'00' AND batch = X'00' AND state = 'pending'
              ORDER BY batch_position LIMIT 1",
        )
    };
    let found = scratch.store.read(next).await.unwrap();
    assert_eq!(found, "SEARCH shipment USING INDEX batch_pending (team=? AND batch=?)");
}
