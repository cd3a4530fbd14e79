//! What only those who answer requests share: who calls how often, and what requests may hold.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use waybill_engine::app::App;
use waybill_engine::fair_queue::FairQueue;
use waybill_engine::per_team::PerTeam;

use super::caller::Callers;
use super::legacy::Sunset;
use super::legacy::resend::TakenLabels;
use super::limits::Limits;
use crate::heavy::Heavy;
use crate::memory::Memory;
use crate::open_files::connections_max;

const MIB: usize = 1024 * 1024;
/// For how long links to labels of the older API are good, unless the operator says otherwise.
const LEGACY_LINKS: Duration = Duration::from_hours(30 * 24);

/// The demo's own team and token.
#[derive(Clone, Debug)]
pub struct Demo {
    /// The UUID of its team.
    pub team: String,
    /// A token of its administrator.
    pub token: String,
    /// Whether it is for other machines too.
    pub is_public: bool,
}

/// What only some installations have.
#[derive(Clone, Default, Debug)]
pub struct Extras {
    /// The demo's team and token.
    pub demo: Option<Demo>,
    /// When the older API ends.
    pub legacy_sunset: Option<Sunset>,
    /// For how long the links to its labels are good, where that is not the usual time.
    pub legacy_links: Option<Duration>,
}

/// The HTTP side of the running service.
pub struct Api {
    app: App,
    callers: Callers,
    limits: Limits,
    bodies: Arc<Memory>,
    answers: Arc<Memory>,
    heavy: Heavy,
    costly_queue: Arc<FairQueue>,
    callback_queue: Arc<FairQueue>,
    streams: Arc<PerTeam>,
    waiting_bookings: Arc<PerTeam>,
    waiting_bookings_max: i64,
    waiting_agents: Arc<PerTeam>,
    taken_labels: Arc<TakenLabels>,
    extras: Extras,
}

impl Api {
    /// The HTTP side of this service, with these limits.
    pub fn new(app: App, limits: Limits) -> Arc<Api> {
        Api::with_extras(app, limits, Extras::default())
    }

    /// The same with what this installation has besides.
    pub fn with_extras(app: App, limits: Limits, extras: Extras) -> Arc<Api> {
        Arc::new(Api {
            app,
            callers: Callers::default(),
            limits,
            bodies: Memory::new(96 * MIB, 24 * MIB),
            answers: Memory::new(96 * MIB, 32 * MIB),
            heavy: Heavy::default(),
            costly_queue: FairQueue::new(2, 1),
            callback_queue: FairQueue::new(Semaphore::MAX_PERMITS, 1),
            streams: Arc::default(),
            waiting_bookings: Arc::default(),
            waiting_agents: Arc::default(),
            taken_labels: Arc::default(),
            waiting_bookings_max: (connections_max() / 4).try_into().unwrap_or(i64::MAX),
            extras,
        })
    }

    /// The running service.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Who is calling, remembered for a moment.
    pub fn callers(&self) -> &Callers {
        &self.callers
    }

    /// How often they may.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What bodies that are received may hold.
    pub fn bodies(&self) -> &Arc<Memory> {
        &self.bodies
    }

    /// What answers that are sent may hold.
    pub fn answers(&self) -> &Arc<Memory> {
        &self.answers
    }

    /// Where large bodies are read and checked.
    pub fn heavy(&self) -> &Heavy {
        &self.heavy
    }

    /// Where a team waits for its turn to ask for what costs much.
    pub fn costly_queue(&self) -> &Arc<FairQueue> {
        &self.costly_queue
    }

    /// Lets the callbacks of each team in one after another.
    pub fn callback_queue(&self) -> &Arc<FairQueue> {
        &self.callback_queue
    }

    /// Who is being sent a stream.
    pub fn streams(&self) -> &Arc<PerTeam> {
        &self.streams
    }

    /// Who waits for a booking to end, by team.
    pub fn waiting_bookings(&self) -> &Arc<PerTeam> {
        &self.waiting_bookings
    }

    /// How many of one team may: others need connections too.
    pub fn waiting_bookings_max(&self) -> i64 {
        self.waiting_bookings_max
    }

    /// Who waits for something to print, by team.
    pub fn waiting_agents(&self) -> &Arc<PerTeam> {
        &self.waiting_agents
    }

    /// The demo's team and token, when this is a demo.
    pub fn demo(&self) -> Option<&Demo> {
        self.extras.demo.as_ref()
    }

    /// Labels of the older API that were taken, of which the store does not know yet.
    pub fn taken_labels(&self) -> &Arc<TakenLabels> {
        &self.taken_labels
    }

    /// For how long links to labels of the older API are good: shops keep them in their orders.
    pub fn legacy_link_life(&self) -> Duration {
        self.extras.legacy_links.unwrap_or(LEGACY_LINKS)
    }

    /// When the older API ends, as a header has it, where the operator has said so.
    pub fn legacy_sunset(&self) -> Option<&str> {
        self.extras.legacy_sunset.as_ref().map(Sunset::text)
    }
}
