//! What a warehouse has, taken in from files beside a running server.

use serde_json::{Value, json};
use waybill_store::testing::{Scratch, fresh};

use super::{Folder, Server, run};
use crate::harness::fixture::order;
use crate::harness::{Database, databases};

databases! {
    items_are_added_and_brought_up_to_date_and_a_second_time_changes_nothing
    stock_becomes_what_was_counted_by_adjustments
    every_problem_of_a_file_is_told_with_line_and_column_and_nothing_is_imported
    a_count_below_what_is_reserved_is_a_problem_and_changes_nothing
    a_file_that_ends_within_a_cell_is_not_imported
    a_long_file_is_imported_in_bites_and_again_without_a_change
}

const ITEMS: &str =
    "sku,name,barcode,weight,weight_unit,hs_code,country_of_origin,unit_price,currency
B-1,\"Paperback, used\",5701234567899,0.4,kg,490199,DK,9900,DKK
B-2,Hardback,,,,,,,
";

/// A shop with a server, and a folder with its files.
struct Shop {
    folder: Folder,
    server: Server,
    database: String,
    _scratch: Option<Scratch>,
    team: String,
    token: String,
}

/// How a command ended: whether well, what it printed, and what it complained about.
type Ended = (bool, String, Vec<String>);

impl Shop {
    fn new(database: Database, name: &str) -> Shop {
        let folder = Folder::new(&format!("{name}-{database:?}"));
        let scratch = (database == Database::Postgres).then(|| fresh(database));
        let url = scratch.as_ref().map(|scratch| scratch.url.clone());
        let url = url.unwrap_or_else(|| "sqlite:waybill.db".to_owned());
        let server = Server::start(&folder.0, &["--demo", "--database", &url]);
        let demo = std::fs::read(folder.0.join("demo.json")).unwrap();
        let demo: Value = serde_json::from_slice(&demo).unwrap();
        let text = |name: &str| demo[name].as_str().unwrap().to_owned();
        let (team, token) = (text("team_uuid"), text("token"));
        Shop { folder, server, database: url, _scratch: scratch, team, token }
    }

    fn import(&self, what: &str, text: &str) -> Ended {
        std::fs::write(self.folder.0.join("file.csv"), text).unwrap();
        let arguments = ["import", what, "file.csv", "--team", &self.team];
        let output =
            run(&self.folder.0, &[&arguments[..], &["--database", &self.database]].concat());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let complaints = text(&output.stderr).lines().map(str::to_owned).collect();
        (output.status.success(), text(&output.stdout), complaints)
    }

    #[track_caller]
    fn imported(&self, what: &str, text: &str, says: &str) {
        let (is_done, printed, complaints) = self.import(what, text);
        assert!(is_done, "{complaints:?}");
        assert_eq!(printed, format!("{says}\n"));
    }

    fn path(&self, rest: &str) -> String {
        format!("/beta/teams/{}/wms/{rest}", self.team)
    }

    async fn list(&self, rest: &str) -> Vec<Value> {
        let body = self.server.get(&self.path(rest), &self.token).await.expect(200).json();
        body["data"].as_array().unwrap().clone()
    }

    async fn post(&self, rest: &str, status: u16, body: Value) -> Value {
        let path = self.path(rest);
        self.server.ask("POST", &path, &self.token, &body.to_string()).await.expect(status).json()
    }

