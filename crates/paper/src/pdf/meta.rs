//! What a PDF file says about itself: title, language and the standard that it keeps.

use pdf_writer::{Finish, Name, Pdf, Ref, TextStr};

use crate::page::Document;

const PRODUCER: &str = "Waybill";

/// A number for the file that depends on its pages alone (FNV-1a, twice with different seeds).
pub(super) struct Identity([u64; 2]);

impl Default for Identity {
    fn default() -> Identity {
        Identity([0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f])
    }
}

impl Identity {
    pub fn add(&mut self, bytes: &[u8]) {
        for state in &mut self.0 {
            for byte in bytes {
                *state = (*state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|state| state.to_be_bytes()).collect()
    }
}

/// Writes catalog, metadata and information; the references are those of catalog, page tree,
/// metadata, information and structure tree.
pub(super) fn write(pdf: &mut Pdf, document: &Document, refs: [Ref; 5], identity: Identity) {
    let [catalog, tree, metadata, info, root] = refs;
    pdf.set_file_id((identity.bytes(), identity.bytes()));
    pdf.document_info(info).title(TextStr(&document.title)).producer(TextStr(PRODUCER));
    let xmp = xmp(document);
    pdf.metadata(metadata, xmp.as_bytes()).finish();
    let mut object = pdf.catalog(catalog);
    object.pages(tree).metadata(metadata).lang(TextStr(document.language.tag()));
    object.mark_info().marked(true);
    object.viewer_preferences().display_doc_title(true);
    object.pair(Name(b"StructTreeRoot"), root);
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn xmp(document: &Document) -> String {
    let (title, language) = (escaped(&document.title), document.language.tag());
    format!(
        r#"<?xpacket begin="{bom}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<pdf:Producer>{PRODUCER}</pdf:Producer>
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"#,
        bom = '\u{feff}',
    )
}
