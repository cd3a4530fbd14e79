//! Jobs are leased to one worker at a time, and no alarm is lost.

use std::collections::HashSet;

use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_store::check::{DUE_TOO_LATE, check_recent, mend_jobs};
use waybill_store::jobs::{
    Claimed, any_next_due, any_overdue, any_release_all, any_waiting_teams, claim, claim_of,
    claim_one, finish, renew, retry_at, schedule, wait_until,
};
use waybill_store::{Error, Result, Store, Tx};

use crate::booking::shipments_of;
use crate::fixtures::{NOW, id, seconds, seed, team_id};

fn at(second: i64) -> Time {
    Time(NOW.0 + second * 1_000_000)
}

/// Leases all that is due for ten seconds.
fn claim_all(tx: &mut Tx<'_>, second: i64) -> Result<Vec<Claimed>> {
    claim(tx, JobKind::ALL, at(second), seconds(10), 100)
}

/// Schedules one job, at the start.
fn start(tx: &mut Tx<'_>) -> Result<()> {
    schedule(tx, JobKind::Book, id(1), None, at(0))
}

/// Schedules a job of a kind that only a newer release knows.
fn schedule_newer(tx: &mut Tx<'_>, kind: &str, run_at: Time) -> Result<u64> {
    tx.exec(
        "INSERT INTO job (kind, subject, run_at) VALUES ($1, $2, $3)",
        &[kind.into(), id(4).into(), run_at.into()],
    )
}

async fn next_due(store: &Store) -> Option<Time> {
    store.read(|tx| any_next_due(tx, JobKind::ALL)).await.unwrap()
}

