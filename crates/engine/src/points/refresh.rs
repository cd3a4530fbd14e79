//! Asks carriers for their service points. A list that brings nothing new changes nothing.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use waybill_carriers::error::CarrierError;
use waybill_carriers::{Carrier, ServicePoints};
use waybill_domain::country::Country;
use waybill_domain::point::Point;
use waybill_domain::time::Time;
use waybill_store::Error;
use waybill_store::service_points::{self, Set};

use super::accounts::{AccountRotation, KnownAccounts};
use super::intake::Intake;
use crate::app::App;
use crate::telemetry::counted;
use crate::vault::AccountError;

/// Why points were not refreshed.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// They cannot be stored.
    #[error(transparent)]
    Store(#[from] Error),
    /// The account cannot be read.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The carrier did not tell them.
    #[error(transparent)]
    Carrier(#[from] CarrierError),
    /// The carrier told something that cannot be all its points.
    #[error("a list of points that is empty, or all of elsewhere")]
    Odd,
    /// Those of some carriers or countries; the others were.
    #[error("{}", listed(.0))]
    Some(Vec<(String, RefreshError)>),
}

fn listed(failed: &[(String, RefreshError)]) -> String {
    let each: Vec<String> = failed.iter().map(|(of, why)| format!("{of}: {why}")).collect();
    each.join("; ")
}

/// How old the points of a country may become before they are asked for again.
const PERIOD: Duration = Duration::from_hours(24);
/// What comes due within this time is asked for together.
const TOGETHER: Duration = Duration::from_hours(1);

/// When this process had the points of each carrier and country, and with whose accounts. Lists of
/// points are long: a country that fails is asked for again by itself.
#[derive(Default)]
pub struct RefreshTimes {
    times: Mutex<HashMap<(&'static str, Country), Time>>,
    accounts: Mutex<HashMap<&'static str, KnownAccounts>>,
}

impl RefreshTimes {
    fn times(&self) -> MutexGuard<'_, HashMap<(&'static str, Country), Time>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<&'static str, KnownAccounts>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, carrier: &'static str, learn: impl FnOnce(KnownAccounts) -> KnownAccounts) {
        let mut accounts = self.accounts();
        let known = accounts.entry(carrier).or_default();
        *known = learn(*known);
    }

    fn is_due(&self, of: (&'static str, Country), now: Time) -> bool {
        self.times().get(&of).is_none_or(|at| at.plus(PERIOD) <= now.plus(TOGETHER))
    }

    /// How long it is until some of them are due. What is due already is of a carrier that nobody
    /// has an account with any more.
    pub fn next_in(&self, now: Time) -> Duration {
        let times = self.times();
        let fresh = times.values().map(|at| at.plus(PERIOD)).filter(|at| *at > now.plus(TOGETHER));
        fresh.min().map_or(PERIOD, |at| at.since(now))
    }
}

/// Asks every carrier that tells its points and that somebody has an account with, for the
/// countries whose points are a day old. Tells what went wrong. One carrier's failure does not stop
/// the others.
pub async fn refresh_all(app: &App, times: &RefreshTimes) -> Result<(), RefreshError> {
    let mut failed = Vec::new();
    for carrier in app.carriers().with_points() {
        if let Err(why) = refresh(app, carrier.as_ref(), times).await {
            tracing::warn!(carrier = carrier.code(), %why, "service points were not refreshed");
            failed.push((carrier.code().to_owned(), why));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(RefreshError::Some(failed)) }
}

/// Asks one carrier, with the accounts of whoever has one.
async fn refresh(
    app: &App,
    carrier: &dyn Carrier,
    times: &RefreshTimes,
) -> Result<(), RefreshError> {
    let code = carrier.code();
    let Some(ability) = carrier.service_points() else { return Ok(()) };
    let Some(mut accounts) = open_accounts(app, code, times).await? else { return Ok(()) };
    let mut failed = Vec::new();
    let countries = ability.countries().iter().filter_map(|code| Country::parse(code));
    for country in countries.filter(|country| times.is_due((code, *country), app.now())) {
        if !accounts.goes_on() {
            break;
        }
        match refresh_country(app, (code, ability), &mut accounts, country).await {
            Ok(()) => {
                times.times().insert((code, country), app.now());
            }
            Err(why) => failed.push((country.to_string(), why)),
        }
    }
    times.remember(code, |known| known.after(&accounts));
    if failed.is_empty() { Ok(()) } else { Err(RefreshError::Some(failed)) }
}

/// The accounts that a carrier is asked with; none where nobody has one. Those that cannot be
/// opened are passed over.
async fn open_accounts(
    app: &App,
    carrier: &'static str,
    times: &RefreshTimes,
) -> Result<Option<AccountRotation>, RefreshError> {
    let known = times.accounts().get(carrier).copied().unwrap_or_default();
    let rows = app.read(move |tx| known.list(tx, carrier)).await?;
    let (mut opened, mut failure) = (Vec::new(), None);
    for row in &rows {
        match app.vault().account(row) {
            Ok(account) => opened.push(account),
            Err(error) => failure = Some(error),
        }
    }
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    match failure.filter(|_| opened.is_empty()) {
        Some(failure) => {
            times.remember(carrier, |known| known.after_locked(last));
            Err(failure.into())
        }
        None => Ok(Some(AccountRotation::new(opened, last))),
    }
}

/// All points of a country, told to the first account that the carrier lets in.
async fn ask(
    app: &App,
    (code, ability): (&'static str, &dyn ServicePoints),
    accounts: &mut AccountRotation,
    country: Country,
) -> Result<Vec<Point>, RefreshError> {
    while let Some(account) = accounts.first() {
        let (id, call) = (account.id, ability.list(account, country));
        match counted(app.clock().as_ref(), code, "service_points", call).await {
            Ok(points) => {
                accounts.worked();
                return Ok(points);
            }
            Err(why @ CarrierError::AccessDenied(_)) => {
                if !accounts.refused() {
                    return Err(why.into());
                }
                tracing::warn!(carrier = code, %country, account = %id, %why,
                    "an account is refused: another is tried for service points");
            }
            Err(why) => return Err(why.into()),
        }
    }
    Ok(Vec::new())
}

/// One country that fails keeps no other country from being refreshed, and keeps the points that it
/// has.
async fn refresh_country(
    app: &App,
    (code, ability): (&'static str, &dyn ServicePoints),
    accounts: &mut AccountRotation,
    country: Country,
) -> Result<(), RefreshError> {
    let mut points = ask(app, (code, ability), accounts, country).await?;
    let set = Set { carrier: code.to_owned(), country };
    // Where a carrier has none, it tells none. Where it had some, an empty list is more likely a
    // fault than the end of all points.
    if points.is_empty() {
        let of = set.clone();
        let known = app.read(move |tx| service_points::digest(tx, &of)).await?;
        return match known {
            Some((1.., _)) => Err(RefreshError::Odd),
            _ => Ok(()),
        };
    }
    // One that says that it is elsewhere costs no other.
    points.retain(|point| point.carrier == code && point.country() == country);
    if points.is_empty() {
        return Err(RefreshError::Odd);
    }
    Ok(keep(app, set, points).await?)
}

async fn keep(app: &App, set: Set, points: Vec<Point>) -> Result<(), Error> {
    let count = i64::try_from(points.len()).unwrap_or(i64::MAX);
    let sum = points.iter().fold(0i64, |sum, point| sum.wrapping_add(point.digest()));
    let known = app.read(move |tx| service_points::digest(tx, &set)).await?;
    if known == Some((count, sum)) {
        return Ok(());
    }
    let (store, ids, now) = (app.store().clone(), app.ids().clone(), app.now());
    let taken = tokio::task::spawn_blocking(move || {
        let mut intake = Intake::new(store, ids, now);
        points.into_iter().try_for_each(|point| intake.add(point))?;
        intake.finish(true)
    });
    for taken in taken.await.map_err(|error| Error::Broken(error.to_string()))?? {
        let (carrier, country) = (&taken.set.carrier, taken.set.country);
        let (points, retired) = (taken.points, taken.retired);
        tracing::info!(carrier, %country, points, retired, "service points refreshed");
    }
    Ok(())
}
