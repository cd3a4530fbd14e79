//! PDF behind PDF. Of each file everything that its pages need is written at once, under new
//! numbers, and what was written before, such as the fonts that most labels share, is not written
//! again. The tree of tags stays behind: it is about one file, and no printer looks at it.

use std::collections::HashMap;
use std::io::Write;

use lopdf::{Dictionary, Document as File, Object, ObjectId};
use sha2::{Digest, Sha256};

use super::layers::are_printed;
use super::syntax::{put, references, write};
use crate::inspect::{load_pdf, pdf_inherited, pdf_pages};
use crate::problem::Problem;

/// Numbers of the first objects.
const CATALOG: u32 = 1;
const TREE: u32 = 2;
const INFO: u32 = 3;

/// How many bytes the table of objects has for each.
const ROW: usize = 20;
/// No file that is made has more objects: what is known of each is held.
const OBJECTS_MAX: usize = 500_000;

/// What a page has from the nodes above it.
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];
/// What belongs to the file that a page came from.
const LEFT_BEHIND: [&[u8]; 9] = [
    b"Parent",
    b"StructParents",
    b"Tabs",
    b"B",
    b"Metadata",
    b"PieceInfo",
    b"Thumb",
    b"AA",
    b"SeparationInfo",
];

/// The file that is made.
pub(super) struct PdfJoiner {
    out: Vec<u8>,
    /// Where each object begins, by its number.
    offsets: Vec<usize>,
    pages: Vec<u32>,
    /// What was written, by its hash, so that it is written once.
    written: HashMap<[u8; 32], u32>,
}

impl Default for PdfJoiner {
    fn default() -> PdfJoiner {
        // The second line tells whoever moves the file that it is not text.
        let out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let offsets = vec![0; INFO as usize + 1];
        PdfJoiner { out, offsets, pages: Vec::new(), written: HashMap::new() }
    }
}

/// Where an object of the file that is read is in the one that is made.
#[derive(Clone, Copy)]
enum Destination {
    /// What it refers to is looked at; it has a number when that refers back to it.
    Open(Option<u32>),
    /// It is there.
    At(u32),
    /// It stays behind.
    Nowhere,
}

/// A file that is read.
struct Source<'a> {
    file: &'a File,
    places: HashMap<ObjectId, Destination>,
}

impl PdfJoiner {
    /// How large the file is so far, with its table of objects.
    pub fn len(&self) -> usize {
        self.out.len() + ROW * self.offsets.len()
    }

    /// Adds the pages of a file, or one of them, and tells how many. It stops where there would be
    /// too much: a small file may ask for much more than it has.
    pub fn add(
        &mut self,
        bytes: &[u8],
        only: Option<usize>,
        bytes_max: usize,
    ) -> Result<u32, Problem> {
        let file = load_pdf(bytes)?;
        if !are_printed(&file) {
            return Err(Problem::file("merge-layers"));
        }
        pdf_pages(&file)?;
        let pages: Vec<ObjectId> = match only {
            None => file.page_iter().collect(),
            Some(place) => file.page_iter().skip(place).take(1).collect(),
        };
        if pages.is_empty() {
            return Err(Problem::file("document-not-pdf"));
        }
        let mut source = Source { file: &file, places: HashMap::new() };
        for id in &pages {
            // A page may be there twice.
            let place = source.places.entry(*id);
            place.or_insert_with(|| Destination::At(reserve(&mut self.offsets)));
        }
        for id in &pages {
            self.add_page(&mut source, *id, bytes_max)?;
        }
        Ok(pages.len() as u32)
    }

    fn add_page(
        &mut self,
        source: &mut Source<'_>,
        id: ObjectId,
        bytes_max: usize,
    ) -> Result<(), Problem> {
        let file = source.file;
        let mut page: Dictionary =
            file.get_dictionary(id).map_err(|_| Problem::file("document-not-pdf"))?.clone();
        for key in INHERITED {
            if let Some(value) = pdf_inherited(file, id, key) {
                page.set(key, value.clone());
            }
        }
        for key in LEFT_BEHIND {
            page.remove(key);
        }
        let page = Object::Dictionary(page);
        let mut needed = Vec::new();
        references(&page, &mut |id| needed.push(id));
        for id in needed {
            self.copy(source, id, bytes_max)?;
        }
        let mut text = Vec::new();
        write(&mut text, &page, &mut |id| source.number(id, &mut self.offsets));
        // What closes the dictionary comes behind its last entry.
        text.truncate(text.len() - 2);
        put!(text, "/Parent {TREE} 0 R>>");
        if let Some(Destination::At(number)) = source.places.get(&id).copied() {
            self.add_at(number, &text, bytes_max)?;
            self.pages.push(number);
        }
        Ok(())
    }

