//! Agents: what `/v2` calls service points.

mod view;

use uuid::Uuid;
use waybill_domain::ids::parse_uuid;
use waybill_domain::json::Json;
use waybill_domain::point::{Bounds, Near, Region, city_key, postal_key, street_key};
use waybill_engine::points;
use waybill_engine::timings::Part;
use waybill_store::service_points::{self, Set, Stored};

use super::page::{PER_PAGE, Page, page_of};
use super::site::Site;
use super::wanted::{Wanted, is_for_trying_out};
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::service_points::{locate, search};
use view::{first_line, postal_code, view};

/// `GET …/agents/carrier/{carrier}/country/{country}`
pub async fn in_country(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut wanted = Wanted::by(&request, &site);
    let (carrier, country, page) = (wanted.carrier(), wanted.country(), wanted.page());
    wanted.finish()?;
    let (carrier, country) = carrier.zip(country).ok_or(ApiError::NotFound)?;
    listed(&request, (&[carrier.points_in(country)], carrier.shown), None, page).await
}

/// `GET …/agents/carrier/{carrier}[/country/{country}]/area/…`
pub async fn in_area(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut wanted = Wanted::by(&request, &site);
    let (carrier, country) = (wanted.carrier(), wanted.country());
    let (bounds, page) = (wanted.bounds(), wanted.page());
    wanted.finish()?;
    let (carrier, bounds) = carrier.zip(bounds).ok_or(ApiError::NotFound)?;
    let countries = match country {
        Some(country) => vec![country],
        None => request.read(move |tx| service_points::countries(tx, carrier.code)).await?,
    };
    let sets: Vec<Set> = countries.into_iter().map(|country| carrier.points_in(country)).collect();
    listed(&request, (&sets, carrier.shown), Some(bounds), page).await
}

/// A page of the points of some sets, in the order of their codes.
async fn listed(
    request: &Request,
    (sets, carrier): (&[Set], &str),
    bounds: Option<Bounds>,
    page: Page,
) -> Result<Reply, ApiError> {
    let look = move |regions: &[&Region]| {
        let (ids, total) = part(regions, bounds, page);
        (ids.into_iter().map(|id| Near { id, metres: 0 }).collect(), total)
    };
    let found = request.timed(Part::Db, points::search_all(&request.app, sets, look)).await?;
    let (rows, total) = found;
    let rows = rows.iter().map(|(point, _)| view(point, carrier, None));
    Ok(page_of(request, page, rows.collect::<Result<_, _>>()?, total))
}

/// The ids of a page of what is in bounds, and how many there are in all.
fn part(regions: &[&Region], bounds: Option<Bounds>, page: Page) -> (Vec<Uuid>, i64) {
    let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let wanted = PER_PAGE as usize;
    let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    if let [region] = regions {
        let (found, total) = region.in_order(bounds.as_ref(), skip, wanted);
        return (found.into_iter().map(|(_, id)| id).collect(), whole(total));
    }
    // Of each country the first ones, up to the end of the page: whichever of them are on it.
    let (mut all, mut total) = (Vec::new(), 0);
    for region in regions {
        let (found, count) = region.in_order(bounds.as_ref(), 0, skip.saturating_add(wanted));
        all.extend(found);
        total += count;
    }
    all.sort_unstable();
    let ids = all.into_iter().skip(skip).take(wanted).map(|(_, id)| id);
    (ids.collect(), whole(total))
}

/// `GET …/postalcode/{postalcode}[/street/{street}]`
pub async fn by_postal_code(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut wanted = Wanted::by(&request, &site);
    let (carrier, country, page) = (wanted.carrier(), wanted.country(), wanted.page());
    let asked = wanted.text("postalcode").unwrap_or_default().to_owned();
    let key = postal_key(&asked);
    let street = wanted.text("street").map(street_key);
    wanted.finish()?;
    let (carrier, country) = carrier.zip(country).ok_or(ApiError::NotFound)?;
    let set = carrier.points_in(country);
    let read =
        move |tx: &mut waybill_store::Tx<'_>| service_points::list_in_postal_code(tx, &set, &key);
    let mut rows: Vec<Stored> = request.read(read).await?;
    // The key leaves out more than spaces.
    rows.retain(|point| postal_code(point).is_some_and(|code| is_same_code(&code, &asked)));
    if let Some(street) = street {
        rows.retain(|point| first_line(point).is_some_and(|line| street_key(&line) == street));
    }
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let rows = page.of(rows).into_iter().map(|point| view(&point, carrier.shown, None));
    Ok(page_of(&request, page, rows.collect::<Result<_, _>>()?, total))
}

/// Whether two postal codes differ in nothing but spaces and capital letters.
fn is_same_code(one: &str, other: &str) -> bool {
    let letters = |code: &str| {
        let told = code.chars().filter(|letter| !letter.is_whitespace());
        told.flat_map(char::to_uppercase).collect::<String>()
    };
    letters(one) == letters(other)
}

/// `GET …/agentno/{agentNo}`
pub async fn by_number(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut wanted = Wanted::by(&request, &site);
    let (carrier, country) = (wanted.carrier(), wanted.country());
    wanted.finish()?;
    let (carrier, country) = carrier.zip(country).ok_or(ApiError::NotFound)?;
    let (set, code) = (carrier.points_in(country), request.parameter("agentNo")?.to_owned());
    let found = request.read(move |tx| service_points::find(tx, &set, &code)).await?;
    Ok(Reply::data(view(&found.ok_or(ApiError::NotFound)?, carrier.shown, None)?))
}

/// `GET …/agents/{agent}`
pub async fn agent(request: Request, site: Site) -> Result<Reply, ApiError> {
    let id = request.id("agent", parse_uuid)?;
    let found = request.read(move |tx| service_points::find_all(tx, &[id])).await?;
    let is_shown = |point: &&Stored| !site.is_demo || is_for_trying_out(&point.carrier);
    let point = found.first().filter(is_shown).ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view(point, &point.carrier, None)?))
}

/// `GET …/agents/closest/…`
pub async fn closest(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut wanted = Wanted::by(&request, &site);
    let (carrier, country, page) = (wanted.carrier(), wanted.country(), wanted.page());
    let position = wanted.position();
    // No streets are known: the position of an address is that of its postal code.
    let postal_code = wanted.text("postalcode").map(postal_key).unwrap_or_default();
    let city = wanted.text("city").map(|city| city_key(&city.replace('+', " ")));
    wanted.finish()?;
    let (carrier, country) = carrier.zip(country).ok_or(ApiError::NotFound)?;
    let set = carrier.points_in(country);
    let found = search(&request, &set, move |region| {
        let from = position.or_else(|| locate(region, &postal_code, city.as_deref()));
        from.map(|from| region.closest(from, PER_PAGE as usize)).unwrap_or_default()
    });
    let found = found.await?;
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let rows = page.of(found).into_iter().map(|(row, away)| view(&row, carrier.shown, Some(away)));
    Ok(page_of(&request, page, rows.collect::<Result<Vec<Json>, _>>()?, total))
}
