//! How a carrier is reached.

use std::sync::{Arc, Mutex, PoisonError};

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
    /// Which hosts were asked for.
    pub asked: AskedHosts,
}

/// The hosts of a carrier, as its adapter asks for them when it is opened.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CarrierHosts {
    /// The real service.
    pub main: Option<&'static str>,
    /// The service for trying things out, where that is another host.
    pub test: Option<&'static str>,
    /// The carrier's other hosts.
    pub others: Vec<&'static str>,
}

/// Notes which hosts an adapter asks for.
#[derive(Clone, Default)]
pub struct AskedHosts(Arc<Mutex<CarrierHosts>>);

impl AskedHosts {
    fn note(&self, note: impl FnOnce(&mut CarrierHosts)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Those that were asked for so far.
    pub fn all(&self) -> CarrierHosts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Connector {
    /// What reaches it over this network.
    pub fn new(network: &Network, base_url: Option<BaseUrl>) -> Connector {
        let links = Links::new(network, base_url.clone());
        let timeouts = Timeouts::default();
        let (lines, asked) = (Lines::new(network.clone()), AskedHosts::default());
        Connector { lines, links, base_url, timeouts, asked }
    }

    /// The carrier's main host, or what the operator put in its place.
    pub fn main(&self, own: &'static str) -> BaseUrl {
        self.asked.note(|hosts| hosts.main = Some(own));
        self.base_url.clone().unwrap_or_else(|| BaseUrl::own(own))
    }

    /// The host for trying things out, or what the operator put in its place, which is the same.
    pub fn test(&self, own: &'static str) -> BaseUrl {
        self.asked.note(|hosts| hosts.test = Some(own));
        self.base_url.clone().unwrap_or_else(|| BaseUrl::own(own))
    }

    /// Another host of the carrier. Below the operator's address it has a folder with its name, so
    /// that one stub may play all hosts.
    pub fn other(&self, own: &'static str) -> BaseUrl {
        self.asked.note(|hosts| hosts.others.push(own));
        let own = BaseUrl::own(own);
        match (&self.base_url, own.uri().authority()) {
            (Some(base), Some(host)) => base.below(&format!("{host}{}", own.path(""))),
            _ => own,
        }
    }
}
