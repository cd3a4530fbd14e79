//! SQLite reads what a statement needs, and not the whole team.

use waybill_store::testing::{Database, fresh};

/// How SQLite goes about a statement.
async fn plan(sql: &'static str) -> String {
    let scratch = fresh(Database::Sqlite);
    let steps = scratch.store.read(move |tx| tx.all::<(i64, i64, i64, String)>(sql, &[])).await;
    let steps: Vec<String> = steps.unwrap().into_iter().map(|(.., step)| step).collect();
    steps.join("; ")
}

/// Only the weights tell SQLite that a sort of few rows is less than a walk through a team.
#[tokio::test]
async fn few_rows_are_sorted_rather_than_a_team_walked_through() {
    let plan = plan(
        "EXPLAIN QUERY PLAN SELECT id, name FROM document
          WHERE team = X'00' AND source = X'00' AND id < X'00' ORDER BY id DESC LIMIT 9",
    );
    assert_eq!(
        plan.await,
        "SEARCH document USING INDEX document_source (team=? AND source=?); \
         USE TEMP B-TREE FOR ORDER BY"
    );
}

#[tokio::test]
async fn a_parcel_is_found_by_its_number() {
    let plan = plan(
        "EXPLAIN QUERY PLAN SELECT id, place FROM tracking
          WHERE team = X'00' AND number = 'a' AND account = X'00' ORDER BY id",
    );
    let wanted = "SEARCH tracking USING INDEX tracking_of_number (team=? AND number=?)";
    assert_eq!(plan.await, wanted);
}

#[tokio::test]
async fn the_newest_booking_of_an_account_is_found_without_a_sort() {
    let plan = plan(
        "EXPLAIN QUERY PLAN SELECT carrier_call.reference FROM shipment JOIN carrier_call
             ON carrier_call.team = shipment.team AND carrier_call.shipment = shipment.id
          WHERE shipment.team = X'00' AND shipment.account = X'00' AND shipment.state = 'booked'
            AND shipment.service_code = 'a' ORDER BY shipment.id DESC LIMIT 1",
    );
    let plan = plan.await;
    let wanted = "SEARCH shipment USING INDEX shipment_account \
                  (team=? AND account=? AND service_code=?)";
    assert!(plan.starts_with(wanted) && !plan.contains("TEMP B-TREE"), "{plan}");
}

#[tokio::test]
async fn the_next_member_of_a_batch_is_found_among_the_pending_ones() {
    let plan = plan(
        "EXPLAIN QUERY PLAN SELECT id FROM shipment
          WHERE team = X'00' AND batch = X'00' AND state = 'pending'
          ORDER BY batch_position LIMIT 1",
    );
    let wanted = "SEARCH shipment USING INDEX batch_pending (team=? AND batch=?)";
    assert_eq!(plan.await, wanted);
}
