//! Who is asking: a caller, who becomes a member of the team in the path.
//!
//! A caller is remembered for less than a second. A revocation on this server forgets it at once;
//! one on another server, or by the command line, holds within that second.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::access::{Role, Scope, Scopes};
use waybill_domain::audit::Actor;
use waybill_domain::ids::{OAuthClientId, PrintAgentId, TeamId, TokenId, UserId};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;
use waybill_engine::agents::AgentCaller;
use waybill_store::oauth::access::{self, AppBearer};
use waybill_store::{Error, Tx, tokens, users};

use super::limits::Bucket;
use super::reply::ApiError;

/// Less than the second in which a revocation must hold everywhere.
pub(super) const REMEMBERED: Duration = Duration::from_millis(900);
/// More callers than this within a second start the memory over.
const CALLERS_MAX: usize = 10_000;

/// Who is behind a credential. Whatever is not for users alone asks for its id, and not for the
/// user.
#[derive(Debug)]
pub enum Principal {
    /// A person with an account.
    User(users::User),
    /// A program that prints in a warehouse.
    Agent(AgentCaller),
    /// A program that acts for itself in one team.
    Client(Client),
}

/// An OAuth client that acts for itself.
#[derive(Debug)]
pub struct Client {
    /// Its id.
    pub id: OAuthClientId,
    /// Its name.
    pub name: String,
}

impl Principal {
    /// Its id, which its requests are counted by.
    pub fn id(&self) -> Uuid {
        match self {
            Principal::User(user) => user.id.0,
            Principal::Agent(agent) => agent.agent.0,
            Principal::Client(client) => client.id.0,
        }
    }

    /// The user, where it is one.
    pub fn user(&self) -> Option<&users::User> {
        match self {
            Principal::User(user) => Some(user),
            Principal::Agent(_) | Principal::Client(_) => None,
        }
    }
}

/// Somebody with a valid token.
#[derive(Debug)]
pub struct Caller {
    /// Who it is.
    pub principal: Principal,
    /// The token that was used, where it is a user's or an app's.
    pub token: Option<TokenId>,
    /// The app that made the request, for a user or for itself.
    pub app: Option<OAuthClientId>,
    /// The one team that the credential is good for, where it is bound to one. To it every other
    /// team looks like one that does not exist, also those that its user is in.
    pub bound_to: Option<TeamId>,
    /// How the audit log calls it.
    pub actor: Arc<Actor>,
    pub(super) scopes: Scopes,
    pub(super) expires_at: Option<Time>,
    pub(super) memberships: Vec<tokens::Membership>,
}

/// A caller in one of its teams, with the right to do what the route does.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The team in the path.
    pub team: TeamId,
    /// The user, where the caller is one.
    pub user: Option<UserId>,
}

impl Caller {
    /// The caller as a member of this team, and the team's language. A team that the caller is not
    /// in looks like one that does not exist.
    pub fn in_team(&self, team: TeamId) -> Result<(Member, Language), ApiError> {
        let membership = self.membership(team).ok_or(ApiError::NotFound)?;
        let language = Language::parse(&membership.language).unwrap_or(Language::En);
        let user = self.principal.user().map(|user| user.id);
        Ok((Member { team, user }, language))
    }

    /// The bucket that its requests are taken from: a user's is this one.
    pub fn bucket(&self, of_user: Bucket) -> Bucket {
        match &self.principal {
            Principal::User(_) | Principal::Client(_) => of_user,
            Principal::Agent(agent) => Bucket::Agent(agent.agent),
        }
    }

    /// The caller as this agent. Another agent looks like one that does not exist.
    pub fn as_agent(
        &self,
        team: TeamId,
        agent: Option<PrintAgentId>,
    ) -> Result<AgentCaller, ApiError> {
        match &self.principal {
            Principal::Agent(own) if own.team == team && Some(own.agent) == agent => Ok(*own),
            Principal::Agent(_) => Err(ApiError::NotFound),
            Principal::User(_) | Principal::Client(_) => {
                self.membership(team).ok_or(ApiError::NotFound)?;
                Err(ApiError::LacksScope(Scope::PRINT_AGENT))
            }
        }
    }

    /// Whether it is a user or an app, whatever the scopes of its token are.
    pub fn is_no_agent(&self) -> Result<(), ApiError> {
        match self.principal {
            Principal::Agent(_) => Err(ApiError::NotForAgents),
            Principal::User(_) | Principal::Client(_) => Ok(()),
        }
    }

