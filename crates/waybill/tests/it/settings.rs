//! Settings: merge patches, versions, exact paths.

use serde_json::json;

use crate::harness::both;

const SENDER: &str = r#"{"sender_address": {
    "contact": {"name": "Nordic Books", "email": "hello@nordicbooks.dk"},
    "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K",
                "country": "DK"}}}"#;

both! {
    async fn a_patch_is_merged_and_shown(app) {
        let path = app.path("/settings");
        let reply = app.patch(&path).admin().json(SENDER).send().await.expect(200);
        assert_eq!(reply.at("/data/sender_address/address/city"), json!("København K"));
        assert_eq!(reply.at("/data/sender_address/contact/phone"), json!(null));
        let patch = r#"{"language": "da", "documents": {"label": {"formats": ["zpl", "pdf"]}}}"#;
        app.patch(&path)
            .admin()
            .header("content-type", "application/merge-patch+json")
            .body(axum::body::Body::from(patch))
            .send()
            .await
            .expect(200);
        let reply = app.get(&path).admin().send().await.expect(200);
        assert_eq!(reply.at("/data/documents/label/formats"), json!(["zpl", "pdf"]));
        assert_eq!(reply.at("/data/sender_address/contact/name"), json!("Nordic Books"));
        let team = app.get(&app.path("")).admin().send().await.expect(200);
        assert_eq!(team.at("/data/language"), json!("da"));
    }

    async fn changes_at_the_same_moment_that_name_no_version_are_all_made(app) {
        let path = app.path("/settings");
        let changes = [
            r#"{"language": "da"}"#,
            r#"{"documents": {"label": {"formats": ["png"]}}}"#,
            SENDER,
        ];
        let made = changes.map(|change| app.patch(&path).admin().json(change).send());
        for reply in futures_util::future::join_all(made).await {
            reply.expect(200);
        }
        let now = app.get(&path).admin().send().await.expect(200);
        assert_eq!(now.at("/data/language"), json!("da"));
        assert_eq!(now.at("/data/documents/label/formats"), json!(["png"]));
        assert_eq!(now.at("/data/sender_address/contact/name"), json!("Nordic Books"));
    }

    async fn the_teams_language_answers_when_the_caller_has_no_wish(app) {
        let path = app.path("/settings");
        app.patch(&path).admin().json(r#"{"language": "da"}"#).send().await.expect(200);
        let missing = app.path("/shipment-templates/x");
        let reply = app.get(&missing).admin().send().await.expect(404);
        assert_eq!(reply.header("content-language"), Some("da"));
        let reply =
            app.get(&missing).admin().header("accept-language", "fi").send().await.expect(404);
        assert_eq!(reply.header("content-language"), Some("fi"));
    }

    async fn a_change_from_a_stale_version_is_409_and_changes_nothing(app) {
        let path = app.path("/settings");
        let etag = app.get(&path).admin().send().await.header("etag").unwrap().to_owned();
        let change = |language: &str| format!(r#"{{"language": "{language}"}}"#);
        let first = app.patch(&path).admin().header("if-match", &etag).json(&change("sv"));
        let newer = first.send().await.expect(200).header("etag").unwrap().to_owned();
        assert_ne!(newer, etag);
        let second = app.patch(&path).admin().header("if-match", &etag).json(&change("fi"));
        let reply = second.send().await.expect(409);
        assert_eq!(reply.header("retry-after"), None);
        let reply = app.get(&path).admin().send().await;
        assert_eq!(reply.at("/data/language"), json!("sv"));
        let twice = app.patch(&path).admin().header("if-match", &etag).header("if-match", "\"0\"");
        twice.json(&change("de")).send().await.expect(409);
        let third = app.patch(&path).admin().header("if-match", "*").json(&change("fi"));
        third.send().await.expect(200);
    }

    async fn a_reader_that_has_the_version_gets_304(app) {
        let path = app.path("/settings");
        let etag = app.get(&path).admin().send().await.header("etag").unwrap().to_owned();
        let reply = app.get(&path).admin().header("if-none-match", &etag).send().await.expect(304);
        assert!(reply.bytes.is_empty());
    }

    async fn every_problem_of_a_patch_is_named_and_nothing_is_changed(app) {
        let path = app.path("/settings");
        let patch = r#"{"langauge": "da", "language": "xx", "documents": {"label": {"size": "a5"}},
            "printing": {"rules": [{"format": "zpl",
            "printer_uuid": "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"}]}}"#;
        let reply = app.patch(&path).admin().json(patch).send().await;
        assert_eq!(reply.problems(), ["documents.label.size", "langauge", "language"]);
        let reply = app.get(&path).admin().send().await;
        assert_eq!(reply.header("etag"), Some("\"1\""));
    }

    async fn an_address_that_no_label_can_show_is_refused_at_its_field(app) {
        let path = app.path("/settings");
        let patch = r#"{"sender_address": {"contact": {"name": "書店"},
            "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
            "city": "København K", "country": "DK"}}}"#;
        let reply = app.patch(&path).admin().json(patch).send().await;
        assert_eq!(reply.problems(), ["sender_address.contact.name"]);
        app.patch(&path).admin().json(SENDER).send().await.expect(200);
        let returns = SENDER.replace("sender_address", "return_address").replace("Vestergade", "📚");
        let reply = app.patch(&path).admin().json(&returns).send().await;
        assert_eq!(reply.problems(), ["return_address.address.address_lines.0"]);
        let read = app.get(&path).admin().send().await.expect(200);
        assert_eq!(read.at("/data/return_address"), json!(null));
    }
}
