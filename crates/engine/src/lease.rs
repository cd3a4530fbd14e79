//! The lease of a job that is being worked on.

use waybill_domain::time::Time;
use waybill_store::{Error, Tx, jobs};

use crate::app::lease;

/// Whether the lease is still ours; if so it is renewed.
pub fn renew(tx: &mut Tx<'_>, claimed: &jobs::Claimed, now: Time) -> Result<bool, Error> {
    let until = tx.now(now)?.plus(lease());
    jobs::renew(tx, claimed, until)
}
