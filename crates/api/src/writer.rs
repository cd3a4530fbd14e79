//! How requests write. What is written for a team that was deleted would be found by nobody, and
//! still be done: so each write of a request holds the team of its route, and nothing is written
//! when it is gone.

use std::sync::Arc;

use waybill_domain::ids::TeamId;
use waybill_engine::app::App;
use waybill_engine::timings::{Part, Timings};
use waybill_store::{Error, Tx, teams};

/// What a request needs to write, also when it goes on alone.
pub struct Writer {
    /// The running service.
    pub app: App,
    /// How long the parts of the request took.
    pub timings: Arc<Timings>,
    /// The team of its route, where that has one.
    pub team: Option<TeamId>,
}

impl Writer {
    /// Writes to the store.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.timed(self.app.write(holding(self.team, work))).await
    }

    /// The same for a short closure, in a transaction that others may share.
    pub async fn write_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.timed(self.app.write_grouped(holding(self.team, work))).await
    }

    async fn timed<T>(&self, work: impl Future<Output = T>) -> T {
        self.timings.during(self.app.clock().as_ref(), Part::Db, work).await
    }
}

/// Does the work while nobody can delete the team.
fn holding<T, E: From<Error>>(
    team: Option<TeamId>,
    mut work: impl FnMut(&mut Tx<'_>) -> Result<T, E>,
) -> impl FnMut(&mut Tx<'_>) -> Result<T, E> {
    move |tx| {
        if let Some(team) = team {
            teams::hold(tx, team)?;
        }
        work(tx)
    }
}
