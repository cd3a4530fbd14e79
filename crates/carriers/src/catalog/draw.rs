//! Logos and icons of our own drawing: the carrier's name, or its first letter, on its colour.
//!
//! They are not the carriers' artwork. Nothing in them is fetched or run: shapes and text only.

use waybill_domain::catalog::Carrier;

const FONT: &str = "Inter, Segoe UI, Roboto, Helvetica, Arial, sans-serif";

/// A wordmark, 64 high and as wide as the name.
pub fn logo(carrier: &Carrier) -> String {
    let text_width: usize = carrier.name.chars().map(letter_width).sum();
    let width = text_width + 40;
    let (name, ground, ink) = parts(carrier);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' width='{width}' height='64' \
         viewBox='0 0 {width} 64'>\n  <title>{name}</title>\n  \
         <rect width='{width}' height='64' rx='12' fill='{ground}'/>\n  \
         <text x='20' y='43' font-family='{FONT}' font-size='32' font-weight='700' \
         fill='{ink}' textLength='{text_width}' lengthAdjust='spacingAndGlyphs'>{name}</text>\n\
         </svg>\n"
    )
}

/// A square with one letter.
pub fn icon(carrier: &Carrier) -> String {
    let (name, ground, ink) = parts(carrier);
    let letter: String = carrier.name.chars().take(1).flat_map(char::to_uppercase).collect();
    let letter = escape(&letter);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' width='64' height='64' \
         viewBox='0 0 64 64'>\n  <title>{name}</title>\n  \
         <rect width='64' height='64' rx='14' fill='{ground}'/>\n  \
         <text x='32' y='46' text-anchor='middle' font-family='{FONT}' font-size='40' \
         font-weight='700' fill='{ink}'>{letter}</text>\n</svg>\n"
    )
}

/// About as wide as a bold letter is at the size of the wordmark, in the fonts that people have.
/// The text is stretched to the sum, so that it never leaves its ground.
fn letter_width(letter: char) -> usize {
    match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' => 12,
        'm' | 'w' | 'M' | 'W' => 28,
        letter if letter.is_uppercase() => 23,
        _ => 19,
    }
}

fn parts(carrier: &Carrier) -> (String, String, String) {
    (escape(&carrier.name), escape(&carrier.colors.ground), escape(&carrier.colors.ink))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}
