//! What comes in on a connection: the attributes, and then the document, which may be cut off.

use bytes::{Buf, Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use waybill_printing::ipp::{IppError, Message, parse};

/// Larger documents are not taken.
const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What was behind the attributes of a request.
#[derive(Debug)]
pub enum Arrival {
    /// All of the document.
    Whole(Bytes),
    /// The document up to where the line was cut.
    Cut(Bytes),
    /// More than is taken.
    TooLarge,
}

/// The body of a request behind its attributes.
pub struct RequestBody {
    buffer: BytesMut,
    body: Incoming,
    /// How many bytes are still to come, when that was said.
    missing: Option<u64>,
}

/// Why a request has no attributes that could be read.
pub enum NoHead {
    /// The line was cut, so that there is nobody to tell.
    Cut,
    /// It is not IPP. The number is that of the request, as far as one can be made out.
    NotIpp(i32),
}

impl RequestBody {
    /// Reads the attributes of a request. `length` is how many bytes it says that it has.
    pub async fn read_head(
        body: Incoming,
        length: Option<u64>,
    ) -> Result<(Message, RequestBody), NoHead> {
        let mut rest = RequestBody { buffer: BytesMut::new(), body, missing: length };
        loop {
            match parse(&rest.buffer) {
                Ok((message, document)) => {
                    let head = rest.buffer.len() - document.len();
                    rest.buffer.advance(head);
                    return Ok((message, rest));
                }
                Err(IppError::Cut) => {}
                Err(_) => return Err(rest.not_ipp()),
            }
            match rest.more().await {
                More::Bytes => {}
                More::End => return Err(rest.not_ipp()),
                More::Cut => return Err(NoHead::Cut),
            }
        }
    }

    /// Reads the document.
    pub async fn document(&mut self) -> Arrival {
        loop {
            if self.buffer.len() > DOCUMENT_BYTES_MAX {
                self.drain().await;
                return Arrival::TooLarge;
            }
            match self.more().await {
                More::Bytes => {}
                More::End => return Arrival::Whole(self.buffer.split().freeze()),
                More::Cut => return Arrival::Cut(self.buffer.split().freeze()),
            }
        }
    }

    /// Reads to the end: whoever still sends does not hear an answer.
    pub async fn drain(&mut self) {
        loop {
            self.buffer.clear();
            let more = self.more().await;
            if !matches!(more, More::Bytes) {
                return;
            }
        }
    }

    async fn more(&mut self) -> More {
        match self.body.frame().await {
            Some(Ok(frame)) => {
                let data = frame.into_data().unwrap_or_default();
                let arrived = u64::try_from(data.len()).unwrap_or(u64::MAX);
                self.missing = self.missing.map(|missing| missing.saturating_sub(arrived));
                self.buffer.extend_from_slice(&data);
                More::Bytes
            }
            Some(Err(_)) => More::Cut,
            None if self.missing.is_some_and(|missing| missing > 0) => More::Cut,
            None => More::End,
        }
    }

    fn not_ipp(&self) -> NoHead {
        let number = self.buffer.get(4..8).and_then(|bytes| bytes.try_into().ok());
        NoHead::NotIpp(number.map_or(0, i32::from_be_bytes))
    }
}

enum More {
    Bytes,
    End,
    Cut,
}
