//! Something in front of a carrier that fails when it is told to.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Method, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};

/// What is in front of a carrier: it turns everything away, or passes it on.
#[derive(Clone, Default)]
pub struct Front {
    is_failing: Arc<AtomicBool>,
    loses_next: Arc<AtomicBool>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Front {
    /// Starts it, and tells its address.
    pub fn start(self, carrier: SocketAddr) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let listener = TcpListener::from_std(listener).unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let front = self.clone();
                let service = service_fn(move |request| front.clone().answer(request, carrier));
                let builder = hyper::server::conn::http1::Builder::new();
                tokio::spawn(builder.serve_connection(TokioIo::new(stream), service));
            }
        });
        url
    }

    async fn answer(
        self,
        request: Request<Incoming>,
        carrier: SocketAddr,
    ) -> Result<Response<Body>, Box<dyn std::error::Error + Send + Sync>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let is_booking = head.method == Method::POST && head.uri.path() == "/shipments";
        if is_booking {
            let booking: Value = serde_json::from_slice(&body).unwrap();
            let reference = booking["customer_reference"].as_str().unwrap().to_owned();
            self.seen.lock().unwrap().push(reference);
        }
        if self.is_failing.load(Ordering::SeqCst) {
            let away = Response::builder().status(503).header("retry-after", "1");
            return Ok(away.body(Body::empty()).unwrap());
        }
        let stream = TokioIo::new(TcpStream::connect(carrier).await.unwrap());
        let (mut sender, line) = hyper::client::conn::http1::handshake(stream).await?;
        tokio::spawn(line);
        let request = Request::from_parts(head, Full::<Bytes>::new(body));
        let answer = sender.send_request(request).await?;
        if is_booking && self.loses_next.swap(false, Ordering::SeqCst) {
            self.fails(true);
            return Err("lost on its way back".into());
        }
        Ok(answer.map(Body::new))
    }

    /// How often the carrier was asked to book this.
    pub fn calls(&self, reference: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|seen| *seen == reference).count()
    }

    /// Loses the carrier's answer to the next booking, and turns everything away after it.
    pub fn loses_next(&self) {
        self.loses_next.store(true, Ordering::SeqCst);
    }

    /// Whether it turns everything away from now on.
    pub fn fails(&self, is_failing: bool) {
        self.is_failing.store(is_failing, Ordering::SeqCst);
    }
}
