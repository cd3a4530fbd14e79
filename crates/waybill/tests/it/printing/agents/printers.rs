//! The printers of an agent, which it tells of all at once.

use serde_json::{Value, json};

use super::AgentTest;
use crate::harness::agent::{Agent, printer, text};
use crate::harness::{Database, TestApp, databases};

databases! {
    a_list_is_the_whole_list_and_a_printer_keeps_its_uuid
    a_name_that_somebody_gave_stays_and_others_follow_the_agent
    what_a_printer_takes_is_shown_and_can_be_overruled
    a_printer_that_is_reported_cannot_be_removed_and_one_that_is_not_can
    a_team_has_only_so_many_printers_however_they_come
    everything_that_is_wrong_with_a_list_is_told_at_once
    printers_of_two_agents_with_one_key_are_two
}

/// The name and the state of every printer of the team.
async fn shown(app: &TestApp) -> Vec<(String, String)> {
    let path = format!("/beta/teams/{}/printers", app.team);
    let list = app.get(&path).admin().send().await.expect(200).at("/data");
    let row = |one: &Value| (text(one["name"].clone()), text(one["state"].clone()));
    list.as_array().unwrap().iter().map(row).collect()
}

fn named(key: &str, name: &str) -> Value {
    let mut shown = printer(key);
    shown["name"] = json!(name);
    shown
}

fn pair(name: &str, state: &str) -> (String, String) {
    (name.to_owned(), state.to_owned())
}

async fn a_list_is_the_whole_list_and_a_printer_keeps_its_uuid(database: Database) {
    let app = TestApp::new(database).await;
    let mut agent = Agent::registered(&app, "Warehouse").await;
    agent.open(&app, json!([])).await;
    let mut stopped = printer("b");
    stopped["state"] = json!("offline");
    let list = agent.put_printers(&app, json!([printer("a"), stopped])).await.expect(200);
    let first = list.at("/data");
    assert_eq!((&first[0]["key"], &first[1]["key"]), (&json!("a"), &json!("b")));
    let (a, b) = ("Printer a", "Printer b");
    assert_eq!(shown(&app).await, [pair(a, "online"), pair(b, "offline")]);
    let second = agent.put_printers(&app, json!([printer("b")])).await.expect(200).at("/data");
    assert_eq!(second, json!([first[1]]));
    assert_eq!(shown(&app).await, [pair(a, "offline"), pair(b, "online")]);
    let third = agent.put_printers(&app, json!([printer("b"), printer("a")])).await.expect(200);
    assert_eq!(third.at("/data"), json!([first[1], first[0]]));
    assert_eq!(shown(&app).await, [pair(a, "online"), pair(b, "online")]);
    agent.put_printers(&app, json!([])).await.expect(200);
    assert_eq!(shown(&app).await, [pair(a, "offline"), pair(b, "offline")]);
}

