//! A team's webhooks. The secret is shown when it is made, and never again.

mod deliveries;
mod view;

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::audit::{Act, Action, Changes, Subject, without_query};
use waybill_domain::event::EventKind;
use waybill_domain::fields::{FieldErrors, Fields, Text, Value, one_of, read_knowing};
use waybill_domain::ids::WebhookId;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::words::Message;
use waybill_engine::signing::{OLD_MAX, Secrets};
use waybill_store::webhooks::{self, Webhook};
use waybill_store::{Error, Tx, audit, deliveries as stored};

use super::caller::Member;
use super::lists::NewestFirst;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Request;

pub use deliveries::{list as list_deliveries, replay, retry, test};

/// `GET …/webhooks`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let page = NewestFirst::read(&request, member, "listWebhooks")?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| webhooks::list(tx, member.team, cursor, wanted)).await?;
    let view = |row: &Webhook| view::webhook(&request, row);
    let body = page.envelope(&request, member, rows, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/webhooks`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let refused = url_problems(&request, "url", body.member("url")).await;
    let input = errors.or(read_knowing(&body, refused, WebhookInput::read))?;
    let (mut webhook, secrets) = make(&request, input.url, input.kinds, None);
    webhook.is_active = input.is_active.unwrap_or(true);
    let row = webhook.clone();
    let (app, act) = (request.app.clone(), request.act());
    let insert = move |tx: &mut Tx<'_>| {
        quotas::check(tx, app.quotas(), Quota::Webhooks, member.team)?;
        webhooks::insert(tx, member.team, &row)?;
        let changes = changes(None, &row);
        Ok::<_, ApiError>(note(tx, member, (Action::WebhookCreated, &act), &row, &changes)?)
    };
    request.write(insert).await?;
    let shown = view::with_secret(&request, &webhook, &secrets);
    Ok(Reply::created(format!("{}/{}", request.url(), webhook.id), shown).private())
}

/// A new webhook, or with a batch its callback, and the secrets that sign for it.
pub fn make(
    request: &Request,
    url: String,
    kinds: String,
    batch: Option<Uuid>,
) -> (Webhook, Secrets) {
    let (id, ids) = (WebhookId(request.app.new_uuid()), request.app.ids().as_ref());
    let secrets = Secrets::generate(ids);
    let webhook = Webhook {
        id,
        url,
        kinds,
        is_active: true,
        disabled_reason: None,
        secrets: secrets.seal(request.app.vault(), id.into(), ids),
        batch,
        failing_since: None,
        created_at: request.now,
        updated_at: request.now,
    };
    (webhook, secrets)
}

/// `GET …/webhooks/{webhook}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view::webhook(&request, &webhook)).private())
}

/// `PATCH …/webhooks/{webhook}`: a merge patch.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let old = find(&request, member).await?;
    let (patch, errors) = request.json_body().await?;
    let kinds = Json::list(old.kinds.split(' ').map(Json::text));
    let mut whole = Json::object([("url", old.url.as_str().into()), ("events", kinds)]);
    whole.merge(&patch);
    let url = whole.member("url").filter(|url| **url != Json::text(&old.url));
    let mut refused = url_problems(&request, "url", url).await;
    if matches!(patch.member("is_active"), Some(Json::Null)) {
        refused.add("is_active", Message::new("required"));
    }
    let input = errors.or(read_knowing(&whole, refused, WebhookInput::read))?;
    let (team, id, now, act) = (member.team, old.id, request.now, request.act());
    let changed = request.write(move |tx| {
        if !webhooks::set_subscription(tx, team, id, (&input.url, &input.kinds), now)? {
            return Ok(None);
        }
        if let Some(is_active) = input.is_active.filter(|is_active| *is_active != old.is_active) {
            webhooks::set_active(tx, team, id, (is_active, None), now)?;
            if !is_active {
                stored::fail_pending(tx, team, id)?;
            }
        }
        let Some(new) = webhooks::find(tx, team, id)? else { return Ok(None) };
        let changes = changes(Some(&old), &new);
        if !changes.is_empty() {
            note(tx, member, (Action::WebhookUpdated, &act), &new, &changes)?;
        }
        Ok(Some(new))
    });
    let changed: Option<Webhook> = changed.await.map_err(|error: Error| ApiError::from(error))?;
    let changed = changed.ok_or(ApiError::NotFound)?;
    // Another address may fare better.
    request.app.pauses().end(id);
    Ok(Reply::data(view::webhook(&request, &changed)).private())
}

/// `DELETE …/webhooks/{webhook}`: what waits for it is given up.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let (webhook, now) = (find(&request, member).await?, request.now);
    request.query.knowing(&[]).finish()?;
    let act = request.act();
    let was_there = request.write(move |tx| {
        let was_there = webhooks::delete(tx, member.team, webhook.id, now)?;
        if was_there {
            stored::fail_pending(tx, member.team, webhook.id)?;
            let done = (Action::WebhookDeleted, &act);
            note(tx, member, done, &webhook, &Changes::none())?;
        }
        Ok::<_, Error>(was_there)
    });
    if was_there.await? { Ok(Reply::nothing()) } else { Err(ApiError::NotFound) }
}

