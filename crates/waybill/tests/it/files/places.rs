//! Bytes in the database, in a folder and in a bucket: the same to everyone who reads them.

use serde_json::json;
use sha2::{Digest, Sha256};
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_engine::files::{Files, Home, ReadError};
use waybill_store::documents::Content;

use super::{kept, manifest, path_of};
use crate::harness::Database;
use crate::harness::bucket::{Kept, TestStore};
use crate::harness::fixture::{Fixture, order, order_with};
use crate::harness::proxy::{Manner, TestProxy};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Each content in the database: how many bytes its row holds, and the place that it names.
async fn rows(fixture: &Fixture) -> Vec<(i64, Option<String>)> {
    let all = "SELECT CAST(length(bytes) AS BIGINT), place FROM blob ORDER BY hash";
    fixture.app.app.read(move |tx| tx.all(all, &[])).await.unwrap()
}

kept! {
    async fn a_file_is_read_whole_in_parts_and_by_its_version(fixture, place) {
        let reply = fixture.book(&order("F")).await.expect(201);
        let path = path_of(&reply, "/data/documents/0/url");
        let whole = fixture.app.get(&path).send().await.expect(200);
        let size = whole.bytes.len();
        let etag = format!("\"{}\"", hex(&Sha256::digest(&whole.bytes)));
        assert_eq!(reply.at("/data/documents/0/size_bytes"), json!(size));
        assert_eq!(whole.header("etag"), Some(etag.as_str()));
        assert_eq!(whole.header("cache-control"), Some("private, no-store"));
        let part = |range: &'static str| fixture.app.get(&path).header("range", range).send();
        assert_eq!(part("bytes=1-3").await.expect(206).bytes, b"PDF");
        assert_eq!(part("bytes=5-").await.expect(206).bytes, whole.bytes[5..]);
        let tail = part("bytes=-6").await.expect(206);
        assert_eq!(tail.bytes, whole.bytes[size - 6..]);
        let range = format!("bytes {}-{}/{size}", size - 6, size - 1);
        assert_eq!(tail.header("content-range"), Some(range.as_str()));
        let past = part("bytes=9999999-").await.expect(416);
        let why = past.at("/message").as_str().unwrap().to_owned();
        assert!(why.ends_with(&format!("outside the file, which has {size} bytes.")), "{why}");
        let part = fixture.app.ask("HEAD", &path).header("range", "bytes=0-9");
        part.send().await.expect(200);
        let head = fixture.app.ask("HEAD", &path).send().await.expect(200);
        assert!(head.bytes.is_empty());
        assert_eq!(head.header("content-length"), Some(size.to_string().as_str()));
        assert_eq!(head.header("etag"), Some(etag.as_str()));
        let known = fixture.app.get(&path).header("if-none-match", &etag).send().await.expect(304);
        assert!(known.bytes.is_empty());
        let other = fixture.app.get(&path).header("range", "bytes=1-3").header("if-range", "\"x\"");
        assert_eq!(other.send().await.expect(200).bytes, whole.bytes);
        let same = fixture.app.get(&path).header("range", "bytes=1-3").header("if-range", &etag);
        assert_eq!(same.send().await.expect(206).bytes, b"PDF");
        // Equal bytes are kept once, and where they should be.
        let expected = match &place.home {
            Home::Database => (i64::try_from(size).unwrap(), None),
            place => (0, Some(place.to_string())),
        };
        assert_eq!(rows(&fixture).await, [expected]);
    }

    async fn two_servers_read_each_others_files(fixture, place) {
        let mut fixture = fixture;
        let label = fixture.book(&order("TWO")).await.expect(201);
        let label = path_of(&label, "/data/documents/0/url");
        let first = fixture.app.router.clone();
        let second = fixture.app.beside_keeping(Limits::new(0, 0), place.files().await);
        fixture.app.router = dispatch::router(second);
        let bytes = fixture.app.get(&label).send().await.expect(200).bytes.clone();
        let closed = path_of(&manifest(&fixture).await.expect(201), "/data/documents/0/url");
        let paper = fixture.app.get(&closed).send().await.expect(200).bytes.clone();
        assert!(bytes.starts_with(b"%PDF-") && paper.starts_with(b"%PDF-"));
        fixture.app.router = first;
        assert_eq!(fixture.app.get(&closed).send().await.expect(200).bytes, paper);
    }

    async fn a_file_from_before_a_change_of_place_stays_readable(fixture, place) {
        let mut fixture = fixture;
        let label = fixture.book(&order("BEFORE")).await.expect(201);
        let label = path_of(&label, "/data/documents/0/url");
        let before = fixture.app.get(&label).send().await.expect(200).bytes.clone();
        let first = fixture.app.router.clone();
        for kept in [Kept::Folder, Kept::Database] {
            let next = TestStore::new(kept).await;
            let owner = "the test";
            let files = Files::open(&next.home, place.environment.clone(), owner).await.unwrap();
            let beside = fixture.app.beside_keeping(Limits::new(0, 0), files);
            fixture.app.router = dispatch::router(beside);
            assert_eq!(fixture.app.get(&label).send().await.expect(200).bytes, before);
            let closed = manifest(&fixture).await;
            if closed.status == 201 {
                let closed = path_of(&closed, "/data/documents/0/url");
                let paper = fixture.app.get(&closed).send().await.expect(200).bytes.clone();
                fixture.app.router = first.clone();
                assert_eq!(fixture.app.get(&closed).send().await.expect(200).bytes, paper);
            }
        }
    }
}

