//! Servers that are killed while they give tokens. A code, and a refresh token, is good until what
//! comes of it is written, and never after that.

use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use waybill_domain::ids::OAuthClientId;
use waybill_store::oauth::clients;
use waybill_store::{Error, Options, Store, Tx};

use super::person::Person;
use super::{CALLBACK, Installation};
use crate::harness::{Database, Reply, databases};
use crate::oauth::{access, exchange, refused};
use crate::program::Server;
use crate::sign_in::visitor::{Fields, request, with};

/// So many milliseconds after an exchange, and then a refresh, was sent a server is killed. Most of
/// them are over before the last.
const MOMENTS: [u64; 3] = [0, 12, 60];

/// An installation with an app, and its administrator at a browser.
struct Site {
    place: Installation,
    client: Value,
    person: Person,
}

impl Site {
    /// With a first server, and on PostgreSQL a second one that is there before the first ends.
    async fn new(name: &str, database: Database) -> (Site, Server, Option<Server>) {
        let place = Installation::new(name, database).await;
        let first = place.serve();
        let create = "client create --name App --team demo.example.com --redirect-uri";
        let client = place.made(&format!("{create} {CALLBACK}"));
        let person = Person::new(place.administrator());
        let second = matches!(database, Database::Postgres).then(|| place.serve());
        (Site { place, client, person }, first, second)
    }

    fn of_client(&self, name: &str) -> &str {
        self.client[name].as_str().unwrap()
    }

    fn asked(&self) -> Fields {
        let asked = with(&request(self.of_client("client_id")), "redirect_uri", Some(CALLBACK));
        with(&asked, "scope", Some("teams:read shipments:read"))
    }

    /// The form with which the app brings a new code from this server.
    async fn code(&mut self, server: &Server) -> String {
        let asked = self.asked();
        let told = self.person.agree(server, &asked).await;
        self.signed(&exchange(&told["code"]))
    }

    /// The form with which it refreshes these tokens.
    fn refresh(&self, tokens: &Value) -> String {
        let token = tokens["refresh_token"].as_str().unwrap();
        self.signed(&format!("grant_type=refresh_token&refresh_token={token}"))
    }

    fn signed(&self, form: &str) -> String {
        let (id, secret) = (self.of_client("client_id"), self.of_client("client_secret"));
        format!("{form}&client_id={id}&client_secret={secret}")
    }

    /// What the access token opens.
    async fn status(&self, server: &Server, tokens: &Value) -> u16 {
        let team = self.place.demo()["team_uuid"].as_str().unwrap().to_owned();
        server.get(&format!("/v2/teams/{team}"), access(tokens)).await.status
    }

    /// How many families are not over, and how many refresh tokens are good.
    async fn live(&self) -> (i64, i64) {
        let url = self.place.url();
        let count = |tx: &mut Tx<'_>| {
            let families = "SELECT count(*) FROM oauth_grant WHERE ended_at IS NULL";
            let tokens = "SELECT count(*) FROM oauth_refresh_token WHERE used_at IS NULL";
            let one = |found: Option<i64>| found.unwrap();
            Ok::<_, Error>((one(tx.one(families, &[])?), one(tx.one(tokens, &[])?)))
        };
        let read = move || Store::open(&url, Options::default()).unwrap().blocking_read(count);
        tokio::task::spawn_blocking(read).await.unwrap().unwrap()
    }

    /// All is over that was begun, so that the next counts from nothing.
    fn revoke(&self) {
        self.place.made(&format!("client revoke --client-id {}", self.of_client("client_id")));
    }

    async fn end(self, server: Server) {
        drop(server);
        assert!(self.place.run(&["check"]).status.success());
        self.place.remove().await;
    }
}

/// A server of a test ends by SIGKILL, and another takes over: the one that runs beside it, or one
/// that is started now.
fn after_kill(site: &Site, killed: Server, beside: Option<Server>) -> Server {
    drop(killed);
    beside.unwrap_or_else(|| site.place.serve())
}

async fn tokens(server: &Server, form: &str) -> Reply {
    server.post_form("/oauth/token", form).await
}

