//! The replay carrier over real connections.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod record;
mod tape;
#[path = "../../../waybill/tests/it/harness/tls.rs"]
mod tls;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::Request;
use tls::{Loopback, certified};
use tokio_rustls::TlsAcceptor;
use waybill_outbound::line::{Response, SendError};
use waybill_outbound::{Lines, Network};
use waybill_replay::{Exchanges, Fault, Kind, Options, Replay};

const SHOP: &str = r#"
[always]
query = { key = "k1" }

[[exchange]]
name = "book"
books = "{reference}"
request = { method = "POST", path = "/orders/{kind}", json = '''
  {"reference": "{reference}", "kilos": 1.5, "note": "{absent}",
   "items": ["{each item}", {"id": "{reference}-{n}", "count": "{count:digits}"}]}''' }
answer = { status = 201, headers = { x-kind = "{kind}" }, json = '''
  {"id": "B-{reference}", "at": "{url}", "items": ["{each item}", {"no": "{n}", "of": "{count}"}]}''' }

[[exchange]]
name = "found"
after = "book"
request = { method = "GET", path = "/orders", query = { q = "{reference}" } }
answer = { json = '{"kind": "{kind}"}' }

[[exchange]]
name = "absent"
request = { method = "GET", path = "/orders", query = { q = "{any}" } }
answer = { status = 404 }

[[exchange]]
name = "token"
times = 1
request = { method = "POST", path = "/token", form = { grant = "client", "id" = "{id}" } }
answer = { text = "token of {id}" }
"#;

const ORDER: &str = r#"{"reference": "R1", "kilos": 1.50, "more": 1,
    "items": [{"id": "R1-1", "count": 2}, {"id": "R1-2", "count": "3"}]}"#;

async fn shop() -> Replay {
    let exchanges = Exchanges::text(SHOP, Path::new(".")).unwrap();
    Replay::start(exchanges, Options::default()).await.unwrap()
}

/// A status and a body.
type Reply = (u16, String);

async fn send(
    network: Network,
    replay: &Replay,
    method: &str,
    path: &str,
    body: &str,
) -> Result<Response, SendError> {
    send_by(network, replay.url(), (method, path), &[], body).await
}

async fn send_by(
    network: Network,
    url: &str,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Response, SendError> {
    let line = Lines::new(network).dial(&url.parse().unwrap()).await.unwrap();
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Bytes::copy_from_slice(body.as_bytes())).unwrap();
    line.send(request, Duration::from_secs(5)).await
}

