//! What lies in a place and no row names: a crash leaves nothing else.

use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::DocumentId;
use waybill_engine::files::{ReadError, Shelf};
use waybill_store::documents::{self, Content, Document};
use waybill_store::epochs;
use waybill_worker::runner;

use crate::harness::bucket::{Kept, TestStore};
use crate::harness::{Database, TestApp};

const DAY: Duration = Duration::from_hours(25);

/// Puts an object down as a booking does that ends before its row is written.
async fn put(app: &TestApp, text: &str) -> Vec<u8> {
    let hash = Sha256::digest(text).to_vec();
    let here = Content::Here(text.as_bytes().to_vec());
    let kept = app.app.files().put(&hash, here).await.unwrap();
    assert_eq!(kept, Content::At(app.app.files().home().unwrap().name().to_owned()));
    hash
}

/// Writes the row of an object.
async fn name(app: &TestApp, hash: &[u8], position: i64) {
    let now = app.clock.unmoved();
    let document = Document {
        id: DocumentId(app.app.new_uuid()),
        source_type: SourceKind::Report,
        source: Uuid::from_u128(1),
        position,
        name: "Report".to_owned(),
        filename: "report.xlsx".to_owned(),
        types: "report".to_owned(),
        format: "xlsx".to_owned(),
        size_bytes: 1,
        hash: hash.to_vec(),
        width_um: None,
        height_um: None,
        page_count: None,
        is_drawable: true,
        print_status: None,
        created_at: now,
        updated_at: now,
    };
    let (team, content) = (app.team, at(app));
    let write =
        move |tx: &mut waybill_store::Tx<'_>| documents::insert(tx, team, &document, &content);
    app.app.write(write).await.unwrap();
}

fn at(app: &TestApp) -> Content {
    Content::At(app.app.files().home().unwrap().name().to_owned())
}

/// Runs all jobs that recur, whatever the clock of the database says.
async fn sweep(app: &TestApp) {
    runner::schedule_recurring(&app.app).await.unwrap();
    let due = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE job SET run_at = 0 WHERE run_at IS NOT NULL", &[])
    };
    app.app.write(due).await.unwrap();
    runner::run_due(&app.worker).await.unwrap();
}

async fn is_there(app: &TestApp, hash: &[u8]) -> bool {
    match app.app.files().read(hash, at(app)).await {
        Ok(_) => true,
        Err(ReadError::Missing { .. } | ReadError::Altered { .. }) => false,
        Err(lost) => panic!("{lost:?}"),
    }
}

async fn is_aside(app: &TestApp, hash: &[u8]) -> bool {
    let home = app.app.files().home().unwrap();
    let kept = home.written_at(Shelf::Kept, hash).await.unwrap().is_some();
    let aside = home.written_at(Shelf::Aside, hash).await.unwrap().is_some();
    assert_ne!(kept, aside);
    aside
}

async fn swept(database: Database, kept: Kept) {
    let place = TestStore::new(kept).await;
    let nowhere = "http://127.0.0.1:9".to_owned();
    let app = TestApp::keeping(database, nowhere, place.files().await).await;
    let (orphan, late, named) =
        (put(&app, "orphan").await, put(&app, "late").await, put(&app, "named").await);
    name(&app, &named, 0).await;
    // As a crash leaves it in the middle of a put.
    let draft = (kept == Kept::Folder).then(|| place.path().join("ab").join("cdef#1"));
    if let Some(draft) = &draft {
        std::fs::create_dir_all(draft.parent().unwrap()).unwrap();
        std::fs::write(draft, "half").unwrap();
    }
    sweep(&app).await;
    assert!(draft.as_ref().is_none_or(|draft| draft.exists()));
    assert!(!is_aside(&app, &orphan).await, "what is young may still get its row");

    app.clock.pass(DAY);
    sweep(&app).await;
    assert!(is_aside(&app, &orphan).await && is_aside(&app, &late).await);
    assert!(!is_aside(&app, &named).await);
    assert!(is_there(&app, &late).await, "what lies aside is still read");
    assert!(draft.is_none_or(|draft| !draft.exists()));

    // A row that comes at the last moment saves its bytes.
    name(&app, &late, 1).await;
    app.clock.pass(DAY);
    sweep(&app).await;
    assert!(!is_there(&app, &orphan).await);
    assert!(!is_aside(&app, &late).await && !is_aside(&app, &named).await);
    assert!(is_there(&app, &late).await && is_there(&app, &named).await);
    app.clock.pass(DAY);
    sweep(&app).await;
    assert!(is_there(&app, &late).await && is_there(&app, &named).await);
}

mod an_object_without_a_row_is_laid_aside_after_a_day_and_removed_after_two {
    use crate::harness::Database;
    use crate::harness::bucket::Kept;

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite_folder() {
        super::swept(Database::Sqlite, Kept::Folder).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres_folder() {
        super::swept(Database::Postgres, Kept::Folder).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite_bucket() {
        super::swept(Database::Sqlite, Kept::Bucket).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres_bucket() {
        super::swept(Database::Postgres, Kept::Bucket).await;
    }
}

/// Notes that the database was restored now, and forgot everything since `after`.
async fn restored(app: &TestApp, after: waybill_domain::time::Time) {
    let (id, now) = (app.app.new_uuid(), app.clock.unmoved());
    let copy = app.app.store().copy_name();
    let write = move |tx: &mut waybill_store::Tx<'_>| {
        epochs::begin(tx, id, &copy, now)?;
        tx.exec("UPDATE epoch SET lost_after = $1 WHERE id = $2", &[after.into(), id.into()])
    };
    app.app.write(write).await.unwrap();
}

async fn kept_after_restore(database: Database) {
    let place = TestStore::new(Kept::Folder).await;
    let nowhere = "http://127.0.0.1:9".to_owned();
    let app = TestApp::keeping(database, nowhere, place.files().await).await;
    let known = put(&app, "from before the backup").await;
    let pause = Duration::from_secs(2);
    tokio::time::sleep(pause).await;
    let backup = app.clock.unmoved();
    tokio::time::sleep(pause).await;
    let lost = put(&app, "from the lost time").await;
    restored(&app, backup).await;
    for _ in 0..3 {
        app.clock.pass(DAY);
        sweep(&app).await;
    }
    assert!(!is_there(&app, &known).await, "no row names it, and none that is lost");
    assert!(is_there(&app, &lost).await && !is_aside(&app, &lost).await);
}

mod an_object_of_the_time_that_a_restore_lost_is_never_removed {
    use crate::harness::Database;

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite() {
        super::kept_after_restore(Database::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres() {
        super::kept_after_restore(Database::Postgres).await;
    }
}
