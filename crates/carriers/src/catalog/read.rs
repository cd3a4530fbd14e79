//! Turns the files into the catalog, or says in which file what is wrong.

mod rules;

use waybill_domain::calendar::{Slot, Transit};
use waybill_domain::catalog::{
    Addon, Carrier, Catalog, Colors, Constraint, LastMile, Names, Service, ValueKind,
};
use waybill_domain::country::Country;
use waybill_domain::document::{CustomsPaper, Format};

use super::error::{CatalogError, Fault};
use super::file::{
    AddonFile, AddonsFile, CarrierFile, NamesFile, PostalCodesFile, RuleFile, ServiceFile,
    TransitFile,
};

/// What the carriers' files share.
struct Shared {
    addons: AddonsFile,
    postal_codes: Vec<(Country, Vec<String>)>,
}

/// Reads one file for each carrier.
pub fn catalog(files: &[&str]) -> Result<Catalog, CatalogError> {
    let parse = |file: &str, source: toml::de::Error| {
        let (file, source) = (file.to_owned(), Box::new(source));
        CatalogError::Syntax { file, source }
    };
    let addons: AddonsFile =
        toml::from_str(include_str!("addons.toml")).map_err(|error| parse("addons.toml", error))?;
    let postal_codes: PostalCodesFile = toml::from_str(include_str!("postal_codes.toml"))
        .map_err(|error| parse("postal_codes.toml", error))?;
    let postal_codes = postal_codes
        .into_iter()
        .map(|(code, masks)| Ok((country(&code)?, masks)))
        .collect::<Result<_, Fault>>()
        .map_err(CatalogError::Shared)?;
    let shared = Shared { addons, postal_codes };
    let mut carriers = Vec::new();
    for (index, text) in files.iter().enumerate() {
        let file: CarrierFile = toml::from_str(text)
            .map_err(|error| parse(&format!("catalog.toml number {}", index + 1), error))?;
        carriers.push(carrier(file, &shared)?);
    }
    Ok(Catalog { carriers })
}

fn carrier(file: CarrierFile, shared: &Shared) -> Result<Carrier, CatalogError> {
    let mut services = Vec::new();
    for entry in &file.services {
        let code = format!("{}:{}", file.code, entry.code);
        let service = service(&code, entry, &file.rules, shared);
        services.push(service.map_err(|fault| CatalogError::Service { service: code, fault })?);
    }
    let colors = Colors { ground: file.ground, ink: file.ink };
    let CarrierFile { code, name, is_test, .. } = file;
    Ok(Carrier { code, name, colors, is_test, services })
}

fn service(
    code: &str,
    file: &ServiceFile,
    carrier_rules: &[RuleFile],
    shared: &Shared,
) -> Result<Service, Fault> {
    let from_countries = countries(&file.from)?;
    let to_countries = match file.to_except.is_empty() {
        true => countries(&file.to)?,
        false => every_country_but(&countries(&file.to_except)?),
    };
    let mut constraints = Vec::new();
    let route = rules::Route {
        is_return: file.is_return,
        from: &from_countries,
        to: &to_countries,
        addons: &file.addons,
    };
    for rule in carrier_rules.iter().chain(&file.rules) {
        constraints.extend(rules::rows(rule, &route)?);
    }
    let customers = if file.is_return { &from_countries } else { &to_countries };
    constraints.extend(postal_codes(customers, shared));
    let formats = file
        .formats
        .iter()
        .map(|name| Format::parse(name).ok_or_else(|| Fault::Format(name.clone())));
    Ok(Service {
        code: code.to_owned(),
        names: names(&file.name),
        is_pickup: file.is_pickup,
        is_return: file.is_return,
        addons: addons(file, shared)?,
        draws_label: file.draws_label,
        label_formats: formats.collect::<Result<_, _>>()?,
        label_sizes: file.sizes.clone(),
        last_mile: last_mile(file)?,
        from_countries,
        to_countries,
        constraints,
        customs_papers: customs_papers(file)?,
        transit: file.transit.as_ref().map(transit).transpose()?,
    })
}

fn customs_papers(file: &ServiceFile) -> Result<Vec<CustomsPaper>, Fault> {
    let Some(names) = &file.customs_papers else { return Ok(CustomsPaper::ALL.to_vec()) };
    let one =
        |name: &String| CustomsPaper::parse(name).ok_or_else(|| Fault::CustomsPaper(name.clone()));
    names.iter().map(one).collect()
}

fn transit(file: &TransitFile) -> Result<Transit, Fault> {
    let cutoff = file.cutoff.parse().map_err(|_| Fault::Time(file.cutoff.clone()))?;
    let slot = |text: &String| Slot::parse(text).ok_or_else(|| Fault::Slot(text.clone()));
    let slots = file.slots.iter().map(slot).collect::<Result<_, _>>()?;
    Ok(Transit { cutoff, days: file.days, days_abroad: file.days_abroad, slots })
}

fn postal_codes(customers: &[Country], shared: &Shared) -> Vec<Constraint> {
    let row = |(country, masks): &(Country, Vec<String>)| {
        let is_served = customers.is_empty() || customers.contains(country);
        is_served.then(|| Constraint::PostalCode { country: *country, masks: masks.clone() })
    };
    shared.postal_codes.iter().filter_map(row).collect()
}

fn addons(file: &ServiceFile, shared: &Shared) -> Result<Vec<Addon>, Fault> {
    if let Some(code) = file.required_addons.iter().find(|code| !file.addons.contains(code)) {
        return Err(Fault::RequiredAddon(code.clone()));
    }
    let one = |code: &String| {
        let entry = shared.addons.get(code).ok_or_else(|| Fault::Addon(code.clone()))?;
        Ok(Addon {
            code: code.clone(),
            names: names(&entry.name),
            descriptions: names(&entry.description),
            value: value_kind(entry, file.ages.as_ref())?,
            is_required: file.required_addons.contains(code),
        })
    };
    file.addons.iter().map(one).collect()
}

fn value_kind(entry: &AddonFile, ages: Option<&Vec<u8>>) -> Result<ValueKind, Fault> {
    Ok(match entry.value.as_str() {
        "none" => ValueKind::None,
        "phone" => ValueKind::Phone,
        "email" => ValueKind::Email,
        "age" => ValueKind::Age(ages.unwrap_or(&entry.ages).clone()),
        "money" => ValueKind::Money,
        "text" => ValueKind::Text(entry.max.ok_or(Fault::TextWithoutMax)?),
        other => return Err(Fault::ValueKind(other.to_owned())),
    })
}

fn last_mile(file: &ServiceFile) -> Result<LastMile, Fault> {
    let mut last_mile = LastMile::default();
    for (place, carrier) in &file.last_mile {
        let carrier = (carrier != "unknown").then(|| carrier.clone());
        match place.as_str() {
            "otherwise" => last_mile.otherwise = carrier,
            code => last_mile.by_country.push((country(code)?, carrier)),
        }
    }
    Ok(last_mile)
}

fn names(file: &NamesFile) -> Names {
    let NamesFile { en, da, sv, nb, fi, de } = file.clone();
    Names::new([en, da, sv, nb, fi, de])
}

fn country(code: &str) -> Result<Country, Fault> {
    Country::parse(code).ok_or_else(|| Fault::Country(code.to_owned()))
}

fn countries(codes: &[String]) -> Result<Vec<Country>, Fault> {
    codes.iter().map(|code| country(code)).collect()
}

fn every_country_but(excepted: &[Country]) -> Vec<Country> {
    Country::all().filter(|country| !excepted.contains(country)).collect()
}
