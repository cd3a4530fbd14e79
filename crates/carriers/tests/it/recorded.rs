//! Conversations that were recorded: an adapter has the same one with what was written, and what
//! lets somebody in was not written.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use waybill_carriers::booking::Plan;
use waybill_carriers::{Account, bring, budbee, dao, gls, postnord};
use waybill_domain::country::Country;
use waybill_domain::time::Time;
use waybill_replay::{Exchanges, Options, RecordOptions, Recorder, Replay, Secrets, Upstream};

use crate::conversation::{Conversation, Open, account_of, adapter, exchanges, kept, plan_for};
use crate::harness::{network, new_reference};

/// A folder of the test's own, which is not there yet.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("waybill-recorded-{}-{count}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }

    fn files(&self) -> Vec<Vec<u8>> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

/// A carrier, an account that its exchanges let in, another one that they do not, what is booked,
/// and what must not be written.
struct Case {
    code: &'static str,
    open: Open,
    account: Account,
    stranger: Account,
    plan: Plan,
    secrets: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let stockholm = r#"{"parties":{"customer":{"contact":{"phone":"+46 70 123 45 67"},
        "address":{"address_lines":["Sveavägen 1"],"postal_code":"111 22","city":"Stockholm",
        "country":"SE"}}}}"#;
    let case = |code, open: Open, [credentials, other, options]: [&str; 3], plan, secrets| Case {
        code,
        open,
        account: account_of(credentials, options),
        stranger: account_of(other, options),
        plan,
        secrets,
    };
    vec![
        case(
            "bring",
            bring::open,
            [
                r#"{"api_uid":"user@shop.example","api_key":"key-1"}"#,
                r#"{"api_uid":"other@shop.example","api_key":"k"}"#,
                r#"{"customer_number":"5","client_url":"https://shop.example"}"#,
            ],
            plan_for("bring:business_parcel", "{}"),
            &["user@shop.example", "key-1"],
        ),
        case(
            "postnord",
            postnord::open,
            [
                r#"{"api_key":"key&1"}"#,
                r#"{"api_key":"other"}"#,
                r#"{"customer_number":"1234567890","agreement_country":"DK",
                    "application_id":1438}"#,
            ],
            plan_for("postnord:mypack_home", "{}"),
            &["key&1", "key%261"],
        ),
        case(
            "gls",
            gls::open,
            [
                r#"{"client_id":"client","client_secret":"hush"}"#,
                r#"{"client_id":"other","client_secret":"other"}"#,
                r#"{"contact_id":"2080000001"}"#,
            ],
            plan_for("gls:private", "{}"),
            &["Y2xpZW50Omh1c2g=", "hush", "token-1"],
        ),
        case(
            "dao",
            dao::open,
            [
                r#"{"customer_id":"1332","code":"hush&quiet"}"#,
                r#"{"customer_id":"1","code":"other"}"#,
                "{}",
            ],
            plan_for("dao:home", "{}"),
            &["hush&quiet", "hush%26quiet", "\"1332\""],
        ),
        case(
            "budbee",
            budbee::open,
            [
                r#"{"api_key":"key","api_secret":"secret"}"#,
                r#"{"api_key":"other","api_secret":"other"}"#,
                r#"{"collection_id":17}"#,
            ],
            plan_for("budbee:home", stockholm),
            &["a2V5OnNlY3JldA==", "a+b/=", "a%2Bb%2F%3D"],
        ),
    ]
}

async fn recorder(upstream: &str, folder: &Folder) -> Recorder {
    let options = RecordOptions {
        listen: "127.0.0.1:0".to_owned(),
        to: folder.0.clone(),
        overwrites: false,
        upstream: Upstream::new(upstream, &[]).unwrap(),
        secrets: Secrets::default(),
        now: Time::parse("2026-11-16T13:30:00Z").unwrap(),
    };
    Recorder::start(network(), options).await.unwrap()
}

async fn replay(exchanges: Exchanges) -> Replay {
    Replay::start(exchanges, Options::default()).await.unwrap()
}

/// Everything that an adapter hears in a conversation, with words for what is new each time.
async fn talk(with: &Conversation, plan: &Plan, url: &str, older: Option<&Plan>) -> Vec<String> {
    let accepted = with.accepted(plan).await;
    let booking = kept(plan, &accepted);
    let (carrier, account) = (&with.carrier, &with.account);
    let mut heard = vec![
        format!("{:?}", with.verify().await),
        format!("{accepted:?}"),
        format!("{:?}", with.find(plan).await),
        format!("{:?}", carrier.documents(account, &booking).await),
    ];
    if let Some(cancelling) = carrier.cancelling() {
        heard.push(format!("{:?}", cancelling.cancel(account, &booking).await));
    }
    if let Some(points) = carrier.service_points() {
        let country = Country::parse(points.countries()[0]).unwrap();
        heard.push(format!("{:?}", points.list(account, country).await));
    }
    let same = |text: String| {
        let references = [Some(plan), older].into_iter().flatten();
        let text = text.replace(url, "URL");
        references.fold(text, |text, plan| text.replace(plan.reference.as_str(), "REFERENCE"))
    };
    heard.into_iter().map(same).collect()
}

#[tokio::test]
async fn an_adapter_has_the_same_conversation_again_with_what_was_recorded() {
    for Case { code, open, account, stranger, plan, .. } in cases() {
        let folder = Folder::new();
        let upstream = replay(exchanges(code)).await;
        let recorder = recorder(upstream.url(), &folder).await;
        let carrier = adapter(open, recorder.url());
        let first = Conversation { replay: upstream, carrier, account };
        let heard = talk(&first, &plan, recorder.url(), None).await;
        first.is_understood();
        assert_eq!(first.replay.bookings(), [plan.reference.as_str()], "{code}");
        assert!(recorder.count() >= 4, "{code}");
        // Another account, and another booking of the same order.
        let recorded = replay(Exchanges::folder(&folder.0).unwrap()).await;
        let carrier = adapter(open, recorded.url());
        let url = recorded.url().to_owned();
        let again = Conversation { replay: recorded, carrier, account: stranger };
        let next = Plan { reference: new_reference(), ..plan.clone() };
        let heard_again = talk(&again, &next, &url, Some(&plan)).await;
        again.is_understood();
        assert_eq!(heard_again, heard, "{code}");
    }
}

#[tokio::test]
async fn no_secret_is_in_what_was_recorded() {
    for Case { code, open, account, plan, secrets, .. } in cases() {
        let folder = Folder::new();
        let upstream = replay(exchanges(code)).await;
        let recorder = recorder(upstream.url(), &folder).await;
        let carrier = adapter(open, recorder.url());
        let first = Conversation { replay: upstream, carrier, account };
        talk(&first, &plan, recorder.url(), None).await;
        let all: String =
            folder.files().iter().map(|file| String::from_utf8_lossy(file).into_owned()).collect();
        let found: Vec<_> = secrets.iter().filter(|secret| all.contains(**secret)).collect();
        assert!(found.is_empty(), "{code}: {found:?} in {all}");
        assert!(all.contains("{reference}") && all.contains("Nørgård"), "{code}: {all}");
        assert!(!all.contains(Path::new(recorder.url()).to_str().unwrap()), "{code}");
    }
}
