//! Finds printers: every address that a name has is checked before one of them is called.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use waybill_domain::document::Format;
use waybill_domain::printing::{Uri, VIRTUAL_PRINTER};
use waybill_outbound::{DirectLine, Network, Trust};

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
    virtual_printer: Option<Arc<Uri>>,
}

impl Printers {
    /// Printers in these networks, and the one inside this process, wherever that is.
    pub fn new(
        network: Network,
        networks: PrinterNetworks,
        virtual_printer: Option<Uri>,
    ) -> Printers {
        let virtual_printer = virtual_printer.map(Arc::new);
        Printers { network, networks: Arc::new(networks), virtual_printer }
    }

    /// Where a printer is now, of which this address is kept.
    pub fn locate(&self, kept: &str) -> Result<Uri, LinkError> {
        match (kept, &self.virtual_printer) {
            (VIRTUAL_PRINTER, Some(uri)) => Ok(Uri::clone(uri)),
            // Another server has it, or this one is no demo any more.
            (VIRTUAL_PRINTER, None) => Err(LinkError::NoConnection),
            _ => Uri::parse(kept).map_err(|_| LinkError::NotAllowed),
        }
    }

    /// Asks a printer what it is and what it does with these formats, or those that it takes by
    /// its own word: in a few seconds or not at all. Whoever is there is believed; the hash of the
    /// key is told when no authority vouches for it.
    pub async fn probe(
        &self,
        uri: &Uri,
        formats: Option<&[Format]>,
    ) -> Result<(PrinterReport, Option<String>), LinkError> {
        let asking = async {
            let mut link = self.connect_trusting(uri, Trust::Anybody).await?;
            let mut report = link.attributes().await?;
            link.learn_copies(&mut report.abilities, formats).await?;
            Ok((report, link.key()))
        };
        timeout(PROBE_TIME_MAX, asking).await.unwrap_or(Err(LinkError::TimedOut))
    }

    /// Opens a connection to a printer for which an authority vouches, if it speaks TLS.
    pub async fn connect(&self, uri: &Uri) -> Result<Link, LinkError> {
        self.connect_trusting(uri, Trust::Authorities).await
    }

    /// Opens a connection to a printer that may be believed for another reason.
    pub async fn connect_trusting(&self, uri: &Uri, trust: Trust) -> Result<Link, LinkError> {
        let line = self.dial(uri, &trust).await?;
        Ok(Link::new(self.clone(), (uri.clone(), trust), line))
    }

    /// A connection to an address that was checked just now.
    pub(crate) async fn dial(&self, uri: &Uri, trust: &Trust) -> Result<DirectLine, LinkError> {
        let is_ours = self.virtual_printer.as_deref() == Some(uri);
        let may_call = |address| is_ours || self.networks.allows(address);
        let to = (&uri.endpoint, trust);
        Ok(DirectLine::dial(&self.network, to, may_call, CONNECT_TIME_MAX).await?)
    }
}
