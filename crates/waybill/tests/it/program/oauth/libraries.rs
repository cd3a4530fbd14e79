//! Libraries that apps use, as they are, on the whole way: each makes the address of the page, a
//! person signs in and agrees in a real browser, and the library reads what came back.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::Installation;
use super::balancer::Balancer;
use super::person::Person;
use crate::harness::browser::Browser;
use crate::harness::{Database, databases};
use crate::program::{Server, waybill};
use crate::sign_in::visitor::{Fields, decoded, encoded};

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

/// A person agrees in a browser to what the app asks for at this address.
fn agree(browser: &Browser, (email, password): &(String, String), url: &str) {
    browser.open(url);
    if browser.evaluate("return document.querySelector('main').dataset.page") == "sign-in" {
        // The first field has the focus.
        browser.press(email);
        browser.press("\u{e004}");
        browser.press(&format!("{password}\u{e007}"));
    }
    browser.click("button[value=allow]");
    browser.until_text("h1", "Welcome back");
    let mut complaints = browser.complaints();
    // The app has no picture for the browser's tab.
    complaints.retain(|line| !line.contains("/favicon.ico"));
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// Lets a library of apps use the server, with somebody who visits the page that it asks for, and
/// tells what it saw.
fn use_library(script: &str, input: &Value, visit: &mut dyn FnMut(&str)) -> Value {
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
            visit(url);
        }
    }
    assert!(child.wait().unwrap().success(), "{script} failed");
    told
}

/// An app with everything that it knows, for its script.
fn app(place: &Installation, base_url: &str) -> Value {
    let create = "client create --name App --team demo.example.com --redirect-uri";
    let client = place.made(&format!("{create} http://127.0.0.1/cb"));
    // One server knows at once that a token is over, others within a second.
    let holds_after = u8::from(place.scratch.is_some());
    json!({"base_url": base_url, "holds_after": holds_after, "team_uuid": place.demo()["team_uuid"],
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
    let (input, who) = (app(&place, &base_url), place.administrator());
    let walk = move || {
        let browser = Browser::start();
        let mut visit = |url: &str| agree(&browser, &who, url);
        for script in ["authlib_client.py", "requests_client.py", "openid_client.js"] {
            assert_eq!(use_library(script, &input, &mut visit), json!("done"), "{script}");
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

/// Brings the app what the page told it, as the browser does.
fn bring(address: &str, told: &BTreeMap<String, String>) {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let query = encoded(&told.clone().into_iter().collect());
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path}?{query} HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap();
}

/// Neither the database nor the log of the server holds what lets somebody in.
async fn no_secret_is_stored_or_logged(database: Database) {
    let place = Installation::new("oauth-secrets", database).await;
    let mut server = place.serve();
    let mut input = app(&place, &server.base_url);
    (input["tells"], input["holds_after"]) = (true.into(), 0.into());
    let (known, runtime) = (input.clone(), Handle::current());
    let mut person = Person::new(place.administrator());
    let walk = move || {
        let mut visit = |url: &str| {
            let asked: Fields = decoded(url.split_once('?').unwrap().1).into_iter().collect();
            let address = &asked.iter().find(|(name, _)| name == "redirect_uri").unwrap().1;
            bring(address, &runtime.block_on(person.agree(&server, &asked)));
        };
        (use_library("requests_client.py", &input, &mut visit), server)
    };
    let (told, walked) = tokio::task::spawn_blocking(walk).await.unwrap();
    server = walked;
    let text = |one: &Value| one.as_str().unwrap().to_owned();
    let mut secrets = vec![place.administrator().1, text(&known["client_secret"])];
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
