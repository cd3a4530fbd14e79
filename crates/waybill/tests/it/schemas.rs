//! What a caller can check before sending: the contract's ShipmentRequest together with the
//! constraints of a service refuse what the server refuses, and nothing else.

mod bodies;
mod differences;
mod mutations;
mod over_the_wire;
mod random;
mod validators;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use waybill_carriers::catalog;
use waybill_domain::catalog::customs::customs_problems;
use waybill_domain::catalog::{Catalog, Service};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::parse;
use waybill_domain::language::Language;
use waybill_domain::measure::Currency;
use waybill_domain::patterns;
use waybill_domain::shipment::{Order, template_of};
use waybill_domain::words::Message;

use differences::{DIFFERENCES, Problem, says};
use random::Random;
use validators::{Validators, contract};

/// Bodies for each service of the catalog that are checked in the process.
const BODIES: usize = 150;

/// A body and what it was made for.
pub struct GeneratedBody {
    pub body: Value,
    pub service: String,
}

/// Bodies for a service: each fourth as good as it came, the others spoilt in one or two places.
pub fn cases(service: &Service, count: usize, random: &mut Random) -> Vec<GeneratedBody> {
    let one = |index: usize| {
        let mut body = bodies::good(service, random);
        for _ in 0..[0, 1, 1, 2][index % 4] {
            mutations::mutate(&mut body, random);
        }
        GeneratedBody { body, service: service.code.clone() }
    };
    (0..count).map(one).collect()
}

/// How often bodies were accepted, refused, and refused for what no schema can say.
#[derive(Default, Debug)]
pub struct Tally {
    pub accepted: usize,
    pub refused: usize,
    explained: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    /// Holds what the server said against what the schemas say.
    pub fn compare(&mut self, validators: &Validators, case: &GeneratedBody, server: &[Problem]) {
        let GeneratedBody { body, service } = case;
        let schema = validators.problems(body, service);
        // Of a route that is not served, the server also tells what customs would ask for.
        let is_unserved = schema.iter().any(|at| at.ends_with(".address.country"));
        let is_told = |problem: &&Problem| {
            schema.iter().any(|at| is_near(at, &problem.path))
                || (is_unserved && says(problem, "required-by-customs"))
        };
        let (_, alone): (Vec<&Problem>, Vec<&Problem>) = server.iter().partition(is_told);
        let told = || {
            let server: Vec<String> = server
                .iter()
                .map(|problem| format!("{} {}", problem.path, problem.message))
                .collect();
            format!("server: {server:#?}\nschemas: {schema:#?}\n{service} {body}")
        };
        if server.is_empty() && !schema.is_empty() {
            self.failures.push(format!("only the schemas refuse\n{}", told()));
        }
        for problem in alone {
            match DIFFERENCES.iter().find(|row| row.explains(problem, body)) {
                Some(row) => *self.explained.entry(row.told).or_default() += 1,
                None => {
                    let line =
                        format!("only the server says: {} {}", problem.path, problem.message);
                    self.failures.push(format!("{line}\n{}", told()));
                }
            }
        }
        let count = if server.is_empty() { &mut self.accepted } else { &mut self.refused };
        *count += 1;
    }

    /// Both happened often, and every difference that there is was met.
    pub fn is_telling(&self, differences: &[&str]) {
        let failures = self.failures.len();
        let some = self.failures.iter().take(20).map(String::as_str).collect::<Vec<_>>();
        assert!(failures == 0, "{failures} of them:\n{}", some.join("\n\n"));
        let all = self.accepted + self.refused;
        assert!(self.accepted * 10 > all && self.refused * 10 > all * 3, "{self:?}");
        for told in differences {
            assert!(self.explained.contains_key(told), "{told} never made a difference: {self:?}");
        }
    }
}

/// The same place, or one inside of the other.
fn is_near(place: &str, other: &str) -> bool {
    let is_inside = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    is_inside(place, other) || is_inside(other, place)
}

