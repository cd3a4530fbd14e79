//! Tokens for apps, and what they open. Codes are put into the database as the page of consent
//! would do it.

mod clients;
mod codes;
mod endpoints;
mod introspection;
mod limits;
mod refreshing;
mod revoking;
mod servers;
mod using;

use axum::body::Body;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use waybill_domain::ids::{OAuthClientId, TeamId, UserId};
use waybill_domain::time::Clock;
use waybill_domain::token::{TokenKind, generate_client_id};
use waybill_store::members::Role;
use waybill_store::oauth::clients::{Client, insert as insert_client};
use waybill_store::oauth::codes::{Code, insert as insert_code};

use crate::harness::{Reply, TestApp};

pub const CALLBACK: &str = "https://app.example.dk/callback";
/// The example of RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A client with what it knows of itself.
pub struct TestClient {
    pub id: OAuthClientId,
    pub client_id: String,
    /// Empty when it is public.
    pub secret: String,
}

impl TestClient {
    /// A client that may do everything, with what is changed about it.
    pub async fn new(app: &TestApp, change: impl FnOnce(&mut Client)) -> TestClient {
        let ids = app.app.ids();
        let secret = TokenKind::ClientSecret.generate(ids.as_ref()).expose().clone();
        let mut client = Client {
            id: OAuthClientId(app.app.new_uuid()),
            client_id: generate_client_id(ids.as_ref()),
            name: "Warehouse app".to_owned(),
            is_public: false,
            secret_hash: TokenKind::ClientSecret.hash(&secret),
            team: Some(app.team),
            role: Some(Role::Member),
            scopes: "*".to_owned(),
            redirect_uris: vec![CALLBACK.to_owned()],
            created_at: app.clock.now(),
            last_used_at: None,
        };
        change(&mut client);
        let (id, client_id) = (client.id, client.client_id.clone());
        app.app.write(move |tx| insert_client(tx, &client)).await.unwrap();
        TestClient { id, client_id, secret }
    }

    /// An app that has no secret.
    pub async fn public(app: &TestApp) -> TestClient {
        let public = TestClient::new(app, |client| {
            (client.is_public, client.secret_hash) = (true, None);
            (client.team, client.role) = (None, None);
        });
        TestClient { secret: String::new(), ..public.await }
    }

    fn basic(&self) -> String {
        format!("Basic {}", STANDARD.encode(format!("{}:{}", self.client_id, self.secret)))
    }

    /// Asks with what it knows of itself: by Basic, or with its id alone.
    pub async fn ask(&self, app: &TestApp, path: &str, form: &str) -> Reply {
        match self.secret.is_empty() {
            true => post(app, path, None, &format!("{form}&client_id={}", self.client_id)).await,
            false => post(app, path, Some(&self.basic()), form).await,
        }
    }

    pub async fn token(&self, app: &TestApp, form: &str) -> Reply {
        self.ask(app, "/oauth/token", form).await
    }

    /// Tokens of its own.
    pub async fn own(&self, app: &TestApp) -> Value {
        self.token(app, "grant_type=client_credentials").await.expect(200).json()
    }

    /// The first tokens of a family.
    pub async fn agreed(&self, app: &TestApp, user: UserId) -> Value {
        let code = self.code(app, user, |_| {}).await;
        self.exchange(app, &code).await.expect(200).json()
    }

    /// The same, with everything that the user may do.
    pub async fn agreed_to_all(&self, app: &TestApp, user: UserId) -> Value {
        let code = self.code(app, user, |code| code.scopes = "*".to_owned()).await;
        self.exchange(app, &code).await.expect(200).json()
    }

    pub async fn exchange(&self, app: &TestApp, code: &str) -> Reply {
        self.token(app, &exchange(code)).await
    }

    pub async fn refresh(&self, app: &TestApp, tokens: &Value) -> Reply {
        let token = tokens["refresh_token"].as_str().unwrap();
        self.token(app, &format!("grant_type=refresh_token&refresh_token={token}")).await
    }

    /// A code to which a user agreed, with what is changed about it.
    pub async fn code(
        &self,
        app: &TestApp,
        user: UserId,
        change: impl FnOnce(&mut Code),
    ) -> String {
        let secret = TokenKind::Code.generate(app.app.ids().as_ref()).expose().clone();
        let hash = TokenKind::Code.hash(&secret).unwrap();
        let mut code = Code {
            client: self.id,
            redirect_uri: CALLBACK.to_owned(),
            is_redirect_sent: true,
            challenge: CHALLENGE.to_owned(),
            user,
            team: app.team,
            scopes: "teams:read shipments:read".to_owned(),
            created_at: app.clock.now(),
        };
        change(&mut code);
        app.app.write(move |tx| insert_code(tx, &code, &hash)).await.unwrap();
        secret
    }
}

/// The form that a good app sends with a code.
pub fn exchange(code: &str) -> String {
    format!(
        "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&redirect_uri={}",
        CALLBACK.replace(':', "%3A").replace('/', "%2F")
    )
}

pub async fn post(app: &TestApp, path: &str, authorization: Option<&str>, form: &str) -> Reply {
    let ask = app.post(path).header("content-type", "application/x-www-form-urlencoded");
    let ask = match authorization {
        Some(value) => ask.header("authorization", value),
        None => ask,
    };
    ask.body(Body::from(form.to_owned())).send().await
}

/// The user behind a token of the API.
pub async fn user_of(app: &TestApp, token: &str) -> UserId {
    let me = app.get("/v2/me").token(token).send().await.expect(200);
    UserId::parse(me.at("/data/uuid").as_str().unwrap()).unwrap()
}

pub async fn status(app: &TestApp, token: &Value) -> u16 {
    let path = format!("/v2/teams/{}", app.team);
    app.get(&path).token(access(token)).send().await.status
}

pub fn access(tokens: &Value) -> &str {
    tokens["access_token"].as_str().unwrap()
}

/// What RFC 6749 calls it.
#[track_caller]
pub fn refused(reply: &Reply, status: u16, error: &str) {
    assert_eq!(reply.status, status, "{}", String::from_utf8_lossy(&reply.bytes));
    assert_eq!(reply.at("/error"), error);
    assert!(reply.at("/error_description").as_str().is_some_and(|text| text.is_ascii()));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

pub async fn other_team(app: &TestApp) -> TeamId {
    app.team("other.example.com").await.0
}
