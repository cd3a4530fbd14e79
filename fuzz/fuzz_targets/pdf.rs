//! PDF: the objects of a label with any text are those of a label with harmless text.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use lopdf::{Document as File, Object, ObjectId};
use waybill_domain::document::Format;
use waybill_fuzz::paper::{PRESS, harmless, hostile};
use waybill_paper::Dpi;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let Some(document) = hostile(&text) else { return };
    let file = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).expect("drawn");
    let plain = PRESS.draw(&harmless(&document), Format::Pdf, Dpi::Dpi203).expect("harmless");
    assert_eq!(objects(&file.bytes), objects(&plain), "{text:?}");
});

fn objects(bytes: &[u8]) -> BTreeMap<ObjectId, String> {
    let file = File::load_mem(bytes).expect("our own PDF is whole");
    file.objects.iter().map(|(id, object)| (*id, shape(object))).collect()
}

/// Keys, names and references; no text, no numbers, and no names of font subsets.
fn shape(object: &Object) -> String {
    match object {
        Object::Dictionary(dictionary) => {
            let entries = dictionary.iter().map(|(key, value)| {
                let is_font = [b"BaseFont".as_slice(), b"FontName"].contains(&key.as_slice());
                let value = if is_font { "font".to_owned() } else { shape(value) };
                (String::from_utf8_lossy(key).into_owned(), value)
            });
            format!("{:?}", entries.collect::<BTreeMap<_, _>>())
        }
        Object::Stream(stream) => shape(&Object::Dictionary(stream.dict.clone())),
        Object::Array(items) => {
            let mut shapes: Vec<String> = items.iter().map(shape).collect();
            shapes.dedup();
            shapes.join(",")
        }
        Object::Name(name) => String::from_utf8_lossy(name).into_owned(),
        Object::Reference(id) => format!("{id:?}"),
        Object::String(..) => "text".to_owned(),
        Object::Integer(_) | Object::Real(_) => "number".to_owned(),
        other => format!("{other:?}"),
    }
}
