//! OAuth clients as an operator makes them, and the libraries that apps use.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use waybill_domain::ids::{OAuthClientId, TeamId, UserId};
use waybill_domain::time::Clock;
use waybill_domain::token::TokenKind;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_store::oauth::codes::{self, Code};
use waybill_store::testing::{Scratch, fresh};
use waybill_store::{Options, Store};

use crate::harness::{Database, databases};

use super::{Folder, Server, complaint, json as parsed, run};

const CALLBACK: &str = "https://app.example.dk/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A folder with a database.
struct Installation {
    folder: Folder,
    scratch: Option<Scratch>,
}

impl Installation {
    async fn new(name: &str, database: Database) -> Installation {
        let folder = Folder::new(&format!("{name}-{database:?}"));
        let scratch = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                Some(tokio::task::spawn_blocking(move || fresh(database)).await.unwrap())
            }
        };
        Installation { folder, scratch }
    }

    fn url(&self) -> String {
        let path = || format!("sqlite:{}", self.folder.0.join("waybill.db").display());
        self.scratch.as_ref().map_or_else(path, |scratch| scratch.url.clone())
    }

    fn run(&self, line: &[&str]) -> std::process::Output {
        let url = self.url();
        run(&self.folder.0, &[line, &["--database", &url]].concat())
    }

    fn made(&self, line: &str) -> Value {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        parsed(&self.run(&words))
    }

    fn serve(&self) -> Server {
        let url = self.url();
        Server::start(&self.folder.0, &["--demo", "--database", &url])
    }

    fn demo(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.folder.0.join("demo.json")).unwrap()).unwrap()
    }

    /// Ends the scratch database outside the runtime.
    async fn remove(self) {
        tokio::task::spawn_blocking(move || drop(self)).await.unwrap();
    }
}

/// A code to which the demo's user agreed, as the page of consent stores it.
async fn agree(place: &Installation, client: &Value, demo: &Value, user: &str) -> String {
    let clock = std::sync::Arc::new(SystemClock::start());
    let secret = TokenKind::Code.generate(&SystemIds::new(clock.clone())).expose().clone();
    let hash = TokenKind::Code.hash(&secret).unwrap();
    let code = Code {
        client: OAuthClientId::parse(client["client_uuid"].as_str().unwrap()).unwrap(),
        redirect_uri: CALLBACK.to_owned(),
        is_redirect_sent: true,
        challenge: CHALLENGE.to_owned(),
        user: UserId::parse(user).unwrap(),
        team: TeamId::parse(demo["team_uuid"].as_str().unwrap()).unwrap(),
        scopes: "teams:read shipments:read".to_owned(),
        created_at: clock.now(),
    };
    let url = place.url();
    let write = move || {
        let store = Store::open(&url, Options::default()).unwrap();
        store.blocking_write(move |tx| codes::insert(tx, &code, &hash)).unwrap();
    };
    tokio::task::spawn_blocking(write).await.unwrap();
    secret
}

/// Where `./test` puts the libraries of apps.
fn libraries() -> PathBuf {
    let home = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/oauth-clients");
    let is_whole = home.join("bin/python").exists() && home.join("node/node_modules").exists();
    assert!(is_whole, "there are no libraries at {}: ./oauth-clients", home.display());
    home
}

/// What runs a script.
fn interpreter(script: &str) -> PathBuf {
    match script.ends_with(".js") {
        true => PathBuf::from("node"),
        false => libraries().join("bin/python"),
    }
}

