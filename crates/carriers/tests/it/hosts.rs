//! Where carriers are when nobody says otherwise.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use waybill_carriers::registry::Connector;
use waybill_carriers::{bring, budbee, dao, gls, postnord};
use waybill_outbound::{Network, Resolve};

use crate::conversation::{Open, account_of};

/// Knows no name, and remembers which it was asked for.
#[derive(Clone, Default)]
struct Nobody(Arc<Mutex<Vec<String>>>);

#[async_trait::async_trait]
impl Resolve for Nobody {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0.lock().unwrap().push(name.to_owned());
        Err(io::Error::other("nobody is there"))
    }
}

#[tokio::test]
async fn a_carrier_has_a_host_of_its_own_and_perhaps_one_for_trying_things_out() {
    let cases: [(Open, &str, &str); 5] = [
        (dao::open, "api.dao.as", "api.dao.as"),
        (budbee::open, "api.budbee.com", "api.staging.budbee.com"),
        (bring::open, "api.bring.com", "api.bring.com"),
        (postnord::open, "api2.postnord.com", "atapi2.postnord.com"),
        (gls::open, "api.gls-group.net", "api-sandbox.gls-group.net"),
    ];
    for (open, production, test) in cases {
        for (options, host) in [
            ("{}", production),
            (r#"{"environment":"production"}"#, production),
            (r#"{"environment":"test"}"#, test),
        ] {
            let nobody = Nobody::default();
            let network = Network::new().unwrap().resolving_with(Arc::new(nobody.clone()));
            let carrier = open(Connector::new(&network, None));
            let dialled = carrier.dial(&account_of("{}", options)).await;
            assert!(dialled.is_err());
            assert_eq!(*nobody.0.lock().unwrap(), [host], "{options}");
        }
    }
}
