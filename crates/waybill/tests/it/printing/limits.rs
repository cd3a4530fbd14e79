//! How much may be printed, and what lists of print jobs are limited to.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::ids::{EventId, PrintJobId};
use waybill_store::{Error, Tx, print_jobs};

use super::{Printing, text};
use crate::harness::{Database, Reply, databases};

databases! {
    a_printer_for_which_a_thousand_jobs_wait_takes_no_more
    a_rule_of_printing_has_99_copies_at_most
    print_jobs_are_listed_by_document_printer_and_state
}

async fn a_printer_for_which_a_thousand_jobs_wait_takes_no_more(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/stopped").await;
    let booked = test.book("FULL").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let first = test.print(&document, Some(&printer), json!({})).await.expect(201);
    let id = PrintJobId::parse(&text(&first, "/data/uuid")).unwrap();
    let (app, team) = (test.fixture.app.app.clone(), test.fixture.app.team);
    let ids: Vec<_> = (0..998).map(|_| (app.new_uuid(), app.new_uuid())).collect();
    let fill = move |tx: &mut Tx<'_>| {
        let first = print_jobs::find(tx, team, id)?.unwrap();
        let look_at = Some(first.created_at.plus(Duration::from_secs(3600)));
        for (job, event) in &ids {
            let new = print_jobs::PrintJob { id: PrintJobId(*job), look_at, ..first.clone() };
            print_jobs::insert(tx, team, &new, EventId(*event))?;
        }
        Ok::<_, Error>(())
    };
    app.write(fill).await.unwrap();
    test.print(&document, Some(&printer), json!({})).await.expect(201);
    let full = test.print(&document, Some(&printer), json!({})).await.expect(409);
    let said = text(&full, "/message");
    assert!(said.contains("1000 jobs wait for this printer"), "{said}");
    let other = text(&test.add("Other", "").await.expect(201), "/data/uuid");
    test.print(&document, Some(&other), json!({})).await.expect(201);
}

async fn a_rule_of_printing_has_99_copies_at_most(database: Database) {
    let test = Printing::new(database).await;
    let printer = test.printer("/single=zpl").await;
    let rule = |copies: i64| {
        let rule = json!({"format": "zpl", "printer_uuid": printer, "copies": copies});
        json!({"printing": {"automatic": true, "rules": [rule]}}).to_string()
    };
    let settings = test.fixture.app.path("/settings");
    let patch = test.fixture.app.patch(&settings).admin().json(&rule(100)).send().await;
    assert_eq!(patch.expect(422).problems(), ["printing.rules.0.copies"]);
    test.fixture.app.patch(&settings).admin().json(&rule(99)).send().await.expect(200);
}

async fn ids(test: &Printing, query: &str) -> Vec<Value> {
    let path = test.beta(&format!("/print-jobs?{query}"));
    let list: Reply = test.fixture.app.get(&path).admin().send().await.expect(200);
    list.at("/data").as_array().unwrap().iter().map(|job| job["uuid"].clone()).collect()
}

async fn print_jobs_are_listed_by_document_printer_and_state(database: Database) {
    let test = Printing::new(database).await;
    let stopped = test.printer("/stopped").await;
    let good = text(&test.add("Other", "").await.expect(201), "/data/uuid");
    let one = text(&test.book("ONE").await, "/data/documents/0/uuid");
    let two = text(&test.book("TWO").await, "/data/documents/0/uuid");
    let mut jobs = Vec::new();
    for (document, printer) in [(&one, &stopped), (&two, &good), (&one, &good), (&two, &stopped)] {
        let job = test.print(document, Some(printer), json!({})).await.expect(201);
        jobs.push(job.at("/data/uuid"));
        if printer == &good {
            test.until(&text(&job, "/data/uuid"), "printed").await;
        }
    }
    let of = |places: &[usize]| places.iter().map(|place| jobs[*place].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&test, "").await, of(&[3, 2, 1, 0]));
    assert_eq!(ids(&test, &format!("document_uuid={one}")).await, of(&[2, 0]));
    assert_eq!(ids(&test, &format!("printer_uuid={good}")).await, of(&[2, 1]));
    assert_eq!(ids(&test, "state=pending").await, of(&[3, 0]));
    assert_eq!(ids(&test, "state=printed").await, of(&[2, 1]));
    assert_eq!(ids(&test, "state=unknown").await, of(&[]));
    let all = format!("document_uuid={two}&printer_uuid={good}&state=printed");
    assert_eq!(ids(&test, &all).await, of(&[1]));
    let none = format!("document_uuid={two}&printer_uuid={good}&state=pending");
    assert_eq!(ids(&test, &none).await, of(&[]));
    let path = test.beta("/print-jobs?document_uuid=x&printer_uuid=y&state=z&statee=printed");
    let wrong = test.fixture.app.get(&path).admin().send().await.expect(422);
    assert_eq!(wrong.problems(), ["document_uuid", "printer_uuid", "state", "statee"]);
}
