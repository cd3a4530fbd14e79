//! The items, where they lie, and how they come and go.

use std::net::SocketAddr;

use serde_json::json;

use crate::crash::Failure;
use crate::crash::load::Dice;
use crate::crash::site::Site;

/// Few, so that everybody wants the same ones.
pub const SKUS: [&str; 3] = ["HOT-1", "HOT-2", "HOT-3"];
const LOCATIONS: [&str; 2] = ["A-01", "B-07"];
/// What lies at each location in the beginning.
const AT_FIRST: i64 = 30;

/// One item of these.
pub fn one_sku(dice: &mut Dice) -> &'static str {
    let place = usize::try_from(dice.below(SKUS.len() as u64)).unwrap_or(0);
    SKUS[place]
}

/// One place of these.
pub fn one_location(dice: &mut Dice) -> &'static str {
    let place = usize::try_from(dice.below(LOCATIONS.len() as u64)).unwrap_or(0);
    LOCATIONS[place]
}

/// Makes an item.
pub async fn make_item(site: &Site, at: SocketAddr, sku: &str) -> Result<(), Failure> {
    let item = json!({"sku": sku, "name": format!("Item {sku}"),
        "weight": {"value": 10, "unit": "g"}});
    insist(site, at, "/wms/catalog-items", &item).await
}

/// Brings so many of an item to a location.
pub async fn bring(
    site: &Site,
    at: SocketAddr,
    (sku, location): (&str, &str),
    delta: i64,
) -> Result<(), Failure> {
    let reason = format!("first {sku} {location}");
    let body = json!({"sku": sku, "location": location, "delta": delta, "reason": reason});
    insist(site, at, "/wms/inventory-adjustments", &body).await
}

/// Makes the items, and brings some of each everywhere.
pub async fn fill(site: &Site, at: SocketAddr) -> Result<(), Failure> {
    for sku in SKUS {
        make_item(site, at, sku).await?;
        for location in LOCATIONS {
            bring(site, at, (sku, location), AT_FIRST).await?;
        }
    }
    Ok(())
}

async fn insist(
    site: &Site,
    at: SocketAddr,
    path: &str,
    body: &serde_json::Value,
) -> Result<(), Failure> {
    let answer = site.ask_beta(at, "POST", path, &body.to_string()).await;
    match answer {
        Some(answer) if answer.status == 201 => Ok(()),
        Some(answer) => Err(format!("{path}: {} {}", answer.status, answer.body).into()),
        None => Err(format!("{path}: no answer").into()),
    }
}
