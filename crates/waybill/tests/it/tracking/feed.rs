//! The feed as one reader sees it.

use serde_json::{Value, json};

use super::{each, page, parcel, tell, text};
use crate::shipments::fixtures;

fixtures! {
    // Rules: Tracking feed 1, 2, 3, 4.
    async fn pages_are_followed_to_the_end_and_resumed_from_there(fixture) {
        let empty = page(&fixture, "").await.expect(200);
        assert_eq!((empty.at("/data"), empty.at("/links/next")), (json!([]), Value::Null));
        let mut resume = text(&empty, "/meta/resume_cursor");
        let one = parcel(&fixture, "PAGES").await;
        let codes = ["announced", "collected", "terminal", "loaded", "delivered"];
        let mut read = Vec::new();
        for round in 0..3 {
            let events: Vec<Value> = codes.iter().enumerate().map(|(n, code)| {
                json!({"id": format!("{round}-{n}"), "code": code,
                       "at": format!("2026-11-14T1{n}:0{round}:00Z")})
            }).collect();
            tell(&fixture, &one, json!(events)).await.expect(200);
            let mut next = Some(format!("?per_page=2&cursor={resume}"));
            while let Some(query) = next {
                let reply = page(&fixture, &query).await.expect(200);
                read.extend(each(&reply.at("/data"), "/uuid"));
                resume = text(&reply, "/meta/resume_cursor");
                assert_eq!(reply.at("/meta/prev_cursor"), Value::Null);
                next = reply.at("/links/next").as_str().map(|url| {
                    assert_eq!(reply.at("/meta/next_cursor"), json!(resume));
                    format!("?{}", url.split_once('?').unwrap().1)
                });
                assert_eq!(reply.at("/meta/next_cursor") == Value::Null, next.is_none());
            }
            // Nothing new, again and again.
            for _ in 0..2 {
                let reply = page(&fixture, &format!("?cursor={resume}")).await.expect(200);
                assert_eq!(reply.at("/data"), json!([]));
                resume = text(&reply, "/meta/resume_cursor");
            }
        }
        let all = page(&fixture, "?per_page=1000").await.expect(200);
        assert_eq!(read, each(&all.at("/data"), "/uuid"));
        assert_eq!(read.len(), 15);
        assert!(all.at("/meta/path").as_str().unwrap().ends_with("/tracking/events"));
    }

    async fn filters_hold_back_what_they_do_not_want_and_still_move_on(fixture) {
        let (one, other) = (parcel(&fixture, "A").await, parcel(&fixture, "B").await);
        tell(&fixture, &one, json!([{"code": "collected"}])).await.expect(200);
        tell(&fixture, &other, json!([{"code": "loaded"}])).await.expect(200);
        for filter in [
            format!("shipment_uuid={}", one.shipment),
            format!("tracking_uuid={}", one.tracking),
            format!("tracking_uuid={}&shipment_uuid={}", one.tracking, one.shipment),
        ] {
            let reply = page(&fixture, &format!("?{filter}")).await.expect(200);
            assert_eq!(each(&reply.at("/data"), "/event/status_code"), ["collected"]);
            let resume = text(&reply, "/meta/resume_cursor");
            let rest = page(&fixture, &format!("?{filter}&cursor={resume}")).await.expect(200);
            assert_eq!(rest.at("/data"), json!([]));
        }
        let none = format!("?tracking_uuid={}&shipment_uuid={}", one.tracking, other.shipment);
        assert_eq!(page(&fixture, &none).await.expect(200).at("/data"), json!([]));
        let (team, token) = fixture.app.team("other.example.com").await;
        let path = format!("/beta/teams/{team}/tracking/events");
        let theirs = fixture.app.get(&path).token(&token).send().await.expect(200);
        assert_eq!(theirs.at("/data"), json!([]));
        let path = format!("/v2/teams/{team}/tracking/{}", one.tracking);
        fixture.app.get(&path).token(&token).send().await.expect(404);
    }
}
