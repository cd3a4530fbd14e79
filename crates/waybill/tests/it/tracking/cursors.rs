//! Positions in the feed: whose they are, and how long they last.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::{each, page, parcel, tell, text, tracking, until};
use crate::shipments::fixtures;

fixtures! {
    // Rules: Tracking feed 5.
    async fn a_tampered_or_foreign_cursor_is_refused_in_every_bit(fixture) {
        let parcel = parcel(&fixture, "BITS").await;
        tell(&fixture, &parcel, json!([{"code": "collected"}])).await.expect(200);
        let cursor = text(&page(&fixture, "").await.expect(200), "/meta/resume_cursor");
        let sealed = URL_SAFE_NO_PAD.decode(&cursor).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let query = format!("?cursor={}", URL_SAFE_NO_PAD.encode(changed));
            assert_eq!(page(&fixture, &query).await.problems(), ["cursor"], "bit {bit}");
        }
        for query in [
            format!("?cursor={cursor}&shipment_uuid={}", parcel.shipment),
            format!("?cursor={cursor}&tracking_uuid={}", parcel.tracking),
            "?cursor=".to_owned(),
            format!("?cursor={cursor}%00"),
        ] {
            assert_eq!(page(&fixture, &query).await.problems(), ["cursor"], "{query}");
        }
        let (other, token) = fixture.app.team("other.example.com").await;
        let path = format!("/v2/teams/{other}/tracking/events?cursor={cursor}");
        let foreign = fixture.app.get(&path).token(&token).send().await;
        assert_eq!(foreign.problems(), ["cursor"]);
        let list = fixture.app.path(&format!("/shipments?cursor={cursor}"));
        assert_eq!(fixture.app.get(&list).admin().send().await.problems(), ["cursor"]);
        // Another page size and the other prefix are the same place.
        page(&fixture, &format!("?per_page=7&cursor={cursor}")).await.expect(200);
        let beta = format!("/beta/teams/{}/tracking/events?cursor={cursor}", fixture.app.team);
        fixture.app.get(&beta).admin().send().await.expect(200);
        assert_eq!(page(&fixture, "?per_page=0").await.problems(), ["per_page"]);
        assert_eq!(page(&fixture, "?per_page=1001").await.problems(), ["per_page"]);
        assert_eq!(page(&fixture, "?tracking_uuid=x").await.problems(), ["tracking_uuid"]);
    }

    // Rules: Tracking feed 1, 7, 8.
    async fn an_expired_position_is_gone_and_never_starts_over(fixture) {
        let parcel = parcel(&fixture, "OLD").await;
        let start = text(&page(&fixture, "").await.expect(200), "/meta/resume_cursor");
        fixture.pass(Duration::from_mins(2)).await;
        until(&fixture, &parcel, |now| now.at("/data/state") == "InfoReceived").await;
        let filter = format!("?tracking_uuid={}", parcel.tracking);
        let caught_up = text(&page(&fixture, "").await.expect(200), "/meta/resume_cursor");
        fixture.pass(Duration::from_hours(89 * 24)).await;
        until(&fixture, &parcel, |now| now.at("/data/state") == "Expired").await;
        fixture.pass(Duration::from_mins(61)).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let all = page(&fixture, &format!("?cursor={start}")).await.expect(200);
        assert_eq!(each(&all.at("/data"), "/event/status_code"), ["info_received", "expired"]);
        fixture.pass(Duration::from_hours(4 * 24)).await;
        let mut reply = page(&fixture, &format!("?cursor={start}")).await;
        for _ in 0..200 {
            if reply.status == 410 { break }
            tokio::time::sleep(Duration::from_millis(50)).await;
            reply = page(&fixture, &format!("?cursor={start}")).await;
        }
        let reply = reply.expect(410);
        assert!(text(&reply, "/message").contains("expired"));
        let retained = page(&fixture, "").await.expect(200);
        assert_eq!(each(&retained.at("/data"), "/event/status_code"), ["expired"]);
        let filtered = page(&fixture, &filter).await.expect(200);
        assert_eq!(filtered.at("/data"), retained.at("/data"));
        let rest = page(&fixture, &format!("?cursor={caught_up}")).await.expect(200);
        assert_eq!(rest.at("/data"), retained.at("/data"), "nothing after it has expired");
        let history = tracking(&fixture, &parcel).await;
        let codes = each(&history.at("/data/events"), "/status_code");
        assert_eq!(codes, ["info_received", "expired"]);
    }

    async fn a_position_that_the_feed_has_not_reached_is_gone(fixture) {
        let parcel = parcel(&fixture, "AHEAD").await;
        tell(&fixture, &parcel, json!([{"code": "collected"}])).await.expect(200);
        let cursor = text(&page(&fixture, "").await.expect(200), "/meta/resume_cursor");
        let forget = |tx: &mut waybill_store::Tx<'_>| {
            // As after a backup was brought back.
            for table in ["DELETE FROM tracking_event", "DELETE FROM feed",
                "DELETE FROM delivery", "DELETE FROM event WHERE kind = 'tracking.updated'",
                "UPDATE tracking SET state = 'Pending', status = NULL, newest_at = NULL, updated_at = NULL"] {
                tx.exec(table, &[])?;
            }
            Ok::<_, waybill_store::Error>(())
        };
        fixture.app.app.write(forget).await.unwrap();
        page(&fixture, &format!("?cursor={cursor}")).await.expect(410);
    }

    async fn a_position_of_a_lost_database_is_told_that_the_database_was_restored(fixture) {
        let parcel = parcel(&fixture, "LOST").await;
        tell(&fixture, &parcel, json!([{"code": "collected"}])).await.expect(200);
        let id = fixture.app.app.new_uuid();
        let begin = move |tx: &mut waybill_store::Tx<'_>| {
            waybill_store::epochs::begin(tx, id, "a file", waybill_domain::time::Time(0))
        };
        fixture.app.app.write(begin).await.unwrap();
        let cursor = text(&page(&fixture, "").await.expect(200), "/meta/resume_cursor");
        // The epoch in which the cursor was told is not in the copy.
        let forget = |tx: &mut waybill_store::Tx<'_>| tx.exec("DELETE FROM epoch", &[]);
        fixture.app.app.write(forget).await.unwrap();
        let gone = page(&fixture, &format!("?cursor={cursor}")).await.expect(410);
        let said = text(&gone, "/message");
        assert!(said.contains("was restored") && said.contains("without a cursor"), "{said}");
        assert!(!said.contains("expired"), "{said}");
    }
}
