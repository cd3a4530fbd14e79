//! Encrypted connections to PostgreSQL: what `sslmode` and `sslrootcert` promise is kept. A door
//! that speaks TLS stands before the real server.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, KeyPair, date_time_ymd};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ServerConfig, SupportedProtocolVersion};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use waybill_store::testing::{Database, Scratch, fresh, unique_name};
use waybill_store::{Options, Store, users};

use crate::fixtures::{block_on, user};

/// What a client sends first when it wants to be encrypted.
const ASKS_FOR_TLS: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// A door with a certificate before a database.
struct TlsProxy {
    scratch: Scratch,
    port: u16,
    /// The file of the one authority that vouches for it.
    authority: PathBuf,
    encrypted: Arc<AtomicUsize>,
}

impl TlsProxy {
    async fn of(name: &str) -> TlsProxy {
        TlsProxy::with(CertificateParams::new(vec![name.to_owned()]).unwrap()).await
    }

    async fn with(certificate: CertificateParams) -> TlsProxy {
        let key = KeyPair::generate().unwrap();
        let signed = certificate.self_signed(&key).unwrap();
        TlsProxy::holding(&signed, &key, rustls::DEFAULT_VERSIONS).await
    }

    /// With a certificate and a key that need not belong together.
    async fn holding(
        certificate: &Certificate,
        key: &KeyPair,
        versions: &[&'static SupportedProtocolVersion],
    ) -> TlsProxy {
        let scratch = fresh(Database::Postgres);
        let authority = std::env::temp_dir().join(unique_name("waybill_authority"));
        std::fs::write(&authority, certificate.pem()).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let key = ring::sign::any_supported_type(&key).unwrap();
        let held = CertifiedKey::new(vec![certificate.der().clone()], key);
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(held)));
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = scratch.url.split(['@', '/']).nth(3).unwrap().to_owned();
        let encrypted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&encrypted);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (acceptor, server) = (acceptor.clone(), server.clone());
                tokio::spawn(pass(near, acceptor, server, Arc::clone(&count)));
            }
        });
        TlsProxy { scratch, port, authority, encrypted }
    }

    /// Opens a store through the door, with these words about encryption, and writes.
    async fn open(&self, words: &str) -> Result<(), String> {
        let database = self.scratch.url.rsplit('/').next().unwrap().trim_end_matches('?');
        let url = format!("postgres://postgres@localhost:{}/{database}?{words}", self.port);
        let open = move || Store::open(&url, Options::default());
        let store = tokio::task::spawn_blocking(open).await.unwrap().map_err(|e| e.to_string())?;
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        store.write(|tx| tx.exec("DELETE FROM app_user", &[])).await.unwrap();
        store.close().await;
        Ok(())
    }

    /// Whether a connection that was opened so was encrypted.
    async fn is_encrypted(&self, words: &str) -> bool {
        let before = self.encrypted.load(Ordering::SeqCst);
        self.open(words).await.unwrap();
        self.encrypted.load(Ordering::SeqCst) > before
    }

    fn vouched(&self, mode: &str) -> String {
        format!("sslmode={mode}&sslrootcert={}", self.authority.display())
    }
}

impl Drop for TlsProxy {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.authority);
    }
}

async fn pass(mut near: TcpStream, tls: TlsAcceptor, server: String, count: Arc<AtomicUsize>) {
    let mut far = TcpStream::connect(server).await.unwrap();
    let mut first = [0; 8];
    near.read_exact(&mut first).await.unwrap();
    if first != ASKS_FOR_TLS {
        far.write_all(&first).await.unwrap();
        let _ended = copy_bidirectional(&mut near, &mut far).await;
        return;
    }
    near.write_all(b"S").await.unwrap();
    let Ok(mut near) = tls.accept(near).await else { return };
    count.fetch_add(1, Ordering::SeqCst);
    let _ended = copy_bidirectional(&mut near, &mut far).await;
}

#[test]
fn a_server_that_can_is_spoken_to_encrypted_unless_that_is_disabled() {
    block_on(async {
        let proxy = TlsProxy::of("localhost").await;
        assert!(proxy.is_encrypted("").await);
        assert!(proxy.is_encrypted("sslmode=prefer&connect_timeout=5").await);
        assert!(proxy.is_encrypted("sslmode=require").await);
        assert!(proxy.is_encrypted(&proxy.vouched("verify-ca")).await);
        assert!(proxy.is_encrypted(&proxy.vouched("verify-full")).await);
        assert!(!proxy.is_encrypted("sslmode=disable").await);
    });
}

