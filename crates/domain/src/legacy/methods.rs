//! Which service a v1 carrier and method mean, and the other way round. What the table does not
//! name is looked up in the catalog.

use std::sync::LazyLock;

use crate::catalog::{Carrier, Catalog, Service};
use crate::fields::one_of;
use crate::words::Message;

/// The table, read off its text. A test holds the text to its form.
static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| include_str!("methods.txt").lines().filter_map(Row::read).collect());

/// A line of the table.
struct Row {
    carrier: &'static str,
    method: &'static str,
    service: Option<&'static str>,
    addon: Option<&'static str>,
    demo: &'static str,
}

/// What a method means.
pub struct Meaning<'a> {
    /// The service that is booked.
    pub service: &'a Service,
    /// The addon that comes with the method.
    pub addon: Option<&'static str>,
}

impl Row {
    fn read(line: &'static str) -> Option<Row> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let mut columns = line.split_whitespace();
        let mut next = || columns.next();
        let (carrier, method) = (next()?, next()?);
        let named = |column: &'static str| (column != "-").then_some(column);
        let (service, addon) = (named(next()?), named(next()?));
        Some(Row { carrier, method, service, addon, demo: next()? })
    }

    fn is_for(&self, carrier: &str) -> bool {
        self.carrier == "*" || self.carrier == carrier
    }

    fn names(&self, method: &str) -> bool {
        match self.method.strip_suffix('*') {
            Some(start) => method.starts_with(start),
            None => self.method == method,
        }
    }

    fn means(&self, code: &str) -> bool {
        let service = code.split_once(':').filter(|(carrier, _)| *carrier == self.carrier);
        service.is_some_and(|(_, service)| self.service == Some(service))
    }
}

/// What a method of a carrier means; or what is wrong with it, with the methods that there are.
pub fn find<'a>(
    catalog: &'a Catalog,
    carrier: &Carrier,
    method: &str,
    is_demo: bool,
) -> Result<Meaning<'a>, Message> {
    let unknown = || {
        let known = known(carrier, is_demo);
        one_of(&known.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let row = ROWS.iter().find(|row| row.is_for(&carrier.code) && row.names(method));
    let named = |service: &str| catalog.service(&format!("{}:{service}", carrier.code));
    let found = match row {
        Some(row) if is_demo => catalog.service(row.demo),
        Some(row) => row.service.and_then(named),
        None if is_demo => named(method).and_then(|(_, service)| stand_in(catalog, service)),
        None => named(method),
    };
    let addon = row.and_then(|row| row.addon);
    found.map(|(_, service)| Meaning { service, addon }).ok_or_else(unknown)
}

/// The service of a test carrier that is tried out in place of a real one.
fn stand_in<'a>(catalog: &'a Catalog, real: &Service) -> Option<(&'a Carrier, &'a Service)> {
    let carrier = catalog.carriers.iter().find(|carrier| carrier.is_test)?;
    if let Some(row) = ROWS.iter().find(|row| row.means(&real.code)) {
        return catalog.service(row.demo);
    }
    let is_same = |it: &&Service| it.code == real.code;
    let is_alike = |it: &&Service| it.is_pickup == real.is_pickup && it.is_return == real.is_return;
    let mut services = carrier.services.iter();
    let own = services.clone().find(is_same);
    own.or_else(|| services.find(is_alike)).map(|service| (carrier, service))
}

/// The methods of a carrier: those of the table, then its services that the table does not name.
fn known(carrier: &Carrier, is_demo: bool) -> Vec<String> {
    let rows = || ROWS.iter().filter(|row| row.carrier == carrier.code);
    let methods = rows().filter(|row| is_demo || row.service.is_some());
    let mut known: Vec<String> = methods.map(|row| row.method.to_owned()).collect();
    let others =
        carrier.services.iter().filter(|service| !rows().any(|row| row.means(&service.code)));
    known.extend(others.map(|service| after_carrier(&service.code).to_owned()));
    known
}

/// The name of a service in v1: the first method that means it, else what its carrier calls it.
pub fn method_of(service_code: &str) -> &str {
    let row = ROWS.iter().find(|row| row.means(service_code));
    row.map_or_else(|| after_carrier(service_code), |row| row.method)
}

fn after_carrier(code: &str) -> &str {
    code.split_once(':').map_or(code, |(_, service)| service)
}

/// Every service that the table names, on ordinary paths and on demo paths.
pub fn services() -> impl Iterator<Item = String> {
    let own = |row: &Row| row.service.map(|service| format!("{}:{service}", row.carrier));
    ROWS.iter().flat_map(move |row| own(row).into_iter().chain([row.demo.to_owned()]))
}

/// Every carrier and method of the table that is not a pattern.
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    let plain = ROWS.iter().filter(|row| row.carrier != "*" && !row.method.ends_with('*'));
    plain.map(|row| (row.carrier, row.method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("methods.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let five = |line: &&str| line.split_whitespace().count() == 5;
        assert_eq!(lines.filter(five).count(), ROWS.len());
        assert_eq!(ROWS.len(), 51);
    }

    #[test]
    fn a_service_is_named_by_the_first_method_that_means_it() {
        for row in ROWS.iter().filter(|row| row.service.is_some()) {
            let code = format!("{}:{}", row.carrier, row.service.unwrap());
            let first = ROWS.iter().find(|other| other.means(&code)).unwrap();
            assert_eq!(method_of(&code), first.method);
        }
        assert_eq!(method_of("nobody:by_air"), "by_air");
        assert_eq!(method_of("by_air"), "by_air");
    }
}
