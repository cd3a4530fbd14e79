//! One type per kind of id, so that a team's id cannot stand where a user's belongs.

use std::fmt;

use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Reads the hyphenated form. Anything else is not an id of ours.
            pub fn parse(text: &str) -> Option<$name> {
                parse_uuid(text).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> $name {
                $name(uuid)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }
    )*};
}

ids! {
    /// A team: the owner of everything.
    TeamId;
    /// A person or machine that calls.
    UserId;
    /// An API token.
    TokenId;
    /// An invitation into a team.
    InvitationId;
    /// A shipment template.
    TemplateId;
    /// A shipment.
    ShipmentId;
    /// A set of shipments that are booked one at a time.
    BatchId;
    /// A team's account with a carrier.
    AccountId;
    /// A completed file.
    DocumentId;
    /// An end-of-day manifest.
    ManifestId;
    /// A report.
    ReportId;
    /// Documents that were joined.
    MergeId;
    /// Something that happened.
    EventId;
    /// An address that is told of events.
    WebhookId;
    /// One event on its way to one webhook.
    DeliveryId;
    /// A parcel that is followed.
    TrackingId;
    /// A printer.
    PrinterId;
    /// An attempt to print a file.
    PrintJobId;
    /// A program that prints in a warehouse.
    PrintAgentId;
    /// A browser in which a person signed in.
    SessionId;
    /// An app, or a program of a team.
    OAuthClientId;
    /// What a user agreed to for an app.
    GrantId;
    /// What lies in a warehouse.
    CatalogItemId;
    /// A change of stock.
    AdjustmentId;
    /// What a warehouse is asked for.
    FulfilmentId;
}

/// Reads a UUID in its hyphenated form only, in either case.
pub fn parse_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 { Uuid::try_parse(text).ok() } else { None }
}

/// Where ids and randomness come from.
pub trait IdSource: Send + Sync {
    /// A new version 7 UUID, later than every one before it.
    fn uuid(&self) -> Uuid;

    /// Fills the buffer with bytes that nobody can guess.
    fn fill(&self, buffer: &mut [u8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        assert!(TeamId::parse("0199a1b2-0000-7000-8000-000000000001").is_some());
        assert!(TeamId::parse("0199a1b2000070008000000000000001").is_none());
        assert!(TeamId::parse("{0199a1b2-0000-7000-8000-000000000001}").is_none());
        assert!(TeamId::parse("..").is_none());
    }
}
