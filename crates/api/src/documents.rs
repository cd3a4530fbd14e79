//! Completed files of the team, whatever made them. Reading about one does not touch its bytes.

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::ids::{DocumentId, TeamId, parse_uuid};
use waybill_domain::json::{Json, Number};
use waybill_domain::page::{Cursor, CursorScope, Page};
use waybill_domain::words::Message;
use waybill_store::documents::{self, Document, Filter};
use waybill_store::{Error, Tx};

use super::caller::Member;
use super::lists::{FromCursor, Newest, cursor_envelope, fit};
use super::reply::{ApiError, Reply};
use super::request::Request;

const PARAMETERS: &[&str] = &["source_type", "source_uuid", "type", "format", "cursor", "per_page"];
const SOURCES: &[&str] = &["shipment", "manifest", "report"];

/// `GET …/documents`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let types: Vec<&str> = DocumentType::ALL.iter().map(|kind| kind.name()).collect();
    let formats: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let mut query = request.query.knowing(PARAMETERS);
    let filter = Filter {
        source_type: query.choice("source_type", SOURCES).map(str::to_owned),
        source: query.parsed("source_uuid", parse_uuid, || Message::new("not-a-uuid")),
        kind: query.choice("type", &types).map(str::to_owned),
        format: query.choice("format", &formats).map(str::to_owned),
    };
    let shown = request.query.without("cursor");
    let filters = request.query.filters(&[]);
    let scope = CursorScope { list: "listDocuments", team: member.team, filters: &filters };
    let from = FromCursor::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows =
        request.read(move |tx| documents::list(tx, member.team, &filter, cursor, wanted)).await?;
    let (rows, count) = fit(rows, wanted, |row| Ok(view_with_source(&request, row)))?;
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

/// Reads the rows of a page, newest first, from the cursor on.
type ReadPage<T> = fn(&mut Tx<'_>, TeamId, Option<Cursor>, usize) -> Result<Vec<T>, Error>;

/// What documents are made for.
pub struct Producer<T> {
    /// The name of its list.
    pub list: &'static str,
    /// How its documents call it.
    pub source: &'static str,
    /// Its id.
    pub id: fn(&T) -> Uuid,
    /// How it is shown with its documents.
    pub view: fn(&Request, &T, &[Document]) -> Json,
}

impl<T: Send + 'static> Producer<T> {
    /// One page of its list, newest first, each entry with its documents.
    pub async fn page(
        &self,
        request: &Request,
        member: Member,
        read: ReadPage<T>,
    ) -> Result<Reply, ApiError> {
        let newest = Newest::read(request, member, self.list)?;
        let ((cursor, wanted), source, id) = (newest.wanted(), self.source, self.id);
        let (rows, papers) = request
            .read(move |tx| {
                let rows = read(tx, member.team, cursor, wanted)?;
                let ids: Vec<Uuid> = rows.iter().map(id).collect();
                let papers = documents::list_of_all(tx, member.team, source, &ids)?;
                Ok::<_, Error>((rows, papers))
            })
            .await?;
        let body = newest.envelope(request, member, rows, id, |row| {
            let own = papers.iter().filter(|paper| paper.source == id(row)).cloned();
            (self.view)(request, row, &own.collect::<Vec<_>>())
        })?;
        Ok(Reply::json(StatusCode::OK, body).private())
    }

    /// One of them, shown with its documents.
    pub async fn find(
        &self,
        request: &Request,
        member: Member,
        find: impl Fn(&mut Tx<'_>) -> Result<Option<T>, Error> + Send + 'static,
    ) -> Result<Json, ApiError> {
        let (source, id) = (self.source, self.id);
        let found = request
            .read(move |tx| {
                let Some(row) = find(tx)? else { return Ok::<_, Error>(None) };
                let papers = documents::list_of(tx, member.team, source, id(&row))?;
                Ok(Some((row, papers)))
            })
            .await?;
        let (row, papers) = found.ok_or(ApiError::NotFound)?;
        Ok((self.view)(request, &row, &papers))
    }
}

/// A file with what made it.
pub fn view_with_source(request: &Request, file: &Document) -> Json {
    let source = Json::object([
        ("uuid", Json::text(file.source)),
        ("type", file.source_type.as_str().into()),
    ]);
    let mut shown = view(request, file);
    shown.merge(&Json::object([("source", source)]));
    shown
}

/// A file without its source: the shipment around it is that.
pub fn view(request: &Request, file: &Document) -> Json {
    let (path, expires_at) = request.app.signer().sign(file.id, &file.filename, request.now);
    let format = Format::parse(&file.format);
    Json::object([
        ("uuid", Json::text(file.id)),
        ("print_status", Json::Null),
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
        ("description", Json::Null),
        ("created_at", Json::text(file.created_at)),
        ("updated_at", Json::text(file.updated_at)),
    ])
}

/// What people call a file, in the caller's language. A type that this version does not know has
/// the name that was stored with it.
fn name(request: &Request, file: &Document) -> String {
    let kind = file.types.split(' ').next().and_then(DocumentType::parse);
    kind.map_or_else(|| file.name.clone(), |kind| kind.title().say(request.language))
}

/// A distance on paper.
fn millimetres(micrometres: i64) -> Json {
    let value = Json::Number(Number::from_thousandths(micrometres));
    Json::object([("value", value), ("unit", "mm".into())])
}
