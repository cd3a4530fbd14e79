//! A connection with manners: it ends when nothing moves for a while, and even the answer to bytes
//! that are no HTTP request has a Request-ID and a message.
//!
//! The HTTP library answers such bytes by itself, with an empty body, and then closes. That answer
//! is recognised by its head, which lacks our Request-ID, and is replaced on its way out. Bytes
//! that it would take for a request though they are none ([`Heads`]) are made invalid on their way
//! in.

use std::io::{Error, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};
use waybill_domain::ids::IdSource;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use super::heads::{Heads, REFUSED};

/// A stream with a limit on silence.
pub struct IdleTimeoutStream<S> {
    stream: S,
    ids: Arc<dyn IdSource>,
    quiet_max: Duration,
    quiet: Pin<Box<Sleep>>,
    moved: bool,
    pending: Vec<u8>,
    heads: Heads,
    /// What the library is still to read of a refusal.
    refusal: &'static [u8],
}

impl<S> IdleTimeoutStream<S> {
    /// Wraps a stream that has just been accepted.
    pub fn new(stream: S, quiet_max: Duration, ids: Arc<dyn IdSource>) -> IdleTimeoutStream<S> {
        let quiet = Box::pin(tokio::time::sleep(quiet_max));
        let (pending, heads, refusal) = (Vec::new(), Heads::new(), REFUSED);
        IdleTimeoutStream { stream, ids, quiet_max, quiet, moved: false, pending, heads, refusal }
    }

    /// Hands on what may be handed on of the bytes after the first `before`.
    fn look_at(&mut self, before: usize, buffer: &mut ReadBuf<'_>) {
        let passed = self.heads.pass(&buffer.filled()[before..]);
        buffer.set_filled(before + passed);
        if self.heads.is_refused() {
            self.refuse(buffer);
        }
    }

    /// The library reads a refusal, and then the end of the connection.
    fn refuse(&mut self, buffer: &mut ReadBuf<'_>) {
        let (now, later) = self.refusal.split_at(self.refusal.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.refusal = later;
    }

    /// Fails once nothing has moved for too long. The timer is pushed on only when it fires, so
    /// that a busy connection costs nothing here.
    fn check_quiet(&mut self, context: &mut Context<'_>) -> Poll<Error> {
        ready!(self.quiet.as_mut().poll(context));
        if !self.moved {
            return Poll::Ready(Error::new(ErrorKind::TimedOut, "nothing moved for too long"));
        }
        self.moved = false;
        let deadline = deadline(self.quiet_max);
        self.quiet.as_mut().reset(deadline);
        match self.quiet.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Error::new(ErrorKind::TimedOut, "no timer")),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// On the timer's own clock, which is never stored or shown.
fn deadline(quiet_max: Duration) -> Instant {
    Instant::now() + quiet_max
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        if self.heads.is_refused() {
            self.refuse(buffer);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(result) => {
                self.moved = true;
                self.look_at(before, buffer);
                Poll::Ready(result)
            }
            Poll::Pending => self.check_quiet(context).map(Err),
        }
    }
}

impl<S: AsyncWrite + Unpin> IdleTimeoutStream<S> {
    /// Writes what has replaced the library's own answer, until nothing is left of it.
    fn poll_pending(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        while !self.pending.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.pending))?;
            self.pending.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    fn note_write<T>(&mut self, result: Poll<T>, context: &mut Context<'_>) -> Poll<T>
    where
        T: From<Stalled>,
    {
        match result {
            Poll::Ready(result) => {
                self.moved = true;
                Poll::Ready(result)
            }
            Poll::Pending => self.check_quiet(context).map(|error| T::from(Stalled(error))),
        }
    }
}

/// A peer that does not read its answer.
struct Stalled(Error);

impl From<Stalled> for Result<usize, Error> {
    fn from(stalled: Stalled) -> Result<usize, Error> {
        Err(stalled.0)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        ready!(self.poll_pending(context))?;
        if let Some(answer) = replacement(bytes, self.ids.as_ref()) {
            self.pending = answer;
            return match self.poll_pending(context) {
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                // The rest of it goes out with the flush that follows.
                _ => Poll::Ready(Ok(bytes.len())),
            };
        }
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note_write(result, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        match slices.iter().find(|slice| !slice.is_empty()) {
            Some(first) if is_library_answer(first) => self.poll_write(context, first),
            _ => {
                ready!(self.poll_pending(context))?;
                let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
                self.note_write(result, context)
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        ready!(self.poll_pending(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        ready!(self.poll_pending(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// True for an error head that did not pass through our own code.
fn is_library_answer(bytes: &[u8]) -> bool {
    let is_error = bytes.starts_with(b"HTTP/1.1 4") || bytes.starts_with(b"HTTP/1.0 4");
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    is_error
        && head.is_some_and(|end| {
            !bytes[..end].to_ascii_lowercase().windows(11).any(|window| window == b"request-id:")
        })
}

fn replacement(bytes: &[u8], ids: &dyn IdSource) -> Option<Vec<u8>> {
    if !is_library_answer(bytes) {
        return None;
    }
    let line = bytes.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let message = Message::new("bad-request").say(Language::En);
    let body = Json::object([("message", message.into())]).to_string();
    let id = ids.uuid().simple().to_string();
    tracing::info!(request_id = %id, answer = %line, "bytes that are not a request");
    Some(
        format!(
            "{line}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nrequest-id: {id}\r\n\
             server-timing: total;dur=0\r\ncontent-language: en\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_bytes(),
    )
}
