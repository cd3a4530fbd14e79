//! Buckets of S3 and of what speaks like it. The region, the endpoint and the keys come from the
//! variables that every tool for S3 reads: `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY` and their kin, or from the machine's role.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};

use super::Environment;
use crate::outbound;

const CONNECT: Duration = Duration::from_secs(3);
/// Long enough for a large report, and shorter than the patience of those who wait.
const REQUEST: Duration = Duration::from_secs(14);
/// What fails at once is tried again for so long.
const RETRY: Duration = Duration::from_secs(5);

/// The bucket, seen from its prefix on.
pub fn reach(
    bucket: &str,
    prefix: &str,
    environment: &Environment,
) -> Result<Arc<dyn ObjectStore>, String> {
    let mut builder = AmazonS3Builder::new();
    for (name, value) in environment {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(1),
        base: 2.0,
    };
    let retry = RetryConfig { backoff, max_retries: 2, retry_timeout: RETRY };
    let built =
        builder.with_bucket_name(bucket).with_retry(retry).with_http_connector(Connector).build();
    let objects = built.map_err(|error| error.to_string())?;
    Ok(match prefix {
        "" => Arc::new(objects),
        prefix => Arc::new(PrefixStore::new(objects, Path::from(prefix))),
    })
}

/// Trusts whom our webhooks trust, and needs no provider of cryptography for the whole process.
/// Plain http is spoken where the endpoint says so.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let broken = |source: Box<dyn std::error::Error + Send + Sync>| {
            object_store::Error::Generic { store: "S3", source }
        };
        let tls = outbound::system_tls().map_err(|error| broken(error.into()))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(CONNECT)
            .timeout(REQUEST)
            .build();
        Ok(HttpClient::new(client.map_err(|error| broken(error.into()))?))
    }
}
