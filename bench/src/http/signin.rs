//! What it costs to know an app by its token, and what others notice while people sign in.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;
use waybill_domain::access::Role;
use waybill_domain::audit::Act;
use waybill_domain::ids::{OAuthClientId, TokenId, UserId};
use waybill_domain::password::Password;
use waybill_domain::token::{TokenKind, generate_client_id};
use waybill_engine::app::App;
use waybill_engine::sign_in::Credentials;
use waybill_store::oauth::access::{self, AccessToken};
use waybill_store::oauth::clients::{self, Client};
use waybill_store::users::User;
use waybill_store::{Error, Tx, passwords, users};

use super::{Server, ask_once};
use crate::load::{self, Connection, Target};
use crate::measure::{self, Failure, Ratio, Round};
use crate::scratch::Account;

/// A token of an app must be looked up at this part of the speed of one of the API.
const TOKEN_GOAL: f64 = 0.97;
/// Beside people who sign in, nearly all requests may take this many times as long.
const P99_GOAL: f64 = 2.0;
const SIGN_INS_A_SECOND: u64 = 50;
/// So many people take turns, each from an address of its own: no limit is reached.
const PEOPLE: u64 = 500;
const PASSWORD: &str = "correct horse battery staple";
/// Open connections that ask now and then, as many callers do.
const CALLERS: usize = 16;
const PAUSE: Duration = Duration::from_millis(10);
const TIME: Duration = Duration::from_secs(10);

/// The speed of a request with a token of an app, as a part of that with one of the API.
pub fn tokens(
    runtime: &Runtime,
    app: &App,
    server: &Server,
    account: &Account,
) -> Result<(), Failure> {
    let own = app_token(runtime, app, account)?;
    let target = |token: &str| -> Result<Target, Failure> {
        let request = request(server, token);
        let (status, _, body) = ask_once(runtime, server.address, &request)?;
        if status != 200 {
            return Err(format!("GET /v2/teams: {status}").into());
        }
        Ok(Target { address: server.address, request, body_length: body.len() })
    };
    let (apps, apis) = (target(&own)?, target(&account.token)?);
    println!("\nGET /v2/teams with the token of an app, and with one of the API");
    let ratio = measure::duel(["app", "api"], Ratio::Rate, |time| {
        measure::in_turns(time, |turn| load::run(&apps, turn), |turn| load::run(&apis, turn))
    })?;
    let verdict = if ratio >= TOKEN_GOAL { "reached" } else { "missed" };
    println!("ratio {ratio:.3}; the goal of {TOKEN_GOAL} is {verdict}");
    Ok(())
}

/// What callers notice while people sign in.
pub fn beside_sign_ins(
    runtime: &Runtime,
    app: &App,
    server: &Server,
    account: &Account,
) -> Result<(), Failure> {
    let people = add_people(runtime, app)?;
    let request = request(server, &account.token);
    let calls = || callers(server, &request);
    calls()?;
    let mut ratios = Vec::new();
    println!("\n{CALLERS} callers, alone and beside {SIGN_INS_A_SECOND} sign-ins a second");
    for _ in 0..3 {
        let [_, alone] = calls()?.percentiles();
        let signing = SigningIn::start(runtime, app, people.clone());
        let beside = calls();
        let done = signing.stop(runtime)?;
        let [_, beside] = beside?.percentiles();
        let ratio = beside.as_secs_f64() / alone.as_secs_f64();
        println!("p99 {alone:.1?} alone, {beside:.1?} beside: {ratio:.2} ({done} signed in)");
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let verdict = if ratios[1] <= P99_GOAL { "reached" } else { "missed" };
    println!("median {:.2}; the goal of {P99_GOAL} is {verdict}", ratios[1]);
    Ok(())
}

fn request(server: &Server, token: &str) -> Vec<u8> {
    let head = format!("GET /v2/teams HTTP/1.1\r\nHost: {}\r\n", server.address);
    format!("{head}Authorization: Bearer {token}\r\n\r\n").into_bytes()
}

/// An access token of a client that acts for itself in the team.
fn app_token(runtime: &Runtime, app: &App, account: &Account) -> Result<String, Failure> {
    let (ids, now, team) = (app.ids().as_ref(), app.now(), account.team);
    let secret = TokenKind::Access.generate(ids).expose().clone();
    let hash = TokenKind::Access.hash(&secret).ok_or("our own token is malformed")?;
    let client = Client {
        id: OAuthClientId(app.new_uuid()),
        client_id: generate_client_id(ids),
        name: "Bench app".to_owned(),
        is_public: false,
        secret_hash: Some([7; 32]),
        team: Some(team),
        role: Some(Role::Admin),
        scopes: "*".to_owned(),
        redirect_uris: Vec::new(),
        created_at: now,
        last_used_at: None,
    };
    let token = AccessToken {
        id: TokenId(app.new_uuid()),
        client: client.id,
        team,
        grant: None,
        scopes: "*".to_owned(),
        created_at: now,
        expires_at: now.plus(Duration::from_hours(1)),
        revoked_at: None,
    };
    let insert = move |tx: &mut Tx<'_>| {
        clients::insert(tx, &client)?;
        access::insert(tx, &token, &hash)
    };
    runtime.block_on(app.write(insert))?;
    Ok(secret)
}

