//! Conversations that were recorded: an adapter has the same one with what was written, and what
//! lets somebody in was not written.

#[path = "../../../replay/tests/it/tape.rs"]
mod tape;

use std::path::Path;

use tape::{Folder, options};
use waybill_carriers::booking::{CarrierFiles, File, Plan, Why};
use waybill_carriers::{Account, bring, budbee, dao, gls, postnord};
use waybill_domain::booking::Reference;
use waybill_domain::country::Country;
use waybill_outbound::HIDDEN;
use waybill_replay::{Exchanges, Options, Recorder, Replay};

use crate::conversation::{Conversation, Open, account_of, adapter, exchanges, kept, plan_for};
use crate::harness::network;

fn files(folder: &Folder) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(&folder.0).unwrap();
    entries.map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect()
}

/// A carrier, an account that its exchanges let in, another one that they do not, what is booked,
/// and what must not be written.
struct Example {
    code: &'static str,
    open: Open,
    account: Account,
    stranger: Account,
    plan: Plan,
    secrets: &'static [&'static str],
}

/// What is written of an example: two sets of credentials, and the options of both.
struct Texts([&'static str; 3]);

fn example(
    code: &'static str,
    open: Open,
    Texts([credentials, other, options]): Texts,
    plan: &Plan,
    secrets: &'static [&'static str],
) -> Example {
    Example {
        code,
        open,
        account: account_of(credentials, options),
        stranger: account_of(other, options),
        plan: under("1M7VQ4H2K0AZ93BXF6RD", plan),
        secrets,
    }
}

fn bring() -> Example {
    let texts = Texts([
        r#"{"api_uid":"user@shop.example","api_key":"key-1"}"#,
        r#"{"api_uid":"other@shop.example","api_key":"k"}"#,
        r#"{"customer_number":"5","client_url":"https://shop.example"}"#,
    ]);
    let plan = plan_for("bring:business_parcel", "{}");
    example("bring", bring::open, texts, &plan, &["user@shop.example", "key-1"])
}

fn postnord() -> Example {
    let texts = Texts([
        r#"{"api_key":"key&1"}"#,
        r#"{"api_key":"other"}"#,
        r#"{"customer_number":"1234567890","agreement_country":"DK","application_id":1438}"#,
    ]);
    let plan = plan_for("postnord:mypack_home", "{}");
    example("postnord", postnord::open, texts, &plan, &["key&1", "key%261"])
}

fn gls() -> Example {
    let texts = Texts([
        r#"{"client_id":"client","client_secret":"hush"}"#,
        r#"{"client_id":"other","client_secret":"other"}"#,
        r#"{"contact_id":"2080000001"}"#,
    ]);
    let plan = plan_for("gls:private", "{}");
    example("gls", gls::open, texts, &plan, &["Y2xpZW50Omh1c2g=", "hush", "token-1"])
}

fn dao() -> Example {
    let texts = Texts([
        r#"{"customer_id":"1332","code":"hush&quiet"}"#,
        r#"{"customer_id":"1","code":"other"}"#,
        "{}",
    ]);
    let secrets = &["hush&quiet", "hush%26quiet", "\"1332\""];
    example("dao", dao::open, texts, &plan_for("dao:home", "{}"), secrets)
}

fn budbee() -> Example {
    let texts = Texts([
        r#"{"api_key":"key","api_secret":"secret"}"#,
        r#"{"api_key":"other","api_secret":"other"}"#,
        r#"{"collection_id":17}"#,
    ]);
    let stockholm = r#"{"parties":{"customer":{"contact":{"phone":"+46 70 123 45 67"},
        "address":{"address_lines":["Sveavägen 1"],"postal_code":"111 22","city":"Stockholm",
        "country":"SE"}}}}"#;
    let secrets = &["a2V5OnNlY3JldA==", "a+b/=", "a%2Bb%2F%3D"];
    example("budbee", budbee::open, texts, &plan_for("budbee:home", stockholm), secrets)
}

fn examples() -> [Example; 5] {
    [bring(), postnord(), gls(), dao(), budbee()]
}

/// The same booking under another reference, as a server makes them.
fn under(reference: &str, plan: &Plan) -> Plan {
    Plan { reference: Reference::from_stored(reference.to_owned()), ..plan.clone() }
}

