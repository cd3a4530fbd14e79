//! What carriers offer: services, addons, countries, formats and constraints, all of it data.
//!
//! A constraint is one row that is both run by the validator and served as JSON Schema, so what a
//! caller reads is what is checked. Nothing here knows a carrier by name: the rows come from the
//! carriers' own files.

mod conjoin;
mod constraint;
pub mod customs;
mod path;
mod served;

pub use constraint::{Characters, Condition, Constraint, End, Role, Side, Sum, ValueKind};
pub(crate) use path::texts;

use conjoin::conjoin;
use customs::RouteCountries;

use crate::calendar::Transit;
use crate::country::Country;
use crate::document::{CustomsPaper, Format};
use crate::fields::FieldErrors;
use crate::json::{Json, MemberName};
use crate::language::Language;

/// Every carrier that we know.
#[derive(Clone, PartialEq, Debug)]
pub struct Catalog {
    /// In the order that they are listed.
    pub carriers: Vec<Carrier>,
}

/// A carrier with its services.
#[derive(Clone, PartialEq, Debug)]
pub struct Carrier {
    /// Stable, such as `sandbox`.
    pub code: String,
    /// The name that people know.
    pub name: String,
    /// What its logo is drawn with.
    pub colors: Colors,
    /// Whether it is for trying things out and moves no parcel.
    pub is_test: bool,
    /// What can be booked, in the order that it is listed.
    pub services: Vec<Service>,
}

/// The colours of a drawn logo, as `#rrggbb`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colors {
    /// Behind the name.
    pub ground: String,
    /// The name itself.
    pub ink: String,
}

/// A text in each language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names([String; Language::ALL.len()]);

impl Names {
    /// The texts in the order of `Language::ALL`.
    pub fn new(texts: [String; Language::ALL.len()]) -> Names {
        Names(texts)
    }

    /// The text in one language.
    pub fn say(&self, language: Language) -> &str {
        let index = Language::ALL.iter().position(|other| *other == language).unwrap_or(0);
        &self.0[index]
    }
}

/// One service of a carrier.
#[derive(Clone, PartialEq, Debug)]
pub struct Service {
    /// Stable, the carrier's code included: `sandbox:home`.
    pub code: String,
    /// What people read.
    pub names: Names,
    /// Whether the customer fetches the parcel from a point.
    pub is_pickup: bool,
    /// Whether it travels from the customer to the merchant.
    pub is_return: bool,
    /// Where it may physically start; none means anywhere.
    pub from_countries: Vec<Country>,
    /// Where it may physically end; none means anywhere.
    pub to_countries: Vec<Country>,
    /// What may be had beside the delivery itself.
    pub addons: Vec<Addon>,
    /// Whether we draw the label; else the carrier makes it.
    pub draws_label: bool,
    /// The formats that a label is made in.
    pub label_formats: Vec<Format>,
    /// The sizes that a label is made in, as the settings spell them.
    pub label_sizes: Vec<String>,
    /// Who hands it over at the end.
    pub last_mile: LastMile,
    /// What the service asks for beyond what holds for every shipment.
    pub constraints: Vec<Constraint>,
    /// Which papers for customs we draw; the carrier makes the others.
    pub customs_papers: Vec<CustomsPaper>,
    /// How long it takes, where that is known.
    pub transit: Option<Transit>,
}

/// An addon of a service.
#[derive(Clone, PartialEq, Debug)]
pub struct Addon {
    /// One of the stable codes.
    pub code: String,
    /// What people read.
    pub names: Names,
    /// What it does, in a sentence.
    pub descriptions: Names,
    /// What it needs to know.
    pub value: ValueKind,
    /// Whether the service cannot be booked without it.
    pub is_required: bool,
}

/// Which carrier is expected to hand a parcel over, by the country where it ends.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LastMile {
    /// Where `by_country` says nothing; none means unknown.
    pub otherwise: Option<String>,
    /// Country and carrier code; none means unknown there.
    pub by_country: Vec<(Country, Option<String>)>,
}

impl LastMile {
    /// The code of the carrier that is expected in this country, where it is known.
    pub fn carrier(&self, country: Country) -> Option<&str> {
        let own = self.by_country.iter().find(|(other, _)| *other == country);
        own.map_or(&self.otherwise, |(_, carrier)| carrier).as_deref()
    }
}

impl Catalog {
    /// The carrier with this code.
    pub fn carrier(&self, code: &str) -> Option<&Carrier> {
        self.carriers.iter().find(|carrier| carrier.code == code)
    }

