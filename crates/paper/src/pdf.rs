//! PDF: vectors, embedded fonts, tagged, and held to PDF/A-2a.
//!
//! The same document gives the same bytes: there are no dates, and the file's identifier is made
//! from its pages. The objects depend on the fields that are filled in, never on what they say.

mod content;
mod fonts;
mod meta;
mod shared;
pub(crate) mod subset;

use pdf_writer::types::{CidFontType, FontFlags, StructRole};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Settings, TextStr};

use crate::fonts::FontSet;
use crate::page::{Document, Page};
use crate::problem::Problem;
use content::Tag;
use fonts::{BOLD, Fonts, REGULAR};
use shared::{GRAY, POINTS, SYSTEM, packed};
use subset::Subset;

/// Numbers for objects, in the order they are asked for.
struct Refs(i32);

impl Refs {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Writes a document.
pub(crate) fn write(fonts: &FontSet, document: &Document) -> Result<Vec<u8>, Problem> {
    let fonts = Fonts::of(document, fonts).ok_or_else(|| Problem::file("document-not-drawn"))?;
    let mut pdf = Pdf::with_settings(Settings { pretty: false });
    pdf.set_version(1, 7);
    let mut refs = Refs(0);
    let [catalog, tree, metadata, info, root, part] = std::array::from_fn(|_| refs.next());
    let named = [(REGULAR, &fonts.regular), (BOLD, &fonts.bold)]
        .map(|(name, subset)| (name, write_font(&mut pdf, &mut refs, subset)));
    let mut identity = meta::Identity::default();
    let (mut page_refs, mut elements, mut parents) = (Vec::new(), Vec::new(), Vec::new());
    for (index, page) in document.pages.iter().enumerate() {
        let (stream, tags) = content::draw(&fonts, page);
        identity.add(&stream);
        let (id, contents) = (refs.next(), refs.next());
        pdf.stream(contents, &packed(&stream)).filter(Filter::FlateDecode);
        write_page(&mut pdf, Sheet { id, contents, tree, index }, page, &named);
        let children = write_tags(&mut pdf, &mut refs, &tags, (id, part));
        let list = refs.next();
        pdf.indirect(list).array().items(children.iter());
        parents.push(list);
        elements.extend(children);
        page_refs.push(id);
    }
    pdf.pages(tree).kids(page_refs.iter().copied()).count(page_refs.len() as i32);
    write_structure(&mut pdf, (root, part), &elements, &parents);
    meta::write(&mut pdf, document, [catalog, tree, metadata, info, root], identity);
    Ok(pdf.finish())
}

/// Where a page is in its file.
#[derive(Clone, Copy)]
struct Sheet {
    id: Ref,
    contents: Ref,
    tree: Ref,
    index: usize,
}

fn write_page(pdf: &mut Pdf, at: Sheet, page: &Page, fonts: &[(Name<'static>, Ref)]) {
    let mut object = pdf.page(at.id);
    let size = Rect::new(0.0, 0.0, page.width * POINTS, page.height * POINTS);
    object.parent(at.tree).media_box(size).contents(at.contents).struct_parents(at.index as i32);
    object.tab_order(pdf_writer::types::TabOrder::StructureOrder);
    let mut resources = object.resources();
    // Black that is defined by itself needs no colour profile in the file.
    let white = [0.9505, 1.0, 1.089];
    let mut spaces = resources.color_spaces();
    spaces.insert(GRAY).start::<pdf_writer::writers::ColorSpace>().cal_gray(white, None, Some(2.2));
    spaces.finish();
    let mut names = resources.fonts();
    for (name, id) in fonts {
        names.pair(*name, *id);
    }
}

/// An element for each block and barcode of a page; gives their numbers in order.
fn write_tags(pdf: &mut Pdf, refs: &mut Refs, tags: &[Tag], (page, part): (Ref, Ref)) -> Vec<Ref> {
    let element = |(index, tag): (usize, &Tag)| {
        let id = refs.next();
        let mut element = pdf.struct_element(id);
        let role = match tag {
            Tag::Heading => StructRole::H1,
            Tag::Paragraph => StructRole::P,
            Tag::Figure { .. } => StructRole::Figure,
        };
        element.kind(role).parent(part).page(page);
        if let Tag::Figure { alt, bounds } = tag {
            element.alt(TextStr(alt));
            element.attributes().push().layout().bbox(*bounds);
        }
        element.children().marked_content_id(index as i32);
        id
    };
    tags.iter().enumerate().map(element).collect()
}

/// The tree that the elements hang in, and which elements each page has.
fn write_structure(pdf: &mut Pdf, (root, part): (Ref, Ref), elements: &[Ref], parents: &[Ref]) {
    let mut whole = pdf.struct_element(part);
    whole.kind(StructRole::Document).parent(root);
    let mut children = whole.children();
    for element in elements {
        children.struct_element(*element);
    }
    children.finish();
    whole.finish();
    let mut top = pdf.indirect(root).start::<pdf_writer::writers::StructTreeRoot>();
    top.child(part).parent_tree_next_key(parents.len() as i32);
    let mut tree = top.parent_tree();
    let mut numbers = tree.nums();
    for (index, list) in parents.iter().enumerate() {
        numbers.insert(index as i32, *list);
    }
}

fn write_font(pdf: &mut Pdf, refs: &mut Refs, subset: &Subset) -> Ref {
    let [font, cid, descriptor, file, unicode] = std::array::from_fn(|_| refs.next());
    let name = Name(subset.name.as_bytes());
    pdf.type0_font(font)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(unicode);
    let mut object = pdf.cid_font(cid);
    object.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM);
    object.font_descriptor(descriptor).default_width(0.0);
    object.cid_to_gid_map_predefined(Name(b"Identity"));
    object.widths().consecutive(0, subset.widths.iter().copied());
    object.finish();
    let mut object = pdf.font_descriptor(descriptor);
    object.name(name).flags(FontFlags::SYMBOLIC).italic_angle(0.0).stem_v(subset.stem);
    object.bbox(Rect::new(-621.0, -389.0, 2800.0, 1067.0));
    object.ascent(1069.0).descent(-293.0).cap_height(714.0).font_file2(file);
    object.finish();
    let mut stream = pdf.stream(file, &subset.file);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), subset.length);
    stream.finish();
    pdf.stream(unicode, &subset.unicode).filter(Filter::FlateDecode);
    font
}
