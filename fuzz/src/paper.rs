//! A label with hostile text in all its fields, and the same label with harmless text: whatever a
//! file is made of must not tell them apart.

use std::sync::LazyLock;

use waybill_domain::fields::read_object;
use waybill_paper::{AnyPaper, Document, Layout, Mark, Renderer};

/// One press for all inputs.
pub static PRESS: LazyLock<Renderer> = LazyLock::new(Renderer::new);

const LABEL: &str = include_str!("../../crates/paper/tests/it/papers/label.json");

/// The label with this text everywhere; nothing when it cannot be printed.
pub fn hostile(text: &str) -> Option<Document> {
    let json = read_object(LABEL.as_bytes()).expect("our own file is JSON");
    let Ok(AnyPaper::Labels(mut labels)) = AnyPaper::from_json(&json) else {
        panic!("our own file is a label")
    };
    let mut parts = text.split('|').cycle();
    let mut part = || parts.next().unwrap_or_default().to_owned();
    let label = labels.labels.first_mut().expect("our own file has a label");
    label.carrier = part();
    label.service = part();
    label.service_mark = None;
    label.receiver.contact.name = part();
    label.receiver.address.city = part();
    label.receiver.address.lines = vec![part(), part()];
    label.sender.contact.name = part();
    label.reference = Some(part());
    label.routing_code = Some(part());
    label.addons = vec![part()];
    label.instructions = Some(part());
    label.tracking.text = Some(part());
    labels.layout(&PRESS).ok()
}

/// The same marks with harmless letters: one that the printer has, or one that it has not.
pub fn harmless(document: &Document) -> Document {
    let mut document = document.clone();
    for mark in document.pages.iter_mut().flat_map(|page| &mut page.marks) {
        let Mark::Text(block) = mark else { continue };
        for line in &mut block.lines {
            let text = if line.text.chars().all(has_the_printer) { "A" } else { "Ж" };
            text.clone_into(&mut line.text);
        }
    }
    document
}

/// Latin-1, but for the soft hyphen and for what a field block interprets. A hard space is printed
/// as a plain one.
fn has_the_printer(letter: char) -> bool {
    let code = u32::from(letter);
    let is_latin = (0x20..=0x7e).contains(&code) || (0xa0..=0xff).contains(&code);
    is_latin && code != 0xad && letter != '\\'
}

/// The commands of ZPL, as any printer would see them: after either prefix or its control
/// character, and with prefixes changed when a command changes them.
pub fn commands(zpl: &[u8]) -> Vec<[u8; 3]> {
    let (mut caret, mut tilde) = (b'^', b'~');
    let mut found = Vec::new();
    for at in 0..zpl.len() {
        let byte = zpl[at];
        let is_caret = byte == caret || byte == 0x1e;
        if !is_caret && byte != tilde && byte != 0x10 {
            continue;
        }
        let next = |offset: usize| zpl.get(at + offset).map_or(0, u8::to_ascii_uppercase);
        match (next(1), next(2)) {
            (b'C', b'C') => caret = next(3),
            (b'C', b'T') => tilde = next(3),
            _ => {}
        }
        found.push([if is_caret { b'^' } else { b'~' }, next(1), next(2)]);
    }
    found
}
