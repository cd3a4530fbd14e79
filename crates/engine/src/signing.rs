//! The signing secrets of a webhook. A new one signs at once; those it replaced sign along for a
//! day, so that a receiver can change over without losing a delivery.

use standardwebhooks::Webhook as Signer;
use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::webhook::{OVERLAP, generate_secret};

use crate::vault::Vault;

/// So many replaced secrets sign along.
pub const OLD_MAX: usize = 4;

/// The secret, and those that it replaced.
pub struct Secrets {
    current: Secret<String>,
    old: Vec<(Secret<String>, Time)>,
}

impl Secrets {
    /// A first secret.
    pub fn generate(ids: &dyn IdSource) -> Secrets {
        Secrets { current: generate_secret(ids), old: Vec::new() }
    }

    /// Whether there is room for one old secret more: each signs for its whole day.
    pub fn may_rotate(&self, now: Time) -> bool {
        self.old.iter().filter(|(_, until)| *until > now).count() < OLD_MAX
    }

    /// A new secret in place of this one.
    pub fn rotated(self, ids: &dyn IdSource, now: Time) -> Secrets {
        let replaced = [(self.current, now.plus(OVERLAP))];
        let mut old: Vec<_> = replaced.into_iter().chain(self.old).collect();
        old.retain(|(_, until)| *until > now);
        Secrets { current: generate_secret(ids), old }
    }

    /// The secret, for the one answer that shows it.
    pub fn current(&self) -> &Secret<String> {
        &self.current
    }

    /// As they are stored for the webhook with this id.
    pub fn seal(&self, vault: &Vault, id: Uuid, ids: &dyn IdSource) -> Vec<u8> {
        let old = self.old.iter().map(|(secret, until)| {
            let secret = secret.expose().as_str().into();
            Json::object([("secret", secret), ("until", until.0.into())])
        });
        let current = self.current.expose().as_str().into();
        vault.seal(id, &Json::object([("current", current), ("old", Json::list(old))]), ids)
    }

    /// Opens what was stored for the webhook with this id.
    pub fn open(vault: &Vault, id: Uuid, sealed: &[u8]) -> Option<Secrets> {
        let opened = vault.open(id, sealed)?;
        let Some(Json::List(old)) = opened.member("old") else { return None };
        let old = old.iter().map(|old| Some((text(old, "secret")?, until(old)?)));
        Some(Secrets { current: text(&opened, "current")?, old: old.collect::<Option<_>>()? })
    }

    /// The value of `webhook-signature`: one signature for each secret that is good at this time.
    pub fn sign(&self, message: &str, at: Time, body: &[u8]) -> Option<String> {
        let seconds = at.0.div_euclid(1_000_000);
        let old = self.old.iter().filter(|(_, until)| *until > at).map(|(secret, _)| secret);
        let signed = std::iter::once(&self.current)
            .chain(old)
            .map(|secret| Signer::new(secret.expose()).ok()?.sign(message, seconds, body).ok());
        Some(signed.collect::<Option<Vec<String>>>()?.join(" "))
    }
}

fn text(object: &Json, name: &str) -> Option<Secret<String>> {
    match object.member(name) {
        Some(Json::Text(text)) => Some(Secret::new(text.clone())),
        _ => None,
    }
}

fn until(object: &Json) -> Option<Time> {
    match object.member("until") {
        Some(Json::Number(number)) => number.as_integer().map(Time),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::keys::Keys;

    /// Randomness that counts, so that no two secrets are the same.
    #[derive(Default)]
    struct Counting(AtomicU8);

    impl IdSource for Counting {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0.fetch_add(1, Ordering::SeqCst));
        }
    }

    const NOW: Time = Time(1_800_000_000_000_000);

    fn signatures(secrets: &Secrets, at: Time) -> usize {
        secrets.sign("msg", at, b"{}").unwrap().split(' ').count()
    }

    #[test]
    fn a_replaced_secret_signs_along_for_a_day_also_after_a_second_rotation() {
        let ids = Counting::default();
        let first = Secrets::generate(&ids);
        assert_eq!(signatures(&first, NOW), 1);
        let second = first.rotated(&ids, NOW);
        let third = second.rotated(&ids, NOW.plus(Duration::from_hours(1)));
        assert_eq!(signatures(&third, NOW.plus(Duration::from_hours(1))), 3);
        assert_eq!(signatures(&third, NOW.plus(OVERLAP)), 2);
        assert_eq!(signatures(&third, NOW.plus(Duration::from_hours(26))), 1);
    }

    #[test]
    fn secrets_are_sealed_and_open_for_their_webhook_alone() {
        let (ids, vault) = (Counting::default(), Vault::new(&Keys::new([1; 32])));
        let id = Uuid::from_u128(5);
        let secrets = Secrets::generate(&ids).rotated(&ids, NOW);
        let sealed = secrets.seal(&vault, id, &ids);
        let plain = secrets.current().expose().as_bytes();
        assert!(!sealed.windows(plain.len()).any(|window| window == plain));
        let opened = Secrets::open(&vault, id, &sealed).unwrap();
        assert_eq!(opened.sign("m", NOW, b"x"), secrets.sign("m", NOW, b"x"));
        assert!(Secrets::open(&vault, Uuid::from_u128(6), &sealed).is_none());
    }

    /// The example of the Standard Webhooks specification.
    #[test]
    fn a_signature_is_the_one_of_the_specification() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned();
        let secrets = Secrets { current: Secret::new(secret), old: Vec::new() };
        let signature = secrets.sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Time(1_614_265_330_000_000),
            br#"{"test": 2432232314}"#,
        );
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature.as_deref(), Some(expected));
    }
}
