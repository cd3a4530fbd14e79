//! What the files say about themselves, asked with poppler.

use waybill_domain::document::Format;
use waybill_domain::language::Language;
use waybill_paper::{AnyPaper, Dpi, Layout};

use crate::support::{PAPERS, PRESS, document, page, paper, scratch, source, tool};

const POINT: f64 = 25.4 / 72.0;

fn value(text: &str, key: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.unwrap_or_else(|| panic!("no {key} in {text}")).trim().to_owned()
}

#[test]
fn pdfinfo_and_we_agree_on_size_pages_title_and_tags() {
    let folder = scratch("files");
    for (name, _) in PAPERS {
        let document = document(name);
        let file = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap();
        let path = folder.join(format!("{name}.pdf"));
        std::fs::write(&path, &file.bytes).unwrap();
        let info = tool("pdfinfo", &[path.to_str().unwrap()]);
        assert_eq!(value(&info, "Title:"), document.title, "{name}");
        assert_eq!(value(&info, "Pages:"), file.page_count.to_string(), "{name}");
        assert_eq!(value(&info, "Tagged:"), "yes", "{name}");
        assert_eq!(value(&info, "JavaScript:"), "no", "{name}");
        let size = value(&info, "Page size:");
        let sides: Vec<f64> = size
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .map(|pt: f64| pt * POINT)
            .collect();
        assert!((sides[0] - file.width_mm).abs() < 0.1, "{name} {size}");
        assert!((sides[1] - file.height_mm).abs() < 0.1, "{name} {size}");
    }
}

#[test]
fn every_font_is_embedded_in_part_and_its_text_can_be_copied() {
    let folder = scratch("fonts");
    for (name, _) in PAPERS {
        let file = PRESS.render(&document(name), Format::Pdf, Dpi::Dpi203).unwrap();
        let path = folder.join(format!("{name}.pdf"));
        std::fs::write(&path, &file.bytes).unwrap();
        let fonts = tool("pdffonts", &[path.to_str().unwrap()]);
        let rows: Vec<&str> = fonts.lines().skip(2).collect();
        assert!(!rows.is_empty(), "{name}");
        for row in rows {
            assert!(row.contains("yes yes yes"), "{name}: {row}");
        }
    }
    let text = tool("pdftotext", &[folder.join("scripts.pdf").to_str().unwrap(), "-"]);
    for words in ["Ελένη Παπαδοπούλου", "Юрій Шевченко", "Łódź–Київ Žlutý", "2,45 kg"]
    {
        assert!(text.replace('\u{a0}', " ").contains(words), "{words} in {text}");
    }
}

#[test]
fn sizes_of_every_format_are_those_of_the_paper() {
    for (size, width, height) in [
        ("100x150", 100.0, 150.0),
        ("102x152", 102.0, 152.0),
        ("105x148", 105.0, 148.0),
        ("a4", 210.0, 297.0),
    ] {
        let text = source("label").replace("100x150", size);
        let document = paper(&text).layout(&PRESS).unwrap();
        for format in [Format::Pdf, Format::Zpl, Format::Png] {
            for dpi in [Dpi::Dpi203, Dpi::Dpi300] {
                let file = PRESS.render(&document, format, dpi).unwrap();
                assert!((file.width_mm - width).abs() < 0.1, "{size} {format:?} {}", file.width_mm);
                assert!((file.height_mm - height).abs() < 0.1, "{size} {format:?}");
                assert_eq!(file.page_count, 1);
            }
        }
    }
}

#[test]
fn the_same_paper_gives_the_same_bytes_and_a_label_is_small() {
    for (name, text) in PAPERS {
        let fresh = waybill_paper::Renderer::new();
        let document = document(name);
        for format in [Format::Pdf, Format::Zpl] {
            let one = PRESS.draw(&document, format, Dpi::Dpi300).unwrap();
            let again = paper(text).layout(&fresh).unwrap();
            assert!(one == fresh.draw(&again, format, Dpi::Dpi300).unwrap(), "{name} {format:?}");
        }
        if matches!(paper(text), AnyPaper::Labels(_)) {
            for index in 0..document.pages.len() {
                let single = PRESS.draw(&page(&document, index), Format::Pdf, Dpi::Dpi203).unwrap();
                assert!(single.len() <= 40 * 1024, "{name} {}", single.len());
            }
        }
    }
}

#[test]
fn captions_fit_in_all_six_languages() {
    for (name, text) in PAPERS {
        for language in Language::ALL {
            let start = text.find("\"language\"").unwrap();
            let end = start + text[start..].find(',').unwrap();
            let other = format!("{}\"language\": \"{language}\"{}", &text[..start], &text[end..]);
            let document = paper(&other).layout(&PRESS);
            let document = document.unwrap_or_else(|errors| panic!("{name} {language} {errors:?}"));
            assert_eq!(document.language, language);
        }
    }
}
