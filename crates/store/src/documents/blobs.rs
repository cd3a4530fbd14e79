//! The bytes of files by their hash, each once: in the row, or in a place that the row names.
//!
//! Files of reports, files that were joined and papers of a warehouse go after a while; all are
//! `report` in the table.
//! Their bytes are marked as temporary for as long as nothing else has them: it is not known
//! otherwise which documents have the same bytes. When the last file with them goes, the row stays
//! without bytes, because whether a document names it could only be found by reading all documents.

use waybill_domain::document::SourceKind;

use super::Document;
use crate::{FromRow, Param, Result, Row, Tx};

/// The bytes of a file, or where they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// They are kept in the database.
    Here(Vec<u8>),
    /// They were put in this place before, under their hash.
    At(String),
}

impl FromRow for Content {
    fn from_row(row: &mut Row<'_>) -> Result<Content> {
        let (bytes, place) = (row.next()?, row.next::<Option<String>>()?);
        Ok(place.map_or(Content::Here(bytes), Content::At))
    }
}

/// For how long bytes are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlobUse {
    /// Until what they belong to goes.
    Temporary,
    /// For ever, and nothing that goes has files of this format.
    Own,
    /// For ever, and something that goes may have the same bytes.
    Lasting,
}

impl BlobUse {
    pub(super) fn of(document: &Document) -> BlobUse {
        match (document.source_type, document.format.as_str()) {
            (SourceKind::Report | SourceKind::Merge | SourceKind::FulfilmentRequest, _) => {
                BlobUse::Temporary
            }
            (_, "png") => BlobUse::Own,
            _ => BlobUse::Lasting,
        }
    }
}

/// Adds the content unless there is one with this hash: bytes are kept once, wherever they were
/// put first.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    hash: &[u8],
    content: &Content,
    wanted: BlobUse,
) -> Result<()> {
    let (bytes, place): (&[u8], _) = match content {
        Content::Here(bytes) => (bytes, None),
        Content::At(place) => (&[], Some(place.as_str())),
    };
    let is_temporary = wanted == BlobUse::Temporary;
    tx.exec_later(
        "INSERT INTO blob (hash, bytes, place, is_temporary) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
        &[hash.into(), bytes.into(), place.into(), is_temporary.into()],
    )?;
    if wanted == BlobUse::Own {
        return Ok(());
    }
    // A temporary row may have been freed, or be freed at this moment. An upsert would do the same,
    // but lock the row of bytes that are no report's.
    tx.exec_later(
        "UPDATE blob SET bytes = $2, place = $3, is_temporary = $4
          WHERE hash = $1 AND is_temporary",
        &[hash.into(), bytes.into(), place.into(), is_temporary.into()],
    )
}

/// Frees bytes that only reports had, when the last of those is gone.
pub(super) fn free(tx: &mut Tx<'_>, hash: &[u8]) -> Result<()> {
    // Whoever adds a document with these bytes waits for this lock, or this for the document.
    let locked = "SELECT is_temporary FROM blob WHERE hash = $1 AND is_temporary FOR UPDATE";
    if tx.one::<bool>(locked, &[hash.into()])?.is_none() {
        return Ok(());
    }
    let other = "SELECT hash FROM document WHERE hash = $1 AND source_type = 'report' LIMIT 1";
    if tx.one::<Vec<u8>>(other, &[hash.into()])?.is_some() {
        return Ok(());
    }
    let nothing: &[u8] = &[];
    tx.exec(
        "UPDATE blob SET bytes = $2, place = NULL WHERE hash = $1",
        &[hash.into(), nothing.into()],
    )?;
    Ok(())
}

/// The content with this hash.
pub fn any_find_content(tx: &mut Tx<'_>, hash: &[u8]) -> Result<Option<Content>> {
    tx.one("SELECT bytes, place FROM blob WHERE hash = $1", &[hash.into()])
}

/// The hashes of all content after this one, in their order, without what was freed.
pub fn any_list_content(tx: &mut Tx<'_>, after: &[u8], limit: i64) -> Result<Vec<Vec<u8>>> {
    tx.all(
        "SELECT hash FROM blob
          WHERE hash > $1 AND NOT (is_temporary AND place IS NULL AND length(bytes) = 0)
          ORDER BY hash LIMIT $2",
        &[after.into(), limit.into()],
    )
}

/// As many hashes as one statement asks for.
const HASHES: usize = 16;

/// Those of the hashes whose content a row says to be in this place.
pub fn any_list_named(tx: &mut Tx<'_>, place: &str, hashes: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for some in hashes.chunks(HASHES) {
        // The last one fills the places that are left.
        let last = &some[some.len() - 1];
        let padded = some.iter().chain(std::iter::repeat(last)).take(HASHES);
        let mut params: Vec<Param<'_>> = vec![place.into()];
        params.extend(padded.map(|hash| Param::from(hash.as_slice())));
        found.extend(tx.all::<Vec<u8>>(
            "SELECT hash FROM blob
              WHERE place = $1
                AND hash IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                             $17)",
            &params,
        )?);
    }
    Ok(found)
}
