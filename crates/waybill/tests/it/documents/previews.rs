//! Pictures of pages, behind a signature that is good for all of them.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, MergeId, TeamId};
use waybill_store::documents::{self, Content, Document};

use super::{beta, fetch, labels_in, put, text, to_norway, tool};
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};
use crate::shipments::fixtures;

fn path_of(url: &Value) -> String {
    text(url).strip_prefix("http://waybill.test").unwrap().to_owned()
}

/// How many dots a PNG file has.
fn size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// A document with these bytes, as if a carrier had made it.
async fn document(fixture: &Fixture, format: &str, bytes: Vec<u8>) -> Reply {
    use sha2::{Digest, Sha256};
    let (team, id): (TeamId, DocumentId) = (fixture.app.team, fixture.app.app.new_uuid().into());
    let now = fixture.app.app.now();
    let row = Document {
        id,
        source_type: SourceKind::Merge,
        source: MergeId(fixture.app.app.new_uuid()).into(),
        position: 0,
        name: "Label".to_owned(),
        filename: format!("label-{id}.{format}"),
        types: "label".to_owned(),
        format: format.to_owned(),
        size_bytes: i64::try_from(bytes.len()).unwrap(),
        hash: Sha256::digest(&bytes).to_vec(),
        width_um: Some(100_000),
        height_um: Some(150_000),
        page_count: Some(1),
        is_drawable: true,
        print_status: None,
        created_at: now,
        updated_at: now,
    };
    let insert = move |tx: &mut waybill_store::Tx<'_>| {
        documents::insert(tx, team, &row, &Content::Here(bytes.clone()))
    };
    fixture.app.app.write(insert).await.unwrap();
    let path = beta(fixture, &format!("/documents/{id}"));
    fixture.app.get(&path).admin().send().await.expect(200)
}

/// A PDF file with a page of this size in points, on which a stream is drawn.
fn pdf(size: (u64, u64), entries: &str, stream: &[u8]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    let page = format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {} {}]/Contents 4 0 R\
         /Resources<</XObject<</X 5 0 R>>>>>>",
        size.0, size.1
    );
    let length = stream.len();
    let form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9999 9999]/Length 27\
        /Resources<</XObject<</X 5 0 R>>>>>>stream\n/X Do /X Do /X Do /X Do    \nendstream";
    let mut content = format!("<<{entries}/Length {length}>>stream\n").into_bytes();
    content.extend(stream);
    content.extend(b"\nendstream");
    let objects: [&[u8]; 5] = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page.as_bytes(),
        &content,
        form,
    ];
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        writeln!(file, "{number} 0 obj").unwrap();
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    write!(file, "xref\n0 6\n0000000000 65535 f \n").unwrap();
    offsets.iter().for_each(|offset| writeln!(file, "{offset:010} 00000 n ").unwrap());
    write!(file, "trailer<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").unwrap();
    file
}

/// So many zeros, packed twice.
fn bomb(megabytes: usize) -> Vec<u8> {
    let pack = |bytes: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let piece = vec![b' '; 1 << 20];
    (0..megabytes).for_each(|_| encoder.write_all(&piece).unwrap());
    pack(&encoder.finish().unwrap())
}

