//! Every step with every observation. The tables say what changes; the laws say why that is safe.

mod tables;

use super::*;

const SETTLE: Duration = Duration::from_secs(60);
const CALLED: Time = Time(100_000_000);
const DEADLINE: Time = Time(220_000_000);
const GIVE_UP: Time = Time(1_000_000_000);
const SECOND: Duration = Duration::from_secs(1);

const KINDS: [CarrierKind; 3] =
    [CarrierKind::Idempotent, CarrierKind::Lookup { settle: SETTLE }, CarrierKind::Blind];

const NOT_SENT: Seen = Seen::NotSent { call: Some(1) };
/// A miss that is believed as soon as time allows.
const MISS: Miss = Miss {
    call: 1,
    asked_at: CALLED,
    certain_age: Duration::MAX,
    is_confirmed: true,
    may_be_lost: false,
};

const SEEN: [Seen; 15] = [
    NOT_SENT,
    Seen::TakenOver,
    Seen::Accepted,
    Seen::Booked,
    Seen::Partial,
    Seen::Rejected,
    Seen::Unsendable,
    Seen::Unclear,
    Seen::Absent(MISS),
    Seen::NoAnswer,
    Seen::NotListed,
    Seen::DocumentsReady,
    Seen::DocumentsFailed,
    Seen::DocumentsWanted,
    Seen::Cancelled,
];

/// What the carrier may be known to have in each step.
const STANDS: [(Step, Held); 8] = [
    (Step::Ready, Held::Nothing),
    (Step::Calling, Held::Nothing),
    (Step::Unknown, Held::Nothing),
    (Step::Accepted, Held::All),
    (Step::Accepted, Held::Part),
    (Step::Done, Held::Nothing),
    (Step::Done, Held::Part),
    (Step::Done, Held::All),
];

