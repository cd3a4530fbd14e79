//! The PDF files that print a shipment, out of the documents that are stored for it: one with
//! everything, and one for each parcel. Nothing of them is stored. The same documents make the same
//! bytes, also in a later release: a link to them names what their bytes hash to, and the tests
//! hold what is made today.

use std::collections::VecDeque;

use waybill_domain::document::{DocumentType, Format};
use waybill_paper::Joiner;
use waybill_store::documents::Document;

use super::merge::{BYTES_MAX, JoinError, read, take_some};
use crate::app::App;

/// A PDF file, as the parts of documents that it is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelPdf {
    parts: Vec<Part>,
}

/// A document, or one page of it, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    document: Document,
    page: Option<usize>,
}

/// Everything that is printed for a shipment: its labels in the order of its parcels, then the
/// papers for customs. None without a label, or with one that is not a PDF file.
pub fn whole(files: &[Document]) -> Option<LabelPdf> {
    let labels = labels(files)?;
    let others = files.iter().filter(|file| !is_label(file) && is_pdf(file));
    let parts = labels.into_iter().chain(others);
    Some(LabelPdf { parts: parts.map(Part::all_of).collect() })
}

/// The label of one parcel alone, of those that the carrier took: of so many this one, from 0. None
/// where the files do not say which page it is.
pub fn of_parcel(files: &[Document], count: usize, place: usize) -> Option<LabelPdf> {
    let labels = labels(files)?;
    let part = match labels.as_slice() {
        all if count == 1 => {
            return Some(LabelPdf { parts: all.iter().copied().map(Part::all_of).collect() });
        }
        // A page for each of them, in their order.
        [one] if one.page_count == i64::try_from(count).ok() => {
            Part { document: (*one).clone(), page: Some(place) }
        }
        // A file for each of them, in their order. Files with pages of several sizes were taken
        // apart by size, so several pages may be of several parcels.
        all if all.len() == count && all.iter().all(|label| label.page_count == Some(1)) => {
            Part::all_of(all.get(place)?)
        }
        _ => return None,
    };
    Some(LabelPdf { parts: vec![part] })
}

/// Several files behind each other.
pub fn combined(files: impl IntoIterator<Item = LabelPdf>) -> LabelPdf {
    LabelPdf { parts: files.into_iter().flat_map(|file| file.parts).collect() }
}

/// The labels, when there are some and all are PDF files.
fn labels(files: &[Document]) -> Option<Vec<&Document>> {
    let labels: Vec<&Document> = files.iter().filter(|file| is_label(file)).collect();
    (!labels.is_empty() && labels.iter().all(|label| is_pdf(label))).then_some(labels)
}

fn is_label(file: &Document) -> bool {
    file.types.split(' ').any(|kind| kind == DocumentType::Label.name())
}

fn is_pdf(file: &Document) -> bool {
    file.format == Format::Pdf.name()
}

impl Part {
    fn all_of(document: &Document) -> Part {
        Part { document: document.clone(), page: None }
    }
}

impl LabelPdf {
    /// The document that it is as it stands, where it is one.
    pub fn document(&self) -> Option<&Document> {
        match self.parts.as_slice() {
            [Part { document, page: None }] => Some(document),
            _ => None,
        }
    }

    /// How many bytes the documents have that it is made of, at least as many as its own.
    pub fn source_bytes(&self) -> usize {
        let sizes = self.parts.iter().map(|part| part.document.size_bytes);
        usize::try_from(sizes.sum::<i64>()).unwrap_or(usize::MAX)
    }

