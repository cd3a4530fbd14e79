//! What the server says of itself, to whom browsers let scripts talk, and what goes by itself.

use std::time::Duration;

use serde_json::Value;
use waybill_domain::access::Scope;
use waybill_domain::token::TokenKind;
use waybill_store::Tx;
use waybill_store::oauth::{access, clients, codes, refresh};
use waybill_worker::forget::{Forgotten, forget};

use super::{TestClient, refused, status, user_of};
use crate::harness::both;

const METADATA: &str = "/.well-known/oauth-authorization-server";

both! {
    async fn the_metadata_names_everything_and_may_be_kept(app) {
        let reply = app.get(METADATA).send().await.expect(200);
        assert_eq!(reply.header("cache-control"), Some("public, max-age=3600"));
        assert_eq!(reply.at("/issuer"), "http://waybill.test");
        assert_eq!(reply.at("/token_endpoint"), "http://waybill.test/oauth/token");
        let scopes: Vec<String> = Scope::for_apps().map(|scope| scope.to_string()).collect();
        let told = reply.at("/scopes_supported");
        let told: Vec<&str> = told.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(told[..told.len() - 1], scopes[..]);
        assert_eq!(told.last(), Some(&"*"));
        assert!(!told.contains(&"operator:read") && told.contains(&"stats:read"));
    }

    async fn scripts_of_any_page_may_ask_for_tokens_and_none_may_introspect(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let origin = "access-control-allow-origin";
        for path in ["/oauth/token", "/oauth/revoke", METADATA] {
            let asked = app.ask("OPTIONS", path).header("origin", "https://a.example");
            let asked = asked.header("access-control-request-method", "POST").send().await;
            let asked = asked.expect(204);
            assert_eq!(asked.header(origin), Some("*"), "{path}");
            assert_eq!(asked.header("access-control-allow-credentials"), None);
        }
        let given = client.token(&app, "grant_type=client_credentials").await.expect(200);
        assert_eq!(given.header(origin), Some("*"));
        refused(&client.token(&app, "x=1").await, 400, "invalid_request");
        let path = "/oauth/introspect";
        let asked = app.ask("OPTIONS", path).header("origin", "https://a.example").send().await;
        let names: Vec<_> = asked.expect(204).headers.keys().map(|name| name.to_string()).collect();
        assert!(names.iter().all(|name| !name.starts_with("access-control-")), "{names:?}");
        for reply in [
            client.ask(&app, path, "token=x").await.expect(200),
            client.ask(&app, path, "").await.expect(400),
            app.get(path).send().await.expect(405),
        ] {
            assert_eq!(reply.header(origin), None);
        }
    }

    async fn what_ended_goes_a_day_later_and_what_shows_a_thief_stays_with_its_family(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let unused = client.code(&app, user, |_| {}).await;
        let used = client.code(&app, user, |_| {}).await;
        let first = client.exchange(&app, &used).await.expect(200).json();
        let second = client.refresh(&app, &first).await.expect(200).json();
        let hash = |kind: TokenKind, text: &str| kind.hash(text).unwrap();
        let codes = [hash(TokenKind::Code, &unused), hash(TokenKind::Code, &used)];
        let old = hash(TokenKind::Access, first["access_token"].as_str().unwrap());
        let spent = hash(TokenKind::Refresh, first["refresh_token"].as_str().unwrap());
        let left = || {
            app.app.read(move |tx| {
                let code = |tx: &mut Tx<'_>, index: usize| codes::any_find(tx, &codes[index]);
                Ok::<_, waybill_store::Error>([
                    code(tx, 0)?.is_some(),
                    code(tx, 1)?.is_some(),
                    access::any_find_by_hash(tx, &old)?.is_some(),
                    refresh::any_find(tx, &spent)?.is_some(),
                ])
            })
        };
        let sweep = || forget(&app.worker, Forgotten::OAuth);
        let (hour, day) = (Duration::from_hours(1), Duration::from_hours(24));
        sweep().await;
        assert_eq!(left().await.unwrap(), [true; 4]);
        app.clock.advance(day + Duration::from_mins(2));
        sweep().await;
        assert_eq!(left().await.unwrap(), [false, true, true, true]);
        app.clock.advance(hour);
        sweep().await;
        assert_eq!(left().await.unwrap(), [false, true, false, true]);
        // While the family lives, whoever brings what was used ends it.
        app.clock.advance(Duration::from_hours(24 * 20));
        let third = client.refresh(&app, &second).await.expect(200).json();
        sweep().await;
        assert_eq!(left().await.unwrap(), [false, true, false, true]);
        refused(&client.exchange(&app, &used).await, 400, "invalid_grant");
        assert_eq!(status(&app, &third).await, 401);
        app.clock.advance(day + hour);
        sweep().await;
        assert_eq!(left().await.unwrap(), [false; 4]);
        let (id, act) = (client.id, app.act());
        app.app.write(move |tx| clients::any_delete(tx, id, &act)).await.unwrap();
        app.clock.advance(day + hour);
        sweep().await;
        let again = TestClient::new(&app, |again| again.client_id = client.client_id.clone());
        assert_ne!(again.await.id, client.id);
    }
}
