//! Print jobs at a printer that the server calls itself.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, EventId, MergeId, PrintJobId, PrinterId, ShipmentId};
use waybill_domain::printing::{
    Abilities, AgentState, PrintState, PrintStep, Provider, SubmissionEnd,
};
use waybill_domain::time::Time;
use waybill_store::documents::Document;
use waybill_store::merges::{self, Merge};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::printers::{self, Printer};
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Store, Tx, documents, plans, print_agents, statistics};

use crate::agents;
use crate::booking::{document, pdf};
use crate::checks::{rules, vandalise};
use crate::fixtures::{NOW, block_on, id, seconds, seed, team_id};

/// The printer of all jobs here.
const PRINTER: u128 = 11;

fn job(number: u128) -> PrintJob {
    let at = NOW.plus(seconds(u64::try_from(number).unwrap()));
    PrintJob {
        shipment: Some(ShipmentId(id(1))),
        agent: None,
        look_at: Some(at),
        created_at: at,
        updated_at: at,
        ..agents::job(number, NOW.plus(seconds(3600)))
    }
}

/// Writes that a job has this step and state from now on.
fn go_on(
    tx: &mut Tx<'_>,
    number: u128,
    (state, step): (PrintState, PrintStep),
    at: Time,
) -> Result<PrintJob, Error> {
    let old = print_jobs::find(tx, team_id(1), PrintJobId(id(number)))?.unwrap();
    let is_over = step == PrintStep::Over;
    let new = PrintJob {
        state,
        step,
        submission: 1,
        printer_job: Some(7),
        sent_at: Some(at),
        look_at: (!is_over).then_some(at),
        printed_at: (state == PrintState::Printed).then_some(at),
        updated_at: if state == old.state { old.updated_at } else { at },
        ..old.clone()
    };
    print_jobs::change(tx, team_id(1), (old.state, &new), EventId(id(300 + number)))?;
    Ok(new)
}

/// A printer with three jobs for one document: the first is printed, the second on its way, and the
/// last waits.
async fn filled(store: &Store) {
    seed(store).await;
    let fill = |tx: &mut Tx<'_>| {
        documents::insert(tx, team_id(1), &document(1), &pdf())?;
        let (name, uri) = ("Printer 11".to_owned(), "ipp://127.0.0.1:631/x".to_owned());
        let new =
            Printer::new(PrinterId(id(PRINTER)), (name, uri), (true, Abilities::default()), NOW);
        assert!(printers::insert(tx, team_id(1), &new)?);
        for number in 21..=23 {
            print_jobs::insert(tx, team_id(1), &job(number), EventId(id(200 + number)))?;
        }
        let at = NOW.plus(seconds(60));
        for number in 21..=22 {
            let job = PrintJobId(id(number));
            print_jobs::begin(tx, team_id(1), job, (1, 1), at)?;
            print_jobs::set_printer_job(tx, team_id(1), job, (1, Some(7)), at)?;
        }
        let printed = go_on(tx, 21, (PrintState::Printed, PrintStep::Over), at)?;
        print_jobs::end(tx, team_id(1), &printed, SubmissionEnd::Accepted, None, at)?;
        go_on(tx, 22, (PrintState::Pending, PrintStep::Sending), at).map(drop)
    };
    store.write(fill).await.unwrap();
}

fn numbers(jobs: &[PrintJob]) -> Vec<u128> {
    jobs.iter().map(|job| job.id.0.as_u128()).collect()
}

