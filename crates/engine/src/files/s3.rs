//! Buckets of S3 and of what speaks like it. The region, the endpoint and the keys come from the
//! variables that every tool for S3 reads: `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY` and their kin. The role of the machine is asked for only where
//! `AWS_METADATA_ENDPOINT` says so: elsewhere nobody answers at its address, and the one who forgot
//! the keys would be told of a network that is not there. A bucket at an https endpoint is reached
//! by way of the operator's proxy, like everybody else.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use waybill_outbound::{Proxy, system_tls};

use super::{Environment, FilesError};

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
) -> Result<Arc<dyn ObjectStore>, FilesError> {
    let mut builder = AmazonS3Builder::new();
    for (name, value) in environment.iter().filter(|(_, value)| !value.is_empty()) {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    check_credentials(&builder)?;
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(1),
        base: 2.0,
    };
    let retry = RetryConfig { backoff, max_retries: 2, retry_timeout: RETRY };
    let variable = |name: &str| environment.iter().find(|(known, _)| known == name);
    let proxy = Proxy::read(|name| variable(name).map(|(_, value)| value.clone()));
    let connector = Connector { proxy: proxy? };
    let built =
        builder.with_bucket_name(bucket).with_retry(retry).with_http_connector(connector).build();
    let objects = built.map_err(FilesError::Open)?;
    Ok(match prefix {
        "" => Arc::new(objects),
        prefix => Arc::new(PrefixStore::new(objects, Path::from(prefix))),
    })
}

/// Fails when nothing says who we are.
fn check_credentials(builder: &AmazonS3Builder) -> Result<(), FilesError> {
    use AmazonS3ConfigKey as Key;
    let has = |key: Key| builder.get_config_value(&key).is_some();
    let missing = match (has(Key::AccessKeyId), has(Key::SecretAccessKey)) {
        (true, true) => return Ok(()),
        (true, false) => "AWS_SECRET_ACCESS_KEY",
        (false, true) => "AWS_ACCESS_KEY_ID",
        (false, false) => "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    };
    let is_anonymous = builder.get_config_value(&Key::SkipSignature).as_deref() == Some("true");
    let has_role = (has(Key::WebIdentityTokenFile) && has(Key::RoleArn))
        || has(Key::ContainerCredentialsRelativeUri)
        || (has(Key::ContainerCredentialsFullUri) && has(Key::ContainerAuthorizationTokenFile))
        || has(Key::MetadataEndpoint);
    let is_partial = has(Key::AccessKeyId) || has(Key::SecretAccessKey);
    match !is_partial && (is_anonymous || has_role) {
        true => Ok(()),
        false => Err(FilesError::NoCredentials(missing)),
    }
}

/// Trusts whom our webhooks trust, and needs no provider of cryptography for the whole process.
/// Plain http is spoken where the endpoint says so.
#[derive(Debug)]
struct Connector {
    proxy: Option<Proxy>,
}

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let broken = |source: Box<dyn std::error::Error + Send + Sync>| {
            object_store::Error::Generic { store: "S3", source }
        };
        let tls = system_tls().map_err(|error| broken(error.into()))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .connect_timeout(CONNECT)
            .timeout(REQUEST)
            // It would read the environment by rules of its own.
            .no_proxy();
        let client = match self.proxy.clone() {
            None => client,
            Some(proxy) => client.proxy(through(proxy)),
        };
        Ok(HttpClient::new(client.build().map_err(|error| broken(error.into()))?))
    }
}

/// The same proxy for the same hosts as for carriers and webhooks.
fn through(proxy: Proxy) -> reqwest::Proxy {
    reqwest::Proxy::custom(move |url| {
        let is_meant = url.scheme() == "https" && proxy.is_for(url.host_str()?);
        is_meant.then(|| proxy.url().expose().clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(variables: &[(&str, &str)]) -> Result<(), String> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = variables.iter().map(own).collect();
        reach("labels", "", &environment).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn missing_credentials_are_called_that_and_no_other_machine_is_asked() {
        let (id, secret) = (("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b"));
        let region = ("AWS_REGION", "eu-north-1");
        for (variables, missing) in [
            (vec![], "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
            (vec![region], "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
            (vec![id, ("AWS_SECRET_ACCESS_KEY", "")], "AWS_SECRET_ACCESS_KEY"),
            (vec![secret], "AWS_ACCESS_KEY_ID"),
            (
                vec![("AWS_ROLE_ARN", "arn:aws:iam::1:role/x")],
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            ),
        ] {
            let line = format!("the credentials for S3 are missing: set {missing}");
            assert_eq!(reached(&variables), Err(line));
        }
        let role =
            [("AWS_WEB_IDENTITY_TOKEN_FILE", "/token"), ("AWS_ROLE_ARN", "arn:aws:iam::1:role/x")];
        assert_eq!(reached(&role), Ok(()));
        assert_eq!(reached(&[id, secret]), Ok(()));
        assert_eq!(reached(&[("AWS_METADATA_ENDPOINT", "http://169.254.169.254")]), Ok(()));
        assert_eq!(reached(&[("AWS_SKIP_SIGNATURE", "true")]), Ok(()));
    }
}