/// The moments at which a booking may change its ways, and whether the caller was told by then.
fn phases() -> [(&'static str, Time, bool); 5] {
    [
        ("early", CALLED.plus(SETTLE).minus(SECOND), false),
        ("settled", CALLED.plus(SETTLE), false),
        ("late", DEADLINE, false),
        ("told", DEADLINE.plus(SECOND), true),
        ("given up", GIVE_UP, true),
    ]
}

fn booking(step: Step, kind: CarrierKind, is_failed: bool) -> Booking {
    let is_open = matches!(step, Step::Calling | Step::Unknown);
    Booking {
        step,
        kind,
        deadline: DEADLINE,
        give_up_at: GIVE_UP,
        called_at: is_open.then_some(CALLED),
        is_failed,
        held: if step == Step::Accepted { Held::All } else { Held::Nothing },
        tries: 0,
    }
}

/// Every booking at every moment: also those that a clock which jumps makes possible, and those
/// whose deadline comes before a miss can be believed.
fn everywhere(mut check: impl FnMut(&Booking, Time)) {
    let steps = STANDS.into_iter().flat_map(|stand| KINDS.map(|kind| (stand, kind)));
    let states = [(false, 0), (false, u32::MAX), (true, 0), (true, u32::MAX)];
    for (((step, held), kind), (is_failed, tries)) in
        steps.flat_map(|step| states.map(|is| (step, is)))
    {
        for deadline in [DEADLINE, CALLED.plus(SECOND)] {
            let booking = Booking { deadline, tries, held, ..booking(step, kind, is_failed) };
            for at in [CALLED, CALLED.plus(SETTLE), deadline, DEADLINE, GIVE_UP] {
                check(&booking, at.minus(SECOND));
                check(&booking, at);
                check(&booking, at.plus(SECOND));
            }
        }
    }
}

/// The same observation, made at this moment.
fn seen_at(seen: Seen, now: Time) -> Seen {
    match seen {
        Seen::Absent(miss) => Seen::Absent(Miss { asked_at: now, ..miss }),
        seen => seen,
    }
}

/// Every observation of every booking at every moment.
fn whatever_is_seen(mut check: impl FnMut(&Booking, Seen, Time, Change)) {
    everywhere(|booking, now| {
        let all = SEEN.into_iter().map(|seen| seen_at(seen, now));
        all.for_each(|seen| check(booking, seen, now, record(booking, seen, now)));
    });
}

fn is_open(step: Step) -> bool {
    matches!(step, Step::Calling | Step::Unknown)
}

#[test]
fn nothing_leads_from_accepted_or_done_back_to_a_call() {
    let is_over = |step| matches!(step, Step::Accepted | Step::Done);
    whatever_is_seen(|booking, seen, _, change| {
        if is_over(booking.step) {
            assert!(is_over(change.step) && change.call.is_none(), "{booking:?} {seen:?}");
        }
    });
    everywhere(|booking, now| {
        if is_over(booking.step) {
            assert!(matches!(decide(booking, now), Next::Documents | Next::Rest), "{booking:?}");
        }
    });
}

#[test]
fn a_first_call_is_made_only_from_ready_and_before_the_deadline() {
    everywhere(|booking, now| {
        let may_call = booking.step == Step::Ready && now < booking.deadline;
        assert_eq!(decide(booking, now) == Next::Call, may_call, "{booking:?} {now}");
    });
}

#[test]
fn an_attempt_is_followed_by_another_only_if_nothing_was_sent_or_a_miss_can_be_believed() {
    whatever_is_seen(|booking, seen, now, change| {
        let is_again = is_open(booking.step) && change.step == Step::Ready;
        let is_allowed = match (seen, booking.kind) {
            // Only of one's own attempt is it known that nothing was sent.
            (Seen::NotSent { .. }, _) => booking.step == Step::Calling,
            (Seen::Absent(_), CarrierKind::Lookup { settle }) => {
                now >= CALLED.plus(settle) && now < booking.deadline
            }
            _ => false,
        };
        assert!(!is_again || (is_allowed && !booking.is_failed), "{booking:?} {seen:?} {now}");
    });
}

#[test]
fn a_miss_is_believed_only_when_nothing_speaks_against_it() {
    let settled = CALLED.plus(SETTLE);
    let sound = Miss { asked_at: settled, certain_age: SETTLE, ..MISS };
    let cases = [
        (sound, None),
        (Miss { asked_at: settled.minus(SECOND), ..sound }, Some(Doubt::TooEarly)),
        (Miss { certain_age: SETTLE - SECOND, ..sound }, Some(Doubt::UncertainTime)),
        (Miss { may_be_lost: true, ..sound }, Some(Doubt::LostDatabase)),
        (Miss { is_confirmed: false, ..sound }, Some(Doubt::NoCanary)),
        // Only then is it worth while to look for the canary.
        (Miss { is_confirmed: false, may_be_lost: true, ..sound }, Some(Doubt::LostDatabase)),
    ];
    for step in [Step::Calling, Step::Unknown] {
        let open = booking(step, KINDS[1], false);
        for (miss, doubt) in cases {
            assert_eq!(open.doubt(&miss), doubt);
            let change = record(&open, Seen::Absent(miss), settled);
            assert_eq!(change.doubt, doubt);
            assert_eq!(change.step == Step::Ready, doubt.is_none(), "{miss:?}");
            assert_eq!(change.call == Some(CallEnd::Absent), doubt.is_none(), "{miss:?}");
        }
    }
}

#[test]
fn a_carrier_that_was_asked_too_early_is_asked_again_when_its_word_counts() {
    let look_at = |tries, settle: u64| {
        let kind = CarrierKind::Lookup { settle: SECOND * u32::try_from(settle).unwrap() };
        let open = Booking { tries, deadline: GIVE_UP, ..booking(Step::Unknown, kind, false) };
        let change = record(&open, Seen::Absent(MISS), CALLED);
        change.look_at.unwrap().since(CALLED).as_millis()
    };
    assert_eq!([10, 61, 900].map(|settle| look_at(0, settle)), [10_000, 60_500, 60_500]);
    assert_eq!([1, 10, 900].map(|settle| look_at(9, settle)), [2000, 10_000, 62_000]);
}

#[test]
fn a_carrier_that_cannot_be_asked_is_neither_asked_nor_called_again() {
    everywhere(|booking, now| {
        if booking.kind == CarrierKind::Blind && is_open(booking.step) {
            let next = decide(booking, now);
            let is_silent = matches!(next, Next::Wait(_) | Next::Fail(_) | Next::Rest);
            assert!(is_silent || next == Next::TakeOver, "{next:?}");
        }
    });
}

#[test]
fn a_booking_that_failed_is_never_ready_again() {
    whatever_is_seen(|booking, seen, _, change| {
        let becomes_ready = booking.step != Step::Ready && change.step == Step::Ready;
        assert!(!becomes_ready || !booking.is_failed, "{booking:?} {seen:?}");
    });
}

#[test]
fn a_failure_is_told_again_only_when_more_is_known_of_it() {
    whatever_is_seen(|booking, seen, _, change| {
        if booking.is_failed && change.ending.is_some() {
            let carriers_word = [Seen::Booked, Seen::Partial, Seen::Rejected, Seen::DocumentsReady];
            let is_news = match seen {
                // Nothing was booked after all.
                Seen::NotSent { .. } | Seen::Unsendable | Seen::Absent(_) | Seen::NotListed => {
                    is_open(booking.step) && change.step == Step::Done
                }
                // The carrier has it, and somebody waits for the documents.
                Seen::DocumentsFailed => booking.step == Step::Accepted,
                seen => carriers_word.contains(&seen),
            };
            assert!(is_news, "{booking:?} {seen:?} {change:?}");
        }
    });
    everywhere(|booking, now| {
        let is_told_again = booking.is_failed && matches!(decide(booking, now), Next::Fail(_));
        assert!(!is_told_again || booking.step == Step::Ready, "{booking:?} {now}");
    });
}

// Whoever was told that the carrier may have it hears of it when that is known.
#[test]
fn no_open_attempt_is_closed_without_a_word_after_the_caller_was_told() {
    whatever_is_seen(|booking, seen, now, change| {
        if is_open(booking.step) && booking.is_failed && change.step == Step::Done {
            assert!(change.ending.is_some(), "{booking:?} {seen:?} {now}");
        }
    });
}

#[test]
fn what_somebody_did_not_find_counts_only_after_asking_ended_and_never_leads_to_a_call() {
    whatever_is_seen(|booking, seen, now, change| {
        if seen != Seen::NotListed {
            return;
        }
        let is_over = match (booking.step, booking.kind) {
            (Step::Unknown, CarrierKind::Blind) => booking.is_failed,
            (Step::Calling | Step::Unknown, _) => booking.is_failed && now >= GIVE_UP,
            _ => false,
        };
        let is_settled =
            !matches!(booking.kind, CarrierKind::Lookup { .. }) || now >= CALLED.plus(SETTLE);
        let expected = match is_over && is_settled {
            true => (Step::Done, Some(CallEnd::Absent), Some(Ending::Deadline)),
            false => (booking.step, None, None),
        };
        assert_eq!((change.step, change.call, change.ending), expected, "{booking:?} {now}");
    });
}

#[test]
fn only_what_a_carrier_has_is_cancelled_and_nothing_follows_that() {
    whatever_is_seen(|booking, seen, now, change| {
        let is_over = matches!(booking.step, Step::Accepted | Step::Done);
        if change.is_cancelled {
            assert!(is_over && booking.held != Held::Nothing, "{booking:?} {seen:?}");
            assert_eq!((change.step, change.call, change.ending), (Step::Done, None, None));
            let cancelled = Booking { step: Step::Done, held: Held::Nothing, ..booking.clone() };
            assert_eq!(decide(&cancelled, now), Next::Rest);
            for seen in SEEN.map(|seen| seen_at(seen, now)) {
                let after = record(&cancelled, seen, now);
                let changed = (after.step, after.call, after.ending, after.is_cancelled);
                assert_eq!(changed, (Step::Done, None, None, false), "{seen:?}");
            }
        }
    });
}

#[test]
fn what_a_carrier_has_in_part_is_never_told_to_be_booked() {
    whatever_is_seen(|booking, seen, now, change| {
        let is_booked = change.ending == Some(Ending::Booked);
        assert!(!is_booked || booking.held != Held::Part, "{booking:?} {seen:?} {now}");
    });
}

#[test]
fn what_was_told_of_and_is_held_can_always_be_cancelled() {
    everywhere(|booking, now| {
        let is_over = matches!(booking.step, Step::Accepted | Step::Done);
        let is_told = booking.is_failed || booking.step == Step::Done;
        if is_over && is_told && booking.held != Held::Nothing {
            assert!(record(booking, Seen::Cancelled, now).is_cancelled, "{booking:?}");
        }
    });
}

#[test]
fn an_open_attempt_rests_only_after_the_caller_was_told() {
    everywhere(|booking, now| {
        let rests = is_open(booking.step) && decide(booking, now) == Next::Rest;
        assert!(!rests || booking.is_failed, "{booking:?} {now}");
    });
}

#[test]
fn tries_are_counted_within_a_step_and_only_a_ready_booking_has_no_call() {
    whatever_is_seen(|booking, seen, _, change| {
        let is_same = change.step == booking.step && !change.is_cancelled;
        let tries = if is_same { booking.tries.saturating_add(1) } else { 0 };
        assert_eq!(change.tries, tries, "{booking:?} {seen:?}");
        let called_at = booking.called_at.filter(|_| change.step != Step::Ready);
        assert_eq!(change.called_at, called_at, "{booking:?} {seen:?}");
    });
    everywhere(|booking, now| {
        let told = fail(booking, Ending::Deadline, now);
        assert_eq!((told.tries, told.called_at), (booking.tries, booking.called_at));
    });
}

#[test]
fn after_a_failure_only_an_open_attempt_is_looked_at_again() {
    everywhere(|booking, now| {
        let change = fail(booking, Ending::Deadline, now);
        assert_eq!(change.ending, Some(Ending::Deadline));
        match booking.step {
            Step::Ready => assert_eq!((change.step, change.look_at), (Step::Done, None)),
            step => assert_eq!((change.step, change.look_at), (step, Some(now))),
        }
    });
}

#[test]
fn nobody_sleeps_past_the_deadline_before_the_caller_is_told() {
    whatever_is_seen(|booking, seen, now, change| {
        let may_fail = matches!(change.step, Step::Ready | Step::Calling | Step::Unknown);
        if may_fail && !booking.is_failed {
            let look_at = change.look_at.unwrap();
            assert!(look_at <= booking.deadline.max(now), "{booking:?} {seen:?} {now}");
        }
    });
}

// Rules: Booking flow 8: a rare late carrier success updates the same shipment.
#[test]
fn an_accepted_booking_becomes_booked_even_after_the_caller_was_told() {
    for (kind, step) in KINDS.into_iter().flat_map(|kind| Step::ALL.map(|step| (kind, step))) {
        let late = GIVE_UP.plus(SECOND);
        let open = booking(step, kind, true);
        if !is_open(step) {
            continue;
        }
        let change = record(&open, Seen::Accepted, late);
        assert_eq!((change.step, change.look_at), (Step::Accepted, Some(late)));
        let accepted = Booking { step: change.step, ..open };
        assert_eq!(decide(&accepted, late), Next::Documents);
        let change = record(&accepted, Seen::DocumentsReady, late);
        assert_eq!((change.step, change.ending), (Step::Done, Some(Ending::Booked)));
    }
}

#[test]
fn documents_that_fail_five_times_end_technical_and_nothing_is_booked_for_them() {
    let mut accepted = booking(Step::Accepted, CarrierKind::Lookup { settle: SETTLE }, false);
    for tries in 0..4 {
        accepted.tries = tries;
        let change = record(&accepted, Seen::DocumentsFailed, CALLED);
        assert_eq!((change.step, change.call, change.ending), (Step::Accepted, None, None));
        assert!(change.look_at > Some(CALLED));
    }
    accepted.tries = 4;
    let change = record(&accepted, Seen::DocumentsFailed, CALLED);
    let (step, ending) = (Step::Done, Some(Ending::Technical));
    assert_eq!(change, Change { step, ending, tries: 0, look_at: None, ..unchanged(&accepted) });
}

#[test]
fn pauses_grow_and_are_bounded() {
    let deadline = GIVE_UP.plus(ASK_PAUSE_MAX);
    whatever_is_seen(|booking, seen, _, _| {
        let of = |tries| Booking { tries, deadline, ..booking.clone() };
        let look_at = |tries| record(&of(tries), seen_at(seen, CALLED), CALLED).look_at;
        let looks: Vec<Time> = (0..=40).filter_map(look_at).collect();
        assert!(looks.is_sorted(), "{booking:?} {seen:?}");
        let is_bounded = looks.iter().all(|at| at.since(CALLED) <= ASK_PAUSE_MAX);
        let waits_to_be_told = booking.kind == CarrierKind::Blind && seen == Seen::Unclear;
        assert!(is_bounded || waits_to_be_told, "{booking:?} {seen:?}");
    });
    let unknown = |tries| Booking { tries, ..booking(Step::Unknown, KINDS[1], true) };
    let pause = |tries| record(&unknown(tries), Seen::NoAnswer, GIVE_UP).look_at.unwrap();
    let pauses = [0, 1, 2, 10, 11, u32::MAX].map(|tries| pause(tries).since(GIVE_UP).as_millis());
    assert_eq!(pauses, [500, 1000, 2000, 512_000, 600_000, 600_000]);
}

#[test]
fn steps_and_endings_are_read_back_as_they_are_stored() {
    assert!(Step::ALL.into_iter().all(|step| Step::parse(step.name()) == Some(step)));
    assert!(Ending::ALL.into_iter().all(|ending| Ending::parse(ending.name()) == Some(ending)));
    assert_eq!((Step::parse("booked"), Ending::parse("ready")), (None, None));
}

#[test]
fn a_carrier_that_fails_is_left_alone_longer_each_time_and_asked_once_more_before_the_deadline() {
    let wait = |seen: fn(u32) -> Seen, call, at: Time| {
        let open = booking(Step::Calling, KINDS[1], false);
        let open = Booking { called_at: Some(at.minus(SETTLE)), ..open };
        let open = Booking { deadline: CALLED.plus(SECOND * 120), ..open };
        let change = record(&open, seen_at(seen(call), at), at);
        assert_eq!(change.step, Step::Ready);
        change.look_at.unwrap().since(at).as_millis()
    };
    let absent = |call| Seen::Absent(Miss { call, ..MISS });
    let not_sent = |call| Seen::NotSent { call: Some(call) };
    let waits = |seen| [1, 2, 3, 4, 5, 6, 1000].map(|call| wait(seen, call, CALLED));
    assert_eq!(waits(absent), [0, 3000, 6000, 12_000, 24_000, 30_000, 30_000]);
    assert_eq!(waits(not_sent), [500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
    // Not past the last chance; after it, a few seconds at least.
    assert_eq!(wait(absent, 6, CALLED.plus(SECOND * 95)), 15_000);
    assert_eq!(wait(absent, 6, CALLED.plus(SECOND * 112)), 3000);
    assert_eq!(wait(not_sent, 1, CALLED.plus(SECOND * 112)), 500);
}

#[test]
fn who_is_refused_by_the_carrier_is_told_at_once_and_nothing_is_sent_again() {
    let now = CALLED.plus(SECOND);
    for (step, call) in [(Step::Ready, None), (Step::Calling, Some(CallEnd::NotSent))] {
        for kind in KINDS {
            let change = record(&booking(step, kind, false), Seen::Unsendable, now);
            assert_eq!((change.step, change.call, change.look_at), (Step::Done, call, None));
            assert_eq!(change.ending, Some(Ending::Technical));
        }
    }
    // Whoever was told of the deadline is told that nothing was booked.
    let change =
        record(&booking(Step::Calling, CarrierKind::Blind, true), Seen::Unsendable, DEADLINE);
    assert_eq!((change.step, change.ending), (Step::Done, Some(Ending::Deadline)));
    // A repetition says nothing of the attempt that it repeats.
    let unknown = booking(Step::Unknown, CarrierKind::Idempotent, false);
    for seen in [Seen::Unsendable, Seen::Rejected, NOT_SENT] {
        let change = record(&unknown, seen, now);
        assert_eq!((change.step, change.ending), (Step::Unknown, None), "{seen:?}");
    }
}

#[test]
fn whoever_finds_a_call_that_is_not_its_own_does_not_know_its_answer() {
    for kind in KINDS {
        let found = booking(Step::Calling, kind, false);
        let now = CALLED.plus(SECOND);
        assert_eq!(decide(&found, now), Next::TakeOver);
        let change = record(&found, Seen::TakenOver, now);
        assert_eq!((change.step, change.call), (Step::Unknown, Some(CallEnd::Unknown)));
        assert_eq!((change.ending, change.look_at), (None, Some(now)));
    }
}
