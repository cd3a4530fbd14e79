//! What a team may have only so much of: the limit holds however many ask at once, and is told.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::ids::TeamId;

use crate::harness::{Reply, TestApp};

/// Runs a test on both databases with these quotas.
macro_rules! limited {
    ($quotas:literal: $(async fn $name:ident($app:ident) $body:block)*) => {$(
        async fn $name($app: crate::harness::TestApp) $body

        mod $name {
            use crate::harness::{Database, TestApp};

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                super::$name(TestApp::with_quotas(Database::Sqlite, $quotas).await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                super::$name(TestApp::with_quotas(Database::Postgres, $quotas).await).await;
            }
        }
    )*};
}

/// Where each thing is made, and of what.
fn makers(app: &TestApp) -> Vec<(String, Value)> {
    let beta = |rest: &str| format!("/beta/teams/{}{rest}", app.team);
    vec![
        (app.path("/carrier-accounts"), json!({"carrier_code": "sandbox", "name": "S"})),
        (
            app.path("/webhooks"),
            json!({"url": "http://127.0.0.1:9/", "events": ["shipment.booked"]}),
        ),
        (app.path("/shipment-templates"), json!({"title": "T"})),
        (app.path("/booking-batches"), json!({})),
        (
            beta("/reports"),
            json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z", "formats": ["xlsx"]}),
        ),
    ]
}

async fn make(app: &TestApp, path: &str, body: &Value) -> Reply {
    app.post(path).admin().json(&body.to_string()).send().await
}

/// Code and `used` of everything that the team of this token may have only so much of.
async fn used(app: &TestApp, team: TeamId, token: &str) -> BTreeMap<String, Value> {
    let path = format!("/v2/teams/{team}/quotas");
    let reply = app.get(&path).token(token).send().await.expect(200);
    let rows = reply.at("/data").as_array().unwrap().clone();
    rows.iter().map(|row| (row["code"].as_str().unwrap().into(), row["used"].clone())).collect()
}

