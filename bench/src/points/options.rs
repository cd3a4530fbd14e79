//! Delivery options over every service of every carrier, priced by the team's rates.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use waybill_domain::audit::Act;
use waybill_domain::ids::AccountId;
use waybill_domain::json::{Json, parse};
use waybill_domain::tariff::Rate;
use waybill_engine::app::App;
use waybill_engine::rates::rows;
use waybill_store::{carrier_accounts, tariffs};

use super::{REQUESTS, expect, verdict};
use crate::load::Connection;
use crate::measure::{self, Failure, Round};
use crate::scratch::Account;

const SERVICES: usize = 40;
const GOAL: Duration = Duration::from_millis(10);

/// Brings the catalog to forty services, and tells their codes.
pub fn stock(app: &mut App) -> Result<Vec<String>, Failure> {
    let parts = Arc::get_mut(app).ok_or("the app is shared already")?;
    let count = parts.catalog().carriers.iter().map(|carrier| carrier.services.len()).sum();
    let first = parts.catalog_mut().carriers.first_mut().ok_or("the catalog is empty")?;
    let like = first.services.first().ok_or("the catalog is empty")?.clone();
    for number in count..SERVICES {
        let mut service = like.clone();
        service.code = format!("{}_{number}", like.code);
        first.services.push(service);
    }
    let services = parts.catalog().carriers.iter().flat_map(|carrier| &carrier.services);
    Ok(services.map(|service| service.code.clone()).collect())
}

/// Gives the team an account with every carrier and a price for every service, and asks.
pub async fn run(
    app: &App,
    address: SocketAddr,
    account: &Account,
    services: Vec<String>,
) -> Result<(), Failure> {
    seed(app, account, &services).await?;
    let body = r#"{"parties":{"merchant":{"contact":{"name":"Bench Shop","email":"a@example.com",
        "phone":"+4530274735"},"address":{"address_lines":["Vestergade 1"],"postal_code":"1456",
        "city":"København K","country":"DK"}},"customer":{"contact":{"name":"Ada Jensen",
        "email":"ada@example.com","phone":"+4530274735"},"address":{"address_lines":
        ["Islands Brygge 39"],"postal_code":"2300","city":"København S","country":"DK"}}},
        "parcels":[{"gross_weight":{"value":1200,"unit":"g"},"length":{"value":30,"unit":"cm"},
        "width":{"value":20,"unit":"cm"},"height":{"value":10,"unit":"cm"}}]}"#;
    let request = format!(
        "POST /v2/teams/{}/delivery-options HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        account.team,
        account.token,
        body.len()
    );
    let mut connection = Connection::open(address).await?;
    let answer = connection.ask(request.as_bytes()).await?;
    let shown = parse(answer.body).map_err(|_| "the answer is no JSON")?;
    let Some(Json::List(options)) = shown.member("data") else {
        return Err(format!("no options: {}", answer.status).into());
    };
    let is_open = |option: &&Json| option.member("is_available") == Some(&Json::Bool(true));
    let (count, open) = (options.len(), options.iter().filter(is_open).count());
    let mut latencies = Vec::with_capacity(REQUESTS);
    let started = measure::now();
    for _ in 0..REQUESTS {
        let asked = measure::now();
        expect(&mut connection, request.as_bytes()).await?;
        latencies.push(asked.elapsed());
    }
    let [p50, p99] = Round::new(latencies, started.elapsed()).percentiles();
    println!("delivery options over {count} services, {open} of them available:");
    println!("over HTTP p50 {p50:?}, p99 {p99:?}; {}", verdict(p99 < GOAL));
    Ok(())
}

async fn seed(app: &App, account: &Account, services: &[String]) -> Result<(), Failure> {
    let now = app.now();
    let nothing = Json::Object(Vec::new());
    let accounts = app.catalog().carriers.iter().map(|carrier| {
        let id = AccountId(app.new_uuid());
        carrier_accounts::Account {
            id,
            carrier_code: carrier.code.clone(),
            name: carrier.name.clone(),
            is_active: true,
            options: nothing.to_string(),
            credentials: app.vault().seal(id.into(), &nothing, app.ids().as_ref()),
            created_at: now,
            updated_at: now,
        }
    });
    let accounts: Vec<_> = accounts.collect();
    let weight = |kilos: i64| Json::object([("value", kilos.into()), ("unit", "kg".into())]);
    let rates = services.iter().zip(0i64..).flat_map(|(code, number)| {
        let brackets = [(0, 2), (2, 5), (5, 20), (20, 40)];
        brackets.map(|(from, to)| {
            Json::object([
                ("service_code", code.as_str().into()),
                ("zone", "DK".into()),
                ("from_weight", weight(from)),
                ("to_weight", weight(to)),
                (
                    "price",
                    Json::object([
                        ("value", (3000 + to * 100 + number).into()),
                        ("currency", "DKK".into()),
                    ]),
                ),
            ])
        })
    });
    let body = Json::object([("data", Json::list(rates))]);
    let rates = Rate::parse_all(&body, |_| true).map_err(|errors| format!("{errors:?}"))?;
    let (rows, team) = (rows(rates), account.team);
    let act = Act::by_operator(app.new_uuid(), app.now());
    app.write(move |tx| {
        for account in &accounts {
            carrier_accounts::insert(tx, team, account)?;
        }
        tariffs::replace(tx, team, &rows, &act)
    })
    .await?;
    Ok(())
}
