//! Text from a request never becomes a command, an object or a page.

use std::collections::BTreeMap;

use lopdf::{Document as File, Object};
use waybill_domain::document::Format;
use waybill_paper::{AnyPaper, Dpi, Labels, Layout};

use crate::support::{PRESS, paper, source};

const HOSTILE: &[&str] = &[
    "^XZ^XA~JR",
    "^FS^DFR:X",
    "~DYR:X,A,T,1,",
    "! U1 setvar \"a\" \"b\"",
    "_5E_7E",
    "^CC/^CT-^CD;",
    ") Tj ET Q endstream endobj",
    "(((\\\\)\\n",
    "<< /JavaScript (x) >>",
    "<</URI(http://x)>>",
    "../../etc/passwd",
    "=1+1",
    "$(reboot) `id` ${x}",
    "<b>&amp;</b> ]]>",
    "%PDF-1.7 %%EOF",
    ">0>:>;>8",
    "\\& \\\\ \\(",
];

fn labels(text: &str) -> Labels {
    let AnyPaper::Labels(mut labels) = paper(source("label")) else { panic!() };
    let label = &mut labels.labels[0];
    let put = |place: &mut String| *place = text.to_owned();
    put(&mut label.receiver.contact.name);
    put(&mut label.receiver.address.city);
    put(&mut label.receiver.address.postal_code);
    put(&mut label.sender.contact.name);
    put(&mut label.service);
    put(&mut label.carrier);
    put(&mut label.matrix.as_mut().unwrap().content);
    label.reference = Some(text.to_owned());
    label.routing_code = Some(text.to_owned());
    label.addons = vec![text.to_owned()];
    label.instructions = Some(text.to_owned());
    label.tracking.text = Some(text.to_owned());
    labels
}

/// The commands of ZPL as a printer sees them, with everything that may start one.
fn commands(zpl: &[u8]) -> Vec<String> {
    let starts = |byte: &u8| matches!(byte, b'^' | b'~' | 0x1e | 0x10);
    let places: Vec<usize> = (0..zpl.len()).filter(|at| starts(&zpl[*at])).collect();
    places
        .iter()
        .map(|at| String::from_utf8_lossy(&zpl[*at..(*at + 3).min(zpl.len())]).into())
        .collect()
}

#[test]
fn the_commands_of_a_label_do_not_depend_on_its_text() {
    // Harmless text with as many words as the hostile one, so that it wraps alike.
    for text in HOSTILE {
        let zpl = |text: &str| {
            let document = labels(text).layout(&PRESS).unwrap();
            PRESS.render(&document, Format::Zpl, Dpi::Dpi203).unwrap().bytes
        };
        let (hostile, harmless) = (zpl(text), zpl("A"));
        let names = |zpl: &[u8]| {
            let mut names = commands(zpl);
            // A line that wraps is one more field; fields of one kind count once.
            names.dedup();
            names.sort();
            names.dedup();
            names
        };
        let extra: Vec<String> =
            names(&hostile).into_iter().filter(|name| !names(&harmless).contains(name)).collect();
        assert!(extra.iter().all(|name| name == "^GF"), "{text}: {extra:?}");
        assert!(waybill_paper::inspect(&hostile, Format::Zpl, Dpi::Dpi203).is_ok());
    }
}

/// The shape of an object: keys, names and references, but no text and no numbers.
fn shape(object: &Object) -> String {
    match object {
        Object::Dictionary(dictionary) => {
            let entries = dictionary.iter().map(|(key, value)| {
                let key = String::from_utf8_lossy(key).into_owned();
                let is_font = ["BaseFont", "FontName"].contains(&key.as_str());
                let value = if is_font { "font".to_owned() } else { shape(value) };
                (key, value)
            });
            format!("{:?}", entries.collect::<BTreeMap<_, _>>())
        }
        Object::Stream(stream) => {
            format!("stream {}", shape(&Object::Dictionary(stream.dict.clone())))
        }
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

#[test]
fn the_objects_of_a_pdf_do_not_depend_on_its_text() {
    let objects = |text: &str| {
        let document = labels(text).layout(&PRESS).unwrap();
        let bytes = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap().bytes;
        let file = File::load_mem(&bytes).unwrap();
        let shapes: BTreeMap<_, _> =
            file.objects.iter().map(|(id, object)| (*id, shape(object))).collect();
        shapes
    };
    let harmless = objects("A");
    for key in ["JS", "JavaScript", "AA", "OpenAction", "Launch", "URI", "EmbeddedFile", "Annots"] {
        let quoted = format!("\"{key}\"");
        assert!(harmless.values().all(|shape| !shape.contains(&quoted)), "{key}");
    }
    for text in HOSTILE {
        assert_eq!(objects(text), harmless, "{text}");
    }
}

#[test]
fn hostile_text_is_printed_as_it_is() {
    let folder = crate::support::scratch("hostile");
    for (index, text) in HOSTILE.iter().enumerate() {
        let document = labels(text).layout(&PRESS).unwrap();
        let file = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap();
        let path = folder.join(format!("{index}.pdf"));
        std::fs::write(&path, &file.bytes).unwrap();
        let read = crate::support::tool("pdftotext", &["-raw", path.to_str().unwrap(), "-"]);
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        assert!(plain(&read).contains(&plain(text)), "{text} in {read}");
    }
}

/// A small file can ask for a lot of ink.
#[test]
fn a_preview_refuses_what_would_keep_it_busy() {
    let label = |fields: &str| format!("^XA^PW800^LL1200{fields}^XZ");
    let giant = label("^FO0,0^A0N,30330,30330^FDX^FS");
    let wide = label(&format!("^FO0,0^A0N,4000,4000^FD{}^FS", "W".repeat(3000)));
    let boxes = label(&"^FO0,0^GB12000,12000,12000^FS".repeat(100));
    let centred = format!("^FO0,0^A0N,100,4000^FB800,1,0,C^FD{}^FS", "W".repeat(3000));
    for zpl in [giant, boxes, label(&centred.repeat(9)), label(&wide.repeat(40))] {
        assert!(PRESS.preview(zpl.as_bytes(), Dpi::Dpi203).is_err(), "{}", &zpl[..60]);
    }
    assert!(PRESS.preview(wide.as_bytes(), Dpi::Dpi203).is_ok(), "only the label is drawn");
}
