//! Stored documents joined into one for each format and page size, in order of appearance. A few
//! are read at a time: what is held is what is made, and what is read at the moment.

use std::collections::VecDeque;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use waybill_domain::document::{DocumentType, Format};
use waybill_paper::{Joiner, Problem};
use waybill_store::documents::{self, Content, Document};
use waybill_store::{Error, Tx};

use super::paper::Paper;
use crate::app::App;
use crate::files::ReadError;

/// All documents of one merge have no more bytes than this, and so have the files that are made.
pub const BYTES_MAX: usize = 64 * 1024 * 1024;
/// So many bytes and files are read at a time.
const READ_BYTES: i64 = 4 * 1024 * 1024;
const READ_FILES: usize = 64;
/// Files that are fetched at once, from places where that takes a while.
const FETCHED: usize = 8;
/// Sizes that differ by less are the same: half a millimetre is what drivers round away.
const SAME_UM: i64 = 500;

/// Why documents were not joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The one at this place cannot be joined.
    #[error("document {0} cannot be joined: {1}")]
    At(usize, Problem),
    /// One cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// One is not there any more.
    #[error("the bytes of a document are gone")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The thread that joins died.
    #[error("joining documents failed: {0}")]
    Died(#[from] tokio::task::JoinError),
}

/// What becomes one document.
struct Group {
    format: Format,
    size: Option<(i64, i64)>,
    types: Vec<DocumentType>,
    is_drawable: bool,
    joiner: Joiner,
}

/// What was joined so far.
#[derive(Default)]
struct Groups {
    all: Vec<Group>,
    count: usize,
}

/// Joins these documents of a team, whose turn it is.
pub async fn join(app: &App, files: Vec<Document>) -> Result<Vec<Paper>, JoinError> {
    let (mut files, mut groups) = (VecDeque::from(files), Groups::default());
    while !files.is_empty() {
        let some = take_some(&mut files);
        let bytes = read(app, &some).await?;
        let joined = tokio::task::spawn_blocking(move || {
            some.iter().zip(bytes).try_for_each(|(file, bytes)| groups.add(file, &bytes))?;
            Ok::<_, JoinError>(groups)
        });
        groups = joined.await??;
    }
    Ok(tokio::task::spawn_blocking(move || groups.finish()).await?)
}

/// The next few files.
pub(super) fn take_some(files: &mut VecDeque<Document>) -> Vec<Document> {
    let (mut some, mut bytes) = (Vec::new(), 0);
    while let Some(file) = files.pop_front() {
        bytes += file.size_bytes;
        some.push(file);
        if bytes >= READ_BYTES || some.len() >= READ_FILES {
            break;
        }
    }
    some
}

/// The bytes of each of these.
pub(super) async fn read(app: &App, files: &[Document]) -> Result<Vec<Vec<u8>>, JoinError> {
    let hashes: Vec<Vec<u8>> = files.iter().map(|file| file.hash.clone()).collect();
    let asked = hashes.clone();
    let find = move |tx: &mut Tx<'_>| {
        let contents = asked.iter().map(|hash| documents::any_find_content(tx, hash));
        contents.collect::<Result<Option<Vec<Content>>, Error>>()
    };
    let contents = app.read(find).await?.ok_or(JoinError::Gone)?;
    let reading = hashes.into_iter().zip(contents).map(|(hash, content)| {
        let app = app.clone();
        async move { app.files().read(&hash, content).await }
    });
    Ok(stream::iter(reading).buffered(FETCHED).try_collect().await?)
}

impl Groups {
    fn add(&mut self, file: &Document, bytes: &[u8]) -> Result<(), JoinError> {
        let place = self.count;
        self.count += 1;
        let wrong = |problem| JoinError::At(place, problem);
        let labels = file.page_count.and_then(|count| count.try_into().ok()).unwrap_or(1);
        // What is made is held until all of it is.
        let held: usize = self.all.iter().map(|group| group.joiner.size()).sum();
        let group = self.group_of(file).ok_or_else(|| wrong(not_joined()))?;
        let bytes_max = (BYTES_MAX + group.joiner.size()).saturating_sub(held);
        group.joiner.add(bytes, labels, bytes_max).map_err(wrong)?;
        group.is_drawable &= file.is_drawable;
        for kind in file.types.split(' ').filter_map(DocumentType::parse) {
            if !group.types.contains(&kind) {
                group.types.push(kind);
            }
        }
        Ok(())
    }

    /// The group that a file goes into. What has no known size is alone.
    fn group_of(&mut self, file: &Document) -> Option<&mut Group> {
        let format = Format::parse(&file.format)?;
        let size = file.width_um.zip(file.height_um);
        let is_same = |known: &Group| {
            let sizes = known.size.zip(size);
            let is_near =
                |((width, height), (other_width, other_height)): ((i64, i64), (i64, i64))| {
                    (width - other_width).abs() < SAME_UM && (height - other_height).abs() < SAME_UM
                };
            known.format == format && sizes.is_some_and(is_near)
        };
        let place = match self.all.iter().position(is_same) {
            Some(place) => place,
            None => {
                let joiner = Joiner::new(format)?;
                let types = Vec::new();
                self.all.push(Group { format, size, types, is_drawable: true, joiner });
                self.all.len() - 1
            }
        };
        self.all.get_mut(place)
    }

    fn finish(self) -> Vec<Paper> {
        let paper = |group: Group| {
            let (bytes, pages) = group.joiner.finish();
            let (width_um, height_um) = group.size.unzip();
            let paper = Paper::new(group.types, group.format, bytes);
            let page_count = Some(i64::from(pages));
            let is_drawable = group.is_drawable;
            Paper { width_um, height_um, page_count, is_drawable, ..paper }
        };
        self.all.into_iter().map(paper).collect()
    }
}

fn not_joined() -> Problem {
    Problem::new("document", waybill_domain::words::Message::new("merge-format"))
}