limited! { "accounts=3,webhooks=3,templates=3,batches=3,reports=3,option-bytes=40":
    async fn one_more_than_a_team_may_have_is_409_however_many_ask_at_once(app) {
        for (path, body) in makers(&app) {
            let all = (0..8).map(|_| make(&app, &path, &body));
            let all = futures_util::future::join_all(all).await;
            let made = all.iter().filter(|reply| matches!(reply.status, 201 | 202)).count();
            assert_eq!(made, 3, "{path}");
            let refused = make(&app, &path, &body).await.expect(409);
            assert_eq!(refused.header("retry-after"), None);
            let message = refused.at("/message").as_str().unwrap().to_owned();
            assert!(message.contains('3') && message.contains("limit"), "{message}");
            let danish = app.post(&path).admin().header("accept-language", "da");
            let danish = danish.json(&body.to_string()).send().await.expect(409);
            assert!(danish.at("/message").as_str().unwrap().contains("grænsen"));
        }
    }

    async fn another_team_has_limits_of_its_own(app) {
        let (team, token) = app.team("other.example.com").await;
        for (path, body) in makers(&app) {
            for _ in 0..3 {
                make(&app, &path, &body).await;
            }
            let path = path.replace(&app.team.to_string(), &team.to_string());
            let made = app.post(&path).token(&token).json(&body.to_string()).send().await;
            assert!(matches!(made.status, 201 | 202), "{path}: {}", made.status);
        }
    }

    async fn what_is_deleted_makes_room(app) {
        for (path, body) in makers(&app).into_iter().take(3) {
            let mut made = Vec::new();
            for _ in 0..3 {
                made.push(make(&app, &path, &body).await.expect(201).at("/data/uuid"));
            }
            make(&app, &path, &body).await.expect(409);
            let one = format!("{path}/{}", made[1].as_str().unwrap());
            app.delete(&one).admin().send().await.expect(204);
            make(&app, &path, &body).await.expect(201);
            make(&app, &path, &body).await.expect(409);
        }
    }

    async fn a_batch_that_is_over_and_a_report_that_is_made_make_room(app) {
        let all = makers(&app);
        for (path, body) in &all[3..] {
            for _ in 0..3 {
                make(&app, path, body).await;
            }
            make(&app, path, body).await.expect(409);
        }
        let over = |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE batch SET state = 'stopped', finished_at = created_at", &[])?;
            tx.exec("UPDATE report SET state = 'failed'", &[])
        };
        app.app.write(over).await.unwrap();
        for (path, body) in &all[3..] {
            let made = make(&app, path, body).await;
            assert!(matches!(made.status, 201 | 202), "{path}: {}", made.status);
        }
        // The story is not whole, and nobody is to complain about that.
        let gone = |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("DELETE FROM job", &[])?;
            tx.exec("DELETE FROM report", &[])?;
            tx.exec("DELETE FROM batch", &[])
        };
        app.app.write(gone).await.unwrap();
    }

    async fn members_are_told_the_limits_in_their_language_and_what_is_used(app) {
        let ask = app.get(&app.path("/quotas")).token(&app.member);
        let reply = ask.header("accept-language", "de").send().await.expect(200);
        assert_eq!(reply.header("content-language"), Some("de"));
        assert_eq!(reply.at("/data/2"), json!({"code": "templates", "name": "Vorlagen",
            "limit": 3, "used": 0}));
        assert_eq!(reply.at("/data/7/code"), json!("option_bytes"));
        assert_eq!(reply.at("/data/7/limit"), json!(40));
        assert_eq!(reply.at("/data/7/used"), Value::Null);
    }

    async fn what_is_used_counts_up_and_down_for_its_own_team(app) {
        let (other, stranger) = app.team("other.example.com").await;
        let before = used(&app, app.team, &app.member).await;
        let others = used(&app, other, &stranger).await;
        let codes = ["accounts", "webhooks", "templates", "batches", "reports"];
        let mut expected = before.clone();
        for (code, (path, body)) in codes.into_iter().zip(makers(&app)) {
            let made = [make(&app, &path, &body).await, make(&app, &path, &body).await];
            expected.insert(code.into(), json!(before[code].as_i64().unwrap() + 2));
            assert_eq!(used(&app, app.team, &app.member).await, expected);
            if matches!(code, "accounts" | "webhooks" | "templates") {
                let one = format!("{path}/{}", made[0].at("/data/uuid").as_str().unwrap());
                app.delete(&one).admin().send().await.expect(204);
                expected.insert(code.into(), json!(before[code].as_i64().unwrap() + 1));
                assert_eq!(used(&app, app.team, &app.member).await, expected);
            }
        }
        assert_eq!(used(&app, other, &stranger).await, others);
        // A token is its user's.
        app.token_for(app.team, Role::Member, "*").await;
        assert_eq!(used(&app, app.team, &app.member).await, expected);
        assert_eq!(expected["tokens"], json!(1));
    }

    async fn a_replay_is_answered_when_the_limit_is_reached(app) {
        let path = app.path("/shipment-templates");
        let send = |key: String| {
            app.post(&path).admin().header("idempotency-key", key).json(r#"{"title":"T"}"#).send()
        };
        for number in 0..3 {
            send(format!("template-number-{number}")).await.expect(201);
        }
        send("template-number-3".to_owned()).await.expect(409);
        let again = send("template-number-1".to_owned()).await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
    }

    async fn options_and_credentials_are_bounded_in_bytes(app) {
        let path = app.path("/carrier-accounts");
        let account = |options: usize, credentials: usize| {
            json!({"carrier_code": "sandbox", "name": "S",
                "options": {"a": "x".repeat(options)},
                "credentials": {"b": "y".repeat(credentials)}})
        };
        // The name, the quotes and the brackets are 8 bytes.
        let made = make(&app, &path, &account(32, 32)).await.expect(201);
        let refused = make(&app, &path, &account(33, 33)).await.expect(422);
        assert_eq!(refused.problems(), ["credentials", "options"]);
        let said = refused.at("/errors/options/0");
        assert_eq!(said, json!("must be at most 40 bytes of JSON"));
        let one = format!("{path}/{}", made.at("/data/uuid").as_str().unwrap());
        let patch = json!({"options": {"more": "z".repeat(10)}}).to_string();
        let refused = app.patch(&one).admin().json(&patch).send().await.expect(422);
        assert_eq!(refused.problems(), ["options"]);
    }
}

limited! { "streams=2":
    async fn a_team_is_sent_only_so_many_streams_at_once(app) {
        let made = make(&app, &app.path("/booking-batches"), &json!({})).await.expect(201);
        let batch = made.at("/data/uuid").as_str().unwrap().to_owned();
        let path = app.path(&format!("/booking-batches/{batch}"));
        let first = app.get(&path).admin().header("accept", "text/event-stream").begin().await;
        let second = app.get(&path).admin().header("accept", "text/event-stream").begin().await;
        assert_eq!((first.status().as_u16(), second.status().as_u16()), (200, 200));
        let member = app.token_for(app.team, Role::Member, "*").await;
        let ask = || app.get(&path).token(&member).header("accept", "text/event-stream");
        assert_eq!(ask().begin().await.status().as_u16(), 409);
        let refused = ask().send().await.expect(409);
        assert!(refused.at("/message").as_str().unwrap().contains("2 streams"));
        assert_eq!(used(&app, app.team, &member).await["streams"], json!(2));
        app.get(&path).admin().send().await.expect(200);
        drop(first);
        assert_eq!(ask().begin().await.status().as_u16(), 200);
    }
}
