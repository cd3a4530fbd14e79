//! Who may do what: a role in a team, and the scopes of the token that is used.

use std::fmt;

/// What a user is in a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Everything, also settings, carrier accounts, webhooks, printers, tokens and members.
    Admin,
    /// Everything about shipments, documents, printing, batches, templates and tracking.
    Member,
}

impl Role {
    /// The name in the API and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Role::Admin => "admin",
            Role::Member => "member",
        }
    }

    /// Reads the name.
    pub fn parse(name: &str) -> Option<Role> {
        match name {
            "admin" => Some(Role::Admin),
            "member" => Some(Role::Member),
            _ => None,
        }
    }
}

/// One permission, `area:read` or `area:write`. Writing does not include reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope(&'static str);

macro_rules! scopes {
    ($($name:ident = $text:literal,)*) => {
        impl Scope {
            $(#[doc = concat!("`", $text, "`")] pub const $name: Scope = Scope($text);)*
            /// Every scope there is.
            pub const ALL: &[Scope] = &[$(Scope::$name),*];
        }
    };
}

scopes! {
    TEAMS_READ = "teams:read",
    TEAMS_WRITE = "teams:write",
    SERVICE_POINTS_READ = "service-points:read",
    CARRIERS_READ = "carriers:read",
    ROUTES_READ = "routes:read",
    DELIVERY_OPTIONS_READ = "delivery-options:read",
    SHIPMENTS_READ = "shipments:read",
    SHIPMENTS_WRITE = "shipments:write",
    TRACKING_READ = "tracking:read",
    BOOKING_BATCHES_READ = "booking-batches:read",
    BOOKING_BATCHES_WRITE = "booking-batches:write",
    SHIPMENT_TEMPLATES_READ = "shipment-templates:read",
    SHIPMENT_TEMPLATES_WRITE = "shipment-templates:write",
    DOCUMENTS_READ = "documents:read",
    DOCUMENTS_WRITE = "documents:write",
    PRINTERS_READ = "printers:read",
    PRINTERS_WRITE = "printers:write",
    PRINT_JOBS_READ = "print-jobs:read",
    PRINT_JOBS_WRITE = "print-jobs:write",
    WEBHOOKS_READ = "webhooks:read",
    WEBHOOKS_WRITE = "webhooks:write",
    CARRIER_ACCOUNTS_READ = "carrier-accounts:read",
    CARRIER_ACCOUNTS_WRITE = "carrier-accounts:write",
    WMS_READ = "wms:read",
    WMS_WRITE = "wms:write",
}

impl Scope {
    /// What a print agent does. It is outside `*`, and nobody can ask for it: only the token that
    /// an agent gets when it registers has it.
    pub const PRINT_AGENT: Scope = Scope("print-agent");

    /// Reads the exact name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.iter().copied().find(|scope| scope.0 == name)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A scope that is none of [`Scope::ALL`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is none of {known} and *", known = known_names())]
pub struct UnknownScope(pub String);

fn known_names() -> String {
    let names: Vec<&str> = Scope::ALL.iter().map(|scope| scope.0).collect();
    names.join(", ")
}

/// The scopes of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scopes {
    is_all: bool,
    some: Vec<Scope>,
}

impl Scopes {
    /// `*`: all of what the user's role allows.
    pub fn all() -> Scopes {
        Scopes { is_all: true, some: Vec::new() }
    }

    /// What the token of a print agent may do, and nothing else.
    pub fn of_agent() -> Scopes {
        Scopes { is_all: false, some: vec![Scope::PRINT_AGENT] }
    }

    /// Reads scopes separated by spaces or commas.
    pub fn parse(text: &str) -> Result<Scopes, UnknownScope> {
        let mut scopes = Scopes { is_all: false, some: Vec::new() };
        for name in text.split([' ', ',']).filter(|name| !name.is_empty()) {
            if name == "*" {
                scopes.is_all = true;
            } else {
                scopes.some.push(Scope::parse(name).ok_or_else(|| UnknownScope(name.to_owned()))?);
            }
        }
        Ok(scopes)
    }

    /// Whether the token may do this.
    pub fn allow(&self, scope: Scope) -> bool {
        (self.is_all && Scope::ALL.contains(&scope)) || self.some.contains(&scope)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.some.iter().map(|scope| scope.0);
        let names: Vec<&str> = self.is_all.then_some("*").into_iter().chain(names).collect();
        f.write_str(&names.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_allows_everything_and_a_scope_only_itself() {
        let some = Scopes::parse("shipments:read,documents:read").unwrap();
        assert!(some.allow(Scope::SHIPMENTS_READ));
        assert!(!some.allow(Scope::SHIPMENTS_WRITE));
        assert!(Scope::ALL.iter().all(|scope| Scopes::all().allow(*scope)));
    }

    #[test]
    fn what_a_print_agent_does_is_outside_a_star_and_cannot_be_asked_for() {
        assert!(!Scopes::all().allow(Scope::PRINT_AGENT));
        assert_eq!(Scopes::parse("print-agent"), Err(UnknownScope("print-agent".to_owned())));
        let own = Scopes::of_agent();
        assert!(own.allow(Scope::PRINT_AGENT));
        assert!(Scope::ALL.iter().all(|scope| !own.allow(*scope)));
    }

    #[test]
    fn scopes_are_written_as_they_are_read() {
        for text in ["*", "shipments:read wms:write", ""] {
            assert_eq!(Scopes::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Scopes::parse("shipments:reed"), Err(UnknownScope("shipments:reed".to_owned())));
    }
}
