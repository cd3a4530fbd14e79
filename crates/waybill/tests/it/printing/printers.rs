//! Adding, showing, changing and removing printers.

use serde_json::json;

use super::{Printing, text};
use crate::harness::{Database, databases};

databases! {
    a_printer_is_asked_before_it_is_added
    what_is_no_printer_is_not_added
    a_new_name_is_shown_and_a_wrong_address_changes_nothing
    a_printer_of_another_team_is_not_there
    a_removed_printer_is_gone_and_its_rules_fit_nothing
}

async fn a_printer_is_asked_before_it_is_added(database: Database) {
    let test = Printing::new(database).await;
    let added = test.add("Packing table", "").await.expect(201);
    assert_eq!(added.at("/data/state"), json!("online"));
    assert_eq!(added.at("/data/provider"), json!("ipp"));
    let formats = added.at("/data/formats");
    for format in ["pdf", "png", "zpl"] {
        assert!(formats.as_array().unwrap().contains(&json!(format)), "{formats}");
    }
    let sizes = added.at("/data/paper_sizes");
    let label = json!({"value": 100, "unit": "mm"});
    assert!(sizes.as_array().unwrap().iter().any(|size| size["width"] == label), "{sizes}");
    assert!(!added.json().to_string().contains("ipp://"));
    let list = test.fixture.app.path("/printers");
    let list = test.fixture.app.get(&list).admin().send().await.expect(200);
    assert_eq!(list.at("/data/0"), added.at("/data"));
    let again = test.add("The same", "").await.expect(422);
    assert_eq!(again.problems(), ["uri"]);
    assert!(again.json().to_string().contains("Packing table"), "{}", again.json());
}

async fn what_is_no_printer_is_not_added(database: Database) {
    let test = Printing::new(database).await;
    let carrier = test.fixture.app.app.base_url().to_owned();
    for (uri, words) in [
        ("ipp://127.0.0.1:9/ipp/print", "port"),
        ("ipp://127.0.0.1:1029/ipp/print", "connections"),
        ("ipp://169.254.169.254/latest", "allowed"),
        ("http://127.0.0.1/", "ipp://"),
        ("ipp://user:pw@127.0.0.1:8631/", "password"),
        ("ipp://127.0.0.1:25/", "port"),
    ] {
        let body = json!({"name": "P", "uri": uri}).to_string();
        let path = test.beta("/printers");
        let refused = test.fixture.app.post(&path).admin().json(&body).send().await.expect(422);
        assert_eq!(refused.problems(), ["uri"], "{uri}");
        let said = refused.json().to_string();
        assert!(said.contains(words), "{uri}: {said}");
    }
    let body = json!({"name": "", "uri": "virtual:demo", "formats": ["gif"]}).to_string();
    let refused = test.fixture.app.post(&test.beta("/printers")).admin().json(&body).send().await;
    assert_eq!(refused.expect(422).problems(), ["formats.0", "name", "uri"], "all at once");
    let all = test.fixture.app.get(&test.beta("/printers")).admin().send().await.expect(200);
    assert_eq!(all.at("/data"), json!([]), "{carrier}");
}

async fn a_new_name_is_shown_and_a_wrong_address_changes_nothing(database: Database) {
    let test = Printing::new(database).await;
    let path = test.beta(&format!("/printers/{}", test.printer("").await));
    let patch =
        |body: serde_json::Value| test.fixture.app.patch(&path).admin().json(&body.to_string());
    let renamed = patch(json!({"name": "Office", "formats": ["pdf"]})).send().await.expect(200);
    assert_eq!(renamed.at("/data/name"), json!("Office"));
    assert_eq!(renamed.at("/data/formats"), json!(["pdf"]));
    let wrong = json!({"name": "Other", "uri": "ipp://127.0.0.1:9/"});
    assert_eq!(patch(wrong).send().await.expect(422).problems(), ["uri"]);
    let shown = test.fixture.app.get(&path).admin().send().await.expect(200);
    assert_eq!(shown.at("/data"), renamed.at("/data"));
}

async fn a_printer_of_another_team_is_not_there(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("").await;
    let (team, token) = test.fixture.app.team("other.example.com").await;
    let app = &test.fixture.app;
    let theirs = format!("/beta/teams/{team}/printers/{printer}");
    let nothing = format!("/beta/teams/{team}/printers/0199a1b2-0000-7000-8000-000000000001");
    for path in [theirs, nothing] {
        app.get(&path).token(&token).send().await.expect(404);
        app.patch(&path).token(&token).json(r#"{"name": "Mine"}"#).send().await.expect(404);
        app.delete(&path).token(&token).send().await.expect(404);
    }
    // The same address is a printer of theirs too.
    let body = json!({"name": "P", "uri": test.uri("")}).to_string();
    let add = format!("/beta/teams/{team}/printers");
    app.post(&add).token(&token).json(&body).send().await.expect(201);
    let rule = json!({"printing": {"automatic": true, "rules": [{"format": "zpl",
        "printer_uuid": printer, "copies": 1}]}});
    let settings = format!("/v2/teams/{team}/settings");
    let refused = app.patch(&settings).token(&token).json(&rule.to_string()).send().await;
    assert_eq!(refused.expect(422).problems(), ["printing.rules.0.printer_uuid"]);
}

async fn a_removed_printer_is_gone_and_its_rules_fit_nothing(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("").await;
    let rules = json!({"printing": {"rules": [{"format": "zpl", "printer_uuid": printer}]}});
    let (app, settings) = (&test.fixture.app, test.fixture.app.path("/settings"));
    app.patch(&settings).admin().json(&rules.to_string()).send().await.expect(200);
    let path = test.beta(&format!("/printers/{printer}"));
    app.delete(&path).admin().send().await.expect(204);
    app.get(&path).admin().send().await.expect(404);
    app.delete(&path).admin().send().await.expect(404);
    let booked = test.book("GONE").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let refused = test.print(&document, None, json!({})).await.expect(422);
    assert_eq!(refused.problems(), ["printer_uuid"]);
    // Other settings can still be changed, and the same address can be added again.
    app.patch(&settings).admin().json(r#"{"language": "da"}"#).send().await.expect(200);
    test.printer("").await;
}
