//! Delivery options: every service that the team can book, what it would cost, when the parcel
//! would arrive, and why not where it cannot be had. Nothing is stored.

mod choice;
mod quotes;

use std::sync::Arc;

use axum::http::header;
use futures_util::future::try_join_all;
use waybill_carriers::Account;
use waybill_domain::catalog::Carrier;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::settings::Settings;
use waybill_domain::shipment::Question;
use waybill_domain::tariff::Rate;
use waybill_domain::words::Message;
use waybill_engine::rates::rates;
use waybill_store::service_points::Stored;
use waybill_store::{Error, carrier_accounts, tariffs, teams};

use super::caller::Member;
use super::reply::{ApiError, Reply};
use super::request::Request;
use super::service_points::near;
use super::shipments::stored;
use choice::Choice;

/// So many pickup points are told with an option.
const POINTS_MAX: usize = 5;

/// The team's side of the question.
struct OptionsContext {
    settings: Settings,
    /// The account that would be used, of each carrier that is asked about.
    accounts: Vec<carrier_accounts::Account>,
    rates: Vec<Rate>,
}

/// `POST …/delivery-options`
pub async fn list(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let is_known = |code: &str| request.app.catalog().carrier(code).is_some();
    let question = errors.or(Question::parse(&body, request.now, is_known))?;
    refuse_unbookable(&request, &question)?;
    let context = load_context(&request, member, &question).await?;
    let mut choices = Vec::new();
    let carriers = request.app.catalog().carriers.iter();
    let asked = carriers.filter(|carrier| is_asked(&context, &question, carrier));
    let found = asked.map(|carrier| points(&request, &question, carrier));
    for (carrier, points) in try_join_all(found).await? {
        for service in &carrier.services {
            let service = (carrier, service);
            choices.push(Choice::new(&request, &context, &question, service, &points)?);
        }
    }
    quotes::ask(&request, &context, &mut choices).await;
    // Sorting keeps the catalog's order among those that nothing tells apart.
    choices.sort_by_key(Choice::rank);
    let options = choices.iter().map(|choice| choice.to_json(&request));
    let reply = Reply::data(Json::list(options)).private();
    Ok(reply.header(header::CONTENT_LANGUAGE, request.language.tag()))
}

/// There are no options of a carrier that this version cannot book with.
fn refuse_unbookable(request: &Request, question: &Question) -> Result<(), ApiError> {
    let mut errors = FieldErrors::default();
    for (place, code) in question.carriers.iter().flatten().enumerate() {
        let carrier = request.app.catalog().carrier(code);
        let is_bookable = |it: &&Carrier| request.app.carriers().get(&it.code).is_some();
        if let Some(carrier) = carrier.filter(|it| !is_bookable(it)) {
            let message = Message::new("carrier-not-bookable").text("carrier", &carrier.name);
            errors.add(format!("carrier_codes.{place}"), message);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(ApiError::Invalid(errors)) }
}

/// The carrier's points near the customer, when any of its services needs them.
async fn points<'a>(
    request: &Request,
    question: &Question,
    carrier: &'a Carrier,
) -> Result<(&'a Carrier, Arc<Vec<Stored>>), ApiError> {
    let points = match carrier.services.iter().any(|service| service.is_pickup) {
        true => near(request, &carrier.code, question.address(), POINTS_MAX).await?,
        false => Vec::new(),
    };
    Ok((carrier, Arc::new(points)))
}

fn is_asked(context: &OptionsContext, question: &Question, carrier: &Carrier) -> bool {
    let is_open = context.accounts.iter().any(|account| account.carrier_code == carrier.code);
    let wanted = question.carriers.as_ref();
    is_open && wanted.is_none_or(|codes| codes.contains(&carrier.code))
}

impl OptionsContext {
    /// What the team chose for its account with the carrier.
    fn account_options(&self, carrier: &Carrier) -> Result<Json, Error> {
        let row = self.accounts.iter().find(|account| account.carrier_code == carrier.code);
        row.map_or_else(|| Ok(Json::Object(Vec::new())), carrier_accounts::Account::read_options)
    }

    /// The account that a booking with the carrier would use.
    fn account(&self, request: &Request, carrier: &str) -> Option<Account> {
        let row = self.accounts.iter().find(|account| account.carrier_code == carrier)?;
        request.app.vault().account(row).ok()
    }
}

/// Reads all that the options depend on in one go.
async fn load_context(
    request: &Request,
    member: Member,
    question: &Question,
) -> Result<OptionsContext, ApiError> {
    let team = member.team;
    let customer = question.address().country;
    let named = question.merchant_country();
    let carriers = request.app.catalog().carriers.iter().map(|carrier| carrier.code.clone());
    let carriers = question.carriers.clone().unwrap_or_else(|| carriers.collect());
    let (settings, accounts, bodies) = request
        .read(move |tx| {
            let (settings, _) = teams::find_settings(tx, team)?.ok_or(ApiError::NotFound)?;
            let settings = stored(&settings, Settings::parse)?;
            let mut accounts = Vec::new();
            for carrier in &carriers {
                accounts.extend(carrier_accounts::find_active(tx, team, carrier)?);
            }
            // A return ends where the merchant is.
            let own = settings.merchant(true).map(|party| party.address.country);
            let ends = [customer, named.or(own).unwrap_or(customer)];
            let bodies = tariffs::list_for(tx, team, ends)?;
            Ok::<_, ApiError>((settings, accounts, bodies))
        })
        .await?;
    Ok(OptionsContext { settings, accounts, rates: rates(&bodies)? })
}
