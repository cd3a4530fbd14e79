use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::printing::{
    Evidence, PrintState, PrintStep, PrinterJobState, ReportResult, Reported, Seen,
};
use waybill_domain::time::Time;
use waybill_printing::queue::{Observation, QueueJob, QueuePrinter};

use super::row::find;
use super::{Custody, Limits, Offered, Spool, SpoolError, SpoolJob, Step, Stored, rows};

const NOW: Time = Time(1_763_000_000_000_000);
const JOB: Uuid = Uuid::from_u128(7);

/// Numbers instead of ids.
struct Counted(AtomicU64);

impl IdSource for Counted {
    fn uuid(&self) -> Uuid {
        Uuid::from_u128(self.0.fetch_add(1, Ordering::SeqCst).into())
    }
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(0);
    }
}

/// A spool in a folder of the test's own.
struct Test {
    folder: PathBuf,
    ids: Counted,
}

impl Test {
    fn new(name: &str) -> Test {
        let folder =
            std::env::temp_dir().join(format!("waybill-spool-{name}-{}", std::process::id()));
        let _absent = std::fs::remove_dir_all(&folder);
        Test { folder, ids: Counted(AtomicU64::new(1)) }
    }

    fn open_at(&self, now: Time) -> Spool {
        Spool::open(&self.folder, &self.ids, now).unwrap().0
    }

    fn open(&self) -> Spool {
        self.open_at(NOW)
    }

