//! Who calls, and the teams that the caller is in.

use std::sync::Arc;

use waybill_domain::audit::{Action, Changes, Subject};
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::ids::TeamId;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::members::Role;
use waybill_store::teams::Team;
use waybill_store::{Error, Tx, audit, teams, users};

use super::caller::{Caller, Client, Member, Principal};
use super::members::still_admin;
use super::reply::{ApiError, Reply};
use super::request::Request;
use super::settings::load;

/// `GET /v2/me`
pub async fn get_me(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    match &caller.principal {
        Principal::User(user) => of_user(&request, &caller, user.clone()).await,
        Principal::Client(client) => of_client(&request, &caller, client).await,
        Principal::Agent(_) => Err(ApiError::NotForAgents),
    }
}

/// `PATCH /v2/me`: a merge patch.
pub async fn update_me(mut request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let known = caller.as_user()?;
    let (patch, errors) = request.json_body().await?;
    // As it was a moment ago, for what is wrong with the patch; what it changes is read under a
    // lock.
    errors.or(patched(&profile(&known.name, &known.language), &patch))?;
    let (id, act) = (known.id, request.act());
    let changed = request.write(move |tx| {
        users::any_lock(tx, id)?;
        let old = users::any_find(tx, id)?.ok_or(ApiError::NotFound)?;
        let before = profile(&old.name, &old.language);
        let (name, language) = patched(&before, &patch)?;
        let changes = Changes::between(&before, &profile(&name, language.tag()));
        if changes.is_empty() {
            return Ok(old);
        }
        users::any_set_profile(tx, id, (&name, language.tag()))?;
        // A name that changes must be found again: the log calls people by it.
        let what = (Action::UserUpdated, &Subject::named("user", id, &name));
        audit::any_insert_for_user(tx, id, &act, what, &changes)?;
        users::any_find(tx, id)?.ok_or(ApiError::NotFound)
    });
    let user = changed.await?;
    request.api.callers().forget();
    of_user(&request, &caller, user).await
}

/// What people call somebody or something, and the language of messages to it.
fn profile(name: &str, language: &str) -> Json {
    Json::object([("name", name.into()), ("language", language.into())])
}

fn patched(before: &Json, patch: &Json) -> Result<(String, Language), FieldErrors> {
    let mut whole = before.clone();
    whole.merge(patch);
    read_knowing(&whole, FieldErrors::default(), |fields: &Fields| {
        let name = fields.text("name", Text::filled(100)).required();
        let not_one = || Message::new("not-a-language");
        let language = fields.parsed("language", Language::parse, not_one).required();
        Some((name?, language?))
    })
}

/// A user as it sees itself.
async fn of_user(request: &Request, caller: &Caller, user: users::User) -> Result<Reply, ApiError> {
    let id = user.id;
    let has_password = request.read(move |tx| users::any_has_password(tx, id)).await?;
    let own = [
        ("uuid", Json::text(user.id)),
        ("name", user.name.into()),
        ("email", user.email.into()),
        ("language", user.language.into()),
        ("is_operator", user.is_operator.into()),
        ("has_password", has_password.into()),
    ];
    me(request, caller, own).await
}

/// An app that acts for itself. It has the language of its team.
async fn of_client(request: &Request, caller: &Caller, client: &Client) -> Result<Reply, ApiError> {
    let language = caller.memberships().first().map(|own| own.language.as_str());
    let own = [
        ("uuid", Json::text(client.id)),
        ("name", client.name.as_str().into()),
        ("email", Json::Null),
        ("language", language.unwrap_or_default().into()),
        ("is_operator", false.into()),
        ("has_password", false.into()),
    ];
    me(request, caller, own).await
}

