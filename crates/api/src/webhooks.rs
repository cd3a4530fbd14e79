//! A team's webhooks. The secret is shown when it is made, and never again.

mod deliveries;
mod view;

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::event::Kind;
use waybill_domain::fields::{FieldErrors, Fields, Text, Value, one_of, read_knowing};
use waybill_domain::ids::WebhookId;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::words::Message;
use waybill_engine::signing::{OLD_MAX, Secrets};
use waybill_store::webhooks::{self, Webhook};
use waybill_store::{Error, Tx, deliveries as stored};

use super::caller::Member;
use super::lists::Newest;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Call;

pub use deliveries::{list as list_deliveries, replay, retry, test};

/// `GET …/webhooks`, newest first.
pub async fn list(call: Call, member: Member) -> Result<Reply, ApiError> {
    let page = Newest::read(&call, member, "listWebhooks")?;
    let (cursor, wanted) = page.wish();
    let rows = call.read(move |tx| webhooks::list(tx, member.team, cursor, wanted)).await?;
    let view = |row: &Webhook| view::webhook(&call, row);
    let body = page.envelope(&call, member, rows, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/webhooks`
pub async fn create(mut call: Call, member: Member) -> Result<Reply, ApiError> {
    let (body, beside) = call.sent().await?;
    let refused = url_problems(&call, "url", body.member("url")).await;
    let wish = beside.and(read_knowing(&body, refused, Wish::read))?;
    let (mut webhook, secrets) = make(&call, wish.url, wish.kinds, None);
    webhook.is_active = wish.is_active.unwrap_or(true);
    let row = webhook.clone();
    let app = call.app.clone();
    let insert = move |tx: &mut Tx<'_>| {
        quotas::check(tx, &app.quotas, Quota::Webhooks, member.team)?;
        Ok::<_, ApiError>(webhooks::insert(tx, member.team, &row)?)
    };
    call.write(insert).await?;
    let shown = view::with_secret(&call, &webhook, &secrets);
    Ok(Reply::created(format!("{}/{}", call.url(), webhook.id), shown).private())
}

/// A new webhook, or with a batch its callback, and the secrets that sign for it.
pub fn make(call: &Call, url: String, kinds: String, batch: Option<Uuid>) -> (Webhook, Secrets) {
    let (id, ids) = (WebhookId(call.app.ids.uuid()), call.app.ids.as_ref());
    let secrets = Secrets::generate(ids);
    let webhook = Webhook {
        id,
        url,
        kinds,
        is_active: true,
        disabled_reason: None,
        secrets: secrets.seal(&call.app.vault, id.into(), ids),
        batch,
        failing_since: None,
        created_at: call.now,
        updated_at: call.now,
    };
    (webhook, secrets)
}

/// `GET …/webhooks/{webhook}`
pub async fn show(call: Call, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&call, member).await?;
    call.query.knowing(&[]).finish()?;
    Ok(Reply::data(view::webhook(&call, &webhook)).private())
}

/// `PATCH …/webhooks/{webhook}`: a merge patch.
pub async fn update(mut call: Call, member: Member) -> Result<Reply, ApiError> {
    let old = find(&call, member).await?;
    let (patch, beside) = call.sent().await?;
    let kinds = Json::list(old.kinds.split(' ').map(Json::text));
    let mut whole = Json::object([("url", old.url.as_str().into()), ("events", kinds)]);
    whole.merge(&patch);
    let url = whole.member("url").filter(|url| **url != Json::text(&old.url));
    let mut refused = url_problems(&call, "url", url).await;
    if matches!(patch.member("is_active"), Some(Json::Null)) {
        refused.add("is_active", Message::new("required"));
    }
    let wish = beside.and(read_knowing(&whole, refused, Wish::read))?;
    let (team, id, now) = (member.team, old.id, call.now);
    let changed = call.write(move |tx| {
        if !webhooks::set_wish(tx, team, id, (&wish.url, &wish.kinds), now)? {
            return Ok(None);
        }
        if let Some(is_active) = wish.is_active.filter(|is_active| *is_active != old.is_active) {
            webhooks::set_active(tx, team, id, (is_active, None), now)?;
            if !is_active {
                stored::fail_pending(tx, team, id)?;
            }
        }
        webhooks::find(tx, team, id)
    });
    let changed: Option<Webhook> = changed.await.map_err(|error: Error| ApiError::from(error))?;
    let changed = changed.ok_or(ApiError::NotFound)?;
    // Another address may fare better.
    call.app.pauses.end(id);
    Ok(Reply::data(view::webhook(&call, &changed)).private())
}

/// `DELETE …/webhooks/{webhook}`: what waits for it is given up.
pub async fn delete(call: Call, member: Member) -> Result<Reply, ApiError> {
    let (id, now) = (find(&call, member).await?.id, call.now);
    call.query.knowing(&[]).finish()?;
    let was_there = call.write(move |tx| {
        let was_there = webhooks::delete(tx, member.team, id, now)?;
        if was_there {
            stored::fail_pending(tx, member.team, id)?;
        }
        Ok::<_, Error>(was_there)
    });
    if was_there.await? { Ok(Reply::nothing()) } else { Err(ApiError::NotFound) }
}

/// `POST …/webhooks/{webhook}/rotate-secret`: the old secret signs along for a day.
pub async fn rotate(mut call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = find(&call, member).await?.id;
    call.query.knowing(&[]).finish()?;
    call.no_body().await?;
    let (app, team, now) = (call.app.clone(), member.team, call.now);
    let rotated = call.write(move |tx| {
        let Some(old) = find_own(tx, member, id)? else { return Ok(None) };
        let secrets = Secrets::open(&app.vault, id.into(), &old.secrets);
        let broken = || ApiError::Internal("the secrets cannot be opened".to_owned());
        let secrets = secrets.ok_or_else(broken)?;
        if !secrets.may_rotate(now) {
            let message = Message::new("too-many-secrets").text("max", OLD_MAX);
            return Err(ApiError::Conflict(message));
        }
        let secrets = secrets.rotated(app.ids.as_ref(), now);
        let sealed = secrets.seal(&app.vault, id.into(), app.ids.as_ref());
        if !webhooks::set_secrets(tx, team, id, (&old.secrets, &sealed), now)? {
            // Another rotation came first: both secrets cannot be the current one.
            return Err(ApiError::Unavailable("the secret was just rotated".to_owned()));
        }
        Ok::<_, ApiError>(Some((Webhook { updated_at: now, ..old }, secrets)))
    });
    let (webhook, secrets) = rotated.await?.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view::with_secret(&call, &webhook, &secrets)).private())
}

async fn find(call: &Call, member: Member) -> Result<Webhook, ApiError> {
    let id = call.id("webhook", WebhookId::parse)?;
    let found = call.read(move |tx| find_own(tx, member, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// A webhook of the team. The callback of a batch is not one.
fn find_own(tx: &mut Tx<'_>, member: Member, id: WebhookId) -> Result<Option<Webhook>, Error> {
    Ok(webhooks::find(tx, member.team, id)?.filter(|webhook| webhook.batch.is_none()))
}

/// What is wrong, at this field, with an address: we would not call it.
pub async fn url_problems(call: &Call, field: &str, url: Option<&Json>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if let Some(Json::Text(url)) = url
        && let Err(refusal) = call.app.outbound.check(url).await
    {
        errors.add(field, refusal.message());
    }
    errors
}

/// A webhook as a caller describes it.
struct Wish {
    url: String,
    kinds: String,
    is_active: Option<bool>,
}

impl Wish {
    fn read(fields: &Fields) -> Option<Wish> {
        let url = fields.text("url", Text::filled(2048)).required();
        let kinds = fields.list("events", 1..=Kind::ALL.len()).then(|values| read_kinds(&values));
        let kinds = kinds.required();
        let is_active = fields.boolean("is_active").optional();
        Some(Wish { url: url?, kinds: kinds?, is_active })
    }
}

/// The names of kinds, each once, as they are stored.
pub fn read_kinds(values: &[Value<'_>]) -> Option<String> {
    let mut names: Vec<&'static str> = Vec::new();
    let mut is_good = true;
    for value in values {
        let kind = value.parsed(Kind::parse, || one_of(Kind::NAMES));
        match kind.map(Kind::name) {
            Some(name) if names.contains(&name) => {
                is_good = value.refuse::<()>(Message::new("duplicate-value")).is_some();
            }
            Some(name) => names.push(name),
            None => is_good = false,
        }
    }
    is_good.then(|| names.join(" "))
}
