//! The last check before a request leaves. Whoever decided to send may have been stopped since
//! then, for so long that others have given it up; so the time is looked at where the bytes are
//! written.

use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::frames::Frames;

/// Until when the next request may begin to leave; always, when nothing is said.
#[derive(Clone, Default)]
pub struct Guard(Arc<Mutex<Option<Instant>>>);

impl Guard {
    /// Sets the moment, for one request.
    pub fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    /// Lets the first bytes of a request pass, or not. Those that follow belong to it.
    fn pass(&self) -> Result<()> {
        let mut until = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if until.is_some_and(|until| Instant::now() > until) {
            return Err(Error::new(ErrorKind::TimedOut, "too late to send"));
        }
        *until = None;
        Ok(())
    }
}

/// A stream with a guard where requests are written to it.
pub struct Guarded<S> {
    stream: S,
    guard: Guard,
    /// With HTTP/2, what was written so far: much of it belongs to no request. With HTTP/1.1
    /// nothing but requests is written.
    frames: Option<Frames>,
}

impl<S> Guarded<S> {
    /// A stream on which HTTP/1.1 is spoken.
    pub fn http1(stream: S, guard: Guard) -> Guarded<S> {
        Guarded { stream, guard, frames: None }
    }

    /// A stream on which HTTP/2 is spoken, from its first byte.
    pub fn http2(stream: S, guard: Guard) -> Guarded<S> {
        Guarded { stream, guard, frames: Some(Frames::default()) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

/// Parts are not written at once: each is looked at.
impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        if self.frames.is_none_or(|mut frames| frames.begin_request(bytes)) {
            self.guard.pass()?;
        }
        let count = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        if let Some(frames) = &mut self.frames {
            frames.begin_request(&bytes[..count]);
        }
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
