//! Who calls, and for which websites.

use std::sync::Arc;

use waybill_domain::json::Json;

use super::site::Site;
use crate::caller::{Caller, Principal};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `GET /api/v1/me` and `GET /api/v1/user`
pub async fn me(_: Request, caller: Arc<Caller>) -> Result<Reply, ApiError> {
    let (uuid, name, email) = account(&caller)?;
    let own = caller.memberships().iter().filter(|own| caller.reaches(own.team));
    let websites = own.map(|own| {
        Json::object([("uuid", Json::text(own.team)), ("url", own.domain.as_str().into())])
    });
    Ok(Reply::data(Json::object([
        ("uuid", uuid),
        ("name", name),
        ("email", email),
        ("websites", Json::list(websites)),
    ])))
}

/// `GET /api/v1/website/{team}/`
pub async fn website(request: Request, site: Site) -> Result<Reply, ApiError> {
    let caller = request.who.clone().ok_or(ApiError::NotFound)?;
    let (uuid, name, email) = account(&caller)?;
    Ok(Reply::data(Json::object([
        ("id", uuid.clone()),
        ("uuid", uuid),
        ("name", name),
        ("email", email),
        ("website", site.domain(&request).into()),
    ])))
}

/// The id, the name and the e-mail address of the caller. A program that acts for itself has none.
fn account(caller: &Caller) -> Result<(Json, Json, Json), ApiError> {
    let uuid = Json::text(caller.principal.id());
    match &caller.principal {
        Principal::User(user) => Ok((uuid, user.name.as_str().into(), user.email.as_str().into())),
        Principal::Client(client) => Ok((uuid, client.name.as_str().into(), Json::Null)),
        Principal::Agent(_) => Err(ApiError::NotForAgents),
    }
}
