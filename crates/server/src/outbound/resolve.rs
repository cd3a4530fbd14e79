//! From a name to its addresses. The system's resolver is the only one in use; a test has another,
//! because a name that changes its address between two questions cannot be had otherwise.

use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Where addresses come from.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// All addresses of a name, at this moment.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's own resolver.
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}
