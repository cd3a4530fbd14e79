use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::*;

use super::pace::NextPoll;
use super::*;
use crate::shipment::Window;
use crate::time::Time;

const NOW: Time = Time(1_800_000_000_000_000);

fn at(minutes: i64) -> Time {
    Time(NOW.0 + minutes * 60_000_000)
}

fn window(hours: i64) -> Window {
    Window { start: at(60 * hours), end: at(60 * (hours + 4)) }
}

fn seen(status: Status, minutes: i64) -> TrackingEvent {
    TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(at(minutes)),
        location: None,
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&[status.code(), &minutes.to_string()]),
    }
}

fn told(events: Vec<TrackingEvent>) -> TrackingReport {
    TrackingReport { events: events.into_iter().map(Ok).collect(), ..TrackingReport::default() }
}

/// What is known after a change.
fn known(mut before: Known, change: &TrackingChange) -> Known {
    before.seen.extend(change.entries.iter().map(|entry| entry.event.fingerprint));
    before.summary = change.summary;
    before
}

fn fold(change: &TrackingChange) -> TrackingSummary {
    let mut summary = TrackingSummary::default();
    change.entries.iter().for_each(|entry| summary.apply(&entry.event, NOW));
    summary
}

#[test]
fn what_was_told_before_makes_nothing() {
    let report = told(vec![seen(Status::InfoReceived, 0), seen(Status::Collected, 5)]);
    let first = diff(&Known::default(), &report, NOW);
    assert_eq!((first.entries.len(), first.summary.state), (2, State::InTransit));
    let again = diff(&known(Known::default(), &first), &report, NOW);
    assert_eq!((again.entries, again.summary), (Vec::new(), first.summary));
    let twice = told(vec![seen(Status::Collected, 5), seen(Status::Collected, 5)]);
    assert_eq!(diff(&Known::default(), &twice, NOW).entries.len(), 1);
}

#[test]
fn the_newest_first_is_the_same_as_the_newest_last() {
    let walk = vec![
        seen(Status::InfoReceived, 0),
        seen(Status::Collected, 5),
        seen(Status::OutForDelivery, 10),
        seen(Status::Delivered, 15),
    ];
    let forth = diff(&Known::default(), &told(walk.clone()), NOW);
    let back = diff(&Known::default(), &told(walk.into_iter().rev().collect()), NOW);
    assert_eq!(forth, back);
    assert_eq!(forth.summary.delivered_at, Some(at(15)));
}

#[test]
fn a_late_event_is_told_and_moves_nothing_back() {
    let first = diff(&Known::default(), &told(vec![seen(Status::OutForDelivery, 10)]), NOW);
    let before = known(Known::default(), &first);
    let late = diff(&before, &told(vec![seen(Status::AtTerminal, 5)]), NOW);
    assert_eq!(late.entries.len(), 1);
    assert_eq!(late.summary.state, State::OutForDelivery);
    assert_eq!(late.summary.newest_at, Some(at(10)));
}

#[test]
fn ends_are_final_and_only_a_return_follows_a_delivery() {
    for (end, later, state) in [
        (Status::Delivered, Status::OutForDelivery, State::Delivered),
        (Status::Delivered, Status::Exception, State::Delivered),
        (Status::Delivered, Status::Returned, State::Returned),
        (Status::Returned, Status::Delivered, State::Returned),
        (Status::Exception, Status::InTransit, State::InTransit),
        (Status::AttemptFailed, Status::OutForDelivery, State::OutForDelivery),
        (Status::Expired, Status::InTransit, State::InTransit),
        (Status::OutForDelivery, Status::AtTerminal, State::OutForDelivery),
        (Status::Collected, Status::InfoReceived, State::InTransit),
    ] {
        let change = diff(&Known::default(), &told(vec![seen(end, 1), seen(later, 2)]), NOW);
        assert_eq!(change.summary.state, state, "{end:?} {later:?}");
    }
    // However late a delivery is told, the parcel is there.
    let late = told(vec![seen(Status::AtTerminal, 9), seen(Status::Delivered, 3)]);
    assert_eq!(diff(&Known::default(), &late, NOW).summary.state, State::Delivered);
}

