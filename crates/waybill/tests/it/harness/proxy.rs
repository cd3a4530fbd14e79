//! A proxy on loopback that opens tunnels, or does not. Whatever name it is asked for, it connects
//! to this machine, at the port that it is told.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the proxy does when it is asked for a tunnel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It opens one.
    Opens,
    /// It answers with this status.
    Refuses(u16),
    /// It hangs up.
    Closes,
    /// It says nothing.
    IsSilent,
}

/// A proxy that runs.
#[derive(Clone)]
pub struct TestProxy {
    pub port: u16,
    /// The heads of the requests that came.
    asked: Arc<Mutex<Vec<String>>>,
    /// A change ends every tunnel.
    manner: Arc<watch::Sender<Manner>>,
}

impl TestProxy {
    pub async fn start() -> TestProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let manner = Arc::new(watch::Sender::new(Manner::Opens));
        let proxy = TestProxy { port, asked: Arc::default(), manner };
        let serving = proxy.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (proxy, mut changes) = (serving.clone(), serving.manner.subscribe());
                tokio::spawn(async move {
                    tokio::select! {
                        _ = proxy.serve(stream) => {}
                        _ = changes.changed() => {}
                    }
                });
            }
        });
        proxy
    }

    /// Ends all tunnels, and behaves like this from now on.
    pub fn now(&self, manner: Manner) {
        self.manner.send_replace(manner);
    }

    /// The heads of the requests that came so far.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The variable that names this proxy, with a user and a password.
    pub fn url(&self) -> String {
        format!("http://ada:hunter2@127.0.0.1:{}", self.port)
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            (stream.read_buf(&mut head).await.ok()? > 0).then_some(())?;
        }
        let head = String::from_utf8(head).ok()?;
        let target = head.strip_prefix("CONNECT ")?.split(' ').next()?.to_owned();
        self.asked.lock().unwrap().push(head);
        let manner = *self.manner.borrow();
        match manner {
            Manner::Closes => None,
            Manner::IsSilent => std::future::pending().await,
            Manner::Refuses(status) => {
                let refusal = format!("HTTP/1.1 {status} No\r\nContent-Length: 2\r\n\r\nno");
                stream.write_all(refusal.as_bytes()).await.ok()
            }
            Manner::Opens => {
                let port: u16 = target.rsplit_once(':')?.1.parse().ok()?;
                let mut other = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
                stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.ok()?;
                copy_bidirectional(&mut stream, &mut other).await.ok().map(drop)
            }
        }
    }
}
