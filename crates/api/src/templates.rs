//! Shipment templates: reusable booking input, under both prefixes.

use waybill_domain::ids::TemplateId;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::template::Template;
use waybill_domain::time::Time;
use waybill_store::templates;

use super::caller::Member;
use super::lists::PageQuery;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};

const PER_PAGE: i64 = 25;
const PER_PAGE_MAX: i64 = 100;

/// `GET …/shipment-templates`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let wish = PageQuery::read(&request, PER_PAGE, PER_PAGE_MAX)?;
    let (offset, limit) = (wish.offset(), wish.limit());
    let (rows, total) = request
        .read(move |tx| {
            let rows = templates::list(tx, member.team, offset, limit)?;
            Ok::<_, ApiError>((rows, templates::count(tx, member.team)?))
        })
        .await?;
    // A template is small: a hundred of the largest are less than half of what an answer may hold.
    let rows = rows.iter().map(view).collect();
    let envelope = wish.envelope(&request.url(), rows, total);
    Ok(Reply::json(axum::http::StatusCode::OK, envelope).private())
}

/// `POST …/shipment-templates`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let given = errors.or(Template::parse(&body))?;
    let template = stored(TemplateId(request.app.new_uuid()), given, request.now);
    let (fresh, now, app) = (template.clone(), request.now, request.app.clone());
    let done = request
        .write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (fresh.id.into(), 201), |tx| {
                quotas::check(tx, app.quotas(), Quota::Templates, member.team)?;
                Ok(templates::insert(tx, member.team, &fresh)?)
            })
        })
        .await?;
    match done {
        Idempotent::Executed => Ok(created(&request, &template)),
        Idempotent::Replayed(id, _) => {
            let template = find(&request, member, TemplateId(id)).await?;
            Ok(created(&request, &template).replayed())
        }
    }
}

/// `GET …/shipment-templates/{template}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let template = find(&request, member, request.id("template", TemplateId::parse)?).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&template)).private())
}

/// `PUT …/shipment-templates/{template}`
pub async fn replace(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("template", TemplateId::parse)?;
    // A template that is not there is a 404, whatever the body says.
    let old = find(&request, member, id).await?;
    let (body, errors) = request.json_body().await?;
    let given = errors.or(Template::parse(&body))?;
    let template =
        templates::Template { created_at: old.created_at, ..stored(id, given, request.now) };
    let new = template.clone();
    let is_there = request.write(move |tx| templates::replace(tx, member.team, &new)).await?;
    if is_there { Ok(Reply::data(view(&template)).private()) } else { Err(ApiError::NotFound) }
}

/// `DELETE …/shipment-templates/{template}`
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member, request.id("template", TemplateId::parse)?).await?.id;
    request.query.knowing(&[]).finish()?;
    let was_there = request.write(move |tx| templates::delete(tx, member.team, id)).await?;
    if was_there { Ok(Reply::nothing()) } else { Err(ApiError::NotFound) }
}

async fn find(
    request: &Request,
    member: Member,
    id: TemplateId,
) -> Result<templates::Template, ApiError> {
    let found = request.read(move |tx| templates::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn stored(id: TemplateId, given: Template, now: Time) -> templates::Template {
    templates::Template {
        id,
        title: given.title,
        description: given.description,
        shipment: given.shipment.to_json().to_string(),
        created_at: now,
        updated_at: now,
    }
}

fn created(request: &Request, template: &templates::Template) -> Reply {
    let location = format!("{}/{}", request.url(), template.id);
    Reply::created(location, view(template)).private()
}

fn view(template: &templates::Template) -> Json {
    let templates::Template { id, title, description, shipment, created_at, updated_at } = template;
    Json::object([
        ("uuid", Json::text(id)),
        ("title", title.as_str().into()),
        ("description", description.as_deref().into()),
        ("shipment", Json::Written(shipment.clone())),
        ("created_at", Json::text(created_at)),
        ("updated_at", Json::text(updated_at)),
    ])
}
