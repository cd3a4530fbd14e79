//! The life of a request: stock is found or brought, it is picked and packed, and it ships, is
//! cancelled, or both are tried at once.

use std::time::Duration;

use serde_json::{Value, json};

use super::clients::{Client, state_of};
use super::stock::{SKUS, one_location, one_sku};
use crate::crash::http::Answer;
use crate::crash::load::{Dice, order};

/// So often stock is brought for a request that lacks some.
const BRINGS: usize = 3;
/// So often it is asked whether a booking has ended.
const ASKS: usize = 40;

/// What is wanted of a request in the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Ship,
    /// Several ask for it at once.
    ShipTogether,
    Cancel,
    ShipAndCancel,
}

impl Client {
    /// One request, from its creation to its end.
    pub(super) async fn send(&self, dice: &mut Dice, count: u64) {
        let reference = format!("W{}-{count}{}", self.number, words(dice));
        let name = format!("{}-{count}", self.number);
        let Some(id) = self.create(dice, &reference, &name).await else { return };
        if dice.below(12) == 0 {
            self.act(&reference, &id, "cancel").await;
            return;
        }
        if !self.find_stock(dice, &reference, &id, &name).await {
            self.act(&reference, &id, "cancel").await;
            return;
        }
        // What goes no further keeps its stock.
        if dice.below(25) == 0 {
            return;
        }
        for action in ["pick", "pack"] {
            if dice.below(15) == 0 {
                self.act(&reference, &id, "cancel").await;
                return;
            }
            self.act(&reference, &id, action).await;
        }
        let wish = match dice.below(10) {
            0 => Ending::Cancel,
            1 | 2 => Ending::ShipAndCancel,
            3 | 4 => Ending::ShipTogether,
            _ => Ending::Ship,
        };
        self.end(&reference, &id, wish).await;
    }

    async fn create(&self, dice: &mut Dice, reference: &str, name: &str) -> Option<String> {
        let mut shipment: Value = serde_json::from_str(&order(reference, "sandbox:home")).ok()?;
        if dice.below(2) == 0 {
            shipment["reference"] = Value::Null;
        }
        let first = one_sku(dice);
        let mut skus: Vec<&str> = SKUS.into_iter().filter(|sku| *sku != first).collect();
        // Named in any order, so that an order of locks is one that the service makes.
        skus.truncate(usize::try_from(dice.below(3)).unwrap_or(0));
        skus.insert(usize::try_from(dice.below(skus.len() as u64 + 1)).unwrap_or(0), first);
        let lines = skus.iter().map(|sku| json!({"sku": sku, "quantity": 1 + dice.below(3)}));
        let lines: Vec<Value> = lines.collect();
        let body = json!({"reference": reference, "lines": lines, "shipment": shipment});
        let (path, key) = ("/wms/fulfilment-requests", format!("wms-of-request-{name}"));
        let answer = self.insist("POST", path, &key, &body.to_string(), &[503]).await?;
        let id = answer.body["data"]["uuid"].as_str().map(str::to_owned);
        match (answer.status, id) {
            (201, Some(id)) => {
                self.note(|told| {
                    told.requests.entry(reference.to_owned()).or_default().insert(id.clone());
                });
                Some(id)
            }
            _ => {
                self.complain(reference, &answer);
                None
            }
        }
    }

    /// Allocates, and brings what is lacking. Whether there is enough now.
    async fn find_stock(&self, dice: &mut Dice, reference: &str, id: &str, name: &str) -> bool {
        for round in 0..=BRINGS {
            let Some(answer) = self.act(reference, id, "allocate").await else { return false };
            if state_of(&answer.body) != Some("backordered") || round == BRINGS {
                return state_of(&answer.body) == Some("allocated");
            }
            let lines = answer.body["data"]["lines"].as_array().cloned().unwrap_or_default();
            for (place, line) in lines.iter().enumerate() {
                let (sku, missing) = (line["sku"].as_str(), line["missing"].as_i64());
                let Some((sku, missing)) = sku.zip(missing.filter(|count| *count > 0)) else {
                    continue;
                };
                let name = format!("{name}-{round}-{place}");
                self.adjust(&name, sku, one_location(dice), missing).await;
            }
        }
        false
    }

    async fn end(&self, reference: &str, id: &str, wish: Ending) {
        match wish {
            Ending::Cancel => {
                self.act(reference, id, "cancel").await;
            }
            Ending::Ship => self.ship(reference, id).await,
            Ending::ShipTogether => {
                let ship = || self.ship(reference, id);
                tokio::join!(ship(), ship(), ship());
            }
            Ending::ShipAndCancel => {
                tokio::join!(self.ship(reference, id), self.act(reference, id, "cancel"));
            }
        }
        // What the carrier refused is not sent: its stock comes back.
        if reference.contains("sim:reject") {
            self.act(reference, id, "cancel").await;
        }
    }

    /// Ships until it is shipped, or failed. What the carrier has or may have is asked for once
    /// more: nothing else may be booked for it.
    async fn ship(&self, reference: &str, id: &str) {
        let mut failures = 0;
        for _ in 0..ASKS {
            let Some(answer) = self.act(reference, id, "ship").await else { return };
            failures += usize::from(matches!(answer.status, 502 | 504));
            if answer.status != 202 && failures != 1 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Asks for an action until it is answered, and notes the state that the answer tells.
    async fn act(&self, reference: &str, id: &str, action: &str) -> Option<Answer> {
        let path = format!("/wms/fulfilment-requests/{id}/{action}");
        let answer = self.insist("POST", &path, "", "", &[503]).await?;
        if let Some(state) = state_of(&answer.body) {
            let state = state.to_owned();
            self.note(|told| told.states.entry(reference.to_owned()).or_default().insert(state));
        }
        let is_known = match answer.status {
            200 => true,
            202 | 424 | 502 | 504 => action == "ship",
            409 => matches!(action, "ship" | "cancel"),
            _ => false,
        };
        if !is_known {
            self.complain(&format!("{reference} {action}"), &answer);
        }
        Some(answer)
    }
}

/// What the carrier does with it.
fn words(dice: &mut Dice) -> String {
    match dice.below(100) {
        0..20 => format!(" sim:delay={}ms", 20 + dice.below(280)),
        20..32 => " sim:drop".to_owned(),
        32..40 => " sim:garbage".to_owned(),
        40..48 => " sim:documents=fail-once".to_owned(),
        48..56 => " sim:reject".to_owned(),
        56..59 => " sim:documents=fail".to_owned(),
        _ => String::new(),
    }
}
