//! Completed files: their rows, and their bytes in the same commit or in a place that was written
//! before.

mod blobs;

use blobs::BlobUse;
pub use blobs::{Content, any_find_content, any_list_content, any_list_named};
use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, TeamId};
use waybill_domain::page::{Cursor, Direction};
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

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, source_type, source, position, name, filename, types, format, size_bytes,
                    hash, width_um, height_um, page_count, print_status, created_at, updated_at
               FROM document ",
            $($rest),+
        )
    };
}

/// Adds a file with its content.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, document: &Document, content: &Content) -> Result<()> {
    blobs::insert(tx, &document.hash, content, BlobUse::of(document))?;
    tx.exec_one(
        "INSERT INTO document (team, id, source_type, source, position, name, filename, types,
                               format, size_bytes, hash, width_um, height_um, page_count,
                               created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        &[
            team.into(),
            document.id.into(),
            document.source_type.name().into(),
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
    print_jobs::delete_of(tx, team, source_type, source)?;
    let hashes: Vec<Vec<u8>> = tx.all(
        "DELETE FROM document WHERE team = $1 AND source_type = $2 AND source = $3 RETURNING hash",
        &[team.into(), source_type.name().into(), source.into()],
    )?;
    hashes.iter().try_for_each(|hash| blobs::free(tx, hash))
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
        &[team.into(), source_type.name().into(), source.into()],
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
        let mut params = vec![team.into(), source_type.name().into()];
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

/// A file, for a caller whose signed URL was checked: the URL stands for the team.
pub fn any_find(tx: &mut Tx<'_>, id: DocumentId) -> Result<Option<Document>> {
    tx.one(select!("WHERE id = $1"), &[id.into()])
}

/// What is wanted of a list. Everything that is given must hold.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Made by this kind of thing.
    pub source_type: Option<SourceKind>,
    /// Made by this thing.
    pub source: Option<Uuid>,
    /// For this, perhaps among other things.
    pub kind: Option<String>,
    /// Of this format.
    pub format: Option<String>,
}

impl Filter {
    /// The things that made all files which are wanted, when none of those is a label and no more.
    fn path(&self) -> Option<SourceKind> {
        let made_by = match (self.source_type, self.kind.as_deref(), self.format.as_deref()) {
            (Some(SourceKind::Report), _, _) | (_, Some("report"), _) | (_, _, Some("xlsx")) => {
                SourceKind::Report
            }
            (Some(SourceKind::Manifest), _, _) | (_, Some("manifest"), _) => SourceKind::Manifest,
            (_, Some("label") | None, _) => return None,
            (_, Some(_), _) => SourceKind::Shipment,
        };
        let others = self.source_type.is_some_and(|wanted| wanted != made_by);
        (!others).then_some(made_by)
    }
}

macro_rules! statement {
    ($path:literal, $from:literal, $order:literal) => {
        select!(
            "WHERE team = $1
                AND (CAST($3 AS TEXT) IS NULL OR source_type = $3)
                AND (CAST($5 AS TEXT) IS NULL
                     OR replace(' ' || types || ' ', ' ' || CAST($5 AS TEXT) || ' ', '')
                        <> ' ' || types || ' ')
                AND (CAST($6 AS TEXT) IS NULL OR format = $6) ",
            $path,
            $from,
            $order,
            " LIMIT $7"
        )
    };
}

/// The team's files, newest first: one more than `wanted` from the cursor on, in its direction.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Document>> {
    // With the other end of the team: else PostgreSQL may look for the files of a small team in the
    // order of all ids.
    let (direction, id, bound) = Cursor::between(cursor);
    macro_rules! ways {
        ($path:literal) => {
            match direction {
                Direction::Next => {
                    statement!(
                        $path,
                        "AND (team, id) > ($1, $8) AND (team, id) < ($1, $2) AND id < $2",
                        " ORDER BY id DESC"
                    )
                }
                Direction::Previous => {
                    statement!(
                        $path,
                        "AND (team, id) < ($1, $8) AND (team, id) > ($1, $2) AND id > $2",
                        " ORDER BY id"
                    )
                }
            }
        };
    }
    // By the files of one thing, which are few, by those that are no labels, or by those of the
    // team. Every statement must use all its parameters.
    let (text, source_type) = match (filter.source, filter.path()) {
        (Some(_), _) => (ways!("AND source = $4 "), filter.source_type),
        (None, Some(source_type)) => {
            let rare =
                ways!("AND CAST($4 AS UUID) IS NULL AND source_type = $3 AND types <> 'label' ");
            (rare, Some(source_type))
        }
        (None, None) => (ways!("AND CAST($4 AS UUID) IS NULL "), filter.source_type),
    };
    tx.all(
        text,
        &[
            team.into(),
            id.into(),
            source_type.map(SourceKind::name).into(),
            filter.source.into(),
            filter.kind.as_deref().into(),
            filter.format.as_deref().into(),
            i64::try_from(wanted + 1).unwrap_or(i64::MAX).into(),
            bound.into(),
        ],
    )
}
