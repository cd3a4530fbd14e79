//! Carriers that `carrier-replay` plays, as an integrator meets them: accounts, points, bookings,
//! labels, tracking and cancelling, all of it through the API of a server.

mod mishaps;

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::backups::Demo;
use super::{Folder, Server, waybill};
use crate::harness::{Reply, socket};

/// A carrier, and what its exchanges are written for.
struct Played {
    code: &'static str,
    credentials: Value,
    options: Value,
    service: &'static str,
    country: &'static str,
    point: &'static str,
    /// Where people see where a parcel is; `{}` is its number.
    link: &'static str,
    /// The exchange that cancels, of those that can be told.
    cancels: Option<&'static str>,
}

fn played() -> [Played; 5] {
    [
        Played {
            code: "postnord",
            credentials: json!({"api_key": "key&1"}),
            options: json!({"customer_number": "1234567890", "agreement_country": "DK",
                "application_id": 1438}),
            service: "postnord:mypack_collect",
            country: "DK",
            point: "8271",
            link: "https://tracking.postnord.com/dk/?id={}",
            cancels: None,
        },
        Played {
            code: "bring",
            credentials: json!({"api_uid": "user@shop.example", "api_key": "key-1"}),
            options: json!({"customer_number": "5", "customer_number_norway": "6",
                "client_url": "https://shop.example", "cancel": "local"}),
            service: "bring:pickup_parcel",
            country: "NO",
            point: "121110",
            link: "https://tracking.bring.com/tracking.html?q=C-{}",
            cancels: None,
        },
        Played {
            code: "gls",
            credentials: json!({"client_id": "client", "client_secret": "hush"}),
            options: json!({"contact_id": "2080000001"}),
            service: "gls:shop_delivery",
            country: "DK",
            point: "GLS_DK-2080095614",
            link: "https://gls-group.com/DK/da/find-pakke?match={}",
            cancels: Some("cancel"),
        },
        Played {
            code: "dao",
            credentials: json!({"customer_id": "1332", "code": "hush&quiet"}),
            options: json!({}),
            service: "dao:shop",
            country: "DK",
            point: "4041",
            link: "https://www.dao.as/privat/find-din-pakke?stregkode={}",
            cancels: Some("cancel a booking"),
        },
        Played {
            code: "budbee",
            credentials: json!({"api_key": "key", "api_secret": "secret",
                "webhook_username": "hook", "webhook_password": "pass"}),
            options: json!({"collection_id": 17}),
            service: "budbee:box",
            country: "SE",
            point: "BOX0001",
            link: "https://track.budbee.example/{}",
            cancels: Some("cancel"),
        },
    ]
}

impl Played {
    fn account(&self) -> Value {
        json!({"carrier_code": self.code, "name": self.code, "credentials": self.credentials,
            "options": self.options})
    }

    fn shipment(&self) -> Value {
        let (street, postal_code, city) = match self.country {
            "NO" => ("Torgallmenningen 1", "5003", "Bergen"),
            "SE" => ("Sveavägen 1", "111 22", "Stockholm"),
            _ => ("Islands Brygge 39", "2300", "København S"),
        };
        let party = |name: &str, phone: &str| {
            json!({"contact": {"name": name, "phone": phone, "email": "post@shop.example"},
                "address": {"address_lines": [street], "postal_code": postal_code, "city": city,
                    "country": self.country}})
        };
        let side = |value: u8| json!({"value": value, "unit": "cm"});
        json!({
            "delivery": {"service_code": self.service, "pickup_point": {"code": self.point}},
            "parties": {"merchant": party("Mads Holm", "+4570102030"),
                "customer": party("Åse Nørgård", "+46701234567")},
            "parcels": [{"description": "Books", "gross_weight": {"value": 1.2, "unit": "kg"},
                "length": side(30), "width": side(20), "height": side(10)}]})
    }
}

/// A carrier that is played by a process of its own.
fn play(folder: &Path, code: &str) -> Server {
    let exchanges = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src").join(code);
    let exchanges = exchanges.join("exchanges").display().to_string();
    Server::started(waybill(folder, &["carrier-replay", &exchanges, "--listen", "127.0.0.1:0"]))
}

/// A server beside its carriers, and its demo team.
struct Shop {
    server: Server,
    demo: Demo,
}

impl Shop {
    async fn get(&self, path: &str) -> Value {
        let path = self.demo.path(path);
        self.server.get(&path, &self.demo.token).await.expect(200).json()["data"].clone()
    }

    async fn ask(&self, method: &str, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.server.ask(method, &self.demo.path(path), &self.demo.token, &body).await
    }

    /// What is at this path, once it is as it should be.
    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1500 {
            let now = self.get(path).await;
            if is_so(&now) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("never: {path} {}\n{}", self.get(path).await, self.server.log());
    }

