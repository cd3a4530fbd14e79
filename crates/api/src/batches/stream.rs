//! The progress of a batch as server-sent events: the batch at once, again at every change, and a
//! last time when it is over.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::token::TokenHash;
use waybill_engine::app::App;
use waybill_engine::per_team::TeamSlot;
use waybill_engine::wake::Waiter;
use waybill_store::batches::{self, Batch};

use super::view;
use crate::caller::{self, Member};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Changes that follow each other faster are told as one.
const PAUSE: Duration = Duration::from_millis(100);
/// Where another process may do the booking, its hint may be lost. Together with the pause
/// it is less than the second within which a revoked token must end the stream.
const LOOK: Duration = Duration::from_millis(500);
/// So often something is sent although nothing changed, lest a proxy thinks that we are gone.
const ALIVE: Duration = Duration::from_secs(10);

/// The state of a stream between two of its parts.
struct Watch {
    app: App,
    member: Member,
    /// The token that it was asked for with.
    token: TokenHash,
    waiter: Waiter,
    _slot: TeamSlot,
    /// What is to be told next.
    next: Option<Batch>,
    /// What was told last.
    told: Batch,
}

/// An answer that goes on until the batch is over, or the caller may not see it any more.
pub fn watch(request: &Request, member: Member, batch: Batch) -> Result<Reply, ApiError> {
    let token = request.token_hash()?;
    let quotas = request.app.quotas();
    let slot = request.api.streams().take(member.team, quotas.limit(Quota::Streams));
    let slot = slot.ok_or_else(|| ApiError::Conflict(quotas.reached(Quota::Streams)))?;
    let waiter = request.app.listen(batch.id.into());
    let (app, next) = (request.app.clone(), Some(batch.clone()));
    let watch = Watch { app, member, token, waiter, _slot: slot, next, told: batch };
    let parts = stream::unfold(Some(watch), |watch| async move {
        let mut watch = watch?;
        let part = watch.part().await?;
        let rest = if watch.told.state.is_final() { None } else { Some(watch) };
        Some((Ok::<_, Infallible>(Bytes::from(part)), rest))
    });
    Ok(Reply::stream("text/event-stream", Body::from_stream(parts)).private())
}

impl Watch {
    /// The next part of the stream; none when the batch cannot be read any more, by this caller or
    /// by anyone, or the server stops. Who may asks again then.
    async fn part(&mut self) -> Option<String> {
        if let Some(batch) = self.next.take() {
            return Some(event(&batch));
        }
        let mut quiet = Duration::ZERO;
        while quiet < ALIVE {
            let _signal_or_time = tokio::time::timeout(LOOK, self.waiter.wait()).await;
            tokio::time::sleep(PAUSE).await;
            quiet += LOOK;
            let (team, id) = (self.member.team, self.told.id);
            let (token, now) = (self.token, self.app.now());
            // Together, and with no memory in between: a revoked token sees nothing of what
            // happened afterwards.
            let batch = self.app.read(move |tx| {
                let may_see = caller::is_good(tx, &token, team, now)?;
                if may_see { batches::find(tx, team, id) } else { Ok(None) }
            });
            let batch = batch.await;
            let batch = batch.ok().flatten()?;
            if batch != self.told {
                self.told = batch;
                return Some(event(&self.told));
            }
            if self.app.is_stopping() {
                return None;
            }
        }
        Some(": still here\n\n".to_owned())
    }
}

fn event(batch: &Batch) -> String {
    format!("event: booking_batch\ndata: {}\n\n", Json::object([("data", view(batch))]))
}
