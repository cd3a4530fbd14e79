//! The address of the database.

use super::error::SettingError;

/// A database is named by a URL. Who gives the name of a file is told how to write it; what looks
/// like another URL is not repeated, because it may hold a password.
pub(super) fn check_database(given: &str) -> Result<(), SettingError> {
    let rest = ["sqlite:", "postgres://", "postgresql://"]
        .iter()
        .find_map(|scheme| given.strip_prefix(scheme));
    match rest {
        Some("") => Err(SettingError::NoDatabase),
        Some(_) => Ok(waybill_store::check_url(given)?),
        None if given.is_empty() || given.contains([':', '@']) => {
            Err(SettingError::UnknownDatabase)
        }
        None => Err(SettingError::DatabaseFile(given.to_owned())),
    }
}
