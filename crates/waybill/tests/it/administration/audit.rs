//! Every audited action leaves exactly one line, and no secret is in any of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use waybill_api::routes::{Access, routes};
use waybill_domain::access::Role;

use super::{lines, make_token, newcomer, role, text};
use crate::batches;
use crate::harness::agent::register;
use crate::harness::fixture::order;
use crate::harness::{Database, Reply, TestApp, databases};
use crate::oauth::{TestClient, user_of};
use crate::printing::Printing;
use crate::rates::rate;

/// Operations of administrators that change nothing which the audit log tells of: a delivery is
/// tried again.
const NOT_AUDITED: [&str; 2] = ["testWebhook", "retryWebhookDelivery"];

#[test]
fn what_administrators_change_has_an_action_in_the_audit_log() {
    for route in routes() {
        let is_write =
            !route.method.is_safe() && matches!(route.handler.access(), Access::Admin(_));
        if is_write {
            let is_excepted = NOT_AUDITED.contains(&route.operation.as_str());
            assert_eq!(route.action.is_none(), is_excepted, "{}", route.operation);
        }
    }
}

databases! {
    every_audited_action_leaves_one_line_and_no_secret
}

/// The log as it grows.
struct Log<'a> {
    app: &'a TestApp,
    length: usize,
    seen: BTreeSet<String>,
}

impl Log<'_> {
    /// The one line that was added since, which is of this action.
    async fn next(&mut self, action: &str) -> Value {
        let all = lines(self.app).await;
        let news = &all[..all.len() - self.length];
        let [line] = news else { panic!("{action}: {news:?}") };
        assert_eq!(line["action"], action);
        self.length = all.len();
        self.seen.insert(action.to_owned());
        line.clone()
    }

    /// Nothing was added since.
    async fn nothing(&self, why: &str) {
        assert_eq!(lines(self.app).await.len(), self.length, "{why}");
    }
}

async fn ask(app: &TestApp, method: &str, path: &str, body: Value) -> Reply {
    app.ask(method, path).admin().json(&body.to_string()).send().await
}

fn below(app: &TestApp, list: &str, made: &Reply) -> String {
    format!("{}/{}", app.path(list), text(made, "/data/uuid"))
}

async fn every_audited_action_leaves_one_line_and_no_secret(database: Database) {
    let test = Printing::new(database).await;
    let app = &test.fixture.app;
    let before = lines(app).await.len();
    let mut log = Log { app, length: before, seen: BTreeSet::new() };
    settings_and_rates(&mut log).await;
    accounts(&mut log).await;
    webhooks(&mut log).await;
    people(&mut log).await;
    apps(&mut log).await;
    printers(&mut log, &test).await;
    shipments(&mut log, &test).await;
    // Nobody reads the log of a team that was deleted: `deleting` looks at its last line.
    let last = "team.deleted";
    let told: BTreeSet<String> = routes()
        .iter()
        .filter_map(|route| route.action.map(|action| action.name().to_owned()))
        .filter(|action| action != last)
        .collect();
    // What a user allows is told by the page on which that happens.
    let others = BTreeSet::from(["oauth_grant.created".to_owned()]);
    assert_eq!(log.seen, &told | &others, "every action of a route was walked");
    let whole = json!(lines(app).await).to_string();
    for secret in ["hush", "whsec_", "wbi_", "wb_", "wbs_", "ipp://", "Islands Brygge", "WB-"] {
        assert!(!whole.contains(secret), "{secret}: {whole}");
    }
}

async fn settings_and_rates(log: &mut Log<'_>) {
    let app = log.app;
    let patch = json!({"documents": {"label": {"dpi": 300}}});
    ask(app, "PATCH", &app.path("/settings"), patch.clone()).await.expect(200);
    let line = log.next("settings.updated").await;
    let changes = json!([{"path": "documents.label.dpi", "from": 203, "to": 300}]);
    assert_eq!(line["changes"], changes);
    assert_eq!(line["subject"]["uuid"], json!(app.team.to_string()));
    ask(app, "PATCH", &app.path("/settings"), patch).await.expect(200);
    log.nothing("the same settings again").await;
    let rows = json!({"data": [rate("sandbox:home", json!("DK"), (0.0, 2.0), 100)]});
    ask(app, "PUT", &app.path("/rates"), rows).await.expect(200);
    let line = log.next("rates.replaced").await;
    assert_eq!(line["changes"], json!([{"path": "rate_count", "from": 0, "to": 1}]));
    ask(app, "PATCH", &app.path(""), json!({"name": "Nordic Books"})).await.expect(200);
    log.next("team.updated").await;
}

