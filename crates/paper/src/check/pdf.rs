//! Reads our PDF back: opens the file anew, and of each page takes the figures' rectangles.

use lopdf::content::Content;
use lopdf::{Document as File, Object};

use super::says;
use crate::inspect::{self, Measured};
use crate::page::{Code, Document};
use crate::problem::Problem;
use crate::symbol::Modules;

pub(super) fn check(bytes: &[u8], document: &Document) -> Result<Measured, Problem> {
    let wrong = || Problem::file("document-self-check");
    let file = File::load_mem(bytes).map_err(|_| wrong())?;
    let mut measured = inspect::pdf_pages(&file)?;
    for (page, id) in document.pages.iter().zip(file.page_iter()) {
        let stream = file.get_page_content(id);
        let content = Content::decode(&stream).map_err(|_| wrong())?;
        let figures = figures(&content).ok_or_else(wrong)?;
        let codes: Vec<&Code> = page.codes().collect();
        if figures.len() != codes.len() {
            return Err(wrong());
        }
        for (code, rectangles) in codes.into_iter().zip(&figures) {
            says(code, &modules(rectangles, &code.symbol.modules).ok_or_else(wrong)?)?;
        }
    }
    let page_count = measured.len() as u32;
    let first = measured.pop().ok_or_else(wrong)?;
    let is_even = measured.iter().all(|other| *other == first);
    is_even.then_some(Measured { page_count, ..first }).ok_or_else(wrong)
}

/// The rectangles of each figure, in its own modules: left, top and length.
fn figures(content: &Content) -> Option<Vec<Vec<[f32; 3]>>> {
    let mut figures = Vec::new();
    let mut open: Option<Vec<[f32; 3]>> = None;
    for operation in &content.operations {
        match operation.operator.as_str() {
            "BDC" => {
                let tag = operation.operands.first().and_then(|tag| tag.as_name().ok());
                open = (tag == Some(b"Figure")).then(Vec::new);
            }
            "re" => {
                let numbers: Vec<f32> = operation
                    .operands
                    .iter()
                    .map(Object::as_float)
                    .collect::<Result<_, _>>()
                    .ok()?;
                if let (Some(rectangles), [x, y, width, _]) = (&mut open, numbers.as_slice()) {
                    rectangles.push([*x, *y, *width]);
                }
            }
            "EMC" => figures.extend(open.take()),
            _ => {}
        }
    }
    Some(figures)
}

fn modules(rectangles: &[[f32; 3]], like: &Modules) -> Option<Modules> {
    let mut bits = vec![false; like.bits.len()];
    for [x, y, length] in rectangles {
        let start = *y as usize * like.width as usize + *x as usize;
        bits.get_mut(start..start + *length as usize)?.fill(true);
    }
    Some(Modules { width: like.width, bits })
}
