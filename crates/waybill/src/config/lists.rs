//! Settings that are lists.

use waybill_domain::quota::Quotas;
use waybill_domain::retention::Retention;
use waybill_printing::PrinterNetworks;

use super::Places;
use super::error::{ConfigError, SettingError};

/// Where printers may be.
pub(super) fn printer_networks(
    list: &str,
    places: &Places,
) -> Result<PrinterNetworks, ConfigError> {
    let wrong = |error| SettingError::Networks(error).at(places.of("printer-networks"));
    PrinterNetworks::parse(list).map_err(wrong)
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
