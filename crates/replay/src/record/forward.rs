//! Leads requests on to the carrier, and its answers back.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, LOCATION};
use hyper::{Method, Request, Response, Uri};
use waybill_domain::json::{Json, parse_within};
use waybill_outbound::line::{DialError, POINTS_BYTES_MAX, Response as Answered, SendError};
use waybill_outbound::{Lines, Network};

use super::links::Upstream;
use crate::file::VALUES_MAX;

/// Whoever asks gives up before.
const TIME_MAX: Duration = Duration::from_secs(120);

/// What is between two machines alone, and what we do not understand.
const OWN: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Why the carrier did not answer.
#[derive(Debug, thiserror::Error)]
pub enum ForwardError {
    #[error("the carrier is not there: {0}")]
    Dial(#[from] DialError),
    #[error("the carrier did not answer: {0}")]
    Send(#[from] SendError),
    #[error("the request cannot be led on: {0}")]
    Request(#[from] hyper::http::Error),
}

/// The way to the carrier.
pub struct Forward {
    lines: Lines,
    upstream: Upstream,
    our_url: String,
}

impl Forward {
    pub fn new(network: Network, upstream: Upstream, our_url: String) -> Forward {
        Forward { lines: Lines::new(network), upstream, our_url }
    }

    /// Sends the request on, once. In the answer, links to the carrier lead to us.
    pub async fn send(&self, asked: &Asked) -> Result<Answered, ForwardError> {
        let path = asked.uri.path_and_query().map_or("/", |path| path.as_str());
        let (host, path) = self.upstream.place(path);
        let mut request = Request::builder().method(&asked.method).uri(path);
        for (name, value) in kept(&asked.headers) {
            request = request.header(name, value);
        }
        let request = request.body(asked.body.clone())?;
        let line = self.lines.dial(&host.uri).await?.reading_up_to(POINTS_BYTES_MAX);
        let mut answered = line.send(request, TIME_MAX).await?;
        answered.body = self.led_back(answered.body);
        if let Some(place) = answered.headers.get(LOCATION).and_then(|it| it.to_str().ok()) {
            let place = self.upstream.ours(place, &self.our_url);
            if let Ok(place) = HeaderValue::from_str(&place) {
                answered.headers.insert(LOCATION, place);
            }
        }
        Ok(answered)
    }

    /// The answer for whoever asked.
    pub fn response(&self, answered: &Answered) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(answered.body.clone()));
        *response.status_mut() = answered.status;
        for (name, value) in kept(&answered.headers) {
            response.headers_mut().append(name.clone(), value.clone());
        }
        response.headers_mut().insert(CONTENT_LENGTH, answered.body.len().into());
        response
    }

    /// JSON may write the slashes of a link in another way.
    fn led_back(&self, body: Bytes) -> Bytes {
        let Ok(text) = std::str::from_utf8(&body) else { return body };
        if let Ok(json) = parse_within(&body, VALUES_MAX) {
            let ours = self.all_ours(&json);
            return if ours == json { body } else { Bytes::from(ours.to_string()) };
        }
        let ours = self.upstream.ours(text, &self.our_url);
        if ours == text { body } else { Bytes::from(ours) }
    }

    fn all_ours(&self, json: &Json) -> Json {
        match json {
            Json::Text(text) => Json::Text(self.upstream.ours(text, &self.our_url)),
            Json::List(list) => Json::list(list.iter().map(|value| self.all_ours(value))),
            Json::Object(members) => {
                let ours = members.iter().map(|(name, it)| (name.clone(), self.all_ours(it)));
                Json::Object(ours.collect())
            }
            other => other.clone(),
        }
    }
}

fn kept(headers: &HeaderMap) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
    headers.iter().filter(|(name, _)| !OWN.contains(&name.as_str()))
}
