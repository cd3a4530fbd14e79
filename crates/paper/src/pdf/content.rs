//! The marks of a page as operators. Millimetres from above are turned into points from below
//! once, so the numbers in the file are the numbers of the layout.

use pdf_writer::{Content, Finish, Name, Rect, Str};

use super::fonts::Fonts;
use super::shared::{GRAY, POINTS};
use crate::bitmap::Bitmap;
use crate::page::{Area, Block, Code, Mark, Page, Role};

/// What a marked piece of a page is.
pub(super) enum Tag {
    Heading,
    Paragraph,
    Figure { alt: String, bounds: Rect },
}

/// The operators of a page and its tags in order; the place of a tag is its number.
pub(super) fn draw(fonts: &Fonts, page: &Page) -> (Vec<u8>, Vec<Tag>) {
    let mut content = Content::new();
    let mut tags = Vec::new();
    content.save_state();
    content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, page.height * POINTS]);
    content.set_fill_color_space(GRAY).set_fill_color([0.0]);
    for mark in &page.marks {
        match mark {
            Mark::Text(block) => {
                tags.push(match block.role {
                    Role::Heading => Tag::Heading,
                    Role::Paragraph => Tag::Paragraph,
                });
                draw_block(&mut content, fonts, block, tags.len() - 1);
            }
            Mark::Fill(area) => {
                content.begin_marked_content(Name(b"Artifact"));
                content.rect(area.x, area.y, area.width, area.height).fill_nonzero();
                content.end_marked_content();
            }
            Mark::Code(code) => {
                let said = code.symbol.content.replace(char::is_control, " ");
                let alt = format!("{}: {said}", code.name);
                tags.push(Tag::Figure { alt, bounds: bounds(page, code.area) });
                begin(&mut content, b"Figure", tags.len() - 1);
                draw_code(&mut content, code);
                content.end_marked_content();
            }
            Mark::Picture(area, picture) => {
                content.begin_marked_content(Name(b"Artifact"));
                draw_picture(&mut content, *area, picture);
                content.end_marked_content();
            }
        }
    }
    content.restore_state();
    (content.finish().into_vec(), tags)
}

fn bounds(page: &Page, area: Area) -> Rect {
    let (left, top) = (area.x * POINTS, (page.height - area.y) * POINTS);
    Rect::new(left, top - area.height * POINTS, left + area.width * POINTS, top)
}

fn begin(content: &mut Content, tag: &[u8], number: usize) {
    let mut mark = content.begin_marked_content_with_properties(Name(tag));
    mark.properties().identify(number as i32);
    mark.finish();
}

fn draw_block(content: &mut Content, fonts: &Fonts, block: &Block, number: usize) {
    let tag: &[u8] = if block.role == Role::Heading { b"H1" } else { b"P" };
    begin(content, tag, number);
    if block.is_white {
        content.set_fill_color([1.0]);
    }
    let (name, subset) = fonts.get(block.weight);
    content.begin_text().set_font(name, block.em);
    for line in &block.lines {
        let matrix = [1.0, 0.0, 0.0, -1.0, block.left_of(line), line.baseline];
        content.set_text_matrix(matrix).show(Str(&subset.encode(&line.text)));
    }
    content.end_text();
    if block.is_white {
        content.set_fill_color([0.0]);
    }
    content.end_marked_content();
}

/// One rectangle for each black run; all of them one path, so that no seam shows.
fn draw_code(content: &mut Content, code: &Code) {
    let modules = &code.symbol.modules;
    let module = code.module;
    let x = code.area.x + (code.area.width - modules.width as f32 * module) / 2.0;
    let (y, height) = if code.symbol.symbology.is_linear() {
        (code.area.y, code.area.height)
    } else {
        (code.area.y + (code.area.height - modules.height() as f32 * module) / 2.0, module)
    };
    content.save_state().transform([module, 0.0, 0.0, height, x, y]);
    for (column, row, length) in modules.runs() {
        content.rect(column as f32, row as f32, length as f32, 1.0);
    }
    content.fill_nonzero().restore_state();
}

fn draw_picture(content: &mut Content, area: Area, picture: &Bitmap) {
    let dot =
        (area.width / picture.width().max(1) as f32, area.height / picture.height().max(1) as f32);
    content.save_state().transform([dot.0, 0.0, 0.0, dot.1, area.x, area.y]);
    for y in 0..i64::from(picture.height()) {
        let mut x = 0;
        while x < i64::from(picture.width()) {
            let length = (x..).take_while(|x| picture.is_black(*x, y)).count() as i64;
            if length > 0 {
                content.rect(x as f32, y as f32, length as f32, 1.0);
            }
            x += length.max(1);
        }
    }
    content.fill_nonzero().restore_state();
}
