//! The settings file.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::SettingsFileError;
use super::table::SETTINGS;

/// Every setting of a file by its name.
pub(super) fn read_file(path: &Path) -> Result<BTreeMap<String, String>, SettingsFileError> {
    let text = std::fs::read_to_string(path)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = &text[..error.span().map_or(0, |span| span.start)];
        let line = before.matches('\n').count() + 1;
        SettingsFileError::NotToml { line, source: Box::new(error) }
    })?;
    let mut settings = BTreeMap::new();
    for (name, value) in table {
        let is_known = SETTINGS.iter().any(|setting| setting.name == name && name != "config");
        if !is_known {
            return Err(match meant(&name) {
                Some(meant) => SettingsFileError::Misspelled { name, meant },
                None => SettingsFileError::Unknown(name),
            });
        }
        let text = match value {
            toml::Value::Table(urls) if name == "carrier-url" => {
                listed(&urls).ok_or_else(|| SettingsFileError::NotAnAddress(name.clone()))?
            }
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(value) => value.to_string(),
            _ => return Err(SettingsFileError::NotAValue(name)),
        };
        settings.insert(name, text);
    }
    Ok(settings)
}

/// A table of addresses, as the flag spells them.
fn listed(urls: &toml::Table) -> Option<String> {
    let pair = |(code, url): (&String, &toml::Value)| Some(format!("{code}={}", url.as_str()?));
    let pairs: Option<Vec<String>> = urls.iter().map(pair).collect();
    Some(pairs?.join(","))
}

/// The setting that was meant by a name with other dashes or letters, or by that of its variable.
fn meant(name: &str) -> Option<&'static str> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
    let wanted = plain(name);
    let wanted = wanted.strip_prefix("waybill").unwrap_or(&wanted);
    let found = SETTINGS.iter().find(|setting| plain(setting.name) == wanted);
    found.map(|setting| setting.name).filter(|name| *name != "config")
}
