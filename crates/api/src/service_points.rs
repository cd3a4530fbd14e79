//! Where parcels can be fetched: lists, the closest, and one by its code.

use waybill_domain::country::Country;
use waybill_domain::fields::Text;
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, CursorScope, Direction, Page};
use waybill_domain::party::Address;
use waybill_domain::point::{Bounds, Near, Position, Region, city_key, postal_key};
use waybill_domain::words::Message;
use waybill_engine::points;
use waybill_engine::timings::Part;
use waybill_store::service_points::{self, Filter, Set, Stored};

use super::caller::Member;
use super::lists::{CursorQuery, cursor_envelope, render_within_limit};
use super::query::Reader;
use super::reply::{ApiError, Reply};
use super::request::Request;
use super::shipments::carrier_entry;

/// `GET …/service-points`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let known = ["carrier", "country", "postal_code", "city", "bounds", "cursor", "per_page"];
    let mut query = request.query.knowing(&known);
    let set = set(&request, &mut query);
    let filter = Filter {
        postal_key: text(&mut query, "postal_code", 20).as_deref().map(postal_key),
        city_key: text(&mut query, "city", 255).as_deref().map(city_key),
        bounds: query.parsed("bounds", Bounds::parse, || Message::new("not-bounds")),
    };
    let shown = request.query.without("cursor");
    let filters = request.query.filters(&[]);
    let scope = CursorScope { list: "listServicePoints", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let set = set.ok_or(ApiError::NotFound)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = match filter {
        // An area is the one thing that no index of the store knows.
        Filter { postal_key: None, city_key: None, bounds: Some(bounds) } => {
            let look = move |region: &Region| inside(region, &bounds, cursor, wanted);
            let found = search(&request, &set, look).await?;
            found.into_iter().map(|(point, _)| point).collect()
        }
        filter => {
            let read = move |tx: &mut waybill_store::Tx<'_>| {
                service_points::list(tx, &set, &filter, cursor, wanted)
            };
            request.read(read).await?
        }
    };
    let (rows, count) = render_within_limit(rows, wanted, |row| Ok(view(&request, row)))?;
    let page = Page::new(rows, count, cursor, |(row, _): &(Stored, Json)| (0, row.id));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(axum::http::StatusCode::OK, body))
}

/// One more than wanted, so that the end of the list shows.
fn inside(region: &Region, bounds: &Bounds, cursor: Option<Cursor>, wanted: usize) -> Vec<Near> {
    let ids = match cursor {
        None => region.after(bounds, uuid::Uuid::nil(), wanted + 1),
        Some(Cursor { direction: Direction::Next, id, .. }) => region.after(bounds, id, wanted + 1),
        Some(Cursor { direction: Direction::Previous, id, .. }) => {
            region.before(bounds, id, wanted + 1)
        }
    };
    ids.into_iter().map(|id| Near { id, metres: 0 }).collect()
}

/// `GET …/service-points/closest`
pub async fn closest(request: Request, _: Member) -> Result<Reply, ApiError> {
    let known = [
        "carrier",
        "country",
        "latitude",
        "longitude",
        "postal_code",
        "city",
        "address_line",
        "limit",
    ];
    let mut query = request.query.knowing(&known);
    let set = set(&request, &mut query);
    let limit = query.integer("limit", 1..=100).unwrap_or(10);
    let position = position(&mut query);
    let postal_code = text(&mut query, "postal_code", 20);
    let city = text(&mut query, "city", 255).as_deref().map(city_key);
    // No streets are known: the position of an address is that of its postal code.
    text(&mut query, "address_line", 255);
    let is_placed = query.text("latitude").is_some() || query.text("longitude").is_some();
    if !is_placed && query.text("postal_code").is_none() {
        query.refuse("postal_code", Message::new("required"));
    }
    query.finish()?;
    let (set, limit) = (set.ok_or(ApiError::NotFound)?, usize::try_from(limit).unwrap_or(1));
    let key = postal_code.as_deref().map(postal_key).unwrap_or_default();
    let found = search(&request, &set, move |region| {
        let from = position.or_else(|| locate(region, &key, city.as_deref()));
        from.map(|from| region.closest(from, limit)).unwrap_or_default()
    });
    let found = found.await?;
    let points = found.iter().map(|(row, metres)| {
        let Json::Object(mut fields) = view(&request, row) else { return Json::Null };
        let distance = Json::object([("value", (*metres).into()), ("unit", "m".into())]);
        fields.push(("distance".into(), distance));
        Json::Object(fields)
    });
    Ok(Reply::data(Json::list(points)))
}