#[test]
fn a_server_without_encryption_is_refused_only_when_that_is_required() {
    let scratch = fresh(Database::Postgres);
    let open = |words: &str| {
        let url = format!("{}&{words}", scratch.url);
        Store::open(&url, Options::default()).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(open("sslmode=prefer"), Ok(()));
    for words in ["sslmode=require", "sslmode=verify-full", "sslrootcert=system"] {
        let why = open(words).unwrap_err();
        assert!(why.contains("server does not support TLS"), "{why}");
    }
    // The password has a question mark, and what comes after is still heard.
    let url = scratch.url.replace("postgres@", "postgres:a?b&&c@");
    let url = format!("{url}&sslmode=require");
    let why = Store::open(&url, Options::default()).map(drop).unwrap_err().to_string();
    assert!(why.contains("server does not support TLS"), "{why}");
}

#[test]
fn a_server_with_another_name_passes_no_further_than_its_authority_vouches() {
    block_on(async {
        let proxy = TlsProxy::of("other.example.com").await;
        assert!(proxy.is_encrypted(&proxy.vouched("verify-ca")).await);
        let why = proxy.open(&proxy.vouched("verify-full")).await.unwrap_err();
        assert!(why.contains("not valid for name \"localhost\""), "{why}");
    });
}

#[test]
fn a_certificate_that_is_its_own_authority_is_checked_too() {
    // What `openssl req -x509` makes.
    let own = |name: &str| {
        let mut own = CertificateParams::new(vec![name.to_owned()]).unwrap();
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        own
    };
    block_on(async {
        let proxy = TlsProxy::with(own("localhost")).await;
        assert!(proxy.is_encrypted(&proxy.vouched("verify-full")).await);
        let other = TlsProxy::with(own("other.example.com")).await;
        assert!(other.is_encrypted(&other.vouched("verify-ca")).await);
        let why = other.open(&other.vouched("verify-full")).await.unwrap_err();
        assert!(why.contains("not valid for name \"localhost\""), "{why}");
        let why = other.open(&proxy.vouched("verify-ca")).await.unwrap_err();
        assert!(why.contains("invalid peer certificate"), "{why}");
        let mut old = own("localhost");
        old.not_after = date_time_ymd(2020, 1, 1);
        let old = TlsProxy::with(old).await;
        let why = old.open(&old.vouched("verify-ca")).await.unwrap_err();
        assert!(why.contains("expired"), "{why}");
    });
}

#[test]
fn a_server_without_the_key_of_its_certificate_is_always_refused() {
    let (key, stolen) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let certificate = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = certificate.self_signed(&key).unwrap();
    block_on(async {
        for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
            let honest = TlsProxy::holding(&certificate, &key, &[version]).await;
            assert!(honest.is_encrypted(&honest.vouched("verify-full")).await);
            let thief = TlsProxy::holding(&certificate, &stolen, &[version]).await;
            for words in ["", "sslmode=require", &thief.vouched("verify-full")] {
                let why = thief.open(words).await.unwrap_err();
                assert!(why.contains("BadSignature"), "{words}: {why}");
            }
        }
    });
}

#[test]
fn a_server_that_nobody_vouches_for_is_refused_when_somebody_was_to() {
    block_on(async {
        let (proxy, stranger) = (TlsProxy::of("localhost").await, TlsProxy::of("localhost").await);
        assert!(proxy.is_encrypted("sslmode=require").await, "nobody was asked");
        for mode in ["require", "verify-ca", "verify-full"] {
            let why = proxy.open(&stranger.vouched(mode)).await.unwrap_err();
            assert!(why.contains("invalid peer certificate"), "{mode}: {why}");
        }
    });
}

#[test]
fn a_mistake_about_encryption_is_one_clear_line() {
    let open = |words: &str| {
        let url = format!("postgres://postgres@127.0.0.1:1/x?{words}");
        Store::open(&url, Options::default()).map(drop).unwrap_err().to_string()
    };
    let why = open("sslmode=maybe");
    assert!(
        why.ends_with("sslmode is disable, prefer, require, verify-ca or verify-full"),
        "{why}"
    );
    let why = open("sslmode=verify-full&sslrootcert=/no/c%2B+/where.pem");
    assert!(why.contains("sslrootcert /no/c++/where.pem: "), "{why}");
    for (less, line) in [
        ("sslrootcert=system&sslmode=require", "sslrootcert=system needs sslmode=verify-full"),
        ("sslrootcert=/some.pem", "sslrootcert needs sslmode=verify-full or verify-ca"),
        ("sslrootcert=/a&sslmode=prefer", "sslrootcert needs sslmode=verify-full or verify-ca"),
        ("sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert, or use verify-full"),
    ] {
        let why = open(less);
        assert!(why.ends_with(line), "{why}");
    }
    let empty = std::env::temp_dir().join(unique_name("waybill_nobody"));
    std::fs::write(&empty, "").unwrap();
    let why = open(&format!("sslmode=verify-ca&sslrootcert={}", empty.display()));
    std::fs::remove_file(&empty).unwrap();
    assert!(why.contains("has no certificate of an authority"), "{why}");
}
