//! What holds for the query of every operation: no unknown parameter, and cursors that belong to a
//! list and not to one spelling of it.

use serde_json::{Value, json};
use waybill_api::dialect;
use waybill_api::docs::OPENAPI;
use waybill_api::routes::{Access, Route, routes};
use waybill_domain::document::Format;
use waybill_domain::ids::{PrinterId, SessionId};
use waybill_domain::printing::{Abilities, Provider};
use waybill_domain::time::Clock;
use waybill_store::printers::{self, Printer};
use waybill_store::sessions::{self, Session};

use crate::batches;
use crate::harness::agent::Agent;
use crate::harness::contract::ORACLE;
use crate::harness::fixture::{Fixture, order};
use crate::harness::{Ask, Reply};
use crate::oauth::{TestClient, user_of};
use crate::rates::rate;
use crate::shipments::fixtures;
use crate::wms;

/// Anyone may open these with a link, and links get parameters on their way; files are opened by
/// their signature alone.
const OPEN: &[&str] = &[
    "getHealth",
    "getReadiness",
    "getMetrics",
    "getOpenApi",
    "getDocs",
    "getDocsFile",
    "getCarrierLogo",
    "getCarrierIcon",
    "getFile",
    "headFile",
    "getPreview",
    "headPreview",
];

/// A team that has one of everything, and two of everything that is listed.
struct SeededTeam {
    fixture: Fixture,
    ids: Vec<(&'static str, String)>,
    agent: Agent,
}

/// Whether a request may say something in a body. Whoever ends itself says its password there.
fn has_body(route: &Route) -> bool {
    !matches!(route.method.as_str(), "GET" | "DELETE") || route.operation == "deleteMe"
}

fn id(reply: &Reply) -> String {
    reply.at("/data/uuid").as_str().unwrap().to_owned()
}

impl SeededTeam {
    async fn new(fixture: Fixture) -> SeededTeam {
        let fixture = fixture.with_points().await;
        let shipments = [order("F-1"), order("F-2")];
        let mut booked = Vec::new();
        for shipment in &shipments {
            booked.push(fixture.book(shipment).await.expect(201));
        }
        let batch = batches::filled(&fixture, "B", 2).await;
        batches::open(&fixture).await;
        let (agent, agents_printer) = Agent::ready(&fixture.app, "Warehouse").await;
        let mut seeded = SeededTeam { fixture, ids: Vec::new(), agent };
        seeded.know("batch", batch);
        seeded.know("shipment", id(&booked[0]));
        let parcel = booked[0].at("/data/parcels/0/tracking_uuid");
        seeded.know("tracking", parcel.as_str().unwrap().to_owned());
        let document = booked[0].at("/data/documents/0/uuid");
        seeded.know("document", document.as_str().unwrap().to_owned());
        seeded.papers(&booked).await;
        seeded.hooks().await;
        seeded.printing(&agents_printer).await;
        seeded.rest().await;
        seeded
    }

    fn know(&mut self, name: &'static str, id: String) {
        self.ids.push((name, id));
    }

    async fn post(&self, path: &str, body: Value) -> Reply {
        self.fixture.app.post(path).admin().json(&body.to_string()).send().await
    }

    fn beta(&self, rest: &str) -> String {
        self.fixture.app.path(rest).replacen("/v2/", "/beta/", 1)
    }