/// Where a customer with this postal code is. `DK-2300` is 2300.
pub fn locate(region: &Region, postal_key: &str, city_key: Option<&str>) -> Option<Position> {
    let of = |key: &str| region.locate(key, city_key);
    of(postal_key).or_else(|| of(without_country(postal_key)))
}

fn without_country(postal_key: &str) -> &str {
    postal_key.trim_start_matches(|letter: char| letter.is_ascii_uppercase())
}

/// `GET …/service-points/{carrier}/{country}/{code}`
pub async fn show(request: Request, _: Member) -> Result<Reply, ApiError> {
    let country = request.id("country", Country::parse)?;
    let set = Set { carrier: request.parameter("carrier")?.to_owned(), country };
    let code = request.parameter("code")?.to_owned();
    let found = request.read(move |tx| service_points::find(tx, &set, &code)).await?;
    let point = found.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&request, &point)))
}

/// What `look` finds among the points of a set, on this request's time.
pub async fn search(
    request: &Request,
    set: &Set,
    look: impl Fn(&Region) -> Vec<Near> + Send + Sync + 'static,
) -> Result<Vec<points::Found>, ApiError> {
    Ok(request.timed(Part::Db, points::search(&request.app, set, look)).await?)
}

/// The points of a carrier that are the closest to an address, the closest first.
pub async fn near(
    request: &Request,
    carrier: &str,
    address: &Address,
    count: usize,
) -> Result<Vec<Stored>, ApiError> {
    let set = Set { carrier: carrier.to_owned(), country: address.country };
    let (postal, city) = (postal_key(&address.postal_code), city_key(&address.city));
    let found = search(request, &set, move |region| {
        let from = region.locate(&postal, Some(&city));
        from.map(|from| region.closest(from, count)).unwrap_or_default()
    });
    Ok(found.await?.into_iter().map(|(point, _)| point).collect())
}

/// Whose points are asked for, and where.
fn set(request: &Request, query: &mut Reader<'_>) -> Option<Set> {
    for name in ["carrier", "country"] {
        if query.text(name).is_none() {
            query.refuse(name, Message::new("required"));
        }
    }
    let is_carrier =
        |text: &str| request.app.catalog().carrier(text).map(|known| known.code.clone());
    let carrier = query.parsed("carrier", is_carrier, || Message::new("unknown-carrier"));
    let country = query.parsed("country", Country::parse, || Message::new("not-a-country"));
    Some(Set { carrier: carrier?, country: country? })
}

/// A text that says something.
fn text(query: &mut Reader<'_>, name: &str, max: usize) -> Option<String> {
    let text = query.text(name)?.to_owned();
    match Text::filled(max).problem(&text) {
        None => Some(text),
        Some(problem) => {
            query.refuse(name, problem);
            None
        }
    }
}

/// A position, of which both halves are given.
fn position(query: &mut Reader<'_>) -> Option<Position> {
    let halves = [("latitude", 90), ("longitude", 180)];
    if halves.iter().all(|(name, _)| query.text(name).is_none()) {
        return None;
    }
    let [latitude, longitude] = halves.map(|(name, max)| {
        if query.text(name).is_none() {
            query.refuse(name, Message::new("required"));
        }
        let message = || Message::new("not-degrees").text("max", max);
        query.parsed(name, |text| Position::parse_degrees(text, max), message)
    });
    Some(Position { latitude: latitude?, longitude: longitude? })
}

/// A service point as callers see it.
pub fn view(request: &Request, point: &Stored) -> Json {
    let hours = point.opening_hours.as_ref().map(|hours| Json::Written(hours.clone()));
    Json::object([
        ("uuid", Json::text(point.id)),
        ("carrier", carrier_entry(request, &point.carrier)),
        ("code", point.code.as_str().into()),
        ("name", point.name.as_str().into()),
        ("type", point.kind.as_str().into()),
        ("address", Json::Written(point.address.clone())),
        ("coordinates", point.position.to_json()),
        ("opening_hours", hours.unwrap_or(Json::Null)),
    ])
}