    /// Makes it. A document that is a file by itself stays as it is, to the byte. A problem is told
    /// with the place of the document among the parts.
    pub async fn make(self, app: &App) -> Result<Vec<u8>, JoinError> {
        if let Some(document) = self.document() {
            let mut bytes = read(app, std::slice::from_ref(document)).await?;
            return bytes.pop().ok_or(JoinError::Gone);
        }
        let pages: Vec<Option<usize>> = self.parts.iter().map(|part| part.page).collect();
        let mut files: VecDeque<Document> =
            self.parts.into_iter().map(|part| part.document).collect();
        let mut joiner = Joiner::new(Format::Pdf).ok_or(JoinError::Gone)?;
        let mut place = 0;
        while !files.is_empty() {
            let some = take_some(&mut files);
            let bytes = read(app, &some).await?;
            let wanted = pages[place..place + some.len()].to_vec();
            let added = tokio::task::spawn_blocking(move || {
                for (index, (bytes, page)) in bytes.iter().zip(wanted).enumerate() {
                    let added = match page {
                        None => joiner.add(bytes, 0, BYTES_MAX),
                        Some(page) => joiner.add_page(bytes, page, BYTES_MAX),
                    };
                    added.map_err(|problem| JoinError::At(place + index, problem))?;
                }
                Ok::<_, JoinError>(joiner)
            });
            joiner = added.await??;
            place += some.len();
        }
        let (bytes, _) = tokio::task::spawn_blocking(move || joiner.finish()).await?;
        Ok(bytes)
    }

    /// Of how many documents it is made.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use waybill_domain::document::SourceKind;
    use waybill_domain::ids::DocumentId;
    use waybill_domain::time::Time;

    use super::*;

    fn file(number: u128, types: &str, format: &str, pages: i64) -> Document {
        Document {
            id: DocumentId(Uuid::from_u128(number)),
            source_type: SourceKind::Shipment,
            source: Uuid::nil(),
            position: i64::try_from(number).unwrap_or(0),
            name: String::new(),
            filename: String::new(),
            types: types.to_owned(),
            format: format.to_owned(),
            size_bytes: 10,
            hash: Vec::new(),
            width_um: None,
            height_um: None,
            page_count: Some(pages),
            is_drawable: true,
            print_status: None,
            created_at: Time(0),
            updated_at: Time(0),
        }
    }

    fn parts(found: Option<LabelPdf>) -> Option<Vec<(u128, Option<usize>)>> {
        let part = |part: &Part| (part.document.id.0.as_u128(), part.page);
        found.map(|found| found.parts.iter().map(part).collect())
    }

    #[test]
    fn labels_come_before_what_customs_want() {
        let files = [
            file(1, "customs_declaration", "pdf", 1),
            file(2, "label", "pdf", 1),
            file(3, "label customs_declaration", "pdf", 1),
            file(4, "commercial_invoice", "xlsx", 1),
        ];
        assert_eq!(parts(whole(&files)), Some(vec![(2, None), (3, None), (1, None)]));
        assert_eq!(parts(whole(&files[..1])), None);
        assert_eq!(parts(whole(&[file(1, "label", "pdf", 1), file(2, "label", "zpl", 1)])), None);
    }

    #[test]
    fn a_parcel_has_its_page_or_its_file_and_nothing_that_is_guessed() {
        let one = [file(1, "label", "pdf", 3), file(9, "customs_declaration", "pdf", 1)];
        assert_eq!(parts(of_parcel(&one, 3, 2)), Some(vec![(1, Some(2))]));
        assert_eq!(parts(of_parcel(&one, 2, 0)), None, "three pages for two parcels");
        assert_eq!(parts(of_parcel(&one, 1, 0)), Some(vec![(1, None)]));
        let each = [file(1, "label", "pdf", 1), file(2, "label", "pdf", 1)];
        assert_eq!(parts(of_parcel(&each, 2, 1)), Some(vec![(2, None)]));
        assert_eq!(parts(of_parcel(&each, 1, 0)), Some(vec![(1, None), (2, None)]));
        let by_size = [file(1, "label", "pdf", 2), file(2, "label", "pdf", 1)];
        assert_eq!(parts(of_parcel(&by_size, 3, 1)), None, "whose are the two of one size?");
        assert_eq!(parts(of_parcel(&by_size, 2, 1)), None);
    }
}