#[test]
fn one_bad_event_is_set_aside_and_the_others_are_told() {
    let mut report = told(vec![seen(Status::Collected, 1), seen(Status::Delivered, 60 * 48)]);
    report.events.push(Err(Unreadable::new("{\"code\":\"?\"}", "the code is unknown")));
    let long = TrackingEvent { note: Some("x".repeat(2000)), ..seen(Status::Delayed, 2) };
    let hidden = TrackingEvent { location: Some("a\0b".to_owned()), ..seen(Status::Delayed, 3) };
    report.events.extend([Ok(long), Ok(hidden)]);
    let change = diff(&Known::default(), &report, NOW);
    assert_eq!(change.entries.len(), 1);
    assert_eq!(change.summary.state, State::InTransit);
    let whys: Vec<_> = change.unreadable.iter().map(|unreadable| unreadable.why.as_str()).collect();
    assert_eq!(
        whys,
        ["it is yet to happen", "the code is unknown", "a text is too long", "a text is too long"]
    );
}

#[test]
fn another_estimate_is_told_each_time_and_the_same_one_never() {
    let first = TrackingEvent { estimate: Some(window(24)), ..seen(Status::InfoReceived, 0) };
    let change = diff(&Known::default(), &told(vec![first]), NOW);
    assert_eq!(change.entries.len(), 1, "the first estimate comes with its event");
    assert_eq!(change.summary.estimate, Some(window(24)));
    let mut before = known(Known::default(), &change);
    for (minute, hours, count) in [(1, 24, 0), (2, 30, 1), (3, 24, 1), (4, 30, 1), (5, 30, 0)] {
        let estimate = Some(window(hours));
        let change = diff(&before, &TrackingReport { estimate, ..told(vec![]) }, at(minute));
        assert_eq!(change.entries.len(), count, "{minute}");
        assert_eq!(change.summary.estimate, estimate);
        assert!(change.entries.iter().all(|entry| entry.event.kind == TrackingEventKind::Estimate));
        before = known(before, &change);
    }
    let end = diff(&before, &told(vec![seen(Status::Delivered, 6)]), at(6));
    let over = known(before, &end);
    let late = TrackingReport { estimate: Some(window(99)), ..told(vec![]) };
    assert_eq!(diff(&over, &late, at(7)).entries, []);
}

#[test]
fn an_old_estimate_in_a_repeated_history_is_not_told_after_a_new_one() {
    let first = TrackingEvent { estimate: Some(window(24)), ..seen(Status::InfoReceived, 0) };
    let told_at = |minutes: i64, hours: i64| TrackingEvent {
        kind: TrackingEventKind::Estimate,
        estimate: Some(window(hours)),
        fingerprint: fingerprint(&["eta", &minutes.to_string()]),
        ..seen(Status::InfoReceived, minutes)
    };
    let history = told(vec![first, told_at(1, 24), told_at(2, 30)]);
    let change = diff(&Known::default(), &history, NOW);
    assert_eq!((change.entries.len(), change.summary.estimate), (2, Some(window(30))));
    let again = diff(&known(Known::default(), &change), &history, NOW);
    assert_eq!(again.entries, []);
}

#[test]
fn a_code_reads_back_and_every_status_has_its_sentence() {
    for status in Status::ALL {
        let kind = TrackingEventKind::Seen(*status);
        assert_eq!(TrackingEventKind::parse(kind.code()), Some(kind));
        assert_eq!(State::parse(kind.category()), Some(status.state()));
        let said = status.message().say(crate::language::Language::Fi);
        assert_ne!(said, status.message().key(), "{status:?}");
    }
    assert_eq!(
        TrackingEventKind::parse(TrackingEventKind::Estimate.code()),
        Some(TrackingEventKind::Estimate)
    );
    assert_eq!(TrackingEventKind::Estimate.event_type(), "estimated_delivery");
}

#[test]
fn an_event_that_is_set_aside_is_kept_in_words() {
    let event = TrackingEvent {
        location: Some("Malmö".to_owned()),
        note: Some("left the hub".to_owned()),
        ..seen(Status::OutForDelivery, 100_000)
    };
    let unreadable = diff(&Known::default(), &told(vec![event.clone()]), NOW).unreadable.remove(0);
    let at = event.happened_at.unwrap();
    let code = Status::OutForDelivery.code();
    assert_eq!(unreadable.raw, format!("{code}, at {at}, in Malmö, \"left the hub\""));
    assert_eq!(unreadable.fingerprint, event.fingerprint, "it is set aside once");
}

const MINUTE: Duration = Duration::from_mins(1);
const PACE: Pace =
    Pace { first: MINUTE, shortest: Duration::from_mins(5), longest: Duration::from_hours(6) };

fn polled(summary: TrackingSummary) -> PolledParcel {
    PolledParcel { booked_at: NOW, poll_at: Some(NOW), summary }
}

