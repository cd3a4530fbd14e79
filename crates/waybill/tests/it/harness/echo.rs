//! A carrier that repeats what it was sent when it says no, and is another one otherwise.

use std::sync::Arc;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What it does with a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// The other one answers.
    Forwards,
    /// It answers with this status and all of the request, as any of the carriers writes a refusal.
    Repeats(u16),
}

/// Such a carrier that runs.
pub struct Echo {
    pub url: String,
    manner: Arc<watch::Sender<Manner>>,
    running: tokio::task::JoinHandle<()>,
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Echo {
    /// Before the one at this address.
    pub async fn before(upstream: &str) -> Echo {
        let upstream = upstream.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let manner = Arc::new(watch::Sender::new(Manner::Forwards));
        let now = manner.clone();
        let running = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (upstream, now) = (upstream.clone(), now.clone());
                tokio::spawn(async move { serve(stream, &upstream, &now).await });
            }
        });
        Echo { url, manner, running }
    }

    /// Behaves like this from now on.
    pub fn now(&self, manner: Manner) {
        self.manner.send_replace(manner);
    }
}

/// One request, and the end of the connection.
async fn serve(
    mut stream: TcpStream,
    upstream: &str,
    manner: &watch::Sender<Manner>,
) -> Option<()> {
    let asked = read(&mut stream).await?;
    let manner = *manner.borrow();
    let answer = match manner {
        Manner::Forwards => forward(upstream, &asked).await?,
        Manner::Repeats(status) => repeat(status, &String::from_utf8_lossy(&asked)),
    };
    stream.write_all(&answer).await.ok()
}

async fn read(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut asked = Vec::new();
    loop {
        if let Some(end) = asked.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&asked[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if asked.len() >= end + 4 + length.map_or(0, |it| it.parse::<usize>().unwrap()) {
                return Some(asked);
            }
        }
        (stream.read_buf(&mut asked).await.ok()? > 0).then_some(())?;
    }
}

async fn forward(upstream: &str, asked: &[u8]) -> Option<Vec<u8>> {
    let line = asked.windows(2).position(|window| window == b"\r\n")? + 2;
    let mut stream = TcpStream::connect(upstream).await.ok()?;
    let request = [&asked[..line], b"connection: close\r\n", &asked[line..]].concat();
    stream.write_all(&request).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    Some(answer)
}

fn repeat(status: u16, asked: &str) -> Vec<u8> {
    let fault = json!({"faults": [{"faultCode": "1", "explanationText": asked}]});
    let body = json!({
        "status": "FEJL", "fejlkode": "1", "fejltekst": asked, "message": asked,
        "error": {"message": asked}, "compositeFault": fault, "fault": {"faultstring": asked},
        "consignments": [{"errors": [{"code": "BOOK-INPUT-1",
            "messages": [{"lang": "en", "message": asked}]}]}]})
    .to_string();
    let line = asked.replace(|c: char| c.is_control() || !c.is_ascii(), " ");
    format!(
        "HTTP/1.1 {status} Status\r\nerror: E_1\r\nmessage: {line}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