    /// Writes an object after all that it refers to. No recursion: files refer as deep as they
    /// like.
    fn copy(
        &mut self,
        source: &mut Source<'_>,
        id: ObjectId,
        bytes_max: usize,
    ) -> Result<(), Problem> {
        let mut stack = vec![(id, false)];
        while let Some((id, is_ready)) = stack.pop() {
            if is_ready {
                self.write(source, id, bytes_max)?;
                continue;
            }
            if source.places.contains_key(&id) {
                continue;
            }
            let Some(object) = source.kept(id) else {
                source.places.insert(id, Destination::Nowhere);
                continue;
            };
            source.places.insert(id, Destination::Open(None));
            stack.push((id, true));
            references(object, &mut |id| stack.push((id, false)));
        }
        Ok(())
    }

    fn write(
        &mut self,
        source: &mut Source<'_>,
        id: ObjectId,
        bytes_max: usize,
    ) -> Result<(), Problem> {
        let Some(object) = source.kept(id) else { return Ok(()) };
        let mut text = Vec::new();
        write(&mut text, object, &mut |id| source.number(id, &mut self.offsets));
        let reserved = match source.places.get(&id) {
            Some(Destination::Open(reserved)) => *reserved,
            _ => return Ok(()),
        };
        let number = match reserved {
            Some(number) => {
                self.add_at(number, &text, bytes_max)?;
                number
            }
            None => {
                let key: [u8; 32] = Sha256::digest(&text).into();
                match self.written.get(&key) {
                    Some(number) => *number,
                    None => {
                        let number = self.reserve();
                        self.add_at(number, &text, bytes_max)?;
                        self.written.insert(key, number);
                        number
                    }
                }
            }
        };
        source.places.insert(id, Destination::At(number));
        Ok(())
    }

    fn reserve(&mut self) -> u32 {
        reserve(&mut self.offsets)
    }

    /// Writes an object of a file that is read, unless it is too much.
    fn add_at(&mut self, number: u32, text: &[u8], bytes_max: usize) -> Result<(), Problem> {
        if self.len() + text.len() > bytes_max {
            return Err(Problem::file("merge-too-large"));
        }
        if self.offsets.len() > OBJECTS_MAX {
            return Err(Problem::file("merge-objects"));
        }
        self.write_at(number, text);
        Ok(())
    }

    fn write_at(&mut self, number: u32, text: &[u8]) {
        if let Some(offset) = self.offsets.get_mut(number as usize) {
            *offset = self.out.len();
        }
        put!(self.out, "{number} 0 obj\n");
        self.out.extend(text);
        self.out.extend(b"\nendobj\n");
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
        self.write_at(CATALOG, format!("<</Type/Catalog/Pages {TREE} 0 R>>").as_bytes());
        let mut tree = Vec::new();
        put!(tree, "<</Type/Pages/Count {}/Kids[", self.pages.len());
        self.pages.iter().for_each(|page| put!(tree, "{page} 0 R "));
        tree.extend(b"]>>");
        self.write_at(TREE, &tree);
        self.write_at(INFO, b"<</Producer(Waybill)>>");
        let start = self.out.len();
        let count = self.offsets.len();
        put!(self.out, "xref\n0 {count}\n0000000000 65535 f\r\n");
        for offset in self.offsets.iter().skip(1) {
            put!(self.out, "{offset:010} 00000 n\r\n");
        }
        put!(self.out, "trailer\n<</Size {count}/Root {CATALOG} 0 R/Info {INFO} 0 R>>\n");
        put!(self.out, "startxref\n{start}\n%%EOF\n");
        self.out
    }
}

impl<'a> Source<'a> {
    /// The object, unless it is about the file as a whole.
    fn kept(&self, id: ObjectId) -> Option<&'a Object> {
        let file: &'a File = self.file;
        let object = file.get_object(id).ok()?;
        let kind = object.as_dict().ok().and_then(|entries| entries.get(b"Type").ok());
        let kind = kind.and_then(|kind| kind.as_name().ok()).unwrap_or_default();
        (![&b"Pages"[..], b"Catalog", b"StructElem", b"StructTreeRoot"].contains(&kind))
            .then_some(object)
    }

    /// The number of an object in the new file; one that is being looked at gets its number now.
    fn number(&mut self, id: ObjectId, offsets: &mut Vec<usize>) -> Option<u32> {
        match self.places.get_mut(&id)? {
            Destination::At(number) | Destination::Open(Some(number)) => Some(*number),
            Destination::Open(open) => Some(*open.insert(reserve(offsets))),
            Destination::Nowhere => None,
        }
    }
}

fn reserve(offsets: &mut Vec<usize>) -> u32 {
    offsets.push(0);
    offsets.len() as u32 - 1
}
