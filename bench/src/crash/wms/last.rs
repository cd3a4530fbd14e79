//! Many requests at once for the last pieces: as many are allocated as there are pieces, and the
//! others are told what is lacking.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::stock::{bring, make_item};
use crate::crash::Failure;
use crate::crash::http::{Caller, Request};
use crate::crash::kill::Fleet;
use crate::crash::load::order;
use crate::crash::site::{Database, Site};

/// So many ask at once.
const REQUESTS: usize = 64;
/// What there is, by location.
const PIECES: [(&str, i64); 3] = [("A-01", 5), ("B-07", 3), ("B-70", 2)];
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// A run.
pub struct LastPieces {
    /// How often.
    pub rounds: usize,
    /// The program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// A mistake that the servers are told to make.
    pub bug: Option<String>,
}

impl LastPieces {
    /// Makes the run. Gives what was wrong.
    pub fn run(self) -> Result<Vec<String>, Failure> {
        let site = Site::new(&self.server, &self.database, self.bug.as_deref())?;
        let runtime = tokio::runtime::Runtime::new()?;
        let wrong = runtime.block_on(self.compete(&site))?;
        match wrong.is_empty() || self.bug.is_some() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(wrong)
    }

    async fn compete(&self, site: &Site) -> Result<Vec<String>, Failure> {
        let fleet = Fleet::start(site, &self.database).await?;
        site.seed(fleet.addresses[0]).await?;
        let mut wrong = Vec::new();
        for round in 0..self.rounds {
            let sku = format!("LAST-{round}");
            make_item(site, fleet.addresses[0], &sku).await?;
            for (location, count) in PIECES {
                bring(site, fleet.addresses[0], (&sku, location), count).await?;
            }
            let counts = one_round(site, &fleet.addresses, &sku).await?;
            let pieces: i64 = PIECES.iter().map(|(_, count)| count).sum();
            let lucky = usize::try_from(pieces)?;
            if counts != (lucky, REQUESTS - lucky) {
                wrong.push(format!("round {round}: {} allocated, {} not", counts.0, counts.1));
            }
            for (location, count) in reserved(site, fleet.addresses[0], &sku).await? {
                if !PIECES.contains(&(location.as_str(), count)) {
                    wrong.push(format!("round {round}: {count} reserved at {location}"));
                }
            }
        }
        wrong.extend(site.complaints()?);
        wrong.extend(site.caller.undeclared());
        Ok(wrong)
    }
}

/// How many requests were allocated, and how many were told that one piece is lacking.
async fn one_round(
    site: &Site,
    servers: &[SocketAddr],
    sku: &str,
) -> Result<(usize, usize), Failure> {
    let made = (0..REQUESTS).map(|number| {
        let shipment: Value =
            serde_json::from_str(&order(&format!("{sku}-{number}"), "sandbox:home"))
                .unwrap_or_default();
        json!({"lines": [{"sku": sku, "quantity": 1}], "shipment": shipment}).to_string()
    });
    let bodies: Vec<String> = made.collect();
    let path = "/wms/fulfilment-requests".to_owned();
    let made = at_once(site, servers, bodies.into_iter().map(|body| (path.clone(), body))).await?;
    let wishes = made.iter().map(|request| {
        let id = request["data"]["uuid"].as_str().unwrap_or("");
        (format!("{path}/{id}/allocate"), String::new())
    });
    let answers = at_once(site, servers, wishes).await?;
    let is_whole = |answer: &&Value| answer["data"]["state"] == "allocated";
    let lacks_one = |answer: &&Value| {
        answer["data"]["state"] == "backordered" && answer["data"]["lines"][0]["missing"] == 1
    };
    let whole = answers.iter().filter(is_whole).count();
    Ok((whole, answers.iter().filter(lacks_one).count()))
}

/// Posts all of these at once, to one server after the other.
async fn at_once(
    site: &Site,
    servers: &[SocketAddr],
    wishes: impl Iterator<Item = (String, String)>,
) -> Result<Vec<Value>, Failure> {
    let mut running = JoinSet::new();
    for (number, (path, body)) in wishes.enumerate() {
        let server = servers[number % servers.len()];
        let (path, token) = (format!("{}{path}", site.beta()), site.tokens[0].clone());
        running.spawn(post(site.caller.clone(), server, path, token, body));
    }
    running.join_all().await.into_iter().collect()
}

async fn post(
    caller: Caller,
    server: SocketAddr,
    path: String,
    token: String,
    body: String,
) -> Result<Value, Failure> {
    let request = Request { method: "POST", path: &path, token: &token, key: "", body: &body };
    match caller.ask(server, &request, PATIENCE).await {
        Some(answer) if (200..300).contains(&answer.status) => Ok(answer.body),
        Some(answer) => Err(format!("{path}: {} {}", answer.status, answer.body).into()),
        None => Err(format!("{path}: no answer").into()),
    }
}

/// What is reserved of an item, by location.
async fn reserved(
    site: &Site,
    server: SocketAddr,
    sku: &str,
) -> Result<Vec<(String, i64)>, Failure> {
    let path = format!("/wms/inventory-levels?sku={sku}");
    let answer = site.ask_beta(server, "GET", &path, "").await.ok_or("no answer to a list")?;
    let levels = answer.body["data"].as_array().cloned().unwrap_or_default();
    let of_level = |level: &Value| {
        let location = level["location"].as_str().unwrap_or("").to_owned();
        (location, level["reserved"].as_i64().unwrap_or(-1))
    };
    Ok(levels.iter().map(of_level).collect())
}
