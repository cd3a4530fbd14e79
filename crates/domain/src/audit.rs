//! The audit log: who did what to what. A line is written in the transaction of the change itself,
//! and nothing changes it afterwards. It never holds a secret, nor what a team knows of its
//! customers.

use std::sync::Arc;

use uuid::Uuid;

use crate::json::Json;
use crate::time::Time;

/// What stands for both sides of a change that nobody may read.
pub const HIDDEN: &str = "[changed]";

/// What kind of somebody did it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActorKind {
    /// A person, in the console.
    User,
    /// Whoever has an API token.
    Token,
    /// A program with credentials of its own.
    Client,
    /// Whoever runs the server, by its command line.
    Operator,
    /// The service, by itself.
    System,
}

impl ActorKind {
    /// The name in the API and in the database.
    pub fn name(self) -> &'static str {
        match self {
            ActorKind::User => "user",
            ActorKind::Token => "token",
            ActorKind::Client => "client",
            ActorKind::Operator => "operator",
            ActorKind::System => "system",
        }
    }
}

/// Who did it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Actor {
    /// What kind of somebody.
    pub kind: ActorKind,
    /// The id of the user, token or client.
    pub id: Option<Uuid>,
    /// How it was called then. A token's, and an app's that acts for a user, is the user's name, a
    /// slash and its own.
    pub name: String,
}

impl Actor {
    /// Whoever has this token of this user.
    pub fn token(id: Uuid, (user, token): (&str, &str)) -> Actor {
        Actor { kind: ActorKind::Token, id: Some(id), name: format!("{user} / {token}") }
    }

    /// A program with credentials of its own.
    pub fn client(id: Uuid, name: &str) -> Actor {
        Actor { kind: ActorKind::Client, id: Some(id), name: name.to_owned() }
    }

    /// An app that acts for this user.
    pub fn app(id: Uuid, (user, app): (&str, &str)) -> Actor {
        Actor { kind: ActorKind::Client, id: Some(id), name: format!("{user} / {app}") }
    }

    /// A person who signed in in a browser.
    pub fn user(id: Uuid, name: &str) -> Actor {
        Actor { kind: ActorKind::User, id: Some(id), name: name.to_owned() }
    }

    /// The command line. It is one for everybody who may use it.
    pub fn operator() -> Actor {
        Actor { kind: ActorKind::Operator, id: None, name: "waybill".to_owned() }
    }

