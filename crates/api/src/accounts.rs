//! A team's accounts with carriers. Credentials go in and never come out.

use uuid::Uuid;
use waybill_domain::fields::{FieldErrors, Fields, Text, read};
use waybill_domain::ids::AccountId;
use waybill_domain::json::{Json, parse};
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::words::Message;
use waybill_engine::points;
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::{Error, Tx, jobs};

use super::caller::Member;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Call;

/// `GET …/carrier-accounts`
pub async fn list(call: Call, member: Member) -> Result<Reply, ApiError> {
    call.query.knowing(&[]).finish()?;
    let rows = call.read(move |tx| carrier_accounts::list(tx, member.team)).await?;
    let rows = rows.iter().map(view).collect::<Result<Vec<Json>, ApiError>>()?;
    Ok(Reply::data(Json::List(rows)).private())
}

/// `POST …/carrier-accounts`
pub async fn create(mut call: Call, member: Member) -> Result<Reply, ApiError> {
    let (body, beside) = call.sent().await?;
    let given = beside.and(Given::parse(&call, &body))?;
    let id = AccountId(call.app.ids.uuid());
    let account = Account {
        id,
        carrier_code: given.carrier_code,
        name: given.name,
        is_active: given.is_active,
        options: given.options.to_string(),
        credentials: call.app.vault.seal(id.into(), &given.credentials, call.app.ids.as_ref()),
        created_at: call.now,
        updated_at: call.now,
    };
    let row = account.clone();
    let (now, app) = (call.now, call.app.clone());
    let insert = move |tx: &mut Tx<'_>| {
        quotas::check(tx, &app.quotas, Quota::Accounts, member.team)?;
        carrier_accounts::insert(tx, member.team, &row)?;
        // The first account with a carrier is also the way to its service points.
        let due = tx.now(now)?;
        Ok::<_, ApiError>(jobs::schedule(tx, points::REFRESH, Uuid::nil(), None, due)?)
    };
    call.write(insert).await?;
    call.app.work_arrived.notify_one();
    Ok(Reply::created(format!("{}/{id}", call.url()), view(&account)?).private())
}

/// `GET …/carrier-accounts/{account}`
pub async fn show(call: Call, member: Member) -> Result<Reply, ApiError> {
    let account = find(&call, member).await?;
    call.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&account)?).private())
}

/// `PATCH …/carrier-accounts/{account}`: a merge patch; the carrier cannot change.
pub async fn update(mut call: Call, member: Member) -> Result<Reply, ApiError> {
    let old = find(&call, member).await?;
    let (patch, beside) = call.sent().await?;
    if patch.member("carrier_code").is_some() {
        let fixed = ApiError::invalid("carrier_code", Message::new("fixed-field"));
        return beside.and(Err(fixed));
    }
    let credentials = call.app.vault.open(old.id.into(), &old.credentials);
    let mut whole = Json::object([
        ("carrier_code", old.carrier_code.as_str().into()),
        ("name", old.name.as_str().into()),
        ("is_active", old.is_active.into()),
        ("options", parse(old.options.as_bytes()).unwrap_or(Json::Null)),
        ("credentials", credentials.unwrap_or(Json::Null)),
    ]);
    whole.merge(&patch);
    let given = beside.and(Given::parse(&call, &whole))?;
    let account = Account {
        name: given.name,
        is_active: given.is_active,
        options: given.options.to_string(),
        credentials: call.app.vault.seal(old.id.into(), &given.credentials, call.app.ids.as_ref()),
        updated_at: call.now,
        ..old
    };
    let row = account.clone();
    let is_there = call.write(move |tx| carrier_accounts::replace(tx, member.team, &row)).await?;
    if is_there { Ok(Reply::data(view(&account)?).private()) } else { Err(ApiError::NotFound) }
}

/// `DELETE …/carrier-accounts/{account}`: shipments name their account, so a used one stays.
pub async fn delete(call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = find(&call, member).await?.id;
    call.query.knowing(&[]).finish()?;
    let deleted = call
        .write(move |tx| {
            if carrier_accounts::is_used(tx, member.team, id)? {
                return Ok::<_, Error>(None);
            }
            Ok(Some(carrier_accounts::delete(tx, member.team, id)?))
        })
        .await?;
    match deleted {
        None => Err(ApiError::Conflict(Message::new("account-in-use"))),
        Some(true) => Ok(Reply::nothing()),
        Some(false) => Err(ApiError::NotFound),
    }
}

async fn find(call: &Call, member: Member) -> Result<Account, ApiError> {
    let id = call.id("account", AccountId::parse)?;
    let found = call.read(move |tx| carrier_accounts::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// An account as a caller describes it.
struct Given {
    carrier_code: String,
    name: String,
    is_active: bool,
    options: Json,
    credentials: Json,
}

impl Given {
    fn parse(call: &Call, body: &Json) -> Result<Given, ApiError> {
        let given = read(body, |fields| Given::read(fields, &call.app.quotas))?;
        let Some(carrier) = call.app.catalog.carrier(&given.carrier_code) else {
            return Err(ApiError::invalid("carrier_code", Message::new("unknown-carrier")));
        };
        if call.app.carriers.get(&carrier.code).is_none() {
            let message = Message::new("carrier-not-bookable").text("carrier", &carrier.name);
            return Err(ApiError::Invalid(FieldErrors::one("carrier_code", message)));
        }
        Ok(given)
    }

    fn read(fields: &Fields, limits: &Quotas) -> Option<Given> {
        let carrier_code = fields.text("carrier_code", Text::filled(50)).required();
        let name = fields.text("name", Text::filled(100)).required();
        let is_active = fields.boolean("is_active").optional().unwrap_or(true);
        let members = |name| {
            let given = fields.value(name).then(|value| match value.json() {
                Json::Object(_) => match check_size(value.json(), limits) {
                    Ok(()) => Some(value.json().clone()),
                    Err(message) => value.refuse(message),
                },
                _ => value.refuse(Message::new("not-an-object")),
            });
            given.optional().unwrap_or(Json::Object(Vec::new()))
        };
        let (options, credentials) = (members("options"), members("credentials"));
        let (carrier_code, name) = (carrier_code?, name?);
        Some(Given { carrier_code, name, is_active, options, credentials })
    }
}

/// Nobody reads what is in it, so nothing else bounds it.
fn check_size(json: &Json, limits: &Quotas) -> Result<(), Message> {
    let more_bytes = i64::try_from(json.to_string().len()).unwrap_or(i64::MAX) - 1;
    limits.check(Quota::OptionBytes, more_bytes)
}

fn view(account: &Account) -> Result<Json, ApiError> {
    let options = parse(account.options.as_bytes())
        .map_err(|fault| ApiError::Internal(format!("stored options: {fault:?}")))?;
    Ok(Json::object([
        ("uuid", Json::text(account.id)),
        ("carrier_code", account.carrier_code.as_str().into()),
        ("name", account.name.as_str().into()),
        ("is_active", account.is_active.into()),
        ("options", options),
        ("created_at", Json::text(account.created_at)),
        ("updated_at", Json::text(account.updated_at)),
    ]))
}
