//! A team's accounts with carriers. Credentials go in and never come out.

use std::time::Duration;

use uuid::Uuid;
use waybill_carriers::Verdict;
use waybill_domain::audit::{Action, Changes, Subject};
use waybill_domain::fields::{FieldErrors, Fields, Text, read};
use waybill_domain::ids::AccountId;
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::words::Message;
use waybill_engine::telemetry::counted;
use waybill_engine::timings::Part;
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::{Error, Tx, audit, jobs};

use super::caller::Member;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// A carrier has so long to say whether it knows an account.
const VERIFY_TIME: Duration = Duration::from_secs(10);

/// `GET …/carrier-accounts`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let rows = request.read(move |tx| carrier_accounts::list(tx, member.team)).await?;
    let rows = rows.iter().map(view).collect::<Result<Vec<Json>, ApiError>>()?;
    Ok(Reply::data(Json::List(rows)).private())
}

/// `POST …/carrier-accounts`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let input = errors.or(AccountInput::parse(&request, &body))?;
    let id = AccountId(request.app.new_uuid());
    let changes = Changes::made(&input.whole()).hiding(&["credentials"]);
    let account = Account {
        id,
        carrier_code: input.carrier_code,
        name: input.name,
        is_active: input.is_active,
        options: input.options.to_string(),
        credentials: request.app.vault().seal(
            id.into(),
            &input.credentials,
            request.app.ids().as_ref(),
        ),
        created_at: request.now,
        updated_at: request.now,
    };
    verify(&request, &account).await?;
    let row = account.clone();
    let (now, app, act) = (request.now, request.app.clone(), request.act());
    let insert = move |tx: &mut Tx<'_>| {
        quotas::check(tx, app.quotas(), Quota::Accounts, member.team)?;
        carrier_accounts::insert(tx, member.team, &row)?;
        let done = (Action::CarrierAccountCreated, &subject(&row));
        audit::insert(tx, member.team, &act, done, &changes)?;
        // The first account with a carrier is also the way to its service points.
        let due = tx.now(now)?;
        Ok::<_, ApiError>(jobs::schedule(tx, JobKind::RefreshPoints, Uuid::nil(), None, due)?)
    };
    request.write(insert).await?;
    request.app.wake_runner();
    Ok(Reply::created(format!("{}/{id}", request.url()), view(&account)?).private())
}

/// `GET …/carrier-accounts/{account}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let account = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&account)?).private())
}

/// `PATCH …/carrier-accounts/{account}`: a merge patch; the carrier cannot change.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let old = find(&request, member).await?;
    let (patch, errors) = request.json_body().await?;
    if patch.member("carrier_code").is_some() {
        let fixed = ApiError::invalid("carrier_code", Message::new("fixed-field"));
        return errors.or(Err(fixed));
    }
    let options = old.read_options()?;
    // Credentials that none of our keys opens are given anew.
    let credentials = request.app.vault().open(old.id.into(), &old.credentials);
    let before = Json::object([
        ("carrier_code", old.carrier_code.as_str().into()),
        ("name", old.name.as_str().into()),
        ("is_active", old.is_active.into()),
        ("options", options),
        ("credentials", credentials.unwrap_or(Json::Null)),
    ]);
    let mut whole = before.clone();
    whole.merge(&patch);
    let input = errors.or(AccountInput::parse(&request, &whole))?;
    let changes = Changes::between(&before, &input.whole()).hiding(&["credentials"]);
    let account = Account {
        name: input.name,
        is_active: input.is_active,
        options: input.options.to_string(),
        credentials: request.app.vault().seal(
            old.id.into(),
            &input.credentials,
            request.app.ids().as_ref(),
        ),
        updated_at: request.now,
        ..old
    };
    verify(&request, &account).await?;
    let (row, act) = (account.clone(), request.act());
    let is_there = request.write(move |tx| {
        let is_there = carrier_accounts::replace(tx, member.team, &row)?;
        if is_there && !changes.is_empty() {
            let done = (Action::CarrierAccountUpdated, &subject(&row));
            audit::insert(tx, member.team, &act, done, &changes)?;
        }
        Ok::<_, Error>(is_there)
    });
    if is_there.await? {
        Ok(Reply::data(view(&account)?).private())
    } else {
        Err(ApiError::NotFound)
    }
}

/// `DELETE …/carrier-accounts/{account}`: shipments name their account, so a used one stays.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let account = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    let act = request.act();
    let deleted = request
        .write(move |tx| {
            if carrier_accounts::is_used(tx, member.team, account.id)? {
                return Ok::<_, Error>(None);
            }
            let was_there = carrier_accounts::delete(tx, member.team, account.id)?;
            if was_there {
                let done = (Action::CarrierAccountDeleted, &subject(&account));
                audit::insert(tx, member.team, &act, done, &Changes::none())?;
            }
            Ok(Some(was_there))
        })
        .await?;
    match deleted {
        None => Err(ApiError::Conflict(Message::new("account-in-use"))),
        Some(true) => Ok(Reply::nothing()),
        Some(false) => Err(ApiError::NotFound),
    }
}

