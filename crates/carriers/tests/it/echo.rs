//! A carrier that repeats what it was sent, in all the ways in which carriers say no: nothing that
//! lets us in comes back out of an adapter.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use waybill_carriers::booking::{Booked, Plan};
use waybill_carriers::closing::ClosingDay;
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{
    Account, Carrier, CarrierUrls, Carriers, bring, budbee, dao, gls, postnord,
};
use waybill_domain::booking::Permit;
use waybill_domain::country::Country;
use waybill_domain::time::Time;
use waybill_outbound::HIDDEN;

use crate::conversation::{Open, account_of, adapter, plan_for};
use crate::harness::{label, network, sought};

/// What comes of a request, all of which is repeated in the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// JSON as any of the carriers writes it.
    Json(u16),
    /// A page for people.
    Page(u16),
    /// A text, which is longer than what is kept of it.
    Text(u16),
    /// Headers, as GLS writes its errors.
    Headers(u16),
}

const MANNERS: [Manner; 9] = [
    Manner::Json(200),
    Manner::Json(400),
    Manner::Json(401),
    Manner::Json(404),
    Manner::Json(500),
    Manner::Page(403),
    Manner::Text(500),
    Manner::Text(403),
    Manner::Headers(400),
];

/// dao answers with status 200 whatever happened, and takes few calls in a second.
const OF_DAO: &[Manner] = &[Manner::Json(200), Manner::Text(500)];

struct Echo {
    url: String,
    manner: Arc<Mutex<Manner>>,
    running: tokio::task::JoinHandle<()>,
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Echo {
    /// With a token for whoever asks for one, when that is not repeated, too.
    async fn start(gives_tokens: bool) -> Echo {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let manner = Arc::new(Mutex::new(MANNERS[0]));
        let now = manner.clone();
        let running = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let now = now.clone();
                tokio::spawn(async move {
                    let Some(asked) = read(&mut stream).await else { return };
                    let is_for_token = gives_tokens && asked.contains("/oauth2/v2/token");
                    let manner = *now.lock().unwrap();
                    let answer = if is_for_token { token() } else { echo(manner, &asked) };
                    let _gone = stream.write_all(&answer).await;
                });
            }
        });
        Echo { url, manner, running }
    }
}

/// A whole request; nothing when the connection ends.
async fn read(stream: &mut TcpStream) -> Option<String> {
    let mut asked = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&asked).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some(text);
            }
        }
        (stream.read_buf(&mut asked).await.ok()? > 0).then_some(())?;
    }
}

fn token() -> Vec<u8> {
    let body = r#"{"access_token": "quiet-token", "expires_in": "3600"}"#;
    answer(200, "content-type: application/json\r\n", body)
}

fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Status\r\n{headers}connection: close\r\ncontent-length: {length}"
    );
    format!("{head}\r\n\r\n{body}").into_bytes()
}

fn echo(manner: Manner, asked: &str) -> Vec<u8> {
    match manner {
        Manner::Json(status) => {
            let fault = json!({"faults": [{"faultCode": "1", "explanationText": asked}]});
            let body = json!({
                "status": "FEJL", "fejlkode": asked, "fejltekst": asked, "message": asked,
                "error": {"message": asked}, "compositeFault": fault,
                "consignments": [{"errors": [{"code": "BOOK-INPUT-1",
                    "messages": [{"lang": "en", "message": asked}]}]}],
                "servicePointInformationResponse": {"compositeFault": fault},
                "fault": {"faultstring": asked}});
            answer(status, "content-type: application/json\r\n", &body.to_string())
        }
        Manner::Page(status) => {
            let shown = asked.replace('&', "&amp;").replace('"', "&quot;");
            let page = format!("<html><body><pre>{shown}</pre></body></html>");
            answer(status, "content-type: text/html\r\n", &page)
        }
        Manner::Text(status) => {
            let text = format!("{asked}\r\nand that was wrong");
            answer(status, "content-type: text/plain\r\n", &text)
        }
        Manner::Headers(status) => {
            let line = asked.replace(|c: char| c.is_control() || !c.is_ascii(), " ");
            answer(status, &format!("error: {line}\r\nmessage: {line}\r\n"), "")
        }
    }
}

/// A carrier, an account with it, and what must never be seen of that.
struct Example {
    code: &'static str,
    open: Open,
    account: Account,
    plan: Plan,
    traces: Vec<String>,
    /// What is known to come back out of the adapter alone.
    leaks: &'static [&'static str],
}

