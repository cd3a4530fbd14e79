//! A refresh token is good once.

use std::time::Duration;

use waybill_domain::oauth::{FAMILY_LIFE, REFRESH_LIFE};
use waybill_domain::time::Clock;
use waybill_store::members;

use super::{TestClient, refused, status, user_of};
use crate::harness::{Database, TestApp, both, databases};

both! {
    async fn a_refresh_token_gives_the_next_one_and_older_access_tokens_live_on(app) {
        let client = TestClient::public(&app).await;
        let first = client.agreed(&app, user_of(&app, &app.member).await).await;
        let second = client.refresh(&app, &first).await.expect(200).json();
        assert_ne!(first["refresh_token"], second["refresh_token"]);
        assert_eq!(second["team_uuid"], app.team.to_string());
        assert_eq!((status(&app, &first).await, status(&app, &second).await), (200, 200));
        client.refresh(&app, &second).await.expect(200);
    }

    async fn scopes_may_be_narrowed_for_one_access_token_and_not_widened(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let tokens = client.agreed(&app, user_of(&app, &app.member).await).await;
        let refresh = |scope: &str| {
            let token = tokens["refresh_token"].as_str().unwrap();
            format!("grant_type=refresh_token&refresh_token={token}&scope={scope}")
        };
        for wide in ["wms:read", "*", "teams:read+wms:read", "nonsense"] {
            refused(&client.token(&app, &refresh(wide)).await, 400, "invalid_scope");
        }
        let narrow = client.token(&app, &refresh("shipments:read")).await.expect(200).json();
        assert_eq!((narrow["scope"].as_str(), status(&app, &narrow).await),
            (Some("shipments:read"), 403));
        let whole = client.refresh(&app, &narrow).await.expect(200);
        assert_eq!(whole.at("/scope"), "teams:read shipments:read");
    }

    async fn a_refresh_token_lives_30_days_and_its_family_a_year(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let late = client.agreed(&app, user).await;
        let (mut tokens, began_at) = (client.agreed(&app, user).await, app.clock.now());
        let moment = Duration::from_micros(1);
        app.clock.advance(REFRESH_LIFE - moment);
        tokens = client.refresh(&app, &tokens).await.expect(200).json();
        app.clock.advance(moment);
        refused(&client.refresh(&app, &late).await, 400, "invalid_grant");
        while app.clock.now().since(began_at) + REFRESH_LIFE < FAMILY_LIFE {
            app.clock.advance(REFRESH_LIFE - moment * 2);
            tokens = client.refresh(&app, &tokens).await.expect(200).json();
        }
        let left = FAMILY_LIFE - app.clock.now().since(began_at);
        app.clock.advance(left - moment);
        tokens = client.refresh(&app, &tokens).await.expect(200).json();
        app.clock.advance(moment);
        refused(&client.refresh(&app, &tokens).await, 400, "invalid_grant");
        // The last access token lives to the end of its hour.
        assert_eq!(status(&app, &tokens).await, 200);
        app.clock.advance(Duration::from_hours(1));
        assert_eq!(status(&app, &tokens).await, 401);
    }

    async fn who_leaves_the_team_ends_what_was_allowed_there(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let tokens = client.agreed(&app, user).await;
        let (team, now, act) = (app.team, app.clock.now(), app.act());
        app.app
            .write(move |tx| {
                members::remove(tx, team, user, &act)?;
                // Who comes back has allowed nothing yet.
                members::insert(tx, team, user, members::Role::Member, now)
            })
            .await
            .unwrap();
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(status(&app, &tokens).await, 401);
        refused(&client.refresh(&app, &tokens).await, 400, "invalid_grant");
    }
}

/// Without limits of requests, which go by the clock too.
async fn a_clock_that_jumps_revives_nothing(database: Database) {
    let app = TestApp::with_limits(database, 0, 0).await;
    let client = TestClient::new(&app, |_| {}).await;
    let first = client.agreed(&app, user_of(&app, &app.member).await).await;
    let second = client.refresh(&app, &first).await.expect(200).json();
    app.clock.set_back(Duration::from_hours(5));
    // A token from the future is good, and what was used stays used.
    assert_eq!(status(&app, &second).await, 200);
    let third = client.refresh(&app, &second).await.expect(200).json();
    assert_eq!(third["expires_in"], 3600);
    refused(&client.refresh(&app, &first).await, 400, "invalid_grant");
    assert_eq!(status(&app, &third).await, 401);
}

databases! {
    a_clock_that_jumps_revives_nothing
}
