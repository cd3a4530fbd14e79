//! The first start of an agent: it registers with a code, and keeps what it gets for it.

use std::sync::Arc;

use hyper::Method;
use tokio::time::sleep;
use waybill_domain::secret::Secret;

use crate::error::AgentError;
use crate::options::{AgentOptions, ServerUrl};
use crate::protocol;
use crate::retry::Retry;
use crate::server::{Call, CallError, Server};
use crate::shared::Shared;
use crate::spool::{Fact, Identity, rows};

const REGISTER: &str = "/beta/print-agents/register";

/// Who this agent is, registering first when nobody knows yet. Nothing when it is told to stop
/// meanwhile.
pub async fn identify(
    shared: &Arc<Shared>,
    options: &AgentOptions,
) -> Result<Option<Identity>, AgentError> {
    let known = shared.spool.run(rows::find_identity).await?;
    match (known, &options.code) {
        (Some(known), Some(_)) => Err(AgentError::Registered(known.name)),
        (Some(known), None) => moved(shared, known, options.server.as_ref()).await.map(Some),
        (None, code) => {
            let server = options.server.clone().ok_or(AgentError::NoServer)?;
            let code = code.as_deref().ok_or(AgentError::NoCode)?;
            tokio::select! {
                identity = register(shared, options, &server, code) => identity.map(Some),
                () = shared.stopped() => Ok(None),
            }
        }
    }
}

/// A server that is somewhere else from now on is remembered.
async fn moved(
    shared: &Shared,
    known: Identity,
    server: Option<&ServerUrl>,
) -> Result<Identity, AgentError> {
    let Some(server) = server.filter(|server| server.text != known.server) else {
        return Ok(known);
    };
    let new = Identity { server: server.text.clone(), ..known };
    let text = new.server.clone();
    shared.spool.run(move |tx| rows::set_fact(tx, Fact::Server, &text)).await?;
    Ok(new)
}

async fn register(
    shared: &Arc<Shared>,
    options: &AgentOptions,
    url: &ServerUrl,
    code: &str,
) -> Result<Identity, AgentError> {
    let server = Server::new(options.network.clone(), url.clone(), None);
    let instance = shared.spool.run(|tx| rows::fact(tx, Fact::Instance)).await?;
    let instance = instance.unwrap_or_default();
    let mut retry = Retry::new(Arc::clone(&shared.ids));
    loop {
        let body = protocol::registration(code.trim(), &options.hostname, &instance);
        let why = match server.call(Call::new(Method::POST, REGISTER, body)).await {
            Ok(answer) => match protocol::read_registered(&answer.body) {
                Some(new) => {
                    let identity = Identity {
                        server: url.text.clone(),
                        agent: new.agent,
                        team: new.team,
                        name: new.name,
                        token: Secret::new(new.token),
                    };
                    let kept = identity.clone();
                    shared.spool.run(move |tx| rows::set_identity(tx, &kept)).await?;
                    tracing::info!(name = identity.name, agent = identity.agent, "registered");
                    return Ok(identity);
                }
                None => return Err(not_waybill(answer.status.as_u16())),
            },
            Err(CallError::Refused { status: 422, message }) if message.contains("code ") => {
                return Err(AgentError::CodeRefused);
            }
            Err(CallError::Refused { status, message }) => {
                return Err(AgentError::Refused { status, message });
            }
            Err(CallError::Unknown) => return Err(not_waybill(404)),
            Err(error) => error.to_string(),
        };
        let pause = retry.pause();
        tracing::warn!(why, seconds = pause.as_secs_f64(), "not registered yet; it is tried again");
        sleep(pause).await;
    }
}

fn not_waybill(status: u16) -> AgentError {
    let message = "this is not the address of a Waybill server with print agents".to_owned();
    AgentError::Refused { status, message }
}