    /// The service with this code, and whose it is.
    pub fn service(&self, code: &str) -> Option<(&Carrier, &Service)> {
        let carrier = self.carrier(code.split_once(':')?.0)?;
        carrier.services.iter().find(|service| service.code == code).map(|found| (carrier, found))
    }

    /// What can be said against an order whose service is not known: what a postal code of its
    /// country looks like and what an addon needs to know, where all services that say it say the
    /// same.
    pub fn problems_anywhere(&self, order: &Json) -> FieldErrors {
        let services = self.carriers.iter().flat_map(|carrier| &carrier.services);
        let mut rows: Vec<Constraint> = Vec::new();
        for row in services.flat_map(Service::rows).filter(|row| row.subject().is_some()) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let is_agreed = |row: &&Constraint| {
            rows.iter().filter(|other| other.subject() == row.subject()).count() == 1
        };
        let mut errors = FieldErrors::default();
        for (path, message) in rows.iter().filter(is_agreed).flat_map(|row| row.problems(order)) {
            errors.add(path, message);
        }
        errors
    }
}

impl Service {
    /// Every row of the service: its own, and what its countries, addons and kind imply.
    pub fn rows(&self) -> Vec<Constraint> {
        let (from, to) = match self.is_return {
            false => (Role::Merchant, Role::Customer),
            true => (Role::Customer, Role::Merchant),
        };
        let countries =
            RouteCountries::new(&self.from_countries, &self.to_countries, self.is_return);
        let mut rows = vec![Constraint::Body { service_code: self.code.clone() }];
        rows.extend(countries.map(Constraint::CustomsData));
        if !self.from_countries.is_empty() {
            let countries = self.from_countries.clone();
            rows.push(Constraint::FromCountry { role: from, countries });
        }
        if !self.to_countries.is_empty() {
            let countries = self.to_countries.clone();
            rows.push(Constraint::ToCountry { role: to, countries });
        }
        if !self.is_pickup {
            rows.push(Constraint::PickupPointForbidden);
        }
        let codes = self.addons.iter().map(|addon| addon.code.clone()).collect();
        rows.push(Constraint::AddonsAllowed { codes });
        for addon in &self.addons {
            let code = addon.code.clone();
            rows.push(Constraint::AddonValue { code, kind: addon.value.clone() });
            if addon.is_required {
                rows.push(Constraint::AddonRequired { code: addon.code.clone() });
            }
        }
        rows.extend(self.constraints.iter().cloned());
        rows
    }

    /// What the service has against an order in the API's shape. The order has already been read:
    /// only what goes beyond the general rules is looked at.
    pub fn problems(&self, order: &Json) -> FieldErrors {
        let mut errors = FieldErrors::default();
        for row in self.rows() {
            for (path, message) in row.problems(order) {
                errors.add(path, message);
            }
        }
        errors
    }

    /// The same rows as one JSON Schema of the shipment body.
    pub fn schema(&self) -> Json {
        let description = format!(
            "What {} asks of the body that creates a shipment, on top of what holds for every \
             shipment: ShipmentRequest in the contract. A null means the same as a field that is \
             left out.",
            self.code
        );
        let rows = self.rows();
        let head = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", self.code.as_str()),
            ("description", &description),
            ("type", "object"),
        ];
        let mut members: Vec<(MemberName, Json)> =
            head.map(|(name, text)| (name.into(), text.into())).into();
        if let Json::Object(rules) = conjoin(rows.iter().map(Constraint::schema)) {
            members.extend(rules);
        }
        members.push(("$defs".into(), definitions(&rows)));
        Json::Object(members)
    }
}

/// What the schemas of the rows refer to. Definitions of one name that differ hold together.
fn definitions(rows: &[Constraint]) -> Json {
    let mut all: Vec<(MemberName, Vec<Json>)> = Vec::new();
    for (name, schema) in rows.iter().flat_map(Constraint::definitions) {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, schemas)) if schemas.contains(&schema) => {}
            Some((_, schemas)) => schemas.push(schema),
            None => all.push((name, vec![schema])),
        }
    }
    let one = |schemas: Vec<Json>| match <[Json; 1]>::try_from(schemas) {
        Ok([only]) => only,
        Err(several) => conjoin(several),
    };
    Json::Object(all.into_iter().map(|(name, schemas)| (name, one(schemas))).collect())
}

#[cfg(test)]
mod tests;
