//! Signing in as a person does it: a real server, a real browser, and an app that waits on this
//! machine. And what the operator does for it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::{Folder, Server, complaint, json as parsed, run, waybill};
use crate::harness::browser::{Browser, Look};
use crate::sign_in::visitor::{CHALLENGE, decoded, encoded, fields};

const EMAIL: &str = "ada@shop.example.com";
const PASSWORD: &str = "blåbærgrød på bordet";
/// What the challenge was made of: the example of RFC 7636.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

fn made(folder: &Path, line: &str) -> Value {
    parsed(&run(folder, &line.split(' ').collect::<Vec<_>>()))
}

/// `waybill user password` with this on standard input.
pub fn set_password(folder: &Path, email: &str, input: &[u8]) -> Output {
    let mut command = waybill(folder, &["user", "password", "--email", email, "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses at once does not listen.
    let _unheard = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// A shop with a user who has a password.
fn shop(name: &str) -> (Folder, Value) {
    let folder = Folder::new(name);
    let user = made(&folder.0, &format!("user create --name Ada --email {EMAIL} --json"));
    made(
        &folder.0,
        &format!("team create --name Shop --domain shop.example.com --email {EMAIL} --json"),
    );
    (folder, user)
}

#[test]
fn a_password_is_the_first_line_of_standard_input() {
    let (folder, user) = shop("password");
    for input in ["correct horse battery\n", "correct horse battery\r\nmore\n", "no line end here"]
    {
        let output = set_password(&folder.0, EMAIL, input.as_bytes());
        assert_eq!(parsed(&output), serde_json::json!({"user_uuid": user["user_uuid"]}));
    }
    let remove = format!("user password --email {EMAIL} --remove --json");
    assert_eq!(made(&folder.0, &remove)["user_uuid"], user["user_uuid"]);
    let again = run(&folder.0, &remove.split(' ').collect::<Vec<_>>());
    assert_eq!(complaint(&again), "waybill: the user has no password");
}

#[test]
fn what_cannot_be_a_password_is_refused_with_one_line_that_says_why() {
    let (folder, _) = shop("refused-password");
    let long = "x".repeat(129);
    for (input, why) in [
        ("short\n", "the password has fewer than 12 characters; nothing was changed"),
        ("", "the password has fewer than 12 characters; nothing was changed"),
        (
            "\ncorrect horse battery\n",
            "the password has fewer than 12 characters; nothing was changed",
        ),
        (&long, "the password has more than 128 characters; nothing was changed"),
        ("Ada@Shop.Example.com\n", "the password is the e-mail address; nothing was changed"),
    ] {
        let output = set_password(&folder.0, EMAIL, input.as_bytes());
        assert_eq!(complaint(&output), format!("waybill: {why}"));
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
        assert_eq!(output.stdout, b"");
    }
    let nobody = set_password(&folder.0, "nobody@x.example", b"correct horse battery\n");
    assert_eq!(complaint(&nobody), "waybill: there is no user nobody@x.example");
    let argument = ["user", "password", "--email", EMAIL, "--password", "correct horse battery"];
    assert!(!run(&folder.0, &argument).status.success());
}

/// An app that waits on this machine for the browser. Tells what it was sent.
fn wait_for_browser(listener: &TcpListener) -> String {
    loop {
        let (stream, _) = listener.accept().unwrap();
        let mut first = String::new();
        BufReader::new(&stream).read_line(&mut first).unwrap();
        let page = "<!DOCTYPE html><title>App</title><h1>Welcome back</h1>";
        let _gone = write!(
            &stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{page}",
            page.len(),
        );
        if let Some((_, query)) = first.split_once("/cb?") {
            return query.split(' ').next().unwrap().to_owned();
        }
    }
}

/// No page scrolls sideways, and the browser has nothing to complain about.
fn assert_sound(browser: &Browser, is_refusal: bool) {
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.evaluate(wide), 0, "{}", browser.url());
    let mut complaints = browser.complaints();
    // Chromium notes by itself that it was given an error.
    complaints.retain(|line| !(is_refusal && line.contains("Failed to load resource")));
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// Leaves a picture of the page in each width, language and light, to be looked at.
fn draw(browser: &Browser, name: &str, is_refusal: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pages");
    std::fs::create_dir_all(&folder).unwrap();
    for (width, is_dark) in [(320, false), (400, true), (1280, false)] {
        for language in ["en", "de", "fi"] {
            browser.look(Look { width, is_dark, language });
            browser.evaluate("location.reload()");
            let light = if is_dark { "dark" } else { "light" };
            assert_sound(browser, is_refusal);
            let file = folder.join(format!("{name}-{width}-{light}-{language}.png"));
            std::fs::write(file, browser.picture()).unwrap();
        }
    }
    browser.look(Look { width: 400, is_dark: false, language: "en" });
    browser.evaluate("location.reload()");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_in_a_browser_and_the_app_gets_a_token() {
    let (folder, _) = shop("browser");
    made(
        &folder.0,
        &format!("team create --name Lager --domain lager.example.com --email {EMAIL} --json"),
    );
    parsed(&set_password(&folder.0, EMAIL, PASSWORD.as_bytes()));
    let client = parsed(&run(
        &folder.0,
        &[
            "client",
            "create",
            "--name",
            "Packing Desk",
            "--public",
            "--redirect-uri",
            "http://127.0.0.1/cb",
            "--scopes",
            "shipments:read shipments:write documents:read",
            "--json",
        ],
    ));
    let client = client["client_id"].as_str().unwrap().to_owned();
    let server = Server::start(&folder.0, &[]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}/cb", listener.local_addr().unwrap());
    let asked = fields(&[
        ("response_type", "code"),
        ("client_id", &client),
        ("redirect_uri", &home),
        ("state", "x y"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]);
    let url = format!("{}/oauth/authorize?{}", server.base_url, encoded(&asked));
    let app = std::thread::spawn(move || wait_for_browser(&listener));
    let walk = tokio::task::spawn_blocking(move || walk(&url));
    walk.await.unwrap();
    let told = decoded(&app.join().unwrap());
    assert_eq!((told["state"].as_str(), told["iss"].as_str()), ("x y", server.base_url.as_str()));
    let exchange = encoded(&fields(&[
        ("grant_type", "authorization_code"),
        ("client_id", &client),
        ("code", &told["code"]),
        ("redirect_uri", &home),
        ("code_verifier", VERIFIER),
    ]));
    let given = server.post_form("/oauth/token", &exchange).await.expect(200).json();
    let token = given["access_token"].as_str().unwrap();
    let me = server.get("/v2/me", token).await.expect(200).json();
    assert_eq!(me["data"]["email"], EMAIL);
    assert_eq!(me["data"]["teams"].as_array().unwrap().len(), 1);
    server.post_form("/oauth/token", &exchange).await.expect(400);
    nothing_is_known_to_the_log_or_the_database(&folder.0, &server, &told["code"]);
}

/// What a person does, by mouse and by keyboard.
fn walk(url: &str) {
    let browser = Browser::start();
    browser.look(Look { width: 400, is_dark: false, language: "en" });
    browser.open(&url.replace("wbc_", "wbx_"));
    browser.until_text("h1", "The app is not known");
    draw(&browser, "refused", true);
    browser.open(url);
    browser.until_text("h1", "Sign in");
    // What it noted of the refused page may have come after that was looked at.
    let _of_before = browser.complaints();
    draw(&browser, "sign-in", false);
    // The first field has the focus, and Enter sends the form.
    browser.press(EMAIL);
    browser.press("\u{e004}");
    browser.press("wrong password\u{e007}");
    browser.until_text("#problem", "is wrong");
    assert_sound(&browser, true);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pages");
    std::fs::write(folder.join("wrong-400-light-en.png"), browser.picture()).unwrap();
    browser.press(PASSWORD);
    browser.press("\u{e007}");
    browser.until_text("h1", "Packing Desk");
    draw(&browser, "consent", false);
    // Nothing is chosen yet, so the browser asks before it sends anything.
    browser.click("button[value=allow]");
    browser.until_text("h1", "Packing Desk");
    browser.click("label:last-of-type input[name=team_uuid]");
    browser.click("button[value=allow]");
    browser.until_text("h1", "Welcome back");
    let mut complaints = browser.complaints();
    // The app of this test answers once, and has no picture for the browser's tab.
    complaints.retain(|line| !line.contains("/favicon.ico"));
    assert!(complaints.is_empty(), "the policy lets the form lead to the app: {complaints:?}");
}

fn nothing_is_known_to_the_log_or_the_database(folder: &Path, server: &Server, code: &str) {
    let mut written = Vec::new();
    for file in std::fs::read_dir(folder).unwrap().flatten().filter(|file| file.path().is_file()) {
        written.extend(std::fs::read(file.path()).unwrap());
    }
    let log = server.lines().join("\n");
    assert!(log.contains("/oauth/authorize"), "{log}");
    written.extend(log.into_bytes());
    for secret in [PASSWORD, "wrong password", code, VERIFIER] {
        let is_there = written.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!is_there, "{secret} was written down");
    }
}