/// Asks the carrier whether it knows the account. A definite no is refused; no answer is not an
/// obstacle.
async fn verify(request: &Request, account: &Account) -> Result<(), ApiError> {
    let Some(adapter) = request.app.carriers().get(&account.carrier_code) else { return Ok(()) };
    let open = request.app.vault().account(account);
    let open = open.map_err(|error| ApiError::Internal(error.to_string()))?;
    let asked = async {
        let verdict = tokio::time::timeout(VERIFY_TIME, adapter.verify_account(&open)).await;
        verdict.unwrap_or(Verdict::Unknown("no answer in time".to_owned().into()))
    };
    let asked = counted(request.app.clock().as_ref(), adapter.code(), "verify_account", asked);
    match request.timed(Part::Carrier, asked).await {
        Verdict::Good => Ok(()),
        Verdict::Unknown(why) => {
            tracing::info!(carrier = adapter.code(), %why, "an account could not be verified");
            Ok(())
        }
        Verdict::Refused(why) => {
            let said = why.said.first();
            let words = said.map_or(why.reason.as_str(), |said| &said.message);
            let message = Message::new("credentials-refused").text("words", words);
            // A carrier may say which of the options is wrong.
            let place = said.and_then(|said| said.path.as_deref()).unwrap_or("credentials");
            Err(ApiError::Invalid(FieldErrors::one(place, message)))
        }
    }
}

async fn find(request: &Request, member: Member) -> Result<Account, ApiError> {
    let id = request.id("account", AccountId::parse)?;
    let found = request.read(move |tx| carrier_accounts::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn subject(account: &Account) -> Subject {
    Subject::named("carrier_account", account.id, &account.name)
}

/// An account as a caller describes it.
struct AccountInput {
    carrier_code: String,
    name: String,
    is_active: bool,
    options: Json,
    credentials: Json,
}

impl AccountInput {
    fn parse(request: &Request, body: &Json) -> Result<AccountInput, ApiError> {
        let input = read(body, |fields| AccountInput::read(fields, request.app.quotas()))?;
        let Some(carrier) = request.app.catalog().carrier(&input.carrier_code) else {
            return Err(ApiError::invalid("carrier_code", Message::new("unknown-carrier")));
        };
        let Some(adapter) = request.app.carriers().get(&carrier.code) else {
            let message = Message::new("carrier-not-bookable").text("carrier", &carrier.name);
            return Err(ApiError::Invalid(FieldErrors::one("carrier_code", message)));
        };
        let found = adapter.check_account(&input.credentials, &input.options);
        if found.is_empty() { Ok(input) } else { Err(ApiError::Invalid(found)) }
    }

    /// All of it, as it is compared with what was there.
    fn whole(&self) -> Json {
        Json::object([
            ("carrier_code", self.carrier_code.as_str().into()),
            ("name", self.name.as_str().into()),
            ("is_active", self.is_active.into()),
            ("options", self.options.clone()),
            ("credentials", self.credentials.clone()),
        ])
    }

    fn read(fields: &Fields, limits: &Quotas) -> Option<AccountInput> {
        let carrier_code = fields.text("carrier_code", Text::filled(50)).required();
        let name = fields.text("name", Text::filled(100)).required();
        let is_active = fields.boolean("is_active").optional().unwrap_or(true);
        let members = |name| {
            let input = fields.value(name).then(|value| match value.json() {
                Json::Object(_) => match check_size(value.json(), limits) {
                    Ok(()) => Some(value.json().clone()),
                    Err(message) => value.refuse(message),
                },
                _ => value.refuse(Message::new("not-an-object")),
            });
            input.optional().unwrap_or(Json::Object(Vec::new()))
        };
        let (options, credentials) = (members("options"), members("credentials"));
        let (carrier_code, name) = (carrier_code?, name?);
        Some(AccountInput { carrier_code, name, is_active, options, credentials })
    }
}

/// Not every carrier reads what is in it, so its size is bounded here.
fn check_size(json: &Json, limits: &Quotas) -> Result<(), Message> {
    let more_bytes = i64::try_from(json.to_string().len()).unwrap_or(i64::MAX) - 1;
    limits.check(Quota::OptionBytes, more_bytes)
}

fn view(account: &Account) -> Result<Json, ApiError> {
    Ok(Json::object([
        ("uuid", Json::text(account.id)),
        ("carrier_code", account.carrier_code.as_str().into()),
        ("name", account.name.as_str().into()),
        ("is_active", account.is_active.into()),
        ("options", account.read_options()?),
        ("created_at", Json::text(account.created_at)),
        ("updated_at", Json::text(account.updated_at)),
    ]))
}
