//! Passwords are hashed slowly and with much memory, on purpose: Argon2id, 19 MiB, two passes.
//!
//! A hash is made on a thread of its own, which yields to all others, and there are never more of
//! them than processors: neither bookings nor anything else that the runtime does wait for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use waybill_domain::ids::IdSource;
use waybill_domain::password::Password;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const PARALLELISM: u32 = 1;
const SALT: usize = 16;

/// Who waits longer than this for a processor is sent away.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// Others go first when there are too few processors.
const NICE: i32 = 10;

/// Why there is no hash.
#[derive(Debug, thiserror::Error)]
pub enum HashingError {
    /// Too many wait for theirs.
    #[error("too many passwords are being checked")]
    Busy,
    /// There is not enough memory, or no thread.
    #[error("a password could not be hashed: {0}")]
    Failed(&'static str),
    /// The system has no more threads.
    #[error("a password could not be hashed: {0}")]
    NoThread(#[source] std::io::Error),
}

/// What a password turned out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is the one.
    Right {
        /// The same password as it would be hashed now, where the stored hash is an older kind.
        rehashed: Option<String>,
    },
    /// It is another one, or there is none.
    Wrong,
}

/// Hashes passwords, as many at once as there are processors.
pub struct Passwords {
    turns: Arc<Semaphore>,
    made: AtomicU64,
}

impl Passwords {
    /// With this many processors.
    pub fn new(processors: usize) -> Passwords {
        Passwords { turns: Arc::new(Semaphore::new(processors.max(1))), made: AtomicU64::new(0) }
    }

    /// How many passwords were compared, whether somebody has them or not.
    pub fn compared(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Takes all turns, as that many sign-ins would: for tests.
    pub async fn take_all_turns(&self) -> Option<OwnedSemaphorePermit> {
        let all = u32::try_from(self.turns.available_permits()).ok()?;
        self.turns.clone().acquire_many_owned(all).await.ok()
    }

    /// Compares a password with a stored hash. Where nothing is stored it takes as long, and is
    /// wrong.
    pub async fn compare(
        &self,
        password: Password,
        stored: Option<String>,
        ids: Arc<dyn IdSource>,
    ) -> Result<Verdict, HashingError> {
        self.run(move || compare(&password, stored.as_deref(), ids.as_ref())).await
    }

    /// The hash to store of a password.
    pub async fn hash(
        &self,
        password: Password,
        ids: Arc<dyn IdSource>,
    ) -> Result<String, HashingError> {
        self.run(move || hash(&password, ids.as_ref())).await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashingError> + Send + 'static,
    ) -> Result<T, HashingError> {
        let turn = tokio::time::timeout(WAIT_MAX, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(HashingError::Busy) };
        self.made.fetch_add(1, Ordering::Relaxed);
        metrics::counter!("waybill_password_hashes_total").increment(1);
        let (sender, done) = oneshot::channel();
        let run = move || {
            yield_to_others();
            let result = work();
            // The turn ends with the work, also when nobody waits for it any more.
            drop(turn);
            let _unheard = sender.send(result);
        };
        let thread = std::thread::Builder::new().name("password".to_owned());
        thread.spawn(run).map_err(HashingError::NoThread)?;
        done.await.unwrap_or(Err(HashingError::Failed("the thread panicked")))
    }
}

/// On Linux this is about the thread alone. Without it the others only wait a little longer.
fn yield_to_others() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "passwords are hashed as urgently as anything else");
    }
}

fn argon2() -> Argon2<'static> {
    let params =
        Params::new(MEMORY_KIB, PASSES, PARALLELISM, None).expect("the parameters are allowed");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash to store of a password, as a PHC string. It takes long.
pub fn hash(password: &Password, ids: &dyn IdSource) -> Result<String, HashingError> {
    let mut salt = [0; SALT];
    ids.fill(&mut salt);
    let hashed = argon2().hash_password_with_salt(password.bytes(), &salt);
    let hashed = hashed.map_err(|_| HashingError::Failed("Argon2 refused it"))?;
    Ok(hashed.to_string())
}

