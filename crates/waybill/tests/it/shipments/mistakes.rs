//! All problems of a request are told at once: every pair of mistakes in different places, and no
//! stage that hides what another one knows.

mod list;

use list::{HIDDEN, MISTAKES, Mistake, good};
use serde_json::{Value, json};

use super::fixtures;
use crate::batches;
use crate::harness::fixture::{Fixture, order_with};

fn is_hidden(mistake: &Mistake, by: &Mistake) -> bool {
    let names =
        HIDDEN.iter().filter(|(name, ..)| *name == by.name).flat_map(|(_, names, _)| *names);
    names.into_iter().any(|name| *name == mistake.name)
}

/// Every pair of mistakes, with a body that has both.
fn pairs() -> Vec<(&'static Mistake, &'static Mistake, Value)> {
    let mut pairs = Vec::new();
    for (index, one) in MISTAKES.iter().enumerate() {
        for other in &MISTAKES[index + 1..] {
            let mut body = good("PAIR");
            (one.make)(&mut body);
            (other.make)(&mut body);
            pairs.push((one, other, body));
        }
    }
    pairs
}

/// What is missing among the paths of a pair, or told although it is on the list of hidden ones.
fn missing(one: &Mistake, other: &Mistake, told: impl Fn(&str) -> bool) -> Vec<String> {
    let looked = [(one, other), (other, one)].into_iter();
    let wrong = looked.filter(|(mistake, by)| told(mistake.path) == is_hidden(mistake, by));
    wrong.map(|(mistake, by)| format!("{} beside {}", mistake.name, by.name)).collect()
}

async fn told(fixture: &Fixture, body: &Value) -> Vec<String> {
    fixture.book(body).await.problems()
}

fixtures! {
    // Rules: Errors 5.
    async fn two_mistakes_in_different_places_are_both_told(fixture) {
        fixture.book(&good("GOOD")).await.expect(201);
        for mistake in MISTAKES {
            let mut body = good("ONE");
            (mistake.make)(&mut body);
            let told = told(&fixture, &body).await;
            assert!(told.contains(&mistake.path.to_owned()), "{}: {told:?}", mistake.name);
        }
        let mut wrong = Vec::new();
        for (one, other, body) in pairs() {
            let told = told(&fixture, &body).await;
            wrong.extend(missing(one, other, |path| told.iter().any(|other| other == path)));
        }
        assert_eq!(wrong, [""; 0]);
        assert_eq!(fixture.bookings("PAIR"), 0);
    }

    async fn all_mistakes_at_once_are_told_but_those_that_another_hides(fixture) {
        let mut body = good("ALL");
        MISTAKES.iter().for_each(|mistake| (mistake.make)(&mut body));
        let told = told(&fixture, &body).await;
        let seen = |mistake: &&Mistake| MISTAKES.iter().all(|by| !is_hidden(mistake, by));
        for mistake in MISTAKES.iter().filter(seen) {
            assert!(told.contains(&mistake.path.to_owned()), "{}: {told:?}", mistake.name);
        }
    }

    // The four of the outside test.
    async fn no_stage_hides_another(fixture) {
        let weight = |value: Value| json!({"gross_weight": {"value": value, "unit": "g"}});
        let body = order_with("H", json!({"foo": 1, "parcels": [weight(json!(90_000))],
            "delivery": {"addons": [{"code": "gold"}]}}));
        assert_eq!(told(&fixture, &body).await, [
            "delivery.addons.0.code", "foo", "parcels.0.gross_weight.value"]);
        let body = order_with("H", json!({"template_uuid": "01a1e049-876b-7abf-afcc-5ff07827cff3",
            "parties": {"customer": {"address": {"postal_code": "ZZZZ"}}},
            "delivery": {"service_code": "sandbox:nope"}}));
        assert_eq!(told(&fixture, &body).await, [
            "delivery.service_code", "parties.customer.address.postal_code", "template_uuid"]);
        let body = order_with("H", json!({"parcels": [weight(json!(90_000))],
            "parties": {"customer": {"contact": {"name": "王小明"}}}}));
        assert_eq!(told(&fixture, &body).await, [
            "parcels.0.gross_weight.value", "parties.customer.contact.name"]);
        let body = order_with("H", json!({"parcels": [{"gross_weight": {"value": 0, "unit": "g"},
            "length": {"value": 1, "unit": "cm"}, "width": {"value": 1, "unit": "in"}}]}));
        assert_eq!(told(&fixture, &body).await, [
            "parcels.0.gross_weight.value", "parcels.0.length.unit", "parcels.0.width.unit"]);
    }

    // Decisions 7: what is missing may be in a template that nobody knows.
    async fn an_unknown_template_is_not_told_as_what_it_might_fill(fixture) {
        let template = json!("01a1e049-876b-7abf-afcc-5ff07827cff3");
        let body = order_with("T", json!({"template_uuid": template, "parcels": null,
            "delivery": null, "parties": {"customer": {"contact": {"name": null}}}}));
        assert_eq!(told(&fixture, &body).await, ["parties.customer.contact.name", "template_uuid"]);
        let body = order_with("T", json!({"template_uuid": "x", "parcels": [{}], "delivery": {}}));
        assert_eq!(told(&fixture, &body).await, ["template_uuid"]);
    }

    // Decisions 6: any invalid member is told at data.N.
    async fn members_of_a_batch_are_told_all_their_mistakes(fixture) {
        let batch = batches::open(&fixture).await;
        let pairs = pairs();
        for some in pairs.chunks(100) {
            let members: Vec<&Value> = some.iter().map(|(_, _, body)| body).collect();
            let body = json!({"data": members, "foo": 1}).to_string();
            let path = batches::path(&fixture, &format!("/{batch}/shipments"));
            let reply = fixture.app.post(&path).admin().json(&body).send().await;
            let told = reply.problems();
            assert!(told.contains(&"foo".to_owned()));
            let mut wrong = Vec::new();
            for (index, (one, other, _)) in some.iter().enumerate() {
                let is_told = |path: &str| told.contains(&format!("data.{index}.{path}"));
                wrong.extend(missing(one, other, is_told));
            }
            assert_eq!(wrong, [""; 0]);
        }
    }

    async fn a_question_for_options_is_told_all_its_mistakes(fixture) {
        let of_shipment = |mistake: &&Mistake| {
            let roots = ["foo", "parties", "parcels", "customs"];
            roots.contains(&mistake.path.split('.').next().unwrap())
        };
        // What only a service knows is a reason of that option, and so is what customs want.
        let of_service = HIDDEN[0].1;
        let of_option = ["postal code", "origin for customs"];
        let asked: Vec<&Mistake> = MISTAKES
            .iter()
            .filter(of_shipment)
            .filter(|mistake| !of_service.contains(&mistake.name))
            .filter(|mistake| !of_option.contains(&mistake.name))
            .collect();
        assert_eq!(asked.len(), 15);
        for (index, one) in asked.iter().enumerate() {
            for other in &asked[index + 1..] {
                let mut body = good("Q");
                (one.make)(&mut body);
                (other.make)(&mut body);
                let fields = body.as_object_mut().unwrap();
                fields.remove("delivery");
                fields.remove("reference");
                fields.insert("ship_at".to_owned(), json!("2020-01-01T00:00:00Z"));
                let path = fixture.app.path("/delivery-options");
                let reply = fixture.app.post(&path).admin().json(&body.to_string()).send().await;
                let told = reply.problems();
                for path in [one.path, other.path, "ship_at"] {
                    assert!(told.contains(&path.to_owned()), "{path}: {told:?}");
                }
            }
        }
    }
}
