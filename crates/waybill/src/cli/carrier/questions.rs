//! What a carrier is asked. Nothing here can book: there is no permit, and none is made.

use waybill_carriers::{Account, Carrier, CarrierError, Pricing, ServicePoints, Verdict};
use waybill_domain::catalog::Service;
use waybill_domain::country::Country;
use waybill_domain::json::Number;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::time::Time;

use super::report::{Ending, Step};
use super::sample;

/// What is asked after the fields of the account were looked at.
const LATER: &[&str] = &["credentials", "service points", "prices"];
/// So many points are named.
const POINTS_SHOWN: usize = 3;
/// So many services are asked about.
const PRICES_MAX: usize = 3;

/// Whom to ask, and about what.
pub struct Questions<'a> {
    pub carrier: &'a dyn Carrier,
    /// Its services in the catalog.
    pub services: &'a [Service],
    pub account: &'a Account,
    /// Where, when it is not left to us.
    pub country: Option<Country>,
    pub now: Time,
}

impl Questions<'_> {
    /// Asks in the order in which a server would. A carrier that refused the account is not asked
    /// any more: it may lock what fails too often.
    pub async fn ask(&self) -> Vec<Step> {
        let (credentials, options) = (self.account.credentials.expose(), &self.account.options);
        let problems = self.carrier.check_account(credentials, options);
        if !problems.is_empty() {
            let account = Step::new("account", Ending::Failed, problems.to_string());
            return [account].into_iter().chain(skipped(LATER)).collect();
        }
        let account = Step::new("account", Ending::Good, "its fields are as they should be");
        let verdict = self.carrier.verify_account(self.account).await;
        let is_refused = matches!(verdict, Verdict::Refused(_));
        let mut steps = vec![account, credentials_step(verdict)];
        if is_refused {
            steps.extend(skipped(&LATER[1..]));
            return steps;
        }
        steps.push(self.points().await);
        steps.extend(self.prices().await);
        steps
    }

    async fn points(&self) -> Step {
        let name = LATER[1];
        let Some(ability) = self.carrier.service_points() else {
            return Step::new(name, Ending::NotOffered, "this carrier lists none");
        };
        let of_carrier = || ability.countries().iter().find_map(|code| Country::parse(code));
        let Some(country) = self.country.or_else(of_carrier) else {
            return Step::new(name, Ending::NotOffered, "this carrier has them in no country");
        };
        if !ability.countries().contains(&country.code()) {
            let countries = ability.countries().join(", ");
            let words = format!("none in {country}: this carrier has them in {countries}");
            return Step::new(name, Ending::NotOffered, words);
        }
        match self.listed(ability, country).await {
            Ok(words) => Step::new(name, Ending::Good, words),
            Err(error) => Step::new(name, Ending::Failed, format!("{country}: {error}")),
        }
    }

    async fn listed(
        &self,
        ability: &dyn ServicePoints,
        country: Country,
    ) -> Result<String, CarrierError> {
        let points = ability.list(self.account, country).await?;
        let is_there = |point: &&Point| point.country() == country;
        let shown: Vec<String> =
            points.iter().filter(is_there).take(POINTS_SHOWN).map(described).collect();
        // A server does not take such a list either.
        if shown.is_empty() {
            return Err(CarrierError::Unreadable("a list without a point"));
        }
        Ok(format!("{} in {country}, such as {}", points.len(), shown.join("; ")))
    }

    async fn prices(&self) -> Vec<Step> {
        let name = LATER[2];
        let Some(ability) = self.carrier.pricing() else {
            let words = "this carrier tells none before a booking";
            return vec![Step::new(name, Ending::NotOffered, words)];
        };
        let own = || self.services.iter().find_map(|it| it.from_countries.first().copied());
        let country = self.country.or_else(own).or_else(|| Country::parse("DK"));
        let Some(country) = country.filter(|country| sample::is_known(*country)) else {
            let words = "no order is made up in that country";
            return vec![Step::new(name, Ending::NotOffered, words)];
        };
        let is_within = |service: &&Service| {
            let has = |countries: &[Country]| countries.is_empty() || countries.contains(&country);
            let is_sent = !service.is_return && !service.is_pickup;
            is_sent && has(&service.from_countries) && has(&service.to_countries)
        };
        let mut steps = Vec::new();
        for service in self.services.iter().filter(is_within).take(PRICES_MAX) {
            steps.push(self.price(ability, &service.code, country).await);
        }
        if steps.is_empty() {
            let words = format!("no service within {country} leads to a door");
            steps.push(Step::new(name, Ending::NotOffered, words));
        }
        steps
    }

    async fn price(&self, ability: &dyn Pricing, service: &str, country: Country) -> Step {
        let name = format!("price of {service} within {country}");
        let Some(order) = sample::order(service, country) else {
            return Step::new(name, Ending::Failed, "the order cannot be made up");
        };
        match ability.quote(self.account, &order, self.now).await {
            Ok(Some(price)) => Step::new(name, Ending::Good, amount(price)),
            Ok(None) => Step::new(name, Ending::Good, "none for this service"),
            Err(error) => Step::new(name, Ending::Failed, error.to_string()),
        }
    }
}

fn credentials_step(verdict: Verdict) -> Step {
    let step = |ending, words: String| Step::new(LATER[0], ending, words);
    match verdict {
        Verdict::Good => step(Ending::Good, "the carrier accepts them".to_owned()),
        Verdict::Refused(why) => {
            // A carrier may say which of the options is wrong.
            let path = why.said.iter().find_map(|said| said.path.as_deref());
            let place = path.map(|path| format!("{path}: ")).unwrap_or_default();
            step(Ending::Failed, format!("{place}the carrier refuses: {why}"))
        }
        Verdict::Unknown(why) => step(Ending::Failed, format!("no usable answer: {why}")),
    }
}

fn skipped(names: &'static [&'static str]) -> impl Iterator<Item = Step> {
    let skip = |name: &&str| Step::new(*name, Ending::Skipped, "the account does not work");
    names.iter().map(skip)
}

fn described(point: &Point) -> String {
    let address = &point.address;
    format!("{} {} ({} {})", point.code, point.name, address.postal_code, address.city)
}

fn amount(price: Money) -> String {
    let amount = Number::from_steps(price.minor.into(), price.currency.decimals().into());
    format!("{} {}", amount.as_str(), price.currency.code())
}
