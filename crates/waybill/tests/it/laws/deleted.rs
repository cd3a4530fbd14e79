//! What is on its way when a team is deleted is not written: every request is made twice, once for
//! a team of which nothing but the mark says that it is gone, and again when the mark is taken
//! away. The second one shows that nothing else was in the way.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use waybill_api::routes::{Access, Route, routes};
use waybill_domain::access::Role;

use crate::batches;
use crate::harness::fixture::{order, order_with};
use crate::harness::{Database, Reply, databases};
use crate::legacy::shop;
use crate::oauth::{TestClient, user_of};
use crate::printing::Printing;
use crate::rates::rate;
use crate::wms;

/// It deletes the team, and it reads.
const OTHERS: [&str; 2] = ["deleteTeam", "listDeliveryOptions"];

databases! {
    nothing_is_written_for_a_deleted_team
}

async fn nothing_is_written_for_a_deleted_team(database: Database) {
    let mut walk = Walk { test: Printing::new(database).await, walked: BTreeSet::new() };
    walk.team().await;
    walk.people().await;
    walk.apps().await;
    walk.accounts().await;
    walk.webhooks().await;
    walk.shipments().await;
    walk.legacy().await;
    walk.batches().await;
    walk.warehouse().await;
    walk.printers().await;
    walk.agents().await;
    let wanted = routes().into_iter().filter(writes_for_a_team).map(|route| route.operation);
    let wanted: BTreeSet<String> = wanted.collect();
    assert_eq!(walk.walked, wanted, "every route that writes for a team was walked");
}

/// Whether members of a team write by it. Both prefixes of a path have the same handler.
fn writes_for_a_team(route: &Route) -> bool {
    let name = route.operation.as_str();
    matches!(route.handler.access(), Access::Team(_) | Access::Admin(_))
        && !route.method.is_safe()
        && !OTHERS.contains(&name)
        && !routes().iter().any(|other| format!("{}Beta", other.operation) == name)
}

fn id(reply: &Reply) -> String {
    reply.at("/data/uuid").as_str().unwrap().to_owned()
}

struct Walk {
    test: Printing,
    walked: BTreeSet<String>,
}

impl Walk {
    /// Asks for it while the team is marked as deleted, and when it is not any more.
    async fn write(&mut self, operation: &str, ids: &[&str], body: Value) -> Reply {
        let app = &self.test.fixture.app;
        let route = routes().into_iter().find(|route| route.operation == operation);
        let route = route.unwrap_or_else(|| panic!("{operation} is no operation"));
        let path = route.path.replace("{teamUuid}", &app.team.to_string());
        let mut path = path.replace("{team}", "shop.example.com");
        for id in ids {
            let (before, rest) = path.split_once('{').unwrap();
            path = format!("{before}{id}{}", rest.split_once('}').unwrap().1);
        }
        let method = route.method.as_str();
        let ask = || app.ask(method, &path).admin().json(&body.to_string()).send();
        self.mark(true).await;
        let refused = ask().await;
        self.mark(false).await;
        let text = String::from_utf8_lossy(&refused.bytes).into_owned();
        assert_eq!(refused.status, 404, "{operation}: {text}");
        let done = ask().await;
        let text = String::from_utf8_lossy(&done.bytes).into_owned();
        assert!((200..300).contains(&done.status), "{operation}: {} {text}", done.status);
        self.walked.insert(operation.to_owned());
        done
    }

