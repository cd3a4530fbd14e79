//! A body that is still to be read: once, bounded in size and time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use http_body_util::BodyExt;
use waybill_domain::json::VALUES_MAX;

use super::reply::ApiError;

/// The most that a body may hold.
#[derive(Clone, Copy)]
pub struct BodyLimit {
    /// Bytes.
    pub bytes: usize,
    /// JSON values: to check one costs more than to read its bytes.
    pub values: usize,
}

impl BodyLimit {
    /// Unless the route says otherwise.
    pub const USUAL: BodyLimit = BodyLimit { bytes: 1024 * 1024, values: 25_000 };
    /// For long tables of small values.
    pub const TABLE: BodyLimit = BodyLimit { values: VALUES_MAX, ..BodyLimit::USUAL };
    /// For a hundred shipments.
    pub const BATCH: BodyLimit = BodyLimit { bytes: 8 * 1024 * 1024, values: VALUES_MAX };
}

/// A larger body is not read and checked beside small requests.
const LARGE: u64 = 4 * 1024;
/// The longest that a body may take to arrive.
pub const BODY_TIME: Duration = Duration::from_secs(20);
/// So much of a body that nobody wants is let in, for so long.
const DRAIN_MAX: usize = 16 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(3);
/// A chunk costs as much as so many bytes, however small it is.
const CHUNK_COST: usize = 16 * 1024;
/// A body comes in so many chunks at most, and one more for each so many bytes.
const CHUNKS_MAX: usize = 4_000;
const CHUNK_MIN: usize = 32;

/// What has not been read of a body. Whoever answers keeps a share of it, to let a caller who is
/// still sending finish.
#[derive(Clone)]
pub struct Unread(Arc<Mutex<Body>>);

impl Unread {
    /// A body of which nothing was read.
    pub fn new(body: Body) -> Unread {
        Unread(Arc::new(Mutex::new(body)))
    }

    /// Whether it is large, or may become so.
    pub fn is_large(&self) -> bool {
        let body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        body.size_hint().upper().is_none_or(|size| size > LARGE)
    }

    /// Reads all of it, if it is not larger than this. What is left of a larger one can be drained.
    pub async fn read(&self, max: usize) -> Result<bytes::Bytes, ApiError> {
        let mut body = self.take();
        let read = tokio::time::timeout(BODY_TIME, read_within(&mut body, max)).await;
        let read = read.unwrap_or(Err(ApiError::TooSlow));
        if matches!(read, Err(ApiError::TooLarge(_))) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = body;
        }
        read
    }

    fn take(&self) -> Body {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the rest and forgets it, within bounds. Most clients send all before they listen: an
    /// answer on a connection that is closed under their hands would be lost.
    pub async fn drain(&self) {
        let mut body = self.take();
        let mut left = DRAIN_MAX;
        let all = async {
            while left > 0 && !body.is_end_stream() {
                let Some(Ok(frame)) = body.frame().await else { return };
                let bytes = frame.data_ref().map_or(0, |data| data.len());
                left = left.saturating_sub(bytes.max(CHUNK_COST));
            }
        };
        let _in_vain = tokio::time::timeout(DRAIN_TIME, all).await;
    }
}

/// As much of a body as may be.
async fn read_within(body: &mut Body, max: usize) -> Result<bytes::Bytes, ApiError> {
    let (mut read, mut chunks) = (bytes::BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::BadRequest)?;
        let Some(data) = frame.data_ref() else { continue };
        if read.len() + data.len() > max {
            return Err(ApiError::TooLarge(max));
        }
        read.extend_from_slice(data);
        chunks += 1;
        if chunks > CHUNKS_MAX + read.len() / CHUNK_MIN {
            return Err(ApiError::TinyChunks);
        }
    }
    Ok(read.freeze())
}
