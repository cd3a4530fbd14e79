//! Gets a file from an address that others gave us, under the same rules as a delivery: checked
//! addresses, one attempt, no redirect.

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::Method;
use hyper::header::HeaderMap;
use waybill_domain::endpoint::Endpoint;

use crate::connection::{Connection, request};
use crate::line::Response;
use crate::public::{Failure, Outbound};

impl Outbound {
    /// Gets what is there, up to so many bytes; a longer answer counts as broken. The caller sets
    /// the time.
    pub async fn get(
        &self,
        url: &str,
        headers: HeaderMap,
        bytes_max: usize,
    ) -> Result<Response, Failure> {
        let endpoint = Endpoint::parse(url).ok_or(Failure::NotAllowed)?;
        let addresses = self.addresses(&endpoint).await?;
        let request = request(Method::GET, &endpoint, headers, Bytes::new())?;
        let mut connection = Connection::to(self.network(), &endpoint, &addresses).await?;
        let response = connection.send(request).await.map_err(|_| Failure::Broken)?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, bytes_max).collect().await.map_err(|_| Failure::Broken)?;
        Ok(Response { status: head.status, headers: head.headers, body: body.to_bytes() })
    }
}