async fn accounts(log: &mut Log<'_>) {
    let app = log.app;
    let body = json!({"carrier_code": "sandbox", "name": "S", "credentials": {"key": "hush-1"}});
    let made = ask(app, "POST", &app.path("/carrier-accounts"), body).await.expect(201);
    let line = log.next("carrier_account.created").await;
    let hidden = json!({"path": "credentials", "from": "[changed]", "to": "[changed]"});
    assert!(line["changes"].as_array().unwrap().contains(&hidden), "{line}");
    let path = below(app, "/carrier-accounts", &made);
    let patch = json!({"name": "T", "credentials": {"key": "hush-2"}});
    ask(app, "PATCH", &path, patch.clone()).await.expect(200);
    let line = log.next("carrier_account.updated").await;
    let renamed = json!({"path": "name", "from": "S", "to": "T"});
    assert_eq!(line["changes"], json!([renamed, hidden]));
    ask(app, "PATCH", &path, patch).await.expect(200);
    log.nothing("the same account again").await;
    app.delete(&path).admin().send().await.expect(204);
    log.next("carrier_account.deleted").await;
}

async fn webhooks(log: &mut Log<'_>) {
    let app = log.app;
    let body = json!({"url": "http://127.0.0.1:9/hook?key=hush-3", "events": ["report.ready"]});
    let made = ask(app, "POST", &app.path("/webhooks"), body).await.expect(201);
    let line = log.next("webhook.created").await;
    assert_eq!(line["subject"]["name"], "http://127.0.0.1:9/hook");
    let path = below(app, "/webhooks", &made);
    let patch = json!({"url": "http://127.0.0.1:9/hook?key=hush-4"});
    ask(app, "PATCH", &path, patch).await.expect(200);
    let line = log.next("webhook.updated").await;
    let hidden = json!([{"path": "url_query", "from": "[changed]", "to": "[changed]"}]);
    assert_eq!(line["changes"], hidden);
    let since = json!({"since": "2026-01-01T00:00:00Z"});
    ask(app, "POST", &format!("{path}/replay"), since).await.expect(202);
    log.next("webhook.replayed").await;
    ask(app, "POST", &format!("{path}/rotate-secret"), json!({})).await.expect(200);
    let line = log.next("webhook.secret_rotated").await;
    let hidden = json!([{"path": "secret", "from": "[changed]", "to": "[changed]"}]);
    assert_eq!(line["changes"], hidden);
    app.delete(&path).admin().send().await.expect(204);
    log.next("webhook.deleted").await;
}

async fn people(log: &mut Log<'_>) {
    let app = log.app;
    let body = json!({"email": "grace@example.com", "role": "member"});
    let made = ask(app, "POST", &app.path("/invitations"), body).await.expect(201);
    let line = log.next("invitation.created").await;
    assert_eq!(line["subject"]["name"], "grace@example.com");
    app.delete(&below(app, "/invitations", &made)).admin().send().await.expect(204);
    log.next("invitation.revoked").await;
    let (id, _) = newcomer(app, Role::Member).await;
    role(app, &id, "admin").admin().send().await.expect(200);
    log.next("member.role_changed").await;
    app.delete(&app.path(&format!("/members/{id}"))).admin().send().await.expect(204);
    log.next("member.removed").await;
    let made = make_token(app, json!({"name": "t", "scopes": ["teams:read"]})).await.expect(201);
    let line = log.next("token.created").await;
    assert_eq!(line["subject"]["name"], "t");
    app.delete(&below(app, "/tokens", &made)).admin().send().await.expect(204);
    log.next("token.revoked").await;
}

async fn apps(log: &mut Log<'_>) {
    let app = log.app;
    let body = json!({"name": "Night export", "scopes": ["shipments:read"]});
    let made = ask(app, "POST", &app.path("/oauth-clients"), body).await.expect(201);
    let line = log.next("oauth_client.created").await;
    assert_eq!(line["subject"]["name"], "Night export");
    let path = below(app, "/oauth-clients", &made);
    ask(app, "POST", &format!("{path}/rotate-secret"), json!({})).await.expect(200);
    let line = log.next("oauth_client.secret_rotated").await;
    let hidden = json!([{"path": "secret", "from": "[changed]", "to": "[changed]"}]);
    assert_eq!(line["changes"], hidden);
    app.delete(&path).admin().send().await.expect(204);
    log.next("oauth_client.deleted").await;
    let (client, user) = (TestClient::new(app, |_| {}).await, user_of(app, &app.member).await);
    client.agreed(app, user).await;
    let line = log.next("oauth_grant.created").await;
    assert_eq!(line["actor"]["type"], "user");
    assert_eq!(line["actor"]["uuid"], json!(user.to_string()));
    assert_eq!(line["subject"]["name"], "Warehouse app");
    let grants = app.get(&app.path("/oauth-grants")).admin().send().await.expect(200);
    let path = app.path(&format!("/oauth-grants/{}", text(&grants, "/data/0/uuid")));
    app.delete(&path).admin().send().await.expect(204);
    let line = log.next("oauth_grant.ended").await;
    assert_eq!(line["actor"]["type"], "token");
}

