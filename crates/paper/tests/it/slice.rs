//! tmp
use waybill_domain::document::Format;
use waybill_domain::fields::read_object;
use waybill_paper::{AnyPaper, Dpi, Layout, Press};
#[test]
fn slice() {
    let press = Press::new();
    let json = read_object(include_bytes!("papers/label.json")).unwrap();
    let document = AnyPaper::from_json(&json).unwrap().layout(&press).unwrap();
    for (format, name) in [(Format::Pdf, "pdf"), (Format::Zpl, "zpl"), (Format::Png, "png")] {
        let bytes = press.draw(&document, format, Dpi::Dpi203).unwrap();
        std::fs::write(format!("/tmp/scratch/label.{name}"), &bytes).unwrap();
        let done = press.render(&document, format, Dpi::Dpi203).unwrap();
        println!("{name} {} {} {}", done.bytes.len(), done.width_mm, done.height_mm);
        if format == Format::Zpl {
            let p = press.preview(&bytes, Dpi::Dpi203).unwrap();
            std::fs::write("/tmp/scratch/label-zpl.png", &p[0]).unwrap();
            let opts = labelize_png(&bytes);
            std::fs::write("/tmp/scratch/label-labelize.png", &opts).unwrap();
        }
    }
}
fn labelize_png(zpl: &[u8]) -> Vec<u8> {
    let labels = labelize::ZplParser::new().parse(zpl).unwrap();
    let mut buf = std::io::Cursor::new(Vec::new());
    let opts = labelize::DrawerOptions { label_width_mm: 100.0, label_height_mm: 150.0, dpmm: 8, ..Default::default() };
    labelize::Renderer::new().draw_label_as_png(&labels[0], &mut buf, opts).unwrap();
    buf.into_inner()
}
