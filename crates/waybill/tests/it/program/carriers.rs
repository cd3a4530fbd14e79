//! `waybill carrier check`: what it asks a carrier, what it tells, and that it books nothing. The
//! carriers are played over real HTTP.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use waybill_replay::{Exchanges, Options, Replay};

use super::backups::Demo;
use super::{Folder, Server, complaint, run, waybill};

/// Each carrier with an account that its exchanges let in, and a secret of that account.
pub fn accounts() -> Vec<(&'static str, Value, &'static str)> {
    let account = |credentials: Value, options: Value| json!({"credentials": credentials, "options": options});
    vec![
        (
            "bring",
            account(
                json!({"api_uid": "user@shop.example", "api_key": "key-1"}),
                json!({"customer_number": "5", "customer_number_norway": "6",
                    "client_url": "https://shop.example"}),
            ),
            "key-1",
        ),
        (
            "postnord",
            account(
                json!({"api_key": "key&1"}),
                json!({"customer_number": "1234567890", "agreement_country": "DK",
                    "application_id": 1438}),
            ),
            "key&1",
        ),
        (
            "gls",
            account(
                json!({"client_id": "client", "client_secret": "hush"}),
                json!({"contact_id": "2080000001"}),
            ),
            "hush",
        ),
        (
            "dao",
            account(json!({"customer_id": "1332", "code": "hush&quiet"}), json!({})),
            "hush&quiet",
        ),
        (
            "budbee",
            account(
                json!({"api_key": "key", "api_secret": "secret"}),
                json!({"collection_id": 17}),
            ),
            "a2V5OnNlY3JldA==",
        ),
    ]
}

/// The exchanges in the folder of a carrier.
pub fn exchanges(code: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src").join(code).join("exchanges")
}

/// Refuses whatever the carrier does not know, and repeats what it was sent.
const REFUSALS: &str = r#"
[[exchange]]
name = "somebody at dao"
request = { query = { kode = "{code}" } }
answer = { json = '{"status":"FEJL","fejlkode":"101","fejltekst":"Ukendt kode {code}"}' }

[[exchange]]
name = "somebody at PostNord"
request = { query = { apikey = "{key}" } }
answer = { status = 401, json = '{"message": "{key} is no key"}' }

[[exchange]]
name = "somebody at Bring"
request = { headers = { x-mybring-api-key = "{key}" } }
answer = { status = 401, text = "{key} is no key" }

[[exchange]]
name = "somebody"
request = { headers = { authorization = "{any}" } }
answer = { status = 401, text = "a2V5OndhLW9wZW4tc2VzYW1l wrong-secret-1" }
"#;

/// A carrier that lets its own account in, and refuses others.
pub async fn carrier(code: &str) -> Replay {
    let all = Exchanges::folder(&exchanges(code)).unwrap();
    let all = all.and(Exchanges::text(REFUSALS, Path::new(".")).unwrap());
    Replay::start(all, Options::default()).await.unwrap()
}

fn check(folder: &Folder, replay: &Replay, code: &str, account: &Value, more: &[&str]) -> Output {
    std::fs::write(folder.0.join("account.json"), account.to_string()).unwrap();
    let url = format!("{code}={}", replay.url());
    let mut all = vec!["carrier", "check", code, "--account", "account.json"];
    all.extend(["--carrier-url", &url]);
    all.extend(more);
    tokio::task::block_in_place(|| run(&folder.0, &all))
}

