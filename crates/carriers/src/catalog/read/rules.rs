//! The rules of a file as rows of a service.

use waybill_domain::catalog::customs::RouteCountries;
use waybill_domain::catalog::{Characters, Condition, Constraint, End, Role, Side, Sum};
use waybill_domain::country::Country;
use waybill_domain::measure::Currency;

use super::super::error::Fault;
use super::super::file::{Rule, RuleFile, WhenFile};
use super::countries;

/// What a rule needs to know of the service that it is for.
pub struct Route<'a> {
    /// Whether it travels to the merchant.
    pub is_return: bool,
    /// Where it may start; none means anywhere.
    pub from: &'a [Country],
    /// Where it may end; none means anywhere.
    pub to: &'a [Country],
    /// What may be chosen.
    pub addons: &'a [String],
}

impl Route<'_> {
    /// Who is at the start, and who at the end.
    fn roles(&self) -> (Role, Role) {
        match self.is_return {
            false => (Role::Merchant, Role::Customer),
            true => (Role::Customer, Role::Merchant),
        }
    }
}

/// The rows of one rule; none when it is not about this service.
pub fn rows(file: &RuleFile, route: &Route<'_>) -> Result<Vec<Constraint>, Fault> {
    let rows = unconditional(&file.rule, route)?;
    let Some(when) = &file.when else { return Ok(rows) };
    if *when == WhenFile::default() {
        return Err(Fault::EmptyWhen);
    }
    if !is_possible(when, route) {
        return Ok(Vec::new());
    }
    let conditions = conditions(when, route)?;
    if conditions.is_empty() {
        return Ok(rows);
    }
    let row = |then| Constraint::When { conditions: conditions.clone(), then: Box::new(then) };
    Ok(rows.into_iter().map(row).collect())
}

/// Whether the rule of a carrier can hold for this service at all.
fn is_possible(when: &WhenFile, route: &Route<'_>) -> bool {
    let is_offered = |code: &String| route.addons.contains(code);
    when.is_return.is_none_or(|is_return| is_return == route.is_return)
        && when.addon.as_ref().is_none_or(is_offered)
}

fn conditions(when: &WhenFile, route: &Route<'_>) -> Result<Vec<Condition>, Fault> {
    let (start, finish) = route.roles();
    let places = [
        (End::Start, start, &when.from, true),
        (End::Start, start, &when.from_except, false),
        (End::Finish, finish, &when.to, true),
        (End::Finish, finish, &when.to_except, false),
    ];
    let mut found = Vec::new();
    for (end, role, codes, is_among) in places.into_iter().filter(|(_, _, c, _)| !c.is_empty()) {
        found.push(Condition::Place { end, role, countries: countries(codes)?, is_among });
    }
    for (code, is_chosen) in [(&when.addon, true), (&when.without_addon, false)] {
        let addon = |code: &String| Condition::Addon { code: code.clone(), is_chosen };
        found.extend(code.as_ref().map(addon));
    }
    found.extend(when.crosses_border.map(|is_crossed| {
        let countries = RouteCountries::new(route.from, route.to, route.is_return);
        Condition::Border { countries, is_crossed }
    }));
    Ok(found)
}

fn one_of(paths: &[String]) -> Result<Constraint, Fault> {
    match paths.iter().find(|path| path.contains('*')) {
        Some(path) => Err(Fault::SeveralFields(path.clone())),
        None if paths.len() < 2 => Err(Fault::OneOfOne),
        None => Ok(Constraint::RequiredOneOf { paths: paths.to_vec() }),
    }
}

fn currencies(codes: &[String]) -> Result<Vec<Currency>, Fault> {
    let one = |code: &String| Currency::parse(code).ok_or_else(|| Fault::Currency(code.clone()));
    codes.iter().map(one).collect()
}

fn unconditional(rule: &Rule, route: &Route<'_>) -> Result<Vec<Constraint>, Fault> {
    let each = |paths: &[String], row: &dyn Fn(String) -> Constraint| {
        paths.iter().cloned().map(row).collect::<Vec<_>>()
    };
    let (start, finish) = route.roles();
    let side = |side, millimetres| Constraint::MaxSide { side, millimetres };
    Ok(match rule {
        Rule::Required { paths, with_addon } => {
            each(paths, &|path| Constraint::Required { path, with_addon: with_addon.clone() })
        }
        Rule::MaxLength { paths, max } => {
            each(paths, &|path| Constraint::MaxLength { path, max: *max })
        }
        Rule::MinLength { paths, min } => {
            each(paths, &|path| Constraint::MinLength { path, min: *min })
        }
        Rule::MaxItems { paths, max } => {
            each(paths, &|path| Constraint::MaxItems { path, max: *max })
        }
        Rule::RequiredOneOf { paths } => vec![one_of(paths)?],
        Rule::Forbidden { paths } => each(paths, &|path| Constraint::Forbidden { path }),
        Rule::AreaCode { countries: codes } => {
            vec![Constraint::AreaCode { countries: countries(codes)? }]
        }
        Rule::Currency { paths, allowed } => {
            let allowed = currencies(allowed)?;
            each(paths, &|path| Constraint::Currency { path, allowed: allowed.clone() })
        }
        Rule::Characters { paths, allowed } => {
            let known = Characters::ALL.into_iter().find(|class| class.name() == allowed);
            let allowed = known.ok_or_else(|| Fault::Characters(allowed.clone()))?;
            each(paths, &|path| Constraint::Characters { path, allowed })
        }
        Rule::MaxParcels { max } => vec![Constraint::MaxParcels { max: *max }],
        Rule::MaxWeight { grams } => vec![Constraint::MaxWeight { grams: *grams }],
        Rule::MaxLongestSide { millimetres } => {
            vec![Constraint::MaxLongestSide { millimetres: *millimetres }]
        }
        Rule::MaxSides { length, width, height } => vec![
            side(Side::Length, *length),
            side(Side::Width, *width),
            side(Side::Height, *height),
        ],
        Rule::MaxGirth { millimetres } => vec![Constraint::MaxSum(Sum::Girth(*millimetres))],
        Rule::MaxSumOfSides { millimetres } => vec![Constraint::MaxSum(Sum::Sides(*millimetres))],
        Rule::MaxTotalWeight { grams } => vec![Constraint::MaxSum(Sum::Weight(*grams))],
        Rule::FromCountries { countries: codes } => {
            vec![Constraint::FromCountry { role: start, countries: countries(codes)? }]
        }
        Rule::ToCountries { countries: codes } => {
            vec![Constraint::ToCountry { role: finish, countries: countries(codes)? }]
        }
        Rule::NotWithin { countries: codes } => {
            vec![Constraint::NotWithin { to: finish, countries: countries(codes)? }]
        }
        Rule::NoDangerousGoods => vec![Constraint::DangerousGoodsForbidden],
        Rule::LimitedQuantityOnly => vec![Constraint::LimitedQuantityOnly],
    })
}
