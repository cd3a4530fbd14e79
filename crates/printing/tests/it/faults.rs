//! Printers that do not answer as they should.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use waybill_domain::printing::Uri;
use waybill_outbound::{Network, Resolve};
use waybill_printing::ipp::{Group, Message, Value, group, operation, parse};
use waybill_printing::{JobTicket, LinkError, PrinterNetworks, Printers};

pub fn printers(networks: PrinterNetworks) -> Printers {
    Printers::new(Network::new().unwrap(), networks, None)
}

pub fn ticket(name: &str, format: &str) -> JobTicket {
    JobTicket {
        name: name.to_owned(),
        document_name: "Label 1".to_owned(),
        format: format.to_owned(),
        copies: 1,
        media: None,
        one_sided: false,
        no_scaling: false,
    }
}

async fn listen() -> (TcpListener, Uri) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("ipp://{}/ipp/print", listener.local_addr().unwrap());
    (listener, Uri::parse(&uri).unwrap())
}

/// Reads a request by its length: the head, and the body.
async fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut read = Vec::new();
    loop {
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => read.extend_from_slice(&part[..count]),
            _ => return None,
        }
        let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(read[..end].to_vec()).unwrap().to_lowercase();
        let length = head.split("content-length: ").nth(1).expect("a body without a length");
        let length: usize = length.lines().next().unwrap().parse().unwrap();
        if read.len() == end + 4 + length {
            return Some((head, read[end + 4..].to_vec()));
        }
    }
}

fn http(status: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

fn answer(request: &Message, status: u16) -> Message {
    Message::new(request.version, status, request.request_id)
}

/// A printer that does this with each request. Nothing: it hangs up without an answer.
async fn printer(
    reply: impl Fn(&Message, &[u8]) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> Uri {
    let (listener, uri) = listen().await;
    let reply = Arc::new(reply);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let reply = reply.clone();
            tokio::spawn(async move {
                while let Some((head, body)) = read_request(&mut stream).await {
                    assert!(head.starts_with("post /ipp/print http/1.1"), "{head}");
                    assert!(!head.contains("transfer-encoding"), "{head}");
                    let (request, document) = parse(&body).unwrap();
                    let Some(reply) = reply(&request, document) else { break };
                    stream.write_all(&reply).await.unwrap();
                }
            });
        }
    });
    uri
}

fn ipp(answer: &Message) -> Option<Vec<u8>> {
    Some(http("200 OK", "application/ipp", &answer.encode()))
}

#[tokio::test]
async fn every_operation_says_who_asks_in_the_order_that_printers_want() {
    let uri = printer(|request, document| {
        let names: Vec<_> =
            request.groups[0].attributes.iter().map(|it| it.name.as_str()).collect();
        let start = ["attributes-charset", "attributes-natural-language", "printer-uri"];
        assert_eq!(names[..3], start);
        let has_job =
            [operation::SEND_DOCUMENT, operation::GET_JOB_ATTRIBUTES, operation::CANCEL_JOB]
                .contains(&request.code);
        let after = if has_job {
            &["job-id", "requesting-user-name"][..]
        } else {
            &["requesting-user-name"]
        };
        assert_eq!(names[3..3 + after.len()], *after);
        assert_eq!(request.groups[0].text("requesting-user-name"), Some("waybill"));
        assert!(!names.contains(&"limit"));
        let has_document = [operation::SEND_DOCUMENT, operation::PRINT_JOB].contains(&request.code);
        assert_eq!(document, if has_document { &b"^XA^XZ"[..] } else { b"" });
        let job = Group::new(group::JOB)
            .with("job-id", Value::Integer(4))
            .with("job-state", Value::Enum(3));
        ipp(&answer(request, 0).with(Group::new(group::PRINTER)).with(job))
    })
    .await;
    let mut link = printers(PrinterNetworks::Any).connect(&uri).await.unwrap();
    let (ticket, bytes) = (ticket("wb-1-1 Label", "application/zpl"), Bytes::from("^XA^XZ"));
    assert!(link.attributes().await.unwrap().is_accepting);
    assert_eq!(link.create_job(&ticket).await, Ok(4));
    assert_eq!(link.send_document(4, &ticket, bytes.clone()).await.unwrap().id, 4);
    assert_eq!(link.print_job(&ticket, bytes).await.unwrap().id, 4);
    assert_eq!(link.job(4).await.unwrap().unwrap().id, 4);
    assert_eq!(link.jobs().await.unwrap().len(), 1);
    assert_eq!(link.cancel_job(4).await, Ok(()));
}

#[tokio::test]
async fn a_printer_of_an_older_version_is_asked_in_that() {
    let uri = printer(|request, _| match request.version {
        (1, 1) => ipp(&answer(request, 0).with(Group::new(group::PRINTER))),
        _ => ipp(&answer(request, 0x0503)),
    })
    .await;
    assert!(printers(PrinterNetworks::Any).probe(&uri, None).await.is_ok());
    let newer = printer(|request, _| ipp(&answer(request, 0x0503))).await;
    let refused = printers(PrinterNetworks::Any).probe(&newer, None).await;
    assert!(matches!(refused, Err(LinkError::Refused { status: 0x0503, .. })), "{refused:?}");
}

/// What is told of a printer that gives this answer to everything: to a look, a new job, and a
/// document.
async fn told(reply: Option<Vec<u8>>) -> [LinkError; 3] {
    let uri = printer(move |_, _| reply.clone()).await;
    let printers = printers(PrinterNetworks::Any);
    let ticket = ticket("wb-1-1", "application/pdf");
    let mut link = printers.connect(&uri).await.unwrap();
    [
        printers.probe(&uri, None).await.unwrap_err(),
        link.create_job(&ticket).await.unwrap_err(),
        link.send_document(1, &ticket, Bytes::from("x")).await.unwrap_err(),
    ]
}

