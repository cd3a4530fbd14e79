//! The way out to carriers and webhooks.

use waybill_outbound::{Network, Proxy};

use super::error::CliError;
use super::settings::check_text;

/// The way out, by way of the proxy that the environment names.
pub fn network() -> Result<Network, CliError> {
    for name in ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] {
        check_text(name)?;
    }
    let proxy = Proxy::read(|name| std::env::var(name).ok())?;
    Ok(Network::new()?.through(proxy))
}
