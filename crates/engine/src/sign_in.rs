//! Signing in with an e-mail address and a password: the limits first, then the password, then a
//! session. Every page and every call that asks for a password comes through here.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use waybill_domain::audit::{Act, Action, Actor, Changes, Subject};
use waybill_domain::ids::SessionId;
use waybill_domain::password::Password;
use waybill_domain::patterns;
use waybill_domain::secret::Secret;
use waybill_domain::session;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;
use waybill_store::failures::{self, Ending, FailureWindow, Try};
use waybill_store::sessions::Session;
use waybill_store::users::User;
use waybill_store::{Error, Tx, audit, passwords, sessions};

use crate::app::AppState;
use crate::passwords::{HashingError, Verdict};

/// Browsers may call themselves what they like; so much of it is kept.
const USER_AGENT_MAX: usize = 255;
/// Whoever comes while others of the same address are being decided asks again after this time ...
const TURN: Duration = Duration::from_millis(50);
/// ... so many times, which is as long as anybody waits for a processor.
const TURNS: usize = 100;
/// No e-mail address has more bytes.
const EMAIL_MAX: usize = 4 * patterns::EMAIL_MAX;

/// Who says to be whom, and where from.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The e-mail address as it was typed.
    pub email: String,
    /// The password as it was typed.
    pub password: Password,
    /// The address, or network, that it comes from.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// For the audit log: who asks is known only when the password is right.
    pub act: Act,
}

/// Somebody who signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who it is.
    pub user: User,
    /// What the browser's cookie holds from now on.
    pub cookie: Secret<String>,
}

/// Why somebody did not sign in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The e-mail address or the password is wrong. It is not told which.
    #[error("the e-mail address or the password is wrong")]
    Wrong,
    /// Too many tried and failed: nothing was looked at. After so many seconds it will be.
    #[error("too many sign-ins failed; the next is listened to in {0} seconds")]
    TooMany(u64),
    /// The password was not looked at.
    #[error(transparent)]
    Hashing(#[from] HashingError),
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] Error),
    /// Something of ours is broken.
    #[error("signing in panicked: {0}")]
    Panicked(#[source] tokio::task::JoinError),
}

/// A session that is not written down yet.
pub struct NewSession {
    row: Session,
    hash: TokenHash,
}

impl NewSession {
    /// Writes it down.
    pub fn insert(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        sessions::any_insert(tx, &self.row, &self.hash)
    }
}

/// Somebody who knows a password, until that is written down with what it opens.
pub struct Proven {
    /// Who it is.
    pub user: User,
    /// The hash that the password was compared with.
    hash: String,
    rehashed: Option<String>,
    windows: [FailureWindow; 3],
    noted: Time,
}

impl Proven {
    /// Whether the password is still this one. What failed before is forgotten with that.
    pub fn confirm(&self, tx: &mut Tx<'_>, now: Time) -> Result<bool, Error> {
        if passwords::any_lock_hash(tx, self.user.id)?.as_ref() != Some(&self.hash) {
            // It was changed while we compared, and is another one now. It was right, though.
            failures::any_end(tx, &self.windows, (self.noted, now), Ending::Undecided)?;
            return Ok(false);
        }
        if let Some(new) = &self.rehashed {
            passwords::any_rehash(tx, self.user.id, &self.hash, new)?;
        }
        let ending = Ending::Succeeded(self.windows[0]);
        failures::any_end(tx, &self.windows, (self.noted, now), ending)?;
        Ok(true)
    }
}

impl AppState {
    /// Signs somebody in, in a browser that had this session before, if it had one: that one ends.
    /// It goes on when nobody waits for it any more, so that it is known how it ended.
    pub async fn sign_in(
        self: &Arc<Self>,
        credentials: Credentials,
        before: Option<TokenHash>,
    ) -> Result<SignedIn, SignInError> {
        let app = Arc::clone(self);
        let signing = tokio::spawn(async move { app.sign_in_now(credentials, before).await });
        signing.await.map_err(SignInError::Panicked)?
    }

