//! Print agents: programs in warehouses that print what they are offered here. What may follow what
//! is said by `domain::printing`; here it is written down.
//!
//! Everything that an agent asks for locks its row first. So nothing of an old session is written
//! after a new one has begun, and no job is given away twice.

mod error;
mod offers;
mod presence;
mod printers;
mod removal;
mod reports;
mod session;

pub use error::AgentError;
pub use offers::{Offer, list as list_offers};
pub use presence::{LookedAfter, hear, is_heard, look_after};
pub use printers::{ReportedPrinter, replace as replace_printers};
pub use removal::remove;
pub use reports::{AgentReport, take as take_reports};
pub use session::{HeldJob, open as open_session};

use uuid::Uuid;
use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::token::TokenHash;
use waybill_store::print_agents::{self, PrintAgent};
use waybill_store::{Error, Tx};

/// An agent that calls, with the token that it called with.
#[derive(Clone, Copy, Debug)]
pub struct AgentCaller {
    /// Its team.
    pub team: TeamId,
    /// Which one.
    pub agent: PrintAgentId,
    /// What its token is looked up by.
    pub token: TokenHash,
}

impl AgentCaller {
    /// The agent as it is now, if its token is still good.
    pub fn find(&self, tx: &mut Tx<'_>) -> Result<PrintAgent, AgentError> {
        let found = print_agents::find(tx, self.team, self.agent)?;
        self.known(found)
    }

    /// The same, and nobody else changes it before this transaction ends.
    pub fn lock(&self, tx: &mut Tx<'_>) -> Result<PrintAgent, AgentError> {
        let found = print_agents::lock(tx, self.team, self.agent)?;
        self.known(found)
    }

    /// The same while this session is the agent's.
    pub fn lock_in_session(
        &self,
        tx: &mut Tx<'_>,
        session: Uuid,
    ) -> Result<PrintAgent, AgentError> {
        in_session(self.lock(tx)?, session)
    }

    /// The agent while this session is its own. It is only read.
    pub fn find_in_session(
        &self,
        tx: &mut Tx<'_>,
        session: Uuid,
    ) -> Result<PrintAgent, AgentError> {
        in_session(self.find(tx)?, session)
    }

    fn known(&self, found: Option<PrintAgent>) -> Result<PrintAgent, AgentError> {
        let has_token = |agent: &PrintAgent| agent.token_hash == Some(self.token);
        found.filter(has_token).ok_or(AgentError::Unknown)
    }
}

fn in_session(agent: PrintAgent, session: Uuid) -> Result<PrintAgent, AgentError> {
    match agent.session == Some(session) {
        true => Ok(agent),
        false => Err(AgentError::SessionOver),
    }
}

/// The spool that the agent's session works from. Every session has one.
fn spool(agent: &PrintAgent) -> Result<&str, Error> {
    let broken = || Error::Broken(format!("print agent {}: it has no spool", agent.id));
    agent.spool.as_deref().ok_or_else(broken)
}