    async fn mark(&self, is_deleted: bool) {
        let app = &self.test.fixture.app;
        let (team, at) = (app.team, is_deleted.then(|| app.app.now()));
        let mark = move |tx: &mut waybill_store::Tx<'_>| {
            let sql = "UPDATE team SET deleted_at = $2 WHERE id = $1";
            tx.exec(sql, &[team.into(), at.into()])
        };
        app.app.write(mark).await.unwrap();
    }

    async fn team(&mut self) {
        self.write("updateTeam", &[], json!({"name": "Nordic"})).await;
        let patch = json!({"documents": {"label": {"dpi": 300}}});
        self.write("updateSettings", &[], patch).await;
        let rows = json!({"data": [rate("sandbox:home", json!("DK"), (0.0, 2.0), 100)]});
        self.write("replaceRates", &[], rows).await;
        let body = json!({"title": "T", "shipment": {"currency": "DKK"}});
        let made = id(&self.write("createShipmentTemplate", &[], body.clone()).await);
        self.write("replaceShipmentTemplate", &[&made], body).await;
        self.write("deleteShipmentTemplate", &[&made], json!({})).await;
    }

    async fn people(&mut self) {
        let app = &self.test.fixture.app;
        let token = app.token_for(app.team, Role::Member, "*").await;
        let user = user_of(app, &token).await.to_string();
        self.write("updateMember", &[&user], json!({"role": "admin"})).await;
        self.write("removeMember", &[&user], json!({})).await;
        let body = json!({"email": "grace@example.com", "role": "member"});
        let made = id(&self.write("createInvitation", &[], body).await);
        self.write("revokeInvitation", &[&made], json!({})).await;
        let body = json!({"name": "t", "scopes": ["teams:read"]});
        let made = id(&self.write("createToken", &[], body).await);
        self.write("revokeToken", &[&made], json!({})).await;
    }

    async fn apps(&mut self) {
        let body = json!({"name": "Night export", "scopes": ["shipments:read"]});
        let made = id(&self.write("createOAuthClient", &[], body).await);
        self.write("rotateOAuthClientSecret", &[&made], json!({})).await;
        self.write("deleteOAuthClient", &[&made], json!({})).await;
        let app = &self.test.fixture.app;
        let user = user_of(app, &app.member).await;
        TestClient::new(app, |_| {}).await.agreed(app, user).await;
        let grants = app.get(&app.path("/oauth-grants")).admin().send().await.expect(200);
        let grant = grants.at("/data/0/uuid").as_str().unwrap().to_owned();
        self.write("endOAuthGrant", &[&grant], json!({})).await;
    }

    async fn accounts(&mut self) {
        let body = json!({"carrier_code": "sandbox", "name": "S", "is_active": false});
        let made = id(&self.write("createCarrierAccount", &[], body).await);
        self.write("updateCarrierAccount", &[&made], json!({"name": "T"})).await;
        self.write("deleteCarrierAccount", &[&made], json!({})).await;
    }

    async fn webhooks(&mut self) {
        let body = json!({"url": "http://127.0.0.1:9/hook", "events": ["report.ready"]});
        let made = id(&self.write("createWebhook", &[], body).await);
        let patch = json!({"events": ["manifest.created"]});
        self.write("updateWebhook", &[&made], patch).await;
        self.write("rotateWebhookSecret", &[&made], json!({})).await;
        let sent = id(&self.write("testWebhook", &[&made], json!({})).await);
        self.write("retryWebhookDelivery", &[&made, &sent], json!({})).await;
        let since = json!({"since": "2026-01-01T00:00:00Z"});
        self.write("replayWebhook", &[&made], since).await;
        self.write("deleteWebhook", &[&made], json!({})).await;
    }

    async fn shipments(&mut self) {
        let booked = id(&self.write("createShipment", &[], order("GONE-1")).await);
        let merge = json!({"shipment_uuids": [booked]});
        self.write("mergeDocuments", &[], merge).await;
        let body = json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z", "formats": ["xlsx"]});
        self.write("createReport", &[], body).await;
        self.write("cancelShipment", &[&booked], json!({})).await;
        let fixture = &self.test.fixture;
        let without = fixture.book(&order("GONE-2 sim:documents=fail")).await.expect(502);
        let rejected = fixture.book(&order("GONE-3 sim:reject")).await.expect(424);
        fixture.book(&order("GONE-4")).await.expect(201);
        self.write("recoverDocuments", &[&id(&without)], json!({})).await;
        self.write("deleteShipment", &[&id(&rejected)], json!({})).await;
        self.write("createManifest", &[], json!({"carrier_code": "sandbox"})).await;
    }

    async fn legacy(&mut self) {
        let mut ids = Vec::new();
        for operation in [
            "legacyBookShipment",
            "legacyDemoBookShipment",
            "legacyBookLabel",
            "legacyDemoBookLabel",
            "legacyBookAlone",
        ] {
            let label = self.write(operation, &[], shop::order(operation)).await;
            ids.push(json!({"shipment_id": label.at("/data/shipment_id")}));
        }
        for operation in ["legacyCombineLabels", "legacyDemoCombineLabels"] {
            self.write(operation, &[], json!({"shipments": ids})).await;
        }
    }

    async fn batches(&mut self) {
        let made = id(&self.write("createBookingBatch", &[], json!({})).await);
        let members = [batches::slow("GONE-5", 5), order_with("GONE-6", json!({}))];
        self.write("addBatchShipments", &[&made], json!({"data": members})).await;
        self.write("startBookingBatch", &[&made], json!({})).await;
        self.write("stopBookingBatch", &[&made], json!({})).await;
        batches::until(&self.test.fixture, &made, "stopped").await;
    }

    async fn warehouse(&mut self) {
        let body = json!({"sku": "GONE", "name": "Book"});
        let made = id(&self.write("createCatalogItem", &[], body).await);
        self.write("updateCatalogItem", &[&made], json!({"name": "Books"})).await;
        let stock = |delta: i64| json!({"sku": "GONE", "location": "A-1", "delta": delta});
        self.write("createInventoryAdjustment", &[], stock(2)).await;
        let wanted = wms::wanting("GONE-8", &[("GONE", 1)]);
        let sent = id(&self.write("createFulfilmentRequest", &[], wanted.clone()).await);
        for action in ["allocate", "pick", "pack", "ship"] {
            let operation = format!("{action}FulfilmentRequest");
            self.write(&operation, &[&sent], json!({})).await;
        }
        let papers = json!({"types": ["packing_slip"], "size": "a4"});
        self.write("createFulfilmentDocuments", &[&sent], papers).await;
        let other = id(&self.write("createFulfilmentRequest", &[], wanted).await);
        self.write("cancelFulfilmentRequest", &[&other], json!({})).await;
        self.write("createInventoryAdjustment", &[], stock(-1)).await;
        self.write("deleteCatalogItem", &[&made], json!({})).await;
    }

    async fn printers(&mut self) {
        let body = json!({"name": "Table", "uri": self.test.uri("/stopped")});
        let made = id(&self.write("createPrinter", &[], body).await);
        self.write("updatePrinter", &[&made], json!({"name": "Desk"})).await;
        let booked = self.test.fixture.book(&order("GONE-7")).await.expect(201);
        let document = booked.at("/data/documents/0/uuid");
        let body = json!({"document_uuid": document, "printer_uuid": made});
        let job = id(&self.write("createPrintJob", &[], body).await);
        self.write("cancelPrintJob", &[&job], json!({})).await;
        self.write("deletePrinter", &[&made], json!({})).await;
    }

    async fn agents(&mut self) {
        let made = id(&self.write("createPrintAgent", &[], json!({"name": "Spool"})).await);
        self.write("updatePrintAgent", &[&made], json!({"name": "Spooler"})).await;
        self.write("renewRegistrationCode", &[&made], json!({})).await;
        self.write("deletePrintAgent", &[&made], json!({})).await;
        self.test.fixture.settled().await;
    }
}
