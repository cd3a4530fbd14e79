//! Carriers that repeat what they were sent: nothing that lets us in is answered, logged or stored.

use std::path::Path;

use futures_util::future::join_all;
use serde_json::{Value, json};
use waybill_replay::{Exchanges, Options, Replay};

use super::backups::Demo;
use super::{Folder, Server, run};
use crate::harness::Reply;
use crate::harness::echo::{Echo, Manner};

/// A carrier, what lets us in there, and what must not be seen of it.
struct Carrier {
    code: &'static str,
    credentials: Value,
    options: Value,
    service: &'static str,
    traces: &'static [&'static str],
    /// How it says no to a booking, and to being asked to cancel, where it is asked.
    refuses: u16,
    cancels: bool,
}

fn carriers() -> [Carrier; 5] {
    [
        Carrier {
            code: "postnord",
            credentials: json!({"api_key": "key&1"}),
            options: json!({"customer_number": "1234567890", "agreement_country": "DK",
                "application_id": 1438}),
            service: "postnord:mypack_home",
            traces: &["key&1", "key%261"],
            refuses: 400,
            cancels: false,
        },
        Carrier {
            code: "bring",
            credentials: json!({"api_uid": "user@shop.example", "api_key": "key-1"}),
            options: json!({"customer_number": "5", "client_url": "https://shop.example"}),
            service: "bring:business_parcel",
            traces: &["user@shop.example", "key-1"],
            refuses: 400,
            cancels: false,
        },
        Carrier {
            code: "gls",
            credentials: json!({"client_id": "client", "client_secret": "hush"}),
            options: json!({"contact_id": "2080000001"}),
            service: "gls:private",
            traces: &["Y2xpZW50Omh1c2g", "hush", "token-1"],
            refuses: 400,
            cancels: true,
        },
        Carrier {
            code: "dao",
            credentials: json!({"customer_id": "1332", "code": "hush&quiet"}),
            options: json!({}),
            service: "dao:home",
            traces: &["hush&quiet", "hush%26quiet", "kundeid=1332"],
            refuses: 200,
            cancels: true,
        },
        Carrier {
            code: "budbee",
            credentials: json!({"api_key": "key", "api_secret": "secret"}),
            options: json!({"collection_id": 17}),
            service: "budbee:home",
            traces: &["a2V5OnNlY3JldA"],
            refuses: 400,
            cancels: false,
        },
    ]
}

impl Carrier {
    fn account(&self) -> Value {
        json!({"carrier_code": self.code, "name": self.code, "credentials": self.credentials,
            "options": self.options})
    }

    fn shipment(&self) -> Value {
        let (street, postal_code, city, country) = match self.code {
            "budbee" => ("Sveavägen 1", "111 22", "Stockholm", "SE"),
            _ => ("Islands Brygge 39", "2300", "København S", "DK"),
        };
        let party = |name: &str, phone: &str| {
            json!({"contact": {"name": name, "phone": phone, "email": "post@holm.example"},
                "address": {"address_lines": [street], "postal_code": postal_code, "city": city,
                    "country": country}})
        };
        let side = |value: u8| json!({"value": value, "unit": "cm"});
        json!({
            "delivery": {"service_code": self.service},
            "parties": {"merchant": party("Mads Holm", "+4570102030"),
                "customer": party("Åse Nørgård", "+46701234567")},
            "parcels": [{"description": "Books", "gross_weight": {"value": 1.2, "unit": "kg"},
                "length": side(30), "width": side(20), "height": side(10)}]})
    }
}

/// A server beside its carriers.
struct Shop {
    folder: Folder,
    server: Server,
    demo: Demo,
}

impl Shop {
    fn open(carriers: &[(Carrier, Echo)]) -> Shop {
        let folder = Folder::new("echoes");
        let urls: Vec<String> =
            carriers.iter().map(|(it, echo)| format!("{}={}", it.code, echo.url)).collect();
        let flags = urls.iter().flat_map(|url| ["--carrier-url", url]);
        let arguments: Vec<&str> = ["--demo", "--log", "debug"].into_iter().chain(flags).collect();
        let server = Server::start(&folder.0, &arguments);
        let demo = Demo::read(&folder.0);
        Shop { folder, server, demo }
    }

