//! What hostile or careless callers send: a clear answer, bounded work, nothing stored.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;

use crate::harness::{Database, Reply, TestApp, both};

async fn post(app: &TestApp, body: impl Into<Body>) -> Reply {
    let ask = app.post(&app.path("/shipment-templates")).admin();
    ask.header("content-type", "application/json").body(body.into()).send().await
}

both! {
    async fn a_body_that_is_no_json_object_is_422_at_body(app) {
        for body in ["", "   ", "[]", "1", "\"x\"", "null", "{", "{\"a\":1,}", "{'a':1}", "\u{feff}{}"] {
            assert_eq!(post(&app, body).await.problems(), ["body"], "{body}");
        }
        for body in [&b"{\"title\":\"\xff\"}"[..], b"{\"title\":\"\\ud800\"}", b"\x00"] {
            assert_eq!(post(&app, body.to_vec()).await.problems(), ["body"]);
        }
    }

    async fn deep_wide_and_huge_values_are_refused_in_bounded_time(app) {
        let timeout = std::time::Duration::from_secs(10);
        let deep = "[".repeat(100_000);
        let wide = |count: usize| {
            let members: Vec<String> = (0..count).map(|n| format!("\"{n}\":1")).collect();
            format!("{{{}}}", members.join(","))
        };
        let number = format!("{{\"title\":{}}}", "9".repeat(1_000_000));
        let parcels = |weight: &str| {
            format!(r#"{{"title":"T","shipment":{{"weight_unit":"g","parcels":[{{"gross_weight":{weight}}}]}}}}"#)
        };
        let path = "shipment.parcels.0.gross_weight";
        for (body, problems) in [
            (deep, vec!["body"]),
            (format!("{{\"title\":{}}}", "{\"a\":".repeat(1000)), vec!["body"]),
            (wide(25_000), vec!["body"]),
            (number, vec!["title"]),
            (parcels("1e400"), vec![path]),
            (parcels("-1e-400"), vec![path]),
            (parcels(&"9".repeat(100_000)), vec![path]),
            (parcels("1.0001"), vec![path]),
            (parcels("0"), vec![path]),
        ] {
            let asked = tokio::time::timeout(timeout, post(&app, body.clone()));
            let reply = asked.await.expect("answered in time");
            assert_eq!(reply.problems(), problems, "{}", &body[..60.min(body.len())]);
        }
        let reply = post(&app, wide(24_999)).await;
        assert_eq!(reply.problems().len(), 1000);
    }

    async fn a_duplicate_key_is_422_at_its_path(app) {
        let reply = post(&app, r#"{"title":"A","title":"B","shipment":{"currency":"DKK","currency":"SEK"}}"#).await;
        assert_eq!(reply.problems(), ["shipment.currency", "title"]);
    }

    async fn a_body_in_very_many_tiny_chunks_is_413_and_one_in_many_is_read(app) {
        let chunks = |count: usize, size: usize| {
            let chunk = Bytes::from(vec![b' '; size]);
            let chunks = std::iter::repeat_n(chunk, count).map(Ok::<_, std::io::Error>);
            Body::from_stream(stream::iter(chunks))
        };
        let refused = post(&app, chunks(20_000, 1)).await.expect(413);
        let message = refused.at("/message");
        assert!(message.as_str().unwrap().contains("too many small chunks"), "{message}");
        for (count, size) in [(3_900, 1), (20_000, 50)] {
            post(&app, chunks(count, size)).await.expect(422);
        }
    }

    async fn a_body_over_the_limit_is_413_however_it_is_announced(app) {
        let large = format!("{{\"title\":\"{}\"}}", "x".repeat(1024 * 1024));
        post(&app, large.clone()).await.expect(413);
        let chunks = (0..2000).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 1024])));
        post(&app, Body::from_stream(stream::iter(chunks))).await.expect(413);
        let ask = app.post(&app.path("/shipment-templates")).admin();
        let ask = ask.header("content-type", "application/json");
        let ask = ask.header("content-length", "99999999").body(Body::from("{}"));
        ask.send().await.expect(413);
    }

    async fn a_body_of_another_media_type_is_415(app) {
        let path = app.path("/shipment-templates");
        for media in ["text/plain", "application/xml", "multipart/form-data", "json", ""] {
            let ask = app.post(&path).admin().header("content-type", media);
            ask.body(Body::from("{}")).send().await.expect(415);
        }
        app.post(&path).admin().body(Body::from("{}")).send().await.expect(415);
        let ask = app.post(&path).admin().header("content-encoding", "gzip").json("{}");
        ask.send().await.expect(415);
        let ask = app.post(&path).admin().header("content-type", "application/merge-patch+json");
        ask.body(Body::from("{}")).send().await.expect(415);
        let ask = app.post(&path).admin().header("content-type", "Application/JSON; charset=utf-8");
        ask.body(Body::from(r#"{"title":"T"}"#)).send().await.expect(201);
    }

    async fn query_parameters_out_of_bounds_are_422_at_their_name(app) {
        let path = app.path("/shipment-templates");
        for (query, problem) in [
            ("page=0", "page"),
            ("page=1000000000000000000", "page"),
            ("page=99999999999999999999999999", "page"),
            ("page=one", "page"),
            ("per_page=101", "per_page"),
            ("per_page=-1", "per_page"),
            ("per_page=", "per_page"),
            ("page=1&page=2", "page"),
            ("perpage=5", "perpage"),
        ] {
            let reply = app.get(&format!("{path}?{query}")).admin().send().await;
            assert_eq!(reply.problems(), [problem], "{query}");
        }
    }

    async fn a_number_out_of_bounds_is_told_the_bounds(app) {
        let path = app.path("/shipment-templates");
        for size in ["-1", "0", "101", "99999999999999999999", "+5", "1.5", "ten", ""] {
            let reply = app.get(&format!("{path}?per_page={size}")).admin().send().await;
            assert_eq!(reply.problems(), ["per_page"], "{size}");
            let told = reply.at("/errors/per_page/0");
            assert_eq!(told, "must be a whole number from 1 to 100", "{size}");
        }
    }

    async fn a_time_in_a_query_beyond_all_known_ones_is_told_which_are_known(app) {
        let told = async |at: &str| {
            let path = app.path(&format!("/shipments?updated_since={at}"));
            let reply = app.get(&path).admin().send().await;
            assert_eq!(reply.problems(), ["updated_since"], "{at}");
            reply.at("/errors/updated_since/0").as_str().unwrap().to_owned()
        };
        let known = "must be a time from 0000-01-01T00:00:00.000000Z to 9999-12-30T22:00:00.000000Z";
        assert_eq!(told("9999-12-31T00:00:00Z").await, known);
        assert!(told("2026-11-16").await.contains("with a UTC offset"));
    }

    async fn text_is_kept_as_given_unless_it_has_control_characters(app) {
        for title in ["Bøger & blade", "書籍", "📚", "e\u{301}", "a\u{200b}b", "^XA~JR", "=1+1", "../../x"] {
            let body = serde_json::json!({ "title": title }).to_string();
            let reply = post(&app, body).await.expect(201);
            assert_eq!(reply.at("/data/title"), serde_json::json!(title));
        }
        for title in ["a\u{0}b", "a\r\nb", "\u{202e}gpj", "\u{7f}", "a\u{9b}"] {
            let body = serde_json::json!({ "title": title }).to_string();
            assert_eq!(post(&app, body).await.problems(), ["title"]);
        }
        let body = serde_json::json!({ "title": "x".repeat(101) }).to_string();
        assert_eq!(post(&app, body).await.problems(), ["title"]);
        let body = serde_json::json!({ "title": "é".repeat(100) }).to_string();
        post(&app, body).await.expect(201);
    }

    async fn ten_thousand_languages_are_read_in_no_time(app) {
        let header = vec!["xx;q=0.5"; 5000].join(",");
        app.get("/v2/me").header("accept-language", header).send().await.expect(401);
    }

    async fn nothing_is_stored_by_a_refused_request(app) {
        post(&app, "{\"title\":1}").await.expect(422);
        post(&app, "[]").await.expect(422);
        let reply = app.get(&app.path("/shipment-templates")).admin().send().await.expect(200);
        assert_eq!(reply.at("/meta/total"), serde_json::json!(0));
    }

    async fn a_name_of_a_megabyte_is_not_echoed(app) {
        let name = "x".repeat(900_000);
        let reply = post(&app, format!(r#"{{"title": "T", "{name}": 1}}"#)).await.expect(422);
        assert!(reply.bytes.len() < 2_000, "{} bytes", reply.bytes.len());
        let problem = reply.problems().remove(0);
        assert!(name.starts_with(problem.trim_end_matches('…')) && problem.len() > 100, "{problem}");
        let name = "x".repeat(400_000);
        let twice = format!(r#"{{"title": "T", "{name}": 1, "{name}": 2}}"#);
        let reply = post(&app, twice).await.expect(422);
        assert!(reply.bytes.len() < 2_000, "{} bytes", reply.bytes.len());
        let query = format!("{}?{}=1", app.path("/shipment-templates"), "y".repeat(5_000));
        let reply = app.get(&query).admin().send().await.expect(422);
        assert!(reply.bytes.len() < 2_000, "{} bytes", reply.bytes.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_are_told_in_the_callers_language() {
    let app = TestApp::new(Database::Sqlite).await;
    let path = app.path("/shipment-templates");
    let ask = app.post(&path).admin().header("accept-language", "da-DK, en;q=0.5").json("{}");
    let reply = ask.send().await.expect(422);
    let told = reply.at("/errors/title/0");
    assert_ne!(told, serde_json::json!("is required"));
    assert_eq!(reply.header("content-language"), Some("da"));
}