    /// An account that the carrier has checked, and then its points.
    async fn open(&self, carrier: &Played) -> String {
        let made = self.ask("POST", "carrier-accounts", &carrier.account()).await.expect(201);
        let Played { code, country, point, .. } = carrier;
        let list = format!("service-points?carrier={code}&country={country}");
        let is_there = |points: &Value| {
            let mut points = points.as_array().unwrap().iter();
            points.any(|it| it["code"] == *point && it["opening_hours"].is_object())
        };
        self.until(&list, is_there).await;
        made.at("/data/uuid").as_str().unwrap().to_owned()
    }

    /// Books, and gets the label: what the shipment is then.
    async fn book(&self, carrier: &Played) -> Value {
        let booked = self.ask("POST", "shipments", &carrier.shipment()).await.expect(201);
        let booked = booked.at("/data");
        assert_eq!(booked["state"], "booked", "{booked}");
        assert_eq!(booked["delivery"]["pickup_point"]["code"], carrier.point);
        let [label] = booked["documents"].as_array().unwrap().as_slice() else {
            panic!("{booked}")
        };
        let url = label["url"].as_str().unwrap().strip_prefix(&self.server.base_url).unwrap();
        let file = self.server.get(url, &self.demo.token).await.expect(200);
        assert!(file.bytes.starts_with(b"%PDF-1.4"), "{}", carrier.code);
        let number = booked["parcels"][0]["tracking_number"].as_str().unwrap().to_owned();
        // Some links have the number of the shipment.
        let number = number.trim_start_matches("P-").trim_end_matches("-1");
        assert_eq!(booked["parcels"][0]["tracking_url"], carrier.link.replace("{}", number));
        booked
    }
}

/// Budbee is not asked: it tells by itself.
async fn tell(server: &Server, account: &str, number: &str) {
    let path = format!("/carriers/budbee/callbacks/{account}");
    let body = json!({"eventId": "E1", "eventType": "SORTED_AT_TERMINAL", "packageId": number,
        "timestamp": "2025-11-17T05:40:00Z"})
    .to_string();
    let address = server.base_url.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    // hook:pass
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic aG9vazpwYXNz\r\n\
         Connection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    socket::answer(&mut stream, "POST", &path).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_conversation_with_each_carrier_is_played_to_a_server() {
    let folder = Folder::new("played");
    let carriers = played();
    let replays: Vec<Server> = carriers.iter().map(|it| play(&folder.0, it.code)).collect();
    let urls: Vec<String> = carriers
        .iter()
        .zip(&replays)
        .map(|(it, at)| format!("{}={}", it.code, at.base_url))
        .collect();
    let flags = urls.iter().flat_map(|url| ["--carrier-url", url]);
    let arguments: Vec<&str> = ["--demo"].into_iter().chain(flags).collect();
    let server = Server::start(&folder.0, &arguments);
    let shop = Shop { server, demo: Demo::read(&folder.0) };
    let mut booked = Vec::new();
    for carrier in &carriers {
        let account = shop.open(carrier).await;
        let shipment = shop.book(carrier).await;
        if carrier.code == "budbee" {
            let number = shipment["parcels"][0]["tracking_number"].as_str().unwrap();
            tell(&shop.server, &account, number).await;
        }
        booked.push(shipment);
    }
    for ((carrier, shipment), replay) in carriers.iter().zip(&booked).zip(&replays) {
        let parcel = &shipment["parcels"][0];
        let tracking = format!("tracking/{}", parcel["tracking_uuid"].as_str().unwrap());
        let tracking = shop.until(&tracking, |it| it["state"] != "Pending").await;
        assert_eq!(tracking["state"], "InTransit", "{}", carrier.code);
        assert_eq!(tracking["tracking_url"], parcel["tracking_url"], "{}", carrier.code);
        let path = format!("shipments/{}/cancel", shipment["uuid"].as_str().unwrap());
        let cancelled = shop.ask("POST", &path, &Value::Null).await.expect(200);
        assert_eq!(cancelled.at("/data/state"), "cancelled", "{}", carrier.code);
        let is_told =
            carrier.cancels.is_none_or(|name| replay.has_logged(|it| it["exchange"] == name));
        assert!(is_told, "{}: {}", carrier.code, replay.log());
        assert!(!replay.log().contains("fits nothing"), "{}: {}", carrier.code, replay.log());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_an_account_is_told_at_its_place_by_the_carrier_that_is_played() {
    let folder = Folder::new("played-account");
    let replay = play(&folder.0, "postnord");
    let url = format!("postnord={}", replay.base_url);
    let server = Server::start(&folder.0, &["--demo", "--carrier-url", &url]);
    let shop = Shop { server, demo: Demo::read(&folder.0) };
    let [postnord, ..] = played();
    let mut account = postnord.account();
    account["options"]["customer_number"] = json!("12a");
    let refused = shop.ask("POST", "carrier-accounts", &account).await;
    assert_eq!(refused.problems(), ["options.customer_number"]);
}
