use std::time::Duration;

use proptest::prelude::*;

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

fn seen(status: Status, minutes: i64) -> Event {
    Event {
        what: What::Seen(status),
        happened_at: Some(at(minutes)),
        location: None,
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&[status.code(), &minutes.to_string()]),
    }
}

fn told(events: Vec<Event>) -> Snapshot {
    Snapshot { events: events.into_iter().map(Ok).collect(), ..Snapshot::default() }
}

/// What is known after a change.
fn known(mut before: Known, change: &Change) -> Known {
    before.seen.extend(change.entries.iter().map(|entry| entry.event.fingerprint));
    before.summary = change.summary;
    before
}

fn fold(change: &Change) -> TrackingSummary {
    let mut summary = TrackingSummary::default();
    change.entries.iter().for_each(|entry| summary.apply(&entry.event, NOW));
    summary
}

#[test]
fn what_was_told_before_makes_nothing() {
    let snapshot = told(vec![seen(Status::InfoReceived, 0), seen(Status::Collected, 5)]);
    let first = diff(&Known::default(), &snapshot, NOW);
    assert_eq!((first.entries.len(), first.summary.state), (2, State::InTransit));
    let again = diff(&known(Known::default(), &first), &snapshot, NOW);
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
    let mut snapshot = told(vec![seen(Status::Collected, 1), seen(Status::Delivered, 60 * 48)]);
    snapshot.events.push(Err(Unreadable::new("{\"code\":\"?\"}", "the code is unknown")));
    let long = Event { note: Some("x".repeat(2000)), ..seen(Status::Delayed, 2) };
    let hidden = Event { location: Some("a\0b".to_owned()), ..seen(Status::Delayed, 3) };
    snapshot.events.extend([Ok(long), Ok(hidden)]);
    let change = diff(&Known::default(), &snapshot, NOW);
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
    let first = Event { estimate: Some(window(24)), ..seen(Status::InfoReceived, 0) };
    let change = diff(&Known::default(), &told(vec![first]), NOW);
    assert_eq!(change.entries.len(), 1, "the first estimate comes with its event");
    assert_eq!(change.summary.estimate, Some(window(24)));
    let mut before = known(Known::default(), &change);
    for (minute, hours, count) in [(1, 24, 0), (2, 30, 1), (3, 24, 1), (4, 30, 1), (5, 30, 0)] {
        let estimate = Some(window(hours));
        let change = diff(&before, &Snapshot { estimate, ..told(vec![]) }, at(minute));
        assert_eq!(change.entries.len(), count, "{minute}");
        assert_eq!(change.summary.estimate, estimate);
        assert!(change.entries.iter().all(|entry| entry.event.what == What::Estimate));
        before = known(before, &change);
    }
    let end = diff(&before, &told(vec![seen(Status::Delivered, 6)]), at(6));
    let over = known(before, &end);
    let late = Snapshot { estimate: Some(window(99)), ..told(vec![]) };
    assert_eq!(diff(&over, &late, at(7)).entries, []);
}

#[test]
fn an_old_estimate_in_a_repeated_history_is_not_told_after_a_new_one() {
    let first = Event { estimate: Some(window(24)), ..seen(Status::InfoReceived, 0) };
    let told_at = |minutes: i64, hours: i64| Event {
        what: What::Estimate,
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
        let what = What::Seen(*status);
        assert_eq!(What::parse(what.code()), Some(what));
        assert_eq!(State::parse(what.category()), Some(status.state()));
        let said = status.message().say(crate::language::Language::Fi);
        assert_ne!(said, status.message().key(), "{status:?}");
    }
    assert_eq!(What::parse(What::Estimate.code()), Some(What::Estimate));
    assert_eq!(What::Estimate.event_type(), "estimated_delivery");
}

#[test]
fn an_event_that_is_set_aside_is_kept_in_words() {
    let event = Event {
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

#[test]
fn the_pause_grows_with_the_silence_and_ends() {
    let minute = Duration::from_mins(1);
    let pace = Pace { first: minute, shortest: 5 * minute, longest: 360 * minute };
    let summary = TrackingSummary {
        state: State::InTransit,
        updated_at: Some(NOW),
        ..TrackingSummary::default()
    };
    let pause = |silence: Duration| {
        let now = NOW.plus(silence);
        match next_look(&summary, NOW, pace, now) {
            Look::At(next) => next.since(now),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(pause(Duration::ZERO), 5 * minute);
    assert_eq!(pause(80 * minute), 20 * minute);
    assert_eq!(pause(Duration::from_hours(200)), 360 * minute);
    assert_eq!(next_look(&summary, NOW, pace, NOW.plus(EXPIRY)), Look::Expired);
    for state in [State::Delivered, State::Returned, State::Expired] {
        let over = TrackingSummary { state, ..summary };
        assert_eq!(next_look(&over, NOW, pace, NOW), Look::Never);
    }
    // What was never heard of counts from its booking.
    let silent = TrackingSummary::default();
    assert_eq!(next_look(&silent, NOW, pace, NOW.plus(EXPIRY)), Look::Expired);
}

fn any_event() -> impl Strategy<Value = Event> {
    let status = proptest::sample::select(Status::ALL);
    (status, -100i64..100, proptest::option::of(0i64..5)).prop_map(|(status, minutes, hours)| {
        Event { estimate: hours.map(window), ..seen(status, minutes) }
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
        let mut all = Change { entries: vec![], unreadable: vec![], summary };
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
    let minute = Duration::from_mins(1);
    let pace = Pace { first: minute, shortest: 5 * minute, longest: 360 * minute };
    let later = |summary: &TrackingSummary, wanted, now| put_off(summary, pace, wanted, now);
    let (summary, late) = (TrackingSummary::default(), NOW.plus(2 * EXPIRY));
    for now in [NOW, late] {
        assert_eq!(later(&summary, None, now), Look::At(now.plus(minute)));
        assert_eq!(later(&summary, Some(7 * minute), now), Look::At(now.plus(7 * minute)));
    }
    let brisk = Pace::every(Duration::from_secs(1));
    let soon = put_off(&summary, brisk, None, NOW);
    assert_eq!(soon, Look::At(NOW.plus(Duration::from_secs(1))));
    let over = TrackingSummary { state: State::Expired, ..summary };
    assert_eq!(later(&over, None, NOW), Look::Never);
}
