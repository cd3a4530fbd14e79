use std::time::Duration;

use super::*;
use crate::booking::{Booking, CarrierKind, Miss, Step, fail, record};
use crate::time::Time;

const CALLED: Time = Time(100_000_000);
const SETTLE: Duration = Duration::from_secs(600);

fn booking(step: Step) -> Booking {
    let is_open = step.is_open();
    Booking {
        step,
        kind: CarrierKind::Lookup { settle: SETTLE },
        deadline: CALLED.plus(Duration::from_secs(120)),
        give_up_at: CALLED.plus(SETTLE * 10),
        called_at: is_open.then_some(CALLED),
        is_failed: false,
        held: Held::Nothing,
        tries: 0,
    }
}

fn learnt(seen: Seen, said: &[Complaint]) -> Learnt<'_> {
    Learnt {
        seen,
        obstacle: None,
        said,
        held: Held::Nothing,
        is_taken_now: false,
        was_taken: false,
        told: None,
        is_failed: false,
    }
}

/// What is kept after this was seen of a booking in this step.
fn after(old: Option<Failure>, step: Step, seen: Seen, at: Time) -> Option<Failure> {
    Failure::after(old, &record(&booking(step), seen, at), &learnt(seen, &[]))
}

fn miss(asked_at: Time) -> Seen {
    Seen::Absent(Miss {
        call: 1,
        asked_at,
        certain_age: Duration::MAX,
        is_confirmed: true,
        may_be_lost: false,
    })
}

#[test]
fn a_miss_that_comes_too_early_does_not_say_that_the_carrier_has_nothing() {
    let unclear = after(None, Step::Calling, Seen::Unclear, CALLED);
    assert_eq!(unclear, Some(Failure::of_note(Note::NoAnswer)));
    let early = CALLED.plus(SETTLE / 2);
    assert_eq!(after(unclear.clone(), Step::Unknown, miss(early), early), unclear);
    let settled = CALLED.plus(SETTLE);
    let absent = after(unclear, Step::Unknown, miss(settled), settled);
    let told = Failure { reason: Some(Ending::Deadline), ..Failure::of_note(Note::Absent) };
    assert_eq!(absent, Some(told));
}

#[test]
fn what_was_not_sent_again_may_have_been_booked_before() {
    let not_sent = Seen::NotSent { call: Some(1) };
    let first = after(None, Step::Calling, not_sent, CALLED);
    assert_eq!(first, Some(Failure::of_note(Note::NotSent)));
    let repeated = Booking { kind: CarrierKind::Idempotent, ..booking(Step::Unknown) };
    for seen in [not_sent, Seen::Unsendable] {
        let change = record(&repeated, seen, CALLED);
        let noted = Failure::after(None, &change, &learnt(seen, &[]));
        assert_eq!(noted, Some(Failure::of_note(Note::NoAnswer)));
    }
}

#[test]
fn silence_does_not_replace_what_the_carrier_said() {
    let closed = Complaint { path: None, code: None, message: "Closed".to_owned() };
    let change = record(&booking(Step::Calling), Seen::Unclear, CALLED);
    let said = Failure::after(None, &change, &learnt(Seen::Unclear, std::slice::from_ref(&closed)));
    let words = Failure { reason: None, details: vec![closed.into()] };
    assert_eq!(said, Some(words));
    assert_eq!(after(said.clone(), Step::Unknown, Seen::NoAnswer, CALLED), said);
    let documents = after(said, Step::Accepted, Seen::DocumentsFailed, CALLED);
    assert_eq!(documents, Some(Failure::of_note(Note::NoDocuments)));
}

#[test]
fn who_is_told_of_the_deadline_hears_whether_it_was_tried_sent_or_not_answered() {
    let told = |booking: Booking| {
        let change = fail(&booking, Ending::Deadline, booking.deadline);
        Failure::told(None, &change).unwrap()
    };
    assert!(told(booking(Step::Ready)).has(Note::NotTried));
    assert!(told(Booking { tries: 1, ..booking(Step::Ready) }).has(Note::NotSent));
    assert!(told(booking(Step::Calling)).has(Note::NoAnswer));
    assert_eq!(told(booking(Step::Unknown)).reason, Some(Ending::Deadline));
}

#[test]
fn what_is_booked_has_no_failure() {
    let noted = Some(Failure::of_note(Note::NoAnswer));
    assert_eq!(after(noted, Step::Unknown, Seen::Booked, CALLED), None);
}

#[test]
fn documents_of_some_parcels_are_told_beside_why_the_others_were_refused() {
    let refused = Complaint { path: None, code: None, message: "Too heavy".to_owned() };
    let told = Some(Ending::Technical);
    let old = Failure { reason: told, details: vec![refused.clone().into()] };
    let part = Booking { held: Held::Part, is_failed: true, ..booking(Step::Accepted) };
    let seen = Seen::DocumentsFailed;
    let change = record(&part, seen, CALLED);
    let learnt = Learnt {
        obstacle: Some(Obstacle::NotKept),
        held: Held::Part,
        was_taken: true,
        told,
        ..learnt(seen, &[])
    };
    let known = Failure::after(Some(old.clone()), &change, &learnt).unwrap();
    let kept = Detail::from(Note::NotKept).of_documents();
    assert_eq!(known.details, [refused.into(), kept]);
    let ready = Learnt { seen: Seen::DocumentsReady, obstacle: None, ..learnt };
    let change = record(&part, Seen::DocumentsReady, CALLED);
    assert_eq!(Failure::after(Some(known), &change, &ready), Some(old));
}

#[test]
fn a_restore_that_interrupted_it_is_told_until_the_carrier_has_taken_it() {
    let old = Some(Failure::interrupted(None));
    assert_eq!(after(old.clone(), Step::Unknown, Seen::NoAnswer, CALLED), old);
    let closed = [Complaint { path: None, code: None, message: "Closed".to_owned() }];
    let change = record(&booking(Step::Unknown), Seen::Unclear, CALLED);
    let told = |was_taken| {
        let learnt = Learnt { was_taken, ..learnt(Seen::Unclear, &closed) };
        Failure::after(old.clone(), &change, &learnt).unwrap()
    };
    assert!(told(false).has(Note::Interrupted) && told(false).details.len() == 2);
    assert!(!told(true).has(Note::Interrupted));
}