    /// The service, by itself.
    pub fn system() -> Actor {
        Actor { kind: ActorKind::System, id: None, name: "waybill".to_owned() }
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What was done.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Action {
            $($(#[$doc])* $name,)*
        }

        impl Action {
            /// All of them.
            pub const ALL: &[Action] = &[$(Action::$name),*];
            /// Their names.
            pub const NAMES: &[&'static str] = &[$($text),*];

            /// The name in the API and in the database.
            pub fn name(self) -> &'static str {
                match self {
                    $(Action::$name => $text,)*
                }
            }
        }
    };
}

actions! {
    /// Somebody signed in.
    UserSignedIn = "user.signed_in",
    /// Somebody tried to, and could not.
    UserSignInFailed = "user.sign_in_failed",
    /// A user's name or language changed.
    UserUpdated = "user.updated",
    /// A user was deleted.
    UserDeleted = "user.deleted",
    /// A password was set or taken away.
    UserPasswordChanged = "user.password_changed",
    /// A user came into the team.
    MemberAdded = "member.added",
    /// A member may do more or less than before.
    MemberRoleChanged = "member.role_changed",
    /// A user left the team.
    MemberRemoved = "member.removed",
    /// Somebody was invited.
    InvitationCreated = "invitation.created",
    /// An invitation was taken back.
    InvitationRevoked = "invitation.revoked",
    /// A token was made.
    TokenCreated = "token.created",
    /// A token was ended.
    TokenRevoked = "token.revoked",
    /// An OAuth client was made.
    OAuthClientCreated = "oauth_client.created",
    /// An OAuth client got another secret.
    OAuthClientSecretRotated = "oauth_client.secret_rotated",
    /// An OAuth client is gone.
    OAuthClientDeleted = "oauth_client.deleted",
    /// A user let an app act in the team.
    OAuthGrantCreated = "oauth_grant.created",
    /// An app may no longer act in the team.
    OAuthGrantEnded = "oauth_grant.ended",
    /// The settings changed.
    SettingsUpdated = "settings.updated",
    /// An account with a carrier was added.
    CarrierAccountCreated = "carrier_account.created",
    /// An account with a carrier changed.
    CarrierAccountUpdated = "carrier_account.updated",
    /// An account with a carrier was removed.
    CarrierAccountDeleted = "carrier_account.deleted",
    /// The rates were replaced.
    RatesReplaced = "rates.replaced",
    /// A webhook was added.
    WebhookCreated = "webhook.created",
    /// A webhook changed.
    WebhookUpdated = "webhook.updated",
    /// A webhook was removed.
    WebhookDeleted = "webhook.deleted",
    /// A webhook got another secret.
    WebhookSecretRotated = "webhook.secret_rotated",
    /// Old events were sent to a webhook again.
    WebhookReplayed = "webhook.replayed",
    /// A printer was added.
    PrinterCreated = "printer.created",
    /// A printer changed.
    PrinterUpdated = "printer.updated",
    /// A printer was removed.
    PrinterDeleted = "printer.deleted",
    /// A print agent was added, with a code to register with.
    PrintAgentCreated = "print_agent.created",
    /// A print agent changed.
    PrintAgentUpdated = "print_agent.updated",
    /// A print agent got another code to register with.
    PrintAgentCodeRenewed = "print_agent.code_renewed",
    /// A print agent registered.
    PrintAgentRegistered = "print_agent.registered",
    /// A print agent was removed.
    PrintAgentRemoved = "print_agent.removed",
    /// A shipment was cancelled.
    ShipmentCancelled = "shipment.cancelled",
    /// A shipment was deleted.
    ShipmentDeleted = "shipment.deleted",
    /// The documents of a shipment were asked for again.
    DocumentsRecovered = "documents.recovered",
    /// A batch was started.
    BatchStarted = "batch.started",
    /// A batch was stopped.
    BatchStopped = "batch.stopped",
    /// The shipments of a file became a batch.
    ImportBooked = "import.booked",
    /// The team was added.
    TeamCreated = "team.created",
    /// The team's name or language changed.
    TeamUpdated = "team.updated",
    /// The team was deleted.
    TeamDeleted = "team.deleted",
    /// The team's logo changed.
    LogoChanged = "logo.changed",
}

/// What it was done to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// What kind of thing, such as `webhook`.
    pub kind: &'static str,
    /// Its id.
    pub id: Uuid,
    /// How it was called then, if it has a name that may be kept.
    pub name: Option<String>,
}

impl Subject {
    /// A thing with a name.
    pub fn named(kind: &'static str, id: impl Into<Uuid>, name: impl Into<String>) -> Subject {
        Subject { kind, id: id.into(), name: Some(name.into()) }
    }

    /// A thing that has no name, or one that may hold what a customer is called.
    pub fn unnamed(kind: &'static str, id: impl Into<Uuid>) -> Subject {
        Subject { kind, id: id.into(), name: None }
    }
}

/// By whom something is done, when and for which request: what all lines of it have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// The id of its line.
    pub id: Uuid,
    /// When it was done.
    pub at: Time,
    /// Who did it.
    pub actor: Arc<Actor>,
    /// The request that asked for it.
    pub request_id: Option<String>,
    /// The address of whoever asked.
    pub address: Option<String>,
}

impl Act {
    /// Something that the service does by itself, perhaps because a request asked for it before.
    pub fn by_system(id: Uuid, at: Time, request_id: Option<String>) -> Act {
        Act { id, at, actor: Arc::new(Actor::system()), request_id, address: None }
    }

    /// The same act by somebody who is known only now.
    #[must_use]
    pub fn by(&self, actor: Actor) -> Act {
        Act { actor: Arc::new(actor), ..self.clone() }
    }

    /// The act for one more line of it: each has an id of its own. They stand in this order.
    #[must_use]
    pub fn line(&self, number: usize) -> Act {
        // Above the bits that sources of ids count in.
        let id = self.id.as_u128().wrapping_add((number as u128) << 32);
        Act { id: Uuid::from_u128(id), ..self.clone() }
    }

    /// Something that is done by the command line.
    pub fn by_operator(id: Uuid, at: Time) -> Act {
        Act { id, at, actor: Arc::new(Actor::operator()), request_id: None, address: None }
    }
}

/// What changed, as values at their dotted paths.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes(Vec<(String, Json, Json)>);

impl Changes {
    /// Nothing that can be told.
    pub fn none() -> Changes {
        Changes::default()
    }

    /// What is different between two states of a thing. Lists are compared as a whole.
    pub fn between(old: &Json, new: &Json) -> Changes {
        let mut found = Vec::new();
        compare(String::new(), old, new, &mut found);
        Changes(found)
    }

