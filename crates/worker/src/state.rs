//! What only those who work in the background share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use waybill_engine::app::App;
use waybill_engine::per_team::PerTeam;
use waybill_engine::turns::Turns;

use super::retention::Retention;

/// The background side of the running service.
pub struct Worker {
    /// The running service.
    pub app: App,
    /// The bookings and cancellations that are under way, by team.
    pub bookings_under_way: Arc<PerTeam>,
    /// The webhooks that are sent to now, by team.
    pub(super) webhooks: Arc<PerTeam>,
    /// Whose turn it is to wait for the pace at which a team's parcels are asked about.
    pub(super) tracking_turns: Arc<Turns>,
    /// The latest time by which things were forgotten.
    pub(super) retention: Retention,
}

impl Worker {
    /// The background side of this service.
    pub fn new(app: App) -> Arc<Worker> {
        Arc::new(Worker {
            app,
            bookings_under_way: Arc::default(),
            webhooks: Arc::default(),
            tracking_turns: Turns::new(Semaphore::MAX_PERMITS, 1),
            retention: Retention::default(),
        })
    }
}
