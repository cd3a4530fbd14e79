//! How a carrier is reached.

use waybill_outbound::{Lines, Network};

use crate::answers::Timeouts;
use crate::base_url::BaseUrl;
use crate::links::Links;

/// What reaches a carrier. `main` and `other` tell where its hosts are.
#[derive(Clone)]
pub struct Connector {
    /// Opens connections.
    pub lines: Lines,
    /// Fetches files that its answers link to.
    pub links: Links,
    /// Where the operator says that the carrier is; none for its own hosts.
    pub base_url: Option<BaseUrl>,
    /// How long the carrier may take.
    pub timeouts: Timeouts,
}

impl Connector {
    /// What reaches it over this network.
    pub fn new(network: &Network, base_url: Option<BaseUrl>) -> Connector {
        let links = Links::new(network, base_url.clone());
        let timeouts = Timeouts::default();
        Connector { lines: Lines::new(network.clone()), links, base_url, timeouts }
    }

    /// The carrier's main host, or what the operator put in its place.
    pub fn main(&self, own: &'static str) -> BaseUrl {
        self.base_url.clone().unwrap_or_else(|| BaseUrl::own(own))
    }

    /// Another host of the carrier. Below the operator's address it has a folder with its name, so
    /// that one stub may play all hosts.
    pub fn other(&self, own: &'static str) -> BaseUrl {
        let own = BaseUrl::own(own);
        match (&self.base_url, own.uri().authority()) {
            (Some(base), Some(host)) => base.below(&format!("{host}{}", own.path(""))),
            _ => own,
        }
    }
}