fn compare(
    password: &Password,
    stored: Option<&str>,
    ids: &dyn IdSource,
) -> Result<Verdict, HashingError> {
    let Some(stored) = stored else {
        // Whoever measures how long it takes does not learn that nobody has the password.
        hash(password, ids)?;
        return Ok(Verdict::Wrong);
    };
    let unreadable = |_| HashingError::Failed("what is stored is not a PHC string");
    let stored = PasswordHash::new(stored).map_err(unreadable)?;
    if argon2().verify_password(password.bytes(), &stored).is_err() {
        return Ok(Verdict::Wrong);
    }
    let rehashed = if is_current(&stored) { None } else { Some(hash(password, ids)?) };
    Ok(Verdict::Right { rehashed })
}

/// Whether a password would be hashed now as it was then.
fn is_current(stored: &PasswordHash) -> bool {
    let argon2 = argon2();
    let params = Params::try_from(stored);
    let is_same = |then: Params| {
        let now = argon2.params();
        (then.m_cost(), then.t_cost(), then.p_cost()) == (now.m_cost(), now.t_cost(), now.p_cost())
    };
    stored.algorithm == Algorithm::Argon2id.ident()
        && stored.version == Some(Version::V0x13.into())
        && params.is_ok_and(is_same)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    struct Salts(AtomicU64);

    impl IdSource for Salts {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            let next = self.0.fetch_add(1, Ordering::Relaxed).to_le_bytes();
            buffer.iter_mut().zip(next.iter().cycle()).for_each(|(byte, salt)| *byte = *salt);
        }
    }

    fn salts() -> Arc<Salts> {
        Arc::new(Salts(AtomicU64::new(1)))
    }

    fn typed(text: &str) -> Password {
        Password::typed(text)
    }

    #[tokio::test]
    async fn a_password_is_stored_as_argon2id_with_19_mib_two_passes_and_one_thread() {
        let passwords = Passwords::new(1);
        let stored = passwords.hash(typed("correct horse"), salts()).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let other = passwords.hash(typed("correct horse"), Arc::new(Salts(7.into())));
        assert_ne!(other.await.unwrap(), stored, "the salt is another one");
        let salt = stored.split('$').nth(4).unwrap();
        assert_eq!(salt.len(), 22, "sixteen bytes in Base64");
    }

    #[tokio::test]
    async fn the_right_password_is_right_and_every_other_is_wrong() {
        let passwords = Passwords::new(1);
        let stored = passwords.hash(typed("correct horse"), salts()).await.unwrap();
        let compare = |text: &str| passwords.compare(typed(text), Some(stored.clone()), salts());
        assert_eq!(compare("correct horse").await.unwrap(), Verdict::Right { rehashed: None });
        assert_eq!(compare("correct horsf").await.unwrap(), Verdict::Wrong);
        assert_eq!(compare("").await.unwrap(), Verdict::Wrong);
        let nothing = passwords.compare(typed("correct horse"), None, salts()).await.unwrap();
        assert_eq!(nothing, Verdict::Wrong);
        assert_eq!(passwords.compared(), 5);
    }

    #[tokio::test]
    async fn an_older_hash_is_replaced_by_a_stronger_one() {
        let weak = Params::new(8 * 1024, 1, 1, None).unwrap();
        let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, weak);
        let stored = weak.hash_password_with_salt(typed("correct horse").bytes(), &[5; 16]);
        let stored = stored.unwrap().to_string();
        let passwords = Passwords::new(1);
        let verdict = passwords.compare(typed("correct horse"), Some(stored), salts()).await;
        let Verdict::Right { rehashed: Some(new) } = verdict.unwrap() else { panic!() };
        assert!(new.contains("m=19456,t=2,p=1"), "{new}");
        let again = passwords.compare(typed("correct horse"), Some(new), salts()).await;
        assert_eq!(again.unwrap(), Verdict::Right { rehashed: None });
    }

    #[tokio::test]
    async fn the_runtime_goes_on_while_a_password_is_hashed() {
        // There is one thread for everything else: if a hash ran on it, nothing else would.
        let passwords = Arc::new(Passwords::new(2));
        let (first, second) = (passwords.clone(), passwords.clone());
        let one = tokio::spawn(async move { first.hash(typed("correct horse"), salts()).await });
        let two = tokio::spawn(async move { second.hash(typed("battery staple"), salts()).await });
        let mut turns: u64 = 0;
        while !(one.is_finished() && two.is_finished()) {
            tokio::task::yield_now().await;
            turns += 1;
        }
        assert!(turns > 100, "the runtime had {turns} turns meanwhile");
        assert!(one.await.unwrap().is_ok() && two.await.unwrap().is_ok());
    }
}