/// `POST …/webhooks/{webhook}/rotate-secret`: the old secret signs along for a day.
pub async fn rotate(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member).await?.id;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    let (app, team, now, act) = (request.app.clone(), member.team, request.now, request.act());
    let rotated = request.write(move |tx| {
        let Some(old) = find_own(tx, member, id)? else { return Ok(None) };
        let secrets = Secrets::open(app.vault(), id.into(), &old.secrets);
        let broken = || ApiError::Internal("the secrets cannot be opened".to_owned());
        let secrets = secrets.ok_or_else(broken)?;
        if !secrets.may_rotate(now) {
            let message = Message::new("too-many-secrets").text("max", OLD_MAX);
            return Err(ApiError::Conflict(message));
        }
        let secrets = secrets.rotated(app.ids().as_ref(), now);
        let sealed = secrets.seal(app.vault(), id.into(), app.ids().as_ref());
        if !webhooks::set_secrets(tx, team, id, (&old.secrets, &sealed), now)? {
            // Another rotation came first: both secrets cannot be the current one.
            return Err(ApiError::Unavailable("the secret was just rotated".to_owned()));
        }
        let changes = Changes::none().and("secret", 0.into(), 1.into()).hiding(&["secret"]);
        note(tx, member, (Action::WebhookSecretRotated, &act), &old, &changes)?;
        Ok::<_, ApiError>(Some((Webhook { updated_at: now, ..old }, secrets)))
    });
    let (webhook, secrets) = rotated.await?.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view::with_secret(&request, &webhook, &secrets)).private())
}

/// Writes down what was done to a webhook.
fn note(
    tx: &mut Tx<'_>,
    member: Member,
    (action, act): (Action, &Act),
    webhook: &Webhook,
    changes: &Changes,
) -> Result<(), Error> {
    let subject = Subject::named("webhook", webhook.id, without_query(&webhook.url));
    audit::insert(tx, member.team, act, (action, &subject), changes)
}

/// What is different about a webhook. What stands in the query of its address may be a secret.
fn changes(old: Option<&Webhook>, new: &Webhook) -> Changes {
    let told = |webhook: &Webhook| {
        let address = without_query(&webhook.url);
        let query = Some(&webhook.url[address.len()..]).filter(|query| !query.is_empty());
        Json::object([
            ("url", address.into()),
            ("url_query", query.into()),
            ("events", Json::list(webhook.kinds.split(' ').map(Json::text))),
            ("is_active", webhook.is_active.into()),
        ])
    };
    let changes = match old {
        Some(old) => Changes::between(&told(old), &told(new)),
        None => Changes::made(&told(new)),
    };
    changes.hiding(&["url_query"])
}

async fn find(request: &Request, member: Member) -> Result<Webhook, ApiError> {
    let id = request.id("webhook", WebhookId::parse)?;
    let found = request.read(move |tx| find_own(tx, member, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// A webhook of the team. The callback of a batch is not one.
fn find_own(tx: &mut Tx<'_>, member: Member, id: WebhookId) -> Result<Option<Webhook>, Error> {
    Ok(webhooks::find(tx, member.team, id)?.filter(|webhook| webhook.batch.is_none()))
}

/// What is wrong, at this field, with an address: we would not call it.
pub async fn url_problems(request: &Request, field: &str, url: Option<&Json>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if let Some(Json::Text(url)) = url
        && let Err(refusal) = request.app.outbound().check(url).await
    {
        errors.add(field, refusal.message());
    }
    errors
}

/// A webhook as a caller describes it.
struct WebhookInput {
    url: String,
    kinds: String,
    is_active: Option<bool>,
}

impl WebhookInput {
    fn read(fields: &Fields) -> Option<WebhookInput> {
        let url = fields.text("url", Text::filled(2048)).required();
        let kinds =
            fields.list("events", 1..=EventKind::ALL.len()).then(|values| read_kinds(&values));
        let kinds = kinds.required();
        let is_active = fields.boolean("is_active").optional();
        Some(WebhookInput { url: url?, kinds: kinds?, is_active })
    }
}

/// The names of kinds, each once, as they are stored.
pub fn read_kinds(values: &[Value<'_>]) -> Option<String> {
    let mut names: Vec<&'static str> = Vec::new();
    let mut is_good = true;
    for value in values {
        let kind = value.parsed(EventKind::parse, || one_of(EventKind::NAMES));
        match kind.map(EventKind::name) {
            Some(name) if names.contains(&name) => {
                is_good = value.refuse::<()>(Message::new("duplicate-value")).is_some();
            }
            Some(name) => names.push(name),
            None => is_good = false,
        }
    }
    is_good.then(|| names.join(" "))
}
