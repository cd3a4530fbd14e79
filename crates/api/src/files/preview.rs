//! Pictures of a document's pages. The signature is good for all pages and widths of one document.

use axum::http::header;
use sha2::{Digest, Sha256};
use waybill_domain::document::Format;
use waybill_domain::ids::DocumentId;
use waybill_domain::words::Message;
use waybill_engine::files::{PREVIEW, Verdict};
use waybill_engine::pictures::PictureError;
use waybill_engine::timings::Part;
use waybill_paper::Wanted;
use waybill_store::Error;
use waybill_store::documents::{self, Document};

use super::{content_of, etag_of, serve};
use crate::reply::{ApiError, Reply, hold, matches_etag};
use crate::request::Request;

/// Dots across, unless the caller says otherwise.
const WIDTH: i64 = 400;
/// No picture is narrower or wider.
const WIDTHS: std::ops::RangeInclusive<i64> = 50..=1600;
/// How pictures are drawn. Whoever has one that was drawn otherwise gets a new one.
const EDITION: u8 = 1;

/// `GET` and `HEAD /files/{document}/preview.png`
pub async fn preview(request: Request) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(&["page", "width", "expires", "signature"]);
    let id = request.id("document", DocumentId::parse)?;
    let (Some(expires), Some(signature)) = (query.text("expires"), query.text("signature")) else {
        return Err(ApiError::NotFound);
    };
    match request.app.signer().check(id, PREVIEW, expires, signature, request.now) {
        Verdict::Good => {}
        Verdict::Expired => return Err(ApiError::Gone),
        Verdict::Forged => return Err(ApiError::NotFound),
    }
    let page = query.text("page").unwrap_or("1").to_owned();
    let width = query.integer("width", WIDTHS).unwrap_or(WIDTH);
    let asked = query.finish();
    let found = request.read(move |tx| {
        let document = documents::any_find(tx, id)?;
        let team = documents::any_find_team(tx, id)?;
        Ok::<_, Error>(document.zip(team))
    });
    let (document, team) = found.await?.ok_or(ApiError::NotFound)?;
    let format = Format::parse(&document.format).filter(|_| document.is_drawable);
    let format = format.ok_or(ApiError::NotFound)?;
    let page = page_number(&page, &document).ok_or(ApiError::NotFound)?;
    asked?;
    let size_mm = document.width_um.zip(document.height_um).map(|(width, height)| {
        let millimetres = |micrometres: i64| micrometres as f64 / 1000.0;
        (millimetres(width), millimetres(height))
    });
    let wanted = Wanted { page, width: u32::try_from(width).unwrap_or_default(), size_mm };
    let version = version(&document, wanted);
    let known = request.header_list(header::IF_NONE_MATCH);
    if known.is_some_and(|known| matches_etag(&known, &etag_of(&version))) {
        return serve(&request, Format::Png.media_type(), PREVIEW, &version, Vec::new());
    }
    let turn = request.app.pictures().turn(team).await.ok_or(ApiError::TooMany(1))?;
    let size = usize::try_from(document.size_bytes).unwrap_or(usize::MAX);
    let _share = hold(request.api.answers(), request.caller(), size)?;
    let bytes = content_of(&request, &document).await?;
    let drawing = request.app.pictures().draw(&turn, bytes, format, wanted);
    let drawn = request.timed(Part::Render, drawn_or_why(drawing)).await?;
    serve(&request, Format::Png.media_type(), PREVIEW, &version, drawn)
}

/// The page with this number, when the document has it.
fn page_number(text: &str, document: &Document) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let page = text.parse().ok().filter(|_| is_plain)?;
    let count = document.page_count.unwrap_or(1);
    (i64::from(page) <= count).then_some(page)
}

async fn drawn_or_why(
    drawing: impl Future<Output = Result<Vec<u8>, PictureError>>,
) -> Result<Vec<u8>, ApiError> {
    drawing.await.map_err(|error| match error {
        PictureError::NotDrawn(why) => {
            tracing::info!(why, "a page has no picture");
            ApiError::invalid("document", Message::new("document-no-picture"))
        }
        PictureError::Unavailable(cause) => ApiError::Unavailable(cause.to_string()),
    })
}

/// What tells one picture from another.
fn version(document: &Document, wanted: Wanted) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(&document.hash);
    hash.update([EDITION]);
    hash.update(wanted.page.to_be_bytes());
    hash.update(wanted.width.to_be_bytes());
    hash.finalize().to_vec()
}