/// The server's checkment as far as it needs no team: what is read, and what the service asks for.
fn check(catalog: &Catalog, body: &Value) -> Vec<Problem> {
    let body = parse(body.to_string().as_bytes()).unwrap();
    let mut errors = FieldErrors::default();
    if let Ok(Some(_)) = template_of(&body) {
        errors.add("template_uuid", Message::new("unknown-template"));
    }
    match Order::parse(&body, None) {
        Err(found) => errors.extend(found),
        Ok(order) => match catalog.service(&order.delivery.service_code) {
            None => errors.add("delivery.service_code", Message::new("unknown-service")),
            Some((_, service)) => {
                errors.extend(service.problems(&order.to_json()));
                errors.extend(customs_problems(&order.to_json()));
            }
        },
    }
    let problem = |path: &str, message: &Message| Problem {
        path: path.to_owned(),
        message: message.say(Language::En),
    };
    let told = errors.iter();
    told.flat_map(|(path, messages)| messages.iter().map(move |m| problem(path, m))).collect()
}

fn agree_for(carriers: &[&str], differences: &[&str]) {
    let mut catalog = catalog::load().unwrap();
    catalog.carriers.retain(|carrier| carriers.contains(&carrier.code.as_str()));
    agree(&catalog, BODIES, differences);
}

fn agree(catalog: &Catalog, bodies: usize, differences: &[&str]) {
    let validators = Validators::new(catalog);
    let mut random = Random::new(15);
    let mut tally = Tally::default();
    for service in catalog.carriers.iter().flat_map(|carrier| &carrier.services) {
        for case in cases(service, bodies, &mut random) {
            tally.compare(&validators, &case, &check(catalog, &case.body));
        }
    }
    tally.is_telling(differences);
}

/// What makes a difference for every carrier.
const EVERYWHERE: [&str; 3] = [
    "What a template holds",
    "That all amounts have one currency",
    "That a weight or length has at most three decimals",
];

#[test]
fn the_schemas_and_the_validator_agree_for_every_service_of_the_sandbox_and_gls() {
    agree_for(&["sandbox", "gls"], &EVERYWHERE);
}

#[test]
fn the_schemas_and_the_validator_agree_for_every_service_of_bring() {
    agree_for(&["bring"], &EVERYWHERE);
}

#[test]
fn the_schemas_and_the_validator_agree_for_every_service_of_postnord() {
    agree_for(&["postnord"], &EVERYWHERE);
}

#[test]
fn the_schemas_and_the_validator_agree_for_every_service_of_the_others() {
    let named = ["sandbox", "gls", "bring", "postnord"];
    let catalog = catalog::load().unwrap();
    let codes = catalog.carriers.iter().map(|carrier| carrier.code.as_str());
    let others: Vec<&str> = codes.filter(|code| !named.contains(code)).collect();
    assert!(!others.is_empty());
    agree_for(&others, &EVERYWHERE);
}

#[test]
fn the_schemas_and_the_validator_agree_for_every_rule_and_condition_of_a_file() {
    let file = include_str!("../../../carriers/tests/it/catalog/rules.toml");
    let differences = [
        EVERYWHERE.as_slice(),
        &[
            "Whether a route crosses a customs border, for a service that names no countries",
            "That a service ships abroad only, when it ships from everywhere",
            "What sides or weights add up to",
        ],
    ];
    agree(&catalog::read(&[file]).unwrap(), 8 * BODIES, &differences.concat());
}

#[test]
fn the_contract_names_the_countries_currencies_and_patterns_that_are_checked() {
    let contract = contract();
    let schema = |name: &str| &contract["components"]["schemas"][name];
    let codes = |name: &str| -> BTreeSet<String> {
        let codes = schema(name)["enum"].as_array().unwrap();
        codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect()
    };
    let countries = Country::all().map(|country| country.to_string());
    assert_eq!(codes("CountryInput"), countries.collect());
    let currencies = Currency::all().map(|currency| currency.code().to_owned());
    assert_eq!(codes("CurrencyInput"), currencies.collect());
    let contact = &schema("ContactInput")["properties"];
    assert_eq!(contact["name"]["pattern"], patterns::filled());
    assert_eq!(contact["company"]["pattern"], patterns::printable());
    assert_eq!(contact["email"]["pattern"], patterns::email());
    assert_eq!(contact["email"]["maxLength"], patterns::EMAIL_MAX);
    assert_eq!(contact["phone"]["pattern"], patterns::phone());
    assert_eq!(contact["phone"]["maxLength"], patterns::PHONE_MAX);
}

#[test]
fn every_difference_is_told_in_the_documentation() {
    let page = include_str!("../../../../docs/integrating.md");
    let page: Vec<&str> = page.split_whitespace().collect();
    let page = page.join(" ");
    for row in DIFFERENCES {
        assert!(page.contains(row.told), "{}", row.told);
    }
}
