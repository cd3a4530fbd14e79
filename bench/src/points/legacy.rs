//! The older API beside `/v2`: the same points, asked for under both names in turns.

use std::net::SocketAddr;
use std::time::Duration;

use super::{expect, verdict};
use crate::load::Connection;
use crate::measure::{self, Failure};
use crate::scratch::Account;

/// The older API reaches this part of the requests that `/v2` answers in a second.
const GOAL: f64 = 0.5;
/// Turns of each, and requests in a turn.
const TURNS: usize = 20;
const REQUESTS: usize = 100;

/// What both are asked for: a name, what follows the team, and what follows the website.
const PAIRS: [(&str, &str, &str); 5] = [
    (
        "closest to a position",
        "closest?carrier=gls&country=DE&latitude=50.1&longitude=8.7&limit=15",
        "closest/carrier/gls/country/DE/coordinates/latitude/50.1/longitude/8.7",
    ),
    (
        "closest to a postal code",
        "closest?carrier=gls&country=DE&postal_code=10029&limit=15",
        "closest/carrier/gls/country/DE/postalcode/10029",
    ),
    ("a country", "?carrier=gls&country=DE&per_page=15", "carrier/gls/country/DE"),
    (
        "a postal code",
        "?carrier=gls&country=DK&postal_code=10029&per_page=15",
        "carrier/gls/country/DK/postalcode/10029",
    ),
    (
        "an area",
        "?carrier=gls&country=DE&bounds=50.0,8.6,50.2,8.8&per_page=15",
        "carrier/gls/country/DE/area/latitude/min/50.0/max/50.2/longitude/min/8.6/max/8.8",
    ),
];

/// Asks for each pair in turns.
pub async fn run(address: SocketAddr, account: &Account) -> Result<(), Failure> {
    let (team, token) = (account.team, &account.token);
    let head = format!("HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n");
    let mut connection = Connection::open(address).await?;
    for (name, newer, older) in PAIRS {
        let slash = if newer.starts_with('?') { "" } else { "/" };
        let newer = format!("GET /v2/teams/{team}/service-points{slash}{newer} {head}");
        let older = format!("GET /api/v1/website/bench.example.com/agents/{older} {head}");
        let mut took = [Duration::ZERO; 2];
        for _ in 0..TURNS {
            for (request, took) in [&newer, &older].into_iter().zip(&mut took) {
                let started = measure::now();
                for _ in 0..REQUESTS {
                    expect(&mut connection, request.as_bytes()).await?;
                }
                *took += started.elapsed();
            }
        }
        let [newer, older] =
            took.map(|took| (TURNS * REQUESTS) as f64 / took.as_secs_f64().max(f64::MIN_POSITIVE));
        let part = older / newer;
        println!(
            "{name}: /v2 {newer:.0}/s, the older API {older:.0}/s ({:.0} %); {}",
            part * 100.0,
            verdict(part >= GOAL)
        );
    }
    Ok(())
}
