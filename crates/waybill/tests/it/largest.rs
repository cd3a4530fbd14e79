//! The largest that callers may send: it is refused or done in transactions that let others write.

use serde_json::{Value, json};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::EventId;
use waybill_domain::time::Clock;
use waybill_engine::telemetry;
use waybill_store::{Error, Tx, events};
use waybill_worker::runner;

use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order};
use crate::shipments::fixtures;
use crate::tracking;

/// How many transactions there were so far with very many statements.
async fn count(fixture: &Fixture) -> u64 {
    let reply = fixture.app.get("/metrics").send().await.expect(200);
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    let name = "waybill_store_large_writes_total ";
    text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok()).unwrap_or(0)
}

async fn send(fixture: &Fixture, method: &str, path: &str, body: &Value) -> Reply {
    let path = fixture.app.path(path);
    fixture.app.ask(method, &path).admin().json(&body.to_string()).send().await
}

fn rates() -> Value {
    let weight = |value: usize| json!({"value": value, "unit": "g"});
    let row = |number: usize| {
        json!({"service_code": "sandbox:home", "zone": format!("DK:{}", 1000 + number),
               "from_weight": weight(0), "to_weight": weight(9),
               "price": {"value": number, "currency": "DKK"}})
    };
    json!({"data": (0..5000).map(row).collect::<Vec<_>>()})
}

/// Something happens to each of very many teams at once, and each has as many webhooks as it may.
async fn many_teams_with_many_webhooks(fixture: &Fixture) {
    let (app, mut teams) = (&fixture.app, Vec::new());
    let body = r#"{"url": "http://127.0.0.1:1/", "events": ["report.ready"]}"#;
    for number in 0..11 {
        let (team, token) = app.team(&format!("many{number}.example.com")).await;
        let path = format!("/v2/teams/{team}/webhooks");
        for _ in 0..99 {
            app.post(&path).token(&token).json(body).send().await.expect(201);
        }
        teams.push(team);
    }
    let (ids, now) = (app.app.ids().clone(), app.clock.now());
    let all = move |tx: &mut Tx<'_>| {
        for team in &teams {
            let about = ("report_uuid", ids.uuid());
            let event = Event::new(EventId(ids.uuid()), EventKind::ReportReady, now, about);
            events::append(tx, *team, &event)?;
        }
        Ok::<_, Error>(())
    };
    app.app.write(all).await.unwrap();
}

fixtures! {
    async fn no_transaction_has_very_many_statements_at_the_largest_inputs(fixture) {
        telemetry::recorder();
        for _ in 0..2 {
            send(&fixture, "PUT", "/rates", &rates()).await.expect(200);
        }
        let mut member = order("MEMBER");
        member["parcels"] = vec![member["parcels"][0].clone(); 50].into();
        let made = send(&fixture, "POST", "/booking-batches", &json!({})).await.expect(201);
        let batch = format!("/booking-batches/{}", made.at("/data/uuid").as_str().unwrap());
        let members = json!({"data": vec![member; 100]});
        send(&fixture, "POST", &format!("{batch}/shipments"), &members).await.expect(201);
        send(&fixture, "DELETE", &batch, &json!({})).await;
        let wide: Value = (0..12_400).map(|number| (format!("m{number}"), json!([1]))).collect();
        assert!(send(&fixture, "PATCH", "/settings", &json!({"x": wide})).await.status < 500);
        for number in 0..20 {
            let body = json!({"url": format!("http://127.0.0.1:1/{number}"),
                              "events": ["report.ready"]});
            send(&fixture, "POST", "/webhooks", &body).await.expect(201);
        }
        for _ in 0..600 {
            crate::webhooks::happen(&fixture.app).await;
        }
        many_teams_with_many_webhooks(&fixture).await;
        runner::run_due(&fixture.app.worker).await.unwrap();
        let parcel = tracking::parcel(&fixture, "MANY").await;
        let event = |number: usize| json!({"id": number.to_string(), "code": "terminal", "at": "2026-11-14T12:00:00Z"});
        let events = (0..5000).map(event).collect::<Vec<_>>();
        tracking::tell(&fixture, &parcel, events.into()).await.expect(200);
        let page = tracking::page(&fixture, "?per_page=1000").await.expect(200);
        assert_eq!(page.at("/data").as_array().unwrap().len(), 1000);
        let all = |tx: &mut Tx<'_>| tx.one::<i64>("SELECT count(*) FROM tracking_event", &[]);
        let all = fixture.app.app.read(all).await.unwrap();
        assert_eq!(all, Some(1000), "no more is kept of one parcel");
        assert_eq!(count(&fixture).await, 0, "see the log for its name");
        let many = |tx: &mut Tx<'_>| {
            (0..2001).try_for_each(|_| tx.exec("DELETE FROM job WHERE kind = ''", &[]).map(drop))
        };
        fixture.app.app.write(many).await.unwrap();
        assert_eq!(count(&fixture).await, 1);
    }
}
