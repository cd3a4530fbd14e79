//! Every carrier: one row each. A carrier is added with its folder, the `mod` line of that folder
//! and its row here.

use std::sync::Arc;

use waybill_domain::catalog::Catalog;
use waybill_outbound::Network;

use crate::carrier::Carrier;
use crate::catalog::{self, CatalogError};
pub use crate::connector::{CarrierHosts, Connector};
use crate::redacting_carrier::RedactingCarrier;
pub use crate::row::{Row, row};
use crate::sandbox;
use crate::urls::{CarrierUrls, UrlError};
use crate::{bring, budbee, dao, gls, postnord};

/// The carriers in the order that they are listed.
pub const CARRIERS: &[Row] = &[
    row("sandbox", include_str!("sandbox/catalog.toml"), Some(sandbox::open)),
    row("bring", include_str!("bring/catalog.toml"), Some(bring::open)),
    row("postnord", include_str!("postnord/catalog.toml"), Some(postnord::open)),
    row("gls", include_str!("gls/catalog.toml"), Some(gls::open)),
    row("dao", include_str!("dao/catalog.toml"), Some(dao::open)),
    row("budbee", include_str!("budbee/catalog.toml"), Some(budbee::open)),
    row("bifrost", include_str!("bifrost/catalog.toml"), None),
];

/// The adapters of all carriers that we can book with, and what every carrier offers.
pub struct Carriers {
    adapters: Vec<Arc<dyn Carrier>>,
    catalog: Catalog,
}

impl Carriers {
    /// All carriers of these rows. An address of a carrier that is not among them is an error.
    pub fn open(
        rows: &[Row],
        network: &Network,
        urls: &CarrierUrls,
    ) -> Result<Carriers, OpenError> {
        urls.check(rows)?;
        let catalog = match std::ptr::eq(rows, CARRIERS) {
            true => catalog::load()?,
            false => catalog::read_rows(rows)?,
        };
        let adapters = rows.iter().filter_map(|row| {
            let adapter = row.adapter.map(|open| open(Connector::new(network, urls.of(row.code))));
            adapter.map(|adapter| Arc::new(RedactingCarrier::new(adapter)) as Arc<dyn Carrier>)
        });
        Ok(Carriers { adapters: adapters.collect(), catalog })
    }

    /// What all of them offer.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The same, before the service runs: a measurement may want a larger one.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// Those that tell where their service points are.
    pub fn with_points(&self) -> impl Iterator<Item = Arc<dyn Carrier>> {
        self.adapters.iter().filter(|carrier| carrier.service_points().is_some()).cloned()
    }

    /// The carrier with this code, when we can book with it.
    pub fn get(&self, code: &str) -> Option<Arc<dyn Carrier>> {
        self.adapters.iter().find(|carrier| carrier.code() == code).cloned()
    }

    /// The codes of those that we can book with.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.adapters.iter().map(|carrier| carrier.code())
    }
}

/// Where a carrier that we can book with is by itself.
pub fn hosts(code: &str, network: &Network) -> Option<CarrierHosts> {
    let open = CARRIERS.iter().find(|row| row.code == code)?.adapter?;
    let connector = Connector::new(network, None);
    let asked = connector.asked.clone();
    drop(open(connector));
    Some(asked.all())
}

/// Why the carriers cannot be used at all.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OpenError {
    /// An address of a carrier is wrong.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// A carrier's own file is wrong.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_carrier_that_can_be_booked_with_tells_its_own_hosts() {
        let network = Network::new().unwrap();
        for row in CARRIERS.iter().filter(|row| row.code != "sandbox") {
            let found = hosts(row.code, &network);
            assert_eq!(found.is_some(), row.adapter.is_some(), "{}", row.code);
            let Some(found) = found else { continue };
            let all = found.main.iter().chain(&found.test).chain(&found.others);
            assert!(found.main.is_some(), "{}", row.code);
            assert!(all.into_iter().all(|host| host.starts_with("https://")), "{}", row.code);
        }
        assert!(hosts("gls", &network).is_some_and(|hosts| hosts.test.is_some()));
    }
}
