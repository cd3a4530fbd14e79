//! What is not certain of Bring, in one place. docs/carriers/bring.md lists it for people.

use std::time::Duration;

/// How long a booking may take to be found by its reference.
pub const SETTLE: Duration = Duration::from_hours(2);

/// Where people see where a parcel is when Bring does not say; its number follows.
pub const TRACKING_LINK: &str = "https://tracking.bring.com/tracking.html?q=";

/// The names of what customs are told: those of the description before this one, because the new
/// one is prose alone.
pub mod customs {
    /// What stands in the product.
    pub const INFORMATION: &str = "customsInformation";
    /// That we agree to what Bring does with it.
    pub const CONSENT: &str = "consent";
    /// Why it is sent.
    pub const NATURE: &str = "natureOfCargo";
    /// The list of what is in the parcels.
    pub const LINES: &str = "customsDeclarations";
    /// How many.
    pub const QUANTITY: &str = "quantity";
    /// What it is.
    pub const DESCRIPTION: &str = "goodsDescription";
    /// The customs tariff number.
    pub const ARTICLE: &str = "customsArticleNumber";
    /// Of all pieces of a line.
    pub const NET_WEIGHT: &str = "itemNetWeightInKg";
    /// Of all pieces of a line. It is spelled like this.
    pub const AMOUNT: &str = "tarriffLineAmount";
    /// Of the amount.
    pub const CURRENCY: &str = "currency";
    /// Where it was made.
    pub const ORIGIN: &str = "countryOfOrigin";
}