    async fn ask(&self, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.server.ask("POST", &self.demo.path(path), &self.demo.token, &body).await
    }

    /// Everything that is told of a shipment.
    async fn told(&self, shipment: &str) -> String {
        let path = self.demo.path(&format!("shipments/{shipment}"));
        let shown = self.server.get(&path, &self.demo.token).await.expect(200).json();
        let why = run(&self.folder.0, &["why", shipment]);
        assert!(why.status.success(), "{}", String::from_utf8_lossy(&why.stderr));
        format!("{shown}\n{}", String::from_utf8_lossy(&why.stdout))
    }

    /// Lets a carrier repeat everything that it is asked. What is told of it is returned, piece by
    /// piece; each has words of the carrier in it.
    async fn try_all(&self, carrier: &Carrier, echo: &Echo) -> Vec<String> {
        let mut told = Vec::new();
        self.ask("carrier-accounts", &carrier.account()).await.expect(201);
        echo.now(Manner::Repeats(if carrier.code == "dao" { 200 } else { 401 }));
        let refused = self.ask("carrier-accounts", &carrier.account()).await.expect(422);
        told.push(refused.json().to_string());
        for status in [carrier.refuses, 500] {
            echo.now(Manner::Repeats(status));
            let failed = self.ask("shipments", &carrier.shipment()).await.json();
            let failed = failed["data"]["uuid"].as_str().unwrap_or_else(|| panic!("{failed}"));
            told.push(self.told(failed).await);
        }
        if carrier.cancels {
            echo.now(Manner::Forwards);
            let booked = self.ask("shipments", &carrier.shipment()).await.expect(201).json();
            assert_eq!(booked["data"]["state"], "booked", "{booked}");
            let booked = booked["data"]["uuid"].as_str().unwrap();
            echo.now(Manner::Repeats(carrier.refuses));
            let refused = self.ask(&format!("shipments/{booked}/cancel"), &Value::Null).await;
            told.push(refused.expect(409).json().to_string());
            told.push(self.told(booked).await);
        }
        told
    }

    /// The bytes of the database and its log.
    fn stored(&self) -> Vec<u8> {
        let files = std::fs::read_dir(&self.folder.0).unwrap().map(|entry| entry.unwrap().path());
        let of_database =
            files.filter(|path| path.file_name().unwrap().to_str().unwrap().contains(".db"));
        of_database.flat_map(|path| std::fs::read(path).unwrap()).collect()
    }
}

async fn played(carrier: Carrier) -> (Carrier, Echo, Replay) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src").join(carrier.code);
    let exchanges = Exchanges::folder(&folder.join("exchanges")).unwrap();
    let replay = Replay::start(exchanges, Options::default()).await.unwrap();
    let echo = Echo::before(replay.url()).await;
    (carrier, echo, replay)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_lets_us_in_is_told_or_kept_of_a_carrier_that_repeats_what_it_was_sent() {
    let (mut played_carriers, mut replays) = (Vec::new(), Vec::new());
    for (carrier, echo, replay) in join_all(carriers().map(played)).await {
        played_carriers.push((carrier, echo));
        replays.push(replay);
    }
    let mut shop = Shop::open(&played_carriers);
    let asked = played_carriers.iter().map(|(carrier, echo)| shop.try_all(carrier, echo));
    let all = join_all(asked).await;
    for ((carrier, _), told) in played_carriers.iter().zip(&all) {
        for told in told {
            assert!(told.contains("redacted"), "{}: {told}", carrier.code);
        }
    }
    assert!(shop.server.stop());
    let (log, stored) = (shop.server.log(), String::from_utf8_lossy(&shop.stored()).into_owned());
    assert!(stored.contains("redacted"), "the words of carriers are kept");
    for (carrier, told) in played_carriers.iter().map(|(it, _)| it).zip(&all) {
        for trace in carrier.traces {
            let told: Vec<&String> = told.iter().filter(|told| told.contains(trace)).collect();
            assert!(told.is_empty(), "{}: {trace} in {told:?}", carrier.code);
            assert!(!log.contains(trace), "{}: {trace} in the log", carrier.code);
            assert!(!stored.contains(trace), "{}: {trace} in the database", carrier.code);
        }
    }
}
