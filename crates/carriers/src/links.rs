//! Files that a carrier's answer only links to. A link is what others wrote: it is called under the
//! rules of webhooks, and our credentials go to the carrier's own host alone.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{HeaderMap, LOCATION};
use tokio::time::timeout;
use waybill_domain::endpoint::Endpoint;
use waybill_outbound::line::{LABEL_BYTES_MAX, Response};
use waybill_outbound::{Failure, Network, Outbound};

use crate::base_url::BaseUrl;
use crate::booking::{Complaint, Why};

/// A link may lead on so many times.
const REDIRECTS_MAX: usize = 3;
/// The longest that a file may take, redirects included.
const TIME_MAX: Duration = Duration::from_secs(20);

/// Fetches what a carrier's answers link to.
#[derive(Clone)]
pub struct Links {
    outbound: Outbound,
    /// The address that the operator put in the place of the carrier's hosts. Links lead nowhere
    /// else then, and there they may be private.
    instead: Option<BaseUrl>,
}

/// Why there is no file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// The operator's address takes the place of all hosts, and this is another one.
    #[error("a link to elsewhere")]
    Elsewhere,
    /// The link is one that we do not call.
    #[error("a link that is not called: it must be https and lead to a public address")]
    NotAllowed,
    /// It leads on and on.
    #[error("a link that leads on more than {REDIRECTS_MAX} times")]
    TooFar,
    /// There is no answer, or it is longer than a label may be.
    #[error("a link without a usable answer ({0:?})")]
    NoAnswer(Failure),
    /// The answer is not the file.
    #[error("a link that is answered with status {0}")]
    Status(u16),
}

impl From<LinkError> for Why {
    /// What is wrong with a link, and not with the way to it, is told whoever waits for the file.
    fn from(error: LinkError) -> Why {
        let reason = error.to_string();
        match error {
            LinkError::NoAnswer(_) => Why::from(reason),
            _ => {
                let message = format!("The answer has no file, but {reason}");
                Why { reason, said: vec![Complaint { path: None, code: None, message }] }
            }
        }
    }
}

impl Links {
    /// Links in the answers of a carrier.
    pub(crate) fn new(network: &Network, instead: Option<BaseUrl>) -> Links {
        Links { outbound: Outbound::new(network.clone(), instead.is_some()), instead }
    }

    /// Gets the file. `credentials` are the headers that let us in, and go to the host `own` alone.
    pub async fn fetch(
        &self,
        link: &str,
        own: &BaseUrl,
        credentials: &HeaderMap,
    ) -> Result<Bytes, LinkError> {
        let fetched = timeout(TIME_MAX, self.follow(link, own, credentials)).await;
        fetched.unwrap_or(Err(LinkError::NoAnswer(Failure::TooSlow)))
    }

    async fn follow(
        &self,
        link: &str,
        own: &BaseUrl,
        credentials: &HeaderMap,
    ) -> Result<Bytes, LinkError> {
        let mut url = without_fragment(link).to_owned();
        for _ in 0..=REDIRECTS_MAX {
            let endpoint = Endpoint::parse(&url).ok_or(LinkError::NotAllowed)?;
            if self.instead.as_ref().is_some_and(|instead| !is_at(&endpoint, instead)) {
                return Err(LinkError::Elsewhere);
            }
            let headers = match is_at(&endpoint, own) {
                true => credentials.clone(),
                false => HeaderMap::new(),
            };
            let response = self.outbound.get(&url, headers, LABEL_BYTES_MAX).await;
            let response = response.map_err(|failure| match failure {
                Failure::NotAllowed => LinkError::NotAllowed,
                failure => LinkError::NoAnswer(failure),
            })?;
            match response.status.as_u16() {
                200 => return Ok(response.body),
                301 | 302 | 303 | 307 | 308 => {
                    let next = next(&endpoint, &response);
                    url = next.ok_or(LinkError::Status(response.status.as_u16()))?;
                }
                status => return Err(LinkError::Status(status)),
            }
        }
        Err(LinkError::TooFar)
    }
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(url, _)| url)
}

/// Whether an address has the scheme, the host and the port of a base.
fn is_at(endpoint: &Endpoint, base: &BaseUrl) -> bool {
    Endpoint::parse(&base.uri().to_string()).is_some_and(|base| {
        (endpoint.is_https, &endpoint.host, endpoint.port) == (base.is_https, &base.host, base.port)
    })
}

/// Where an answer leads on to.
fn next(from: &Endpoint, response: &Response) -> Option<String> {
    let to = without_fragment(response.headers.get(LOCATION)?.to_str().ok()?);
    let (scheme, authority) = (if from.is_https { "https" } else { "http" }, &from.authority);
    Some(match to {
        _ if to.contains("://") && !to.starts_with(['/', '?']) => to.to_owned(),
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ if to.starts_with('/') => format!("{scheme}://{authority}{to}"),
        _ => {
            let path = from.path.split('?').next().unwrap_or_default();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{scheme}://{authority}{folder}/{to}")
        }
    })
}
