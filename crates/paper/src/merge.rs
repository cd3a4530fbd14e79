//! Finished files joined into one. Nothing is drawn anew: the pages of PDF files are taken over as
//! they are, so text stays text, and ZPL goes behind ZPL byte by byte. Memory is bounded by the
//! file that is made and the one that is read.

mod layers;
mod pdf;
mod syntax;

use waybill_domain::document::Format;

use crate::problem::Problem;
use pdf::PdfJoiner;

/// Files of one format and page size on their way into one file.
pub struct Joiner {
    kind: Kind,
    page_count: u32,
}

enum Kind {
    Pdf(Box<PdfJoiner>),
    Zpl(Vec<u8>),
}

impl Joiner {
    /// An empty file of this format; none for a format whose files cannot be joined.
    pub fn new(format: Format) -> Option<Joiner> {
        let kind = match format {
            Format::Pdf => Kind::Pdf(Box::default()),
            Format::Zpl => Kind::Zpl(Vec::new()),
            Format::Png | Format::Xlsx => return None,
        };
        Some(Joiner { kind, page_count: 0 })
    }

    /// Adds a file of so many labels. Of a PDF file they are counted. What is made becomes no
    /// larger than this; where it would, nothing more can be added.
    pub fn add(&mut self, bytes: &[u8], labels: u32, bytes_max: usize) -> Result<(), Problem> {
        self.page_count += match &mut self.kind {
            Kind::Pdf(pdf) => pdf.add(bytes, None, bytes_max)?,
            Kind::Zpl(zpl) if zpl.len() + bytes.len() > bytes_max => {
                return Err(Problem::file("merge-too-large"));
            }
            Kind::Zpl(zpl) => {
                zpl.extend_from_slice(bytes);
                labels
            }
        };
        Ok(())
    }

    /// Adds one page of a PDF file, by its number from 0.
    pub fn add_page(&mut self, bytes: &[u8], page: usize, bytes_max: usize) -> Result<(), Problem> {
        match &mut self.kind {
            Kind::Pdf(pdf) => self.page_count += pdf.add(bytes, Some(page), bytes_max)?,
            Kind::Zpl(_) => return Err(Problem::file("document-not-pdf")),
        }
        Ok(())
    }

    /// How many bytes it has so far.
    pub fn size(&self) -> usize {
        match &self.kind {
            Kind::Pdf(pdf) => pdf.len(),
            Kind::Zpl(zpl) => zpl.len(),
        }
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