    async fn close(&self, spool: Spool) {
        drop(spool);
        // The thread closes the file.
        while super::folder::is_in_use(&self.folder).unwrap() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

impl Drop for Test {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

fn offered(id: Uuid) -> Offered {
    Offered {
        id,
        printer: "uri:a".to_owned(),
        copies: 1,
        expires_at: NOW.plus(Duration::from_hours(12)),
        document: id,
        document_name: "Label".to_owned(),
        format: "zpl".to_owned(),
        size_bytes: 3,
        sha256: String::new(),
        width_um: None,
        height_um: None,
    }
}

/// The printer of the jobs.
async fn add_printer(spool: &Spool) {
    let seen = QueuePrinter::unseen("file:out".to_owned());
    spool.run(move |tx| rows::add_printer(tx, ("uri:a", "A"), &seen)).await.unwrap();
}

async fn store(spool: &Spool, id: Uuid) -> Stored {
    add_printer(spool).await;
    let file = Bytes::from_static(b"^XA");
    let limits = (Limits::default(), NOW);
    spool.run(move |tx| rows::offer(tx, &offered(id), Some(&file), limits)).await.unwrap()
}

async fn answer(spool: &Spool, sequence: i64, result: ReportResult) -> bool {
    spool.run(move |tx| rows::answer_report(tx, (JOB, sequence), result, NOW)).await.unwrap()
}

async fn due(spool: &Spool, now: Time) -> Option<QueueJob> {
    let due = spool.run(move |tx| rows::find_due(tx, "uri:a", now)).await.unwrap();
    due.as_ref().map(SpoolJob::queued)
}

async fn job(spool: &Spool) -> Option<SpoolJob> {
    spool.run(|tx| find(tx, JOB)).await.unwrap()
}

async fn begin(spool: &Spool, job: &QueueJob) -> Option<QueueJob> {
    let step = Step { job: job.clone(), now: NOW };
    let begun = spool.run(move |tx| rows::begin(tx, &step, None)).await.unwrap();
    begun.as_ref().map(SpoolJob::queued)
}

async fn created(spool: &Spool, job: &QueueJob) -> Option<QueueJob> {
    let step = Step { job: job.clone(), now: NOW };
    let created = spool.run(move |tx| rows::created(tx, &step, Some(5))).await.unwrap();
    created.as_ref().map(SpoolJob::queued)
}

async fn record(spool: &Spool, job: &QueueJob, seen: Seen) -> Option<QueueJob> {
    let step = Step { job: job.clone(), now: NOW };
    let observation = Observation { seen, said: None, printer_job: None };
    let new = spool.run(move |tx| rows::record(tx, &step, &observation)).await.unwrap();
    new.as_ref().map(SpoolJob::queued)
}

async fn told(spool: &Spool) -> Vec<(i64, String)> {
    let reports = spool.run(|tx| rows::pending_reports(tx, 100)).await.unwrap();
    reports.into_iter().map(|report| (report.sequence, report.state)).collect()
}

/// A job that is ours and waits.
async fn ours(spool: &Spool) -> QueueJob {
    assert_eq!(store(spool, JOB).await, Stored::New);
    assert!(answer(spool, 1, ReportResult::Taken).await);
    due(spool, NOW).await.unwrap()
}

#[tokio::test]
async fn nothing_is_printed_before_the_server_says_that_it_is_ours() {
    let test = Test::new("taken");
    let spool = test.open();
    assert_eq!(store(&spool, JOB).await, Stored::New);
    assert_eq!(told(&spool).await, [(1, "stored".to_owned())]);
    assert_eq!(due(&spool, NOW.plus(Duration::from_hours(1))).await, None);
    // An answer that was lost is as good when it is repeated.
    assert!(answer(&spool, 1, ReportResult::Known).await);
    assert!(due(&spool, NOW).await.is_some());
    assert_eq!(store(&spool, JOB).await, Stored::Known);
}

#[tokio::test]
async fn a_job_that_is_refused_is_forgotten_with_its_file() {
    let test = Test::new("refused");
    let spool = test.open();
    store(&spool, JOB).await;
    assert!(!answer(&spool, 1, ReportResult::Refused).await);
    assert_eq!(job(&spool).await, None);
    assert!(spool.run(|tx| rows::find_file(tx, JOB)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_step_is_committed_only_from_the_one_that_was_read_and_only_once() {
    let test = Test::new("steps");
    let spool = test.open();
    let ready = ours(&spool).await;
    let begun = begin(&spool, &ready).await.unwrap();
    assert_eq!(begin(&spool, &ready).await, None, "it is not ready any more");
    assert_eq!(record(&spool, &ready, Seen::PutOff).await, None);
    let sending = created(&spool, &begun).await.unwrap();
    assert_eq!(created(&spool, &begun).await, None, "only one may send");
    assert_eq!((sending.printing.step, sending.printer_job), (PrintStep::Sending, Some(5)));
    let sent = record(&spool, &sending, Seen::Sent(PrinterJobState::Processing)).await.unwrap();
    let done = record(&spool, &sent, Seen::Sent(PrinterJobState::Completed)).await.unwrap();
    assert_eq!(done.printing.state, PrintState::Printing, "a second answer to sending is none");
    assert_eq!(told(&spool).await, [(2, "printing".to_owned())]);
}

#[tokio::test]
async fn a_second_live_submission_is_refused_whatever_the_code_gets_wrong() {
    let test = Test::new("index");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    created(&spool, &begun).await.unwrap();
    let again = spool.run(|tx| {
        tx.execute("UPDATE job SET step = 'ready'", [])?;
        let job = find(tx, JOB)?.unwrap().queued();
        rows::begin(tx, &Step { job, now: NOW }, None)
    });
    assert!(matches!(again.await, Err(SpoolError::Database(_))));
    assert_eq!(job(&spool).await.unwrap().printing.step, PrintStep::Sending, "nothing was written");
}

#[tokio::test]
async fn the_file_goes_when_the_end_is_told_and_the_id_stays_for_a_month() {
    let test = Test::new("ends");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    let sending = created(&spool, &begun).await.unwrap();
    record(&spool, &sending, Seen::Sent(PrinterJobState::Completed)).await.unwrap();
    assert!(spool.run(|tx| rows::find_file(tx, JOB)).await.unwrap().is_some());
    assert_eq!(told(&spool).await, [(2, "printed".to_owned())]);
    answer(&spool, 2, ReportResult::Taken).await;
    assert!(spool.run(|tx| rows::find_file(tx, JOB)).await.unwrap().is_none());
    assert_eq!(spool.run(rows::room).await.unwrap().jobs, 0);
    // A server that was set back offers it again: it is told once more, and not printed.
    assert_eq!(store(&spool, JOB).await, Stored::Known);
    assert_eq!(told(&spool).await, [(2, "printed".to_owned())]);
    assert_eq!(due(&spool, NOW).await, None);
    for (days, is_known) in [(29, true), (31, false)] {
        let later = NOW.plus(Duration::from_hours(24 * days));
        spool.run(move |tx| rows::forget_old(tx, later)).await.unwrap();
        assert_eq!(job(&spool).await.is_some(), is_known, "after {days} days");
    }
}

/// How many jobs are held, and whether the file of the test's is there.
async fn kept(spool: &Spool) -> (u64, bool) {
    let file = spool.run(|tx| rows::find_file(tx, JOB)).await.unwrap();
    (spool.run(rows::room).await.unwrap().jobs, file.is_some())
}

#[tokio::test]
async fn what_ends_as_it_was_told_already_leaves_the_spool_without_a_report() {
    let test = Test::new("ends-known");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    let sending = created(&spool, &begun).await.unwrap();
    let sent = record(&spool, &sending, Seen::Sent(PrinterJobState::Processing)).await.unwrap();
    // The printer is switched off, and comes back without a memory of it.
    let silent = record(&spool, &sent, Seen::NoContact).await.unwrap();
    let later = Step { job: silent, now: NOW.plus(Duration::from_secs(300)) };
    let nothing = Observation { seen: Seen::NoContact, said: None, printer_job: None };
    let lost = spool.run(move |tx| rows::record(tx, &later, &nothing)).await.unwrap().unwrap();
    assert_eq!(lost.printing.state, PrintState::Unknown);
    for sequence in 2..=3 {
        answer(&spool, sequence, ReportResult::Taken).await;
    }
    assert_eq!(kept(&spool).await, (1, true), "it may still be found there");
    let gone = Seen::Looked(Evidence::Gone);
    assert_eq!(record(&spool, &lost.queued(), gone).await.unwrap().printing.step, PrintStep::Over);
    assert_eq!(told(&spool).await, []);
    assert_eq!(kept(&spool).await, (0, false));
    // So does one that a version before has left.
    spool.run(|tx| Ok(tx.execute("UPDATE job SET ended_at = NULL", [])?)).await.unwrap();
    assert_eq!(kept(&spool).await.0, 1);
    test.close(spool).await;
    assert_eq!(kept(&test.open()).await.0, 0);
}

#[tokio::test]
async fn what_is_forgotten_while_it_is_sent_is_not_sent_again_and_not_told() {
    let test = Test::new("forgotten");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    let sending = created(&spool, &begun).await.unwrap();
    spool.run(|tx| rows::forget(tx, JOB, NOW)).await.unwrap();
    let after = record(&spool, &sending, Seen::Emptied).await.unwrap();
    assert_eq!(after.printing.step, PrintStep::Over);
    assert_eq!(told(&spool).await, []);
    assert_eq!(job(&spool).await.unwrap().custody, Custody::Forgotten);
    // Should it be offered again after all, a person looks.
    assert_eq!(store(&spool, JOB).await, Stored::Known);
    assert_eq!(told(&spool).await, [(2, Reported::Unknown.name().to_owned())]);
}

#[tokio::test]
async fn what_is_forgotten_while_its_empty_job_is_made_does_not_leave() {
    let test = Test::new("given-up");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    spool.run(|tx| rows::forget(tx, JOB, NOW)).await.unwrap();
    assert_eq!(created(&spool, &begun).await, None);
    let left = due(&spool, NOW).await.unwrap();
    assert_eq!(
        (left.printing.step, left.printing.state),
        (PrintStep::Creating, PrintState::Failed)
    );
}

#[tokio::test]
async fn what_may_have_left_before_a_crash_is_waited_for_whatever_the_clock_says() {
    let test = Test::new("crash");
    let spool = test.open();
    let begun = begin(&spool, &ours(&spool).await).await.unwrap();
    created(&spool, &begun).await.unwrap();
    test.close(spool).await;
    for now in [NOW.minus(Duration::from_hours(9000)), NOW.plus(Duration::from_hours(9000))] {
        let spool = test.open_at(now);
        assert_eq!(due(&spool, now.plus(Duration::from_secs(4))).await, None);
        assert!(due(&spool, now.plus(Duration::from_secs(6))).await.is_some());
        test.close(spool).await;
    }
}

#[tokio::test]
async fn a_copied_file_is_another_spool_and_holds_nothing() {
    let test = Test::new("copy");
    let spool = test.open();
    ours(&spool).await;
    let first = spool.run(|tx| rows::fact(tx, super::Fact::Instance)).await.unwrap();
    test.close(spool).await;
    let file = test.folder.join("agent.db");
    std::fs::copy(&file, test.folder.join("copy")).unwrap();
    let spool = test.open();
    let again = spool.run(|tx| rows::fact(tx, super::Fact::Instance)).await.unwrap();
    assert_eq!(first, again, "it is still the first one");
    assert!(due(&spool, NOW).await.is_some());
    test.close(spool).await;
    std::fs::rename(test.folder.join("copy"), &file).unwrap();
    let spool = test.open();
    let copied = spool.run(|tx| rows::fact(tx, super::Fact::Instance)).await.unwrap();
    assert_ne!(first, copied);
    assert_eq!(due(&spool, NOW.plus(Duration::from_hours(1))).await, None);
    assert_eq!(spool.run(|tx| rows::list_held(tx, 10)).await.unwrap(), []);
}

#[tokio::test]
async fn a_spool_is_one_agents_and_not_read_by_an_older_version() {
    let test = Test::new("lock");
    let spool = test.open();
    let second = Spool::open(&test.folder, &test.ids, NOW).map(drop);
    assert!(matches!(second, Err(SpoolError::InUse(_))));
    spool.run(|tx| Ok(tx.pragma_update(None, "user_version", 99)?)).await.unwrap();
    test.close(spool).await;
    let older = Spool::open(&test.folder, &test.ids, NOW).map(drop);
    assert!(matches!(older, Err(SpoolError::Newer(_))));
}

#[tokio::test]
async fn nothing_is_taken_in_for_a_printer_that_is_not_here() {
    let test = Test::new("no-printer");
    let spool = test.open();
    let offer = |spool: Spool| async move {
        let file = Bytes::from_static(b"^XA");
        let limits = (Limits::default(), NOW);
        spool.run(move |tx| rows::offer(tx, &offered(JOB), Some(&file), limits)).await.unwrap()
    };
    assert_eq!(offer(spool.clone()).await, Stored::NoPrinter);
    add_printer(&spool).await;
    spool.run(|tx| rows::set_listed(tx, "uri:a", false)).await.unwrap();
    assert_eq!(offer(spool.clone()).await, Stored::NoPrinter);
    assert_eq!(job(&spool).await, None);
    add_printer(&spool).await;
    assert_eq!(offer(spool).await, Stored::New);
}

#[tokio::test]
async fn what_waits_for_a_printer_that_is_gone_fails_and_is_told() {
    for (name, is_taken) in [("orphan-ours", true), ("orphan-offered", false)] {
        let test = Test::new(name);
        let spool = test.open();
        assert_eq!(store(&spool, JOB).await, Stored::New);
        if is_taken {
            assert!(answer(&spool, 1, ReportResult::Taken).await);
        }
        spool.run(|tx| rows::give_up_orphans(tx, &[], NOW)).await.unwrap();
        assert_eq!(job(&spool).await.unwrap().printing.state, PrintState::Pending, "it is here");
        spool.run(|tx| rows::remove_printer(tx, "uri:a")).await.unwrap();
        spool.run(|tx| rows::give_up_orphans(tx, &[], NOW)).await.unwrap();
        assert_eq!(told(&spool).await.last().unwrap(), &(2, "failed".to_owned()));
        answer(&spool, 1, ReportResult::Taken).await;
        answer(&spool, 2, ReportResult::Taken).await;
        assert_eq!(due(&spool, NOW).await, None);
        assert_eq!(kept(&spool).await, (0, false));
    }
}

#[tokio::test]
async fn a_full_spool_takes_nothing_more_in() {
    let test = Test::new("full");
    let spool = test.open();
    let limits = (Limits { jobs: 2, bytes: 8 }, NOW);
    add_printer(&spool).await;
    let mut stored = Vec::new();
    for number in 1..=3 {
        let file = Bytes::from_static(b"^XA");
        let offered = offered(Uuid::from_u128(number));
        stored.push(
            spool.run(move |tx| rows::offer(tx, &offered, Some(&file), limits)).await.unwrap(),
        );
    }
    assert_eq!(stored, [Stored::New, Stored::New, Stored::NoRoom]);
    assert!(!spool.run(rows::room).await.unwrap().fits(3, Limits { jobs: 9, bytes: 8 }));
}
