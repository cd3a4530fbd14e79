//! The link by which the first user comes in.

use std::time::Duration;

use waybill_domain::token::TokenKind;
use waybill_engine::app::App;
use waybill_store::{Error, setup_links};

/// For how long the link is good.
const LIFE: Duration = Duration::from_hours(24);

/// A new link, in the place of the one of an earlier start; none once there is a user.
pub async fn new_link(app: &App) -> Result<Option<String>, Error> {
    let link = TokenKind::Invitation.generate(app.ids().as_ref());
    let hash = TokenKind::Invitation.hash(link.expose()).expect("our own links are well-formed");
    let expires_at = app.now().plus(LIFE);
    let replace = app.write(move |tx| setup_links::any_replace(tx, &hash, expires_at));
    let is_open = replace.await?;
    Ok(is_open.then(|| format!("{}/console/welcome/{}", app.base_url(), link.expose())))
}