/// People with one password, which is hashed once.
fn add_people(runtime: &Runtime, app: &App) -> Result<Arc<Vec<String>>, Failure> {
    let typed = Password::typed(PASSWORD);
    let hash = runtime.block_on(app.secrets().passwords().hash(typed, app.ids().clone()))?;
    let (now, emails) = (app.now(), (0..PEOPLE).map(|it| format!("person-{it}@bench.example.com")));
    let emails: Vec<String> = emails.collect();
    let all: Vec<User> = emails
        .iter()
        .map(|email| User {
            id: UserId(app.new_uuid()),
            name: "Person".to_owned(),
            email: email.clone(),
            language: "en".to_owned(),
            is_operator: false,
            created_at: now,
        })
        .collect();
    let insert = move |tx: &mut Tx<'_>| {
        for user in &all {
            users::insert(tx, user)?;
            passwords::any_set(tx, user.id, &hash, now)?;
        }
        Ok::<_, Error>(())
    };
    runtime.block_on(app.write(insert))?;
    Ok(Arc::new(emails))
}

/// Callers on a thread of their own, who ask, wait a little, and ask again.
fn callers(server: &Server, request: &[u8]) -> Result<Round, Failure> {
    let address = server.address;
    let calling = async |mut connection: Connection| {
        let (mut latencies, started) = (Vec::new(), measure::now());
        while started.elapsed() < TIME {
            let asked = measure::now();
            let status = connection.ask(request).await?.status;
            if status != 200 {
                return Err(Failure::from(format!("not the expected answer: {status}")));
            }
            latencies.push(asked.elapsed());
            tokio::time::sleep(PAUSE).await;
        }
        Ok(latencies)
    };
    let all = async {
        let mut connections = Vec::new();
        for _ in 0..CALLERS {
            connections.push(Connection::open(address).await?);
        }
        let calls = connections.into_iter().map(calling);
        let mut latencies = Vec::new();
        for part in futures_util::future::join_all(calls).await {
            latencies.extend(part?);
        }
        Ok::<_, Failure>(latencies)
    };
    let own = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(Round::new(own.block_on(all)?, TIME))
}

/// People who sign in, one after the other, until they are stopped.
struct SigningIn {
    is_over: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    task: tokio::task::JoinHandle<()>,
}

impl SigningIn {
    fn start(runtime: &Runtime, app: &App, people: Arc<Vec<String>>) -> SigningIn {
        let (is_over, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (app, ended, counted) = (app.clone(), is_over.clone(), done.clone());
        let task = runtime.spawn(async move {
            let gap = Duration::from_micros(1_000_000 / SIGN_INS_A_SECOND);
            let mut ticks = tokio::time::interval(gap);
            for number in 0_u32.. {
                ticks.tick().await;
                if ended.load(Ordering::Relaxed) {
                    break;
                }
                let email = people[number as usize % people.len()].clone();
                let (app, counted) = (app.clone(), counted.clone());
                tokio::spawn(async move {
                    let credentials = Credentials {
                        email,
                        password: Password::typed(PASSWORD),
                        address: IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + number)),
                        user_agent: None,
                        act: Act::by_system(app.new_uuid(), app.now(), None),
                    };
                    if app.sign_in(credentials, None).await.is_ok() {
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        SigningIn { is_over, done, task }
    }

    /// Stops, and tells how many signed in.
    fn stop(self, runtime: &Runtime) -> Result<u64, Failure> {
        self.is_over.store(true, Ordering::Relaxed);
        runtime.block_on(self.task)?;
        Ok(self.done.load(Ordering::Relaxed))
    }
}
