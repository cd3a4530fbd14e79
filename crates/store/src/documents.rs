//! Completed files: their rows, and their bytes in the same commit or in a place that was written
//! before.

/// The columns of a file.
macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, COALESCE(source_kind, kind, source_type), source, position, name,
                    filename, types, format, size_bytes, hash, width_um, height_um, page_count,
                    is_drawable, print_status, created_at, updated_at
               FROM document ",
            $($rest),+
        )
    };
}

mod blobs;
mod list;

use blobs::BlobUse;
pub use blobs::{Content, any_find_content, any_list_content, any_list_named};
pub use list::{Filter, list};
use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, PrintJobId, TeamId};
use waybill_domain::printing::PrintState;
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx, print_jobs};

/// A completed file without its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Its id.
    pub id: DocumentId,
    /// The kind of thing that it was made for.
    pub source_type: SourceKind,
    /// Which one.
    pub source: Uuid,
    /// Its place among the files of its source.
    pub position: i64,
    /// How it is shown.
    pub name: String,
    /// What a download is called.
    pub filename: String,
    /// What it is for, separated by spaces.
    pub types: String,
    /// Its format.
    pub format: String,
    /// How large it is.
    pub size_bytes: i64,
    /// SHA-256 of the bytes.
    pub hash: Vec<u8>,
    /// The width of every page in thousandths of a millimetre.
    pub width_um: Option<i64>,
    /// The height of every page in thousandths of a millimetre.
    pub height_um: Option<i64>,
    /// How many pages or labels it has.
    pub page_count: Option<i64>,
    /// Whether there is a picture of its pages.
    pub is_drawable: bool,
    /// How far the newest attempt to print it is; nothing when there was none.
    pub print_status: Option<PrintState>,
    /// When it was made.
    pub created_at: Time,
    /// When its metadata last changed.
    pub updated_at: Time,
}

impl FromRow for Document {
    fn from_row(row: &mut Row<'_>) -> Result<Document> {
        let id: DocumentId = row.next()?;
        Ok(Document {
            id,
            source_type: row.word(("document", id.into()), "source type", SourceKind::parse)?,
            source: row.next()?,
            position: row.next()?,
            name: row.next()?,
            filename: row.next()?,
            types: row.next()?,
            format: row.next()?,
            size_bytes: row.next()?,
            hash: row.next()?,
            width_um: row.next()?,
            height_um: row.next()?,
            page_count: row.next()?,
            is_drawable: row.next()?,
            print_status: row.optional_word(
                ("document", id.into()),
                "print status",
                PrintState::parse,
            )?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// What `source_type` says of a source: what goes after a while is stored as what is reported.
pub(crate) fn column(source_type: SourceKind) -> &'static str {
    match source_type {
        SourceKind::Merge | SourceKind::FulfilmentRequest => SourceKind::Report.name(),
        other => other.name(),
    }
}

/// Adds a file with its content.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, document: &Document, content: &Content) -> Result<()> {
    insert_as(tx, team, document, content, None)
}

/// The same of a file that is printed: with the attempt that is added in the same transaction, and
/// how far it is.
pub fn insert_printed(
    tx: &mut Tx<'_>,
    team: TeamId,
    document: &Document,
    content: &Content,
    job: PrintJobId,
) -> Result<()> {
    insert_as(tx, team, document, content, Some(job))
}

fn insert_as(
    tx: &mut Tx<'_>,
    team: TeamId,
    document: &Document,
    content: &Content,
    job: Option<PrintJobId>,
) -> Result<()> {
    let status = document.print_status.filter(|_| job.is_some());
    blobs::insert(tx, &document.hash, content, BlobUse::of(document))?;
    let only = |kind| Some(document.source_type).filter(|known| *known == kind);
    let (kind, source_kind) = (only(SourceKind::Merge), only(SourceKind::FulfilmentRequest));
    tx.exec_one(
        "INSERT INTO document (team, id, source_type, source, position, name, filename, types,
                               format, size_bytes, hash, width_um, height_um, page_count,
                               created_at, updated_at, kind, is_drawable, print_job, print_status,
                               source_kind)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18, $19, $20, $21)",
        &[
            team.into(),
            document.id.into(),
            column(document.source_type).into(),
            document.source.into(),
            document.position.into(),
            (&document.name).into(),
            (&document.filename).into(),
            (&document.types).into(),
            (&document.format).into(),
            document.size_bytes.into(),
            document.hash.as_slice().into(),
            document.width_um.into(),
            document.height_um.into(),
            document.page_count.into(),
            document.created_at.into(),
            document.updated_at.into(),
            kind.map(SourceKind::name).into(),
            document.is_drawable.into(),
            job.into(),
            status.map(PrintState::name).into(),
            source_kind.map(SourceKind::name).into(),
        ],
    )?;
    Ok(())
}

