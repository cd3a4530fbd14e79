//! Finished files joined into one. Nothing is drawn anew: the pages of PDF files are taken over as
//! they are, so text stays text, and ZPL goes behind ZPL byte by byte. Memory is bounded by the
//! file that is made and the one that is read.

mod pdf;
mod syntax;

use waybill_domain::document::Format;

use crate::problem::Problem;
use pdf::PdfJoiner;

/// Files of one format and page size on their way into one file.
pub struct Joiner {
    kind: Kind,
    bytes_max: usize,
    page_count: u32,
}

enum Kind {
    Pdf(Box<PdfJoiner>),
    Zpl(Vec<u8>),
}

impl Joiner {
    /// An empty file of this format that becomes no larger than this; none for a format whose files
    /// cannot be joined.
    pub fn new(format: Format, bytes_max: usize) -> Option<Joiner> {
        let kind = match format {
            Format::Pdf => Kind::Pdf(Box::default()),
            Format::Zpl => Kind::Zpl(Vec::new()),
            Format::Png | Format::Xlsx => return None,
        };
        Some(Joiner { kind, bytes_max, page_count: 0 })
    }

    /// Adds a file of so many labels. Of a PDF file they are counted.
    pub fn add(&mut self, bytes: &[u8], labels: u32) -> Result<(), Problem> {
        let (count, length) = match &mut self.kind {
            Kind::Pdf(pdf) => {
                let count = pdf.add(bytes, self.bytes_max)?;
                (count, pdf.len())
            }
            Kind::Zpl(zpl) => {
                zpl.extend_from_slice(bytes);
                (labels, zpl.len())
            }
        };
        if length > self.bytes_max {
            return Err(Problem::file("merge-too-large"));
        }
        self.page_count += count;
        Ok(())
    }

    /// The file, and how many pages or labels it has.
    pub fn finish(self) -> (Vec<u8>, u32) {
        let bytes = match self.kind {
            Kind::Pdf(pdf) => pdf.finish(),
            Kind::Zpl(zpl) => zpl,
        };
        (bytes, self.page_count)
    }
}
