//! The last check before a byte leaves. Whoever decided to send may have been stopped since then,
//! for so long that others have given it up; so the time is looked at where the bytes are written.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

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

/// A connection with a guard where it is written to.
pub struct Guarded {
    /// The connection.
    pub stream: TcpStream,
    /// Its guard.
    pub guard: Guard,
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        self.guard.pass()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        self.guard.pass()?;
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