/// What is there answers. A body that is no text is told with signs in its place.
async fn send_to(
    url: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Reply, SendError> {
    let network = Network::new().unwrap();
    let response = send_by(network, url, (method, path), headers, body).await?;
    Ok((response.status.as_u16(), String::from_utf8_lossy(&response.body).into_owned()))
}

/// A certificate of a carrier, and a network that trusts it alone and finds it on this machine.
fn tls() -> (TlsAcceptor, Network) {
    let (acceptor, roots) = certified("carrier.example");
    let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
    (acceptor, network.trusting(roots).unwrap())
}

async fn ask(replay: &Replay, method: &str, path: &str, body: &str) -> (u16, String) {
    let response = send(Network::new().unwrap(), replay, method, path, body).await.unwrap();
    (response.status.as_u16(), String::from_utf8(response.body.to_vec()).unwrap())
}

#[tokio::test]
async fn an_answer_has_what_was_kept_of_the_request() {
    let replay = shop().await;
    let (status, body) = ask(&replay, "POST", "/orders/home?key=k1", ORDER).await;
    let items = r#"[{"no":"1","of":"2"},{"no":"2","of":"3"}]"#;
    let wanted = format!(r#"{{"id":"B-R1","at":"{}","items":{items}}}"#, replay.url());
    assert_eq!((status, body), (201, wanted));
    assert_eq!((replay.hits("book"), replay.bookings()), (1, vec!["R1".to_owned()]));
    assert_eq!(replay.kept("book", "kind"), ["home"]);
    assert_eq!(replay.unmatched(), Vec::<String>::new());
}

#[tokio::test]
async fn an_exchange_waits_for_the_one_that_it_comes_after() {
    let replay = shop().await;
    assert_eq!(ask(&replay, "GET", "/orders?key=k1&q=R1", "").await.0, 404);
    ask(&replay, "POST", "/orders/home?key=k1", ORDER).await;
    let found = ask(&replay, "GET", "/orders?key=k1&q=R1", "").await;
    assert_eq!(found, (200, r#"{"kind":"home"}"#.to_owned()));
    assert_eq!(ask(&replay, "GET", "/orders?key=k1&q=R2", "").await.0, 404);
}

#[tokio::test]
async fn a_form_is_read_and_what_was_answered_as_often_as_it_may_be_fits_no_more() {
    let replay = shop().await;
    let first = ask(&replay, "POST", "/token?key=k1", "grant=client&id=a%20b").await;
    assert_eq!(first, (200, "token of a b".to_owned()));
    assert_eq!(ask(&replay, "POST", "/token?key=k1", "grant=client&id=c").await.0, 501);
}

#[tokio::test]
async fn what_fits_nothing_is_told_with_the_nearest_and_what_differs() {
    let replay = shop().await;
    let order = ORDER.replace("1.50", "1.51").replace("R1-2", "R1-3");
    let (status, words) = ask(&replay, "POST", "/orders/home?key=k2", &order).await;
    let wanted = "POST /orders/home fits nothing. The nearest is \"book\": \
        the parameter key is \"k2\" and not \"k1\"; body.kilos is 1.51 and not 1.5; \
        body.items[1].id is \"R1-3\" and not \"{reference}-{n}\"";
    assert_eq!((status, words.as_str()), (501, wanted));
    assert_eq!(replay.unmatched(), [wanted]);
    assert!(replay.bookings().is_empty());
    let noted = ORDER.replace("\"more\"", "\"note\"");
    let (_, words) = ask(&replay, "POST", "/orders/home?key=k1", &noted).await;
    assert!(words.ends_with("\"book\": body.note is there: 1"), "{words}");
}

#[tokio::test]
async fn a_fault_takes_the_place_of_one_answer_and_the_booking_is_made_or_not() {
    let book = async |replay: &Replay| {
        send(Network::new().unwrap(), replay, "POST", "/orders/home?key=k1", ORDER).await
    };
    for (fault, status, bookings) in [
        (Fault::status(500), Some(500), 0),
        (Fault::after(Kind::Page), Some(200), 1),
        (Fault::after(Kind::Cut), Some(201), 1),
        (Fault::after(Kind::WrongType), Some(201), 1),
        (Fault::after(Kind::Redirect("/elsewhere".to_owned())), Some(307), 1),
        (Fault::before(Kind::Drop), None, 0),
        (Fault::after(Kind::Drop), None, 1),
        (Fault::after(Kind::Hang), None, 1),
        (Fault::after(Kind::Broken), None, 1),
        (Fault::after(Kind::Big(2)), None, 1),
    ] {
        let replay = shop().await;
        replay.fail("book", fault.clone());
        let answered = book(&replay).await.map(|response| response.status.as_u16());
        assert_eq!(answered.ok(), status, "{fault:?}");
        assert_eq!(replay.bookings().len(), bookings, "{fault:?}");
        assert_eq!(book(&replay).await.unwrap().status.as_u16(), 201, "{fault:?}");
    }
}

#[tokio::test]
async fn it_speaks_tls_under_a_name_of_its_own() {
    let (acceptor, network) = tls();
    let tls = Some((acceptor, "carrier.example".to_owned()));
    let exchanges = Exchanges::text(SHOP, Path::new(".")).unwrap();
    let replay = Replay::start(exchanges, Options { listen: None, tls }).await.unwrap();
    assert!(replay.url().starts_with("https://carrier.example:"));
    let response = send(network, &replay, "GET", "/orders?key=k1&q=x", "").await.unwrap();
    assert_eq!(response.status.as_u16(), 404);
}

#[tokio::test]
async fn it_listens_where_it_is_told_to_or_says_that_it_cannot() {
    let start = async |listen: &str| {
        let exchanges = Exchanges::text(SHOP, Path::new(".")).unwrap();
        Replay::start(exchanges, Options { listen: Some(listen.to_owned()), tls: None }).await
    };
    let replay = start("127.0.0.1:0").await.unwrap();
    assert_eq!(ask(&replay, "GET", "/orders?key=k1&q=R1", "").await.0, 404);
    let taken = replay.url().strip_prefix("http://").unwrap();
    let refused = start(taken).await.err().unwrap().to_string();
    assert!(refused.starts_with("the carrier cannot listen"), "{refused}");
}

#[tokio::test]
async fn an_answer_with_a_place_for_which_nothing_was_kept_is_told() {
    let text = "[[exchange]]\nname = 'a'\nanswer = { json = '{\"x\": \"{reference}\"}' }";
    let exchanges = Exchanges::text(text, Path::new(".")).unwrap();
    let replay = Replay::start(exchanges, Options::default()).await.unwrap();
    let words = "the answer of \"a\": nothing was kept as \"reference\"";
    assert_eq!(ask(&replay, "GET", "/", "").await, (501, words.to_owned()));
    assert_eq!(replay.unmatched(), [words]);
}

#[tokio::test]
async fn a_credential_is_not_repeated_in_what_is_told_of_a_request() {
    let text = "[[exchange]]\nname = 'a'\nrequest = { headers = { authorization = 'Bearer a' } }";
    let exchanges = Exchanges::text(text, Path::new(".")).unwrap();
    let replay = Replay::start(exchanges, Options::default()).await.unwrap();
    let line = Lines::new(Network::new().unwrap());
    let line = line.dial(&replay.url().parse().unwrap()).await.unwrap();
    let request = Request::get("/").header("authorization", "Bearer hush");
    let request = request.body(Bytes::new()).unwrap();
    let response = line.send(request, Duration::from_secs(2)).await.unwrap();
    assert_eq!(response.status.as_u16(), 501);
    let told = replay.unmatched().join(" ");
    assert!(told.contains("the header authorization is missing or another one"), "{told}");
    assert!(!told.contains("hush"));
}

#[test]
fn a_file_that_is_not_as_it_should_be_is_named_with_what_is_wrong() {
    for (text, words) in [
        ("[[exchange]]\nname = 'a'\n[[exchange]]\nname = 'a'", "two exchanges are called \"a\""),
        ("[[exchange]]\nname = 'a'\nafter = 'b'", "comes after \"b\", which does not exist"),
        ("[[exchange]]\nname = 'a'\nanswer = { json = '{' }", "its JSON cannot be read"),
        ("[[exchange]]\nname = 'a'\nanswer = { base64 = '!' }", "its base64 cannot be read"),
        ("[[exchange]]\nname = 'a'\nanswer = { text = '', json = '1' }", "more than one body"),
        ("[[exchange]]\nname = 'a'\nanswer = { status = 7 }", "status or a header"),
        ("[[exchange]]\nname = 'a'\nrequest = { path = '{a:odd}' }", "no rule \"odd\""),
        ("[[exchange]]\nname = 'a'\nodd = 1", "odd"),
        ("[[exchange]]\nname = 'a'\nanswer = { file = 'no' }", "no: No such file"),
    ] {
        let error = Exchanges::text(text, Path::new(".")).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
