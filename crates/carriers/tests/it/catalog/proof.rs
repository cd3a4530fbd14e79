//! What is served is what is checked: over generated orders, the validator finds nothing exactly
//! when the JSON Schema is satisfied. That holds for a service as a whole, and for each of its rows
//! alone, so that no row hides what another gets wrong.

use std::cell::Cell;

use jsonschema::Validator;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use waybill_domain::catalog::{Characters, Constraint, Role, Service, Side};
use waybill_domain::json::Json;

use super::bodies::{accepted, country, good};
use super::changes::{change, in_currency};

/// Bodies in all; each is also tried with its nulls left out.
const BODIES: u32 = 3000;

fn value(json: &Json) -> serde_json::Value {
    serde_json::from_str(&json.to_string()).unwrap()
}

/// A service with every kind of row, so that none goes untried for want of a carrier.
fn all_rows(model: &Service) -> Service {
    let required = |path: &str, with_addon: Option<&str>| Constraint::Required {
        path: path.to_owned(),
        with_addon: with_addon.map(str::to_owned),
    };
    let characters =
        |path: &str, allowed| Constraint::Characters { path: path.to_owned(), allowed };
    let mut service = model.clone();
    service.code = "test:all".into();
    service.from_countries = vec![country("DK"), country("SE")];
    service.addons.retain(|addon| addon.code != "cash_on_delivery");
    for addon in &mut service.addons {
        addon.is_required = addon.code == "signature";
    }
    service.constraints.extend([
        required("parties.merchant.contact.phone", None),
        required("parties.customer.contact.company", Some("flex_delivery")),
        required("customs.invoice_number", Some("insurance")),
        required("parcels.*.items.*.description", None),
        characters("identifier", Characters::Digits),
        characters("reference", Characters::Ascii),
        characters("customs.invoice_number", Characters::Alphanumeric),
        characters("parties.customer.address.address_lines.*", Characters::Latin1),
        Constraint::MaxLength { path: "parties.customer.contact.name".into(), max: 40 },
        Constraint::MaxParcels { max: 2 },
        Constraint::MaxSide { side: Side::Height, millimetres: 700 },
        Constraint::ToCountry { role: Role::Customer, countries: vec![country("DK")] },
        Constraint::LimitedQuantityOnly,
    ]);
    service
}

/// A second one for the rows that would hide others.
fn strict(model: &Service) -> Service {
    let mut service = model.clone();
    service.code = "test:strict".into();
    service.addons.clear();
    service.constraints.extend([
        Constraint::DangerousGoodsForbidden,
        Constraint::Required { path: "parcels.*.items".into(), with_addon: None },
        Constraint::Required { path: "parcels.*.gross_weight".into(), with_addon: None },
        Constraint::Required { path: "customs".into(), with_addon: None },
        Constraint::Required { path: "parties.customer.contact.company".into(), with_addon: None },
    ]);
    service
}

fn without_nulls(json: &Json) -> Json {
    match json {
        Json::Object(members) => {
            let kept = members.iter().filter(|(_, value)| *value != Json::Null);
            Json::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        Json::List(entries) => Json::List(entries.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

struct Subject {
    service: Service,
    whole: Validator,
    rows: Vec<(Constraint, Validator)>,
}

fn validator(schema: &Json) -> Validator {
    jsonschema::validator_for(&value(schema)).unwrap()
}

/// The schema of a row with what it refers to.
fn alone(row: &Constraint) -> Json {
    let definitions = Json::Object(row.definitions());
    Json::object([("allOf", Json::list([row.schema()])), ("$defs", definitions)])
}

fn subjects() -> Vec<Subject> {
    let catalog = super::catalog();
    let home = catalog.service("sandbox:home").unwrap().1;
    let mut services: Vec<Service> = super::services(&catalog).cloned().collect();
    services.extend(super::services(&super::every_rule()).cloned());
    services.extend([all_rows(home), strict(home)]);
    let subject = |service: Service| {
        let rows = service.rows().into_iter();
        Subject {
            whole: validator(&service.schema()),
            rows: rows.map(|row| (row.clone(), validator(&alone(&row)))).collect(),
            service,
        }
    };
    services.into_iter().map(subject).collect()
}

/// Whether both accept the body, or a failure when they differ. What a schema cannot say, it says
/// nothing about: such a row accepts everything.
fn verdict(subject: &Subject, body: &Json) -> Result<bool, TestCaseError> {
    let instance = value(body);
    let mut is_good = true;
    for (row, validator) in &subject.rows {
        let problems = row.problems(body);
        let is_valid = validator.is_valid(&instance);
        let expected = problems.is_empty() || !row.is_in_schema();
        prop_assert_eq!(expected, is_valid, "{:?}\n{:?}\n{}", row, problems, body);
        is_good &= expected;
    }
    let is_valid = subject.whole.is_valid(&instance);
    prop_assert_eq!(is_good, is_valid, "{}\n{}", subject.service.code, body);
    let problems = subject.service.problems(body);
    prop_assert!(is_valid || !problems.is_empty(), "{}\n{}", subject.service.code, body);
    Ok(is_valid)
}

#[test]
fn the_validator_and_the_schema_agree_on_every_body() {
    let subjects = subjects();
    let (accepts, refusals) = (Cell::new(0_u32), Cell::new(0_u32));
    // The last five have all the rows, so they are tried as often as half of the others together.
    let ours = subjects.len() - 5;
    let index = prop_oneof![2 => 0..ours, 1 => ours..subjects.len()];
    let currency = prop::sample::select(vec!["DKK", "DKK", "SEK", "EUR"]);
    let strategy = (index, prop::collection::vec(change(), 0..4), currency);
    let config = Config { cases: BODIES, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&strategy, |(index, changes, currency)| {
            let subject = &subjects[index];
            let mut body = good(&subject.service);
            for change in &changes {
                change.apply(&mut body, &subject.service);
                body = accepted(&body);
            }
            body = accepted(&in_currency(&body, currency));
            let is_good = verdict(subject, &body)?;
            prop_assert_eq!(is_good, verdict(subject, &without_nulls(&body))?);
            let count = if is_good { &accepts } else { &refusals };
            count.set(count.get() + 1);
            Ok(())
        })
        .unwrap();
    let (accepts, refusals) = (accepts.get(), refusals.get());
    assert!(accepts >= BODIES / 10, "{accepts} of {BODIES} accepted");
    assert!(refusals >= BODIES / 10, "{refusals} of {BODIES} refused");
    assert!(accepts + refusals >= BODIES);
}

#[test]
fn a_schema_is_a_schema() {
    for subject in subjects() {
        let schema = value(&subject.service.schema());
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(schema["title"], subject.service.code);
    }
}
