//! Making users, teams and tokens, with the checks that the database cannot do.

use uuid::Uuid;
use waybill_domain::access::Scopes;
use waybill_domain::audit::Act;
use waybill_domain::ids::{IdSource, TeamId, TokenId, UserId};
use waybill_domain::language::Language;
use waybill_domain::patterns::is_domain;
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::token::{self, TokenHash};
use waybill_domain::words::Message;
use waybill_engine::new_team;
use waybill_store::{Error, Store, Tx, quotas, teams, tokens, users};

use super::error::AdminError;

/// A user to be.
pub struct NewUser {
    /// Its id.
    pub id: UserId,
    /// What people call it.
    pub name: String,
    /// Its address, unique.
    pub email: String,
    /// The language of messages to it.
    pub language: String,
}

impl NewUser {
    /// The row, when everything about it makes sense.
    pub fn check(self, now: Time) -> Result<users::User, AdminError> {
        let NewUser { id, name, email, language } = self;
        if name.trim().is_empty() {
            return Err(AdminError::EmptyName);
        }
        let is_email = email.split_once('@').is_some_and(|(who, at)| {
            !who.is_empty() && at.contains('.') && !email.contains(char::is_whitespace)
        });
        if !is_email {
            return Err(AdminError::NotAnEmail(email));
        }
        check_language(&language)?;
        let email = email.to_lowercase();
        Ok(users::User { id, name, email, language, is_operator: false, created_at: now })
    }
}

fn check_language(tag: &str) -> Result<Language, AdminError> {
    Language::parse(tag).ok_or_else(|| AdminError::NotALanguage(tag.to_owned()))
}

/// A token to be, and the secret that is shown once.
pub struct NewToken {
    /// The row.
    pub row: tokens::Token,
    /// What is stored of the secret.
    pub hash: TokenHash,
    /// The secret.
    pub secret: Secret<String>,
}

impl NewToken {
    /// A fresh token.
    pub fn make(
        user: UserId,
        name: &str,
        scopes: &Scopes,
        now: Time,
        ids: &dyn IdSource,
    ) -> NewToken {
        let secret = token::generate(ids);
        let hash = token::hash(secret.expose()).expect("our own tokens are well-formed");
        let row = tokens::Token {
            id: TokenId(ids.uuid()),
            user,
            team: None,
            name: name.to_owned(),
            scopes: scopes.to_string(),
            expires_at: None,
            created_at: now,
            last_used_at: None,
            revoked_at: None,
        };
        NewToken { row, hash, secret }
    }
}

/// Adds a token and writes that down, unless its user has as many as allowed: then this is what to
/// say.
pub fn insert_token(
    tx: &mut Tx<'_>,
    limits: &Quotas,
    token: &tokens::Token,
    hash: &TokenHash,
    act: &Act,
) -> Result<Result<(), Message>, Error> {
    let used = quotas::any_lock_tokens(tx, token.user, token.created_at)?;
    if users::any_find(tx, token.user)?.is_none() {
        return Ok(Err(Message::new("user-deleted")));
    }
    match limits.check(Quota::Tokens, used) {
        Ok(()) => tokens::any_make(tx, token, hash, act).map(Ok),
        Err(message) => Ok(Err(message)),
    }
}

/// A team to be, with its first administrator and a token for it.
pub struct NewTeam {
    id: TeamId,
    name: String,
    domain: String,
    /// The team's language.
    pub language: String,
    /// The administrator; an existing user with the same address is taken instead.
    pub admin: NewUser,
    token: NewToken,
    /// The id of its first line in the audit log.
    line: Uuid,
    now: Time,
}

/// What was made.
pub struct MadeTeam {
    /// The team.
    pub team: TeamId,
    /// Its administrator.
    pub user: UserId,
    /// The administrator's token, shown once.
    pub token: Secret<String>,
}

impl NewTeam {
    /// A team with an administrator of its own.
    pub fn named(name: &str, domain: &str, now: Time, ids: &dyn IdSource) -> NewTeam {
        let user = UserId(ids.uuid());
        NewTeam {
            id: TeamId(ids.uuid()),
            name: name.to_owned(),
            domain: domain.to_lowercase(),
            language: "en".to_owned(),
            admin: NewUser {
                id: user,
                name: format!("{name} admin"),
                email: format!("admin@{domain}"),
                language: "en".to_owned(),
            },
            token: NewToken::make(user, "first token", &Scopes::all(), now, ids),
            line: ids.uuid(),
            now,
        }
    }

    fn insert(
        &self,
        tx: &mut Tx<'_>,
        limits: &Quotas,
        admin: &users::User,
    ) -> Result<Result<UserId, Message>, Error> {
        let user = match users::any_find_by_email(tx, &admin.email)? {
            Some(known) => known.id,
            None => {
                users::insert(tx, admin)?;
                admin.id
            }
        };
        // First of all: what is refused leaves nothing behind.
        let used = quotas::any_lock_tokens(tx, user, self.now)?;
        if let Err(message) = limits.check(Quota::Tokens, used) {
            return Ok(Err(message));
        }
        let team = teams::Team {
            id: self.id,
            name: self.name.clone(),
            domain: self.domain.clone(),
            language: self.language.clone(),
            created_at: self.now,
            updated_at: self.now,
        };
        let act = Act::by_operator(self.line, self.now);
        new_team::insert(tx, &team, user, &act)?;
        let token = tokens::Token { user, ..self.token.row.clone() };
        tokens::any_make(tx, &token, &self.token.hash, &act.line(2))?;
        Ok(Ok(user))
    }

    /// The administrator's row, when everything about the team makes sense.
    pub fn check(&self) -> Result<users::User, AdminError> {
        if !is_domain(&self.domain) {
            return Err(AdminError::NotADomain(self.domain.clone()));
        }
        if self.name.trim().is_empty() {
            return Err(AdminError::EmptyName);
        }
        check_language(&self.language)?;
        let NewUser { id, name, email, .. } = &self.admin;
        let language = self.language.clone();
        NewUser { id: *id, name: name.clone(), email: email.clone(), language }.check(self.now)
    }

    fn made(&self, user: UserId) -> MadeTeam {
        MadeTeam { team: self.id, user, token: self.token.secret.clone() }
    }
}

/// Adds the team with everything that belongs to it, or nothing at all.
pub async fn create_team(
    store: &Store,
    limits: &Quotas,
    new: NewTeam,
) -> Result<MadeTeam, AdminError> {
    let (store, limits) = (store.clone(), limits.clone());
    let made = tokio::task::spawn_blocking(move || create_team_blocking(&store, &limits, new));
    let made = made.await;
    made.map_err(AdminError::Panicked)?
}

/// The same, outside a runtime.
pub fn create_team_blocking(
    store: &Store,
    limits: &Quotas,
    new: NewTeam,
) -> Result<MadeTeam, AdminError> {
    let admin = new.check()?;
    let new = std::sync::Arc::new(new);
    let (inner, limits) = (new.clone(), limits.clone());
    let user = store.blocking_write(move |tx| inner.insert(tx, &limits, &admin))?;
    Ok(new.made(user.map_err(AdminError::QuotaReached)?))
}
