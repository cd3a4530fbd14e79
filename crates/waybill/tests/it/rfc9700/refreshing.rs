//! Refresh tokens that two have.

use std::time::Duration;

use futures_util::future::join_all;
use waybill_domain::oauth::REFRESH_LIFE;

use crate::harness::both;
use crate::oauth::{TestClient, refused, status, user_of};

both! {
    async fn section_4_14_a_refresh_token_that_is_used_twice_ends_its_family(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let unharmed = client.agreed(&app, user).await;
        let first = client.agreed(&app, user).await;
        let second = client.refresh(&app, &first).await.expect(200).json();
        let third = client.refresh(&app, &second).await.expect(200).json();
        // Long ago it was used, and long over is its own time.
        app.clock.advance(REFRESH_LIFE + Duration::from_hours(1));
        let fresh = client.refresh(&app, &third).await;
        refused(&fresh, 400, "invalid_grant");
        refused(&client.refresh(&app, &first).await, 400, "invalid_grant");
        for tokens in [&first, &second, &third] {
            assert_eq!(status(&app, tokens).await, 401);
            refused(&client.refresh(&app, tokens).await, 400, "invalid_grant");
        }
        refused(&client.refresh(&app, &unharmed).await, 400, "invalid_grant");
    }

    async fn section_4_14_only_its_own_family_ends(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let (stolen, unharmed) =
            (client.agreed(&app, user).await, client.agreed(&app, user).await);
        let next = client.refresh(&app, &stolen).await.expect(200).json();
        refused(&client.refresh(&app, &stolen).await, 400, "invalid_grant");
        assert_eq!((status(&app, &stolen).await, status(&app, &next).await), (401, 401));
        assert_eq!(status(&app, &unharmed).await, 200);
        client.refresh(&app, &unharmed).await.expect(200);
    }

    async fn section_4_14_of_64_who_refresh_at_once_one_gets_tokens_and_the_family_is_over(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let tokens = client.agreed(&app, user_of(&app, &app.member).await).await;
        let replies = join_all((0..64).map(|_| client.refresh(&app, &tokens))).await;
        let given: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
        assert_eq!(given.len(), 1);
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            refused(reply, 400, "invalid_grant");
        }
        let last = given[0].json();
        assert_eq!((status(&app, &tokens).await, status(&app, &last).await), (401, 401));
        refused(&client.refresh(&app, &last).await, 400, "invalid_grant");
    }

    async fn section_4_14_another_client_changes_nothing(app) {
        let (own, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let first = own.agreed(&app, user_of(&app, &app.member).await).await;
        refused(&other.refresh(&app, &first).await, 400, "invalid_grant");
        let second = own.refresh(&app, &first).await.expect(200).json();
        refused(&other.refresh(&app, &first).await, 400, "invalid_grant");
        assert_eq!(status(&app, &second).await, 200);
    }

    // Whichever of the two comes first, both lose: the app has no secret to tell them apart by.
    async fn section_2_2_2_a_public_apps_refresh_token_changes_with_every_use(app) {
        let public = TestClient::public(&app).await;
        let user = user_of(&app, &app.member).await;
        for is_thief_first in [true, false] {
            let mut owners = public.agreed(&app, user).await;
            let mut thiefs = owners.clone();
            let (first, second) = match is_thief_first {
                true => (&mut thiefs, &mut owners),
                false => (&mut owners, &mut thiefs),
            };
            let next = public.refresh(&app, first).await.expect(200).json();
            assert_ne!(next["refresh_token"], first["refresh_token"]);
            *first = next;
            refused(&public.refresh(&app, second).await, 400, "invalid_grant");
            for tokens in [&owners, &thiefs] {
                assert_eq!(status(&app, tokens).await, 401);
                refused(&public.refresh(&app, tokens).await, 400, "invalid_grant");
            }
        }
    }
}
