//! Printers that take bytes as they are, on port 9100: no job, no number, no state.
//!
//! Until the first byte is out nothing was sent, and it may be tried again. When all has arrived,
//! we have closed our side and the printer closes its own after that, it has read everything, and
//! that is as much as `printed` can mean here. Everything between is not known. One connection at a
//! time: label printers mix the labels of two.

#[cfg(test)]
mod tests;

use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use waybill_domain::printing::Abilities;
use waybill_outbound::Outstanding;
use waybill_printing::queue::QueueJob;

use super::device::{Device, Sent};
use super::error::{DeviceError, plain};

/// A printer that does not take a connection in this time is not there.
const CONNECT: Duration = Duration::from_secs(3);
/// A printer that takes no byte for so long has stopped, perhaps for want of paper.
const STALLED: Duration = Duration::from_secs(120);
/// One that has everything closes its side within this time.
const CLOSING: Duration = Duration::from_secs(60);
/// A printer that reads nothing more closes its side within this time of the last byte.
const SETTLING: Duration = Duration::from_millis(100);
/// What has arrived is asked for so often at first, and less often later.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_millis(320);
/// A table that does not have the line so often never has it.
const UNKNOWN_MAX: u32 = 3;

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
        Sent::Unclear("The agent stopped while it was sent.".to_owned())
    }
}

/// What it proves that the printer has read everything, as far as a line can prove it: all bytes
/// were acknowledged by the printer's system while its side was open, nobody reset the line then or
/// later, and it closed its side only after we had closed ours. A printer that closes earlier has
/// not read to our end. The reset that follows when it left something unread is hidden behind its
/// own end of file, so whoever only waits for that end believes it.
async fn send(mut stream: TcpStream, bytes: &[u8], closing: Duration) -> Sent {
    if let Err(sent) = deliver(&mut stream, bytes).await {
        return sent;
    }
    let closed = async {
        stream.shutdown().await?;
        end_of(&mut stream).await?;
        // A reset that came with the end of file is told here alone.
        stream.take_error()?.map_or(Ok(()), Err)
    };
    match timeout(closing, closed).await {
        Ok(Ok(())) => Sent::Whole,
        Ok(Err(error)) => {
            let why = plain(&error);
            Sent::Unclear(format!("The line to the printer broke after the last byte: {why}."))
        }
        Err(_) => Sent::Unclear("The printer did not close the line in time.".to_owned()),
    }
}

/// Writes everything until the printer's system has it, while the printer keeps its side open.
async fn deliver(stream: &mut TcpStream, bytes: &[u8]) -> Result<(), Sent> {
    let outstanding = Outstanding::of(stream);
    let (mut reading, mut writing) = stream.split();
    let mut ended = pin!(end_of(&mut reading));
    let mut written = 0;
    while written < bytes.len() {
        let why = tokio::select! {
            biased;
            end = &mut ended => early(end),
            wrote = timeout(STALLED, writing.write(&bytes[written..])) => match wrote {
                Ok(Ok(count)) if count > 0 => {
                    written += count;
                    continue;
                }
                Ok(Ok(_)) => early(Ok(())),
                Ok(Err(error)) => early(Err(error)),
                Err(_) => "The printer took nothing for two minutes".to_owned(),
            }
        };
        return Err(match written {
            0 => Sent::Nothing(format!("{why}.")),
            _ => Sent::Unclear(format!("{why}, after {written} of {} bytes.", bytes.len())),
        });
    }
    tokio::select! {
        biased;
        end = &mut ended => {
            Err(Sent::Unclear(format!("{}, before the end was told.", early(end))))
        }
        is_there = arrived(outstanding.as_ref()) => match is_there {
            true => Ok(()),
            false => Err(Sent::Unclear("The printer took nothing for two minutes.".to_owned())),
        }
    }
}

fn early(end: io::Result<()>) -> String {
    match end {
        Ok(()) => "The printer closed the line".to_owned(),
        Err(error) => format!("The line to the printer broke ({})", plain(&error)),
    }
}

/// Waits for the printer's side to close. What it says of itself is not asked for.
async fn end_of(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
    let mut said = [0; 512];
    while stream.read(&mut said).await? > 0 {}
    Ok(())
}

/// Waits until the printer's system has everything, and a moment more, in which a printer that
/// leaves shows itself. False when it takes nothing any more.
async fn arrived(outstanding: Option<&Outstanding>) -> bool {
    let (mut last, mut idle, mut unknown) = (None, Duration::ZERO, 0);
    let mut pause = PAUSE_MIN;
    while idle < STALLED {
        let left = match outstanding {
            Some(outstanding) => outstanding.bytes().await,
            None => None,
        };
        unknown += u32::from(left.is_none());
        if left == Some(0) || unknown > UNKNOWN_MAX {
            sleep(SETTLING).await;
            return true;
        }
        idle = if left == last { idle + pause } else { Duration::ZERO };
        last = left;
        sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
    false
}
