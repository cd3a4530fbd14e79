//! A team's settings. A change names the version it was made from, or accepts to be the last one.

use axum::http::header;
use waybill_domain::audit::{Action, Changes};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::PrinterId;
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_paper::party_problems;
use waybill_store::{Error, Tx, printers, teams};

use super::caller::Member;
use super::reply::{ApiError, Reply, matches_etag};
use super::request::Request;

/// How often a change that names no version is made anew because somebody else was faster.
const ATTEMPTS: usize = 10;

/// `GET /v2/teams/{teamUuid}/settings`
pub async fn get_settings(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let stored = request.read(move |tx| teams::find_settings(tx, member.team)).await?;
    let (text, version) = stored.ok_or(ApiError::NotFound)?;
    let reply = Reply::data(load(&text)?.to_json()).private();
    Ok(reply.etag(etag(version), request.header(header::IF_NONE_MATCH)))
}

/// `PATCH /v2/teams/{teamUuid}/settings`: a JSON merge patch.
pub async fn update_settings(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (patch, errors) = request.json_body().await?;
    let expected = request.header_list(header::IF_MATCH);
    let now = request.now;
    for _ in 0..ATTEMPTS {
        let stored = request.read(move |tx| {
            let printers = printers::list(tx, member.team)?;
            Ok::<_, Error>(teams::find_settings(tx, member.team)?.map(|found| (found, printers)))
        });
        let ((text, version), printers) = stored.await?.ok_or(ApiError::NotFound)?;
        if expected.as_ref().is_some_and(|known| !matches_etag(known, &etag(version))) {
            break;
        }
        // Outside the transaction: nobody waits for it.
        let is_printer = |id| printers.iter().any(|printer| printer.id == PrinterId(id));
        let old = load(&text)?;
        let before = old.to_json();
        let patched = old.patched(&patch, is_printer);
        let settings = errors.clone().or(patched)?;
        unprintable(&request.app, &patch, &settings)?;
        let (json, language) = (settings.to_json().to_string(), settings.language.tag());
        let (act, changes) = (request.act(), Changes::between(&before, &settings.to_json()));
        let write = move |tx: &mut Tx<'_>| {
            let is_set = teams::set_settings(tx, member.team, version, &json, language, now)?;
            if is_set && !changes.is_empty() {
                teams::note(tx, member.team, (Action::SettingsUpdated, &act), &changes)?;
            }
            Ok::<_, Error>(is_set)
        };
        if request.write(write).await? {
            // The team's language is part of what is remembered about callers.
            request.api.callers().forget();
            let reply = Reply::data(settings.to_json()).private();
            return Ok(reply.etag(etag(version + 1), None));
        }
        // Somebody else was faster, between our reading and our writing.
    }
    Err(ApiError::Conflict(Message::new("conflict-version")))
}

/// Refuses a new address that no label can show: every later booking would be refused for it.
fn unprintable(app: &App, patch: &Json, settings: &Settings) -> Result<(), ApiError> {
    let mut errors = FieldErrors::default();
    for (name, address) in settings.addresses() {
        if let Some(address) = address.filter(|_| patch.member(name).is_some()) {
            errors.extend(party_problems(app.renderer(), address, name));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(ApiError::Invalid(errors)) }
}

fn etag(version: i64) -> String {
    format!("\"{version}\"")
}

/// Reads settings as they are stored.
pub fn load(text: &str) -> Result<Settings, ApiError> {
    let broken = |why: String| ApiError::Internal(format!("stored settings: {why}"));
    let json: Json = parse(text.as_bytes()).map_err(|fault| broken(format!("{fault:?}")))?;
    Settings::parse(&json).map_err(|errors| broken(format!("{errors:?}")))
}
