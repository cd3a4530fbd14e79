//! What is told of a failure: all that is known, and again when more is known.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::booking::Step;
use waybill_domain::ids::ShipmentId;
use waybill_store::attempts;
use waybill_worker::restored;

use super::desks;
use crate::harness::Reply;
use crate::harness::desk::{Desk, order, order_with};

/// Waits until the answer to the newest booking was unclear.
async fn until_unclear(desk: &Desk) {
    let list = desk.app.path("/shipments?per_page=1");
    for _ in 0..600 {
        let newest = desk.app.get(&list).admin().send().await.expect(200);
        let newest = newest.json()["data"][0]["uuid"].as_str().and_then(ShipmentId::parse);
        if let Some(id) = newest
            && desk.row_of(id).await.step == Step::Unknown
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Lets the database be another copy than it was.
async fn restore(desk: &Desk) {
    let moved = |tx: &mut waybill_store::Tx<'_>| tx.exec("UPDATE epoch SET copy = 'another'", &[]);
    desk.app.app.store.write(moved).await.unwrap();
    restored::begin_epoch(&desk.app.app).await.unwrap();
}

/// Books, and lets the deadline pass as soon as the answer was unclear.
async fn past_the_deadline(desk: &Desk, body: &Value) -> Reply {
    let time_passes = async {
        until_unclear(desk).await;
        desk.advance(Duration::from_secs(121)).await;
    };
    let (reply, ()) = tokio::join!(desk.book(body), time_passes);
    reply.expect(504)
}

fn message(reply: &Reply) -> String {
    reply.at("/data/failure/message").as_str().unwrap_or_default().to_owned()
}

desks! {
    async fn a_carrier_that_turns_everything_away_is_left_alone_longer_each_time(desk) {
        // The answer waits for ten seconds.
        desk.book(&order("AWAY sim:error=503")).await.expect(202);
        let count = "SELECT count(*) FROM carrier_call";
        let count = desk.app.app.store.read(move |tx| tx.one::<i64>(count, &[])).await.unwrap();
        assert!(count.is_some_and(|count| (4..=7).contains(&count)), "{count:?} calls");
        desk.advance(Duration::from_secs(121)).await;
        desk.settled().await;
    }

    async fn an_outcome_that_is_proven_absent_after_the_deadline_is_told_again(desk) {
        // A miss is believed only beside a booking that is found.
        desk.book(&order("CANARY")).await.expect(201);
        let failed = past_the_deadline(&desk, &order("ABSENT sim:error=500")).await;
        let known = desk.until_it(&failed, |now| message(now).contains("Nothing was booked")).await;
        let told = desk.told(&failed).await;
        let kinds: Vec<_> = told.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["shipment.failed", "shipment.failed"]);
        assert!(told[0].1 < told[1].1, "{told:?}");
        assert_eq!(known.at("/data/updated_at"), told[1].1);
        assert_eq!(known.at("/data/failure/reason"), "deadline");
        assert_eq!(desk.bookings("ABSENT sim:error=500"), 0);
        desk.delete(&failed).await.expect(204);
    }

    // The lost database may have believed the same miss, and sent it under another reference.
    async fn after_a_restore_a_miss_does_not_prove_that_nothing_was_booked(desk) {
        restored::begin_epoch(&desk.app.app).await.unwrap();
        desk.book(&order("CANARY")).await.expect(201);
        let is_restored = async {
            until_unclear(&desk).await;
            restore(&desk).await;
            desk.advance(Duration::from_secs(10)).await;
        };
        let body = order("MISSED sim:error=500");
        let (failed, ()) = tokio::join!(desk.book(&body), is_restored);
        let failed = failed.expect(504);
        let (team, id) = (desk.app.team, desk.row(&failed).await.id);
        let mut words = Vec::new();
        for _ in 0..600 {
            let tried = desk.app.app.store.read(move |tx| attempts::list(tx, team, id)).await;
            words = tried.unwrap().into_iter().filter_map(|tried| tried.words).collect();
            if words.iter().any(|words| words.contains("a database that was lost")) {
                break;
            }
            let said = message(&desk.read(&failed).await);
            assert!(!said.contains("Nothing was booked"), "{said}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(words.iter().any(|words| words.contains("a database that was lost")), "{words:?}");
        let now = desk.read(&failed).await;
        let said = message(&now);
        assert!(said.contains("may have the booking") && said.contains("restored"), "{said}");
        assert!(!said.contains("in time"), "{said}");
        let details = now.at("/data/failure/details").to_string();
        assert!(details.contains("restored from a copy while"), "{details}");
        assert!(details.contains("The sandbox failed, as it was told to."), "{details}");
        desk.delete(&failed).await.expect(409);
    }

    // Decisions: what the carrier said, never cut.
    async fn a_deadline_failure_holds_what_the_carrier_said(desk) {
        let said = "The sandbox failed, as it was told to.";
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let failed = past_the_deadline(&desk, &order_with("SAID-1 sim:error=500", blind)).await;
        assert_eq!(failed.at("/data/failure/details/0/message"), said);
        assert_eq!(failed.at("/data/failure/details/0/carrier_code"), "failure");
        let turned_away = order("SAID-2 sim:error=503");
        let time_passes = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            desk.advance(Duration::from_secs(121)).await;
        };
        let (failed, ()) = tokio::join!(desk.book(&turned_away), time_passes);
        assert_eq!(failed.expect(504).at("/data/failure/details/0/message"), said);
    }

    async fn a_carrier_that_said_nothing_is_told_of_in_the_language_of_the_reader(desk) {
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let failed = past_the_deadline(&desk, &order_with("SILENT sim:drop", blind)).await;
        let id = failed.at("/data/uuid").as_str().unwrap().to_owned();
        let path = desk.app.path(&format!("/shipments/{id}"));
        for (language, words) in [("en", "gave no answer"), ("da", "gav ikke et svar")] {
            let ask = desk.app.get(&path).admin().header("accept-language", language);
            let read = ask.send().await.expect(200);
            let said = read.at("/data/failure/details/0/message");
            assert!(said.as_str().unwrap().contains(words), "{said}");
        }
    }

    async fn a_failure_of_documents_holds_what_the_carrier_said_also_after_the_deadline(desk) {
        let said = "The label could not be made, as it was told.";
        let failed = desk.book(&order("PAPERS-1 sim:documents=fail")).await.expect(502);
        assert_eq!(failed.at("/data/failure/details/0/message"), said);
        assert_eq!(failed.at("/data/failure/details/0/carrier_code"), "no_documents");
        let late = order("PAPERS-2 sim:drop sim:documents=fail");
        let failed = past_the_deadline(&desk, &late).await;
        let of_papers = |now: &Reply| now.at("/data/failure/reason") == "technical";
        let known = desk.until_it(&failed, of_papers).await;
        assert_eq!(known.at("/data/failure/details/0/message"), said);
        assert_eq!(known.at("/data/updated_at"), desk.told(&failed).await.last().unwrap().1);
        assert_eq!(desk.bookings("PAPERS-2 sim:drop sim:documents=fail"), 1);
    }
}
