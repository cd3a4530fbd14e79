//! PDF: the size of a page is its crop box, turned as the page says; pages of different sizes
//! become different files.

use lopdf::{Dictionary, Document as File, LoadOptions, Object, ObjectId};

use super::measured::{Measured, PAGES_MAX, Part, measured};
use crate::problem::Problem;

/// A point in millimetres.
const POINT: f64 = 25.4 / 72.0;
/// No page tree of an honest file is deeper.
const DEPTH_MAX: usize = 50;
/// No stream that says where things are is larger, in bytes.
const UNPACKED_MAX: usize = 4 * 1024 * 1024;
/// No label needs more objects.
const OBJECTS_MAX: usize = 100_000;

/// Opens a file that is not encrypted and has no more objects than a label needs.
pub(crate) fn load(bytes: &[u8]) -> Result<File, Problem> {
    let is_pdf = bytes
        .get(..1024.min(bytes.len()))
        .is_some_and(|head| head.windows(5).any(|five| five == b"%PDF-"));
    if !is_pdf {
        return Err(Problem::file("document-not-pdf"));
    }
    let options = LoadOptions::with_max_decompressed_size(UNPACKED_MAX);
    let file = File::load_mem_with_options(bytes, options);
    let file = file.map_err(|_| Problem::file("document-not-pdf"))?;
    if file.is_encrypted() || file.trailer.has(b"Encrypt") {
        return Err(Problem::file("document-encrypted"));
    }
    if file.objects.len() > OBJECTS_MAX {
        return Err(Problem::file("document-too-large"));
    }
    Ok(file)
}

/// Splits a file into files of one page size each, in the order of their first pages.
pub(super) fn split(bytes: &[u8]) -> Result<Vec<Part>, Problem> {
    let file = load(bytes)?;
    let pages = pages(&file)?;
    let mut sizes: Vec<Measured> = Vec::new();
    for page in &pages {
        if !sizes.iter().any(|size| is_same(size, page)) {
            sizes.push(*page);
        }
    }
    if let [size] = sizes.as_slice() {
        let measured = Measured { page_count: pages.len() as u32, ..*size };
        return Ok(vec![Part { bytes: bytes.to_vec(), measured }]);
    }
    sizes.iter().map(|size| only(&file, &pages, size)).collect()
}

/// Half a millimetre is what drivers round away.
fn is_same(one: &Measured, other: &Measured) -> bool {
    (one.width_mm - other.width_mm).abs() < 0.5 && (one.height_mm - other.height_mm).abs() < 0.5
}

/// The file with the pages of one size alone.
fn only(file: &File, pages: &[Measured], size: &Measured) -> Result<Part, Problem> {
    let mut part = file.clone();
    let others = pages.iter().zip(1..).filter(|(page, _)| !is_same(page, size));
    let others: Vec<u32> = others.map(|(_, number)| number).collect();
    part.delete_pages(&others);
    part.prune_objects();
    let mut bytes = Vec::new();
    part.save_to(&mut bytes).map_err(|_| Problem::file("document-not-pdf"))?;
    let page_count = (pages.len() - others.len()) as u32;
    Ok(Part { bytes, measured: Measured { page_count, ..*size } })
}

/// The size of every page.
pub(crate) fn pages(file: &File) -> Result<Vec<Measured>, Problem> {
    let mut sizes = Vec::new();
    for id in file.page_iter() {
        if sizes.len() == PAGES_MAX {
            return Err(Problem::file("document-too-large"));
        }
        sizes.push(page(file, id)?);
    }
    if sizes.is_empty() {
        return Err(Problem::file("document-not-pdf"));
    }
    Ok(sizes)
}

fn page(file: &File, id: ObjectId) -> Result<Measured, Problem> {
    let wrong = || Problem::file("document-no-size");
    let media = inherited(file, id, b"MediaBox").and_then(|found| rectangle(file, found));
    let media = media.ok_or_else(wrong)?;
    let crop = inherited(file, id, b"CropBox").and_then(|found| rectangle(file, found));
    let crop = crop.map_or(media, |crop| inside(crop, media));
    let unit =
        file.get_dictionary(id).ok().and_then(|page| number(file, page.get(b"UserUnit").ok()?));
    let scale = unit.unwrap_or(1.0) * POINT;
    let (width, height) = ((crop[2] - crop[0]) * scale, (crop[3] - crop[1]) * scale);
    let turns = inherited(file, id, b"Rotate").and_then(|turned| number(file, turned));
    match turns.map_or(0, |degrees| (degrees as i64).rem_euclid(360)) {
        90 | 270 => measured(height, width, 1),
        _ => measured(width, height, 1),
    }
}

/// A value of a page, or of the nearest node above it.
pub(crate) fn inherited<'a>(file: &'a File, id: ObjectId, key: &[u8]) -> Option<&'a Object> {
    let mut node: &Dictionary = file.get_dictionary(id).ok()?;
    for _ in 0..DEPTH_MAX {
        if let Ok(value) = node.get(key) {
            return Some(value);
        }
        node = file.get_dictionary(node.get(b"Parent").ok()?.as_reference().ok()?).ok()?;
    }
    None
}

fn number(file: &File, object: &Object) -> Option<f64> {
    let (_, object) = file.dereference(object).ok()?;
    object.as_float().ok().map(f64::from)
}

/// Left, bottom, right, top, whichever corners the file names.
fn rectangle(file: &File, object: &Object) -> Option<[f64; 4]> {
    let (_, object) = file.dereference(object).ok()?;
    let sides: Vec<f64> =
        object.as_array().ok()?.iter().map(|side| number(file, side)).collect::<Option<_>>()?;
    let [x, y, right, top] = sides.as_slice() else { return None };
    Some([x.min(*right), y.min(*top), x.max(*right), y.max(*top)])
}

fn inside(crop: [f64; 4], media: [f64; 4]) -> [f64; 4] {
    [crop[0].max(media[0]), crop[1].max(media[1]), crop[2].min(media[2]), crop[3].min(media[3])]
}
