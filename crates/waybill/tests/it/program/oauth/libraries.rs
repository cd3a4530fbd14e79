//! Libraries that apps use, as they are, on the whole way: each makes the address of the page, a
//! person signs in and agrees in a real browser, and the library reads what came back.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Installation;
use super::balancer::Balancer;
use crate::harness::browser::Browser;
use crate::harness::{Database, databases};
use crate::program::{Server, waybill};

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

/// A person with a browser, an e-mail address and a password.
struct Person {
    browser: Browser,
    email: String,
    password: String,
}

/// The person agrees to what the app asks for at this address.
fn agree(person: &Person, url: &str) {
    let browser = &person.browser;
    browser.open(url);
    if browser.evaluate("return document.querySelector('main').dataset.page") == "sign-in" {
        // The first field has the focus.
        browser.press(&person.email);
        browser.press("\u{e004}");
        browser.press(&format!("{}\u{e007}", person.password));
    }
    browser.click("button[value=allow]");
    assert_eq!(browser.text("h1"), "Welcome back");
    let mut complaints = browser.complaints();
    // The app has no picture for the browser's tab.
    complaints.retain(|line| !line.contains("/favicon.ico"));
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// Lets a library of apps use the server, and tells what it saw.
fn use_library(script: &str, input: &Value, person: &Person) -> Value {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/program/oauth");
    let mut child = Command::new(interpreter(script))
        .arg(scripts.join(script))
        .env("NODE_PATH", libraries().join("node/node_modules"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("AUTHLIB_INSECURE_TRANSPORT", "1")
        .env("OAUTHLIB_INSECURE_TRANSPORT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let mut told = Value::Null;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        told = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(url) = told["open"].as_str() {
            agree(person, url);
        }
    }
    assert!(child.wait().unwrap().success(), "{script} failed");
    told
}

/// An app with everything that it knows, for its script.
fn app(place: &Installation, base_url: &str) -> Value {
    let create = "client create --name App --team demo.example.com --redirect-uri";
    let client = place.made(&format!("{create} http://127.0.0.1/cb"));
    json!({"base_url": base_url, "team_uuid": place.demo()["team_uuid"],
        "client_id": client["client_id"], "client_secret": client["client_secret"]})
}

/// One server, or two behind one address where a database can have them.
async fn serve(place: &Installation) -> (Vec<Server>, String) {
    if place.scratch.is_none() {
        let server = place.serve();
        let url = server.base_url.clone();
        return (vec![server], url);
    }
    let balancer = Balancer::start().await;
    let (mut servers, mut ports) = (Vec::new(), Vec::new());
    for demo in [&["--demo"][..], &[]] {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (listen, database) = (free.to_string(), place.url());
        let always = ["serve", "--listen", &listen, "--base-url", &balancer.url];
        let all = [&always[..], &["--database", &database], demo].concat();
        servers.push(Server::started(waybill(&place.folder.0, &all)));
        ports.push(free.port());
    }
    balancer.lead_to(ports);
    (servers, balancer.url)
}

async fn libraries_of_apps_go_the_whole_way_unmodified(database: Database) {
    let place = Installation::new("oauth-libraries", database).await;
    let (servers, base_url) = serve(&place).await;
    let (input, (email, password)) = (app(&place, &base_url), place.administrator());
    let walk = move || {
        let person = Person { browser: Browser::start(), email, password };
        for script in ["authlib_client.py", "requests_client.py", "openid_client.js"] {
            assert_eq!(use_library(script, &input, &person), json!("done"), "{script}");
        }
    };
    tokio::task::spawn_blocking(walk).await.unwrap();
    for server in &servers {
        let log = server.log();
        assert!(log.contains("/oauth/"), "every server had a part in it: {log}");
    }
    drop(servers);
    place.remove().await;
}

/// Neither the database nor the log of the server holds what lets somebody in.
async fn no_secret_is_stored_or_logged(database: Database) {
    let place = Installation::new("oauth-secrets", database).await;
    let mut server = place.serve();
    let mut input = app(&place, &server.base_url);
    input["tells"] = true.into();
    let known = input.clone();
    let (email, password) = place.administrator();
    let mut secrets = vec![password.clone()];
    let walk = move || {
        let person = Person { browser: Browser::start(), email, password };
        use_library("requests_client.py", &input, &person)
    };
    let told = tokio::task::spawn_blocking(walk).await.unwrap();
    let text = |one: &Value| one.as_str().unwrap().to_owned();
    secrets.push(text(&known["client_secret"]));
    secrets.extend(told.as_array().unwrap().iter().map(text));
    assert!(secrets.len() > 6, "{}", secrets.len());
    assert!(server.stop());
    let log = server.log();
    assert!(log.contains("/oauth/token") && log.contains(known["client_id"].as_str().unwrap()));
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

databases! { libraries_of_apps_go_the_whole_way_unmodified no_secret_is_stored_or_logged }