    async fn papers(&mut self, booked: &[Reply]) {
        let mut last = String::new();
        for shipment in booked {
            let given = json!({"carrier_code": "sandbox", "shipment_uuids": [id(shipment)]});
            last = id(&self.post(&self.beta("/manifests"), given).await.expect(201));
        }
        self.know("manifest", last);
        let mut last = String::new();
        for _ in 0..2 {
            let given = json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
                "to": "2026-02-01T00:00:00Z", "formats": ["xlsx"]});
            last = id(&self.post(&self.beta("/reports"), given).await.expect(202));
        }
        self.know("report", last);
    }

    async fn hooks(&mut self) {
        let path = self.fixture.app.path("/webhooks");
        let mut last = String::new();
        for _ in 0..2 {
            // Nobody listens there.
            let given = json!({"url": "http://127.0.0.1:9/hook", "events": ["report.ready"]});
            last = id(&self.post(&path, given).await.expect(201));
        }
        for _ in 0..2 {
            self.post(&format!("{path}/{last}/test"), json!({})).await.expect(202);
        }
        let list = self.fixture.app.get(&format!("{path}/{last}/deliveries")).admin().send().await;
        let delivery = list.expect(200).at("/data/0/uuid").as_str().unwrap().to_owned();
        self.know("webhook", last);
        self.know("delivery", delivery);
    }

    /// A printer at which nobody listens, and jobs that wait for it; another one for an agent.
    async fn printing(&mut self, agents_printer: &str) {
        let (app, team) = (&self.fixture.app.app, self.fixture.app.team);
        let now = app.now();
        let printer = Printer {
            id: PrinterId(app.new_uuid()),
            provider: Provider::Ipp,
            agent: None,
            name: "Packing table 1".to_owned(),
            uri: Some("ipp://127.0.0.1:1029/ipp/print".to_owned()),
            tls_key: None,
            formats: Some(vec![Format::Pdf, Format::Zpl]),
            abilities: Abilities { has_create_job: true, ..Abilities::default() },
            is_online: false,
            why_offline: None,
            misses: 0,
            looked_at: now,
            asked_at: now,
            created_at: now,
            updated_at: now,
        };
        let row = printer.clone();
        assert!(app.write(move |tx| printers::insert(tx, team, &row)).await.unwrap());
        let document = self.fill_path("{document}");
        let (own, mut last) = (printer.id.to_string(), String::new());
        for printer in [own.as_str(), &own, agents_printer] {
            let given = json!({"document_uuid": document, "printer_uuid": printer});
            last = id(&self.post(&self.beta("/print-jobs"), given).await.expect(201));
        }
        self.know("printer", own);
        self.know("agent", self.agent.uuid.clone());
        self.know("job", last);
    }

    async fn rest(&mut self) {
        let template = json!({"title": "T"});
        let path = self.fixture.app.path("/shipment-templates");
        let template = id(&self.post(&path, template).await.expect(201));
        self.know("template", template);
        let accounts = self.fixture.app.get(&self.fixture.app.path("/carrier-accounts")).admin();
        let account = accounts.send().await.expect(200).at("/data/0/uuid");
        self.know("account", account.as_str().unwrap().to_owned());
        let rates = [1.0, 2.0].map(|kg| rate("sandbox:home", json!("DK"), (kg - 1.0, kg), 100));
        let body = json!({"data": rates}).to_string();
        let put = self.fixture.app.put(&self.fixture.app.path("/rates")).admin().json(&body);
        put.send().await.expect(200);
        self.people().await;
        self.warehouse().await;
        self.know("teamUuid", self.fixture.app.team.to_string());
        self.know("team", "shop.example.com".to_owned());
        self.know("carrier", "sandbox".to_owned());
        self.know("country", "DK".to_owned());
    }

    /// Items, their stock, and requests for them.
    async fn warehouse(&mut self) {
        let app = &self.fixture.app;
        let (mut item, mut request) = (String::new(), String::new());
        for sku in ["S-1", "S-2"] {
            item = id(&wms::item(app, sku).await);
            wms::adjust(app, sku, "A-1", 5).await.expect(201);
            request = wms::request(app, sku, &[(sku, 1)]).await;
        }
        self.know("item", item);
        self.know("request", request);
    }

    /// A member, invitations and tokens.
    async fn people(&mut self) {
        let me = self.fixture.app.get("/v2/me").token(&self.fixture.app.member).send().await;
        self.know("user", id(&me.expect(200)));
        let (path, mut last) = (self.fixture.app.path("/invitations"), String::new());
        for email in ["a@example.com", "b@example.com"] {
            last =
                id(&self.post(&path, json!({"email": email, "role": "member"})).await.expect(201));
        }
        self.know("invitation", last);
        let given = json!({"name": "T", "scopes": ["teams:read"]});
        let token = id(&self.post(&self.fixture.app.path("/tokens"), given).await.expect(201));
        self.know("token", token);
        self.apps().await;
    }

    /// OAuth clients, what a member allowed an app, and a browser.
    async fn apps(&mut self) {
        let app = &self.fixture.app;
        let (path, given) = (app.path("/oauth-clients"), json!({"name": "C", "scopes": ["*"]}));
        self.post(&path, given.clone()).await.expect(201);
        let client = id(&self.post(&path, given).await.expect(201));
        let (admin, asking) = (user_of(app, &app.admin).await, TestClient::new(app, |_| {}).await);
        for _ in 0..2 {
            asking.agreed(app, admin).await;
        }
        let grants = app.get(&app.path("/oauth-grants")).admin().send().await.expect(200);
        let grant = grants.at("/data/0/uuid").as_str().unwrap().to_owned();
        let session = Session {
            id: SessionId(app.app.new_uuid()),
            user: admin,
            address: "192.0.2.7".to_owned(),
            user_agent: None,
            created_at: app.clock.now(),
            seen_at: app.clock.now(),
            ended_at: None,
        };
        let known = session.id.to_string();
        app.app.write(move |tx| sessions::any_insert(tx, &session, &[7; 32])).await.unwrap();
        self.know("client", client);
        self.know("grant", grant);
        self.know("session", known);
    }

    /// Asks for this as whoever may.
    fn ask(&self, route: &Route, path: &str) -> Ask<'_> {
        let ask = self.fixture.app.ask(route.method.as_str(), path);
        match route.handler.access() {
            Access::Agent => ask.token(&self.agent.token),
            _ => ask.admin(),
        }
    }

    /// The path of a route, with the ids of what is there.
    fn fill(&self, route: &Route) -> String {
        self.fill_path(&route.path)
    }

    fn fill_path(&self, path: &str) -> String {
        let code = if path.contains("service-points") { "DK-1001" } else { "sandbox" };
        let known = self.ids.iter().map(|(name, id)| (*name, id.as_str()));
        known
            .chain([("code", code)])
            .fold(path.to_owned(), |path, (name, id)| path.replace(&format!("{{{name}}}"), id))
    }
}