fixtures! {
    async fn a_label_of_every_format_has_a_picture_whose_bars_are_read(fixture) {
        for (format, service) in
            [("pdf", "home"), ("zpl", "home"), ("png", "home"), ("pdf", "letter")]
        {
            labels_in(&fixture, &[format]).await;
            let body = json!({"delivery": {"service_code": format!("sandbox:{service}")}});
            let made = fixture.book(&order_with(&format!("P-{format}"), body)).await.expect(201);
            let document = made.at("/data/documents/0");
            let path = path_of(&document["preview_url"]).replace("width=400", "width=800");
            let reply = fixture.app.get(&path).send().await.expect(200);
            assert_eq!(reply.header("content-type").unwrap(), "image/png");
            assert_eq!(size(&reply.bytes).0, 800);
            let picture = put(&fixture, &format!("{format}-{service}.png"), &reply.bytes);
            let number = text(&made.at("/data/parcels/0/tracking_number"));
            let read = tool("zbarimg", &["-q", "--raw"], &picture);
            assert!(read.contains(&number), "{format} {service}: {number} not in {read}");
        }
    }

    async fn page_and_width_may_be_changed_within_their_bounds(fixture) {
        let made = fixture.book(&to_norway("NORWAY")).await.expect(201);
        let all = made.at("/data/documents").as_array().unwrap().clone();
        let url = path_of(&all[1]["preview_url"]);
        assert!(url.contains("/preview.png?page=1&width=400&expires="), "{url}");
        let ask = |page: &str, width: &str| {
            let path = url.replace("page=1", page).replace("width=400", width);
            let fixture = &fixture;
            async move { fixture.app.get(&path).send().await }
        };
        for (width, dots) in [("width=50", 50), ("width=1600", 1600), ("width=401", 401)] {
            assert_eq!(size(&ask("page=1", width).await.expect(200).bytes).0, dots);
        }
        let count = all[1]["page_count"].as_i64().unwrap();
        ask(&format!("page={count}"), "width=60").await.expect(200);
        let beyond = format!("page={}", count + 1);
        for page in [&beyond, "page=0", "page=-1", "page=x", "page=01", "page="] {
            ask(page, "width=400").await.expect(404);
        }
        for width in ["width=49", "width=1601", "width=x", "width=", "width=400.5"] {
            assert_eq!(ask("page=1", width).await.expect(422).problems(), ["width"], "{width}");
        }
        assert_eq!(ask("page=1&more=1", "width=400").await.expect(422).problems(), ["more"]);
        let bare = url.replace("page=1&width=400&", "");
        assert_eq!(size(&fixture.app.get(&bare).send().await.expect(200).bytes).0, 400);
        fixture.app.ask("HEAD", &url).send().await.expect(200);
        // Nobody gets at another document, or at the file itself, with this signature.
        let other = path_of(&all[0]["preview_url"]);
        let query = url.split_once("&expires").unwrap().1;
        let moved = format!("{}&expires{query}", other.split_once("&expires").unwrap().0);
        fixture.app.get(&moved).send().await.expect(404);
        let file = path_of(&all[1]["url"]);
        let file = format!("{}?expires{query}", file.split_once('?').unwrap().0);
        fixture.app.get(&file).send().await.expect(404);
        let unsigned = url.split_once("&expires").unwrap().0;
        fixture.app.get(unsigned).send().await.expect(404);
        fixture.app.clock.advance(Duration::from_mins(16));
        ask("page=1", "width=400").await.expect(410);
    }

    async fn a_picture_that_is_known_is_not_drawn_again(fixture) {
        let made = fixture.book(&order("KNOWN")).await.expect(201);
        let path = path_of(&made.at("/data/documents/0/preview_url"));
        let first = fixture.app.get(&path).send().await.expect(200);
        let file = fetch(&fixture, &made.at("/data/documents/0/url")).await.expect(200);
        assert_eq!(first.header("cache-control"), file.header("cache-control"));
        let etag = first.header("etag").unwrap().to_owned();
        let again = fixture.app.get(&path).header("if-none-match", &etag).send().await;
        assert!(again.expect(304).bytes.is_empty());
        let wider = path.replace("width=400", "width=500");
        let wider = fixture.app.get(&wider).header("if-none-match", &etag).send().await;
        assert_ne!(wider.expect(200).header("etag").unwrap(), etag);
    }

    async fn what_asks_for_too_much_gets_a_word_and_the_service_goes_on(fixture) {
        let deep: Vec<u8> = b"q 1 0 0 1 1 1 cm ".repeat(200_000);
        let forms = b"/X Do ".repeat(10);
        let nested = [b"[".repeat(100_000), b"] TJ".to_vec()].concat();
        let twice = "/Filter[/FlateDecode/FlateDecode]";
        let hostile = [
            ("forms", pdf((283, 425), "", &forms)),
            ("states", pdf((283, 425), "", &deep)),
            ("nested", pdf((283, 425), "", &nested)),
            ("bomb", pdf((283, 425), twice, &bomb(3000))),
            ("ribbon", pdf((3, 5600), "", b"0 0 3 3 re f")),
            ("huge", pdf((2_000_000_000, 2_000_000_000), "", b"0 0 9 9 re f")),
            ("empty", pdf((0, 0), "", b"")),
            ("broken", b"%PDF-1.7 nothing more".to_vec()),
        ];
        for (name, bytes) in hostile {
            let shown = document(&fixture, "pdf", bytes).await;
            let path = path_of(&shown.at("/data/preview_url")).replace("width=400", "width=1600");
            let begun = tokio::time::Instant::now();
            let reply = fixture.app.get(&path).send().await;
            assert!(matches!(reply.status, 200 | 422), "{name}: {}", reply.status);
            assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {:?}", begun.elapsed());
            if reply.status == 200 {
                let (width, height) = size(&reply.bytes);
                assert!(u64::from(width) * u64::from(height) <= 16_100_000, "{name}");
            } else {
                assert_eq!(reply.problems(), ["document"], "{name}");
            }
        }
        let made = fixture.book(&order("AFTER")).await.expect(201);
        fetch(&fixture, &made.at("/data/documents/0/preview_url")).await.expect(200);
    }

    async fn what_cannot_be_drawn_has_no_url(fixture) {
        let undrawn = |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE document SET is_drawable = FALSE", &[])
        };
        let made = fixture.book(&order("NONE")).await.expect(201);
        let path = path_of(&made.at("/data/documents/0/preview_url"));
        fixture.app.app.write(undrawn).await.unwrap();
        let read = fixture.read(&made).await;
        assert_eq!(read.at("/data/documents/0/preview_url"), json!(null));
        fixture.app.get(&path).send().await.expect(404);
    }
}
