//! A user's own end. Whoever has only a token must know the password, and cannot guess it here any
//! more often than on a page.

use std::sync::Arc;

use waybill_domain::audit::Act;
use waybill_store::user_deletion::{self, UserDeletion};
use waybill_store::users::User;
use waybill_store::{Error, Tx, passwords};

use crate::app::AppState;
use crate::sign_in::{Credentials, SignInError};

/// Why a user was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// The password is not this one, or was left out.
    #[error(transparent)]
    Current(#[from] SignInError),
    /// Teams with these domains have no other administrator.
    #[error("the user is the only administrator of {}", .0.join(", "))]
    LastAdmin(Vec<String>),
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] Error),
}

impl AppState {
    /// Deletes the user. `current` is its password; who has none leaves it out.
    /// It goes on when nobody waits for it any more, so that it is known how it ended.
    pub async fn delete_user(
        self: &Arc<Self>,
        user: &User,
        current: Option<Credentials>,
        act: Act,
    ) -> Result<(), DeleteError> {
        let (app, user) = (Arc::clone(self), user.clone());
        let deleting = async move { app.delete_user_now(&user, current, act).await };
        tokio::spawn(deleting).await.map_err(SignInError::Panicked)?
    }

    async fn delete_user_now(
        &self,
        user: &User,
        current: Option<Credentials>,
        act: Act,
    ) -> Result<(), DeleteError> {
        let proven = self.prove_current(user, current.as_ref()).await?;
        let (id, now) = (user.id, self.now());
        let delete = move |tx: &mut Tx<'_>| {
            let is_known = match &proven {
                Some(proven) => proven.confirm(tx, now)?,
                None => passwords::any_lock_hash(tx, id)?.is_none(),
            };
            match is_known {
                true => user_deletion::any_delete(tx, id, &act).map(Some),
                false => Ok::<_, Error>(None),
            }
        };
        match self.write(delete).await? {
            Some(UserDeletion::Done | UserDeletion::Gone) => Ok(()),
            Some(UserDeletion::LastAdmin(domains)) => Err(DeleteError::LastAdmin(domains)),
            None => Err(SignInError::Wrong.into()),
        }
    }
}
