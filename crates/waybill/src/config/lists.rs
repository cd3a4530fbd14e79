//! Settings that are lists.

use std::time::Duration;

use waybill_api::proxies::Proxies;
use waybill_domain::quota::Quotas;
use waybill_domain::retention::Retention;
use waybill_printing::PrinterNetworks;

use super::error::{ConfigError, SettingError};
use super::places::Places;
use super::times::time;

/// Where printers may be, and for how long jobs wait for one.
pub(super) fn printing(
    (networks, expire): (&str, &str),
    places: &Places,
) -> Result<(PrinterNetworks, Duration), ConfigError> {
    let wrong = |error| SettingError::Networks(error).at(places.of("printer-networks"));
    let networks = PrinterNetworks::parse(networks).map_err(wrong)?;
    let expire = time(expire).map_err(|error| error.at(places.of("print-jobs-expire")))?;
    Ok((networks, expire))
}

/// How much a team may have, and for how long things are kept.
pub(super) fn lists(
    (quotas, retention): (&str, &str),
    places: &Places,
) -> Result<(Quotas, Retention), ConfigError> {
    let wrong = |error| SettingError::Quotas(error).at(places.of("quotas"));
    let quotas = Quotas::parse(quotas).map_err(wrong)?;
    let wrong = |error| SettingError::Retention(error).at(places.of("retention"));
    let retention = Retention::parse(retention).map_err(wrong)?;
    Ok((quotas, retention))
}

/// Whose word about addresses is believed.
pub(super) fn proxies(given: Option<(String, String)>) -> Result<Proxies, ConfigError> {
    given.map_or(Ok(Proxies::default()), |(list, place)| {
        Proxies::parse(&list).map_err(|error| SettingError::Proxies(error).at(place))
    })
}