#[tokio::test]
async fn what_is_not_a_printer_is_told_apart() {
    let html = |status: &str| Some(http(status, "text/html", b"<html>"));
    let [look, create, send] = told(html("200 OK")).await;
    assert_eq!(look, LinkError::NotIpp);
    assert!(create.may_have_arrived() && send.may_have_arrived());
    let [look, create, send] = told(html("401 Unauthorized")).await;
    assert_eq!(look, LinkError::WantsPassword);
    assert!(matches!(create, LinkError::Refused { status: 401, .. }));
    assert!(matches!(send, LinkError::Refused { status: 401, .. }));
    assert_eq!(told(html("404 Not Found")).await[0], LinkError::NoSuchQueue);
    assert_eq!(told(html("426 Upgrade Required")).await[0], LinkError::WantsTls);
    assert_eq!(told(html("302 Found")).await[0], LinkError::NotIpp);
    let [look, create, send] = told(html("503 Service Unavailable")).await;
    assert!(matches!(look, LinkError::PutOff { status: 503, .. }));
    assert!(create.may_have_arrived() && send.may_have_arrived());
}

#[tokio::test]
async fn an_answer_to_another_request_is_none() {
    let other = Message::new((2, 0), 0, 77).encode();
    let [look, create, send] = told(Some(http("200 OK", "application/ipp", &other))).await;
    assert_eq!(look, LinkError::NotIpp);
    assert!(create.may_have_arrived() && send.may_have_arrived());
}

#[tokio::test]
async fn a_printer_that_hangs_up_may_have_heard_everything() {
    for error in told(None).await {
        assert!(error.may_have_arrived(), "{error}");
    }
}

#[tokio::test]
async fn a_job_without_a_number_is_unclear_and_a_missing_one_is_none() {
    let uri = printer(|request, _| ipp(&answer(request, 0))).await;
    let mut link = printers(PrinterNetworks::Any).connect(&uri).await.unwrap();
    let created = link.create_job(&ticket("wb-1-1", "application/pdf")).await;
    assert!(created.unwrap_err().may_have_arrived());
    let uri = printer(|request, _| ipp(&answer(request, 0x0406))).await;
    let mut link = printers(PrinterNetworks::Any).connect(&uri).await.unwrap();
    assert_eq!(link.job(5).await, Ok(None));
    assert_eq!(link.jobs().await, Err(LinkError::NoSuchQueue));
}

/// The printer closes each connection after one answer.
#[tokio::test]
async fn a_connection_that_was_closed_between_two_requests_is_opened_again() {
    let (listener, uri) = listen().await;
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (_, body) = read_request(&mut stream).await.unwrap();
            let (request, _) = parse(&body).unwrap();
            let printer = answer(&request, 0).with(Group::new(group::PRINTER));
            stream.write_all(&ipp(&printer).unwrap()).await.unwrap();
        }
    });
    let mut link = printers(PrinterNetworks::Any).connect(&uri).await.unwrap();
    for _ in 0..3 {
        assert!(link.attributes().await.is_ok());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_document_that_is_late_does_not_leave() {
    let uri = printer(|_, _| panic!("something was sent")).await;
    let mut link = printers(PrinterNetworks::Any).connect(&uri).await.unwrap();
    link.send_within(Duration::ZERO);
    let late = link.print_job(&ticket("wb-1-1", "application/pdf"), Bytes::from("x")).await;
    assert!(matches!(late, Err(LinkError::NotSent(_))), "{late:?}");
}

#[tokio::test]
async fn a_printer_that_never_answers_is_given_up_while_somebody_waits() {
    let (listener, uri) = listen().await;
    let started = tokio::time::Instant::now();
    assert_eq!(printers(PrinterNetworks::Any).probe(&uri, None).await, Err(LinkError::TimedOut));
    assert!(started.elapsed() < Duration::from_millis(5500));
    drop(listener);
    assert_eq!(
        printers(PrinterNetworks::Any).probe(&uri, None).await,
        Err(LinkError::NoConnection)
    );
}

/// A name with these addresses.
struct Addresses(Vec<IpAddr>);

#[async_trait::async_trait]
impl Resolve for Addresses {
    async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(self.0.clone())
    }
}

#[tokio::test]
async fn only_addresses_that_are_allowed_are_called() {
    let (listener, uri) = listen().await;
    let refused = printers(PrinterNetworks::None).connect(&uri).await.unwrap_err();
    assert_eq!(refused, LinkError::NotAllowed);
    let refused = printers(PrinterNetworks::Public).connect(&uri).await.unwrap_err();
    assert_eq!(refused, LinkError::NotAllowed);
    let named = format!("ipp://printer.example.com:{}/ipp/print", uri.endpoint.port);
    let named = Uri::parse(&named).unwrap();
    let connect = async |addresses: &[[u8; 4]]| {
        let addresses = addresses.iter().map(|four| IpAddr::from(*four)).collect();
        let network = Network::new().unwrap().resolving_with(Arc::new(Addresses(addresses)));
        let printers = Printers::new(network, PrinterNetworks::Any, None);
        printers.connect(&named).await.map(drop)
    };
    assert_eq!(connect(&[[127, 0, 0, 1]]).await, Ok(()));
    assert_eq!(connect(&[[127, 0, 0, 1], [169, 254, 169, 254]]).await, Err(LinkError::NotAllowed));
    assert_eq!(connect(&[]).await, Err(LinkError::UnknownName));
    // One that takes no connection does not stand in the way of the next.
    assert_eq!(connect(&[[127, 0, 0, 99], [127, 0, 0, 1]]).await, Ok(()));
    drop(listener);
}