async fn printers(log: &mut Log<'_>, test: &Printing) {
    let app = log.app;
    let made = test.add("Packing table", "").await.expect(201);
    let line = log.next("printer.created").await;
    let hidden = json!({"path": "uri", "from": "[changed]", "to": "[changed]"});
    assert!(line["changes"].as_array().unwrap().contains(&hidden), "{line}");
    let path = below(app, "/printers", &made).replacen("/v2/", "/beta/", 1);
    ask(app, "PATCH", &path, json!({"name": "Table 2"})).await.expect(200);
    log.next("printer.updated").await;
    ask(app, "PATCH", &path, json!({"name": "Table 2"})).await.expect(200);
    log.nothing("the same printer again").await;
    app.delete(&path).admin().send().await.expect(204);
    log.next("printer.deleted").await;
    agents(log).await;
}

async fn agents(log: &mut Log<'_>) {
    let app = log.app;
    let all = format!("/beta/teams/{}/print-agents", app.team);
    let made = ask(app, "POST", &all, json!({"name": "Warehous"})).await.expect(201);
    let line = log.next("print_agent.created").await;
    assert_eq!(line["changes"], json!([{"path": "name", "from": null, "to": "Warehous"}]));
    let uuid = text(&made, "/data/uuid");
    let path = format!("{all}/{uuid}");
    ask(app, "PATCH", &path, json!({"name": "Warehouse"})).await.expect(200);
    let line = log.next("print_agent.updated").await;
    assert_eq!(line["changes"], json!([{"path": "name", "from": "Warehous", "to": "Warehouse"}]));
    ask(app, "PATCH", &path, json!({"name": "Warehouse"})).await.expect(200);
    log.nothing("the same agent again").await;
    let renewed = app.post(&format!("{path}/registration-code")).admin().send().await.expect(200);
    let line = log.next("print_agent.code_renewed").await;
    let hidden = json!([{"path": "code", "from": "[changed]", "to": "[changed]"}]);
    assert_eq!(line["changes"], hidden);
    assert_eq!(line["subject"]["uuid"], json!(uuid));
    register(app, &text(&renewed, "/data/registration_code"), "spool").await.expect(201);
    let line = log.next("print_agent.registered").await;
    assert_eq!(line["actor"]["type"], "client");
    assert_eq!(line["actor"]["uuid"], json!(uuid));
    app.delete(&path).admin().send().await.expect(204);
    log.next("print_agent.removed").await;
}

async fn shipments(log: &mut Log<'_>, test: &Printing) {
    let fixture = &test.fixture;
    let booked = fixture.book(&order("AUDIT-1")).await.expect(201);
    let rejected = fixture.book(&order("AUDIT-2 sim:reject")).await.expect(424);
    let without = fixture.book(&order("AUDIT-3 sim:documents=fail")).await.expect(502);
    log.nothing("a booking is not an act of administration").await;
    fixture.act(&booked, "cancel").await.expect(200);
    let line = log.next("shipment.cancelled").await;
    assert_eq!(line["subject"]["uuid"], booked.at("/data/uuid"));
    assert_eq!(line["subject"]["name"], Value::Null);
    fixture.act(&booked, "cancel").await.expect(200);
    log.nothing("it was cancelled before").await;
    fixture.delete(&rejected).await.expect(204);
    log.next("shipment.deleted").await;
    fixture.act(&without, "documents").await.expect(202);
    log.next("documents.recovered").await;
    fixture.until(&without, "failed").await;
    let members = [batches::slow("AUDIT-4", 2), batches::slow("AUDIT-5", 2)];
    let batch = batches::open(fixture).await;
    batches::add(fixture, &batch, &members).await.expect(201);
    log.nothing("filling a batch is not one either").await;
    batches::act(fixture, &batch, "start").await.expect(202);
    log.next("batch.started").await;
    batches::act(fixture, &batch, "start").await.expect(200);
    log.nothing("it was started before").await;
    batches::act(fixture, &batch, "stop").await;
    log.next("batch.stopped").await;
    batches::until(fixture, &batch, "stopped").await;
    fixture.settled().await;
}