async fn a_name_that_somebody_gave_stays_and_others_follow_the_agent(database: Database) {
    let app = TestApp::new(database).await;
    let (agent, uuid) = Agent::ready(&app, "Warehouse").await;
    agent.put_printers(&app, json!([named("zebra", "Label printer")])).await.expect(200);
    assert_eq!(shown(&app).await, [pair("Label printer", "online")]);
    let path = format!("/beta/teams/{}/printers/{uuid}", app.team);
    let patch = app.patch(&path).admin().json(r#"{"name": "Packing table 1"}"#);
    patch.send().await.expect(200);
    let list = agent.put_printers(&app, json!([named("zebra", "Zebra ZD421")])).await.expect(200);
    assert_eq!(list.at("/data/0/name"), json!("Packing table 1"));
    assert_eq!(shown(&app).await, [pair("Packing table 1", "online")]);
    let long = agent.put_printers(&app, json!([named("x", &"x".repeat(150))])).await.expect(200);
    assert_eq!(text(long.at("/data/0/name")).len(), 100);
}

async fn what_a_printer_takes_is_shown_and_can_be_overruled(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let one = json!({"key": "zebra", "name": "Zebra", "state": "online", "formats": ["zpl"],
        "paper_sizes": [{"name": "oe_4x6-label_4x6in", "width": {"value": 101.6, "unit": "mm"},
            "height": {"value": 152.4, "unit": "mm"}}, {"name": "Custom", "width": null}],
        "copies_max": null});
    test.agent.put_printers(app, json!([one])).await.expect(200);
    let path = format!("/printers/{}", test.printer);
    let shown = test.get(&path).await;
    assert_eq!(shown.at("/data/formats"), json!(["zpl"]));
    assert_eq!(
        shown.at("/data/paper_sizes"),
        json!([
        {"name": "oe_4x6-label_4x6in", "width": {"value": 101.6, "unit": "mm"},
            "height": {"value": 152.4, "unit": "mm"}},
        {"name": "Custom", "width": null, "height": null}])
    );
    // The label is a PDF.
    let refused = test.try_print(Some(&test.printer)).await;
    assert_eq!(refused.problems(), ["printer_uuid"]);
    let patch = app.patch(&test.beta(&path)).admin().json(r#"{"formats": ["pdf"]}"#);
    assert_eq!(patch.send().await.expect(200).at("/data/formats"), json!(["pdf"]));
    test.agent.put_printers(app, json!([one])).await.expect(200);
    test.try_print(Some(&test.printer)).await.expect(201);
    for uri in [json!("ipp://127.0.0.1/x"), Value::Null] {
        let body = json!({"name": "X", "uri": uri}).to_string();
        let refused = app.patch(&test.beta(&path)).admin().json(&body).send().await;
        assert_eq!(refused.problems(), ["uri"]);
    }
}

async fn a_printer_that_is_reported_cannot_be_removed_and_one_that_is_not_can(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, path) = (test.app(), format!("/printers/{}", test.printer));
    let (waiting, held) = (test.print().await, test.held().await);
    test.delete(&path).await.expect(409);
    test.agent.put_printers(app, json!([])).await.expect(200);
    test.delete(&path).await.expect(204);
    assert_eq!(test.state(&waiting).await, "failed");
    assert_eq!(test.report(&waiting, 1, "stored").await, "refused");
    // What the agent has is followed to its end.
    assert_eq!(test.report(&held, 2, "printed").await, "taken");
    assert_eq!(test.state(&held).await, "printed");
    let back = test.agent.put_printers(app, json!([printer("zebra")])).await.expect(200);
    assert_ne!(back.at("/data/0/uuid"), json!(test.printer));
}

async fn a_team_has_only_so_many_printers_however_they_come(database: Database) {
    let app = TestApp::with_quotas(database, "printers=2").await;
    let (agent, _) = Agent::ready(&app, "Warehouse").await;
    let three = json!([printer("zebra"), printer("a"), printer("b")]);
    let refused = agent.put_printers(&app, three).await.expect(409);
    assert!(text(refused.at("/message")).contains("2 printers"));
    assert_eq!(shown(&app).await, [pair("Printer zebra", "online")]);
    agent.put_printers(&app, json!([printer("a"), printer("zebra")])).await.expect(200);
    // One that is not reported any more counts until it is removed.
    agent.put_printers(&app, json!([printer("b")])).await.expect(409);
}

async fn everything_that_is_wrong_with_a_list_is_told_at_once(database: Database) {
    let app = TestApp::new(database).await;
    let (agent, _) = Agent::ready(&app, "Warehouse").await;
    let wrong = json!([printer("a"), {"key": "a", "name": "", "state": "busy",
        "formats": ["pdf", "ps"], "paper_sizes": [{"name": "x", "width": {"value": 0}}],
        "copies_max": 0, "uri": "x"}, 7]);
    assert_eq!(
        agent.put_printers(&app, wrong).await.problems(),
        [
            "printers.1.copies_max",
            "printers.1.formats.1",
            "printers.1.key",
            "printers.1.name",
            "printers.1.paper_sizes.0.width.unit",
            "printers.1.paper_sizes.0.width.value",
            "printers.1.state",
            "printers.1.uri",
            "printers.2",
        ]
    );
    let many: Vec<Value> = (0..101).map(|number| printer(&format!("p{number}"))).collect();
    assert_eq!(agent.put_printers(&app, json!(many)).await.problems(), ["printers"]);
    let hundred = agent.put_printers(&app, json!(many[..100])).await.expect(200);
    assert_eq!(hundred.at("/data").as_array().unwrap().len(), 100);
    let strange = Agent { session: "x".to_owned(), ..agent.clone() };
    assert_eq!(strange.put_printers(&app, json!([])).await.problems(), ["session"]);
}

async fn printers_of_two_agents_with_one_key_are_two(database: Database) {
    let app = TestApp::new(database).await;
    let (first, a) = Agent::ready(&app, "First").await;
    let (_, b) = Agent::ready(&app, "Second").await;
    assert_ne!(a, b);
    first.put_printers(&app, json!([])).await.expect(200);
    let states: Vec<String> = shown(&app).await.into_iter().map(|(_, state)| state).collect();
    assert_eq!(states, ["offline", "online"]);
}
