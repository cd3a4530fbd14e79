//! Finds printers: every address that a name has is checked before one of them is called.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use waybill_domain::printing::Uri;
use waybill_outbound::{DirectLine, Network};

use crate::address::PrinterNetworks;
use crate::error::LinkError;
use crate::link::Link;
use crate::report::PrinterReport;

/// A printer that does not take a connection in this time is not there.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(3);
/// Somebody waits while a new printer is asked.
const PROBE_TIME_MAX: Duration = Duration::from_secs(5);

/// The way to printers. It leads through no proxy. Cheap to clone.
#[derive(Clone)]
pub struct Printers {
    network: Network,
    networks: Arc<PrinterNetworks>,
}

impl Printers {
    /// Printers in these networks.
    pub fn new(network: Network, networks: PrinterNetworks) -> Printers {
        Printers { network, networks: Arc::new(networks) }
    }

    /// Asks a printer what it is, in a few seconds or not at all.
    pub async fn probe(&self, uri: &Uri) -> Result<PrinterReport, LinkError> {
        let asking = async { self.connect(uri).await?.attributes().await };
        timeout(PROBE_TIME_MAX, asking).await.unwrap_or(Err(LinkError::TimedOut))
    }

    /// Opens a connection to a printer.
    pub async fn connect(&self, uri: &Uri) -> Result<Link, LinkError> {
        Ok(Link::new(self.clone(), uri.clone(), self.dial(uri).await?))
    }

    /// A connection to an address that was checked just now.
    pub(crate) async fn dial(&self, uri: &Uri) -> Result<DirectLine, LinkError> {
        let may_call = |address| self.networks.allows(address);
        let dialling = DirectLine::dial(&self.network, &uri.endpoint, may_call, CONNECT_TIME_MAX);
        Ok(dialling.await?)
    }
}
