//! A user's own change of password. Whoever has only a token must know the old password, and cannot
//! guess it here any more often than on a page.

use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::password::{Password, PasswordFault};
use waybill_store::users::User;
use waybill_store::{Error, Tx, audit, passwords};

use crate::app::AppState;
use crate::passwords::HashingError;
use crate::sign_in::{Credentials, SignInError};

/// Why a password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The old password is not this one, or was left out.
    #[error(transparent)]
    Current(#[from] SignInError),
    /// The new one may not be a password.
    #[error(transparent)]
    New(#[from] PasswordFault),
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
    pub async fn change_password(
        &self,
        user: &User,
        current: Option<Credentials>,
        new: &str,
        act: Act,
    ) -> Result<(), ChangeError> {
        let new = Password::chosen(new, &user.email)?;
        let proven = match current {
            Some(current) => Some(self.prove(&current).await?),
            None => None,
        };
        let hash = self.secrets().passwords().hash(new, self.ids().clone()).await?;
        let (id, now) = (user.id, self.now());
        let note = password_note(user, act);
        let change = move |tx: &mut Tx<'_>| {
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
