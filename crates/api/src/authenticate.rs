//! From the token of a request to its caller.

use std::sync::Arc;

use waybill_domain::access::{Scopes, UnknownScope};
use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::token::TokenHash;
use waybill_engine::agents::AgentCaller;
use waybill_store::members::Role;
use waybill_store::tokens::Membership;
use waybill_store::{Error, print_agents, tokens};

use super::caller::{Caller, Principal};
use super::reply::ApiError;
use super::request::Request;

/// The caller behind the request's token.
pub async fn authenticate(request: &Request) -> Result<Arc<Caller>, ApiError> {
    let hash = request.token_hash()?;
    let monotonic = request.app.monotonic();
    let caller = match request.api.callers().find(&hash, monotonic) {
        Some(caller) => caller,
        None => {
            let caller = look_up(request, hash).await?;
            request.api.callers().remember(hash, monotonic, caller.clone());
            caller
        }
    };
    match caller.expires_at {
        Some(expires_at) if expires_at <= request.now => {
            Err(ApiError::Unauthenticated { is_malformed: false })
        }
        _ => Ok(caller),
    }
}

/// Whose a token is.
enum Bearer {
    User(tokens::Bearer),
    Agent(TeamId, PrintAgentId, String),
}

async fn look_up(request: &Request, hash: TokenHash) -> Result<Arc<Caller>, ApiError> {
    let found = request.read(move |tx| {
        if let Some(user) = tokens::any_find_by_hash(tx, &hash)? {
            return Ok(Some(Bearer::User(user)));
        }
        let agent = print_agents::any_find_by_token(tx, &hash)?;
        Ok::<_, Error>(agent.map(|(team, id, language)| Bearer::Agent(team, id, language)))
    });
    match found.await? {
        Some(Bearer::User(bearer)) if bearer.token.revoked_at.is_none() => user(request, bearer),
        Some(Bearer::Agent(team, agent, language)) => {
            let who = AgentCaller { team, agent, token: hash };
            Ok(Arc::new(self::agent(who, language)))
        }
        _ => Err(ApiError::Unauthenticated { is_malformed: false }),
    }
}

fn user(request: &Request, bearer: tokens::Bearer) -> Result<Arc<Caller>, ApiError> {
    let scopes = Scopes::parse(&bearer.token.scopes).map_err(|UnknownScope(name)| {
        ApiError::Internal(format!("token with the unknown scope {name}"))
    })?;
    note_use(request, &bearer.token);
    Ok(Arc::new(Caller {
        principal: Principal::User(bearer.user),
        token: Some(bearer.token.id),
        scopes,
        expires_at: bearer.token.expires_at,
        memberships: bearer.memberships,
    }))
}

/// A print agent, which has one scope, in its team, and is a member of nothing else.
fn agent(who: AgentCaller, language: String) -> Caller {
    let membership = Membership { team: who.team, role: Role::Member, language };
    Caller {
        principal: Principal::Agent(who),
        token: None,
        scopes: Scopes::of_agent(),
        expires_at: None,
        memberships: vec![membership],
    }
}

/// Keeps `last_used_at`, coarsely, and without making the caller wait for it.
fn note_use(request: &Request, token: &tokens::Token) {
    let is_recent = token.last_used_at.is_some_and(|at| request.now.since(at) < tokens::TOUCH);
    if is_recent {
        return;
    }
    let (store, id, now) = (request.app.store().clone(), token.id, request.now);
    tokio::spawn(async move {
        let noted = store.write(move |tx| tokens::any_touch(tx, id, now)).await;
        if let Err(error) = noted {
            tracing::warn!(%error, "the last use of a token was not noted");
        }
    });
}
