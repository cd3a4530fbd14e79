//! A connection that tells whether its answers were taken ([`Untaken`]).

use std::io::{Error, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use waybill_outbound::Outstanding;

use crate::taken::Untaken;

/// So long a connection that we have ended is listened to: its caller ends it too, when it has read
/// all.
const LISTENED: Duration = Duration::from_secs(5);
/// So many at once.
static LISTENING: Semaphore = Semaphore::const_new(256);
/// A line that holds so long after an answer was not cut in the middle of it: whoever goes away
/// with something unread ends it at once.
const HOLDS: Duration = Duration::from_secs(1);
/// So often it is seen whether an answer has arrived by then.
const LOOKS: u32 = 60;
/// The answers of so many connections at once are looked after.
static LOOKING: Semaphore = Semaphore::const_new(256);

/// The socket of a connection.
pub struct Watched {
    /// Taken at the end alone.
    stream: Option<TcpStream>,
    /// Whether its peer has ended it.
    is_ended: bool,
    untaken: Untaken,
}

impl Watched {
    /// Tells of the answers on this socket.
    pub fn new(stream: TcpStream, untaken: Untaken) -> Watched {
        Watched { stream: Some(stream), is_ended: false, untaken }
    }

    /// Sees later whether the answers up to this one have arrived.
    fn look_later(&self, last: u64) {
        let outstanding = self.stream.as_ref().and_then(Outstanding::of);
        let (Some(outstanding), Ok(runtime), Ok(one)) =
            (outstanding, tokio::runtime::Handle::try_current(), LOOKING.try_acquire())
        else {
            return;
        };
        let untaken = self.untaken.clone();
        runtime.spawn(async move {
            let _one = one;
            for _ in 0..LOOKS {
                tokio::time::sleep(HOLDS).await;
                if !untaken.is_waiting() {
                    return;
                }
                match outstanding.bytes().await {
                    Some(0) => return untaken.note_arrived(last),
                    Some(_) => {}
                    // The line is gone, or nobody can know.
                    None => return,
                }
            }
        });
    }

    fn poll<T>(
        &mut self,
        poll: impl FnOnce(Pin<&mut TcpStream>) -> Poll<Result<T, Error>>,
    ) -> Poll<Result<T, Error>> {
        match &mut self.stream {
            Some(stream) => poll(Pin::new(stream)),
            None => Poll::Ready(Err(Error::other("the connection is closed"))),
        }
    }
}

/// Whether the peer was gone before it had all: what it sent before may end in order nevertheless.
/// `ours` are the bytes that it need not have acknowledged: our own end is one.
fn is_cut(stream: &TcpStream, ours: u64) -> bool {
    let outstanding = || Outstanding::of(stream).and_then(|line| line.bytes_at_once());
    !matches!(stream.take_error(), Ok(None)) || outstanding().is_some_and(|left| left > ours)
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        let before = buffer.filled().len();
        let result = ready!(self.poll(|stream| stream.poll_read(context, buffer)));
        let is_end = buffer.filled().len() == before;
        self.is_ended |= is_end;
        let is_gone = || self.stream.as_ref().is_none_or(|stream| is_cut(stream, 0));
        if !self.untaken.is_waiting() {
            // Nobody wants to know.
        } else if result.is_err() || (is_end && is_gone()) {
            self.untaken.forget();
        } else if is_end {
            self.untaken.note_end();
        } else {
            self.untaken.note_bytes();
        }
        Poll::Ready(result)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        self.poll(|stream| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        self.poll(|stream| stream.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let result = ready!(self.poll(|stream| stream.poll_flush(context)));
        if result.is_ok()
            && let Some(last) = self.untaken.note_sent()
        {
            self.look_later(last);
        }
        Poll::Ready(result)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        self.poll(|stream| stream.poll_shutdown(context))
    }
}

impl Drop for Watched {
    /// A connection that ends with its answer is listened to for a while. What a peer says at its
    /// end that it said before the answer tells nothing.
    fn drop(&mut self) {
        let is_open = self.untaken.is_waiting() && !self.is_ended;
        let Some(stream) = self.stream.take().filter(|_| is_open) else {
            return self.untaken.forget();
        };
        let (Ok(runtime), Ok(one)) =
            (tokio::runtime::Handle::try_current(), LISTENING.try_acquire())
        else {
            return self.untaken.forget();
        };
        let untaken = self.untaken.clone();
        runtime.spawn(async move {
            let _one = one;
            let _in_time = tokio::time::timeout(LISTENED, listen(stream, &untaken)).await;
            // The place of the line may soon be another one's.
            untaken.forget();
        });
    }
}

/// Reads to the end of a connection, which tells whether all of the answer was read. Its caller is
/// told first that nobody answers here any more.
async fn listen(mut stream: TcpStream, untaken: &Untaken) {
    let _ended = stream.shutdown().await;
    let mut unread = [0; 1024];
    loop {
        match stream.read(&mut unread).await {
            Ok(0) if !is_cut(&stream, 1) => return untaken.note_end(),
            Ok(0) | Err(_) => return,
            // It goes on with a request that nobody answers.
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_caller_is_told_that_nobody_answers_any_more_while_it_is_listened_to() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut caller = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (ours, _) = listener.accept().await.unwrap();
        let untaken = Untaken::default();
        let told = caller.read_u8();
        let told = tokio::time::timeout(Duration::from_secs(60), told);
        // It would go on for as long as the caller holds its end.
        tokio::select! {
            () = listen(ours, &untaken) => panic!("the caller has not ended it"),
            told = told => assert!(told.unwrap().is_err(), "that is the end"),
        }
    }
}
