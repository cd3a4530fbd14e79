//! The bytes of files by their hash, each once: in the row, or in a place that the row names.

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

/// Adds the content unless there is one with this hash: bytes are kept once, wherever they were
/// put first.
pub(super) fn insert(tx: &mut Tx<'_>, hash: &[u8], content: &Content) -> Result<()> {
    let (bytes, place): (&[u8], _) = match content {
        Content::Here(bytes) => (bytes, None),
        Content::At(place) => (&[], Some(place.as_str())),
    };
    tx.exec_later(
        "INSERT INTO blob (hash, bytes, place) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        &[hash.into(), bytes.into(), place.into()],
    )?;
    Ok(())
}

/// The content with this hash.
pub fn any_find_content(tx: &mut Tx<'_>, hash: &[u8]) -> Result<Option<Content>> {
    tx.one("SELECT bytes, place FROM blob WHERE hash = $1", &[hash.into()])
}

/// The hashes of all content after this one, in their order.
pub fn any_list_content(tx: &mut Tx<'_>, after: &[u8], limit: i64) -> Result<Vec<Vec<u8>>> {
    tx.all(
        "SELECT hash FROM blob WHERE hash > $1 ORDER BY hash LIMIT $2",
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