both! {
    async fn a_job_that_is_due_later_than_its_kind_allows_is_found_and_mended(store) {
        seed(&store).await;
        for (ahead, count) in [(seconds(3600), 2), (seconds(172_800), 4)] {
            let found = store.write(move |tx| {
                let now = tx.now(NOW)?;
                let then = now.plus(ahead);
                for (number, kind) in (1..).zip([JobKind::Book, JobKind::Deliver, JobKind::Track]) {
                    schedule(tx, kind, id(number), None, then)?;
                }
                schedule_newer(tx, "newer", then)?;
                claim_one(tx, JobKind::Orphans, id(5), None, then, seconds(30))?;
                let before = check_recent(tx, now)?;
                let mended = mend_jobs(tx, NOW, seconds(30))?;
                let (after, due) = (check_recent(tx, now)?, any_next_due(tx, JobKind::ALL)?);
                let leased = "SELECT run_at FROM job WHERE due_at IS NOT NULL";
                let leased = tx.one::<Time>(leased, &[])?;
                tx.exec("DELETE FROM job", &[])?;
                Ok::<_, Error>((now, before, mended, after, due, leased))
            });
            let (now, before, mended, after, due, leased) = found.await.unwrap();
            assert!(before.iter().all(|found| found.rule == DUE_TOO_LATE && !found.is_late));
            assert_eq!((before.len(), mended, after.len()), (count, count, 0));
            assert!(due.is_some_and(|due| due.since(now) < seconds(5)), "{due:?}");
            assert!(leased.is_some_and(|until| until.since(now) < seconds(35)), "{leased:?}");
        }
    }

    async fn a_booking_whose_job_was_kept_since_the_clock_went_back_is_mended_too(store) {
        shipments_of(&store, 1..=2).await;
        let found = store.write(|tx| {
            let due = tx.now(NOW)?;
            tx.exec("DELETE FROM job", &[])?;
            for (number, ahead) in [(1, seconds(172_800)), (2, seconds(120))] {
                tx.exec(
                    "UPDATE shipment SET state = 'processing', deadline_at = $2, called_at = $2
                      WHERE id = $1",
                    &[id(number).into(), NOW.plus(ahead).into()],
                )?;
                schedule(tx, JobKind::Book, id(number), Some(team_id(1)), due)?;
            }
            let mended = mend_jobs(tx, NOW, seconds(30))?;
            let times = "SELECT deadline_at, called_at FROM shipment ORDER BY id";
            Ok::<_, Error>((mended, tx.all::<(Time, Time)>(times, &[])?))
        });
        let (mended, times) = found.await.unwrap();
        assert_eq!(mended, 1);
        assert!(times[0].0.since(NOW) < seconds(130) && times[0].1.since(NOW) < seconds(5));
        assert!(times[1].0.since(NOW) >= seconds(119), "{times:?}");
    }

    async fn what_waits_as_long_as_its_kind_may_is_left_alone(store) {
        let found = store.write(|tx| {
            let now = tx.now(NOW)?;
            schedule(tx, JobKind::Book, id(1), None, now.plus(seconds(600)))?;
            schedule(tx, JobKind::Deliver, id(2), None, now.plus(seconds(86_400)))?;
            Ok::<_, Error>((check_recent(tx, now)?, mend_jobs(tx, NOW, seconds(30))?))
        });
        assert_eq!(found.await.unwrap(), (Vec::new(), 0));
    }

    async fn a_due_job_is_leased_and_a_later_one_is_not(store) {
        seed(&store).await;
        let claimed = store.write(|tx| {
            schedule(tx, JobKind::Book, id(1), Some(team_id(1)), at(5))?;
            schedule(tx, JobKind::Book, id(2), None, at(6))?;
            claim_all(tx, 5)
        });
        let expected = Claimed {
            kind: JobKind::Book,
            subject: id(1),
            team: Some(team_id(1)),
            fence: at(5).0,
            attempt: 1,
            due_at: at(5),
            request_id: None,
        };
        assert_eq!(claimed.await.unwrap(), [expected]);
        assert_eq!(next_due(&store).await, Some(at(6)));
    }

    async fn a_job_of_one_team_is_claimed_while_another_waits_longer(store) {
        seed(&store).await;
        let seen = store.write(|tx| {
            for (number, team, second) in [(1, 1, 0), (2, 1, 1), (3, 2, 2), (4, 2, 9)] {
                schedule(tx, JobKind::Report, id(number), Some(team_id(team)), at(second))?;
            }
            schedule(tx, JobKind::Book, id(5), Some(team_id(2)), at(0))?;
            let waiting = any_waiting_teams(tx, JobKind::Report, at(5))?;
            let mut claim = |team| claim_of(tx, JobKind::Report, team_id(team), at(5), seconds(10));
            let claimed = [claim(2)?, claim(2)?, claim(1)?].map(|job| job.map(|job| job.subject));
            Ok::<_, Error>((waiting, claimed, any_waiting_teams(tx, JobKind::Report, at(5))?))
        });
        let (before, claimed, after) = seen.await.unwrap();
        assert_eq!(before, [team_id(1), team_id(2)]);
        assert_eq!(claimed, [Some(id(3)), None, Some(id(1))]);
        assert_eq!(after, [team_id(1)]);
        let due = |kinds: &'static [JobKind]| store.read(move |tx| any_next_due(tx, kinds));
        assert_eq!(due(&[JobKind::Report]).await.unwrap(), Some(at(1)));
        assert_eq!(due(&[JobKind::Cancel]).await.unwrap(), None);
        assert_eq!(due(&[JobKind::Cancel, JobKind::Book]).await.unwrap(), Some(at(0)));
    }

    async fn a_job_that_is_taken_is_nobody_else_s_until_it_ends_or_its_time_is_over(store) {
        seed(&store).await;
        let taken = store.write(|tx| {
            let kind = JobKind::Cancel;
            let mut take_at = |second| claim_one(tx, kind, id(1), None, at(second), seconds(10));
            let (first, second) = (take_at(0)?, take_at(5)?);
            let third = take_at(11)?;
            let is_late = first.as_ref().is_some_and(|first| finish(tx, first) == Ok(true));
            let ended = finish(tx, third.as_ref().ok_or(Error::Broken("none".to_owned()))?)?;
            let fourth = claim_one(tx, JobKind::Cancel, id(1), None, at(12), seconds(10))?;
            let fences = [first, second, third, fourth].map(|job| job.map(|job| job.fence));
            Ok::<_, Error>((fences, is_late, ended))
        });
        let fences = [Some(at(0).0), None, Some(at(11).0), Some(at(12).0)];
        assert_eq!(taken.await.unwrap(), (fences, false, true));
    }

    async fn when_all_leases_are_released_the_dead_worker_s_job_is_claimed_at_once(store) {
        let (released, first, second) = store
            .write(|tx| {
                start(tx)?;
                let first = claim_all(tx, 0)?;
                schedule(tx, JobKind::Book, id(2), None, at(100))?;
                schedule(tx, JobKind::Book, id(1), None, at(50))?;
                let released = any_release_all(tx, at(1))?;
                Ok::<_, Error>((released, first, claim_all(tx, 1)?))
            })
            .await
            .unwrap();
        assert_eq!((released, first.len(), second.len()), (1, 1, 1));
        assert_eq!((second[0].subject, second[0].fence, second[0].attempt), (id(1), at(1).0, 2));
        let is_late = store.write(move |tx| finish(tx, &first[0])).await.unwrap();
        assert!(!is_late, "the dead worker's lease is worth nothing");
    }

    async fn the_longest_due_come_first_and_never_more_than_the_limit(store) {
        let claimed = store.write(|tx| {
            for (number, second) in [(1, 3), (2, 1), (3, 2), (4, 0)] {
                schedule(tx, JobKind::Book, id(number), None, at(second))?;
            }
            claim(tx, JobKind::ALL, at(9), seconds(10), 3)
        });
        let subjects: Vec<_> = claimed.await.unwrap().iter().map(|job| job.subject).collect();
        assert_eq!(subjects, [id(4), id(2), id(3)]);
    }

    async fn only_the_named_kinds_are_claimed(store) {
        let claimed = store.write(|tx| {
            for kind in ["booking", "ook", "print"] {
                schedule_newer(tx, kind, at(0))?;
            }
            for kind in [JobKind::Book, JobKind::Track, JobKind::Cancel] {
                schedule(tx, kind, id(1), None, at(0))?;
            }
            claim(tx, &[JobKind::Book, JobKind::Track], at(0), seconds(10), 100)
        });
        let kinds: HashSet<_> = claimed.await.unwrap().into_iter().map(|job| job.kind).collect();
        assert_eq!(kinds, HashSet::from([JobKind::Book, JobKind::Track]));
    }

    async fn a_finished_job_rests_until_it_is_scheduled_again(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let first = claim_all(tx, 0)?.remove(0);
            let finished = finish(tx, &first)?;
            let idle = claim_all(tx, 1000)?;
            schedule(tx, JobKind::Book, id(1), None, at(7))?;
            Ok::<_, Error>((finished, idle, claim_all(tx, 7)?))
        });
        let (finished, idle, second) = seen.await.unwrap();
        assert!(finished);
        assert_eq!(idle, []);
        assert_eq!((second[0].fence, second[0].attempt, second[0].due_at), (at(7).0, 1, at(7)));
    }

    async fn an_expired_lease_goes_to_another_and_the_old_one_changes_nothing(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let old = claim_all(tx, 0)?.remove(0);
            let early = claim_all(tx, 9)?;
            let new = claim_all(tx, 10)?.remove(0);
            let renewed = renew(tx, &old, at(99), at(99))?;
            let stale = (finish(tx, &old)?, retry_at(tx, &old, at(0), "")?, renewed);
            Ok::<_, Error>((early, new.fence, new.attempt, stale, finish(tx, &new)?))
        });
        let (early, fence, attempt, stale, fresh) = seen.await.unwrap();
        assert_eq!((early, fence, attempt), (vec![], at(10).0, 2));
        assert_eq!(stale, (false, false, false));
        assert!(fresh);
        assert_eq!(next_due(&store).await, None);
    }

    async fn a_kept_lease_lasts_longer(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            let kept = renew(tx, &job, at(30), at(30))?;
            Ok::<_, Error>((kept, claim_all(tx, 29)?.len(), claim_all(tx, 30)?.len()))
        });
        assert_eq!(seen.await.unwrap(), (true, 0, 1));
    }

    async fn a_lease_that_lasts_long_enough_stays_as_it_is(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            let kept = renew(tx, &job, at(9), at(30))?;
            Ok::<_, Error>((kept, claim_all(tx, 9)?.len(), claim_all(tx, 10)?.len()))
        });
        assert_eq!(seen.await.unwrap(), (true, 0, 1));
    }

    async fn a_job_that_comes_again_comes_at_its_time_or_earlier_when_asked_for(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let first = claim_all(tx, 0)?.remove(0);
            let ended = wait_until(tx, &first, at(20))?;
            let second = claim_all(tx, 20)?.remove(0);
            schedule(tx, JobKind::Book, id(1), None, at(22))?;
            let again = wait_until(tx, &second, at(90))?;
            let late = wait_until(tx, &first, at(21))?;
            Ok::<_, Error>((ended, again, late, second.attempt, claim_all(tx, 22)?.len()))
        });
        assert_eq!(seen.await.unwrap(), (true, true, false, 1, 1));
    }

    async fn a_lease_ends_once(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            finish(tx, &job)?;
            let renewed = renew(tx, &job, at(9), at(9))?;
            Ok::<_, Error>((finish(tx, &job)?, retry_at(tx, &job, at(0), "")?, renewed))
        });
        assert_eq!(seen.await.unwrap(), (false, false, false));
        assert_eq!(next_due(&store).await, None);
    }

    async fn another_attempt_is_counted_and_its_reason_kept(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            let set = retry_at(tx, &job, at(60), "the carrier is closed")?;
            let note = tx.one::<Option<String>>("SELECT note FROM job", &[])?.flatten();
            Ok::<_, Error>((set, note, claim_all(tx, 59)?.len(), claim_all(tx, 60)?[0].attempt))
        });
        let note = Some("the carrier is closed".to_owned());
        assert_eq!(seen.await.unwrap(), (true, note, 0, 2));
    }

    async fn scheduling_brings_an_alarm_forward_and_never_puts_it_off(store) {
        store.write(|tx| schedule(tx, JobKind::Book, id(1), None, at(5))).await.unwrap();
        store.write(|tx| schedule(tx, JobKind::Book, id(1), None, at(9))).await.unwrap();
        assert_eq!(next_due(&store).await, Some(at(5)));
        store.write(|tx| schedule(tx, JobKind::Book, id(1), None, at(2))).await.unwrap();
        assert_eq!(next_due(&store).await, Some(at(2)));
    }

    async fn scheduling_during_a_lease_starts_no_second_worker(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            schedule(tx, JobKind::Book, id(1), None, at(1))?;
            Ok::<_, Error>((claim_all(tx, 5)?, finish(tx, &job)?, any_next_due(tx, JobKind::ALL)?))
        });
        assert_eq!(seen.await.unwrap(), (vec![], true, Some(at(1))));
    }

    async fn the_earliest_alarm_of_a_lease_is_the_one_that_counts(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            let job = claim_all(tx, 0)?.remove(0);
            for second in [50, 40, 60] {
                schedule(tx, JobKind::Book, id(1), None, at(second))?;
            }
            retry_at(tx, &job, at(45), "later")?;
            let first = any_next_due(tx, JobKind::ALL)?;
            let job = claim_all(tx, 40)?.remove(0);
            schedule(tx, JobKind::Book, id(1), None, at(90))?;
            retry_at(tx, &job, at(80), "later")?;
            Ok::<_, Error>((first, any_next_due(tx, JobKind::ALL)?))
        });
        assert_eq!(seen.await.unwrap(), (Some(at(40)), Some(at(80))));
    }

    async fn an_alarm_of_a_lease_survives_the_worker(store) {
        let seen = store.write(|tx| {
            start(tx)?;
            claim_all(tx, 0)?;
            schedule(tx, JobKind::Book, id(1), None, at(50))?;
            let heir = claim_all(tx, 10)?.remove(0);
            finish(tx, &heir)?;
            let future = any_next_due(tx, JobKind::ALL)?;
            claim_all(tx, 50)?;
            schedule(tx, JobKind::Book, id(1), None, at(51))?;
            // This claim starts after the alarm was set, so it answers the alarm.
            let heir = claim_all(tx, 60)?.remove(0);
            finish(tx, &heir)?;
            Ok::<_, Error>((future, any_next_due(tx, JobKind::ALL)?))
        });
        assert_eq!(seen.await.unwrap(), (Some(at(50)), None));
    }

    async fn overdue_jobs_are_counted(store) {
        let counts = store.write(|tx| {
            for number in 1..=3 {
                schedule(tx, JobKind::Book, id(number), None, at(0))?;
            }
            schedule(tx, JobKind::Book, id(4), None, at(5))?;
            let job = claim(tx, JobKind::ALL, at(0), seconds(10), 1)?.remove(0);
            let busy = any_overdue(tx, at(5))?;
            finish(tx, &job)?;
            Ok::<_, Error>((any_overdue(tx, at(0))?, busy, any_overdue(tx, at(6))?))
        });
        assert_eq!(counts.await.unwrap(), (0, 2, 3));
    }

    async fn eight_claimers_never_get_the_same_job(store) {
        let scheduled = store.write(|tx| {
            (0..200).try_for_each(|number| schedule(tx, JobKind::Book, id(number), None, at(0)))
        });
        scheduled.await.unwrap();
        let claimers: Vec<_> =
            (0..8).map(|_| tokio::spawn(claim_until_empty(store.clone()))).collect();
        let mut subjects = Vec::new();
        for claimer in claimers {
            subjects.extend(claimer.await.unwrap());
        }
        assert_eq!(subjects.len(), 200);
        assert_eq!(subjects.into_iter().collect::<HashSet<_>>().len(), 200);
    }
}

async fn claim_until_empty(store: Store) -> Vec<uuid::Uuid> {
    let mut subjects = Vec::new();
    loop {
        let claimed =
            store.write(|tx| claim(tx, JobKind::ALL, at(0), seconds(10), 3)).await.unwrap();
        assert!(claimed.len() <= 3);
        if claimed.is_empty() {
            return subjects;
        }
        subjects.extend(claimed.iter().map(|job| job.subject));
    }
}
