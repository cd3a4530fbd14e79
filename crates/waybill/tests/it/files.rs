//! Files: where their bytes are kept, the URLs that give them out, and the keys that sign those.

mod keys;
mod orphans;
mod places;
mod urls;

use serde_json::{Value, json};

use crate::harness::Reply;
use crate::harness::fixture::Fixture;

/// Runs a test on both databases for every place that files are kept in:
/// `kept! { async fn the_rule(fixture, room) { … } }`.
macro_rules! kept {
    ($(async fn $name:ident($fixture:ident, $place:ident) $body:block)*) => {$(
        async fn $name(
            $fixture: crate::harness::fixture::Fixture,
            $place: crate::harness::bucket::TestStore,
        ) $body

        mod $name {
            use crate::files::kept;

            kept! { @in $name:
                sqlite Sqlite Database, postgres Postgres Database,
                sqlite_folder Sqlite Folder, postgres_folder Postgres Folder,
                sqlite_bucket Sqlite Bucket, postgres_bucket Postgres Bucket,
            }
        }
    )*};
    (@in $name:ident: $($test:ident $database:ident $kept:ident,)*) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $test() {
            use crate::harness::Database;
            use crate::harness::bucket::{Kept, TestStore};
            use crate::harness::fixture::Fixture;

            let place = TestStore::new(Kept::$kept).await;
            let fixture = Fixture::keeping(Database::$database, place.files().await).await;
            super::$name(fixture, place).await;
        }
    )*};
}
pub(crate) use kept;

/// The path of a document's URL.
fn path_of(reply: &Reply, pointer: &str) -> String {
    let url = reply.at(pointer).as_str().unwrap().to_owned();
    url.strip_prefix("http://waybill.test").unwrap().to_owned()
}

/// An end-of-day manifest of everything.
async fn manifest(fixture: &Fixture) -> Reply {
    let path = fixture.app.path("/manifests").replacen("/v2/", "/beta/", 1);
    let body: Value = json!({"carrier_code": "sandbox"});
    fixture.app.post(&path).admin().json(&body.to_string()).send().await
}
