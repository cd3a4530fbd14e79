//! The catalog for everyone, and the routes that a team can book.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::{StatusCode, header};
use waybill_carriers::catalog;
use waybill_domain::catalog::Carrier;
use waybill_domain::ids::TeamId;
use waybill_domain::json::Json;
use waybill_store::{Error, carrier_accounts};

use super::caller::{Caller, Member};
use super::reply::{ApiError, Reply, version};
use super::request::Request;

/// `GET /v2/carriers`
pub async fn list(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let open = with_account(&request, &caller).await?;
    let carriers = request.app.catalog().carriers.iter();
    let carriers = carriers.map(|carrier| listed(&request, carrier, &open));
    Ok(reference(&request, Json::list(carriers)))
}

/// `GET /v2/carriers/{code}`
pub async fn show(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let carrier =
        request.app.catalog().carrier(request.parameter("code")?).ok_or(ApiError::NotFound)?;
    let open = with_account(&request, &caller).await?;
    Ok(reference(&request, listed(&request, carrier, &open)))
}

/// The carriers with which one of the caller's teams has an active account.
async fn with_account(request: &Request, caller: &Caller) -> Result<BTreeSet<String>, ApiError> {
    let own = caller.memberships().iter().map(|membership| membership.team);
    let teams: Vec<TeamId> = own.filter(|team| caller.reaches(*team)).collect();
    let open = request.read(move |tx| {
        let mut open = BTreeSet::new();
        for team in &teams {
            open.extend(carrier_accounts::list_active_carriers(tx, *team)?);
        }
        Ok::<_, Error>(open)
    });
    Ok(open.await?)
}

/// A carrier of the catalog, with whether this version and the caller can book with it.
fn listed(request: &Request, carrier: &Carrier, open: &BTreeSet<String>) -> Json {
    let whole = carrier.to_json(request.app.base_url(), request.language);
    let Json::Object(mut members) = whole else { return Json::Null };
    let is_bookable = request.app.carriers().get(&carrier.code).is_some();
    let has_account = open.contains(&carrier.code);
    let told =
        [("is_bookable".into(), is_bookable.into()), ("has_account".into(), has_account.into())];
    // Before its services, which are long.
    let place = members.len().saturating_sub(1);
    members.splice(place..place, told);
    Json::Object(members)
}

/// `GET /v2/carriers/{code}/logo.svg`
pub async fn logo(request: Request) -> Result<Reply, ApiError> {
    let carrier = request.app.catalog().carrier(request.parameter("code")?);
    picture(&request, carrier.map(catalog::logo))
}

/// `GET /v2/carriers/{code}/icon.svg`
pub async fn icon(request: Request) -> Result<Reply, ApiError> {
    let carrier = request.app.catalog().carrier(request.parameter("code")?);
    picture(&request, carrier.map(catalog::icon))
}

/// `GET …/routes`: the carriers with an active account, without their constraints.
pub async fn routes(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let open =
        request.read(move |tx| carrier_accounts::list_active_carriers(tx, member.team)).await?;
    let is_open = |code: &str| open.iter().any(|carrier| carrier == code);
    let carriers = request.app.catalog().carriers.iter().filter(|carrier| is_open(&carrier.code));
    let routes = carriers.map(|carrier| {
        let services = carrier.services.iter().map(|service| {
            let Json::Object(mut fields) = service.to_json(request.language) else {
                return Json::Null;
            };
            fields.retain(|(name, _)| name != "constraints");
            Json::Object(fields)
        });
        Json::object([
            ("carrier", carrier.entry(request.app.base_url())),
            ("services", Json::list(services)),
        ])
    });
    Ok(reference(&request, Json::list(routes)))
}

/// Reference data has a version by which a caller can save the transfer.
fn reference(request: &Request, data: Json) -> Reply {
    let body = Json::object([("data", data)]);
    let etag = version(body.to_string().as_bytes());
    let reply = Reply::json(StatusCode::OK, body)
        .header(header::CACHE_CONTROL, "private, max-age=300")
        .header(header::VARY, "Accept-Language")
        .header(header::CONTENT_LANGUAGE, request.language.tag());
    reply.etag(etag, request.header(header::IF_NONE_MATCH))
}

fn picture(request: &Request, svg: Option<String>) -> Result<Reply, ApiError> {
    let svg = svg.ok_or(ApiError::UnknownPath)?;
    let etag = version(svg.as_bytes());
    let reply = Reply::bytes("image/svg+xml", svg)
        .header(header::CACHE_CONTROL, "public, max-age=86400")
        .header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'");
    Ok(reply.etag(etag, request.header(header::IF_NONE_MATCH)))
}