both! {
    async fn what_was_sent_is_due_before_what_waits_and_both_are_open(store) {
        filled(&store).await;
        let look = |tx: &mut Tx<'_>| {
            let (team, printer) = (team_id(1), PrinterId(id(PRINTER)));
            let due = |tx: &mut Tx<'_>, at: u64| {
                let due = print_jobs::find_due(tx, team, printer, NOW.plus(seconds(at)))?;
                Ok::<_, Error>(numbers(&due.into_iter().collect::<Vec<_>>()))
            };
            assert_eq!(due(tx, 22)?, Vec::<u128>::new());
            assert_eq!(due(tx, 59)?, [23]);
            assert_eq!(due(tx, 60)?, [22]);
            assert_eq!(print_jobs::next_look(tx, team, printer)?, Some(NOW.plus(seconds(23))));
            assert_eq!(numbers(&print_jobs::list_open(tx, team, printer)?), [23, 22]);
            assert_eq!(print_jobs::count_open(tx, team, printer, 10)?, 2);
            assert_eq!(print_jobs::any_count_waiting(tx)?, 1);
            Ok::<_, Error>(())
        };
        store.read(look).await.unwrap();
    }

    async fn jobs_of_a_period_are_read_a_page_at_a_time(store) {
        filled(&store).await;
        let read = |tx: &mut Tx<'_>| {
            let period = (NOW.plus(seconds(21)), NOW.plus(seconds(23)));
            let all = print_jobs::list_created(tx, team_id(1), period, (NOW, Uuid::nil()), 9)?;
            assert_eq!(numbers(&all), [21, 22]);
            let after = (all[0].created_at, Uuid::from(all[0].id));
            let rest = print_jobs::list_created(tx, team_id(1), period, after, 9)?;
            assert_eq!(numbers(&rest), [22]);
            let others = print_jobs::list_created(tx, team_id(2), period, (NOW, Uuid::nil()), 9)?;
            assert!(others.is_empty());
            Ok::<_, Error>(())
        };
        store.read(read).await.unwrap();
    }

    async fn a_joined_file_stays_when_a_job_for_it_comes_while_old_ones_go(store) {
        filled(&store).await;
        let (file, added) = (DocumentId(id(40)), Arc::new(Semaphore::new(0)));
        let join = move |tx: &mut Tx<'_>| {
            let merge = Merge { id: MergeId(id(30)), skipped: Vec::new(), created_at: NOW };
            merges::insert(tx, team_id(1), &merge)?;
            let (source_type, source) = (SourceKind::Merge, id(30));
            let joined = Document { id: file, source_type, source, ..document(1) };
            documents::insert(tx, team_id(1), &joined, &pdf())
        };
        store.write(join).await.unwrap();
        let told = Arc::clone(&added);
        let print = move |tx: &mut Tx<'_>| {
            assert!(documents::find_to_print(tx, team_id(1), file)?.is_some());
            let wanted = PrintJob { document: file, shipment: None, ..job(24) };
            print_jobs::insert(tx, team_id(1), &wanted, EventId(id(224)))?;
            told.add_permits(1);
            // Old files are looked for meanwhile, and the job cannot be seen yet.
            std::thread::sleep(Duration::from_millis(300));
            Ok::<_, Error>(())
        };
        let forget = async {
            added.acquire().await.unwrap().forget();
            store.write(|tx| merges::any_delete_old(tx, NOW.plus(seconds(60)), 9)).await.unwrap()
        };
        let (printed, gone) = tokio::join!(store.write(print), forget);
        printed.unwrap();
        assert_eq!(gone, 0);
        let find = move |tx: &mut Tx<'_>| {
            assert!(documents::find(tx, team_id(1), file)?.is_some());
            assert!(print_jobs::find(tx, team_id(1), PrintJobId(id(24)))?.is_some());
            Ok::<_, Error>(())
        };
        store.read(find).await.unwrap();
    }

    async fn printers_and_agents_are_counted_by_what_they_are(store) {
        agents::filled(&store).await;
        let count = |tx: &mut Tx<'_>| {
            assert_eq!(printers::any_count(tx)?, [(Provider::Agent, true, 2)]);
            let agents = print_agents::any_count(tx)?;
            assert_eq!(agents.iter().map(|(_, count)| count).sum::<i64>(), 2);
            assert!(agents.iter().all(|(state, _)| *state == AgentState::Pending));
            Ok::<_, Error>(())
        };
        store.read(count).await.unwrap();
    }
}

/// How SQLite goes about what runs for each job, and for the metrics.
#[tokio::test]
async fn jobs_that_wait_are_not_passed_by_for_those_that_were_sent() {
    let scratch = fresh(Database::Sqlite);
    statistics::take();
    let work = |tx: &mut Tx<'_>| {
        let (team, printer) = (team_id(1), PrinterId(id(PRINTER)));
        print_jobs::find_due(tx, team, printer, NOW)?;
        print_jobs::next_look(tx, team, printer)?;
        print_jobs::count_open(tx, team, printer, 9)?;
        print_jobs::list_open(tx, team, printer)?;
        print_jobs::list_created(tx, team, (NOW, NOW), (NOW, Uuid::nil()), 9)?;
        print_jobs::any_count_waiting(tx)?;
        printers::any_count(tx)?;
        print_agents::any_count(tx).map(drop)
    };
    scratch.store.read(work).await.unwrap();
    let ran = statistics::take().into_iter().map(|(sql, _)| sql);
    let mut found = Vec::new();
    for sql in ran.filter(|sql| sql.starts_with("SELECT")) {
        let plan = scratch.store.read(move |tx| plans::any_explain(tx, sql)).await.unwrap();
        found.push(plan.join("; "));
    }
    for wanted in [
        "print_job_sent (team=? AND printer=? AND look_at>? AND look_at<?)",
        "print_job_sent (team=? AND printer=? AND look_at>?)",
        "print_job_ready (team=? AND printer=?)",
        "print_job_created (team=? AND created_at>? AND created_at<?)",
        "SCAN print_job USING COVERING INDEX print_job_ready",
        "SCAN printer USING COVERING INDEX printer_counted",
        "SCAN print_agent USING COVERING INDEX print_agent_counted",
    ] {
        assert!(found.iter().any(|plan| plan.contains(wanted)), "{wanted}: {found:#?}");
    }
}