/// Whether unknown parameters are refused there. Pages, and what OAuth asks for, have rules of
/// their own.
fn is_closed(route: &Route) -> bool {
    let is_json = std::ptr::eq(route.dialect, &dialect::JSON);
    let is_oauth = route.path.starts_with("/oauth/") || route.path.starts_with("/.well-known/");
    is_json && !is_oauth && !OPEN.contains(&route.operation.as_str())
}

/// Whether the older API books there.
fn books_a_label(route: &Route) -> bool {
    route.path.starts_with("/api/v1/") && route.path.ends_with("/labels") && has_body(route)
}

/// The query parameters that the contract declares for a route.
fn query_parameters(route: &Route) -> Vec<String> {
    let contract: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut all = ORACLE.operations();
    let found = all.find(|operation| operation.declared["operationId"] == *route.operation);
    let Some(operation) = found else { return Vec::new() };
    let declared = operation.declared["parameters"].as_array().cloned().unwrap_or_default();
    let resolve = |parameter: &Value| match parameter["$ref"].as_str() {
        Some(place) => contract.pointer(place.trim_start_matches('#')).unwrap().clone(),
        None => parameter.clone(),
    };
    let declared = declared.iter().map(resolve);
    let queries = declared.filter(|parameter| parameter["in"] == "query");
    queries.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
}