fn examples() -> [Example; 5] {
    let example = |code, open, texts: [&str; 2], plan, leaks| {
        let (account, traces) = (account_of(texts[0], texts[1]), vec!["quiet".to_owned()]);
        Example { code, open, account, plan, traces, leaks }
    };
    let stockholm = r#"{"parties":{"customer":{"contact":{"phone":"+46 70 123 45 67"},
        "address":{"address_lines":["Sveavägen 1"],"postal_code":"111 22","city":"Stockholm",
        "country":"SE"}}}}"#;
    let mut all = [
        example(
            "bring",
            bring::open,
            [
                r#"{"api_uid":"user@quiet.example","api_key":"very-quiet-key"}"#,
                r#"{"customer_number":"5","client_url":"https://shop.example"}"#,
            ],
            plan_for("bring:business_parcel", "{}"),
            &["book", "find", "verify"],
        ),
        example(
            "postnord",
            postnord::open,
            [
                r#"{"api_key":"a&quiet key"}"#,
                r#"{"customer_number":"1234567890","agreement_country":"DK","application_id":1}"#,
            ],
            plan_for("postnord:mypack_home", "{}"),
            &["book", "find", "points", "verify"],
        ),
        example(
            "gls",
            gls::open,
            [
                r#"{"client_id":"quiet-client","client_secret":"a quiet/secret"}"#,
                r#"{"contact_id":"2080000001"}"#,
            ],
            plan_for("gls:private", "{}"),
            &["book", "cancel", "close", "find"],
        ),
        example(
            "dao",
            dao::open,
            [r#"{"customer_id":"1332","code":"quiet"}"#, "{}"],
            plan_for("dao:home", "{}"),
            &["book", "cancel", "documents", "points", "verify"],
        ),
        example(
            "budbee",
            budbee::open,
            [r#"{"api_key":"quiet","api_secret":"a&b:quiet"}"#, r#"{"collection_id":17}"#],
            plan_for("budbee:home", stockholm),
            &["book", "cancel", "find", "verify"],
        ),
    ];
    all[2].traces.push(STANDARD.encode("quiet-client:a quiet/secret"));
    all[3].traces.extend(["=1332", "%3D1332"].map(str::to_owned));
    all[4].traces.push(STANDARD.encode("quiet:a&b:quiet"));
    all
}

/// The adapter as everybody meets it.
fn redacting(code: &str, url: &str) -> Arc<dyn Carrier> {
    Carriers::open(CARRIERS, &network(), &CarrierUrls::one(code, url)).unwrap().get(code).unwrap()
}

/// Everything that comes out of an adapter, with the name of what was asked for.
async fn ask_all(
    carrier: &dyn Carrier,
    account: &Account,
    plan: &Plan,
) -> Vec<(&'static str, String)> {
    let booking = Booked {
        reference: plan.reference.clone(),
        carrier_reference: "B-1".to_owned(),
        carrier_data: Some(r#"{"track_ids":["T-1"],"weights":["1.2"]}"#.to_owned()),
        tracking_numbers: vec![Some("00370".to_owned())],
        label: Some(label(waybill_domain::document::Format::Pdf)),
    };
    let mut heard = vec![("verify", shown(carrier.verify_account(account).await))];
    heard.push((
        "book",
        match carrier.dial(account).await {
            Ok(session) => {
                let prepared = carrier.prepare(plan, &account.options).unwrap();
                let permit = Permit::for_committed_intent();
                shown(carrier.book(session, account, prepared, &plan.reference, permit).await)
            }
            Err(failure) => shown(failure),
        },
    ));
    heard.push(("find", shown(carrier.find(account, &sought(plan)).await)));
    heard.push(("documents", shown(carrier.documents(account, &booking).await)));
    if let Some(cancelling) = carrier.cancelling() {
        heard.push(("cancel", shown(cancelling.cancel(account, &booking).await)));
    }
    if let Some(tracking) = carrier.tracking() {
        let answers = tracking.track(account, &["00370".to_owned()]).await;
        heard.push(("track", shown(answers)));
    }
    if let Some(points) = carrier.service_points() {
        let country = Country::parse(points.countries()[0]).unwrap();
        heard.push(("points", shown(points.list(account, country).await)));
    }
    if let Some(pricing) = carrier.pricing() {
        heard.push(("price", shown(pricing.quote(account, &plan.order, Time(0)).await)));
    }
    if let Some(closing) = carrier.closing() {
        let reference = "DAY-1".to_owned();
        let date = jiff::civil::date(2026, 11, 16);
        let day = ClosingDay { reference, bookings: vec![booking], date };
        heard.push(("close", shown(closing.close(account, &day).await)));
    }
    heard
}

fn shown(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// Tries everything with an adapter, alone and as everybody meets it. Tells what came back out of
/// the adapter alone.
async fn try_all(example: &Example, gives_tokens: bool) -> BTreeSet<&'static str> {
    let Example { code, open, account, plan, traces, .. } = example;
    let echo = Echo::start(gives_tokens).await;
    let (alone, redacting) = (adapter(*open, &echo.url), redacting(code, &echo.url));
    let has_trace = |text: &str| traces.iter().any(|trace| text.contains(trace));
    let mut leaks = BTreeSet::new();
    let manners = if *code == "dao" { OF_DAO } else { &MANNERS };
    for manner in manners.iter().copied() {
        *echo.manner.lock().unwrap() = manner;
        let told = ask_all(&*alone, account, plan).await;
        let hidden = ask_all(&*redacting, account, plan).await;
        for ((name, told), (_, hidden)) in told.into_iter().zip(hidden) {
            assert!(!has_trace(&hidden), "{code} {name} {manner:?}: {hidden}");
            match has_trace(&told) {
                true => {
                    assert!(hidden.contains(HIDDEN), "{code} {name} {manner:?}: {hidden}");
                    leaks.insert(name);
                }
                false => assert_eq!(hidden, told, "{code} {name} {manner:?}"),
            }
        }
    }
    leaks
}

#[tokio::test]
async fn what_a_carrier_repeats_of_a_request_has_nothing_in_it_that_lets_us_in() {
    for example in examples() {
        let leaks = try_all(&example, true).await;
        let is_known = example.leaks.iter().all(|name| leaks.contains(name));
        assert!(is_known, "{}: the adapter alone repeats {leaks:?}", example.code);
    }
}

#[tokio::test]
async fn what_is_repeated_of_a_request_for_a_token_has_nothing_in_it_that_lets_us_in() {
    let gls = examples().into_iter().find(|example| example.code == "gls").unwrap();
    let leaks = try_all(&gls, false).await;
    assert!(leaks.contains("verify") && leaks.contains("find"), "{leaks:?}");
}