/// With many printers that say much of themselves, PostgreSQL counts them in the index too.
#[test]
fn postgresql_counts_waiting_jobs_in_their_index() {
    let scratch = fresh(Database::Postgres);
    block_on(filled(&scratch.store));
    vandalise(
        &scratch,
        "INSERT INTO print_job (team, id, document, document_name, document_types,
                                document_format, copies, source, state, step, tries, size_bytes,
                                expires_at, submission, is_answered, created_at, updated_at,
                                printed_at)
         SELECT team, gen_random_uuid(), document, 'x', 'label', 'pdf', 1, 'api', 'printed', 'over',
                0, 1, 1, 1, TRUE, 1, 1, 1 FROM print_job CROSS JOIN generate_series(1, 1000) AS n;",
    );
    let mut client = postgres::Client::connect(&scratch.url, postgres::NoTls).unwrap();
    client.batch_execute("VACUUM ANALYZE print_job").unwrap();
    let mut plan = |sql: &str| {
        let rows = client.query(&format!("EXPLAIN {sql}"), &[]).unwrap();
        rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
    };
    let waiting = plan("SELECT count(*) FROM print_job WHERE step = 'ready'");
    assert!(waiting.contains("using print_job_ready"), "{waiting}");
}

/// What breaks a rule, on SQLite and on PostgreSQL.
const DAMAGE: &[(&str, [&str; 2])] = &[
    (
        "a document shows its newest print job",
        ["UPDATE document SET print_status = 'queued'", "UPDATE document SET print_status = NULL"],
    ),
    (
        "a document shows its newest print job",
        [
            "UPDATE document SET print_status = 'printed',
                    print_job = (SELECT id FROM print_job WHERE state = 'printed')",
            "UPDATE document SET print_job = (SELECT id FROM printer)",
        ],
    ),
    (
        "the state of a print job was told",
        [
            "DELETE FROM event WHERE occurred_at = (SELECT printed_at FROM print_job
                                                     WHERE state = 'printed')",
            "DELETE FROM event WHERE occurred_at = (SELECT printed_at FROM print_job
                                                     WHERE state = 'printed')",
        ],
    ),
    (
        "an event about a print job is about a state that it entered",
        [
            "UPDATE event SET subject = X'00000000000000000000000000000001'
              WHERE occurred_at = (SELECT created_at FROM print_job WHERE state = 'printed')",
            "INSERT INTO event SELECT team, gen_random_uuid(), kind, subject, batch, ids,
                                      occurred_at + 1
               FROM event WHERE occurred_at = (SELECT max(created_at) FROM print_job)",
        ],
    ),
    (
        "a print job is at one printer job at most",
        [
            "DROP INDEX one_live_submission;
             INSERT INTO print_submission (team, print_job, n, fence, created_at)
             SELECT team, print_job, 2, 1, 1 FROM print_submission WHERE outcome = 'accepted'",
            "DROP INDEX one_live_submission;
             INSERT INTO print_submission (team, print_job, n, fence, created_at)
             SELECT team, print_job, 2, 1, 1 FROM print_submission WHERE outcome IS NULL",
        ],
    ),
    (
        "a print job is printed when it says when",
        [
            "PRAGMA ignore_check_constraints = ON;
             UPDATE print_job SET printed_at = NULL WHERE state = 'printed'",
            "ALTER TABLE print_job DROP CONSTRAINT print_job_check1;
             UPDATE print_job SET printed_at = 1 WHERE step = 'ready'",
        ],
    ),
    (
        "a printed job was accepted by its printer",
        [
            "UPDATE print_submission SET outcome = 'empty' WHERE outcome = 'accepted'",
            "UPDATE print_submission SET outcome = 'unknown' WHERE outcome = 'accepted'",
        ],
    ),
    (
        "a print job that may have left has its submission",
        [
            "DELETE FROM print_submission WHERE outcome IS NULL",
            "UPDATE print_submission SET n = 9 WHERE outcome IS NULL",
        ],
    ),
];

#[test]
fn each_rule_about_print_jobs_finds_what_breaks_it() {
    for (place, database) in [Database::Sqlite, Database::Postgres].into_iter().enumerate() {
        for (rule, damages) in DAMAGE {
            let scratch = fresh(database);
            block_on(filled(&scratch.store));
            let now = NOW.plus(seconds(61));
            assert_eq!(rules(&scratch, now), Vec::<&str>::new());
            vandalise(&scratch, damages[place]);
            assert_eq!(rules(&scratch, now), [*rule], "{}", damages[place]);
        }
        let scratch = fresh(database);
        block_on(filled(&scratch.store));
        vandalise(&scratch, "UPDATE document SET print_job = NULL, print_status = NULL");
        let never = "a document that was never printed has no print job";
        assert_eq!(rules(&scratch, NOW), [never; 3]);
        vandalise(&scratch, "UPDATE document SET print_status = 'printed'");
        let shown = "a document shows its newest print job";
        assert_eq!(rules(&scratch, NOW), [shown, never, never, never]);
    }
}

#[test]
fn a_file_that_is_on_its_way_for_an_hour_is_told() {
    for database in [Database::Sqlite, Database::Postgres] {
        let scratch = fresh(database);
        block_on(filled(&scratch.store));
        let sent_at = NOW.plus(seconds(60));
        let rule = "no file is on its way to a printer for an hour";
        let after = |seconds| sent_at.plus(Duration::from_secs(seconds));
        assert!(!rules(&scratch, after(3600)).contains(&rule));
        assert!(rules(&scratch, after(3601)).contains(&rule));
    }
}
