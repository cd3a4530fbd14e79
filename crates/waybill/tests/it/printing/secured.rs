//! Printers that speak TLS with certificates of their own.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use waybill_domain::ids::PrinterId;
use waybill_store::printers;

use super::{Printing, text};
use crate::harness::{Database, Reply, databases};

databases! {
    a_printer_whose_certificate_changed_is_offline_until_somebody_accepts_it
}

/// TLS before a printer, with a key that can be changed.
struct Front {
    address: SocketAddr,
    config: Arc<Mutex<Arc<ServerConfig>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Front {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A certificate that nobody vouches for, with a new key.
fn config() -> Arc<ServerConfig> {
    let names = vec!["127.0.0.1".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key);
    Arc::new(config.unwrap())
}

impl Front {
    async fn before(printer: String) -> Front {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Mutex::new(config()));
        let current = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = TlsAcceptor::from(current.lock().unwrap().clone());
                let printer = printer.clone();
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut there = TcpStream::connect(printer).await.unwrap();
                    let _over = tokio::io::copy_bidirectional(&mut stream, &mut there).await;
                });
            }
        });
        Front { address, config: shared, task }
    }

    fn change_key(&self) {
        *self.config.lock().unwrap() = config();
    }
}

async fn until_offline(test: &Printing, path: &str) -> Reply {
    for _ in 0..100 {
        let shown = test.fixture.app.get(path).admin().send().await.expect(200);
        if shown.at("/data/state") == json!("offline") {
            return shown;
        }
        test.fixture.advance(Duration::from_secs(31)).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the printer is still online");
}

async fn a_printer_whose_certificate_changed_is_offline_until_somebody_accepts_it(
    database: Database,
) {
    let test = Printing::new(database).await;
    let front = Front::before(test.address.clone()).await;
    let uri = format!("ipps://{}/ipp/print", front.address);
    let (app, printers_path) = (&test.fixture.app, test.beta("/printers"));
    let body = json!({"name": "Office", "uri": uri}).to_string();
    let added = app.post(&printers_path).admin().json(&body).send().await.expect(201);
    let printer = text(&added, "/data/uuid");
    let booked = test.book("SECURED").await;
    let document = text(&booked, "/data/documents/0/uuid");
    let first = test.print(&document, Some(&printer), json!({})).await.expect(201);
    test.until(&text(&first, "/data/uuid"), "printed").await;

    front.change_key();
    let path = format!("{printers_path}/{printer}");
    until_offline(&test, &path).await;
    let id = PrinterId::parse(&printer).unwrap();
    let team = app.team;
    let row = app.app.read(move |tx| printers::find(tx, team, id)).await.unwrap().unwrap();
    assert_eq!(row.why_offline.as_deref(), Some("the certificate changed"));
    let second = test.print(&document, Some(&printer), json!({})).await.expect(201);
    let second = text(&second, "/data/uuid");
    // Another name is no word on the certificate.
    app.patch(&path).admin().json(r#"{"name": "Den"}"#).send().await.expect(200);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(test.job(&second).await.at("/data/state"), json!("pending"));
    assert_eq!(test.papers().len(), 1);

    let accepted = json!({"uri": uri}).to_string();
    let accepted = app.patch(&path).admin().json(&accepted).send().await.expect(200);
    assert_eq!(accepted.at("/data/state"), json!("online"));
    test.until(&second, "printed").await;
    assert_eq!(test.papers().len(), 2);
}
