//! What only those who work in the background share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use waybill_engine::app::App;
use waybill_engine::fair_queue::FairQueue;
use waybill_engine::per_team::PerTeam;
use waybill_engine::points::RefreshTimes;

use super::retention::Retention;

/// The background side of the running service.
pub struct Worker {
    /// The running service.
    pub app: App,
    /// The bookings and cancellations that are under way, by team.
    pub bookings_under_way: Arc<PerTeam>,
    /// The webhooks that are sent to now, by team.
    pub(super) webhooks: Arc<PerTeam>,
    /// The printers that are spoken to now, by team.
    pub(super) printers: Arc<PerTeam>,
    /// Where the accounts of a team wait for the pace at which its parcels are asked about.
    pub(super) tracking_queue: Arc<FairQueue>,
    /// The latest time by which things were forgotten.
    pub(super) retention: Retention,
    /// When service points were asked for.
    pub(super) point_times: RefreshTimes,
}

impl Worker {
    /// The background side of this service.
    pub fn new(app: App) -> Arc<Worker> {
        Arc::new(Worker {
            app,
            bookings_under_way: Arc::default(),
            webhooks: Arc::default(),
            printers: Arc::default(),
            tracking_queue: FairQueue::new(Semaphore::MAX_PERMITS, 1),
            retention: Retention::default(),
            point_times: RefreshTimes::default(),
        })
    }
}
