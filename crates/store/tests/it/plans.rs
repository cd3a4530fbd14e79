//! A statement reads what it needs, and not the whole team.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::WebhookId;
use waybill_domain::shipment::ShipmentState;
use waybill_store::shipments::{self, Filter, Sort};
use waybill_store::testing::{Database, fresh, fresh_with};
use waybill_store::{Error, Options, Tx, deliveries, documents, plans, statistics};

use crate::fixtures::{NOW, id, seconds, team_id};
use crate::tracking::trackings_of;
use crate::webhooks::deliveries_of;

/// How SQLite goes about a statement.
async fn plan(sql: &'static str) -> String {
    let scratch = fresh(Database::Sqlite);
    let steps = scratch.store.read(move |tx| tx.all::<(i64, i64, i64, String)>(sql, &[])).await;
    let steps: Vec<String> = steps.unwrap().into_iter().map(|(.., step)| step).collect();
    steps.join("; ")
}

/// How SQLite goes about everything that is done here, as the store does it.
async fn plans_of(work: fn(&mut Tx<'_>) -> Result<(), Error>) -> Vec<String> {
    let scratch = fresh(Database::Sqlite);
    statistics::take();
    scratch.store.read(work).await.unwrap();
    let statements: Vec<&'static str> = statistics::take().iter().map(|(sql, _)| *sql).collect();
    let ours = statements.into_iter().filter(|sql| sql.starts_with("SELECT"));
    let mut found = Vec::new();
    for sql in ours {
        found.push(scratch.store.read(move |tx| plans::any_explain(tx, sql)).await.unwrap());
    }
    found.into_iter().map(|steps| steps.join("; ")).collect()
}

#[tokio::test]
async fn shipments_that_failed_are_found_among_those_that_are_not_booked() {
    let plans = plans_of(|tx| {
        let filter = Filter { state: Some(ShipmentState::Failed), ..Filter::default() };
        for sort in [Sort::CreatedDescending, Sort::Updated] {
            shipments::list(tx, team_id(1), &filter, sort, None, 10)?;
        }
        Ok(())
    });
    let plans = plans.await;
    assert_eq!(plans.len(), 2);
    for plan in plans {
        let is_found =
            ["shipment_state (team=? AND state=?", "shipment_not_booked (team=? AND state"];
        assert!(is_found.iter().any(|index| plan.contains(index)), "{plan}");
    }
}

#[tokio::test]
async fn documents_that_are_no_labels_are_found_without_the_labels() {
    let plans = plans_of(|tx| {
        let of_reports =
            documents::Filter { source_type: Some(SourceKind::Report), ..Default::default() };
        let merged =
            documents::Filter { source_type: Some(SourceKind::Merge), ..Default::default() };
        let invoices =
            documents::Filter { kind: Some("commercial_invoice".to_owned()), ..Default::default() };
        let picked = documents::Filter {
            source_type: Some(SourceKind::FulfilmentRequest),
            ..Default::default()
        };
        for filter in [of_reports, merged, picked, invoices] {
            documents::list(tx, team_id(1), &filter, None, 10)?;
        }
        Ok(())
    });
    let wanted = [
        "INDEX document_no_label (team=? AND source_type=?",
        "INDEX document_of_merge (team=?",
        "INDEX document_of_fulfilment (team=?",
    ];
    for plan in plans.await {
        let is_found = wanted.iter().any(|index| plan.contains(index));
        assert!(is_found && !plan.contains("TEMP B-TREE"), "{plan}");
    }
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

/// The parcels of an account that are due, as `trackings::list_due` asks for them.
const DUE_PARCELS: &str = "SELECT number FROM tracking
      WHERE team = TEAM AND account = ACCOUNT AND look_at <= 1800000009000000
        AND (SELECT state FROM shipment WHERE shipment.team = tracking.team
                AND shipment.id = tracking.shipment) <> 'cancelled'
      ORDER BY look_at LIMIT 100";

#[tokio::test]
async fn parcels_that_are_due_are_found_in_their_order() {
    let sql = DUE_PARCELS.replace("TEAM", "X'00'").replace("ACCOUNT", "X'00'");
    let plan = plan(format!("EXPLAIN QUERY PLAN {sql}").leak()).await;
    let wanted = "SEARCH tracking USING INDEX tracking_look (team=? AND account=? AND look_at<?); \
                  CORRELATED SCALAR SUBQUERY";
    assert!(plan.starts_with(wanted) && plan.contains("SEARCH shipment USING"), "{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}

#[tokio::test]
async fn postgresql_finds_parcels_that_are_due_in_their_order() {
    let scratch = fresh(Database::Postgres);
    trackings_of(&scratch.store, 1..=900).await;
    let explain = |tx: &mut Tx<'_>| {
        tx.exec("ANALYZE tracking, shipment", &[])?;
        let uuid = |id: Uuid| format!("'{id}'");
        let sql = DUE_PARCELS.replace("TEAM", &uuid(team_id(1).into()));
        let sql = sql.replace("ACCOUNT", &uuid(id(1)));
        tx.all::<String>(format!("EXPLAIN {sql}").leak(), &[])
    };
    let plan = scratch.store.write(explain).await.unwrap().join("\n");
    assert!(plan.contains("Index Scan using tracking_look on tracking"), "{plan}");
    assert!(!plan.contains("Sort"), "{plan}");
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

/// The entries of an index by which PostgreSQL could find the events of a team, one for each of
/// them, that it reads to find the events of the deliveries that are due.
fn useless_reads(tx: &mut Tx<'_>) -> Result<Option<i64>, Error> {
    deliveries::list_due(tx, team_id(1), WebhookId(id(1)), NOW.plus(seconds(900)), 100)?;
    tx.one(
        "SELECT pg_stat_get_xact_tuples_returned(CAST(CAST('event_subject' AS regclass) AS oid))",
        &[],
    )
}

#[tokio::test]
async fn postgresql_does_not_keep_a_plan_from_when_a_table_was_empty() {
    let one = Options { connections: 1, ..Options::default() };
    let scratch = fresh_with(Database::Postgres, one);
    scratch.store.read(useless_reads).await.unwrap();
    deliveries_of(&scratch.store, 1..=900).await;
    tokio::time::sleep(Duration::from_millis(5_200)).await;
    assert_eq!(scratch.store.read(useless_reads).await.unwrap(), Some(0));
}