async fn recorder(upstream: &str, folder: &Folder) -> Recorder {
    Recorder::start(network(), options(upstream, folder)).await.unwrap()
}

async fn replay(exchanges: Exchanges) -> Replay {
    Replay::start(exchanges, Options::default()).await.unwrap()
}

/// Everything that an adapter hears in a conversation.
async fn talk(with: &Conversation, plan: &Plan) -> Vec<String> {
    let accepted = with.accepted(plan).await;
    let booking = kept(plan, &accepted);
    let (carrier, account) = (&with.carrier, &with.account);
    let mut heard = vec![
        format!("{:?}", with.verify().await),
        format!("{accepted:?}"),
        format!("{:?}", with.find(plan).await),
        printed(carrier.documents(account, &booking).await),
    ];
    if let Some(cancelling) = carrier.cancelling() {
        heard.push(format!("{:?}", cancelling.cancel(account, &booking).await));
    }
    if let Some(points) = carrier.service_points() {
        let country = Country::parse(points.countries()[0]).unwrap();
        heard.push(format!("{:?}", points.list(account, country).await));
    }
    heard
}

/// What was heard, with words for what may differ.
fn worded(heard: Vec<String>, words: &[(&str, &str)]) -> Vec<String> {
    let same = |text: String| words.iter().fold(text, |text, (it, word)| text.replace(it, word));
    heard.into_iter().map(same).collect()
}

/// Papers with their bytes as text: our reference may be among them.
fn printed(papers: Result<CarrierFiles, Why>) -> String {
    let text = |file: &File| String::from_utf8_lossy(&file.bytes).into_owned();
    let texts = papers.map(|papers| papers.files.iter().map(text).collect::<Vec<_>>());
    format!("{texts:?}")
}

#[tokio::test]
async fn an_adapter_has_the_same_conversation_again_with_what_was_recorded() {
    for Example { code, open, account, stranger, plan, secrets } in examples() {
        let folder = Folder::new();
        let upstream = replay(exchanges(code)).await;
        let recorder = recorder(upstream.url(), &folder).await;
        let carrier = adapter(open, recorder.url());
        let first = Conversation { replay: upstream, carrier, account };
        let heard = talk(&first, &plan).await;
        first.is_understood();
        assert_eq!(first.replay.bookings(), [plan.reference.as_str()], "{code}");
        assert!(recorder.count() >= 4, "{code}");
        // Another account, and another booking of the same order.
        let recorded = replay(Exchanges::folder(&folder.0).unwrap()).await;
        let carrier = adapter(open, recorded.url());
        let again = Conversation { replay: recorded, carrier, account: stranger };
        let next = under("1M7VQ4H2KBW8T3ZD0JXC", &plan);
        let heard_again = talk(&again, &next).await;
        again.is_understood();
        let mut words = vec![
            (recorder.url(), "URL"),
            (again.replay.url(), "URL"),
            (plan.reference.as_str(), "REFERENCE"),
            (next.reference.as_str(), "REFERENCE"),
        ];
        words.extend(secrets.iter().map(|secret| (*secret, HIDDEN)));
        assert_eq!(worded(heard_again, &words), worded(heard, &words), "{code}");
    }
}

#[tokio::test]
async fn no_secret_is_in_what_was_recorded() {
    for Example { code, open, account, plan, secrets, .. } in examples() {
        let folder = Folder::new();
        let upstream = replay(exchanges(code)).await;
        let recorder = recorder(upstream.url(), &folder).await;
        let carrier = adapter(open, recorder.url());
        let first = Conversation { replay: upstream, carrier, account };
        talk(&first, &plan).await;
        let all: String =
            files(&folder).iter().map(|file| String::from_utf8_lossy(file).into_owned()).collect();
        let found: Vec<_> = secrets.iter().filter(|secret| all.contains(**secret)).collect();
        assert!(found.is_empty(), "{code}: {found:?} in {all}");
        assert!(all.contains("{reference}") && all.contains("Nørgård"), "{code}: {all}");
        assert!(!all.contains(Path::new(recorder.url()).to_str().unwrap()), "{code}");
    }
}
