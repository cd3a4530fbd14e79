//! A line to printers that breaks: some connections end in the middle of a request, some in the
//! middle of an answer, and most carry everything.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::crash::Failure;
use crate::crash::load::Dice;

/// A place of its own in the sequence of the dice.
const SEED: u64 = 631;
/// One of so many connections breaks in a request, and one in an answer.
const BREAKS: u64 = 4;
/// A request breaks before so many bytes: a label with what is asked before it has about as many.
const REQUEST_MAX: u64 = 40_000;
/// An answer breaks before so many bytes. The first one on a connection has some thousand.
const ANSWER_MAX: u64 = 6_000;

/// A running line.
pub struct Line {
    /// Where it begins.
    pub at: SocketAddr,
    relay: JoinHandle<()>,
}

impl Line {
    /// A line that leads to this address.
    pub async fn start(to: SocketAddr) -> Result<Line, Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let at = listener.local_addr()?;
        let relay = tokio::spawn(async move {
            let mut dice = Dice::new(SEED);
            while let Ok((caller, _)) = listener.accept().await {
                let (requests, answers) = match dice.below(BREAKS) {
                    0 => (dice.below(REQUEST_MAX), u64::MAX),
                    1 => (u64::MAX, dice.below(ANSWER_MAX)),
                    _ => (u64::MAX, u64::MAX),
                };
                tokio::spawn(carry(caller, to, requests, answers));
            }
        });
        Ok(Line { at, relay })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.relay.abort();
    }
}

/// Carries so many bytes each way. When one way ends, both do.
async fn carry(mut caller: TcpStream, to: SocketAddr, requests: u64, answers: u64) {
    let Ok(mut printer) = TcpStream::connect(to).await else { return };
    let (from_caller, mut to_caller) = caller.split();
    let (from_printer, mut to_printer) = printer.split();
    let (mut asked, mut answered) = (from_caller.take(requests), from_printer.take(answers));
    // Whatever ends it, the other side sees a line that broke.
    tokio::select! {
        _ = copy(&mut asked, &mut to_printer) => {}
        _ = copy(&mut answered, &mut to_caller) => {}
    }
}
