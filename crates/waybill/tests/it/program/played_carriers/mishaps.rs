//! Carriers that are played beside a server and say too little: an answer to a cancellation that is
//! lost, a booking without labels, a point that is not there.

use std::pin::pin;
use std::process::Command;

use serde_json::{Value, json};

use super::super::backups::Demo;
use super::super::{Folder, Server, carriers, run, waybill};
use super::{Played, Shop, played};
use crate::harness::Reply;

/// As long as that of every server.
const LEASE: &str = "30000";

/// dao refuses each cancellation after the first, to which it says nothing. What it has cancelled
/// it refuses in the same words.
fn losing(fault: &str) -> String {
    format!(
        r#"
        [[exchange]]
        name = "cancel, and say nothing"
        times = 1
        request = {{ path = "/AnnullerePakke.php" }}
        answer = {{ text = "" }}
        fault = "{fault}"

        [[exchange]]
        name = "refuse to cancel"
        request = {{ path = "/AnnullerePakke.php" }}
        [exchange.answer]
        json = '{{"status":"FEJL","fejlkode":"141","fejltekst":"Kan ikke annulleres"}}'
        "#
    )
}

/// A server, and beside it a carrier that is played with more exchanges before its own.
struct Mishap {
    folder: Folder,
    replay: Server,
    shop: Shop,
    carrier: Played,
}

