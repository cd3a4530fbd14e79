//! The same bodies, sent. Most go into a batch that is never started, where they are checked as for
//! a booking and cost nothing; some are booked.

use serde_json::{Map, Value, json};
use waybill_carriers::catalog;

use super::differences::Problem;
use super::random::Random;
use super::validators::Validators;
use super::{GeneratedBody, Tally, cases};
use crate::batches::{add, open};
use crate::harness::fixture::Fixture;
use crate::shipments::fixtures;

/// Bodies for each service of the sandbox that are added to a batch.
const ADDED: usize = 120;
/// Bodies for each service of the sandbox that are booked at once.
const BOOKED: usize = 30;
/// Bodies in a request.
const AT_ONCE: usize = 20;

/// What the server said of each body of a request: problems are told at `data.N.…`.
fn sorted(errors: &Map<String, Value>, index: Option<usize>) -> Vec<Problem> {
    let under = index.map(|index| format!("data.{index}."));
    let mut found = Vec::new();
    for (path, messages) in errors {
        let path = match &under {
            None => Some(path.as_str()),
            Some(under) => path.strip_prefix(under),
        };
        let Some(path) = path else { continue };
        for message in messages.as_array().unwrap() {
            let message = message.as_str().unwrap().to_owned();
            found.push(Problem { path: path.to_owned(), message });
        }
    }
    found
}

async fn added(fixture: &Fixture, batch: &str, cases: &[GeneratedBody]) -> Vec<Vec<Problem>> {
    let members: Vec<Value> = cases.iter().map(|case| case.body.clone()).collect();
    let reply = add(fixture, batch, &members).await;
    let errors = match reply.status {
        201 => Map::new(),
        _ => reply.expect(422).at("/errors").as_object().unwrap().clone(),
    };
    (0..cases.len()).map(|index| sorted(&errors, Some(index))).collect()
}

fixtures! {
    async fn the_schemas_and_the_server_agree_on_what_is_sent(fixture) {
        let catalog = catalog::load().unwrap();
        let validators = Validators::new(&catalog);
        let batch = open(&fixture).await;
        let mut random = Random::new(11);
        let mut tally = Tally::default();
        for service in &catalog.carrier("sandbox").unwrap().services {
            for some in cases(service, ADDED, &mut random).chunks(AT_ONCE) {
                let told = added(&fixture, &batch, some).await;
                for (case, problems) in some.iter().zip(told) {
                    tally.compare(&validators, case, &problems);
                }
            }
        }
        tally.is_telling(&[
            "Who the merchant is when the body names none",
            "What a template holds",
            "Whether the team has an account with the carrier",
            "Which pickup points there are",
            "That all amounts have one currency",
            "That a weight or length has at most three decimals",
        ]);
    }

    async fn the_schemas_and_the_server_agree_on_what_is_booked(fixture) {
        let catalog = catalog::load().unwrap();
        let validators = Validators::new(&catalog);
        let mut random = Random::new(3);
        let mut tally = Tally::default();
        for service in &catalog.carrier("sandbox").unwrap().services {
            for case in cases(service, BOOKED, &mut random) {
                let reply = fixture.book(&case.body).await;
                let problems = match reply.status {
                    201 | 202 => Vec::new(),
                    _ => sorted(reply.expect(422).at("/errors").as_object().unwrap(), None),
                };
                tally.compare(&validators, &case, &problems);
            }
        }
        tally.is_telling(&[]);
        fixture.settled().await;
    }
}

// What a caller reads is what was compared.
fixtures! {
    async fn the_constraints_are_served_with_the_service_and_refuse_an_empty_body(fixture) {
        let reply = fixture.app.get("/v2/carriers/sandbox").admin().send().await.expect(200);
        let catalog = catalog::load().unwrap();
        for (index, service) in catalog.carrier("sandbox").unwrap().services.iter().enumerate() {
            let served = reply.at(&format!("/data/services/{index}/constraints"));
            let ours: Value = serde_json::from_str(&service.schema().to_string()).unwrap();
            assert_eq!(served, ours, "{}", service.code);
            assert!(!jsonschema::is_valid(&served, &json!({})), "{}", service.code);
        }
    }
}
