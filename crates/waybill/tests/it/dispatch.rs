//! What every answer has, whatever it answers.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use waybill_api::dispatch;
use waybill_domain::job::JobKind;
use waybill_store::{Tx, jobs};

use crate::harness::answers::send;
use crate::harness::{Database, TestApp, both};

/// A part of the documentation page is not larger: all of them are inside the program.
const PAGE_BYTES_MAX: usize = 1024 * 1024;

both! {
    async fn a_well_formed_request_id_is_echoed_and_any_other_replaced(app) {
        for (given, is_echoed) in [
            ("order-4521.retry_2", true),
            (&"x".repeat(64), true),
            (&"x".repeat(65), false),
            ("with space", false),
            ("æ", false),
            ("a\tb", false),
            ("<script>", false),
        ] {
            let reply = app.get("/nowhere").header("request-id", given).send().await.expect(404);
            let id = reply.header("request-id").unwrap();
            assert_eq!(id == given, is_echoed, "{given} gave {id}");
            assert!(!id.is_empty() && id.len() <= 64);
        }
    }

    async fn unknown_paths_and_methods_have_messages_and_ids_too(app) {
        let team = app.team;
        for path in [
            "/".to_owned(),
            "/v2".to_owned(),
            "/v3/me".to_owned(),
            "/v2/me/".to_owned(),
            "//v2/me".to_owned(),
            "/V2/me".to_owned(),
            "/v2/%6de/x".to_owned(),
            format!("/v2/teams/{team}/../{team}/settings"),
            format!("/v2/teams/{team}/wms/catalog-items"),
        ] {
            let reply = app.get(&path).admin().send().await.expect(404);
            assert!(!reply.at("/message").as_str().unwrap().is_empty());
        }
        let reply = app.ask("POST", "/v2/me").admin().send().await.expect(405);
        assert_eq!(reply.header("allow"), Some("DELETE, GET, HEAD, OPTIONS, PATCH"));
        app.ask("TRACE", "/v2/me").admin().send().await.expect(405);
    }

    async fn invented_methods_are_one_in_metrics_and_are_not_repeated_at_length(app) {
        // Counts begin with the first look at them.
        app.get("/metrics").send().await.expect(200);
        for n in 0..50 {
            let method = format!("INVENTED{n}{}", "X".repeat(5000));
            let reply = app.ask(&method, "/v2/me").send().await.expect(405);
            assert!(reply.bytes.len() < 500, "{}", reply.bytes.len());
            app.ask(&method, "/nowhere").send().await.expect(404);
        }
        let metrics = app.get("/metrics").send().await.expect(200);
        let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
        assert!(!text.contains("INVENTED"), "{text}");
        assert!(text.contains("method=\"other\""), "{text}");
    }

    async fn no_header_turns_one_method_into_another(app) {
        let path = app.path("/settings");
        for name in ["x-http-method-override", "x-http-method", "x-method-override"] {
            let ask = app.get(&path).admin().header(name, "DELETE");
            ask.send().await.expect(200);
        }
    }

    async fn head_is_get_without_the_body_and_under_the_same_rules(app) {
        app.ask("HEAD", "/v2/me").send().await.expect(401);
        let path = app.path("/settings");
        app.ask("HEAD", &path).token(&app.member).send().await.expect(403);
        let reply = app.ask("HEAD", &path).admin().send().await.expect(200);
        assert!(reply.header("etag").is_some());
    }

    // Rules: Errors 7.
    async fn a_browser_may_read_the_headers_that_it_needs(app) {
        let ask = app.ask("OPTIONS", "/v2/me").header("origin", "https://shop.example.com");
        let reply = ask.header("access-control-request-method", "GET").send().await.expect(204);
        let allowed = reply.header("access-control-allow-headers").unwrap().to_lowercase();
        for name in ["authorization", "content-type", "idempotency-key", "request-id"] {
            assert!(allowed.contains(name), "{name}");
        }
        let reply = app.get("/v2/me").admin().send().await.expect(200);
        let exposed = reply.header("access-control-expose-headers").unwrap().to_lowercase();
        for name in ["location", "retry-after", "request-id", "idempotency-replayed", "ratelimit",
                     "server-timing", "etag"] {
            assert!(exposed.contains(name), "{name}");
        }
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("access-control-allow-credentials"), None);
    }

    async fn a_server_without_its_store_is_alive_and_not_ready(app) {
        let second = app.beside(60, 60);
        let router = dispatch::router(second.clone());
        let get = |path: &str| Request::get(path).body(Body::empty()).unwrap();
        send(&router, get("/readyz")).await.expect(200);
        second.app().store().clone().close().await;
        send(&router, get("/healthz")).await.expect(200);
        let reply = send(&router, get("/readyz")).await.expect(503);
        assert_eq!(reply.at("/message"), "The database cannot be used.");
        assert_eq!(reply.header("retry-after"), Some("2"));
    }

    async fn bookings_that_no_worker_takes_make_the_server_say_so(app) {
        let team = app.team;
        let (now, job) = (app.app.now(), app.app.new_uuid());
        let add = move |tx: &mut Tx<'_>| {
            let now = tx.now(now)?;
            jobs::schedule(tx, JobKind::Book, job, Some(team), now)
        };
        app.app.write(add).await.unwrap();
        app.get("/readyz").send().await.expect(200);
        app.clock.advance(std::time::Duration::from_secs(180));
        if app.app.store().is_shared() {
            // There the database has the clock.
            let age = move |tx: &mut Tx<'_>| {
                let sql = "UPDATE job SET run_at = run_at - 180000000 WHERE subject = $1";
                tx.exec(sql, &[job.into()])
            };
            app.app.write(age).await.unwrap();
        }
        let reply = app.get("/readyz").send().await.expect(503);
        assert_eq!(reply.at("/message"), "Bookings wait, and no worker takes them.");
        waybill_worker::runner::schedule_recurring(&app.app).await.unwrap();
        app.get("/readyz").send().await.expect(200);
    }

    async fn the_server_says_what_took_how_long(app) {
        let reply = app.get("/v2/me").admin().send().await.expect(200);
        let timing = reply.header("server-timing").unwrap();
        assert!(timing.starts_with("total;dur="), "{timing}");
    }

    async fn probes_the_contract_and_its_page_are_public(app) {
        let reply = app.get("/healthz").send().await.expect(200);
        assert_eq!(reply.json(), json!({"status": "ok"}));
        app.get("/readyz").send().await.expect(200);
        let reply = app.get("/openapi.json").send().await.expect(200);
        assert_eq!(reply.at("/openapi"), json!("3.1.0"));
        let etag = reply.header("etag").unwrap().to_owned();
        app.get("/openapi.json").header("if-none-match", etag).send().await.expect(304);
        let page = app.get("/docs").send().await.expect(200);
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'self';"));
        let page = String::from_utf8(page.bytes.clone()).unwrap();
        assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
        for asset in page.split(['"']).filter(|part| part.starts_with("/docs/")) {
            let reply = app.get(asset).send().await.expect(200);
            assert!(!reply.bytes.is_empty() && reply.bytes.len() < PAGE_BYTES_MAX);
            let etag = reply.header("etag").unwrap().to_owned();
            app.get(asset).header("if-none-match", etag).send().await.expect(304);
        }
        app.get("/docs/nothing.js").send().await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_language_answers_in_its_own_words() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut messages = std::collections::BTreeSet::new();
    for language in ["en", "da", "sv", "nb", "fi", "de"] {
        let ask = app.get("/v2/me").header("accept-language", language);
        let reply = ask.send().await.expect(401);
        assert_eq!(reply.header("content-language"), Some(language));
        messages.insert(reply.at("/message").to_string());
    }
    assert_eq!(messages.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_requests_by_operation() {
    waybill_engine::telemetry::recorder();
    let app = TestApp::new(Database::Sqlite).await;
    app.get("/v2/me").admin().send().await.expect(200);
    app.post(&app.path("/shipment-templates")).admin().json("{}").send().await.expect(422);
    waybill_worker::runner::schedule_recurring(&app.app).await.unwrap();
    waybill_worker::runner::run_due(&app.worker).await.unwrap();
    let reply = app.get("/metrics").send().await.expect(200);
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    for line in [
        r#"waybill_http_requests_total{operation="getMe",method="GET",status="200"}"#,
        r#"waybill_http_request_seconds_bucket{operation="getMe""#,
        "waybill_store_writer_queue",
        "waybill_store_group_size",
        "waybill_job_lag_seconds",
        "waybill_violations 0",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = line.split(' ').next().unwrap();
        assert!(text.contains(&format!("# HELP {name} ")), "{name} says nothing of itself");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_takes_long_is_counted() {
    waybill_engine::telemetry::recorder();
    let app = TestApp::new(Database::Sqlite).await;
    let slow = |_: &mut Tx<'_>| {
        std::thread::sleep(std::time::Duration::from_millis(150));
        Ok::<_, waybill_store::Error>(())
    };
    app.app.write(slow).await.unwrap();
    let reply = app.get("/metrics").send().await.expect(200);
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    let line = text.lines().find(|line| line.starts_with("waybill_store_slow_writes_total "));
    let count: u64 = line.unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    assert!(count > 0, "{line:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_costs_much_waits_for_its_teams_turn_and_nothing_else_does() {
    let app = TestApp::new(Database::Sqlite).await;
    let turn = app.api.costly_queue().take(app.team).await;
    let rates = app.path("/rates");
    let large = format!(r#"{{"title": "{}"}}"#, "x".repeat(5000));
    let templates = app.path("/shipment-templates");
    let small = app.get(&templates).admin().send();
    small.await.expect(200);
    for costly in [
        app.put(&rates).admin().json(r#"{"data": []}"#),
        app.post(&templates).admin().json(&large),
        app.get(&format!("{rates}?per_page=1000")).admin(),
    ] {
        let waited = tokio::time::timeout(std::time::Duration::from_millis(200), costly.send());
        assert!(waited.await.is_err(), "it was answered out of turn");
    }
    drop(turn);
    app.put(&rates).admin().json(r#"{"data": []}"#).send().await.expect(200);
    app.post(&templates).admin().json(&large).send().await.expect(422);
}
