//! Completed files of the team, whatever made them. Reading about one does not touch its bytes.

mod merge;

use std::collections::HashMap;

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::document::{DocumentType, Format, SourceKind, WarehousePaper};
use waybill_domain::ids::{DocumentId, TeamId, parse_uuid};
use waybill_domain::json::{Json, Number};
use waybill_domain::page::{CursorScope, Page};
use waybill_domain::printing::PrintState;
use waybill_domain::words::Message;
use waybill_store::documents::{self, Document, Filter};
use waybill_store::{Error, Tx};

use super::caller::Member;
use super::lists::{CursorQuery, cursor_envelope, render_within_limit};
use super::reply::{ApiError, Reply};
use super::request::Request;
pub use merge::merge;

const PARAMETERS: &[&str] = &["source_type", "source_uuid", "type", "format", "cursor", "per_page"];

/// `GET …/documents`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let filter = Filter {
        source_type: query.choice("source_type", SourceKind::NAMES).and_then(SourceKind::parse),
        source: query.parsed("source_uuid", parse_uuid, || Message::new("not-a-uuid")),
        kind: query.choice("type", DocumentType::NAMES).map(str::to_owned),
        format: query.choice("format", Format::NAMES).map(str::to_owned),
    };
    let shown = request.query.without("cursor");
    let filters = request.query.filters(&[]);
    let scope = CursorScope { list: "listDocuments", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows =
        request.read(move |tx| documents::list(tx, member.team, &filter, cursor, wanted)).await?;
    let (rows, count) =
        render_within_limit(rows, wanted, |row| Ok(view_with_source(&request, row)))?;
    let page = Page::new(rows, count, cursor, |(row, _)| (0, row.id.into()));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `GET …/documents/{document}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("document", DocumentId::parse)?;
    let found = request.read(move |tx| documents::find(tx, member.team, id)).await?;
    let document = found.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view_with_source(&request, &document)).private())
}

/// Rows that files are made for, each with its own.
pub fn with_files<T>(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: SourceKind,
    rows: Vec<T>,
    id: fn(&T) -> Uuid,
) -> Result<Vec<(T, Vec<Document>)>, Error> {
    let ids: Vec<Uuid> = rows.iter().map(id).collect();
    let mut files: HashMap<Uuid, Vec<Document>> = HashMap::new();
    for file in documents::list_of_all(tx, team, source_type, &ids)? {
        files.entry(file.source).or_default().push(file);
    }
    let all = rows.into_iter().map(|row| {
        let own = files.remove(&id(&row)).unwrap_or_default();
        (row, own)
    });
    Ok(all.collect())
}

/// The files of one source, shown without it.
pub fn view_all(request: &Request, files: &[Document]) -> Json {
    Json::list(files.iter().map(|file| view(request, file)))
}

/// A file with what made it.
pub fn view_with_source(request: &Request, file: &Document) -> Json {
    let source =
        Json::object([("uuid", Json::text(file.source)), ("type", file.source_type.name().into())]);
    let mut shown = view(request, file);
    shown.merge(&Json::object([("source", source)]));
    shown
}

/// A file without its source: the shipment around it is that.
pub fn view(request: &Request, file: &Document) -> Json {
    let (path, expires_at) = request.app.signer().sign(file.id, &file.filename, request.now);
    let format = Format::parse(&file.format);
    let preview = file.is_drawable.then(|| {
        let path = request.app.signer().sign_preview(file.id, request.now);
        format!("{}{path}", request.app.base_url())
    });
    Json::object([
        ("uuid", Json::text(file.id)),
        ("print_status", file.print_status.map(PrintState::name).into()),
        ("name", name(request, file).into()),
        ("filename", file.filename.as_str().into()),
        ("types", Json::list(file.types.split(' ').map(Json::text))),
        ("format", file.format.as_str().into()),
        ("mime_type", format.map(|format| format.media_type()).into()),
        ("size_bytes", file.size_bytes.into()),
        ("width", file.width_um.map(millimetres).into()),
        ("height", file.height_um.map(millimetres).into()),
        ("page_count", file.page_count.into()),
        ("url", format!("{}{path}", request.app.base_url()).into()),
        ("url_expires_at", Json::text(expires_at)),
        ("preview_url", preview.into()),
        ("description", Json::Null),
        ("created_at", Json::text(file.created_at)),
        ("updated_at", Json::text(file.updated_at)),
    ])
}

/// What people call a file, in the caller's language. A type that this version does not know has
/// the name that was stored with it.
fn name(request: &Request, file: &Document) -> String {
    if let Some(paper) = WarehousePaper::parse(&file.name) {
        return paper.title().say(request.language);
    }
    let kind = file.types.split(' ').next().and_then(DocumentType::parse);
    kind.map_or_else(|| file.name.clone(), |kind| kind.title().say(request.language))
}

/// A distance on paper.
pub fn millimetres(micrometres: i64) -> Json {
    let value = Json::Number(Number::from_thousandths(micrometres));
    Json::object([("value", value), ("unit", "mm".into())])
}
