//! An agent begins a session, which ends the one before.

use axum::http::StatusCode;
use waybill_domain::fields::{FieldErrors, Fields, Value, each, one_of, read_knowing};
use waybill_domain::ids::PrintJobId;
use waybill_domain::json::Json;
use waybill_domain::printing::{AGENT_SILENCE_MAX, Reported};
use waybill_domain::words::Message;
use waybill_engine::agents::{self, AgentCaller, AgentError, HeldJob};
use waybill_store::print_agents::NewSession;

use super::claim::WAIT_MAX;
use super::fields::{instance, program};
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::unread::BodyLimit;

/// What this server speaks, the newest last.
const PROTOCOLS: &[i64] = &[1];
/// Versions that an agent may list.
const LISTED_MAX: usize = 100;
/// Jobs that an agent may hold.
const HELD_MAX: usize = 10_000;

/// `POST …/sessions`
pub async fn open(mut request: Request, caller: AgentCaller) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body_within(BodyLimit::TABLE).await?;
    let read = |fields: &Fields| SessionInput::read(fields);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let session = NewSession {
        id: request.app.new_uuid(),
        spool: input.instance,
        hostname: input.hostname,
        version: input.version,
    };
    let (id, held, app, now) = (session.id, input.held, request.app.clone(), request.now);
    let opened = request.write(move |tx| {
        let agent = caller.lock(tx)?;
        let told = (&session, held.as_slice());
        Ok::<_, AgentError>(agents::open_session(tx, &app, caller.team, &agent, told, now)?)
    });
    let forget = opened.await?;
    // Whoever waits in the old session learns that it is over.
    request.app.wake_everywhere(caller.agent.into());
    request.app.wake_runner();
    let data = Json::object([
        ("session", Json::text(id)),
        ("protocol", input.protocol.into()),
        ("wait_seconds", WAIT_MAX.into()),
        ("silence_seconds", i64::try_from(AGENT_SILENCE_MAX.as_secs()).unwrap_or(i64::MAX).into()),
        ("forget", Json::list(forget.into_iter().map(Json::text))),
    ]);
    Ok(Reply::json(StatusCode::CREATED, Json::object([("data", data)])).private())
}

struct SessionInput {
    protocol: i64,
    instance: String,
    hostname: String,
    version: String,
    held: Vec<HeldJob>,
}

impl SessionInput {
    fn read(fields: &Fields) -> Option<SessionInput> {
        let protocol = fields.list("protocol", 1..=LISTED_MAX);
        let protocol = protocol.then(|listed| protocol_of(fields, &listed)).required();
        let instance = instance(fields);
        let (hostname, version) = program(fields);
        let held = fields.list("held", 0..=HELD_MAX);
        let held = held.then(|held| each(&held, held_job)).required();
        Some(SessionInput {
            protocol: protocol?,
            instance: instance?,
            hostname: hostname?,
            version: version?,
            held: held?,
        })
    }
}

/// The newest that both know.
fn protocol_of(fields: &Fields, listed: &[Value<'_>]) -> Option<i64> {
    let listed = each(listed, |one| one.integer(1..=i64::MAX))?;
    let common = listed.into_iter().filter(|one| PROTOCOLS.contains(one)).max();
    if common.is_none() {
        let version = env!("CARGO_PKG_VERSION");
        fields.refuse("protocol", Message::new("agent-protocol").text("version", version));
    }
    common
}

fn held_job(value: &Value<'_>) -> Option<HeldJob> {
    let fields = value.object()?;
    let not_an_id = || Message::new("not-a-uuid");
    let job = fields.parsed("job_uuid", PrintJobId::parse, not_an_id).required();
    let state = fields.parsed("state", Reported::parse, || one_of(Reported::NAMES)).required();
    let sequence = fields.integer("sequence", 0..=i64::MAX).required();
    Some(HeldJob { job: job?, state: state?, sequence: sequence? })
}
