//! The bytes behind signed URLs. The URL is the credential.

mod preview;

use axum::http::{HeaderName, Method, header};
use sha2::{Digest, Sha256};
use waybill_domain::document::Format;
use waybill_domain::ids::{DocumentId, ShipmentId};
use waybill_engine::files::{ReadError, Verdict};
use waybill_engine::{papers, timings};
use waybill_store::documents::{self, Document};
use waybill_store::shipments;

use super::legacy;
use super::reply::{ApiError, Reply, hold, matches_etag};
use super::request::Request;
pub use preview::preview;

/// What a `Range` header asks for. Several ranges at once are answered with the whole file, as the
/// standard allows.
enum Part {
    Whole,
    Some(usize, usize),
    Nothing,
}

fn part(range: Option<&str>, total: usize) -> Part {
    let Some(range) = range.and_then(|range| range.strip_prefix("bytes=")) else {
        return Part::Whole;
    };
    let Some((first, last)) = range.split_once('-').filter(|_| !range.contains(',')) else {
        return Part::Whole;
    };
    let (first, last) = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) => (first, last),
        (Ok(first), Err(_)) if last.is_empty() => (first, usize::MAX),
        (Err(_), Ok(count)) if first.is_empty() => (total.saturating_sub(count), usize::MAX),
        _ => return Part::Whole,
    };
    if first > last || first >= total {
        return Part::Nothing;
    }
    Part::Some(first, last.min(total - 1))
}

/// A QR code of a shipment: drawn when it is asked for, from what is stored.
async fn qr_picture(request: &Request, id: DocumentId) -> Result<Reply, ApiError> {
    let name = request.parameter("filename")?;
    let number = name.strip_prefix("qr-").and_then(|name| name.strip_suffix(".png"));
    let number: usize = number.and_then(|number| number.parse().ok()).ok_or(ApiError::NotFound)?;
    let id = ShipmentId(id.0);
    let codes = request.read(move |tx| shipments::any_find_codes(tx, id)).await?;
    let place = number.checked_sub(1).ok_or(ApiError::NotFound)?;
    let value = codes.and_then(|codes| codes.qr_codes.into_iter().nth(place));
    let value = value.ok_or(ApiError::NotFound)?;
    let app = request.app.clone();
    let drawn = tokio::task::spawn_blocking(move || papers::qr_picture(app.renderer(), &value));
    let bytes = request.timed(timings::Part::Render, drawn).await;
    let bytes = bytes.map_err(|error| ApiError::Internal(error.to_string()))??;
    let hash = Sha256::digest(&bytes);
    serve(request, Format::Png.media_type(), name, &hash, bytes)
}

/// `GET` and `HEAD /files/{document}/{filename}`
pub async fn download(request: Request) -> Result<Reply, ApiError> {
    let query = request.query.knowing(&["expires", "signature"]);
    let id = request.id("document", DocumentId::parse)?;
    let filename = request.parameter("filename")?;
    let (Some(expires), Some(signature)) = (query.text("expires"), query.text("signature")) else {
        return Err(ApiError::NotFound);
    };
    // One file has one URL, letter for letter: one that was encoded anew was changed.
    let query_of = format!("expires={expires}&signature={signature}");
    if request.path != format!("/files/{id}/{filename}") || request.query.raw() != query_of {
        return Err(ApiError::NotFound);
    }
    match request.app.signer().check(id, filename, expires, signature, request.now) {
        Verdict::Good => {}
        Verdict::Expired => return Err(ApiError::Gone),
        Verdict::Forged => return Err(ApiError::NotFound),
    }
    let found = request.read(move |tx| documents::any_find(tx, id)).await?;
    if let Some(document) = found {
        return send(&request, &document).await;
    }
    match legacy::pdf::linked(&request, id, filename).await? {
        Some(bytes) => {
            let hash = Sha256::digest(&bytes);
            serve(&request, Format::Pdf.media_type(), filename, &hash, bytes)
        }
        None => qr_picture(&request, id).await,
    }
}

/// The bytes of a document, or the part of them that is wanted.
pub async fn send(request: &Request, document: &Document) -> Result<Reply, ApiError> {
    // Before the bytes are read: many who ask at once would hold them all.
    let size = usize::try_from(document.size_bytes).unwrap_or(usize::MAX);
    let share = hold(request.api.answers(), request.caller(), size)?;
    let media = Format::parse(&document.format)
        .map_or("application/octet-stream", |format| format.media_type());
    let bytes = content_of(request, document).await?;
    let reply = serve(request, media, &document.filename, &document.hash, bytes)?;
    Ok(reply.holding(share))
}

/// The bytes of a document.
pub async fn content_of(request: &Request, document: &Document) -> Result<Vec<u8>, ApiError> {
    let hash = document.hash.clone();
    let content = request.read(move |tx| documents::any_find_content(tx, &hash)).await?;
    let content = content.ok_or(ApiError::NotFound)?;
    request.app.files().read(&document.hash, content).await.map_err(|error| match error {
        ReadError::Unreachable(cause) => ApiError::Unavailable(cause.to_string()),
        broken => ApiError::Internal(broken.to_string()),
    })
}

fn etag_of(hash: &[u8]) -> String {
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

/// The bytes, or the part of them that is wanted, with headers under which no browser runs them.
fn serve(
    request: &Request,
    media: &str,
    filename: &str,
    hash: &[u8],
    bytes: Vec<u8>,
) -> Result<Reply, ApiError> {
    let etag = etag_of(hash);
    let disposition = format!("attachment; filename=\"{filename}\"");
    // A part is wanted of the version that the caller knows, or else the whole of this one.
    let is_known = request.header(header::IF_RANGE).is_none_or(|known| known == etag);
    // Parts are for GET, and of no use to whoever has the whole.
    let known = request.header_list(header::IF_NONE_MATCH);
    let has_it = known.is_some_and(|known| matches_etag(&known, &etag));
    let is_wanted = is_known && !has_it && request.method == Method::GET;
    let range = request.header(header::RANGE).filter(|_| is_wanted);
    let reply = match part(range, bytes.len()) {
        Part::Whole => Reply::bytes(media, bytes),
        Part::Some(first, last) => Reply::part(media, bytes, first, last),
        Part::Nothing => return Err(ApiError::NoSuchRange(bytes.len())),
    };
    let reply = reply
        .private()
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::CONTENT_DISPOSITION, disposition)
        .header(header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'")
        .header(HeaderName::from_static("referrer-policy"), "no-referrer");
    Ok(reply.etag(etag, request.header(header::IF_NONE_MATCH)))
}
