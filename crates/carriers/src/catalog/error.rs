//! What can be wrong with a carrier's own file.

/// What is wrong with a carrier's own file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CatalogError {
    /// It is not TOML of our shape.
    #[error("the catalog cannot be read: {file}: {source}")]
    Syntax {
        /// The file.
        file: String,
        /// Where, and what was expected there.
        source: Box<toml::de::Error>,
    },
    /// What all carriers share says something impossible.
    #[error("the catalog cannot be read: {0}")]
    Shared(Fault),
    /// A service says something impossible.
    #[error("the catalog cannot be read: {service}: {fault}")]
    Service {
        /// The code of the service.
        service: String,
        /// What it says.
        fault: Fault,
    },
}

/// Something impossible in a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A country that is none.
    #[error("{0} is not a country")]
    Country(String),
    /// A format that is none.
    #[error("{0} is not a format")]
    Format(String),
    /// A paper for customs that is none.
    #[error("{0} is not a paper for customs")]
    CustomsPaper(String),
    /// A time that is none.
    #[error("{0} is not a time")]
    Time(String),
    /// A slot of the day that is none.
    #[error("{0} is not a slot")]
    Slot(String),
    /// An addon that nobody described.
    #[error("{0} is not an addon")]
    Addon(String),
    /// An addon that has to be chosen and cannot be.
    #[error("{0} is required but not offered")]
    RequiredAddon(String),
    /// A text of any length.
    #[error("a text needs max")]
    TextWithoutMax,
    /// A kind of value that is none.
    #[error("{0} is not a kind of value")]
    ValueKind(String),
    /// A condition that always holds.
    #[error("a when has at least one condition")]
    EmptyWhen,
    /// A path that names several fields where one is meant.
    #[error("{0} is more than one field")]
    SeveralFields(String),
    /// A choice among one.
    #[error("one of several needs several")]
    OneOfOne,
    /// A currency that is none.
    #[error("{0} is not a currency")]
    Currency(String),
    /// A class of characters that is none.
    #[error("{0} is not a class of characters")]
    Characters(String),
}