/// Both databases, with files in a folder.
async fn in_folder(database: Database) -> (Fixture, TestStore) {
    let place = TestStore::new(Kept::Folder).await;
    (Fixture::keeping(database, place.files().await).await, place)
}

async fn failed_put(database: Database) {
    let (fixture, place) = in_folder(database).await;
    let away = place.path().with_extension("away");
    std::fs::rename(place.path(), &away).unwrap();
    std::fs::write(place.path(), "in the way").unwrap();
    let body = order("PUT").to_string();
    let (path, app) = (fixture.app.path("/shipments"), &fixture.app);
    let booking = app.post(&path).admin().json(&body).send();
    let repair = async {
        for _ in 0..600 {
            if fixture.bookings("PUT") == 1 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        // The carrier has it: the label cannot be put down for a while.
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(rows(&fixture).await, []);
        std::fs::remove_file(place.path()).unwrap();
        std::fs::rename(&away, place.path()).unwrap();
    };
    let (reply, ()) = tokio::join!(booking, repair);
    assert!(matches!(reply.status, 201 | 202 | 502), "{}", reply.status);
    let booked = fixture.until(&reply, "booked").await;
    let file = fixture.app.get(&path_of(&booked, "/data/documents/0/url")).send().await.expect(200);
    assert!(file.bytes.starts_with(b"%PDF-"));
    assert_eq!(fixture.bookings("PUT"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_stays_away_is_told_as_such_and_the_label_is_made_when_asked_for() {
    let (fixture, place) = in_folder(Database::Sqlite).await;
    let away = place.path().with_extension("away");
    std::fs::rename(place.path(), &away).unwrap();
    std::fs::write(place.path(), "in the way").unwrap();
    let reply = fixture.book(&order("FULL")).await;
    let failed = fixture.until(&reply, "failed").await;
    let told = failed.at("/data/failure/details/0/message");
    assert_eq!(told, "The documents could not be stored on this server.");
    std::fs::remove_file(place.path()).unwrap();
    std::fs::rename(&away, place.path()).unwrap();
    fixture.act(&reply, "documents").await;
    fixture.until(&reply, "booked").await;
    assert_eq!(fixture.bookings("FULL"), 1);
}

mod a_file_that_cannot_be_put_down_is_tried_again_and_nothing_is_booked_twice {
    use crate::harness::Database;

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite() {
        super::failed_put(Database::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres() {
        super::failed_put(Database::Postgres).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_were_changed_or_lost_are_never_served() {
    let (fixture, place) = in_folder(Database::Sqlite).await;
    let reply = fixture.book(&order("CHANGED")).await.expect(201);
    let path = path_of(&reply, "/data/documents/0/url");
    let bytes = fixture.app.get(&path).send().await.expect(200).bytes.clone();
    let name = hex(&Sha256::digest(&bytes));
    let object = place.path().join(&name[..2]).join(&name[2..]);
    assert_eq!(std::fs::read(&object).unwrap(), bytes);
    let mut changed = bytes.clone();
    changed[9] ^= 1;
    std::fs::write(&object, changed).unwrap();
    fixture.app.get(&path).send().await.expect(500);
    std::fs::remove_file(&object).unwrap();
    fixture.app.get(&path).send().await.expect(500);
    std::fs::write(&object, &bytes).unwrap();
    fixture.app.get(&path).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_not_read_while_many_answers_are_being_sent() {
    let (fixture, place) = in_folder(Database::Sqlite).await;
    let parcel = json!({"gross_weight": {"value": 1200, "unit": "g"}});
    let body = order_with("LARGE", json!({"parcels": vec![parcel; 20]}));
    let reply = fixture.book(&body).await.expect(201);
    let path = path_of(&reply, "/data/documents/0/url");
    let bytes = fixture.app.get(&path).send().await.expect(200).bytes.clone();
    assert!(bytes.len() > waybill_api::memory::SMALL, "{}", bytes.len());
    // Whoever read it would find that it is gone.
    std::fs::remove_dir_all(place.path()).unwrap();
    fixture.app.get(&path).send().await.expect(500);
    let anybody = std::net::IpAddr::from([10, 0, 0, 1]);
    let all = fixture.app.api.answers().take(anybody, usize::MAX / 2).unwrap();
    fixture.app.get(&path).send().await.expect(503);
    drop(all);
    fixture.app.get(&path).send().await.expect(500);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_has_one_owner_and_must_be_writable() {
    for kept in [Kept::Folder, Kept::Bucket] {
        let place = TestStore::new(kept).await;
        place.open("one").await.unwrap();
        place.open("one").await.unwrap();
        let error = place.open("two").await.err().unwrap();
        assert!(error.starts_with(&format!("{}: ", place.home)), "{error}");
        assert!(error.contains("another database"), "{error}");
    }
    let nowhere = Home::parse("file:/dev/null/files").unwrap();
    let error = Files::open(&nowhere, Vec::new(), "one").await.err().unwrap().to_string();
    assert!(error.starts_with("file:/dev/null/files: the folder cannot"), "{error}");
    let place = TestStore::new(Kept::Bucket).await;
    let absent = Home::parse("s3://nobodys-bucket").unwrap();
    let error =
        Files::open(&absent, place.environment.clone(), "one").await.err().unwrap().to_string();
    assert!(error.contains("nobodys-bucket"), "{error}");
    let deaf = vec![
        ("AWS_ENDPOINT_URL".to_owned(), "http://127.0.0.1:9".to_owned()),
        ("AWS_ACCESS_KEY_ID".to_owned(), "test".to_owned()),
        ("AWS_SECRET_ACCESS_KEY".to_owned(), "test".to_owned()),
    ];
    let error = Files::open(&place.home, deaf.clone(), "one").await.err().unwrap().to_string();
    assert!(error.starts_with("s3://labels/of/tests: "), "{error}");
    let there = Content::At("s3://labels/of/tests".to_owned());
    let lost = Files::in_database(deaf).read(&[1; 32], there).await.unwrap_err();
    assert!(matches!(lost, ReadError::Unreachable(_)), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_at_an_https_endpoint_is_reached_through_the_proxy() {
    let way = TestProxy::start().await;
    way.now(Manner::Refuses(403));
    let home = Home::parse("s3://labels").unwrap();
    let environment = |endpoint: &str, exceptions: &str| -> Vec<(String, String)> {
        let variables = [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_ALLOW_HTTP", "true"),
            ("HTTPS_PROXY", &way.url()),
            ("NO_PROXY", exceptions),
        ];
        variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    };
    // Nobody listens at the others.
    for (endpoint, exceptions) in
        [("http://127.0.0.1:9", ""), ("https://127.0.0.1:9", "127.0.0.0/8")]
    {
        Files::probe(&home, &environment(endpoint, exceptions), true).await.unwrap_err();
        assert_eq!(way.asked(), Vec::<String>::new(), "{endpoint}");
    }
    let remote = environment("https://s3.example", "127.0.0.0/8");
    let why = Files::probe(&home, &remote, true).await.unwrap_err();
    assert!(!why.to_string().contains("hunter2"), "{why}");
    let asked = way.asked().remove(0);
    assert!(asked.starts_with("CONNECT s3.example:443 HTTP/1.1\r\n"), "{asked}");
    assert!(asked.to_lowercase().contains("proxy-authorization: basic "), "{asked}");
}
