//! The line to the server, within one session.

use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use tokio::sync::Notify;
use tokio::time::sleep;
use uuid::Uuid;
use waybill_outbound::line::Response;

use super::heard::Heard;
use crate::contact::Contact;
use crate::error::AgentError;
use crate::protocol;
use crate::retry::Retry;
use crate::server::{Call, CallError, Server, not_understood};
use crate::shared::Shared;
use crate::spool::{Fact, Identity, SpoolError, rows};

/// Who calls.
pub struct Caller {
    /// The server.
    pub server: Server,
    /// Who this is.
    pub identity: Identity,
    /// What the machine is called.
    pub hostname: String,
}

/// Why a session is over.
#[derive(Debug, thiserror::Error)]
pub enum End {
    /// The server does not know the agent any more.
    #[error("the agent was removed")]
    Removed,
    /// Another session has begun.
    #[error("another session has begun")]
    Replaced,
    /// The spool cannot be used.
    #[error(transparent)]
    Spool(#[from] SpoolError),
}

impl From<End> for AgentError {
    fn from(end: End) -> AgentError {
        match end {
            End::Removed => AgentError::Removed,
            End::Replaced => AgentError::SessionOver,
            End::Spool(error) => error.into(),
        }
    }
}

/// A session, over which everything is asked.
pub struct Line {
    /// What all parts share.
    pub shared: Arc<Shared>,
    /// The session.
    pub session: Uuid,
    /// The longest that a claim may wait.
    pub wait: Duration,
    /// When the server was heard.
    pub heard: Heard,
    /// The server was told of the printers, and has said something to that.
    pub listed: Notify,
    caller: Caller,
    contact: Contact,
}

/// Begins a session, as soon as the server answers.
pub async fn open(shared: &Arc<Shared>, caller: Caller) -> Result<Line, AgentError> {
    let contact = Contact::new(Arc::clone(shared));
    let path = path_of(&caller.identity, "/sessions");
    let mut retry = Retry::new(Arc::clone(&shared.ids));
    loop {
        let (instance, held) = shared
            .spool
            .run(|tx| {
                let instance = rows::fact(tx, Fact::Instance)?.unwrap_or_default();
                Ok((instance, rows::list_held(tx, protocol::HELD_MAX)?))
            })
            .await?;
        let body = protocol::session(&caller.hostname, &instance, &held);
        let answer = caller.server.call(Call::new(Method::POST, &path, body)).await;
        let opened = answer
            .and_then(|answer| protocol::read_opened(&answer.body).ok_or_else(not_understood));
        let error = match opened {
            Ok(opened) => {
                contact.good().await;
                let (forget, now) = (opened.forget, shared.clock.now());
                let forgotten = shared
                    .spool
                    .run(move |tx| forget.into_iter().try_for_each(|id| rows::forget(tx, id, now)));
                forgotten.await?;
                tracing::info!(session = %opened.session, "a session has begun");
                let (shared, session) = (Arc::clone(shared), opened.session);
                let (heard, listed) = (Heard::new(Arc::clone(&shared.clock)), Notify::new());
                let wait = opened.wait;
                return Ok(Line { shared, session, wait, heard, listed, caller, contact });
            }
            Err(CallError::Unknown) => return Err(AgentError::Removed),
            Err(CallError::Refused { status, message }) => {
                return Err(AgentError::Refused { status, message });
            }
            Err(error) => error,
        };
        contact.lost(&error.to_string()).await;
        sleep(pause(&mut retry, &error)).await;
    }
}

impl Line {
    /// Calls, and notes whether the server answers. The path is that below the agent's own.
    pub async fn call(&self, call: Call<'_>) -> Result<Response, CallError> {
        let path = path_of(&self.caller.identity, call.path);
        let began = self.heard.now();
        let answer = self.caller.server.call(Call { path: &path, ..call }).await;
        match &answer {
            Err(CallError::NoAnswer { why, .. }) => self.contact.lost(why).await,
            _ => {
                self.heard.answered(began);
                self.contact.good().await;
            }
        }
        answer
    }

    /// Ends it on this side. Another session may begin.
    pub fn end(self) -> Caller {
        self.caller
    }

    /// Something that may be tried again and again.
    pub fn retry(&self) -> Retry {
        Retry::new(Arc::clone(&self.shared.ids))
    }
}

/// Waits before a call is made again, when that makes sense: not when the session is over.
pub async fn wait_after(retry: &mut Retry, error: CallError) -> Result<(), End> {
    match error {
        CallError::Unknown => Err(End::Removed),
        CallError::Conflict(_) => Err(End::Replaced),
        error => {
            if let CallError::Refused { status, message } = &error {
                tracing::error!(status, message, "the server does not take what it is told");
            }
            sleep(pause(retry, &error)).await;
            Ok(())
        }
    }
}

fn pause(retry: &mut Retry, error: &CallError) -> Duration {
    let pause = retry.pause();
    match error {
        CallError::NoAnswer { after: Some(after), .. } => pause.max(*after),
        _ => pause,
    }
}

fn path_of(identity: &Identity, rest: &str) -> String {
    format!("/beta/teams/{}/print-agents/{}{rest}", identity.team, identity.agent)
}
