//! A team's print agents, as its administrators see them. The code that an agent registers with is
//! shown once. The token that it becomes lives on when whoever asked for the code is gone, so an
//! app is given none.

use std::time::Duration;

use waybill_domain::audit::{Action, Changes, Subject};
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::ids::PrintAgentId;
use waybill_domain::json::Json;
use waybill_domain::printing::{generate_code, hash_code};
use waybill_domain::quota::Quota;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;
use waybill_engine::agents;
use waybill_store::audit;
use waybill_store::print_agents::{self, PrintAgent};

use super::caller::Member;
use super::given_scopes::maker;
use super::members::still_admin;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// For how long a code is good.
const CODE_LIFE: Duration = Duration::from_hours(1);

/// `GET …/print-agents`: all of them.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let all = request.read(move |tx| print_agents::list(tx, member.team)).await?;
    Ok(Reply::data(Json::list(all.iter().map(view))).private())
}

/// `GET …/print-agents/{agent}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let agent = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&agent)).private())
}

/// `POST …/print-agents`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    may_let_in(&request)?;
    let (body, errors) = request.json_body().await?;
    let name = errors.or(read_knowing(&body, FieldErrors::default(), read_name))?;
    let code = Code::new(&request)?;
    let id = PrintAgentId(request.app.new_uuid());
    let agent = PrintAgent::new(id, name, request.now);
    let (row, app, act) = (agent.clone(), request.app.clone(), request.act());
    let kept = (code.hash, code.expires_at);
    let insert = request.write(move |tx| {
        still_admin(tx, member)?;
        quotas::check(tx, app.quotas(), Quota::PrintAgents, member.team)?;
        print_agents::insert(tx, member.team, &row, (&kept.0, kept.1))?;
        let changes = Changes::none().and("name", Json::Null, row.name.as_str().into());
        let done = (Action::PrintAgentCreated, &subject(&row));
        Ok::<_, ApiError>(audit::insert(tx, member.team, &act, done, &changes)?)
    });
    insert.await?;
    let location = format!("{}/{id}", request.url());
    Ok(Reply::created(location, view_with_code(&agent, &code)).private())
}

/// `PATCH …/print-agents/{agent}`: a merge patch.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let old = find(&request, member).await?;
    let (patch, errors) = request.json_body().await?;
    let mut whole = Json::object([("name", old.name.as_str().into())]);
    whole.merge(&patch);
    let name = errors.or(read_knowing(&whole, FieldErrors::default(), read_name))?;
    let (id, act) = (old.id, request.act());
    let renamed = request.write(move |tx| {
        let old = print_agents::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        let changes = Changes::none().and("name", old.name.into(), name.as_str().into());
        if !changes.is_empty() {
            print_agents::set_name(tx, member.team, id, &name, act.at)?;
            let done = (Action::PrintAgentUpdated, &Subject::named("print_agent", id, &name));
            audit::insert(tx, member.team, &act, done, &changes)?;
        }
        print_agents::find(tx, member.team, id)?.ok_or(ApiError::NotFound)
    });
    let renamed = renamed.await?;
    Ok(Reply::data(view(&renamed)).private())
}

/// `DELETE …/print-agents/{agent}`: its token ends, and its printers go with it.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let (agent, now) = (find(&request, member).await?, request.now);
    request.query.knowing(&[]).finish()?;
    let (app, act, id, subject) = (request.app.clone(), request.act(), agent.id, subject(&agent));
    let removed = request.write(move |tx| {
        let was_there = agents::remove(tx, &app, member.team, id, now)?;
        if was_there {
            let done = (Action::PrintAgentRemoved, &subject);
            audit::insert(tx, member.team, &act, done, &Changes::none())?;
        }
        Ok::<_, waybill_store::Error>(was_there)
    });
    if !removed.await? {
        return Err(ApiError::NotFound);
    }
    request.api.callers().forget();
    // Whoever waits in its name is told at once.
    request.app.wake_everywhere(id.into());
    request.app.wake_runner();
    Ok(Reply::nothing())
}

/// `POST …/print-agents/{agent}/registration-code`: used, it ends the token that the agent has.
pub async fn renew_code(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let agent = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    may_let_in(&request)?;
    let code = Code::new(&request)?;
    let (row, act, kept) = (agent.clone(), request.act(), (code.hash, code.expires_at));
    let written = request.write(move |tx| {
        still_admin(tx, member)?;
        if !print_agents::set_code(tx, member.team, row.id, (&kept.0, kept.1))? {
            return Err(ApiError::NotFound);
        }
        let changes = Changes::none().and("code", 0.into(), 1.into()).hiding(&["code"]);
        let done = (Action::PrintAgentCodeRenewed, &subject(&row));
        Ok(audit::insert(tx, member.team, &act, done, &changes)?)
    });
    written.await?;
    Ok(Reply::data(view_with_code(&agent, &code)).private())
}

/// Whether who asks may have a code.
fn may_let_in(request: &Request) -> Result<(), ApiError> {
    let who = request.who.as_ref();
    maker(who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?).map(|_| ())
}

async fn find(request: &Request, member: Member) -> Result<PrintAgent, ApiError> {
    let id = request.id("agent", PrintAgentId::parse)?;
    let found = request.read(move |tx| print_agents::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn subject(agent: &PrintAgent) -> Subject {
    Subject::named("print_agent", agent.id, &agent.name)
}

fn read_name(fields: &Fields) -> Option<String> {
    fields.text("name", Text::filled(100)).required()
}

/// A code that lets one agent in, once.
struct Code {
    code: Secret<String>,
    hash: TokenHash,
    expires_at: Time,
}

impl Code {
    fn new(request: &Request) -> Result<Code, ApiError> {
        let code = generate_code(request.app.ids().as_ref());
        let hash = hash_code(code.expose());
        let hash = hash.ok_or_else(|| ApiError::Internal("a code is not one".to_owned()))?;
        Ok(Code { code, hash, expires_at: request.now.plus(CODE_LIFE) })
    }
}

/// An agent as it is shown.
fn view(agent: &PrintAgent) -> Json {
    Json::object([
        ("uuid", Json::text(agent.id)),
        ("name", agent.name.as_str().into()),
        ("state", agent.state().name().into()),
        ("hostname", agent.hostname.as_deref().into()),
        ("version", agent.version.as_deref().into()),
        ("printer_count", agent.printer_count.into()),
        ("last_seen_at", agent.seen_at.map_or(Json::Null, Json::text)),
        ("created_at", Json::text(agent.created_at)),
        ("updated_at", Json::text(agent.updated_at)),
    ])
}

/// The same with its code, which is shown now and never again.
fn view_with_code(agent: &PrintAgent, code: &Code) -> Json {
    let mut shown = view(agent);
    shown.merge(&Json::object([
        ("registration_code", code.code.expose().as_str().into()),
        ("registration_code_expires_at", Json::text(code.expires_at)),
    ]));
    shown
}
