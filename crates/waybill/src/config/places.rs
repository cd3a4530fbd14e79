//! Where settings come from.

use std::collections::BTreeMap;

/// Where each setting came from: what a complaint about it names.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Places(BTreeMap<String, String>);

impl Places {
    /// Of each setting that was given, its name and where.
    pub(super) fn new(given: impl Iterator<Item = (String, String)>) -> Places {
        Places(given.collect())
    }

    /// The flag, the variable or the line of the settings file; the flag for a default.
    pub fn of(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| format!("--{name}"))
    }
}
