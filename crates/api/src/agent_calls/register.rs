//! A program registers as an agent, with a code that an administrator was shown.

use std::sync::Arc;

use axum::http::StatusCode;
use waybill_domain::audit::{Act, Action, Actor, Changes, Subject};
use waybill_domain::fields::{FieldErrors, Fields, Text, read_knowing};
use waybill_domain::json::Json;
use waybill_domain::printing::hash_code;
use waybill_domain::token::{self, TokenHash};
use waybill_domain::words::Message;
use waybill_store::print_agents::{self, Registration};
use waybill_store::{Error, audit};

use super::fields::{instance, program};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST /beta/print-agents/register`
pub async fn register(mut request: Request) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let code = body.member_text("code").and_then(hash_code);
    let refused = wrong_code(&request, body.member_text("code").is_some(), code).await?;
    let input = errors.or(read_knowing(&body, refused, RegistrationInput::read))?;
    let token = token::generate(request.app.ids().as_ref());
    let (Some(code), Some(hash)) = (code, token::hash(token.expose())) else {
        return Err(not_good());
    };
    let new = Registration { code, token: hash, hostname: input.hostname, version: input.version };
    let (now, act) = (request.now, request.act());
    let registered = request.write(move |tx| {
        let found = print_agents::any_register(tx, &new, now)?;
        if let Some((team, agent, name)) = &found {
            // Nobody else is there who does it.
            let actor = Arc::new(Actor::client((*agent).into(), name));
            let subject = Subject::named("print_agent", *agent, name);
            let (act, done) =
                (Act { actor, ..act.clone() }, (Action::PrintAgentRegistered, &subject));
            audit::insert(tx, *team, &act, done, &Changes::none())?;
        }
        Ok::<_, Error>(found)
    });
    let (team, agent, name) = registered.await?.ok_or_else(not_good)?;
    // An older token of the agent lets nobody in any more.
    request.api.callers().forget();
    request.app.wake_everywhere(agent.into());
    let data = Json::object([
        ("agent_uuid", Json::text(agent)),
        ("team_uuid", Json::text(team)),
        ("name", name.into()),
        ("token", token.expose().as_str().into()),
    ]);
    Ok(Reply::json(StatusCode::CREATED, Json::object([("data", data)])).private())
}

/// Whether a code was given that lets nobody in: a wrong one, one that was used, one whose time is
/// over. Nobody is told which.
async fn wrong_code(
    request: &Request,
    is_given: bool,
    code: Option<TokenHash>,
) -> Result<FieldErrors, ApiError> {
    let now = request.now;
    let found = match code {
        Some(code) => {
            request.read(move |tx| print_agents::any_find_by_code(tx, &code, now)).await?
        }
        None => None,
    };
    Ok(match is_given && found.is_none() {
        true => FieldErrors::one("code", Message::new("registration-code-not-good")),
        false => FieldErrors::default(),
    })
}

fn not_good() -> ApiError {
    ApiError::invalid("code", Message::new("registration-code-not-good"))
}

struct RegistrationInput {
    hostname: String,
    version: String,
}

impl RegistrationInput {
    fn read(fields: &Fields) -> Option<RegistrationInput> {
        let code = fields.text("code", Text::up_to(usize::MAX)).required();
        let (hostname, version) = program(fields);
        let _said_again_in_its_session = instance(fields);
        code?;
        Some(RegistrationInput { hostname: hostname?, version: version? })
    }
}
