//! What is told of a failure: all that is known, and again when more is known.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::booking::Step;
use waybill_domain::ids::ShipmentId;
use waybill_store::attempts;
use waybill_worker::restored;

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

/// Waits until the answer to the newest booking was unclear.
async fn until_unclear(fixture: &Fixture) {
    let list = fixture.app.path("/shipments?per_page=1");
    for _ in 0..600 {
        let newest = fixture.app.get(&list).admin().send().await.expect(200);
        let newest = newest.json()["data"][0]["uuid"].as_str().and_then(ShipmentId::parse);
        if let Some(id) = newest
            && fixture.row_of(id).await.step == Step::Unknown
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Lets the database be another copy than it was.
async fn restore(fixture: &Fixture) {
    let moved = |tx: &mut waybill_store::Tx<'_>| tx.exec("UPDATE epoch SET copy = 'another'", &[]);
    fixture.app.app.write(moved).await.unwrap();
    restored::begin_epoch(&fixture.app.app).await.unwrap();
}

/// Books, and lets the deadline pass as soon as the answer was unclear.
async fn past_the_deadline(fixture: &Fixture, body: &Value) -> Reply {
    let time_passes = async {
        until_unclear(fixture).await;
        fixture.advance(Duration::from_secs(121)).await;
    };
    let (reply, ()) = tokio::join!(fixture.book(body), time_passes);
    reply.expect(504)
}

fn message(reply: &Reply) -> String {
    reply.at("/data/failure/message").as_str().unwrap_or_default().to_owned()
}

fixtures! {
    async fn a_carrier_that_turns_everything_away_is_left_alone_longer_each_time(fixture) {
        // The answer waits for ten seconds.
        fixture.book(&order("AWAY sim:error=503")).await.expect(202);
        let count = "SELECT count(*) FROM carrier_call";
        let count = fixture.app.app.read(move |tx| tx.one::<i64>(count, &[])).await.unwrap();
        assert!(count.is_some_and(|count| (4..=7).contains(&count)), "{count:?} calls");
        fixture.advance(Duration::from_secs(121)).await;
        fixture.settled().await;
    }

    async fn an_outcome_that_is_proven_absent_after_the_deadline_is_told_again(fixture) {
        // A miss is believed only beside a booking that is found.
        fixture.book(&order("CANARY")).await.expect(201);
        let failed = past_the_deadline(&fixture, &order("ABSENT sim:error=500")).await;
        let known = fixture.until_it(&failed, |now| message(now).contains("Nothing was booked")).await;
        let told = fixture.told(&failed).await;
        let kinds: Vec<_> = told.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["shipment.failed", "shipment.failed"]);
        assert!(told[0].1 < told[1].1, "{told:?}");
        assert_eq!(known.at("/data/updated_at"), told[1].1);
        assert_eq!(known.at("/data/failure/reason"), "deadline");
        assert_eq!(fixture.bookings("ABSENT sim:error=500"), 0);
        fixture.delete(&failed).await.expect(204);
    }

    // The lost database may have believed the same miss, and sent it under another reference.
    async fn after_a_restore_a_miss_does_not_prove_that_nothing_was_booked(fixture) {
        restored::begin_epoch(&fixture.app.app).await.unwrap();
        fixture.book(&order("CANARY")).await.expect(201);
        let is_restored = async {
            until_unclear(&fixture).await;
            restore(&fixture).await;
            fixture.advance(Duration::from_secs(10)).await;
        };
        let body = order("MISSED sim:error=500");
        let (failed, ()) = tokio::join!(fixture.book(&body), is_restored);
        let failed = failed.expect(504);
        let (team, id) = (fixture.app.team, fixture.row(&failed).await.id);
        let mut words = Vec::new();
        for _ in 0..600 {
            let tried = fixture.app.app.read(move |tx| attempts::list(tx, team, id)).await;
            words = tried.unwrap().into_iter().filter_map(|tried| tried.words).collect();
            if words.iter().any(|words| words.contains("a database that was lost")) {
                break;
            }
            let said = message(&fixture.read(&failed).await);
            assert!(!said.contains("Nothing was booked"), "{said}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(words.iter().any(|words| words.contains("a database that was lost")), "{words:?}");
        let now = fixture.read(&failed).await;
        let said = message(&now);
        assert!(said.contains("may have the booking") && said.contains("restored"), "{said}");
        assert!(!said.contains("in time"), "{said}");
        let details = now.at("/data/failure/details").to_string();
        assert!(details.contains("restored from a copy while"), "{details}");
        assert!(details.contains("The sandbox failed, as it was told to."), "{details}");
        fixture.delete(&failed).await.expect(409);
    }

    // Decisions: what the carrier said, never cut.
    async fn a_deadline_failure_holds_what_the_carrier_said(fixture) {
        let said = "The sandbox failed, as it was told to.";
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let failed = past_the_deadline(&fixture, &order_with("SAID-1 sim:error=500", blind)).await;
        assert_eq!(failed.at("/data/failure/details/0/message"), said);
        assert_eq!(failed.at("/data/failure/details/0/carrier_code"), "failure");
        let turned_away = order("SAID-2 sim:error=503");
        let time_passes = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            fixture.advance(Duration::from_secs(121)).await;
        };
        let (failed, ()) = tokio::join!(fixture.book(&turned_away), time_passes);
        assert_eq!(failed.expect(504).at("/data/failure/details/0/message"), said);
    }

    async fn a_carrier_that_said_nothing_is_told_of_in_the_language_of_the_reader(fixture) {
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let failed = past_the_deadline(&fixture, &order_with("SILENT sim:drop", blind)).await;
        let id = failed.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        for (language, words) in [("en", "gave no answer"), ("da", "gav ikke et svar")] {
            let ask = fixture.app.get(&path).admin().header("accept-language", language);
            let read = ask.send().await.expect(200);
            let said = read.at("/data/failure/details/0/message");
            assert!(said.as_str().unwrap().contains(words), "{said}");
        }
    }

    async fn a_failure_of_documents_holds_what_the_carrier_said_also_after_the_deadline(fixture) {
        let said = "The label could not be made, as it was told.";
        let failed = fixture.book(&order("PAPERS-1 sim:documents=fail")).await.expect(502);
        assert_eq!(failed.at("/data/failure/details/0/message"), said);
        assert_eq!(failed.at("/data/failure/details/0/carrier_code"), "no_documents");
        let late = order("PAPERS-2 sim:drop sim:documents=fail");
        let failed = past_the_deadline(&fixture, &late).await;
        let of_papers = |now: &Reply| now.at("/data/failure/reason") == "technical";
        let known = fixture.until_it(&failed, of_papers).await;
        assert_eq!(known.at("/data/failure/details/0/message"), said);
        assert_eq!(known.at("/data/updated_at"), fixture.told(&failed).await.last().unwrap().1);
        assert_eq!(fixture.bookings("PAPERS-2 sim:drop sim:documents=fail"), 1);
    }
}