/// Lets a library of apps use the server, and tells what it saw.
fn use_library(script: &str, input: &Value) -> Value {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/program/oauth");
    let mut child = Command::new(interpreter(script))
        .arg(scripts.join(script))
        .env("NODE_PATH", libraries().join("node/node_modules"))
        .env("AUTHLIB_INSECURE_TRANSPORT", "1")
        .env("OAUTHLIB_INSECURE_TRANSPORT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.to_string().as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn libraries_of_apps_work_unmodified(database: Database) {
    let place = Installation::new("oauth-libraries", database).await;
    let server = place.serve();
    let demo = place.demo();
    assert_eq!(demo["domain"], "demo.example.com");
    assert_eq!(demo["email"], "admin@demo.example.com");
    let me = server.get("/v2/me", demo["token"].as_str().unwrap()).await.expect(200);
    let user = me.at("/data/uuid").as_str().unwrap().to_owned();
    let create = "client create --name App --team demo.example.com --redirect-uri";
    let client = place.made(&format!("{create} {CALLBACK}"));
    for script in ["authlib_client.py", "requests_client.py", "openid_client.js"] {
        let code = agree(&place, &client, &demo, &user).await;
        let input = json!({"base_url": server.base_url, "team_uuid": demo["team_uuid"],
            "client_id": client["client_id"], "client_secret": client["client_secret"],
            "code": code, "code_verifier": VERIFIER, "redirect_uri": CALLBACK});
        let told = tokio::task::spawn_blocking(move || use_library(script, &input)).await.unwrap();
        assert_eq!(told, json!("done"), "{script}");
    }
    drop(server);
    place.remove().await;
}

/// Neither the database nor the log of the server holds what lets somebody in.
async fn no_secret_is_stored_or_logged(database: Database) {
    let place = Installation::new("oauth-secrets", database).await;
    let mut server = place.serve();
    let demo = place.demo();
    let me = server.get("/v2/me", demo["token"].as_str().unwrap()).await.expect(200);
    let user = me.at("/data/uuid").as_str().unwrap().to_owned();
    let create = "client create --name App --team demo.example.com --redirect-uri";
    let client = place.made(&format!("{create} {CALLBACK}"));
    let code = agree(&place, &client, &demo, &user).await;
    let input = json!({"base_url": server.base_url, "team_uuid": demo["team_uuid"],
        "client_id": client["client_id"], "client_secret": client["client_secret"],
        "code": code, "code_verifier": VERIFIER, "redirect_uri": CALLBACK, "tells": true});
    let told = tokio::task::spawn_blocking(move || use_library("requests_client.py", &input));
    let told = told.await.unwrap();
    let mut secrets: Vec<String> = vec![code, client["client_secret"].as_str().unwrap().to_owned()];
    let given = told.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned());
    secrets.extend(given);
    assert!(secrets.len() > 5, "{}", secrets.len());
    assert!(server.stop());
    let log = server.log();
    assert!(log.contains("/oauth/token") && log.contains(client["client_id"].as_str().unwrap()));
    let mut places = vec![("the log".to_owned(), log.into_bytes())];
    for file in std::fs::read_dir(&place.folder.0).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() && !path.ends_with("demo.json") {
            places.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    if place.scratch.is_some() {
        let url = place.url();
        let dump = Command::new("pg_dump").args(["--data-only", &url]).output().unwrap();
        assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
        places.push(("the dump".to_owned(), dump.stdout));
    }
    for (name, bytes) in &places {
        let has = |secret: &String| bytes.windows(secret.len()).any(|it| it == secret.as_bytes());
        assert!(!secrets.iter().any(has), "a secret is in {name}");
    }
    place.remove().await;
}

databases! { libraries_of_apps_work_unmodified no_secret_is_stored_or_logged }

#[tokio::test(flavor = "multi_thread")]
async fn clients_are_made_listed_rotated_revoked_and_deleted_beside_a_running_server() {
    let place = Installation::new("oauth-commands", Database::Sqlite).await;
    let server = place.serve();
    assert_eq!(place.made("client list"), json!([]));
    let create = "client create --name Till --team demo.example.com --scopes shipments:read";
    let own = place.made(&format!("{create} --role admin"));
    let secret = own["client_secret"].as_str().unwrap();
    assert!(secret.starts_with("wbs_") && secret.len() == 47, "{secret}");
    assert!(own["client_id"].as_str().is_some_and(|id| id.len() == 20 && id.starts_with("wbc_")));
    let listed = place.made("client list");
    assert_eq!(
        listed,
        json!([{"client_uuid": own["client_uuid"], "client_id": own["client_id"], "name": "Till",
            "is_public": false, "team_uuid": place.demo()["team_uuid"], "role": "admin",
            "redirect_uris": [], "scopes": "shipments:read",
            "created_at": listed[0]["created_at"], "last_used_at": null}])
    );
    let public = "client create --name Phone --public --redirect-uri com.example.app:/cb";
    let public = place.made(&format!("{public} --redirect-uri http://127.0.0.1/cb"));
    assert_eq!(public["client_secret"], Value::Null);
    assert_eq!(place.made("client list")[1]["role"], Value::Null);
    let id = own["client_id"].as_str().unwrap();
    let rotated = place.made(&format!("client rotate-secret --client-id {id} --now"));
    assert_ne!(rotated["client_secret"], own["client_secret"]);
    let ask = async |secret: &Value| {
        let form = format!(
            "grant_type=client_credentials&client_id={id}&client_secret={}",
            secret.as_str().unwrap()
        );
        server.post_form("/oauth/token", &form).await.status
    };
    assert_eq!(ask(&own["client_secret"]).await, 401);
    assert_eq!(ask(&rotated["client_secret"]).await, 200);
    let email = "--email admin@demo.example.com";
    place.made(&format!("client revoke --client-id {id} {email}"));
    place.made(&format!("client revoke --client-id {id}"));
    place.made(&format!("client delete --client-id {id}"));
    assert_eq!(ask(&rotated["client_secret"]).await, 401);
    let again = place.run(&["client", "delete", "--client-id", id]);
    assert_eq!(complaint(&again), format!("waybill: there is no client {id}"));
    assert_eq!(place.made("client list").as_array().unwrap().len(), 1);
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_makes_no_sense_is_refused_with_a_reason() {
    let place = Installation::new("oauth-refused", Database::Sqlite).await;
    place.made("team create --name X --domain x.example");
    let uri = ["--redirect-uri", CALLBACK];
    let team = ["--team", "x.example"];
    for (arguments, reason) in [
        (vec![], "give --team"),
        (vec!["--public"], "a public client needs a --redirect-uri"),
        ([vec!["--public"], uri.to_vec(), team.to_vec()].concat(), "--public and --team"),
        ([uri.to_vec(), vec!["--role", "admin"]].concat(), "--role is for clients with --team"),
        ([team.to_vec(), vec!["--role", "boss"]].concat(), "\"boss\" is neither admin nor member"),
        (vec!["--team", "y.example"], "there is no team y.example"),
        ([team.to_vec(), vec!["--scopes", ""]].concat(), "--scopes: name some"),
        ([team.to_vec(), vec!["--scopes", " "]].concat(), "--scopes: name some"),
        (
            [team.to_vec(), vec!["--scopes", "wms:raed"]].concat(),
            "--scopes: \"wms:raed\" is none of",
        ),
        (
            [team.to_vec(), vec!["--scopes", "operator:read"]].concat(),
            "operator:read is not for apps",
        ),
        (vec!["--redirect-uri", "http://example.com/cb"], "must begin with https://"),
        (vec!["--redirect-uri", "javascript:alert(1)"], "scheme of the app's own"),
        (vec!["--redirect-uri", "data:text/html,x"], "scheme of the app's own"),
        (vec!["--redirect-uri", "com.example.app:/cb"], "for public clients"),
        (vec!["--redirect-uri", "https://a.example/cb#x"], "fragment"),
        (vec!["--redirect-uri", "https://u:p@a.example/cb"], "has a user"),
        (vec!["--redirect-uri", ""], "not an absolute address"),
    ] {
        let line = [vec!["client", "create", "--name", "App"], arguments.clone()].concat();
        let told = complaint(&place.run(&line));
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
    let unnamed = place.run(&["client", "create", "--name", " ", "--team", "x.example"]);
    assert_eq!(complaint(&unnamed), "waybill: the name is empty");
    let empty = place.run(&["client", "revoke", "--client-id", "wbc_x", "--email", ""]);
    assert_eq!(complaint(&empty), "waybill: there is no client wbc_x");
    assert_eq!(place.made("client list"), json!([]));
}