/// What the caller is, with its teams.
async fn me(
    request: &Request,
    caller: &Caller,
    own: [(&'static str, Json); 6],
) -> Result<Reply, ApiError> {
    let teams = teams_of(request, caller).await?;
    let teams = teams.iter().map(|(team, role)| {
        Json::object([
            ("uuid", Json::text(team.id)),
            ("name", team.name.as_str().into()),
            ("domain", team.domain.as_str().into()),
            ("role", role.name().into()),
        ])
    });
    let members = own.into_iter().chain([("teams", Json::list(teams))]);
    let members = members.map(|(name, value)| (name.into(), value));
    Ok(Reply::data(Json::Object(members.collect())).private())
}

/// `GET /v2/teams`
pub async fn list_teams(request: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let teams = teams_of(&request, &caller).await?;
    Ok(Reply::data(Json::list(teams.iter().map(|(team, _)| view(team)))).private())
}

/// The teams in which the caller's token is good, with the caller's role in each.
async fn teams_of(request: &Request, caller: &Caller) -> Result<Vec<(Team, Role)>, ApiError> {
    let own: Vec<(TeamId, Role)> =
        caller.memberships().iter().map(|own| (own.team, own.role)).collect();
    let user = caller.principal.user().map(|user| user.id);
    let read = move |tx: &mut Tx<'_>| match user {
        // Read anew: what is remembered of the caller may be a second old.
        Some(user) => teams::list_of_user(tx, user),
        None => {
            let found = own.iter().map(|(team, role)| Ok((teams::find(tx, *team)?, *role)));
            let found: Vec<(Option<Team>, Role)> = found.collect::<Result<_, Error>>()?;
            Ok(found.into_iter().filter_map(|(team, role)| Some((team?, role))).collect())
        }
    };
    let mut teams: Vec<(Team, Role)> = request.read(read).await?;
    teams.retain(|(team, _)| caller.reaches(team.id));
    Ok(teams)
}

/// `GET /v2/teams/{teamUuid}`
pub async fn get_team(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let team = request.read(move |tx| teams::find(tx, member.team)).await?;
    let team = team.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view(&team)).private())
}

/// `PATCH /v2/teams/{teamUuid}`: a merge patch.
pub async fn update_team(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let team = request.read(move |tx| teams::find(tx, member.team)).await?;
    let team = team.ok_or(ApiError::NotFound)?;
    let (patch, errors) = request.json_body().await?;
    // As it is now, for what is wrong with the patch; what it changes is read under a lock.
    errors.or(patched(&profile(&team.name, &team.language), &patch))?;
    let (act, now) = (request.act(), request.now);
    let changed = request.write(move |tx| {
        still_admin(tx, member)?;
        let old = teams::find(tx, member.team)?.ok_or(ApiError::NotFound)?;
        let before = profile(&old.name, &old.language);
        let (name, language) = patched(&before, &patch)?;
        let changes = Changes::between(&before, &profile(&name, language.tag()));
        if changes.is_empty() {
            return Ok(old);
        }
        teams::set_name(tx, member.team, &name, now)?;
        if language.tag() != old.language {
            set_language(tx, member, language, act.at)?;
        }
        teams::note(tx, member.team, (Action::TeamUpdated, &act), &changes)?;
        teams::find(tx, member.team)?.ok_or(ApiError::NotFound)
    });
    let team = changed.await?;
    // The team's language is part of what is remembered about callers.
    request.api.callers().forget();
    Ok(Reply::data(view(&team)).private())
}

/// The language stands in the settings of the team too, which others read.
fn set_language(
    tx: &mut Tx<'_>,
    member: Member,
    language: Language,
    now: Time,
) -> Result<(), ApiError> {
    let (text, version) = teams::find_settings(tx, member.team)?.ok_or(ApiError::NotFound)?;
    let mut settings = load(&text)?;
    settings.language = language;
    let json = settings.to_json().to_string();
    match teams::set_settings(tx, member.team, version, &json, language.tag(), now)? {
        true => Ok(()),
        false => Err(ApiError::Unavailable("the settings were just changed".to_owned())),
    }
}

fn view(team: &Team) -> Json {
    let Team { id, name, domain, language, created_at, updated_at } = team;
    Json::object([
        ("uuid", Json::text(id)),
        ("name", name.as_str().into()),
        ("domain", domain.as_str().into()),
        ("language", language.as_str().into()),
        ("created_at", Json::text(created_at)),
        ("updated_at", Json::text(updated_at)),
    ])
}
