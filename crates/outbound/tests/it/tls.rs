//! Lines with TLS: the same promises as without.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::{Request, Uri};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use waybill_domain::endpoint::Endpoint;
use waybill_outbound::line::{DialError, SendError};
use waybill_outbound::{DirectError, DirectLine, Lines, Network, Resolve, Trust};

const SOON: Duration = Duration::from_secs(5);
const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

struct Loopback;

#[async_trait]
impl Resolve for Loopback {
    async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

/// A carrier that can prove that it is `carrier.example.com`.
pub struct Carrier {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    pub base: Uri,
    roots: RootCertStore,
}

impl Carrier {
    async fn start() -> Carrier {
        Carrier::speaking(&[]).await
    }

    /// One that speaks these protocols, the best first.
    pub async fn speaking(protocols: &[&[u8]]) -> Carrier {
        let names = vec!["carrier.example.com".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let base = format!("https://carrier.example.com:{port}").parse().unwrap();
        Carrier { listener, acceptor: TlsAcceptor::from(Arc::new(config)), base, roots }
    }

    pub fn lines(&self) -> Lines {
        Lines::new(self.network())
    }

    /// One that trusts it.
    fn network(&self) -> Network {
        let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
        network.trusting(self.roots.clone()).unwrap()
    }

    pub async fn accept(&self) -> TlsStream<TcpStream> {
        let (stream, _) = self.listener.accept().await.unwrap();
        self.acceptor.accept(stream).await.unwrap()
    }
}

fn request() -> Request<Bytes> {
    Request::post("/book").body(Bytes::from_static(b"{}")).unwrap()
}

async fn read_request(stream: &mut TlsStream<TcpStream>) {
    let mut text = Vec::new();
    while !text.ends_with(b"{}") {
        assert_ne!(stream.read_buf(&mut text).await.unwrap(), 0, "closed after {text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_used_again_although_tickets_come_after_the_handshake() {
    for protocols in [&[][..], &[&b"http/1.1"[..]]] {
        used_again(Carrier::speaking(protocols).await).await;
    }
}

async fn used_again(carrier: Carrier) {
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    tokio::spawn(async move {
        let mut stream = carrier.accept().await;
        for _ in 0..20 {
            read_request(&mut stream).await;
            stream.write_all(OK).await.unwrap();
        }
        // No second connection is ever taken.
        std::future::pending::<()>().await;
    });
    for _ in 0..20 {
        let response = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap();
        assert_eq!((response.status.as_u16(), &response.body[..]), (200, &b"ok"[..]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_prove_its_name_gets_no_line() {
    let carrier = Carrier::start().await;
    let port = carrier.base.port_u16().unwrap();
    let trusting = carrier.lines();
    let strict = Lines::new(Network::new().unwrap().resolving_with(Arc::new(Loopback)));
    let base = carrier.base.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = carrier.listener.accept().await {
            let _refused = carrier.acceptor.accept(stream).await;
        }
    });
    let error = strict.dial(&base).await.unwrap_err();
    assert!(matches!(error, DialError::Tls(..)), "nobody vouches for it: {error}");
    let other = format!("https://other.example.com:{port}").parse().unwrap();
    let error = trusting.dial(&other).await.unwrap_err();
    assert!(matches!(error, DialError::Tls(..)), "that is not its name: {error}");
}

/// It carries one request after another, in HTTP/1.1 whatever else the other side speaks.
#[tokio::test(flavor = "multi_thread")]
async fn a_direct_line_wants_the_same_proof_and_is_kept() {
    let carrier = Carrier::speaking(&[b"h2", b"http/1.1"]).await;
    let endpoint = Endpoint::parse(&carrier.base.to_string()).unwrap();
    let (trusting, strict) = (carrier.network(), Network::new().unwrap());
    let strict = strict.resolving_with(Arc::new(Loopback));
    tokio::spawn(async move {
        while let Ok((stream, _)) = carrier.listener.accept().await {
            let Ok(mut stream) = carrier.acceptor.accept(stream).await else { continue };
            for _ in 0..2 {
                read_request(&mut stream).await;
                stream.write_all(OK).await.unwrap();
            }
        }
    });
    let known = (&endpoint, &Trust::Authorities);
    let refused = DirectLine::dial(&strict, known, |_| true, SOON).await.err();
    assert!(matches!(refused, Some(DirectError::Tls(_))), "{refused:?}");
    let refused = DirectLine::dial(&trusting, known, |_| false, SOON).await.err();
    assert!(matches!(refused, Some(DirectError::NotAllowed)), "{refused:?}");
    let mut line = DirectLine::dial(&trusting, known, |_| true, SOON).await.unwrap();
    for _ in 0..2 {
        let response = line.send(request(), SOON, 100).await.unwrap();
        assert_eq!(&response.body[..], b"ok");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_was_closed_before_the_request_did_not_send_it() {
    let carrier = Carrier::start().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    for is_polite in [true, false] {
        let (line, stream) = tokio::join!(lines.dial(&base), carrier.accept());
        let mut stream = stream;
        if is_polite {
            stream.shutdown().await.unwrap();
        }
        drop(stream);
        tokio::time::sleep(Duration::from_millis(100)).await;
        let error = line.unwrap().send(request(), SOON).await.unwrap_err();
        assert!(matches!(error, SendError::NotSent(_)), "{error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_too_late_does_not_leave() {
    let carrier = Carrier::start().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    let (line, mut stream) = tokio::join!(lines.dial(&base), carrier.accept());
    let line = line.unwrap().send_within(Duration::ZERO);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let sent = line.send(request(), SOON).await;
    assert!(matches!(sent, Err(SendError::Unclear(_))), "{sent:?}");
    let mut bytes = Vec::new();
    let _closed = stream.read_to_end(&mut bytes).await;
    assert!(bytes.is_empty(), "{bytes:?} came");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_is_unclear() {
    for reply in [&b""[..], b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"] {
        let carrier = Carrier::start().await;
        let (lines, base) = (carrier.lines(), carrier.base.clone());
        tokio::spawn(async move {
            let mut stream = carrier.accept().await;
            read_request(&mut stream).await;
            stream.write_all(reply).await.unwrap();
            stream.flush().await.unwrap();
        });
        let error = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap_err();
        assert!(matches!(error, SendError::Unclear(_)), "{error:?}");
    }
}
