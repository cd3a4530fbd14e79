//! What a row of the table is made of.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::Method;
use waybill_domain::access::Scope;
use waybill_domain::audit::Action;
use waybill_engine::agents::AgentCaller;

use crate::caller::{Caller, Member};
use crate::counts::Counts;
use crate::dialect::{Dialect, JSON};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send>>;

/// One operation.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path with `{parameters}`.
    pub path: String,
    /// Its name in the contract.
    pub operation: String,
    /// What answers it, and for whom.
    pub handler: Handler,
    /// How it speaks.
    pub dialect: &'static Dialect,
    /// What it costs to answer.
    pub cost: Cost,
    /// What the audit log calls it, where it has a line there.
    pub action: Option<Action>,
    /// How often it was called.
    pub counts: Counts,
}

/// What it costs to answer an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// Little, unless the body or the page is large.
    Usual,
    /// Much, however short the question is.
    Much,
    /// It waits for a carrier: the next one of the same team should not wait for that too.
    WaitsForCarrier,
}

impl Route {
    /// The same with another cost.
    pub fn costing(self, cost: Cost) -> Route {
        Route { cost, ..self }
    }

    /// The same, with a line in the audit log for what it changes.
    pub fn audited(self, action: Action) -> Route {
        Route { action: Some(action), ..self }
    }

    /// The same in another dialect.
    pub fn speaking(self, dialect: &'static Dialect) -> Route {
        Route { dialect, ..self }
    }
}

/// What answers an operation. Its kind is also who may call it.
pub enum Handler {
    /// Anyone.
    Public(Box<dyn Fn(Request) -> Answer + Send + Sync>),
    /// Any valid token, with the scope where there is one.
    User {
        /// The scope that the token needs.
        scope: Option<Scope>,
        /// The function.
        answer: Box<dyn Fn(Request, Arc<Caller>) -> Answer + Send + Sync>,
    },
    /// The print agent in the path.
    Agent(Box<dyn Fn(Request, AgentCaller) -> Answer + Send + Sync>),
    /// A member of the team in the path whose token has the scope, if there is one.
    Team {
        /// The scope that the token needs, where it needs one.
        scope: Option<Scope>,
        /// Whether the member must be an administrator.
        needs_admin: bool,
        /// The function.
        answer: Box<dyn Fn(Request, Member) -> Answer + Send + Sync>,
    },
}

/// Who may call, without the function: for the tests that walk all routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Anyone.
    Public,
    /// Any valid token.
    User,
    /// Any valid token with the scope, whatever its teams.
    Scoped(Scope),
    /// The print agent in the path.
    Agent,
    /// A member, whatever the scopes of the token.
    Member,
    /// A member whose token has the scope.
    Team(Scope),
    /// An administrator whose token has the scope.
    Admin(Scope),
}

impl Handler {
    /// Who may call.
    pub fn access(&self) -> Access {
        match self {
            Handler::Public(_) => Access::Public,
            Handler::Agent(_) => Access::Agent,
            Handler::User { scope: None, .. } => Access::User,
            Handler::User { scope: Some(scope), .. } => Access::Scoped(*scope),
            Handler::Team { scope: None, .. } => Access::Member,
            Handler::Team { scope: Some(scope), needs_admin: false, .. } => Access::Team(*scope),
            Handler::Team { scope: Some(scope), needs_admin: true, .. } => Access::Admin(*scope),
        }
    }
}

/// A row.
pub fn route(method: Method, path: &str, operation: &str, handler: Handler) -> Route {
    let (path, operation) = (path.to_owned(), operation.to_owned());
    let (cost, counts) = (Cost::Usual, Counts::default());
    Route { method, path, operation, handler, dialect: &JSON, cost, action: None, counts }
}

/// Two rows: the area is served under `/v2` and `/beta` by the same handler.
pub fn both(
    method: Method,
    path: &str,
    operation: &str,
    handler: impl Fn() -> Handler,
) -> [Route; 2] {
    [
        route(method.clone(), &format!("/v2{path}"), operation, handler()),
        route(method, &format!("/beta{path}"), &format!("{operation}Beta"), handler()),
    ]
}

/// Anyone may call.
pub fn public<F, A>(answer: F) -> Handler
where
    F: Fn(Request) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    Handler::Public(Box::new(move |request| Box::pin(answer(request))))
}

/// Any valid token may call.
pub fn user<F, A>(answer: F) -> Handler
where
    F: Fn(Request, Arc<Caller>) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let answer = Box::new(move |request, caller| Box::pin(answer(request, caller)) as Answer);
    Handler::User { scope: None, answer }
}

/// Any valid token with the scope may call.
pub fn scoped<F, A>(scope: Scope, answer: F) -> Handler
where
    F: Fn(Request, Arc<Caller>) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let answer = Box::new(move |request, caller| Box::pin(answer(request, caller)) as Answer);
    Handler::User { scope: Some(scope), answer }
}

/// The print agent in the path may call, with its own token.
pub fn agent<F, A>(answer: F) -> Handler
where
    F: Fn(Request, AgentCaller) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    Handler::Agent(Box::new(move |request, agent| Box::pin(answer(request, agent))))
}

/// Members of the team may call.
pub fn team<F, A>(scope: Scope, answer: F) -> Handler
where
    F: Fn(Request, Member) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let answer = Box::new(move |request, member| Box::pin(answer(request, member)) as Answer);
    Handler::Team { scope: Some(scope), needs_admin: false, answer }
}

/// Administrators of the team may call.
pub fn admin<F, A>(scope: Scope, answer: F) -> Handler
where
    F: Fn(Request, Member) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let answer = Box::new(move |request, member| Box::pin(answer(request, member)) as Answer);
    Handler::Team { scope: Some(scope), needs_admin: true, answer }
}