/// Sends the form and does not wait for what comes of it.
async fn send(server: &Server, form: &str) -> TcpStream {
    let address = server.base_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ";
    let request = format!("{head}{}\r\n\r\n{form}", form.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Somebody who has the client in hand, so that nothing comes of what an app brings.
struct Holder {
    end: mpsc::Sender<()>,
    held: tokio::task::JoinHandle<()>,
}

impl Holder {
    async fn new(site: &Site) -> Holder {
        let client = OAuthClientId::parse(site.of_client("client_uuid")).unwrap();
        let (url, (hold, held), (end, is_over)) =
            (site.place.url(), mpsc::channel(), mpsc::channel::<()>());
        let holding = tokio::task::spawn_blocking(move || {
            let store = Store::open(&url, Options::default()).unwrap();
            let is_over = std::sync::Mutex::new(is_over);
            let work = move |tx: &mut Tx<'_>| {
                clients::any_lock(tx, client)?;
                let _told = hold.send(());
                // PostgreSQL ends a transaction in which nothing happens.
                while is_over.lock().unwrap().recv_timeout(Duration::from_millis(100)).is_err() {
                    tx.one::<i64>("SELECT CAST(1 AS BIGINT)", &[])?;
                }
                Ok::<_, Error>(())
            };
            store.blocking_write(work).unwrap();
        });
        tokio::task::spawn_blocking(move || held.recv().unwrap()).await.unwrap();
        Holder { end, held: holding }
    }

    async fn let_go(self) {
        self.end.send(()).unwrap();
        self.held.await.unwrap();
    }
}

/// Waits until somebody waits for what another has. SQLite tells nobody: there it is given a while.
async fn until_somebody_waits(site: &Site) {
    let Some(scratch) = &site.place.scratch else {
        return tokio::time::sleep(Duration::from_millis(300)).await;
    };
    let sql = "SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for _ in 0..600 {
        let count = scratch.store.read(move |tx| tx.one::<i64>(sql, &[])).await.unwrap();
        if count.unwrap() > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("nobody waits");
}

async fn a_code_works_once_after_the_server_that_gave_it_was_killed(database: Database) {
    let (mut site, first, beside) = Site::new("killed-after-code", database).await;
    let code = site.code(&first).await;
    let server = after_kill(&site, first, beside);
    let given = tokens(&server, &code).await.expect(200).json();
    assert_eq!((site.status(&server, &given).await, site.live().await), (200, (1, 1)));
    refused(&tokens(&server, &code).await, 400, "invalid_grant");
    assert_eq!((site.status(&server, &given).await, site.live().await), (401, (0, 0)));
    site.end(server).await;
}

/// Whoever brings again what was taken shows that two have it: there is no other way to tell an
/// answer that was lost from one that was stolen.
async fn what_was_taken_stays_taken_when_the_answer_was_lost(database: Database) {
    let (mut site, first, beside) = Site::new("lost-answers", database).await;
    let code = site.code(&first).await;
    let lost = tokens(&first, &code).await.expect(200).json();
    let server = after_kill(&site, first, beside);
    refused(&tokens(&server, &code).await, 400, "invalid_grant");
    assert_eq!((site.status(&server, &lost).await, site.live().await), (401, (0, 0)));
    refused(&tokens(&server, &site.refresh(&lost)).await, 400, "invalid_grant");

    let code = site.code(&server).await;
    let known = tokens(&server, &code).await.expect(200).json();
    let lost = tokens(&server, &site.refresh(&known)).await.expect(200).json();
    let server = after_kill(&site, server, None);
    refused(&tokens(&server, &site.refresh(&known)).await, 400, "invalid_grant");
    assert_eq!(site.live().await, (0, 0));
    for over in [&known, &lost] {
        assert_eq!(site.status(&server, over).await, 401);
        refused(&tokens(&server, &site.refresh(over)).await, 400, "invalid_grant");
    }
    site.end(server).await;
}

async fn tokens_that_arrived_are_good_after_the_server_was_killed(database: Database) {
    let (mut site, first, beside) = Site::new("killed-after-refresh", database).await;
    let code = site.code(&first).await;
    let given = tokens(&first, &code).await.expect(200).json();
    let next = tokens(&first, &site.refresh(&given)).await.expect(200).json();
    let server = after_kill(&site, first, beside);
    assert_eq!((site.status(&server, &next).await, site.live().await), (200, (1, 1)));
    tokens(&server, &site.refresh(&next)).await.expect(200);
    assert_eq!(site.live().await, (1, 1));
    site.end(server).await;
}

/// The server has the request in hand, and nothing is written yet.
async fn what_was_not_taken_yet_is_good_after_the_server_was_killed(database: Database) {
    let (mut site, first, beside) = Site::new("killed-before-commit", database).await;
    let code = site.code(&first).await;
    let holder = Holder::new(&site).await;
    let unheard = send(&first, &code).await;
    until_somebody_waits(&site).await;
    drop(first);
    holder.let_go().await;
    drop(unheard);
    let server = beside.unwrap_or_else(|| site.place.serve());
    let given = tokens(&server, &code).await.expect(200).json();
    assert_eq!(site.live().await, (1, 1));

    let holder = Holder::new(&site).await;
    let unheard = send(&server, &site.refresh(&given)).await;
    until_somebody_waits(&site).await;
    drop(server);
    holder.let_go().await;
    drop(unheard);
    let server = site.place.serve();
    let next = tokens(&server, &site.refresh(&given)).await.expect(200).json();
    assert_eq!((site.status(&server, &next).await, site.live().await), (200, (1, 1)));
    site.end(server).await;
}

/// After each kill the same is brought again: it gives tokens, or it shows that it was taken, and
/// then nothing of it is left.
async fn killed_at_any_moment_a_server_leaves_one_family_or_none(database: Database) {
    let (mut site, mut server, beside) = Site::new("killed-anywhere", database).await;
    drop(beside);
    let mut taken = 0;
    let kills = [false, true].into_iter().flat_map(|is_refresh| MOMENTS.map(|at| (is_refresh, at)));
    for (is_refresh, moment) in kills {
        let mut form = site.code(&server).await;
        if is_refresh {
            form = site.refresh(&tokens(&server, &form).await.expect(200).json());
        }
        let unheard = send(&server, &form).await;
        tokio::time::sleep(Duration::from_millis(moment)).await;
        server = after_kill(&site, server, None);
        drop(unheard);
        let (families, good) = site.live().await;
        assert!(families <= 1 && good <= families, "{families} families, {good} tokens");
        let again = tokens(&server, &form).await;
        if again.status == 200 {
            assert_eq!(site.live().await, (1, 1));
            assert_eq!(site.status(&server, &again.json()).await, 200);
        } else {
            refused(&again, 400, "invalid_grant");
            assert_eq!(site.live().await, (0, 0));
            taken += 1;
        }
        site.revoke();
    }
    println!("{taken} of {} were taken before the kill", MOMENTS.len() * 2);
    site.end(server).await;
}

databases! {
    a_code_works_once_after_the_server_that_gave_it_was_killed
    what_was_taken_stays_taken_when_the_answer_was_lost
    tokens_that_arrived_are_good_after_the_server_was_killed
    what_was_not_taken_yet_is_good_after_the_server_was_killed
    killed_at_any_moment_a_server_leaves_one_family_or_none
}
