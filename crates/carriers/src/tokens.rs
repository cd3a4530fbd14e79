//! Access tokens of carriers that give one for credentials: one for each account, kept in memory
//! alone, renewed before it ends, and asked for by one caller at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;
use waybill_domain::ids::AccountId;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;

use crate::Account;

/// A token is not used any more so shortly before its end, or in the second half of its life when
/// that is shorter.
const MARGIN: Duration = Duration::from_secs(60);
/// A token that is said to work for longer is renewed as if it worked so long.
const LIFETIME_MAX: Duration = Duration::from_hours(24);

/// A token as the carrier gave it.
pub struct Token {
    /// What is sent with each request.
    pub value: Secret<String>,
    /// How long it works.
    pub lifetime: Duration,
}

/// The tokens of all accounts with one carrier.
#[derive(Default)]
pub struct Tokens(Mutex<HashMap<AccountId, Arc<Slot>>>);

/// One account's token, and whoever renews it.
struct Slot {
    changed_at: Time,
    held: AsyncMutex<Option<Held>>,
    /// Whether the last token was not accepted.
    was_refused: AtomicBool,
}

struct Held {
    value: Secret<String>,
    until: Instant,
}

impl Tokens {
    /// The account's token: the one that is held, or a new one. Others who want it wait for the
    /// same request. The account remembers it as a secret of its own.
    pub async fn get<E>(
        &self,
        account: &Account,
        ask: impl AsyncFnOnce() -> Result<Token, E>,
    ) -> Result<Secret<String>, E> {
        let token = self.get_at(account, Instant::now, ask).await?;
        account.issued.note(&token);
        Ok(token)
    }

    async fn get_at<E>(
        &self,
        account: &Account,
        now: impl Fn() -> Instant,
        ask: impl AsyncFnOnce() -> Result<Token, E>,
    ) -> Result<Secret<String>, E> {
        let slot = self.slot(account);
        let mut held = slot.held.lock().await;
        // Whoever waited looks at the time again.
        let asked_at = now();
        if let Some(held) = held.as_ref().filter(|held| asked_at < held.until) {
            return Ok(held.value.clone());
        }
        let token = ask().await?;
        let lifetime = token.lifetime.min(LIFETIME_MAX);
        let usable = lifetime.saturating_sub(MARGIN).max(lifetime / 2);
        *held = Some(Held { value: token.value.clone(), until: asked_at + usable });
        Ok(token.value)
    }

    /// Forgets a token that the carrier did not accept, unless it was renewed meanwhile. True when
    /// the one before it was not accepted either: another one would not help.
    pub async fn refused(&self, account: &Account, token: &Secret<String>) -> bool {
        let slot = self.slot(account);
        let mut held = slot.held.lock().await;
        if held.as_ref().is_some_and(|held| held.value.expose() == token.expose()) {
            *held = None;
            return slot.was_refused.swap(true, Ordering::SeqCst);
        }
        false
    }

    /// Notes that the carrier accepted a token.
    pub fn accepted(&self, account: &Account) {
        self.slot(account).was_refused.store(false, Ordering::SeqCst);
    }

    /// A changed account begins anew.
    fn slot(&self, account: &Account) -> Arc<Slot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.entry(account.id).or_insert_with(|| Slot::new(account));
        if slot.changed_at != account.changed_at {
            *slot = Slot::new(account);
        }
        slot.clone()
    }
}

impl Slot {
    fn new(account: &Account) -> Arc<Slot> {
        Arc::new(Slot {
            changed_at: account.changed_at,
            held: AsyncMutex::default(),
            was_refused: AtomicBool::new(false),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use uuid::Uuid;
    use waybill_domain::json::Json;

    use super::*;
    use crate::IssuedTokens;

    fn account(changed_at: i64) -> Account {
        Account {
            id: AccountId(Uuid::from_u128(1)),
            changed_at: Time(changed_at),
            credentials: Secret::new(Json::Null),
            options: Json::Null,
            issued: IssuedTokens::default(),
        }
    }

    struct Issuer {
        count: Cell<u32>,
        lifetime: Duration,
        now: Cell<Instant>,
    }

    impl Issuer {
        fn new(seconds: u64) -> Issuer {
            let lifetime = Duration::from_secs(seconds);
            Issuer { count: Cell::new(0), lifetime, now: Cell::new(Instant::now()) }
        }

        fn pass(&self, seconds: u64) {
            self.now.set(self.now.get() + Duration::from_secs(seconds));
        }

        async fn get(&self, tokens: &Tokens, account: &Account) -> String {
            let ask = async || {
                self.count.set(self.count.get() + 1);
                tokio::task::yield_now().await;
                let value = Secret::new(format!("token-{}", self.count.get()));
                Ok::<_, ()>(Token { value, lifetime: self.lifetime })
            };
            let token = tokens.get_at(account, || self.now.get(), ask).await;
            token.unwrap().expose().clone()
        }
    }

    #[tokio::test]
    async fn those_who_want_a_token_at_once_wait_for_one_request() {
        let (tokens, issuer, ours) = (Tokens::default(), Issuer::new(3600), account(1));
        let (a, b) = tokio::join!(issuer.get(&tokens, &ours), issuer.get(&tokens, &ours));
        assert_eq!((a.as_str(), b.as_str(), issuer.count.get()), ("token-1", "token-1", 1));
    }

    #[tokio::test]
    async fn a_token_is_renewed_a_minute_before_its_end_or_after_half_a_short_life() {
        for (lifetime, good, bad) in [(3600, 3530, 15), (60, 29, 2)] {
            let (tokens, issuer, ours) = (Tokens::default(), Issuer::new(lifetime), account(1));
            assert_eq!(issuer.get(&tokens, &ours).await, "token-1");
            issuer.pass(good);
            assert_eq!(issuer.get(&tokens, &ours).await, "token-1");
            issuer.pass(bad);
            assert_eq!(issuer.get(&tokens, &ours).await, "token-2");
        }
    }

    #[tokio::test]
    async fn a_token_that_was_refused_or_belongs_to_older_credentials_is_not_used() {
        let (tokens, issuer, ours) = (Tokens::default(), Issuer::new(3600), account(1));
        let first = Secret::new(issuer.get(&tokens, &ours).await);
        assert!(!tokens.refused(&ours, &first).await);
        let second = Secret::new(issuer.get(&tokens, &ours).await);
        assert_eq!(second.expose(), "token-2");
        // The first one was refused again, late: the second one stays.
        assert!(!tokens.refused(&ours, &first).await);
        assert_eq!(issuer.get(&tokens, &ours).await, "token-2");
        assert!(tokens.refused(&ours, &second).await, "two in a row");
        let third = Secret::new(issuer.get(&tokens, &ours).await);
        tokens.accepted(&ours);
        assert!(!tokens.refused(&ours, &third).await, "one was accepted in between");
        assert_eq!(issuer.get(&tokens, &account(2)).await, "token-4");
    }
}