    /// The teams in which its token is good, with its role in each.
    pub fn memberships(&self) -> &[tokens::Membership] {
        &self.memberships
    }

    /// Whether the token has the scope.
    pub fn has(&self, scope: Scope) -> Result<(), ApiError> {
        let is_allowed = !scope.is_operators() || self.is_operator();
        match self.scopes.allow(scope) && is_allowed {
            true => Ok(()),
            false => Err(ApiError::LacksScope(scope)),
        }
    }

    /// Whether the token has all of these scopes.
    pub fn has_these(&self, scopes: &Scopes) -> Result<(), ApiError> {
        let all = [Scope::EVERYTHING].into_iter().filter(|_| scopes.is_all());
        let named = Scope::ALL.iter().copied().filter(|scope| scopes.names(*scope));
        all.chain(named).try_for_each(|scope| self.has(scope))
    }

    /// The user behind a token that is good wherever the user is. What is the user's own, in all
    /// teams, is not for a token of one team, nor for an app or a program.
    pub fn as_user(&self) -> Result<&users::User, ApiError> {
        let user = self.principal.user().ok_or(ApiError::NotForClients)?;
        match self.bound_to {
            None => Ok(user),
            Some(_) => Err(ApiError::NotForOneTeam),
        }
    }

    /// Whether it is somebody who runs the installation. In a team nobody is that.
    fn is_operator(&self) -> bool {
        self.bound_to.is_none() && self.principal.user().is_some_and(|user| user.is_operator)
    }

    /// Whether the token has all that its user's role allows.
    pub fn has_all(&self) -> bool {
        self.scopes.is_all()
    }

    /// Whether the token and the role allow this in the team.
    pub fn may(&self, team: TeamId, scope: Scope, needs_admin: bool) -> Result<(), ApiError> {
        self.has(scope)?;
        let role = self.membership(team).map(|membership| membership.role);
        if needs_admin && role != Some(Role::Admin) {
            return Err(ApiError::LacksRole);
        }
        Ok(())
    }

    /// Whether the credential is good for the team, if its user is in it.
    pub fn reaches(&self, team: TeamId) -> bool {
        self.bound_to.is_none_or(|bound_to| bound_to == team)
    }

    fn membership(&self, team: TeamId) -> Option<&tokens::Membership> {
        let mut own = self.memberships.iter().filter(|own| self.reaches(own.team));
        own.find(|membership| membership.team == team)
    }
}

/// Callers seen within the last second.
#[derive(Default)]
pub struct Callers {
    seen: Mutex<HashMap<TokenHash, (Duration, Arc<Caller>)>>,
}

impl Callers {
    /// Forgets everyone, because somebody's rights have changed.
    pub fn forget(&self) {
        self.seen().clear();
    }

    /// The caller with this token, if it was seen within the last second.
    pub(super) fn find(&self, hash: &TokenHash, monotonic: Duration) -> Option<Arc<Caller>> {
        let seen = self.seen();
        let (until, caller) = seen.get(hash)?;
        (*until > monotonic).then(|| caller.clone())
    }

    /// Keeps a caller for less than a second.
    pub(super) fn remember(&self, hash: TokenHash, monotonic: Duration, caller: Arc<Caller>) {
        let mut seen = self.seen();
        if seen.len() >= CALLERS_MAX {
            seen.clear();
        }
        seen.insert(hash, (monotonic + REMEMBERED, caller));
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<TokenHash, (Duration, Arc<Caller>)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the token is still good and its user still in the team: for answers that go on.
pub fn is_good(tx: &mut Tx<'_>, hash: &TokenHash, team: TeamId, now: Time) -> Result<bool, Error> {
    let Some(bearer) = tokens::any_find_by_hash(tx, hash)? else {
        let app = access::any_find_by_hash(tx, hash)?;
        let is_live =
            |app: &AppBearer| app.token.revoked_at.is_none() && app.token.expires_at > now;
        let own = app.filter(is_live).and_then(|app| app.membership);
        return Ok(own.is_some_and(|membership| membership.team == team));
    };
    let tokens::Token { revoked_at, expires_at, .. } = bearer.token;
    let is_live = revoked_at.is_none() && expires_at.is_none_or(|at| at > now);
    let is_bound = bearer.token.team.is_none_or(|bound_to| bound_to == team);
    let is_member = bearer.memberships.iter().any(|membership| membership.team == team);
    Ok(is_live && is_bound && is_member)
}
