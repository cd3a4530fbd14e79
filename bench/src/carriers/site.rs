//! A running service whose carriers are played on this machine, and a team with an account with
//! each of them.

use std::path::Path;

use tokio::runtime::Runtime;
use waybill_carriers::CarrierUrls;
use waybill_domain::ids::AccountId;
use waybill_domain::json::{Json, parse};
use waybill_replay::{Exchanges, Options, Replay};
use waybill_store::carrier_accounts::{self, Account};

use super::exchanges;
use crate::booking::fixture::Fixture;
use crate::measure::Failure;
use crate::store::Database;

/// A carrier that is measured.
pub struct Carrier {
    pub code: &'static str,
    service: &'static str,
    credentials: &'static str,
    options: &'static str,
    /// Bookings a second that it takes.
    pub rate_max: Option<f64>,
}

/// Every carrier that is not ours.
pub const CARRIERS: &[Carrier] = &[
    Carrier {
        code: "bring",
        service: "bring:business_parcel",
        credentials: r#"{"api_uid": "user@shop.example", "api_key": "key-1"}"#,
        options: r#"{"customer_number": "5", "client_url": "https://shop.example"}"#,
        rate_max: None,
    },
    Carrier {
        code: "postnord",
        service: "postnord:mypack_home",
        credentials: r#"{"api_key": "key-1"}"#,
        options: r#"{"customer_number": "1234567890", "agreement_country": "DK",
            "application_id": 1438}"#,
        rate_max: None,
    },
    Carrier {
        code: "gls",
        service: "gls:private",
        credentials: r#"{"client_id": "client", "client_secret": "hush"}"#,
        options: r#"{"contact_id": "2080000001"}"#,
        rate_max: None,
    },
    Carrier {
        code: "dao",
        service: "dao:home",
        credentials: r#"{"customer_id": "1332", "code": "hush"}"#,
        options: "{}",
        // Five calls a second, and two for each booking.
        rate_max: Some(2.0),
    },
    Carrier {
        code: "budbee",
        service: "budbee:home",
        credentials: r#"{"api_key": "key", "api_secret": "secret"}"#,
        options: r#"{"collection_id": 17}"#,
        rate_max: None,
    },
];

/// The carrier with this code.
pub fn carrier(code: &str) -> &'static Carrier {
    CARRIERS.iter().find(|carrier| carrier.code == code).unwrap_or(&CARRIERS[0])
}

const SETTINGS: &str = r#"{"sender_address": {"contact": {"name": "Bench Shop",
    "email": "shop@example.com", "phone": "+4570102030"}, "address": {"address_lines":
    ["Vestergade 1"], "postal_code": "1456", "city": "København K", "country": "DK"}},
    "documents": {"label": {"formats": ["pdf"]}}}"#;

/// A service, and whom it books with.
pub struct Site {
    pub fixture: Fixture,
    carriers: Vec<Replay>,
    /// Where the carriers run.
    others: Runtime,
}

impl Site {
    /// Opens it on an empty database.
    pub fn open(database: &Database) -> Result<Site, Failure> {
        let others = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let (mut carriers, mut urls) = (Vec::new(), CarrierUrls::default());
        for Carrier { code, .. } in CARRIERS {
            let exchanges = Exchanges::text(&exchanges::of(code), Path::new("."))?;
            let replay = others.block_on(Replay::start(exchanges, Options::default()))?;
            urls.add(code, replay.url())?;
            carriers.push(replay);
        }
        let fixture = Fixture::open_with(database, urls, SETTINGS)?;
        fixture.runtime.block_on(open_accounts(&fixture))?;
        Ok(Site { fixture, carriers, others })
    }

    /// A booking with this carrier that nobody has asked for yet.
    pub fn order(&self, carrier: &Carrier, name: &str) -> Vec<u8> {
        let (number, _) = self.fixture.wish(carrier.service);
        let body = format!(
            r#"{{"reference":"ORDER-{number}","delivery":{{"service_code":"{}"}},
            "parties":{{"customer":{{"contact":{{"name":"{name}","email":"ada@example.com",
            "phone":"+4530274735"}},"address":{{"address_lines":["Islands Brygge 39"],
            "postal_code":"2300","city":"København S","country":"DK"}}}}}},
            "parcels":[{{"description":"Books","gross_weight":{{"value":1200,"unit":"g"}},
            "length":{{"value":30,"unit":"cm"}},"width":{{"value":20,"unit":"cm"}},
            "height":{{"value":10,"unit":"cm"}}}}]}}"#,
            carrier.service
        );
        let key = format!("Idempotency-Key: bench-{number:016}\r\n");
        self.fixture.request("POST", "/shipments", &key, &body)
    }

    /// Closes it.
    pub fn close(self) -> Result<(), Failure> {
        self.fixture.close()?;
        drop(self.carriers);
        self.others.shutdown_background();
        Ok(())
    }
}

async fn open_accounts(fixture: &Fixture) -> Result<(), Failure> {
    let (app, team) = (&fixture.app, fixture.account.team);
    for carrier in CARRIERS {
        let json = |text: &str| parse(text.as_bytes()).map_err(|fault| format!("{fault:?}"));
        let credentials: Json = json(carrier.credentials)?;
        let (id, now) = (AccountId(app.new_uuid()), app.now());
        let account = Account {
            id,
            carrier_code: carrier.code.to_owned(),
            name: carrier.code.to_owned(),
            is_active: true,
            options: json(carrier.options)?.to_string(),
            credentials: app.vault().seal(id.into(), &credentials, app.ids().as_ref()),
            created_at: now,
            updated_at: now,
        };
        app.write(move |tx| carrier_accounts::insert(tx, team, &account)).await?;
    }
    Ok(())
}