fn text(output: &Output) -> String {
    let told = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(told).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_good_account_is_tried_without_a_database_and_nothing_is_booked() {
    for (code, account, secret) in accounts() {
        let (folder, replay) = (Folder::new(&format!("check-{code}")), carrier(code).await);
        let output = check(&folder, &replay, code, &account, &[]);
        let told = text(&output);
        assert!(output.status.success(), "{told}");
        assert!(told.contains("ok          credentials: the carrier accepts them"), "{told}");
        assert!(told.contains("ok          service points: "), "{told}");
        assert!(told.contains(", such as "), "{told}");
        let prices = if code == "bring" { "ok          price of bring:" } else { "not offered " };
        assert!(told.contains(prices), "{told}");
        assert!(!told.contains(secret) && told.contains("nothing is booked"), "{told}");
        assert_eq!(replay.bookings(), [""; 0], "{code}");
        assert_eq!(replay.unmatched(), [""; 0], "{code}");
        let files: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
        assert_eq!(files.len(), 1, "nothing but the account is there: {files:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_account_fails_the_check_and_no_secret_is_repeated() {
    for (code, mut account, _) in accounts() {
        let (folder, replay) = (Folder::new(&format!("refuse-{code}")), carrier(code).await);
        for secret in ["api_key", "client_secret", "code", "api_secret"] {
            if account["credentials"].get(secret).is_some() {
                account["credentials"][secret] = json!("wrong-secret-1");
            }
        }
        for more in [&[][..], &["--json"]] {
            let output = check(&folder, &replay, code, &account, more);
            let told = text(&output);
            assert_eq!(output.status.code(), Some(1), "{told}");
            assert!(!told.contains("wrong-secret"), "{told}");
            assert!(told.contains("failed") && told.contains("credentials"), "{told}");
        }
        assert_eq!(replay.bookings(), [""; 0], "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_carrier_that_refuses_an_account_is_not_asked_again_with_it() {
    let (folder, replay) = (Folder::new("refused-once"), carrier("gls").await);
    let wrong = json!({"credentials": {"client_id": "client", "client_secret": "wrong-secret-1"},
        "options": {"contact_id": "1"}});
    let told: Value =
        serde_json::from_slice(&check(&folder, &replay, "gls", &wrong, &["--json"]).stdout)
            .unwrap();
    let steps = told["steps"].as_array().unwrap();
    let results: Vec<(&str, &str)> = steps
        .iter()
        .map(|step| (step["step"].as_str().unwrap(), step["result"].as_str().unwrap()))
        .collect();
    let expected = [
        ("account", "ok"),
        ("credentials", "failed"),
        ("service points", "skipped"),
        ("prices", "skipped"),
    ];
    assert_eq!(results, expected);
    assert_eq!((&told["carrier"], &told["is_good"]), (&json!("gls"), &json!(false)));
    assert_eq!((replay.hits("no token"), replay.hits("points")), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_in_an_account_is_told_before_the_carrier_is_asked() {
    let (folder, replay) = (Folder::new("incomplete"), carrier("gls").await);
    let account = json!({"credentials": {"client_id": "client"}, "options": {}});
    let output = check(&folder, &replay, "gls", &account, &[]);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1));
    let missing = ["credentials.client_secret", "options.contact_id"];
    assert!(missing.iter().all(|path| told.contains(path)), "{told}");
    assert_eq!(replay.hits("token") + replay.hits("no token"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_country_without_points_is_told_and_one_that_fails_fails_the_check() {
    let (folder, replay) = (Folder::new("countries"), carrier("postnord").await);
    let account = &accounts()[1].1;
    let output = check(&folder, &replay, "postnord", account, &["--country", "us"]);
    let told = text(&output);
    assert!(output.status.success() && told.contains("none in US: this carrier has"), "{told}");
    let output = check(&folder, &replay, "postnord", account, &["--country", "SE"]);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("failed      service points: SE: "), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_may_come_from_standard_input_or_the_environment() {
    let (folder, replay) = (Folder::new("channels"), carrier("gls").await);
    let (account, url) = (accounts()[2].1.to_string(), format!("gls={}", replay.url()));
    std::fs::write(folder.0.join("account.json"), &account).unwrap();
    let given = |arguments: &[&str]| {
        let mut command = waybill(&folder.0, arguments);
        command.env("WAYBILL_CARRIER_URL", &url);
        command
    };
    let file = std::fs::File::open(folder.0.join("account.json")).unwrap();
    let mut input = given(&["carrier", "check", "gls", "--account", "-"]);
    let mut variable = given(&["carrier", "check", "gls"]);
    variable.env("WAYBILL_CARRIER_ACCOUNT", &account).stdin(Stdio::null());
    for command in [input.stdin(file), &mut variable] {
        let output = tokio::task::block_in_place(|| command.output().unwrap());
        assert!(output.status.success(), "{}", text(&output));
    }
    assert_eq!(replay.hits("token"), 2);
}

#[test]
fn credentials_on_the_command_line_are_refused_and_not_repeated() {
    let folder = Folder::new("plain-secret");
    for account in [r#"{"credentials": {"api_key": "hush-hush"}}"#, "hush-hush"] {
        let output = run(&folder.0, &["carrier", "check", "postnord", "--account", account]);
        let told = complaint(&output);
        assert!(told.contains("--account") && !text(&output).contains("hush"), "{told}");
    }
    for (arguments, words) in [
        (&["hush-hush"][..], "there is no carrier with that code; there are sandbox, bring,"),
        (&["bifrost"], "bifrost is in the catalog, and cannot be booked with"),
        (&["gls"], "say which account"),
        (&["gls", "--country", "Denmark"], "write the two letters of a country"),
    ] {
        let output = run(&folder.0, &[&["carrier", "check"], arguments].concat());
        let told = complaint(&output);
        assert!(told.contains(words) && !told.contains("hush"), "{told}");
    }
    std::fs::write(folder.0.join("other.json"), r#"{"carrier_code": "dao"}"#).unwrap();
    std::fs::write(folder.0.join("odd.json"), r#"{"api_key": "hush-hush"}"#).unwrap();
    for (file, words) in [("other.json", "with another carrier"), ("odd.json", "a JSON object")] {
        let output = run(&folder.0, &["carrier", "check", "gls", "--account", file]);
        let told = complaint(&output);
        assert!(told.contains(words) && !told.contains("hush"), "{told}");
    }
}

#[tokio::test]
async fn an_account_of_the_database_is_opened_with_its_key() {
    let folder = Folder::new("check-stored");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let path = demo.path("carrier-accounts");
    let listed = server.get(&path, &demo.token).await.expect(200).json();
    let uuid = listed["data"][0]["uuid"].as_str().unwrap().to_owned();
    assert!(server.stop());
    let output = run(&folder.0, &["carrier", "check", "sandbox", "--account", &uuid]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("price of sandbox:"), "{}", text(&output));
    let other = run(&folder.0, &["carrier", "check", "gls", "--account", &uuid]);
    assert!(complaint(&other).contains("with another carrier"));
    let unknown = uuid.replace(|c: char| c.is_ascii_digit(), "0");
    let unknown = run(&folder.0, &["carrier", "check", "sandbox", "--account", &unknown]);
    assert!(complaint(&unknown).contains("the database has no account"));
    std::fs::write(folder.0.join("waybill.key"), format!("{}\n", "ab".repeat(32))).unwrap();
    let locked = run(&folder.0, &["carrier", "check", "sandbox", "--account", &uuid]);
    assert!(complaint(&locked).contains("secret key"), "{}", complaint(&locked));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_check_passes_again_and_a_recording_is_not_overwritten_unasked() {
    let (folder, upstream) = (Folder::new("recording"), carrier("gls").await);
    let account = &accounts()[2].1;
    let recording = |more: &[&str]| {
        let given = ["carrier-record", "gls", "--listen", "127.0.0.1:0", "--to", "recorded"];
        let upstream = ["--upstream", upstream.url()];
        waybill(&folder.0, &[&given[..], &upstream, more].concat())
    };
    let mut recorder = Server::started(recording(&[]));
    std::fs::write(folder.0.join("account.json"), account.to_string()).unwrap();
    let at = |url: &str| {
        let url = format!("gls={url}");
        let check = ["carrier", "check", "gls", "--account", "account.json", "--carrier-url"];
        tokio::task::block_in_place(|| run(&folder.0, &[&check[..], &[&url]].concat()))
    };
    let first = at(&recorder.base_url);
    assert!(first.status.success(), "{}", text(&first));
    assert!(recorder.stop(), "{}", recorder.log());
    assert!(!recorder.log().contains("hush"), "{}", recorder.log());

    let recorded = Exchanges::folder(&folder.0.join("recorded")).unwrap();
    let again = Replay::start(recorded, Options::default()).await.unwrap();
    let second = at(again.url());
    let same = |output: &Output| text(output).lines().skip(1).collect::<Vec<_>>().join("\n");
    assert_eq!((second.status.code(), same(&second)), (Some(0), same(&first)));
    let written = std::fs::read_to_string(folder.0.join("recorded/exchanges.toml")).unwrap();
    assert!(!written.contains("hush") && !written.contains("token-1"), "{written}");

    let refused = tokio::task::block_in_place(|| recording(&[]).output().unwrap());
    assert!(complaint(&refused).contains("--overwrite"), "{}", complaint(&refused));
    assert!(Server::started(recording(&["--overwrite"])).stop());
    let emptied = std::fs::read_to_string(folder.0.join("recorded/exchanges.toml")).unwrap();
    assert!(!emptied.contains("[[exchange]]"), "{emptied}");
}

#[test]
fn an_address_to_record_that_cannot_be_is_refused_and_not_repeated() {
    let folder = Folder::new("recording-nothing");
    let record = ["carrier-record", "gls", "--to", "recorded", "--upstream"];
    for url in ["gls.example", "https://me:hush@gls.example", "ftp://hush.example"] {
        let output = run(&folder.0, &[&record[..], &[url]].concat());
        let told = complaint(&output);
        assert!(told.contains("no address of a carrier") && !told.contains("hush"), "{told}");
        assert!(!folder.0.join("recorded").exists());
    }
}
