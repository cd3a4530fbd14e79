//! What tests start from: a fresh database, ids that count, and rows with everything defaulted.

use std::future::Future;
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::audit::Act;
use waybill_domain::ids::{TeamId, TemplateId, TokenId, UserId};
use waybill_domain::time::Time;
use waybill_store::check::{DUE_TOO_LATE, check};
use waybill_store::members::Role;
use waybill_store::teams::Team;
use waybill_store::templates::Template;
use waybill_store::testing::{Database, fresh};
use waybill_store::tokens::Token;
use waybill_store::users::User;
use waybill_store::{Error, Store, members, teams, users};

/// The moment at which tests happen.
pub const NOW: Time = Time(1_800_000_000_000_000);

/// Runs a test on a fresh database and checks the invariants at its end.
pub fn run<F: Future<Output = ()>>(database: Database, rule: impl FnOnce(Store, String) -> F) {
    let scratch = fresh(database);
    block_on(async {
        rule(scratch.store.clone(), scratch.url.clone()).await;
        let reopened = Store::open(&scratch.url, waybill_store::Options::default()).unwrap();
        // Long ago, so that a due job is not yet a stuck one.
        let mut violations = reopened.read(|tx| check(tx, Time(0))).await.unwrap();
        violations.retain(|violation| violation.rule != DUE_TOO_LATE);
        assert_eq!(violations, []);
    });
}

/// Runs a future with threads and a clock.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.unwrap().block_on(future)
}

pub fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

pub fn team_id(number: u128) -> TeamId {
    TeamId(id(number))
}

pub fn user_id(number: u128) -> UserId {
    UserId(id(number))
}

pub fn user(number: u128) -> User {
    User {
        id: user_id(number),
        name: format!("User {number}"),
        email: format!("user{number}@example.com"),
        language: "da".to_owned(),
        is_operator: false,
        created_at: NOW,
    }
}

pub fn team(number: u128) -> Team {
    Team {
        id: team_id(number),
        name: format!("Team {number}"),
        domain: format!("team{number}"),
        language: "en".to_owned(),
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn token(number: u128, user: u128) -> Token {
    Token {
        id: TokenId(id(number)),
        user: user_id(user),
        team: None,
        name: format!("Token {number}"),
        scopes: "read write".to_owned(),
        expires_at: None,
        created_at: NOW,
        last_used_at: None,
        revoked_at: None,
    }
}

/// Something that the command line does.
pub fn act(number: u128) -> Act {
    Act::by_operator(id(number), NOW)
}

pub fn template(number: u128) -> Template {
    Template {
        id: TemplateId(id(number)),
        title: format!("Template {number}"),
        description: None,
        shipment: r#"{"parcels":[]}"#.to_owned(),
        created_at: NOW,
        updated_at: NOW,
    }
}

/// Two teams, two users; the first user is an admin of the first team.
pub async fn seed(store: &Store) {
    let seeded = store.write(|tx| {
        for number in 1..=2 {
            users::insert(tx, &user(number))?;
            teams::insert(tx, &team(number), "{}")?;
        }
        members::insert(tx, team_id(1), user_id(1), Role::Admin, NOW)
    });
    seeded.await.unwrap();
}

/// How many users there are.
pub async fn count_users(store: &Store) -> usize {
    store.read(|tx| users::any_list(tx).map(|users| users.len())).await.unwrap()
}

/// Whether the database could not answer.
pub fn is_unavailable<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Unavailable(_)))
}

/// Whether the fault is ours.
pub fn is_broken<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Broken(_)))
}
