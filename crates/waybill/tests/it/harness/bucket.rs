//! Places for files that a test has for itself: a folder, or a bucket of a real S3 server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use waybill_engine::files::{Environment, Files, Home};

/// Where the documents of a test are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    Database,
    Folder,
    Bucket,
}

/// A place that is removed with the test.
pub struct TestStore {
    pub home: Home,
    pub environment: Environment,
    folder: Option<PathBuf>,
    server: Option<Child>,
}

impl TestStore {
    pub async fn new(kept: Kept) -> TestStore {
        let (environment, folder, server) = (Vec::new(), None, None);
        match kept {
            Kept::Database => TestStore { home: Home::Database, environment, folder, server },
            Kept::Folder => {
                let name = waybill_store::testing::unique_name("waybill-files");
                let path = std::env::temp_dir().join(name);
                let _absent = std::fs::remove_dir_all(&path);
                TestStore {
                    home: Home::Folder(path.clone()),
                    environment,
                    folder: Some(path),
                    server,
                }
            }
            Kept::Bucket => serve().await,
        }
    }

    /// The files of a server that has this name.
    pub async fn open(&self, owner: &str) -> Result<Files, String> {
        let opened = Files::open(&self.home, self.environment.clone(), owner).await;
        opened.map_err(|error| error.to_string())
    }

    pub async fn files(&self) -> Files {
        self.open("the test").await.unwrap()
    }

    /// The folder, of a room that is one.
    pub fn path(&self) -> &PathBuf {
        self.folder.as_ref().unwrap()
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ended = server.kill();
            let _ended = server.wait();
        }
        if let Some(folder) = &self.folder {
            let _gone = std::fs::remove_dir_all(folder);
        }
    }
}

/// An address that nobody gets who asks for any: the server takes a second to bind it, and other
/// tests ask for ports all the time. The system hands out those from 32768 on.
async fn free_address() -> SocketAddr {
    for number in std::process::id().. {
        let port = u16::try_from(20_000 + number % 12_000).unwrap();
        if let Ok(listener) = TcpListener::bind(("127.0.0.1", port)).await {
            return listener.local_addr().unwrap();
        }
    }
    unreachable!("there are as many numbers as one likes")
}

/// Starts an S3 server and makes a bucket in it.
async fn serve() -> TestStore {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/moto/bin/moto_server");
    assert!(program.exists(), "there is no S3 server at {}: ./bucket makes it", program.display());
    let free = free_address().await;
    let server = Command::new(program)
        .args(["-H", "127.0.0.1", "-p", &free.port().to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let environment = [
        ("AWS_ENDPOINT_URL", format!("http://{free}")),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", "test".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
    ];
    let home = Home::parse("s3://labels/of/tests").unwrap();
    let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let place = TestStore { home, environment, folder: None, server: Some(server) };
    for _ in 0..600 {
        if let Ok(stream) = TcpStream::connect(free).await {
            make_bucket(stream).await;
            return place;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the S3 server does not start");
}

async fn make_bucket(mut stream: TcpStream) {
    let request = "PUT /labels HTTP/1.1\r\nHost: s3.amazonaws.com\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
