//! What can be told of a write-ahead log by its bytes, without a connection: opening one would take
//! the log into the database. Offsets are those of SQLite's file format.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::paths::with_suffix;

const HEADER: u64 = 32;
const FRAME_HEADER: usize = 24;
/// Where the header has the size of a page, and the two numbers that a log begun anew gets.
const PAGE_SIZE: Range<usize> = 8..12;
const SALTS: Range<usize> = 16..24;
/// The same numbers, in the header of a frame and in the index of the log.
const FRAME_SALTS: Range<usize> = 8..16;
const INDEX_SALTS: Range<usize> = 32..40;
/// Where the first page of a database counts its changes.
const CHANGES: Range<usize> = 24..28;

/// How many bytes the log of a database has.
pub(crate) fn size(database: &Path) -> u64 {
    with_suffix(database, "-wal").metadata().map_or(0, |log| log.len())
}

/// Whether the log may hold more than its header.
pub(crate) fn has_frames(database: &Path) -> bool {
    size(database) > HEADER
}

/// Whether the log looks as one that a program has begun beside this very database: its index is
/// beside it, and its changes go on where the database ends. One that changes no first page is
/// believed.
pub(crate) fn continues(database: &Path) -> io::Result<bool> {
    let mut log = File::open(with_suffix(database, "-wal"))?;
    let mut header = [0; HEADER as usize];
    log.read_exact(&mut header)?;
    let mut index = [0; INDEX_SALTS.end];
    File::open(with_suffix(database, "-shm"))?.read_exact(&mut index)?;
    if index[INDEX_SALTS] != header[SALTS] {
        return Ok(false);
    }
    let mut first_page = [0; CHANGES.end];
    File::open(database)?.read_exact(&mut first_page)?;
    let next = number(&first_page[CHANGES]).wrapping_add(1);
    Ok(first_change(&mut log, &header)?.is_none_or(|changes| changes == next))
}

/// The count of changes in the first frame that holds the first page.
fn first_change(log: &mut File, header: &[u8]) -> io::Result<Option<u32>> {
    let page_size = u64::from(number(&header[PAGE_SIZE]));
    let mut frame = [0; FRAME_HEADER + CHANGES.end];
    let rest = i64::try_from(page_size).unwrap_or(0) - CHANGES.end as i64;
    loop {
        match log.read_exact(&mut frame) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let (head, page) = frame.split_at(FRAME_HEADER);
        if head[FRAME_SALTS] != header[SALTS] {
            return Ok(None);
        }
        if number(&head[..4]) == 1 {
            return Ok(Some(number(&page[CHANGES])));
        }
        log.seek(SeekFrom::Current(rest))?;
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