/// The examples of bodies that the contract has for a route.
fn body_examples(route: &Route) -> Vec<Value> {
    let contract: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut all = ORACLE.operations();
    let found = all.find(|operation| operation.declared["operationId"] == *route.operation);
    let Some(operation) = found else { return Vec::new() };
    let content = &operation.declared["requestBody"]["content"]["application/json"];
    let named = content["examples"].as_object().into_iter().flatten();
    let named = named.map(|(_, example)| match example["$ref"].as_str() {
        Some(place) => contract.pointer(place.trim_start_matches('#')).unwrap()["value"].clone(),
        None => example["value"].clone(),
    });
    content.get("example").cloned().into_iter().chain(named).collect()
}

/// The lists that are read by cursor, but for the feed, which has tests of its own.
fn lists(seeded: &SeededTeam) -> Vec<String> {
    let known = |name: &str| {
        let found = seeded.ids.iter().find(|(other, _)| *other == name);
        found.unwrap().1.clone()
    };
    let path = |rest: &str| seeded.fixture.app.path(rest);
    vec![
        path("/shipments"),
        path("/shipments?sort=updated_at"),
        path("/shipments?state=booked"),
        path("/booking-batches"),
        path(&format!("/booking-batches/{}/shipments", known("batch"))),
        path("/webhooks"),
        path(&format!("/webhooks/{}/deliveries", known("webhook"))),
        path("/rates"),
        path("/members"),
        path("/invitations"),
        path("/tokens"),
        path("/oauth-clients"),
        path("/oauth-grants"),
        path("/audit-log"),
        path("/service-points?carrier=sandbox&country=DK"),
        seeded.beta("/documents"),
        seeded.beta("/manifests"),
        seeded.beta("/reports"),
        seeded.beta("/print-jobs"),
    ]
}

fn with(path: &str, query: &str) -> String {
    format!("{path}{}{query}", if path.contains('?') { "&" } else { "?" })
}

