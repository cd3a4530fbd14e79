//! What was tried with a shipment is remembered, each attempt once.

use waybill_domain::booking::{CallEnd, Reference};
use waybill_domain::ids::ShipmentId;
use waybill_domain::job::JobKind;
use waybill_store::attempts::{
    Attempt, AttemptKind, AttemptOutcome, begin_cancel, end, find_cancelled, insert, list,
};
use waybill_store::{Error, carrier_calls, jobs, shipments};

use crate::booking::shipments_of;
use crate::fixtures::{NOW, id, seconds, team_id};

fn attempt(kind: AttemptKind, outcome: AttemptOutcome, words: &str) -> Attempt {
    Attempt {
        kind,
        outcome,
        words: Some(words.to_owned()),
        request_id: Some("request-7".to_owned()),
        tried_at: NOW,
    }
}

both! {
    async fn attempts_are_listed_in_order_and_a_look_up_that_says_the_same_is_told_once(store) {
        shipments_of(&store, 1..=2).await;
        let tried = [
            attempt(AttemptKind::Book, AttemptOutcome::Unclear, "no answer"),
            attempt(AttemptKind::LookUp, AttemptOutcome::Unclear, "away"),
            attempt(AttemptKind::LookUp, AttemptOutcome::Unclear, "away"),
            attempt(AttemptKind::LookUp, AttemptOutcome::Unclear, "not found"),
            attempt(AttemptKind::Documents, AttemptOutcome::Failed, "no paper"),
            attempt(AttemptKind::Documents, AttemptOutcome::Failed, "no paper"),
            Attempt { words: None, ..attempt(AttemptKind::Cancel, AttemptOutcome::Refused, "") },
            Attempt { request_id: None, ..attempt(AttemptKind::Cancel, AttemptOutcome::Done, "") },
        ];
        let (one, two) = (ShipmentId(id(1)), ShipmentId(id(2)));
        let written = tried.clone();
        let write = move |tx: &mut waybill_store::Tx<'_>| {
            for attempt in &written {
                insert(tx, team_id(1), one, attempt)?;
            }
            Ok::<_, Error>((list(tx, team_id(1), one)?, list(tx, team_id(1), two)?))
        };
        let (found, others) = store.write(write).await.unwrap();
        let mut expected = tried.to_vec();
        expected.remove(2);
        assert_eq!(found, expected);
        assert_eq!(others, []);
    }

    async fn a_call_to_cancel_is_known_before_its_answer_and_ends_as_what_that_says(store) {
        shipments_of(&store, 1..=2).await;
        let (one, two) = (ShipmentId(id(1)), ShipmentId(id(2)));
        let known = store.write(move |tx| {
            let mut known = Vec::new();
            let other = attempt(AttemptKind::LookUp, AttemptOutcome::Unclear, "away");
            insert(tx, team_id(1), one, &other)?;
            known.push(find_cancelled(tx, team_id(1), one)?);
            for outcome in [AttemptOutcome::Refused, AttemptOutcome::Failed, AttemptOutcome::Done] {
                let number = begin_cancel(tx, team_id(1), one, Some("request-7"), NOW)?;
                known.push(find_cancelled(tx, team_id(1), one)?);
                let later = NOW.plus(seconds(1));
                end(tx, team_id(1), one, number, (outcome, Some("words")), later)?;
                known.push(find_cancelled(tx, team_id(1), one)?);
            }
            begin_cancel(tx, team_id(1), one, None, NOW)?;
            known.push(find_cancelled(tx, team_id(1), one)?);
            known.push(find_cancelled(tx, team_id(1), two)?);
            Ok::<_, Error>((known, list(tx, team_id(1), one)?))
        });
        let (known, listed) = known.await.unwrap();
        let (unclear, done) = (Some(AttemptOutcome::Unclear), Some(AttemptOutcome::Done));
        let each = [None, unclear, None, unclear, None, unclear, done, done, None];
        assert_eq!(known, each);
        let ended = attempt(AttemptKind::Cancel, AttemptOutcome::Done, "words");
        assert_eq!(listed[3], Attempt { tried_at: NOW.plus(seconds(1)), ..ended });
        let open = Attempt { kind: AttemptKind::Cancel, outcome: AttemptOutcome::Unclear,
            words: None, request_id: None, tried_at: NOW };
        assert_eq!(listed[4], open);
    }

    async fn a_job_knows_its_request_until_it_is_done(store) {
        let known = store.write(|tx| {
            let take = |tx: &mut waybill_store::Tx<'_>, second| {
                let at = NOW.plus(seconds(second));
                jobs::claim_one(tx, JobKind::Cancel, id(1), None, at, seconds(10))
            };
            let first = take(tx, 0)?.ok_or(Error::Broken("not taken".to_owned()))?;
            jobs::set_request(tx, JobKind::Cancel, id(1), "request-7")?;
            let alarm = jobs::find_alarm(tx, JobKind::Cancel, id(1))?;
            jobs::retry_at(tx, &first, NOW, "later")?;
            let second = jobs::claim(tx, JobKind::ALL, NOW, seconds(10), 9)?.remove(0);
            jobs::finish(tx, &second)?;
            let rest = jobs::find_alarm(tx, JobKind::Cancel, id(1))?;
            let third = take(tx, 60)?.and_then(|job| job.request_id);
            Ok::<_, Error>((first.request_id, alarm, second.request_id, rest, third))
        });
        let (first, alarm, second, rest, third) = known.await.unwrap();
        let named = Some("request-7".to_owned());
        let (run_at, request_id) = (NOW.plus(seconds(10)), named.clone());
        let expected = jobs::Alarm { run_at, is_leased: true, request_id, note: None };
        assert_eq!((first, alarm), (None, Some(expected)));
        assert_eq!((second, rest, third), (named, None, None));
    }

    async fn a_shipment_knows_the_request_that_made_it(store) {
        shipments_of(&store, 3..=3).await;
        let found = store.read(|tx| {
            let whole = shipments::find(tx, team_id(1), ShipmentId(id(3)))?;
            let alone = shipments::find_request_id(tx, team_id(1), ShipmentId(id(3)))?;
            Ok::<_, Error>((whole.and_then(|shipment| shipment.request_id), alone))
        });
        let named = Some("request-3".to_owned());
        assert_eq!(found.await.unwrap(), (named.clone(), named));
    }

    async fn what_a_call_was_concluded_from_does_not_outlive_the_conclusion(store) {
        shipments_of(&store, 1..=1).await;
        let shipment = ShipmentId(id(1));
        let evidence = store.write(move |tx| {
            let reference = Reference::from_stored("ref".to_owned());
            carrier_calls::insert(tx, team_id(1), shipment, &reference, 1, NOW)?;
            let mut seen = Vec::new();
            for (end, evidence) in [
                (CallEnd::Unknown, Some("no answer")),
                (CallEnd::Unknown, None),
                (CallEnd::Rejected, None),
            ] {
                carrier_calls::set_outcome(tx, team_id(1), shipment, end, evidence, NOW)?;
                let call = carrier_calls::list(tx, team_id(1), shipment)?.remove(0);
                seen.push(call.evidence);
            }
            Ok::<_, Error>(seen)
        });
        let unclear = Some("no answer".to_owned());
        assert_eq!(evidence.await.unwrap(), [unclear.clone(), unclear, None]);
    }
}
