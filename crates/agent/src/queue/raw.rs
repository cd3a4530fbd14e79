//! Printers that take bytes as they are, on port 9100: no job, no number, no state.
//!
//! Until the first byte is out nothing was sent, and it may be tried again. When all was written
//! and both sides have closed, the printer has read everything, and that is as much as `printed`
//! can mean here. Everything between is not known. One connection at a time: label printers mix
//! the labels of two.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use waybill_domain::printing::Abilities;
use waybill_printing::queue::QueueJob;

use super::device::{Device, Sent};
use super::error::DeviceError;

/// A printer that does not take a connection in this time is not there.
const CONNECT: Duration = Duration::from_secs(3);
/// A printer that takes no byte for so long has stopped, perhaps for want of paper.
const STALLED: Duration = Duration::from_secs(120);
/// One that has everything closes its side within this time.
const CLOSING: Duration = Duration::from_secs(60);

/// A printer that takes bytes as they are.
pub struct Raw {
    /// Whom to call.
    pub host: String,
    /// On which port.
    pub port: u16,
}

impl Raw {
    async fn connect(&self) -> Result<TcpStream, DeviceError> {
        let connecting = TcpStream::connect((self.host.as_str(), self.port));
        match timeout(CONNECT, connecting).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(DeviceError::TooSlow),
        }
    }
}

impl Device for Raw {
    type Open = TcpStream;

    fn abilities(&self) -> Abilities {
        // As a raw queue: it hands everything on, so it takes ZPL alone.
        Abilities { model: Some("Local Raw Printer".to_owned()), ..Abilities::default() }
    }

    async fn probe(&self) -> Result<(), DeviceError> {
        self.connect().await.map(drop)
    }

    async fn prepare(&self, _job: &QueueJob, _bytes: &Bytes) -> Result<TcpStream, DeviceError> {
        self.connect().await
    }

    async fn send(&self, open: TcpStream, _job: &QueueJob, bytes: Bytes) -> Sent {
        send(open, &bytes, CLOSING).await
    }

    /// Nothing is made before it is sent.
    async fn clean_up(&self, _job: &QueueJob) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn resolve(&self, _job: &QueueJob) -> Sent {
        Sent::Unclear("the agent stopped while it was sent".to_owned())
    }
}

async fn send(mut stream: TcpStream, bytes: &[u8], closing: Duration) -> Sent {
    let mut written = 0;
    while written < bytes.len() {
        let why = match timeout(STALLED, stream.write(&bytes[written..])).await {
            Ok(Ok(count)) if count > 0 => {
                written += count;
                continue;
            }
            Ok(Ok(_)) => "the printer closed the line".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the printer took nothing for two minutes".to_owned(),
        };
        return match written {
            0 => Sent::Nothing(why),
            _ => Sent::Unclear(format!("{why}, after {written} of {} bytes", bytes.len())),
        };
    }
    let closed = async {
        stream.shutdown().await?;
        // What it says of itself is not asked for.
        let mut said = [0; 512];
        while stream.read(&mut said).await? > 0 {}
        Ok::<_, io::Error>(())
    };
    match timeout(closing, closed).await {
        Ok(Ok(())) => Sent::Whole,
        Ok(Err(error)) => Sent::Unclear(format!("the line broke after the last byte: {error}")),
        Err(_) => Sent::Unclear("the printer did not close the line in time".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// What becomes of a file that is sent to somebody who does this.
    async fn sent<F, Fut>(bytes: Vec<u8>, other: F) -> Sent
    where
        F: FnOnce(TcpStream) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let there = tokio::spawn(async move { other(listener.accept().await.unwrap().0).await });
        let raw = Raw { host: address.ip().to_string(), port: address.port() };
        let open = raw.connect().await.unwrap();
        let sent = send(open, &bytes, Duration::from_secs(2)).await;
        there.abort();
        sent
    }

    #[tokio::test]
    async fn a_printer_that_reads_everything_and_closes_has_printed() {
        let reading = |mut stream: TcpStream| async move {
            let mut read = Vec::new();
            stream.read_to_end(&mut read).await.unwrap();
            assert_eq!(read.len(), 300_000);
        };
        assert_eq!(sent(vec![7; 300_000], reading).await, Sent::Whole);
    }

    #[tokio::test]
    async fn a_line_that_breaks_after_the_first_byte_leaves_it_unclear() {
        let breaking = |mut stream: TcpStream| async move {
            stream.read_exact(&mut [0; 100]).await.unwrap();
        };
        assert!(matches!(sent(vec![7; 9_000_000], breaking).await, Sent::Unclear(_)));
    }

    #[tokio::test]
    async fn a_printer_that_does_not_close_leaves_it_unclear() {
        let keeping = |mut stream: TcpStream| async move {
            let mut read = Vec::new();
            let _all = stream.read_to_end(&mut read).await;
            std::future::pending::<()>().await;
        };
        assert!(matches!(sent(b"^XA^XZ".to_vec(), keeping).await, Sent::Unclear(_)));
    }

    #[tokio::test]
    async fn nobody_who_takes_a_connection_is_nothing_sent() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let raw = Raw { host: address.ip().to_string(), port: address.port() };
        assert!(raw.probe().await.is_err());
    }
}