fixtures! {
    // Decisions 1.6: query parameters use their own name. The contract declares the answer: every
    // reply is held against it.
    async fn an_unknown_query_parameter_is_422_at_its_name_on_every_route(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let mut walked = 0;
        for route in routes().into_iter().filter(is_closed) {
            let path = with(&seeded.fill(&route), "nonsense=1");
            let ask = seeded.ask(&route, &path);
            let ask = if has_body(&route) { ask.json("{}") } else { ask };
            let reply = ask.send().await;
            // Beside it stands what is missing, where a parameter is required.
            let told = reply.problems().contains(&"nonsense".to_owned());
            assert!(told, "{} {}: {:?}", route.method, route.path, reply.problems());
            walked += 1;
        }
        assert!(walked > 60, "{walked}");
    }

    async fn every_example_of_a_body_is_taken(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let (mut sent, mut refused) = (0, Vec::new());
        let mut all = routes();
        // A carrier signs what it sends, and the example of an account switches it off.
        all.retain(|route| route.operation != "receiveCarrierCallback");
        // A printer is called when it is added, and documents have their own ids.
        let others = ["createPrinter", "createPrintJob", "mergeDocuments"];
        all.retain(|route| !others.contains(&&*route.operation));
        // Nobody has that password.
        all.retain(|route| !["changePassword", "deleteMe"].contains(&&*route.operation));
        // A code is good once.
        all.retain(|route| route.operation != "registerPrintAgent");
        let is_end = ["updateCarrierAccount", "openAgentSession"];
        all.sort_by_key(|route| is_end.contains(&&*route.operation));
        let mut labels: Vec<Value> = Vec::new();
        for route in &all {
            for mut example in body_examples(route) {
                // Labels that are joined are those of the bookings before.
                let joined = example.get_mut("shipments").and_then(Value::as_array_mut);
                let joined = joined.into_iter().flatten();
                for (given, booked) in joined.zip(&labels) {
                    given["shipment_id"] = booked.clone();
                }
                if let Some(session) = example.get_mut("session") {
                    *session = json!(seeded.agent.session);
                }
                if let Some(wait) = example.get_mut("wait_seconds") {
                    *wait = json!(0);
                }
                let path = seeded.fill(route);
                let ask = seeded.ask(route, &path);
                let reply = ask.json(&example.to_string()).send().await;
                sent += 1;
                if reply.status >= 300 {
                    let text = String::from_utf8_lossy(&reply.bytes);
                    refused.push(format!("{} {}: {text}", route.operation, reply.status));
                } else if books_a_label(route) {
                    labels.push(reply.at("/data/shipment_id").clone());
                    // The same request again may be answered from the same shipment.
                    labels.dedup();
                }
            }
        }
        assert!(sent >= 20, "{sent}");
        assert!(refused.is_empty(), "\n{}", refused.join("\n"));
    }

    async fn a_control_character_is_422_in_every_parameter_and_404_in_every_path(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let (mut queries, mut paths) = (0, 0);
        for route in routes().into_iter().filter(is_closed) {
            let ask = |path: &str| {
                let ask = seeded.ask(&route, path);
                if has_body(&route) { ask.json("{}") } else { ask }
            };
            for name in query_parameters(&route) {
                let path = with(&seeded.fill(&route), &format!("{name}=a%00b"));
                let reply = ask(&path).send().await.expect(422);
                assert!(reply.problems().contains(&name), "{path}: {:?}", reply.problems());
                queries += 1;
            }
            for name in route.path.split('/').filter(|name| name.starts_with('{')) {
                let path = seeded.fill_path(&route.path.replace(name, "a%00b"));
                ask(&path).send().await.expect(404);
                paths += 1;
            }
        }
        assert!(queries > 50 && paths > 80, "{queries} parameters, {paths} places in paths");
    }

    async fn a_cursor_goes_on_with_another_page_size_in_every_list(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let app = &seeded.fixture.app;
        for list in lists(&seeded) {
            let whole = app.get(&list).admin().send().await.expect(200);
            let first = app.get(&with(&list, "per_page=1")).admin().send().await.expect(200);
            let cursor = first.at("/meta/next_cursor").as_str().unwrap().to_owned();
            for size in ["", "per_page=1&", "per_page=7&"] {
                let next = with(&list, &format!("{size}cursor={cursor}"));
                let next = app.get(&next).admin().send().await.expect(200);
                let key = |row: &Value| row.get("uuid").unwrap_or(row).clone();
                assert_eq!(key(&next.at("/data/0")), key(&whole.at("/data/1")), "{list} {size}");
            }
        }
    }

    async fn a_bad_cursor_is_told_beside_all_else_that_is_wrong(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let app = &seeded.fixture.app;
        for list in lists(&seeded) {
            for bad in ["", "x", "%20"] {
                let list = with(&list, &format!("per_page=1001&cursor={bad}&foo=1"));
                let reply = app.get(&list).admin().send().await.expect(422);
                assert_eq!(reply.problems(), ["cursor", "foo", "per_page"], "{list}");
            }
        }
    }

    async fn a_cursor_goes_on_when_the_default_order_is_spelled_out(fixture) {
        let seeded = SeededTeam::new(fixture).await;
        let app = &seeded.fixture.app;
        let path = |query: &str| app.path(&format!("/shipments?per_page=1{query}"));
        let whole = app.get(&app.path("/shipments")).admin().send().await.expect(200);
        for (first, then) in [("", "&sort=-created_at"), ("&sort=-created_at", "")] {
            let page = app.get(&path(first)).admin().send().await.expect(200);
            let cursor = page.at("/meta/next_cursor").as_str().unwrap().to_owned();
            let next = path(&format!("{then}&cursor={cursor}"));
            let next = app.get(&next).admin().send().await.expect(200);
            assert_eq!(next.at("/data/0/uuid"), whole.at("/data/1/uuid"));
            let other = path(&format!("&sort=updated_at&cursor={cursor}"));
            assert_eq!(app.get(&other).admin().send().await.problems(), ["cursor"]);
        }
    }
}