/// Removes the files of a source that goes after a while, and the bytes that nothing else has.
pub(crate) fn delete_of(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: SourceKind,
    source: Uuid,
) -> Result<()> {
    print_jobs::delete_of(tx, team, column(source_type), source)?;
    let hashes: Vec<Vec<u8>> = tx.all(
        "DELETE FROM document WHERE team = $1 AND source_type = $2 AND source = $3 RETURNING hash",
        &[team.into(), column(source_type).into(), source.into()],
    )?;
    hashes.iter().try_for_each(|hash| blobs::free(tx, hash))
}

/// Whether a job is open for a file of a source. From now to the commit no other can be added.
pub(crate) fn are_wanted_by_printers(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: SourceKind,
    source: Uuid,
) -> Result<bool> {
    let of_source = [team.into(), column(source_type).into(), source.into()];
    // Whoever adds a job locks the file that it names, or waits for this.
    let _locked: Vec<Uuid> = tx.all(
        "SELECT id FROM document WHERE team = $1 AND source_type = $2 AND source = $3 FOR UPDATE",
        &of_source,
    )?;
    let open = "SELECT job.id FROM document AS file JOIN print_job AS job
                    ON job.team = file.team AND job.document = file.id
                 WHERE file.team = $1 AND file.source_type = $2 AND file.source = $3
                   AND job.look_at IS NOT NULL LIMIT 1";
    Ok(tx.one::<Uuid>(open, &of_source)?.is_some())
}

/// The files of a source, in their order.
pub fn list_of(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: SourceKind,
    source: Uuid,
) -> Result<Vec<Document>> {
    tx.all(
        select!("WHERE team = $1 AND source_type = $2 AND source = $3 ORDER BY position"),
        &[team.into(), column(source_type).into(), source.into()],
    )
}

/// As many sources as one statement asks for.
const SOURCES: usize = 16;

/// The files of many sources, those of one source in their order.
pub fn list_of_all(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: SourceKind,
    sources: &[Uuid],
) -> Result<Vec<Document>> {
    let mut found = Vec::new();
    for some in sources.chunks(SOURCES) {
        // The last one fills the places that are left.
        let last = some[some.len() - 1];
        let padded = some.iter().copied().chain(std::iter::repeat(last)).take(SOURCES);
        let mut params = vec![team.into(), column(source_type).into()];
        params.extend(padded.map(crate::Param::from));
        found.extend(tx.all::<Document>(
            select!(
                "WHERE team = $1 AND source_type = $2
                   AND source IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                                  $17, $18)
                 ORDER BY source, position"
            ),
            &params,
        )?);
    }
    Ok(found)
}

/// The team's file.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: DocumentId) -> Result<Option<Document>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// The team's file, which does not go before the commit: a job for it is to be added.
pub fn find_to_print(tx: &mut Tx<'_>, team: TeamId, id: DocumentId) -> Result<Option<Document>> {
    tx.one(select!("WHERE team = $1 AND id = $2 FOR KEY SHARE"), &[team.into(), id.into()])
}

/// The team of a file, in the same way.
pub fn any_find_team(tx: &mut Tx<'_>, id: DocumentId) -> Result<Option<TeamId>> {
    tx.one("SELECT team FROM document WHERE id = $1", &[id.into()])
}

/// A file, for a caller whose signed URL was checked: the URL stands for the team.
pub fn any_find(tx: &mut Tx<'_>, id: DocumentId) -> Result<Option<Document>> {
    tx.one(select!("WHERE id = $1"), &[id.into()])
}
