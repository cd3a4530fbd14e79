//! Who may do what: a role in a team, and the scopes of the token that is used.

use std::fmt;

use crate::time::Time;
use crate::words::Message;

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

/// Whether a member must stay an administrator, because the team has no other. `role` is the new
/// one; none for a member who leaves.
pub fn last_admin_stays(old: Role, role: Option<Role>, admins: i64) -> bool {
    old == Role::Admin && role != Some(Role::Admin) && admins <= 1
}

/// What an invitation is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvitationState {
    /// It can be used.
    Pending,
    /// It was used.
    Accepted,
    /// Nobody used it in time.
    Expired,
    /// It was taken back, or replaced by a newer one.
    Revoked,
}

impl InvitationState {
    /// The state by what happened and by the time. What was taken back after its end is over, not
    /// taken back.
    pub fn of(
        accepted_at: Option<Time>,
        revoked_at: Option<Time>,
        expires_at: Time,
        now: Time,
    ) -> InvitationState {
        match (accepted_at, revoked_at) {
            (Some(_), _) => InvitationState::Accepted,
            (None, Some(at)) if at < expires_at => InvitationState::Revoked,
            (None, None) if now < expires_at => InvitationState::Pending,
            (None, _) => InvitationState::Expired,
        }
    }

    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            InvitationState::Pending => "pending",
            InvitationState::Accepted => "accepted",
            InvitationState::Expired => "expired",
            InvitationState::Revoked => "revoked",
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
    MEMBERS_READ = "members:read",
    MEMBERS_WRITE = "members:write",
    TOKENS_READ = "tokens:read",
    TOKENS_WRITE = "tokens:write",
    LOGS_READ = "logs:read",
    STATS_READ = "stats:read",
    OPERATOR_READ = "operator:read",
    OPERATOR_WRITE = "operator:write",
}

impl Scope {
    /// What a print agent does. It is outside `*`, and nobody can ask for it: only the token that
    /// an agent gets when it registers has it.
    pub const PRINT_AGENT: Scope = Scope("print-agent");

    /// `*`, as something that an operation asks for: only a token with all scopes has it.
    pub const EVERYTHING: Scope = Scope("*");

    /// Reads the exact name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.iter().copied().find(|scope| scope.0 == name)
    }

    /// Whether it is for operators of the installation. It belongs to no team, so nothing that is
    /// bound to a team ever has it.
    pub fn is_operators(self) -> bool {
        !self.is_for_apps()
    }

    /// Whether an app may have it. What is done for the whole installation is done by its operators
    /// themselves.
    pub fn is_for_apps(self) -> bool {
        self != Scope::OPERATOR_READ && self != Scope::OPERATOR_WRITE
    }

    /// The scopes that an app may have.
    pub fn for_apps() -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(|scope| scope.is_for_apps())
    }

    /// What it allows, for people.
    pub fn in_words(self) -> Message {
        // A variant of a sentence has no colon in its name.
        Message::new("scope").text("scope", self.0.replace(':', "-"))
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
        let is_in_all = scope == Scope::EVERYTHING || Scope::ALL.contains(&scope);
        (self.is_all && is_in_all) || self.some.contains(&scope)
    }

    /// Whether this one stands among them by its name.
    pub fn names(&self, scope: Scope) -> bool {
        self.some.contains(&scope)
    }

    /// Whether it is none at all.
    pub fn is_empty(&self) -> bool {
        !self.is_all && self.some.is_empty()
    }

    /// Whether it is everything.
    pub fn is_all(&self) -> bool {
        self.is_all
    }

    /// Whether all of the others are in these. `*` is in nothing but `*`.
    pub fn contain(&self, others: &Scopes) -> bool {
        self.is_all || (!others.is_all && others.some.iter().all(|scope| self.some.contains(scope)))
    }

    /// The same, each once and in the order of [`Scope::ALL`]. `*` has all others in it.
    pub fn in_order(&self) -> Scopes {
        let is_named = |scope: &Scope| !self.is_all && self.some.contains(scope);
        let some = Scope::ALL.iter().copied().filter(is_named).collect();
        Scopes { is_all: self.is_all, some }
    }

    /// What they allow, for people: a sentence for each.
    pub fn in_words(&self) -> Vec<Message> {
        match self.is_all {
            true => vec![Message::new("scope").text("scope", "all")],
            false => self.some.iter().map(|scope| scope.in_words()).collect(),
        }
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
    use crate::language::Language;

    #[test]
    fn a_star_allows_everything_and_a_scope_only_itself() {
        let some = Scopes::parse("shipments:read,documents:read").unwrap();
        assert!(some.allow(Scope::SHIPMENTS_READ));
        assert!(!some.allow(Scope::SHIPMENTS_WRITE) && !some.allow(Scope::EVERYTHING));
        assert!(Scopes::all().allow(Scope::EVERYTHING));
        assert!(Scope::ALL.iter().all(|scope| Scopes::all().allow(*scope)));
    }

    #[test]
    fn a_team_never_loses_its_last_administrator() {
        let (admin, member) = (Role::Admin, Role::Member);
        assert!(last_admin_stays(admin, Some(member), 1) && last_admin_stays(admin, None, 1));
        assert!(!last_admin_stays(admin, Some(admin), 1));
        assert!(!last_admin_stays(admin, None, 2) && !last_admin_stays(member, None, 1));
    }

    #[test]
    fn an_invitation_is_what_happened_to_it_first() {
        let (early, late, now) = (Some(Time(5)), Some(Time(15)), Time(7));
        let end = Time(10);
        let state = |accepted, revoked, now| InvitationState::of(accepted, revoked, end, now);
        assert_eq!(state(None, None, now), InvitationState::Pending);
        assert_eq!(state(None, None, end), InvitationState::Expired);
        assert_eq!(state(early, None, late.unwrap()), InvitationState::Accepted);
        assert_eq!(state(None, early, late.unwrap()), InvitationState::Revoked);
        assert_eq!(state(None, late, late.unwrap()), InvitationState::Expired);
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
    fn scopes_are_put_in_order_and_each_is_there_once() {
        let scopes = Scopes::parse("wms:read shipments:read wms:read teams:read").unwrap();
        assert_eq!(scopes.in_order().to_string(), "teams:read shipments:read wms:read");
        assert_eq!(Scopes::parse("teams:read *").unwrap().in_order().to_string(), "*");
    }

    #[test]
    fn a_star_is_in_nothing_but_a_star() {
        let named = Scopes::parse("shipments:read wms:read").unwrap();
        let narrow = Scopes::parse("wms:read").unwrap();
        assert!(Scopes::all().contain(&named) && Scopes::all().contain(&Scopes::all()));
        assert!(named.contain(&narrow) && !narrow.contain(&named));
        assert!(!named.contain(&Scopes::all()));
    }

    #[test]
    fn every_scope_has_words_of_its_own_in_every_language() {
        for language in Language::ALL {
            let mut seen = vec![Message::new("scope").text("scope", "?").say(language)];
            let all = Scopes::all().in_words();
            for message in Scope::ALL.iter().map(|scope| scope.in_words()).chain(all) {
                let words = message.say(language);
                assert!(!seen.contains(&words), "{language}: {words}");
                seen.push(words);
            }
        }
    }

    #[test]
    fn scopes_are_written_as_they_are_read() {
        for text in ["*", "shipments:read wms:write", ""] {
            assert_eq!(Scopes::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Scopes::parse("shipments:reed"), Err(UnknownScope("shipments:reed".to_owned())));
    }
}
