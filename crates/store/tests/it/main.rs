//! Every store function on both databases. A test is a sentence that states a rule; at its end the
//! invariants of `check` must hold.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Makes a test of each function for each database.
macro_rules! both {
    ($($(#[$doc:meta])* async fn $name:ident($store:ident $(, $url:ident)?) $body:block)*) => {$(
        $(#[$doc])*
        async fn $name($store: waybill_store::Store, _url: String) {
            $(let $url = _url;)?
            $body
        }

        mod $name {
            #[test]
            fn sqlite() {
                crate::fixtures::run(waybill_store::testing::Database::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                crate::fixtures::run(waybill_store::testing::Database::Postgres, super::$name);
            }
        }
    )*};
}

mod agents;
mod attempts;
mod audit;
mod booking;
mod canary;
mod checks;
mod encryption;
mod events;
mod faults;
mod files;
mod fixtures;
mod groups;
mod idempotency;
mod jobs;
mod legacy;
mod oauth;
mod open;
mod papers;
mod plans;
mod poolers;
mod print_jobs;
mod rates;
mod retention;
mod service_points;
mod shared;
mod tariffs;
mod teams;
mod templates;
mod tokens;
mod tracking;
mod transactions;
mod users;
mod values;
mod webhooks;
mod wms;
