//! Asking the router, and reading what it answers. Every answer is held against the contract.

use axum::body::Body;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;
use waybill_api::taken::WhenTaken;
use waybill_oracle::Answer;

use super::{TestApp, contract};

pub struct Ask<'a> {
    app: &'a TestApp,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Body,
}

/// An answer that the contract allows.
pub struct Reply(Answer);

impl<'a> Ask<'a> {
    pub fn new(app: &'a TestApp, method: &str, path: &str) -> Ask<'a> {
        let (method, path) = (method.to_owned(), path.to_owned());
        Ask { app, method, path, headers: Vec::new(), body: Body::empty() }
    }

    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Ask<'a> {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub fn token(self, token: &str) -> Ask<'a> {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// As the team's administrator.
    pub fn admin(self) -> Ask<'a> {
        let token = self.app.admin.clone();
        self.token(&token)
    }

    pub fn json(self, body: &str) -> Ask<'a> {
        self.header("content-type", "application/json").body(Body::from(body.to_owned()))
    }

    pub fn body(mut self, body: Body) -> Ask<'a> {
        self.body = body;
        self
    }

    pub async fn send(self) -> Reply {
        let router = &self.app.router;
        send(router, self.request()).await
    }

    /// The same for a caller who is gone before it has read the answer.
    pub async fn send_and_leave(self) -> Reply {
        let router = &self.app.router;
        let (reply, _nobody) = receive(router, self.request()).await;
        reply
    }

    /// The answer as it begins, for one that goes on.
    pub async fn begin(self) -> Response<Body> {
        let router = self.app.router.clone();
        router.oneshot(self.request()).await.unwrap()
    }

    fn request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method.as_str()).uri(&self.path);
        for (name, value) in &self.headers {
            request = request.header(name, value.as_slice());
        }
        request.body(self.body).unwrap()
    }
}

/// Sends a request of any making to any server, and reads all of the answer. Every answer must be
/// one of the contract.
pub async fn send(router: &axum::Router, request: Request<Body>) -> Reply {
    let (reply, when_taken) = receive(router, request).await;
    if let Some(act) = when_taken {
        act.tell();
    }
    reply
}

/// An answer, and what its server does when it hears that all of it was read.
async fn receive(router: &axum::Router, request: Request<Body>) -> (Reply, Option<WhenTaken>) {
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    let response = router.clone().oneshot(request).await.unwrap();
    let (mut parts, body) = response.into_parts();
    let when_taken = parts.extensions.remove::<WhenTaken>();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, bytes };
    (Reply::new(&method, &path, answer), when_taken)
}

impl std::ops::Deref for Reply {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.0
    }
}

impl Reply {
    /// The answer to this request.
    #[track_caller]
    pub fn new(method: &str, path: &str, answer: Answer) -> Reply {
        contract::validate(method, path, &answer);
        Reply(answer)
    }

    /// The answer to bytes that are not a request.
    #[track_caller]
    pub fn refusal(answer: Answer) -> Reply {
        contract::validate_refusal(&answer);
        Reply(answer)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("a JSON body")
    }

    /// A part of the body by JSON pointer.
    pub fn at(&self, pointer: &str) -> Value {
        let body = self.json();
        body.pointer(pointer).unwrap_or_else(|| panic!("{pointer} in {body}")).clone()
    }

    /// The paths of a 422.
    pub fn problems(&self) -> Vec<String> {
        assert_eq!(self.status, 422, "{}", String::from_utf8_lossy(&self.bytes));
        self.at("/errors").as_object().unwrap().keys().cloned().collect()
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Reply {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        self
    }
}
