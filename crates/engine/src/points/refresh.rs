//! Asks carriers for their service points. A list that brings nothing new changes nothing.

use waybill_carriers::error::CarrierError;
use waybill_carriers::{Account, Carrier, ServicePoints};
use waybill_domain::country::Country;
use waybill_domain::point::Point;
use waybill_store::service_points::{self, Set};
use waybill_store::{Error, carrier_accounts};

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

/// Asks every carrier that tells its points and that somebody has an account with. Tells what went
/// wrong. One carrier's failure does not stop the others.
pub async fn refresh_all(app: &App) -> Result<(), RefreshError> {
    let mut failed = Vec::new();
    for carrier in app.carriers().with_points() {
        if let Err(why) = refresh(app, carrier.as_ref()).await {
            tracing::warn!(carrier = carrier.code(), %why, "service points were not refreshed");
            failed.push((carrier.code().to_owned(), why));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(RefreshError::Some(failed)) }
}

/// Asks one carrier, with the account of whoever has had one for the longest.
pub async fn refresh(app: &App, carrier: &dyn Carrier) -> Result<(), RefreshError> {
    let code = carrier.code();
    let account = app.read(move |tx| carrier_accounts::any_find_active(tx, code)).await?;
    let (Some(account), Some(ability)) = (account, carrier.service_points()) else {
        return Ok(());
    };
    let account: Account = app.vault().account(&account)?;
    let mut failed = Vec::new();
    for country in ability.countries().iter().filter_map(|code| Country::parse(code)) {
        if let Err(why) = refresh_country(app, (code, ability), &account, country).await {
            failed.push((country.to_string(), why));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(RefreshError::Some(failed)) }
}

/// One country that fails keeps no other country from being refreshed.
async fn refresh_country(
    app: &App,
    (code, ability): (&'static str, &dyn ServicePoints),
    account: &Account,
    country: Country,
) -> Result<(), RefreshError> {
    let call = ability.list(account, country);
    let mut points = counted(app.clock().as_ref(), code, "service_points", call).await?;
    // One that says that it is elsewhere costs no other.
    points.retain(|point| point.carrier == code && point.country() == country);
    // An empty list is more likely a fault than the end of all points.
    if points.is_empty() {
        return Err(RefreshError::Odd);
    }
    let set = Set { carrier: code.to_owned(), country };
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
