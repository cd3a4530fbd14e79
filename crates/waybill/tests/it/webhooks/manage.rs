//! Making, showing, changing and removing webhooks.

use serde_json::{Value, json};
use waybill_domain::ids::WebhookId;
use waybill_store::webhooks;

use super::{path_of, webhook};
use crate::harness::both;

both! {
    async fn a_webhook_is_made_shown_listed_changed_and_deleted(app) {
        let made = webhook(&app, "http://127.0.0.1:9/hook").await;
        let path = path_of(&app, &made);
        assert_eq!(made.header("location").unwrap(), format!("http://waybill.test{path}"));
        let shown = app.get(&path).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/events"), json!(["report.ready", "report.failed"]));
        assert_eq!(shown.at("/data/is_active"), json!(true));
        let listed = app.get(&app.path("/webhooks")).admin().send().await.expect(200);
        assert_eq!(listed.at("/data/0"), shown.at("/data"));
        let patch = json!({"events": ["shipment.booked"], "is_active": false}).to_string();
        let changed = app.patch(&path).admin().json(&patch).send().await.expect(200);
        assert_eq!(changed.at("/data/events"), json!(["shipment.booked"]));
        assert_eq!(changed.at("/data/is_active"), json!(false));
        assert_eq!(changed.at("/data/disabled_reason"), Value::Null);
        assert_eq!(changed.at("/data/url"), shown.at("/data/url"));
        app.delete(&path).admin().send().await.expect(204);
        app.delete(&path).admin().send().await.expect(404);
        app.get(&path).admin().send().await.expect(404);
        let listed = app.get(&app.path("/webhooks")).admin().send().await.expect(200);
        assert_eq!(listed.at("/data"), json!([]));
    }

    async fn the_secret_is_shown_once_and_lies_sealed_in_the_database(app) {
        let made = webhook(&app, "http://127.0.0.1:9/hook").await;
        let secret = made.at("/data/secret").as_str().unwrap().to_owned();
        let path = path_of(&app, &made);
        for reply in [
            app.get(&path).admin().send().await.expect(200),
            app.get(&app.path("/webhooks")).admin().send().await.expect(200),
            app.patch(&path).admin().json(r#"{"is_active":true}"#).send().await.expect(200),
        ] {
            assert!(!String::from_utf8_lossy(&reply.bytes).contains("whsec_"));
        }
        let sealed = app.app.read(|tx| tx.one::<Vec<u8>>("SELECT secrets FROM webhook", &[]));
        let sealed = sealed.await.unwrap().unwrap();
        let parts = [secret.as_bytes(), &secret.as_bytes()[6..20], b"whsec_"];
        for part in parts {
            assert!(!sealed.windows(part.len()).any(|window| window == part));
        }
        let rotated = app.post(&format!("{path}/rotate-secret")).admin().send().await.expect(200);
        assert_ne!(rotated.at("/data/secret"), json!(secret));
        for status in [200, 200, 200, 409] {
            app.post(&format!("{path}/rotate-secret")).admin().send().await.expect(status);
        }
    }

    async fn what_is_wrong_with_a_webhook_is_told_at_its_field(app) {
        let path = app.path("/webhooks");
        for (body, problems) in [
            (json!({}), vec!["events", "url"]),
            (json!({"url": "ftp://x.example", "events": ["shipment.booked"]}), vec!["url"]),
            (json!({"url": "", "events": []}), vec!["events", "url"]),
            (json!({"url": "ftp://x.example", "events": ["x"]}), vec!["events.0", "url"]),
            (json!({"url": 1, "events": "x"}), vec!["events", "url"]),
            (json!({"url": "https://a.example", "events": ["shipment.bookd"]}), vec!["events.0"]),
            (json!({"url": "https://a.example", "events": ["webhook.test"]}), vec!["events.0"]),
            (
                json!({"url": "https://a.example", "events": ["report.ready", "report.ready"]}),
                vec!["events.1"],
            ),
            (
                json!({"url": "https://a.example", "events": ["report.ready"], "secret": "x"}),
                vec!["secret"],
            ),
            (
                json!({"url": "https://a.example", "events": ["report.ready"], "is_active": 1}),
                vec!["is_active"],
            ),
        ] {
            let reply = app.post(&path).admin().json(&body.to_string()).send().await;
            assert_eq!(reply.problems(), problems, "{body}");
        }
        let one = path_of(&app, &webhook(&app, "http://127.0.0.1:9/hook").await);
        for (patch, problem) in [
            (json!({"url": "nonsense"}), "url"),
            (json!({"events": []}), "events"),
            (json!({"is_active": null}), "is_active"),
            (json!({"created_at": "x"}), "created_at"),
        ] {
            let reply = app.patch(&one).admin().json(&patch.to_string()).send().await;
            assert_eq!(reply.problems(), [problem], "{patch}");
        }
    }

    async fn the_callback_of_a_batch_is_no_webhook_of_the_team(app) {
        let made = webhook(&app, "http://127.0.0.1:9/hook").await;
        let id = WebhookId::parse(made.at("/data/uuid").as_str().unwrap()).unwrap();
        let (team, callback) = (app.team, app.app.new_uuid());
        let copy = move |tx: &mut waybill_store::Tx<'_>| {
            let own = webhooks::find(tx, team, id)?.unwrap();
            let copy = webhooks::Webhook { id: WebhookId(callback), batch: Some(callback), ..own };
            webhooks::insert(tx, team, &copy)
        };
        app.app.write(copy).await.unwrap();
        let path = app.path(&format!("/webhooks/{callback}"));
        app.get(&path).admin().send().await.expect(404);
        app.delete(&path).admin().send().await.expect(404);
        app.post(&format!("{path}/test")).admin().send().await.expect(404);
        app.post(&format!("{path}/rotate-secret")).admin().send().await.expect(404);
        app.patch(&path).admin().json("{}").send().await.expect(404);
        let listed = app.get(&app.path("/webhooks")).admin().send().await.expect(200);
        assert_eq!(listed.at("/data").as_array().unwrap().len(), 1);
    }

    async fn lists_of_webhooks_are_read_by_cursor(app) {
        for _ in 0..3 {
            webhook(&app, "http://127.0.0.1:9/hook").await;
        }
        let first = app.get(&app.path("/webhooks?per_page=2")).admin().send().await.expect(200);
        let next = first.at("/links/next").as_str().unwrap().replace("http://waybill.test", "");
        let second = app.get(&next).admin().send().await.expect(200);
        assert_eq!(second.at("/data").as_array().unwrap().len(), 1);
        assert_eq!(second.at("/links/next"), Value::Null);
        let bad = app.get(&app.path("/webhooks?cursor=x")).admin().send().await;
        assert_eq!(bad.problems(), ["cursor"]);
    }
}
