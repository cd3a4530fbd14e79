//! A user's own change of password. Whoever has only a token must know the old password, and cannot
//! guess it here any more often than on a page.

use std::sync::Arc;

use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::password::{Password, PasswordFault};
use waybill_domain::secret::Secret;
use waybill_store::users::User;
use waybill_store::{Error, Tx, audit, passwords, users};

use crate::app::AppState;
use crate::passwords::HashingError;
use crate::sign_in::{Credentials, Proven, SignInError};

/// Why a password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The old password is not this one, or was left out.
    #[error(transparent)]
    Current(#[from] SignInError),
    /// The new one may not be a password; perhaps the old one is not this one either.
    #[error("{fault}")]
    New {
        /// Why not.
        fault: PasswordFault,
        /// Whether the old one is wrong, too.
        is_current_wrong: bool,
    },
    /// The new one was not hashed.
    #[error(transparent)]
    Hashing(#[from] HashingError),
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] Error),
}

impl AppState {
    /// Gives the user another password, and ends all its sessions. `current` is the old one; who
    /// has none leaves it out.
    /// It goes on when nobody waits for it any more, so that it is known how it ended.
    pub async fn change_password(
        self: &Arc<Self>,
        user: &User,
        current: Option<Credentials>,
        new: Secret<String>,
        act: Act,
    ) -> Result<(), ChangeError> {
        let (app, user) = (Arc::clone(self), user.clone());
        let changing = async move { app.change_password_now(&user, current, &new, act).await };
        tokio::spawn(changing).await.map_err(SignInError::Panicked)?
    }

    /// Whether somebody knows the user's password. Only who has none may leave it out.
    pub(crate) async fn prove_current(
        &self,
        user: &User,
        current: Option<&Credentials>,
    ) -> Result<Option<Proven>, SignInError> {
        if let Some(current) = current {
            return self.prove(current).await.map(Some);
        }
        let id = user.id;
        match self.read(move |tx| users::any_has_password(tx, id)).await? {
            true => Err(SignInError::Wrong),
            false => Ok(None),
        }
    }

    /// Who knew the old password did not fail, whatever is wrong with the new one.
    async fn settle(&self, proven: Option<Proven>) -> Result<(), Error> {
        let Some(proven) = proven else { return Ok(()) };
        let now = self.now();
        self.write(move |tx| proven.confirm(tx, now).map(drop)).await
    }

    async fn change_password_now(
        &self,
        user: &User,
        current: Option<Credentials>,
        new: &Secret<String>,
        act: Act,
    ) -> Result<(), ChangeError> {
        let proven = self.prove_current(user, current.as_ref()).await;
        let new = match Password::chosen(new.expose(), &user.email) {
            Ok(new) => new,
            Err(fault) => {
                let is_current_wrong = matches!(proven, Err(SignInError::Wrong));
                self.settle(proven.ok().flatten()).await?;
                return Err(ChangeError::New { fault, is_current_wrong });
            }
        };
        let proven = proven?;
        let hash = match self.secrets().passwords().hash(new, self.ids().clone()).await {
            Ok(hash) => hash,
            Err(error) => {
                self.settle(proven).await?;
                return Err(error.into());
            }
        };
        let (id, now) = (user.id, self.now());
        let note = password_note(user, act);
        let change = move |tx: &mut Tx<'_>| {
            // A user that was deleted meanwhile gets no password.
            if !users::any_lock(tx, id)? {
                return Ok(false);
            }
            let is_known = match &proven {
                Some(proven) => proven.confirm(tx, now)?,
                None => passwords::any_lock_hash(tx, id)?.is_none(),
            };
            if is_known {
                passwords::any_set(tx, id, &hash, now)?;
                note(tx)?;
            }
            Ok::<_, Error>(is_known)
        };
        match self.write(change).await? {
            true => Ok(()),
            false => Err(SignInError::Wrong.into()),
        }
    }
}

/// Writes down that the user has another password, or none any more.
pub fn password_note(user: &User, act: Act) -> impl Fn(&mut Tx<'_>) -> Result<(), Error> + use<> {
    let (id, subject) = (user.id, Subject::named("user", user.id, &user.name));
    move |tx| {
        let changes = Changes::none().and("password", 0.into(), 1.into()).hiding(&["password"]);
        let what = (Action::UserPasswordChanged, &subject);
        audit::any_insert_for_user(tx, id, &act, what, &changes)
    }
}