#[test]
fn the_pause_grows_with_the_silence_and_ends() {
    let summary = TrackingSummary {
        state: State::InTransit,
        updated_at: Some(NOW),
        ..TrackingSummary::default()
    };
    let silence = TrackingAnswer::silence();
    let pause = |length: Duration| {
        let now = NOW.plus(length);
        match polled(summary).after_poll(&silence, PACE, now) {
            NextPoll::At(next) => next.since(now),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(pause(Duration::ZERO), 5 * MINUTE);
    assert_eq!(pause(80 * MINUTE), 20 * MINUTE);
    assert_eq!(pause(Duration::from_hours(200)), 360 * MINUTE);
    let late = NOW.plus(EXPIRY);
    assert_eq!(polled(summary).after_poll(&silence, PACE, late), NextPoll::Expired);
    for state in [State::Delivered, State::Returned, State::Expired] {
        let over = polled(TrackingSummary { state, ..summary });
        assert_eq!(over.after_poll(&silence, PACE, NOW), NextPoll::Never);
    }
    // What was never heard of counts from its booking.
    let silent = polled(TrackingSummary::default());
    assert_eq!(silent.after_poll(&silence, PACE, late), NextPoll::Expired);
    // The carrier knows best when there will be something new.
    let hurried = TrackingReport { poll_after: Some(MINUTE), ..TrackingReport::default() };
    let next = polled(summary).after_poll(&TrackingAnswer::Report(hurried), PACE, NOW);
    assert_eq!(next, NextPoll::At(NOW.plus(MINUTE)));
    // The news may be in the rest of a long answer.
    let first = TrackingReport { is_continued: true, ..TrackingReport::default() };
    let next = polled(summary).after_poll(&TrackingAnswer::Report(first), PACE, late);
    assert_eq!(next, polled(summary).poll_at.map_or(NextPoll::Never, NextPoll::At));
}

#[test]
fn a_parcel_that_is_not_polled_any_more_stays_so_whatever_is_said() {
    let moving = TrackingSummary { state: State::InTransit, ..TrackingSummary::default() };
    let stopped = PolledParcel { poll_at: None, ..polled(moving) };
    for answer in [TrackingAnswer::silence(), TrackingAnswer::Later(Some(MINUTE))] {
        for now in [NOW, NOW.plus(EXPIRY)] {
            assert_eq!(stopped.after_poll(&answer, PACE, now), NextPoll::Never);
        }
    }
    assert_eq!(stopped.after_callback(), NextPoll::Never);
}

#[test]
fn a_callback_leaves_the_next_poll_as_it_was_unless_it_tells_the_end() {
    let summary = TrackingSummary { state: State::InTransit, ..TrackingSummary::default() };
    assert_eq!(polled(summary).after_callback(), NextPoll::At(NOW));
    for state in [State::Delivered, State::Returned] {
        let over = polled(TrackingSummary { state, ..summary });
        assert_eq!(over.after_callback(), NextPoll::Never);
    }
}

/// What is recorded of a parcel whose history has so many events.
fn recorded(count: usize) -> HashSet<[u8; 32]> {
    (0..count).map(|n| fingerprint(&["recorded", &n.to_string()])).collect()
}

#[test]
fn a_history_becomes_full_once_and_what_has_no_room_is_left_out() {
    let summary = TrackingSummary { updated_at: Some(NOW), ..TrackingSummary::default() };
    let walk = told(vec![seen(Status::Collected, 1), seen(Status::Delivered, 2)]);
    let answer = TrackingAnswer::Report(walk);
    let take =
        |count| take_in(&polled(summary), recorded(count), &answer, Trigger::Poll(PACE), NOW);
    for (count, kept, left_out, is_full_now) in [
        (HISTORY_MAX - 3, 2, 0, false),
        (HISTORY_MAX - 2, 2, 0, true),
        (HISTORY_MAX - 1, 1, 1, true),
        (HISTORY_MAX, 0, 2, false),
        (HISTORY_MAX + 1, 0, 2, false),
    ] {
        let taken = take(count);
        let found = (taken.change.entries.len(), taken.left_out, taken.is_full_now);
        assert_eq!(found, (kept, left_out, is_full_now), "{count}");
        // Where it is, and whether it is asked about, follow from what is kept.
        let is_delivered = taken.change.summary.state == State::Delivered;
        assert_eq!((is_delivered, taken.poll_at.is_none()), (kept == 2, kept == 2), "{count}");
    }
}

#[test]
fn a_parcel_is_given_up_after_a_poll_in_vain_and_never_by_a_callback() {
    let late = NOW.plus(EXPIRY);
    let silence = TrackingAnswer::silence();
    let parcel = polled(TrackingSummary::default());
    // The history has room for that even when it is full.
    let taken = take_in(&parcel, recorded(HISTORY_MAX), &silence, Trigger::Poll(PACE), late);
    assert_eq!((taken.poll_at, taken.left_out), (None, 0));
    let [entry] = &taken.change.entries[..] else { panic!("{taken:?}") };
    assert_eq!(entry.event.kind, TrackingEventKind::Seen(Status::Expired));
    assert_eq!((entry.after.state, entry.after), (State::Expired, taken.change.summary));
    let told = take_in(&parcel, HashSet::new(), &silence, Trigger::Callback, late);
    assert_eq!((told.change.entries, told.poll_at), (vec![], parcel.poll_at));
}

#[test]
fn several_answers_about_one_number_are_one() {
    let report = |minutes| told(vec![seen(Status::Collected, minutes)]);
    let answer = |minutes| TrackingAnswer::Report(report(minutes));
    let later = TrackingAnswer::Later(Some(MINUTE));
    assert_eq!(later.clone().merge(answer(1)), answer(1));
    assert_eq!(answer(1).merge(later.clone()), answer(1));
    assert_eq!(later.clone().merge(later.clone()), later);
    let first = TrackingReport { estimate: Some(window(1)), ..report(1) };
    let second = TrackingReport { poll_after: Some(MINUTE), ..report(2) };
    let unreadable = Unreadable::new("?", "the code is unknown");
    let merged = TrackingAnswer::Report(first)
        .merge(TrackingAnswer::Unreadable(unreadable.clone()))
        .merge(TrackingAnswer::Report(second));
    let events =
        vec![Ok(seen(Status::Collected, 1)), Err(unreadable), Ok(seen(Status::Collected, 2))];
    let (estimate, poll_after) = (Some(window(1)), Some(MINUTE));
    let expected = TrackingReport { events, estimate, poll_after, is_continued: false };
    assert_eq!(merged, TrackingAnswer::Report(expected));
}

fn any_event() -> impl Strategy<Value = TrackingEvent> {
    let status = proptest::sample::select(Status::ALL);
    (status, -100i64..100, proptest::option::of(0i64..5)).prop_map(|(status, minutes, hours)| {
        TrackingEvent { estimate: hours.map(window), ..seen(status, minutes) }
    })
}

proptest! {
    /// However a carrier cuts and repeats a history, each event is told once, and the summary is
    /// the fold of what was told and never goes back from an end.
    #[test]
    fn told_in_any_pieces_every_event_is_there_once(
        pieces in proptest::collection::vec(proptest::collection::vec(any_event(), 0..6), 0..6)
    ) {
        let mut before = Known::default();
        let summary = TrackingSummary::default();
        let mut all = TrackingChange { entries: vec![], unreadable: vec![], summary };
        for piece in &pieces {
            for _ in 0..2 {
                let change = diff(&before, &told(piece.clone()), NOW);
                before = known(before, &change);
                for entry in change.entries {
                    let last = all.summary.state;
                    let is_end = matches!(last, State::Delivered | State::Returned);
                    prop_assert!(!is_end || entry.after.state >= last);
                    all.summary = entry.after;
                    all.entries.push(entry);
                }
            }
        }
        prop_assert_eq!(fold(&all), before.summary);
        let mut prints: Vec<_> = all.entries.iter().map(|entry| entry.event.fingerprint).collect();
        let told_count = prints.len();
        prints.sort_unstable();
        prints.dedup();
        prop_assert_eq!(prints.len(), told_count);
        for event in pieces.iter().flatten() {
            prop_assert!(prints.binary_search(&event.fingerprint).is_ok());
        }
        prop_assert!(all.summary.state != State::Delivered || all.summary.delivered_at.is_some());
    }
}

#[test]
fn a_parcel_that_nothing_can_be_said_of_waits_a_minute_at_most_and_does_not_expire() {
    let (summary, late) = (TrackingSummary::default(), NOW.plus(2 * EXPIRY));
    let later =
        |wanted, pace, now| polled(summary).after_poll(&TrackingAnswer::Later(wanted), pace, now);
    for now in [NOW, late] {
        assert_eq!(later(None, PACE, now), NextPoll::At(now.plus(MINUTE)));
        assert_eq!(later(Some(7 * MINUTE), PACE, now), NextPoll::At(now.plus(7 * MINUTE)));
    }
    let brisk = Pace::every(Duration::from_secs(1));
    assert_eq!(later(None, brisk, NOW), NextPoll::At(NOW.plus(Duration::from_secs(1))));
    let over = polled(TrackingSummary { state: State::Expired, ..summary });
    assert_eq!(over.after_poll(&TrackingAnswer::Later(None), PACE, NOW), NextPoll::Never);
}
