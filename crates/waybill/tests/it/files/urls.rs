//! Signed URLs: one spelling, one file, a quarter of an hour.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Uri};

use super::path_of;
use crate::harness::answers::send;
use crate::harness::fixture::{Fixture, order, order_with};
use crate::shipments::fixtures;

/// The status of a path that may be no path at all; such a one gives none.
async fn status(fixture: &Fixture, path: &[u8]) -> Option<u16> {
    let uri = Uri::from_maybe_shared(bytes::Bytes::copy_from_slice(path)).ok()?;
    uri.path_and_query().filter(|path| path.as_str().starts_with('/'))?;
    let request = Request::builder().uri(uri).body(Body::empty()).ok()?;
    Some(send(&fixture.app.router, request).await.status)
}

fixtures! {
    async fn a_url_with_any_bit_changed_is_not_found(fixture) {
        let reply = fixture.book(&order("BITS")).await.expect(201);
        let path = path_of(&reply, "/data/documents/0/url").into_bytes();
        assert_eq!(status(&fixture, &path).await, Some(200));
        let (mut asked, before_files) = (0, "/files".len());
        for bit in before_files * 8..path.len() * 8 {
            let mut changed = path.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let text = String::from_utf8_lossy(&changed).into_owned();
            // What follows a hash mark is never sent.
            if changed.contains(&b'#') {
                continue;
            }
            if let Some(status) = status(&fixture, &changed).await {
                assert_eq!(status, 404, "bit {bit}: {text}");
                asked += 1;
            }
        }
        assert!(asked > 1000, "{asked}");
    }

    async fn a_url_that_was_encoded_anew_or_moved_is_not_found(fixture) {
        let one = fixture.book(&order("ONE")).await.expect(201);
        let two = fixture.book(&order("TWO sim:qr")).await.expect(201);
        let paths = ["/data/documents/0/url"].map(|at| (path_of(&one, at), path_of(&two, at)));
        let [(one, two)] = &paths;
        let (file, query) = one.split_once('?').unwrap();
        let (other, other_query) = two.split_once('?').unwrap();
        let (expires, signature) = query.split_once('&').unwrap();
        let name = file.rsplit('/').next().unwrap();
        let folder = file.strip_suffix(name).unwrap();
        for changed in [
            format!("{file}?{other_query}"),
            format!("{other}?{query}"),
            format!("{file}?{signature}&{expires}"),
            format!("{file}?{query}&"),
            format!("{file}?{query}&x=1"),
            format!("{file}?{query}&{expires}"),
            format!("{file}?{}", query.replace("expires", "%65xpires")),
            format!("{file}?{}", query.replace('.', "%2E")),
            format!("{file}?{}", query.to_uppercase()),
            format!("{}?{query}", file.replace(".pdf", "%2Epdf")),
            format!("{}?{query}", file.replace("/files/", "/files//")),
            format!("{folder}../{name}?{query}"),
            format!("{folder}..%2F..%2Fetc%2Fpasswd?{query}"),
            format!("{folder}%2e%2e/waybill.key?{query}"),
            format!("{folder}{name}%00?{query}"),
            format!("{folder}{name}/?{query}"),
            format!("{folder}?{query}"),
            file.to_owned(),
        ] {
            assert_eq!(status(&fixture, changed.as_bytes()).await, Some(404), "{changed}");
        }
        assert_eq!(status(&fixture, one.as_bytes()).await, Some(200));
        assert_eq!(status(&fixture, two.as_bytes()).await, Some(200));
    }

    async fn a_url_is_good_until_its_second_and_gone_from_then_on(fixture) {
        let reply = fixture.book(&order_with("LATE", serde_json::json!({}))).await.expect(201);
        let path = path_of(&reply, "/data/documents/0/url");
        fixture.app.clock.advance(Duration::from_secs(14 * 60));
        fixture.app.get(&path).send().await.expect(200);
        fixture.app.clock.advance(Duration::from_secs(60));
        fixture.app.get(&path).send().await.expect(410);
        fixture.app.ask("HEAD", &path).send().await.expect(410);
        let changed = path.replace("signature=", "signature=0");
        fixture.app.get(&changed).send().await.expect(404);
    }
}
