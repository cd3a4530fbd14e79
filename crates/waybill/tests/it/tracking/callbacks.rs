//! What carriers tell by themselves.

use serde_json::{Value, json};

use super::{each, page, parcel, sign, tell, text, tracking};
use crate::shipments::fixtures;

fixtures! {
    async fn what_was_told_before_makes_no_second_entry(fixture) {
        let parcel = parcel(&fixture, "TWICE").await;
        let events = json!([
            {"id": "1", "code": "collected", "at": "2026-11-14T10:00:00Z"},
            {"id": "1", "code": "collected", "at": "2026-11-14T10:00:00Z"},
        ]);
        for _ in 0..3 {
            let told = tell(&fixture, &parcel, events.clone()).await.expect(200);
            assert_eq!(told.json(), json!({"status": "ok"}));
        }
        assert_eq!(page(&fixture, "").await.expect(200).at("/data").as_array().unwrap().len(), 1);
        // The same parcel twice in one message.
        let one = json!({"tracking_number": parcel.number,
            "events": [{"code": "loaded", "at": "2026-11-14T11:00:00Z"}]});
        let body = json!({"parcels": [one, one]}).to_string();
        let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", sign(&body));
        ask.json(&body).send().await.expect(200);
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(each(&known.at("/data/events"), "/status_code"), ["collected", "out_for_delivery"]);
    }

    // Rules: Tracking feed 6.
    async fn a_late_event_comes_after_the_last_cursor_and_moves_nothing_back(fixture) {
        let parcel = parcel(&fixture, "LATE").await;
        tell(&fixture, &parcel, json!([{"code": "delivered", "at": "2026-11-14T12:00:00Z"}])).await;
        let read = page(&fixture, "").await.expect(200);
        let late = json!([{"code": "terminal", "at": "2026-11-14T09:00:00+01:00"}]);
        tell(&fixture, &parcel, late).await.expect(200);
        let resumed = format!("?cursor={}", text(&read, "/meta/resume_cursor"));
        let after = page(&fixture, &resumed).await.expect(200);
        assert_eq!(each(&after.at("/data"), "/event/status_code"), ["arrived_at_terminal"]);
        assert_eq!(after.at("/data/0/tracking/state"), "Delivered");
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(known.at("/data/state"), "Delivered");
        assert_eq!(known.at("/data/delivered_at"), "2026-11-14T12:00:00.000000Z");
        let back = json!([{"code": "returned", "at": "2026-11-14T14:00:00Z"}]);
        tell(&fixture, &parcel, back).await.expect(200);
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(known.at("/data/state"), "Returned");
        assert_eq!(known.at("/data/returned_at"), "2026-11-14T14:00:00.000000Z");
    }

    async fn a_parcel_with_too_many_events_is_where_the_last_one_that_is_kept_says(fixture) {
        let parcel = parcel(&fixture, "CHATTY").await;
        let event = |number: usize| {
            let (hour, minute) = (number / 60, number % 60);
            let at = format!("2026-11-13T{hour:02}:{minute:02}:00Z");
            json!({"id": number.to_string(), "code": "terminal", "at": at})
        };
        let some: Vec<Value> = (0..950).map(event).collect();
        tell(&fixture, &parcel, json!(some)).await.expect(200);
        // Of these hundred, fifty have room.
        let mut more: Vec<Value> = (950..1049).map(event).collect();
        more.push(json!({"code": "delivered", "at": "2026-11-14T12:00:00Z"}));
        tell(&fixture, &parcel, json!(more)).await.expect(200);
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(known.at("/data/state"), "InTransit");
        assert_eq!(known.at("/data/delivered_at"), Value::Null);
        let events = known.at("/data/events");
        assert_eq!(events.as_array().unwrap().len(), 1000);
        assert!(each(&events, "/status_code").iter().all(|code| code == "arrived_at_terminal"));
    }

    async fn a_history_is_in_the_order_in_which_things_happened(fixture) {
        let parcel = parcel(&fixture, "ORDER").await;
        let first = json!([{"code": "terminal", "at": "2026-11-14T12:00:00Z"}]);
        tell(&fixture, &parcel, first).await.expect(200);
        let late = json!([
            {"code": "collected", "at": "2026-11-14T09:00:00+01:00"},
            {"code": "loaded", "at": "2026-11-14T12:00:00Z"},
        ]);
        tell(&fixture, &parcel, late).await.expect(200);
        let happened = ["collected", "arrived_at_terminal", "out_for_delivery"];
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(each(&known.at("/data/events"), "/status_code"), happened);
        let path = fixture.app.path(&format!("/shipments/{}/tracking", parcel.shipment));
        let known = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(each(&known.at("/data/0/events"), "/status_code"), happened);
        // The feed stays in the order in which it was published.
        let feed = page(&fixture, "").await.expect(200);
        let published = ["arrived_at_terminal", "collected", "out_for_delivery"];
        assert_eq!(each(&feed.at("/data"), "/event/status_code"), published);
    }

    async fn one_bad_event_is_quarantined_and_the_others_are_told(fixture) {
        let parcel = parcel(&fixture, "BAD").await;
        let events = json!([
            {"code": "collected", "at": "2026-11-14T10:00:00Z", "place": "Taulov"},
            {"code": "flying", "at": "2026-11-14T11:00:00Z"},
            {"code": "loaded", "at": "2099-01-01T00:00:00Z"},
            {"code": "terminal", "at": "2026-11-14T11:00:00Z", "place": "a\u{0}b"},
        ]);
        for _ in 0..2 {
            tell(&fixture, &parcel, events.clone()).await.expect(200);
        }
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(each(&known.at("/data/events"), "/location"), ["Taulov"]);
        let id = waybill_domain::ids::TrackingId::parse(&parcel.tracking).unwrap();
        let team = fixture.app.team;
        let set_aside = fixture.app.app.read(move |tx| {
            waybill_store::trackings::list_quarantined(tx, team, id)
        });
        assert_eq!(set_aside.await.unwrap().len(), 3);
    }

    async fn only_the_carrier_is_heard_and_only_of_parcels_of_the_account(fixture) {
        let parcel = parcel(&fixture, "FOREIGN").await;
        let body = json!({"parcels": [{"tracking_number": parcel.number,
            "events": [{"code": "delivered"}]}]}).to_string();
        let unsigned = fixture.app.post(&parcel.callbacks).json(&body).send().await.expect(401);
        let message = unsigned.at("/message");
        assert!(message.as_str().unwrap().contains("comes from the carrier"), "{message}");
        let forged = sign("something else");
        let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", forged);
        ask.json(&body).send().await.expect(401);
        // An account that is not there answers as one whose secret is another.
        let unknown = format!("/carriers/sandbox/callbacks/{}", fixture.app.team);
        let ask = fixture.app.post(&unknown).header("x-sandbox-signature", sign(&body));
        ask.json(&body).send().await.expect(401);
        for path in [
            parcel.callbacks.replace("sandbox", "bifrost"),
            "/carriers/sandbox/callbacks/x".to_owned(),
        ] {
            let ask = fixture.app.post(&path).header("x-sandbox-signature", sign(&body));
            ask.json(&body).send().await.expect(404);
        }
        for odd in ["", "nonsense", "{}", "[1]"] {
            let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", sign(odd));
            assert_eq!(ask.json(odd).send().await.problems(), ["body"], "{odd}");
        }
        let unknown = json!({"parcels": [{"tracking_number": "SBX1", "events": [{"code": "moving"}]}]});
        let unknown = unknown.to_string();
        let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", sign(&unknown));
        ask.json(&unknown).send().await.expect(200);
        assert_eq!(tracking(&fixture, &parcel).await.at("/data/events"), json!([]));
        // Another team's account cannot speak of this team's parcels.
        let (other, token) = fixture.app.team("other.example.com").await;
        let accounts = format!("/v2/teams/{other}/carrier-accounts");
        let account = json!({"carrier_code": "sandbox", "name": "Theirs",
            "credentials": {"callback_secret": super::SECRET}}).to_string();
        let post = fixture.app.post(&accounts).token(&token).json(&account);
        let made = post.send().await.expect(201);
        let path = format!("/carriers/sandbox/callbacks/{}", text(&made, "/data/uuid"));
        let ask = fixture.app.post(&path).header("x-sandbox-signature", sign(&body));
        ask.json(&body).send().await.expect(200);
        assert_eq!(tracking(&fixture, &parcel).await.at("/data/state"), "Pending");
    }

    async fn another_estimate_alone_is_a_change(fixture) {
        let parcel = parcel(&fixture, "ETA").await;
        let span = |day: u8| json!({"from": format!("2026-12-{day:02}T08:00:00Z"),
                                    "until": format!("2026-12-{day:02}T16:00:00Z")});
        for day in [1, 2, 2, 1] {
            let body = json!({"parcels": [{"tracking_number": parcel.number, "estimate": span(day)}]});
            let body = body.to_string();
            let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", sign(&body));
            ask.json(&body).send().await.expect(200);
        }
        let known = tracking(&fixture, &parcel).await;
        assert_eq!(each(&known.at("/data/events"), "/category"), ["Change"; 3]);
        assert_eq!(known.at("/data/estimated_delivery/start"), "2026-12-01T08:00:00.000000Z");
        assert_eq!(known.at("/data/state"), "Pending");
        assert_eq!(known.at("/data/events/0/happened_at"), Value::Null);
        let danish = fixture.app.path(&format!("/tracking/{}", parcel.tracking));
        let danish = fixture.app.get(&danish).admin().header("accept-language", "da").send().await;
        let said = text(&danish, "/data/events/0/description");
        assert_eq!(said, "Det forventede leveringstidspunkt er ændret.");
    }
}
