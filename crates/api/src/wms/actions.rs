//! What is done with a request: everything but shipping. Repeating it is harmless.

use waybill_domain::ids::FulfilmentId;
use waybill_domain::wms::Action;
use waybill_engine::fulfilment::{self, Outcome};

use super::fulfilments::{find, view};
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST …/fulfilment-requests/{request}/allocate`
pub async fn allocate(request: Request, member: Member) -> Result<Reply, ApiError> {
    act(request, member, Action::Allocate).await
}

/// `POST …/fulfilment-requests/{request}/pick`
pub async fn pick(request: Request, member: Member) -> Result<Reply, ApiError> {
    act(request, member, Action::Pick).await
}

/// `POST …/fulfilment-requests/{request}/pack`
pub async fn pack(request: Request, member: Member) -> Result<Reply, ApiError> {
    act(request, member, Action::Pack).await
}

/// `POST …/fulfilment-requests/{request}/cancel`
pub async fn cancel(request: Request, member: Member) -> Result<Reply, ApiError> {
    act(request, member, Action::Cancel).await
}

async fn act(mut request: Request, member: Member, action: Action) -> Result<Reply, ApiError> {
    let id = request.id("request", FulfilmentId::parse)?;
    find(&request, member, id).await?;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    let (app, now) = (request.app.clone(), request.now);
    let done = request.write(move |tx| fulfilment::act(tx, &app, member.team, (id, action), now));
    match done.await?.ok_or(ApiError::NotFound)? {
        Outcome::Refused(why) => Err(ApiError::Conflict(why)),
        Outcome::Done(after) => {
            request.app.wake_runner();
            Ok(Reply::data(view(&after)).private())
        }
    }
}
