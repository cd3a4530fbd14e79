//! One or two servers, a team, and parcels that are followed.

use std::sync::Arc;

use tokio::runtime::Runtime;
use waybill_domain::booking::Step;
use waybill_domain::document::Format;
use waybill_domain::ids::{AccountId, IdSource, ShipmentId, TeamId, TrackingId};
use waybill_domain::language::Language;
use waybill_domain::shipment::{ShipmentState, Snapshot, StoredOrder};
use waybill_domain::time::{Clock, Time};
use waybill_domain::tracking::TrackingSummary;
use waybill_engine::app::App;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_store::shipments::Shipment;
use waybill_store::trackings::Tracking;
use waybill_store::{Error, Options, Store, carrier_accounts, shipments, trackings};

use crate::measure::Failure;
use crate::scratch::{Account, Scratch, app_builder};
use crate::store::Database;

/// The servers and what they serve.
pub struct Fixture {
    /// The servers; two where they can share a database.
    pub servers: Vec<App>,
    /// The team and its token.
    pub account: Account,
    /// The team's account with the carrier.
    pub carrier_account: AccountId,
    /// The numbers of the parcels.
    pub numbers: Vec<String>,
}

impl Fixture {
    /// Opens it with so many parcels.
    pub fn open(
        runtime: &Runtime,
        scratch: &Scratch,
        database: &Database,
        parcels: usize,
    ) -> Result<Fixture, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
        let (url, count) = match database {
            Database::Sqlite => (scratch.database("waybill.db"), 1),
            Database::Postgres(url) => (url.clone(), 2),
        };
        let mut servers = Vec::new();
        for _ in 0..count {
            let store = Store::open(&url, Options::default())?;
            let keys = Keys::load_or_create(&scratch.path().join("waybill.key"), ids.as_ref())?;
            let app_builder = app_builder(store, clock.clone(), ids.clone(), keys)?;
            servers.push(app_builder.build()?);
        }
        let now = clock.now();
        let account = Account::create(servers[0].store(), now, ids.as_ref())?;
        let carrier_account = AccountId(ids.uuid());
        let numbers: Vec<String> = (0..parcels).map(|n| format!("SBX{n:012}")).collect();
        let followed = follow(&servers[0], account.team, carrier_account, &numbers, now);
        runtime.block_on(followed)?;
        Ok(Fixture { servers, account, carrier_account, numbers })
    }
}

async fn follow(
    app: &App,
    team: TeamId,
    account: AccountId,
    numbers: &[String],
    now: Time,
) -> Result<(), Error> {
    let row = carrier_accounts::Account {
        id: account,
        carrier_code: "sandbox".to_owned(),
        name: "Sandbox".to_owned(),
        is_active: true,
        options: "{}".to_owned(),
        credentials: Vec::new(),
        created_at: now,
        updated_at: now,
    };
    let (ids, numbers) = (app.ids().clone(), numbers.to_vec());
    let write = move |tx: &mut waybill_store::Tx<'_>| {
        carrier_accounts::insert(tx, team, &row)?;
        for number in &numbers {
            let shipment = shipment(ShipmentId(ids.uuid()), account, now);
            shipments::insert(tx, team, &shipment)?;
            shipments::insert_tracking_number(tx, team, number, shipment.id)?;
            let tracking = Tracking {
                id: TrackingId(ids.uuid()),
                shipment: shipment.id,
                parcel: ids.uuid(),
                place: 0,
                account,
                carrier_code: "sandbox".to_owned(),
                service_code: "sandbox:home".to_owned(),
                number: number.clone(),
                url: Some(format!("https://track.sandbox.example/{number}")),
                summary: TrackingSummary::default(),
                created_at: now,
                look_at: None,
            };
            trackings::insert(tx, team, &tracking)?;
        }
        Ok(())
    };
    app.write(write).await
}

fn shipment(id: ShipmentId, account: AccountId, now: Time) -> Shipment {
    Shipment {
        id,
        // What became of its booking is of no interest here.
        state: ShipmentState::Failed,
        step: Step::Done,
        ending: None,
        identifier: None,
        reference: Some("BENCH".to_owned()),
        carrier_code: "sandbox".to_owned(),
        service_code: "sandbox:home".to_owned(),
        account,
        order: StoredOrder::from_stored("{}".to_owned()),
        snapshot: Snapshot {
            label_format: Format::Pdf,
            label_size: "100x150".to_owned(),
            label_dpi: 203,
            last_mile: None,
            language: Language::En,
            pickup_point: None,
            printing: None,
        },
        parcels: Vec::new(),
        codes: None,
        failure: None,
        carrier_reference: None,
        carrier_data: None,
        batch: None,
        batch_position: None,
        deadline_at: now,
        give_up_at: now,
        called_at: None,
        tries: 0,
        created_at: now,
        updated_at: now,
        accepted_at: None,
        booked_at: None,
        cancelled_at: None,
        request_id: None,
        fulfilment: None,
    }
}
