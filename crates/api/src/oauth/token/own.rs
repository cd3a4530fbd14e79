//! A client that acts for itself, in its one team.

use waybill_domain::oauth::{ErrorCode, asked_scopes};
use waybill_store::oauth::clients::{self, Client};
use waybill_store::{Error, Tx, teams};

use super::issued::{Issued, stored_scopes};
use super::made::Secrets;
use crate::oauth::form::Form;
use crate::oauth::refusal::Refusal;
use crate::request::Request;

pub(super) async fn give(
    request: &Request,
    form: &Form,
    client: Client,
    secrets: Secrets,
) -> Result<Issued, Refusal> {
    let team = client.team.ok_or(ErrorCode::UnauthorizedClient)?;
    let scopes = asked_scopes(form.get("scope"), &stored_scopes(&client.scopes)?)?.to_string();
    let (id, now, granted) = (client.id, request.now, scopes.clone());
    let insert = move |tx: &mut Tx<'_>| {
        // The team first, as whoever deletes it locks them.
        teams::hold(tx, team)?;
        if !clients::any_lock(tx, id)? {
            return Ok(false);
        }
        clients::any_touch(tx, id, now)?;
        secrets.insert_own(tx, (id, team), &granted, now)?;
        Ok::<_, Error>(true)
    };
    match request.write(insert).await {
        Ok(true) => Ok(Issued { scopes, team, is_renewable: false }),
        // Deleted a moment ago.
        Ok(false) => Err(ErrorCode::InvalidClient.into()),
        // It acts for itself nowhere any more.
        Err(Error::TeamDeleted) => Err(ErrorCode::UnauthorizedClient.into()),
        Err(error) => Err(error.into()),
    }
}