    /// Everything adds up, and the server ends well.
    fn close(mut self) {
        let output = run(&self.folder.0, &["check", "--database", &self.database]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(self.server.stop());
    }
}

async fn items_are_added_and_brought_up_to_date_and_a_second_time_changes_nothing(
    database: Database,
) {
    let shop = Shop::new(database, "items");
    shop.imported("catalog-items", ITEMS, "2 new, 0 changed, 0 as they were");
    let items = shop.list("catalog-items").await;
    let first = items.iter().find(|item| item["sku"] == "B-1").unwrap();
    assert_eq!(first["name"], "Paperback, used");
    assert_eq!(first["weight"], json!({"value": 0.4, "unit": "kg"}));
    assert_eq!(first["unit_price"], json!({"value": 9900, "currency": "DKK"}));
    assert_eq!(items.len(), 2);

    shop.imported("catalog-items", ITEMS, "0 new, 0 changed, 2 as they were");
    assert_eq!(shop.list("catalog-items").await, items, "updated_at is as it was");

    let other = "sku,name\nB-2,Bound\nB-3,Map\n";
    shop.imported("catalog-items", other, "1 new, 1 changed, 0 as they were");
    let items = shop.list("catalog-items").await;
    let second = items.iter().find(|item| item["sku"] == "B-2").unwrap();
    assert_eq!((items.len(), &second["name"]), (3, &json!("Bound")));
    assert_ne!(second["created_at"], second["updated_at"]);
    shop.close();
}

async fn stock_becomes_what_was_counted_by_adjustments(database: Database) {
    let shop = Shop::new(database, "stock");
    shop.imported("catalog-items", ITEMS, "2 new, 0 changed, 0 as they were");
    let goods = json!({"sku": "B-1", "location": "A-1", "delta": 7, "reason": "received"});
    shop.post("inventory-adjustments", 201, goods).await;
    let counted = "sku,location,quantity\r\nB-1,A-1,5\r\nB-1,A-2,12\r\nB-2,A-1,0\r\n";
    shop.imported("stock", counted, "2 adjusted, 1 as they were");
    let levels = shop.list("inventory-levels").await;
    let on_hand: Vec<_> = levels.iter().map(|level| level["on_hand"].as_i64().unwrap()).collect();
    assert_eq!(on_hand, [5, 12]);
    let ledger = shop.list("inventory-adjustments?sku=B-1").await;
    let lines: Vec<_> = ledger
        .iter()
        .map(|line| (line["delta"].as_i64().unwrap(), line["reason"].as_str().unwrap()))
        .collect();
    assert!(lines.contains(&(-2, "import")) && lines.contains(&(12, "import")), "{lines:?}");

    shop.imported("stock", counted, "0 adjusted, 3 as they were");
    assert_eq!(shop.list("inventory-adjustments").await.len(), 3);
    shop.close();
}

async fn every_problem_of_a_file_is_told_with_line_and_column_and_nothing_is_imported(
    database: Database,
) {
    let shop = Shop::new(database, "problems");
    let items = "sku,name,weight,colour\nB-1,,x,\nB-2,Good,1,red\n\nB-2,Again,1,\nB-3,short\n";
    let (is_done, printed, complaints) = shop.import("catalog-items", items);
    assert!(!is_done && printed.is_empty());
    let wanted = [
        "line 1, column colour: is not one of ",
        "line 2, column name: ",
        "line 2, column weight: ",
        "line 5, column sku: stands on line 3 already",
        "line 6: has 2 cells where the headings are 4",
        "waybill: file.csv: 5 problems, and nothing was imported",
    ];
    assert_eq!(complaints.len(), wanted.len(), "{complaints:#?}");
    for (complaint, wanted) in complaints.iter().zip(wanted) {
        let rest = wanted.strip_prefix("waybill: ").unwrap_or(wanted);
        assert!(complaint.contains(rest), "{wanted}: {complaints:#?}");
    }
    assert!(shop.list("catalog-items").await.is_empty());

    shop.imported("catalog-items", ITEMS, "2 new, 0 changed, 0 as they were");
    let counted = "sku,location,quantity\nB-1,A-1,5\nB-9,A-1,5\nB-1,A-1,6\nB-2,,-1\n";
    let (is_done, _, complaints) = shop.import("stock", counted);
    assert!(!is_done);
    let found = |words: &str| complaints.iter().any(|complaint| complaint.starts_with(words));
    assert!(found("line 4, column sku: was counted at this location on line 2"), "{complaints:?}");
    assert!(found("line 5, column location: ") && found("line 5, column quantity: "));
    let (is_done, _, complaints) = shop.import("stock", "sku,location,quantity\nB-9,A-1,5\n");
    assert!(!is_done && complaints[0] == "line 2, column sku: is not in the catalog");
    assert!(shop.list("inventory-levels").await.is_empty());
    shop.close();
}

async fn a_count_below_what_is_reserved_is_a_problem_and_changes_nothing(database: Database) {
    let shop = Shop::new(database, "reserved");
    shop.imported("catalog-items", ITEMS, "2 new, 0 changed, 0 as they were");
    let stock = "sku,location,quantity\nB-1,A-1,5\nB-2,A-1,5\n";
    shop.imported("stock", stock, "2 adjusted, 0 as they were");
    let mut shipment = order("KEPT");
    shipment["parcels"][0]["gross_weight"]["value"] = json!(5000);
    let wish = json!({"lines": [{"sku": "B-1", "quantity": 4}], "shipment": shipment});
    let made = shop.post("fulfilment-requests", 201, wish).await;
    let id = made["data"]["uuid"].as_str().unwrap();
    shop.post(&format!("fulfilment-requests/{id}/allocate"), 200, json!({})).await;

    let fewer = "sku,location,quantity\nB-2,A-1,1\nB-1,A-1,3\n";
    let (is_done, printed, complaints) = shop.import("stock", fewer);
    assert!(!is_done && printed.is_empty());
    assert_eq!(complaints[0], "line 3, column quantity: is less than is reserved there");
    let levels = shop.list("inventory-levels").await;
    assert!(levels.iter().all(|level| level["on_hand"] == 5), "{levels:?}");
    shop.imported("stock", "sku,location,quantity\nB-1,A-1,4\n", "1 adjusted, 0 as they were");
    shop.close();
}

async fn a_file_that_ends_within_a_cell_is_not_imported(database: Database) {
    let shop = Shop::new(database, "imports-cut");
    shop.imported("catalog-items", "sku,name\nI-1,One\n", "1 new, 0 changed, 0 as they were");
    let (is_done, _, complaints) = shop.import("stock", "sku,location,quantity\nI-1,A,\"5");
    assert!(!is_done && complaints.join(" ").contains("is not closed"), "{complaints:?}");
    assert!(shop.list("inventory-levels").await.is_empty());
    shop.close();
}

async fn a_long_file_is_imported_in_bites_and_again_without_a_change(database: Database) {
    let shop = Shop::new(database, "long");
    let (mut items, mut stock) = ("sku,name\n".to_owned(), "sku,location,quantity\n".to_owned());
    for number in 0..1_200 {
        items.push_str(&format!("SKU-{number},Thing {number}\n"));
        stock.push_str(&format!("SKU-{number},Shelf {},{}\n", number % 7, number + 1));
    }
    shop.imported("catalog-items", &items, "1200 new, 0 changed, 0 as they were");
    shop.imported("catalog-items", &items, "0 new, 0 changed, 1200 as they were");
    shop.imported("stock", &stock, "1200 adjusted, 0 as they were");
    shop.imported("stock", &stock, "0 adjusted, 1200 as they were");
    let level = shop.list("inventory-levels?sku=SKU-1199").await;
    assert_eq!((&level[0]["on_hand"], &level[0]["location"]), (&json!(1200), &json!("Shelf 2")));
    shop.close();
}
