//! The file of a job, while the agent is offered or holds it.

use waybill_domain::ids::PrintJobId;
use waybill_domain::printing::{Custody, PrintStep};
use waybill_engine::agents::{self, AgentCaller, AgentError};
use waybill_store::print_agents::PrintAgent;
use waybill_store::print_jobs::PrintJob;
use waybill_store::{Tx, documents, print_jobs};

use crate::files;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `GET …/jobs/{job}/file`
pub async fn file(request: Request, caller: AgentCaller) -> Result<Reply, ApiError> {
    let id = request.id("job", PrintJobId::parse)?;
    let now = request.now;
    let read = move |tx: &mut Tx<'_>| {
        let agent = caller.find(tx)?;
        let is_heard = agents::is_heard(tx, &agent, now)?;
        let job = print_jobs::find(tx, caller.team, id)?;
        let document = match job.filter(|job| may_have(&agent, job)) {
            Some(job) => documents::find(tx, caller.team, job.document)?,
            None => None,
        };
        Ok::<_, AgentError>((is_heard, document))
    };
    let (is_heard, document) = request.read(read).await?;
    let document = document.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    if !is_heard {
        let note = request.write(move |tx| {
            let agent = caller.lock(tx)?;
            match agent.session {
                Some(_) => Ok::<_, AgentError>(agents::hear(tx, caller.team, &agent, now)?),
                None => Ok(()),
            }
        });
        note.await?;
    }
    files::send(&request, &document).await
}

/// Whether the job is offered to the agent, or held by it and not over.
fn may_have(agent: &PrintAgent, job: &PrintJob) -> bool {
    let Some(spool) = agent.spool.as_deref() else { return false };
    match job.custody((agent.id, spool)) {
        Custody::Offered => true,
        Custody::Held { .. } => job.step != PrintStep::Over,
        Custody::Foreign => false,
    }
}
