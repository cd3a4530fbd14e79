//! Answers on their way out. The library asks for the next part of a body when it has room for
//! some of it, so parts are small: what waits for the peer is in the body, where it is counted.
//!
//! A peer of HTTP/2 that gives no room for an answer, and keeps the connection alive meanwhile,
//! would make us hold the answer forever. Each of its streams runs as a task of its own, which ends
//! with the stream when nothing is asked for. The end of a body comes on its own there: until it is
//! asked for, the peer has not taken all.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use hyper::rt::Executor;
use tokio::time::Instant;

use super::slots::UnderWay;
use crate::taken::{Untaken, WhenTaken};

/// The largest part that is handed over at once.
const PART_MAX: usize = 16 * 1024;

tokio::task_local! {
    /// The stream that this task is.
    static STREAM: Arc<Stream>;
}

/// What a stream waits for.
#[derive(Default)]
struct Stream {
    /// Since when the peer has had no room for what comes next.
    full_since: Mutex<Option<Instant>>,
}

impl Stream {
    fn note(&self, full_since: Option<Instant>) {
        *self.full_since.lock().unwrap_or_else(PoisonError::into_inner) = full_since;
    }

    fn is_full_for(&self, quiet: Duration) -> bool {
        let since = *self.full_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() >= quiet)
    }
}

/// Runs each stream of a connection, and ends one whose peer takes nothing for this long.
#[derive(Clone)]
pub struct Streams {
    /// How long.
    pub quiet: Duration,
}

impl<F> Executor<F> for Streams
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, running: F) {
        let (stream, quiet) = (Arc::new(Stream::default()), self.quiet);
        tokio::spawn(STREAM.scope(Arc::clone(&stream), async move {
            tokio::pin!(running);
            loop {
                tokio::select! {
                    () = &mut running => return,
                    () = tokio::time::sleep(quiet / 4) => {}
                }
                if stream.is_full_for(quiet) {
                    return;
                }
            }
        }));
    }
}

/// A body in parts.
pub struct Outgoing {
    body: Body,
    rest: Bytes,
    stream: Option<Arc<Stream>>,
    is_begun: bool,
    is_ended: bool,
    /// Whom to tell when it was taken.
    telling: Option<(WhenTaken, Untaken)>,
    _under_way: UnderWay,
}

impl Outgoing {
    /// For the stream that the caller runs on. Its request is under way until all of it is taken.
    pub fn new(body: Body, under_way: UnderWay) -> Outgoing {
        let (stream, rest) = (STREAM.try_with(Arc::clone).ok(), Bytes::new());
        let (is_begun, is_ended, telling) = (false, false, None);
        Outgoing { body, rest, stream, is_begun, is_ended, telling, _under_way: under_way }
    }

    /// The same of an answer that somebody wants to know the fate of, on this connection.
    pub fn telling(self, act: WhenTaken, untaken: Untaken) -> Outgoing {
        Outgoing { telling: Some((act, untaken)), ..self }
    }

    /// Hands the answer over if this was the last of it.
    fn note_end(&mut self, is_over: bool) {
        let is_last = is_over || (self.rest.is_empty() && self.body.is_end_stream());
        if is_last && let Some((act, untaken)) = self.telling.take() {
            untaken.hand_over(act, self.stream.is_some());
        }
    }

    fn next_part(&mut self) -> Frame<Bytes> {
        let part = self.rest.split_to(self.rest.len().min(PART_MAX));
        self.is_begun = true;
        let Some(stream) = &self.stream else { return Frame::data(part) };
        stream.note(Some(Instant::now()));
        // A copy: a part of shared bytes keeps all of them, and the library keeps it for a while.
        Frame::data(Bytes::copy_from_slice(&part))
    }
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(stream) = &self.stream {
            // Whoever asks has room.
            stream.note(None);
        }
        if !self.rest.is_empty() {
            let part = self.next_part();
            self.note_end(false);
            return Poll::Ready(Some(Ok(part)));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.is_ended = frame.is_none();
        let frame = frame.map(|frame| {
            frame.map(|frame| match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.next_part()
                }
                Err(trailers) => trailers,
            })
        });
        if !matches!(frame, Some(Err(_))) {
            let is_over = self.is_ended;
            self.note_end(is_over);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match self.stream.is_some() && self.is_begun {
            true => self.is_ended,
            false => self.rest.is_empty() && self.body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = self.rest.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