impl Mishap {
    async fn start(name: &str, code: &str, exchanges: &str) -> Mishap {
        let carrier = played().into_iter().find(|it| it.code == code).unwrap();
        let folder = Folder::new(name);
        let files = folder.0.join("carrier");
        std::fs::create_dir(&files).unwrap();
        for file in std::fs::read_dir(carriers::exchanges(code)).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), files.join(file.file_name())).unwrap();
        }
        std::fs::write(files.join("0.toml"), exchanges).unwrap();
        let play = ["carrier-replay", "carrier", "--listen", "127.0.0.1:0"];
        let replay = Server::started(waybill(&folder.0, &play));
        let server = serve(&folder, &replay, code, LEASE);
        let shop = Shop { server, demo: Demo::read(&folder.0) };
        Mishap { folder, replay, shop, carrier }
    }

    /// Books to a door, where no point is needed.
    async fn book(&self, service: &str) -> Reply {
        let mut body = self.carrier.shipment();
        body["delivery"] = json!({"service_code": service});
        self.shop.ask("POST", "shipments", &body).await
    }

    /// The path of a shipment that dao has.
    async fn booked(&self) -> String {
        let booked = self.book("dao:home").await.expect(201);
        assert_eq!(booked.at("/data/state"), "booked", "{}", booked.json());
        format!("shipments/{}", booked.at("/data/uuid").as_str().unwrap())
    }

    /// Cancels, as soon as nobody else does.
    async fn cancel(&self, shipment: &str) -> Reply {
        for _ in 0..300 {
            let reply = self.shop.ask("POST", &format!("{shipment}/cancel"), &Value::Null).await;
            // Somebody else is at it.
            if reply.status != 409 || reply.header("location").is_none() {
                return reply;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("never cancelled by this request: {}", self.shop.server.log());
    }

    /// Cancels what may be cancelled: whatever dao says, nobody is told that it is not.
    async fn is_in_doubt(&self, shipment: &str) {
        let reply = self.cancel(shipment).await.expect(502);
        let message = reply.at("/message").to_string();
        assert!(message.contains("may be cancelled"), "{message}");
        assert_eq!(self.shop.get(shipment).await["state"], "booked");
    }
}

/// A server whose leases last so many milliseconds.
fn serve(folder: &Folder, replay: &Server, code: &str, lease: &str) -> Server {
    let url = format!("{code}={}", replay.base_url);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--demo", "--carrier-url", &url];
    let mut command = waybill(&folder.0, &serve);
    command.env("WAYBILL_LEASE_MS", lease);
    Server::started(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_after_a_lost_answer_leaves_a_cancellation_unclear() {
    let dao = Mishap::start("cancel-lost", "dao", &losing("drop")).await;
    dao.shop.ask("POST", "carrier-accounts", &dao.carrier.account()).await.expect(201);
    let (lost, other) = (dao.booked().await, dao.booked().await);
    dao.is_in_doubt(&lost).await;
    dao.is_in_doubt(&lost).await;
    dao.replay.logged(|line| line["exchange"] == "refuse to cancel").await;
    // The same words about another one, of which no answer was lost, are a refusal.
    let refused = dao.cancel(&other).await.expect(409);
    assert!(refused.at("/message").to_string().contains("Kan ikke annulleres"));
    dao.is_in_doubt(&lost).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_after_a_crash_during_a_cancellation_leaves_it_unclear() {
    let mut dao = Mishap::start("cancel-killed", "dao", &losing("hang")).await;
    dao.shop.ask("POST", "carrier-accounts", &dao.carrier.account()).await.expect(201);
    let shipment = dao.booked().await;
    let path = format!("{shipment}/cancel");
    // Whoever follows a server that died does so soon.
    assert!(dao.shop.server.stop());
    dao.shop.server = serve(&dao.folder, &dao.replay, "dao", "1500");
    {
        let mut asked = pin!(dao.shop.ask("POST", &path, &Value::Null));
        tokio::select! {
            reply = &mut asked => panic!("answered: {}", reply.json()),
            _ = dao.replay.logged(|line| line["exchange"] == "cancel, and say nothing") => {}
        }
        let id = dao.shop.server.child.id().to_string();
        assert!(Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
    }
    dao.shop.server = serve(&dao.folder, &dao.replay, "dao", "1500");
    dao.is_in_doubt(&shipment).await;
    let why = ["why", shipment.trim_start_matches("shipments/")];
    let told = tokio::task::block_in_place(|| run(&dao.folder.0, &why));
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.matches("call to cancel: no clear answer").count() >= 2, "{told}");
}

/// Bring confirms a booking without a link to its label, which no other call gives.
const WITHOUT_LABEL: &str = r#"
    [[exchange]]
    name = "book, and give no label"
    books = "{reference}"
    [exchange.request]
    method = "POST"
    path = "/booking/api/create"
    json = '{"consignments": [{"correlationId": "{reference}"}]}'
    [exchange.answer]
    json = """
    {"consignments": [{"correlationId": "{reference}", "errors": null, "confirmation": {
      "consignmentNumber": "C-{reference}", "links": {}, "packages": [
        {"packageNumber": "P-{reference}", "correlationId": "{reference}-1"}]}}]}"""
    "#;

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_a_carrier_gives_once_are_not_advised_to_be_recovered() {
    let bring = Mishap::start("label-once", "bring", WITHOUT_LABEL).await;
    bring.shop.ask("POST", "carrier-accounts", &bring.carrier.account()).await.expect(201);
    // Told at once, or soon after.
    let booked = bring.book("bring:business_parcel").await.at("/data/uuid");
    let path = format!("shipments/{}", booked.as_str().unwrap());
    let failed = bring.shop.until(&path, |it| it["state"] == "failed").await;
    assert!(failed["parcels"][0]["tracking_number"].as_str().unwrap().starts_with("P-"));
    let message = failed["failure"]["message"].as_str().unwrap();
    assert!(message.contains("has the booking") && message.contains("from Bring"), "{message}");
    assert!(!message.to_lowercase().contains("recover"), "{message}");
    let details = failed["failure"]["details"].to_string();
    assert!(details.contains("Print the label in Mybring"), "{details}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_point_that_is_not_there_is_told_in_one_message() {
    for code in ["gls", "dao", "postnord"] {
        let point = Mishap::start(&format!("no-point-{code}"), code, "").await;
        point.shop.open(&point.carrier).await;
        let mut body = point.carrier.shipment();
        body["delivery"]["pickup_point"]["code"] = json!("NOWHERE");
        let refused = point.shop.ask("POST", "shipments", &body).await.expect(422);
        let errors = refused.at("/errors");
        let [(path, messages)] = errors.as_object().unwrap().iter().collect::<Vec<_>>()[..] else {
            panic!("{code}: {errors}")
        };
        assert_eq!(path, "delivery.pickup_point.code");
        let [only] = messages.as_array().unwrap().as_slice() else { panic!("{code}: {errors}") };
        assert!(only.as_str().unwrap().contains(point.carrier.point), "{code}: {only}");
    }
}
