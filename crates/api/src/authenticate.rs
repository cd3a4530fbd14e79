//! From the token of a request to its caller.

use std::sync::Arc;

use waybill_domain::access::{Scopes, UnknownScope};
use waybill_domain::audit::Actor;
use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::token::TokenHash;
use waybill_engine::agents::AgentCaller;
use waybill_store::members::Role;
use waybill_store::oauth::access::{self, AppBearer};
use waybill_store::tokens::Membership;
use waybill_store::{Error, print_agents, tokens};

use super::caller::{Caller, Client, Principal};
use super::reply::{ApiError, NoCaller};
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
            Err(ApiError::Unauthenticated(NoCaller::Unknown))
        }
        _ => Ok(caller),
    }
}

/// Whose a token is.
enum Bearer {
    User(Box<tokens::Bearer>),
    App(Box<AppBearer>),
    Agent(TeamId, PrintAgentId, (String, String)),
}

async fn look_up(request: &Request, hash: TokenHash) -> Result<Arc<Caller>, ApiError> {
    let found = request.read(move |tx| {
        if let Some(user) = tokens::any_find_by_hash(tx, &hash)? {
            return Ok(Some(Bearer::User(Box::new(user))));
        }
        if let Some(app) = access::any_find_by_hash(tx, &hash)? {
            return Ok(Some(Bearer::App(Box::new(app))));
        }
        let agent = print_agents::any_find_by_token(tx, &hash)?;
        Ok::<_, Error>(agent.map(|(team, id, of_team)| Bearer::Agent(team, id, of_team)))
    });
    match found.await? {
        Some(Bearer::User(bearer)) if bearer.token.revoked_at.is_none() => user(request, *bearer),
        Some(Bearer::App(bearer)) if bearer.token.revoked_at.is_none() => app(*bearer),
        Some(Bearer::Agent(team, agent, (language, domain))) => {
            let who = AgentCaller { team, agent, token: hash };
            Ok(Arc::new(self::agent(who, language, domain)))
        }
        _ => Err(ApiError::Unauthenticated(NoCaller::Unknown)),
    }
}

fn user(request: &Request, mut bearer: tokens::Bearer) -> Result<Arc<Caller>, ApiError> {
    let bound_to = bearer.token.team;
    bearer.memberships.retain(|own| bound_to.is_none_or(|team| team == own.team));
    let scopes = scopes(&bearer.token.scopes)?;
    note_use(request, &bearer.token);
    let actor = Actor::token(bearer.token.id.into(), (&bearer.user.name, &bearer.token.name));
    Ok(Arc::new(Caller {
        principal: Principal::User(bearer.user),
        token: Some(bearer.token.id),
        app: None,
        bound_to,
        actor: Arc::new(actor),
        scopes,
        expires_at: bearer.token.expires_at,
        memberships: bearer.memberships,
    }))
}

/// An app, for a user or for itself, in the one team of its token.
fn app(bearer: AppBearer) -> Result<Arc<Caller>, ApiError> {
    let AppBearer { token, client_name, user, membership, .. } = bearer;
    // Whoever left the team has ended the token by that.
    let membership = membership.ok_or(ApiError::Unauthenticated(NoCaller::Unknown))?;
    let actor = match &user {
        Some(user) => Actor::app(token.client.into(), (&user.name, &client_name)),
        None => Actor::client(token.client.into(), &client_name),
    };
    let principal = match user {
        Some(user) => Principal::User(user),
        None => Principal::Client(Client { id: token.client, name: client_name }),
    };
    Ok(Arc::new(Caller {
        principal,
        token: Some(token.id),
        app: Some(token.client),
        bound_to: Some(token.team),
        actor: Arc::new(actor),
        // What is for operators it has not: it is bound to a team (`Caller::has`).
        scopes: scopes(&token.scopes)?,
        expires_at: Some(token.expires_at),
        memberships: vec![membership],
    }))
}

fn scopes(text: &str) -> Result<Scopes, ApiError> {
    let wrong = |UnknownScope(name)| format!("token with the unknown scope {name}");
    Scopes::parse(text).map_err(|error| ApiError::Internal(wrong(error)))
}

/// A print agent, which has one scope, in its team, and is a member of nothing else.
fn agent(who: AgentCaller, language: String, domain: String) -> Caller {
    let membership = Membership { team: who.team, role: Role::Member, language, domain };
    Caller {
        principal: Principal::Agent(who),
        token: None,
        app: None,
        bound_to: Some(who.team),
        actor: Arc::new(Actor::client(who.agent.into(), "print agent")),
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
