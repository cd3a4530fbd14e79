//! What stands before several servers and leads every connection to the next of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

/// A balancer that listens. Until it knows its servers it takes no connection on.
pub struct Balancer {
    /// Where it is.
    pub url: String,
    ports: Arc<OnceLock<Vec<u16>>>,
}

impl Balancer {
    pub async fn start() -> Balancer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let ports = Arc::new(OnceLock::<Vec<u16>>::new());
        let (known, next) = (ports.clone(), AtomicUsize::new(0));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let Some(ports) = known.get() else { continue };
                let port = ports[next.fetch_add(1, Ordering::Relaxed) % ports.len()];
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                    // Either side may hang up.
                    let _ended = copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
        Balancer { url, ports }
    }

    /// Leads to these ports from now on.
    pub fn lead_to(&self, ports: Vec<u16>) {
        self.ports.set(ports).unwrap();
    }
}