    async fn sign_in_now(
        &self,
        credentials: Credentials,
        before: Option<TokenHash>,
    ) -> Result<SignedIn, SignInError> {
        let proven = self.prove(&credentials).await?;
        let (user, now) = (proven.user.clone(), self.now());
        let (session, cookie) = self.new_session(&user, &credentials);
        let act = credentials.act.by(Actor::user(user.id.into(), &user.name));
        let begin = move |tx: &mut Tx<'_>| {
            if !proven.confirm(tx, now)? {
                return Ok(false);
            }
            if let Some(before) = &before {
                sessions::any_end_by_hash(tx, before, now)?;
            }
            session.insert(tx)?;
            note_signed_in(tx, &proven.user, &act)?;
            Ok::<_, Error>(true)
        };
        let is_begun = self.write(begin).await?;
        if is_begun { Ok(SignedIn { user, cookie }) } else { Err(SignInError::Wrong) }
    }

    /// Whether somebody knows the password: the limits first, then the password itself. A wrong one
    /// counts as a failure.
    pub async fn prove(&self, credentials: &Credentials) -> Result<Proven, SignInError> {
        let email = normal(&credentials.email);
        let windows = self.secrets().window_names().of_sign_in(&email, credentials.address);
        let (found, noted) = self.note_try(email, windows).await?;
        let hash = found.as_ref().and_then(|(_, hash)| hash.clone());
        let (password, ids) = (credentials.password.clone(), self.ids().clone());
        let compared = self.secrets().passwords().compare(password, hash, ids).await;
        let end = async |ending| {
            let times = (noted, self.now());
            self.write(move |tx| failures::any_end(tx, &windows, times, ending)).await
        };
        match (compared, found) {
            (Ok(Verdict::Right { rehashed }), Some((user, Some(hash)))) => {
                Ok(Proven { user, hash, rehashed, windows, noted })
            }
            (Ok(_), found) => {
                end(Ending::Failed).await?;
                if let Some((user, _)) = found {
                    self.note_failure(user, credentials.act.clone());
                }
                Err(SignInError::Wrong)
            }
            (Err(error), _) => {
                end(Ending::Undecided).await?;
                Err(error.into())
            }
        }
    }

    /// Writes down that somebody tried to be this user. Nobody waits for that: an answer that came
    /// later for users who exist would tell which ones do.
    fn note_failure(&self, user: User, act: Act) {
        let (store, subject) = (self.store().clone(), subject(&user));
        tokio::spawn(async move {
            let write = move |tx: &mut Tx<'_>| {
                let what = (Action::UserSignInFailed, &subject);
                audit::any_insert_for_user(tx, user.id, &act, what, &Changes::none())
            };
            if let Err(error) = store.write(write).await {
                tracing::warn!(%error, "a failed sign-in is not in the audit log");
            }
        });
    }

    /// The user with this address, with the hash of its password, once the try is noted.
    async fn note_try(
        &self,
        email: String,
        windows: [FailureWindow; 3],
    ) -> Result<(Option<(User, Option<String>)>, Time), SignInError> {
        // Whoever has to wait costs no write.
        let now = self.now();
        let look = move |tx: &mut Tx<'_>| failures::any_wait(tx, &windows, now);
        if let Some(wait) = self.read(look).await? {
            return Err(SignInError::TooMany(seconds(wait)));
        }
        for _ in 0..TURNS {
            let (email, now) = (email.clone(), self.now());
            let note = move |tx: &mut Tx<'_>| {
                let noted = failures::any_begin(tx, &windows, now)?;
                let found = if is_email(&email) { passwords::any_find(tx, &email)? } else { None };
                Ok::<_, Error>((noted, found))
            };
            match self.write(note).await? {
                (Try::Noted(at), found) => return Ok((found, at)),
                (Try::Wait(wait), _) => return Err(SignInError::TooMany(seconds(wait))),
                // Those who came before are about to be known.
                (Try::Taken, _) => tokio::time::sleep(TURN).await,
            }
        }
        Err(HashingError::Busy.into())
    }

    /// A session for a user who comes in with a browser, and what the browser's cookie holds.
    pub fn new_session(
        &self,
        user: &User,
        credentials: &Credentials,
    ) -> (NewSession, Secret<String>) {
        let (agent, now) = (credentials.user_agent.as_ref(), self.now());
        let is_shown = |letter: &char| !letter.is_control();
        let row = Session {
            id: SessionId(self.new_uuid()),
            user: user.id,
            address: credentials.address.to_string(),
            user_agent: agent.map(|it| it.chars().filter(is_shown).take(USER_AGENT_MAX).collect()),
            created_at: now,
            seen_at: now,
            ended_at: None,
        };
        let cookie = session::generate(self.ids().as_ref());
        let hash = session::hash(cookie.expose()).expect("our own cookies are well-formed");
        (NewSession { row, hash }, cookie)
    }

    /// The session of a browser with this cookie, and its user, if it lets anybody in.
    pub async fn session(&self, cookie: &str) -> Result<Option<(Session, User)>, Error> {
        let Some(hash) = session::hash(cookie) else { return Ok(None) };
        let now = self.now();
        let found = self.read(move |tx| sessions::any_find_by_hash(tx, &hash)).await?;
        let Some((session, user)) = found.filter(|(session, _)| session.is_live(now)) else {
            return Ok(None);
        };
        if now.since(session.seen_at) >= sessions::TOUCH {
            let id = session.id;
            self.write(move |tx| sessions::any_touch(tx, id, now)).await?;
        }
        Ok(Some((session, user)))
    }

    /// Ends the session of a browser with this cookie.
    pub async fn sign_out(&self, cookie: &str) -> Result<(), Error> {
        let Some(hash) = session::hash(cookie) else { return Ok(()) };
        let now = self.now();
        self.write(move |tx| sessions::any_end_by_hash(tx, &hash, now)).await
    }
}

fn subject(user: &User) -> Subject {
    Subject::named("user", user.id, &user.name)
}

/// Writes down that somebody came in with a browser.
pub fn note_signed_in(tx: &mut Tx<'_>, user: &User, act: &Act) -> Result<(), Error> {
    let what = (Action::UserSignedIn, &subject(user));
    audit::any_insert_for_user(tx, user.id, act, what, &Changes::none())
}

/// How addresses are stored.
fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Whether somebody can have this address. PostgreSQL cannot even be asked for some others.
fn is_email(email: &str) -> bool {
    email.len() <= EMAIL_MAX && email.contains('@') && !email.contains(char::is_control)
}

/// Whole seconds, at least one.
fn seconds(wait: Duration) -> u64 {
    wait.as_micros().div_ceil(1_000_000).max(1).try_into().unwrap_or(u64::MAX)
}