    /// What a new thing has.
    pub fn made(new: &Json) -> Changes {
        Changes::between(&Json::Null, new)
    }

    /// One more value.
    #[must_use]
    pub fn and(mut self, path: &str, from: Json, to: Json) -> Changes {
        if from != to {
            self.0.push((path.to_owned(), from, to));
        }
        self
    }

    /// The same, where nobody may read what is at these paths, or below them.
    #[must_use]
    pub fn hiding(mut self, hidden: &[&str]) -> Changes {
        let is_hidden = |path: &str| {
            hidden.iter().any(|name| {
                path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        for (path, from, to) in &mut self.0 {
            if is_hidden(path) {
                path.truncate(path.find('.').unwrap_or(path.len()));
                (*from, *to) = (HIDDEN.into(), HIDDEN.into());
            }
        }
        self.0.dedup_by(|next, first| next.0 == first.0);
        self
    }

    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As they are stored and shown.
    pub fn to_json(&self) -> Json {
        Json::list(self.0.iter().map(|(path, from, to)| {
            Json::object([
                ("path", path.as_str().into()),
                ("from", from.clone()),
                ("to", to.clone()),
            ])
        }))
    }
}

fn compare(path: String, old: &Json, new: &Json, found: &mut Vec<(String, Json, Json)>) {
    if old == new {
        return;
    }
    let below = |name: &str| match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}.{name}"),
    };
    let members = |json: &Json| match json {
        Json::Object(members) => Some(members.clone()),
        Json::Null => Some(Vec::new()),
        _ => None,
    };
    let is_object = matches!(old, Json::Object(_)) || matches!(new, Json::Object(_));
    let (true, Some(before), Some(after)) = (is_object, members(old), members(new)) else {
        found.push((path, old.clone(), new.clone()));
        return;
    };
    let added = after.iter().filter(|(name, _)| old.member(name).is_none());
    for (name, _) in before.iter().chain(added) {
        let value = |json: &Json| json.member(name).cloned().unwrap_or(Json::Null);
        compare(below(name), &value(old), &value(new), found);
    }
}

/// An address as it may be told: without what stands behind a question mark, which may be a secret.
pub fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn json(text: &str) -> Json {
        parse(text.as_bytes()).unwrap()
    }

    fn changes(old: &str, new: &str) -> Changes {
        Changes::between(&json(old), &json(new))
    }

    #[test]
    fn what_is_different_is_told_at_its_path_and_nothing_else() {
        let found = changes(
            r#"{"a":1,"b":{"c":[1],"d":null,"e":5},"f":"x"}"#,
            r#"{"a":1,"b":{"c":[1,2],"d":7},"f":"y","g":true}"#,
        );
        let told = r#"[{"path":"b.c","from":[1],"to":[1,2]},{"path":"b.d","from":null,"to":7},
            {"path":"b.e","from":5,"to":null},{"path":"f","from":"x","to":"y"},
            {"path":"g","from":null,"to":true}]"#;
        assert_eq!(found.to_json(), json(told));
        assert!(changes(r#"{"a":{"b":1}}"#, r#"{"a":{"b":1}}"#).is_empty());
    }

    #[test]
    fn a_new_thing_is_told_with_what_it_has() {
        let made = Changes::made(&json(r#"{"name":"x","more":{"a":null,"b":2}}"#));
        let told = r#"[{"path":"name","from":null,"to":"x"},{"path":"more.b","from":null,"to":2}]"#;
        assert_eq!(made.to_json(), json(told));
    }

    #[test]
    fn what_is_hidden_says_that_it_changed_and_no_more() {
        let found = changes(
            r#"{"name":"a","credentials":{"key":"old","id":1}}"#,
            r#"{"name":"b","credentials":{"key":"new","id":2}}"#,
        );
        let told = r#"[{"path":"name","from":"a","to":"b"},
            {"path":"credentials","from":"[changed]","to":"[changed]"}]"#;
        assert_eq!(found.hiding(&["credentials"]).to_json(), json(told));
        let other = changes(r#"{"credentials_note":"a"}"#, r#"{"credentials_note":"b"}"#);
        assert_eq!(other.clone().hiding(&["credentials"]), other);
    }

    #[test]
    fn an_action_has_a_name_of_its_own() {
        let mut names: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
        assert_eq!(names, Action::NAMES);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Action::ALL.len());
    }

    #[test]
    fn an_address_is_told_without_its_query() {
        assert_eq!(without_query("https://x.example/a?token=b#c"), "https://x.example/a");
        assert_eq!(without_query("https://x.example/a"), "https://x.example/a");
    }
}
