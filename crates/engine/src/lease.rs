//! The lease of a job that is being worked on.

use waybill_domain::time::Time;
use waybill_store::{Error, Tx, jobs};

use crate::app::{App, lease};
use crate::planted;

/// Does what may take longer than the lease, and renews the lease meanwhile. Nothing when another
/// worker has the job by now: the work is dropped then.
///
/// A store that cannot be reached does not end the work. What it comes to is written under the
/// fence, so it counts for nothing when somebody has taken over until then.
pub async fn keep<T>(
    app: &App,
    claimed: &jobs::Claimed,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = renew_until_lost(app, claimed) => None,
    }
}

async fn renew_until_lost(app: &App, claimed: &jobs::Claimed) {
    loop {
        tokio::time::sleep(lease() / 3).await;
        let (job, now) = (claimed.clone(), app.now());
        match app.write(move |tx| renew(tx, &job, now)).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(%error, "a lease was not renewed"),
        }
    }
}

/// Whether the lease is still ours; if so it is renewed.
pub fn renew(tx: &mut Tx<'_>, claimed: &jobs::Claimed, now: Time) -> Result<bool, Error> {
    let now = tx.now(now)?;
    // A lease that was just given is as good as a new one.
    let enough = now.plus(lease() * 5 / 6);
    Ok(jobs::renew(tx, claimed, enough, now.plus(lease()))? || planted::is("no-fence"))
}
