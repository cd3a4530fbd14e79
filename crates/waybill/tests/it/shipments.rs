//! Booking, as the contract tells it. Each test runs against a real sandbox carrier.

mod bodies;
mod cancelling;
mod failures;
mod guidance;
mod keys;
mod labels;
mod languages;
mod mistakes;
mod outcomes;
mod papers;
mod partly;
mod patience;
mod reading;
mod recovering;
mod roles;
mod room;
mod rules;
mod upfront;
mod waiting;

/// Runs a test on both databases with a carrier: `fixtures! { async fn the_rule(fixture) { … } }`.
macro_rules! fixtures {
    ($(async fn $name:ident($fixture:ident) $body:block)*) => {$(
        async fn $name($fixture: crate::harness::fixture::Fixture) $body

        mod $name {
            use crate::harness::Database;
            use crate::harness::fixture::Fixture;

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                super::$name(Fixture::new(Database::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                super::$name(Fixture::new(Database::Postgres).await).await;
            }
        }
    )*};
}
pub(crate) use fixtures;
