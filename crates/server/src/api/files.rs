//! The bytes behind signed URLs. The URL is the credential.

use axum::http::{HeaderName, header};
use waybill_domain::document::Format;
use waybill_domain::ids::DocumentId;
use waybill_store::documents;

use super::reply::{ApiError, Reply};
use super::request::Call;
use crate::files::Verdict;

/// `GET` and `HEAD /files/{document}/{filename}`
pub async fn download(call: Call) -> Result<Reply, ApiError> {
    let query = call.query.knowing(&["expires", "signature"]);
    let id = call.id("document", DocumentId::parse)?;
    let filename = call.parameter("filename")?;
    let (Some(expires), Some(signature)) = (query.text("expires"), query.text("signature")) else {
        return Err(ApiError::NotFound);
    };
    match call.app.signer.check(id, filename, expires, signature, call.now) {
        Verdict::Good => {}
        Verdict::Expired => return Err(ApiError::Gone),
        Verdict::Forged => return Err(ApiError::NotFound),
    }
    let found = call.read(move |tx| documents::any_find_with_bytes(tx, id)).await?;
    let (document, bytes) = found.ok_or(ApiError::NotFound)?;
    let media = Format::parse(&document.format)
        .map_or("application/octet-stream", |format| format.media_type());
    let etag: String = document.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let disposition = format!("attachment; filename=\"{}\"", document.filename);
    let reply = Reply::bytes(media, bytes)
        .private()
        .header(header::CONTENT_DISPOSITION, disposition)
        .header(header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'")
        .header(HeaderName::from_static("referrer-policy"), "no-referrer");
    Ok(reply.etag(format!("\"{etag}\""), call.header(header::IF_NONE_MATCH)))
}
