//! What `/metrics` says about printing.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use waybill_engine::telemetry;
use waybill_worker::gauges;

use super::{Printing, text};
use crate::harness::agent::Agent;
use crate::harness::{Database, TestApp, databases};

databases! {
    print_jobs_are_counted_by_state_provider_and_source
    what_is_lost_and_what_is_not_known_is_counted_by_its_reason
    printers_agents_and_waiting_jobs_are_counted
}

/// Every line of the page by its name with labels.
struct Numbers(BTreeMap<String, f64>);

impl Numbers {
    async fn read(app: &TestApp) -> Numbers {
        telemetry::recorder();
        gauges::count(&app.app).await.unwrap();
        let page = app.get("/metrics").send().await.expect(200);
        let page = String::from_utf8(page.bytes.clone()).unwrap();
        let lines = page.lines().filter(|line| !line.starts_with('#'));
        let read = |line: &str| {
            let (name, value) = line.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        Numbers(lines.filter_map(read).collect())
    }

    /// One that is known from the start, and the labels in whatever order.
    fn of(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let is_it = |key: &str| {
            let (head, rest) = key.split_once('{').unwrap_or((key, ""));
            let named =
                |(label, value): &(&str, &str)| rest.contains(&format!("{label}=\"{value}\""));
            head == name && labels.iter().all(named)
        };
        let mut found = self.0.iter().filter(|(key, _)| is_it(key));
        let value = found.next().unwrap_or_else(|| panic!("no {name} {labels:?}")).1;
        assert!(found.next().is_none(), "{name} {labels:?} is not one line");
        *value
    }

    fn jobs(&self, state: &str, provider: &str, source: &str) -> f64 {
        let labels = [("state", state), ("provider", provider), ("source", source)];
        self.of("waybill_print_jobs_total", &labels)
    }
}

async fn print_by_itself(test: &Printing, printer: &str, formats: &[&str]) {
    let rules = json!([{"format": "pdf", "printer_uuid": printer, "copies": 1}]);
    let settings = json!({"documents": {"label": {"formats": formats}},
        "printing": {"automatic": true, "rules": rules}});
    let path = test.fixture.app.path("/settings");
    test.fixture.app.patch(&path).admin().json(&settings.to_string()).send().await.expect(200);
}

async fn print_jobs_are_counted_by_state_provider_and_source(database: Database) {
    let test = Printing::new(database).await;
    let app = &test.fixture.app;
    let before = Numbers::read(app).await;
    let printer = test.printer("").await;
    print_by_itself(&test, &printer, &["pdf"]).await;
    let booked = test.book("COUNTED").await;
    let list = test.fixture.app.get(&test.beta("/print-jobs")).admin().send().await.expect(200);
    test.until(&text(&list, "/data/0/uuid"), "printed").await;
    // No rule has a printer for a label in ZPL.
    print_by_itself(&test, &printer, &["zpl"]).await;
    test.book("NORULE").await;
    let (agent, theirs) = Agent::ready(app, "Warehouse").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let job = test.print(&document, Some(&theirs), json!({})).await.expect(201);
    let job = text(&job, "/data/uuid");
    for (sequence, state) in [(1, "stored"), (2, "printing"), (3, "printed")] {
        assert_eq!(agent.report(app, &job, sequence, state).await, "taken");
        assert_eq!(agent.report(app, &job, sequence, state).await, "known");
    }
    let after = Numbers::read(app).await;
    for (state, provider, source) in [
        ("pending", "ipp", "booking"),
        ("printed", "ipp", "booking"),
        ("failed", "none", "booking"),
        ("pending", "agent", "api"),
        ("queued", "agent", "api"),
        ("printing", "agent", "api"),
        ("printed", "agent", "api"),
    ] {
        let more = after.jobs(state, provider, source) - before.jobs(state, provider, source);
        assert_eq!(more, 1.0, "{state} {provider} {source}");
    }
    assert_eq!(after.jobs("failed", "ipp", "booking"), before.jobs("failed", "ipp", "booking"));
    for to in ["queued", "printed"] {
        let count = |numbers: &Numbers| numbers.of("waybill_print_seconds_count", &[("to", to)]);
        assert_eq!(count(&after) - count(&before), 2.0, "{to}");
    }
}

async fn what_is_lost_and_what_is_not_known_is_counted_by_its_reason(database: Database) {
    let test = Printing::new(database).await;
    let app = &test.fixture.app;
    let before = Numbers::read(app).await;
    let document = text(&test.book("LOST").await, "/data/documents/0/uuid");
    for (scenario, state) in [
        ("/lose-send", "unknown"),
        ("/lose-create", "printed"),
        ("/print-job-only,lose-send", "unknown"),
        ("/forget", "unknown"),
    ] {
        let printer = text(&test.add(scenario, scenario).await.expect(201), "/data/uuid");
        let job = test.print(&document, Some(&printer), json!({})).await.expect(201);
        test.until(&text(&job, "/data/uuid"), state).await;
    }
    let after = Numbers::read(app).await;
    for operation in ["send", "create", "print"] {
        let name = "waybill_print_answers_lost_total";
        let labels = [("operation", operation)];
        assert!(after.of(name, &labels) > before.of(name, &labels), "{operation}");
    }
    for (reason, more) in [("not_proved", 2.0), ("forgotten", 1.0), ("unreachable", 0.0)] {
        let count =
            |numbers: &Numbers| numbers.of("waybill_print_unknown_total", &[("reason", reason)]);
        assert_eq!(count(&after) - count(&before), more, "{reason}");
    }
}

async fn printers_agents_and_waiting_jobs_are_counted(database: Database) {
    let test = Printing::new(database).await;
    let app = &test.fixture.app;
    let stopped = test.printer("/stopped").await;
    test.add("Other", "").await.expect(201);
    let (_agent, _theirs) = Agent::ready(app, "Warehouse").await;
    let path = test.beta("/print-agents");
    let pending = json!({"name": "Not there yet"}).to_string();
    app.post(&path).admin().json(&pending).send().await.expect(201);
    let document = text(&test.book("COUNT").await, "/data/documents/0/uuid");
    for _ in 0..2 {
        let waits: Value =
            test.print(&document, Some(&stopped), json!({})).await.expect(201).json();
        assert_eq!(waits["data"]["state"], "pending");
    }
    let numbers = Numbers::read(app).await;
    assert_eq!(numbers.of("waybill_print_waiting", &[]), 2.0);
    for (provider, state, count) in
        [("ipp", "online", 1.0), ("ipp", "offline", 1.0), ("agent", "online", 1.0)]
    {
        let labels = [("provider", provider), ("state", state)];
        assert_eq!(numbers.of("waybill_printers", &labels), count, "{provider} {state}");
    }
    for (state, count) in [("online", 1.0), ("pending", 1.0), ("offline", 0.0)] {
        assert_eq!(numbers.of("waybill_print_agents", &[("state", state)]), count, "{state}");
    }
}
