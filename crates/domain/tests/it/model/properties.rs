//! What must always hold, and what must be possible.

use stateright::Property;
use waybill_domain::booking::{CallEnd, CarrierKind, Ending, Seen, Step, record};

use super::protocol::{DEADLINE, GIVE_UP, Protocol};
use super::world::{Cancel, End, WISHES, World, moment};

pub const ONCE: &str = "a shipment is booked at most once";
pub const KEPT: &str = "an accepted booking is never lost";
pub const INTENT: &str = "what the carrier has, we have an intent for";
const TOLD_ONCE: &str = "nothing is told twice, unless more is known or was asked for";
pub const NOT_READY: &str = "what was told of is never ready again";
pub const HEARD: &str = "whoever was told that it may be booked hears when it is not";
pub const CANCEL_KEPT: &str = "what the carrier has cancelled can be written down, and then is";
pub const TRUTH: &str = "at rest, we know what the carrier knows";
pub const NOT_AFTER: &str = "no first call follows what the caller was told";

/// Every property of the protocol with a carrier of this kind.
pub fn all(kind: CarrierKind) -> Vec<Property<Protocol>> {
    let mut properties = vec![
        Property::always(ONCE, |_, world: &World| world.bookings() <= 1),
        Property::always("booked means that the carrier has it", |_, world: &World| {
            !world.row.is_booked() || world.bookings() > 0
        }),
        Property::always(KEPT, |_, world: &World| {
            let is_kept = matches!(world.row.step, Step::Accepted | Step::Done);
            !world.was_accepted || (is_kept && world.has_accepted_call())
        }),
        Property::always("at most one call is live", |_, world: &World| world.live_calls() <= 1),
        Property::always(INTENT, |_, world: &World| world.carrier.len() == world.calls.len()),
        Property::always(TOLD_ONCE, is_news),
        Property::always(HEARD, |_, world: &World| {
            let row = &world.row;
            row.step != Step::Done || !row.was_told_open || row.told.len() > 1
        }),
        Property::always(NOT_READY, |_, world: &World| {
            world.row.step != Step::Ready || world.row.told.is_empty()
        }),
        Property::always(NOT_AFTER, |_, world: &World| !world.was_called_late),
        Property::always(
            "nobody sleeps past the deadline before the caller is told",
            |_, world: &World| {
                let is_bound = world.job.is_leased
                    || world.row.step == Step::Accepted
                    || world.job.run_at.is_some_and(|at| at <= DEADLINE.max(world.now));
                is_bound || !world.row.told.is_empty()
            },
        ),
        Property::always(TRUTH, is_truth_known),
        Property::sometimes("booked", |_, world: &World| world.row.is_booked()),
        Property::sometimes("rejected", |_, world: &World| {
            world.row.told[..] == [Ending::Rejected]
        }),
        Property::sometimes("refused before anything was booked", |_, world: &World| {
            world.row.told[..] == [Ending::Technical] && world.bookings() == 0
        }),
        Property::sometimes("failed by the deadline", |_, world: &World| {
            world.row.told[..] == [Ending::Deadline] && world.is_at_rest()
        }),
        Property::sometimes("booked after the deadline was told", |_, world: &World| {
            world.row.told[..] == [Ending::Deadline, Ending::Booked]
        }),
        Property::sometimes("booked, but no documents", |_, world: &World| {
            world.row.told[..] == [Ending::Technical] && world.bookings() == 1
        }),
    ];
    properties.extend(of_kind(kind));
    properties
}

/// What must hold, and be possible, from an acceptance on.
pub fn after() -> Vec<Property<Protocol>> {
    vec![
        Property::always(ONCE, |_, world: &World| {
            world.bookings() == 1 && world.carrier.len() == 1
        }),
        Property::always(KEPT, |_, world: &World| {
            matches!(world.row.step, Step::Accepted | Step::Done) && world.has_accepted_call()
        }),
        Property::always(TOLD_ONCE, is_news),
        Property::always(CANCEL_KEPT, is_cancellation_kept),
        Property::always("only what the carrier has cancelled is cancelled", |_, world: &World| {
            !world.row.is_cancelled || world.cancel == Cancel::Written
        }),
        Property::always("at rest, everyone was told", |_, world: &World| {
            let row = &world.row;
            !world.is_at_rest() || (!row.told.is_empty() && !row.is_reopened)
        }),
        Property::sometimes("booked after the deadline was told", |_, world: &World| {
            world.row.told[..] == [Ending::Deadline, Ending::Booked]
        }),
        Property::sometimes("booked when documents are tried again", |_, world: &World| {
            world.row.told[..] == [Ending::Technical, Ending::Booked]
        }),
        Property::sometimes("booked when documents failed again", |_, world: &World| {
            world.row.told[..] == [Ending::Technical, Ending::Technical, Ending::Booked]
        }),
        Property::sometimes("cancelled for lack of documents", |_, world: &World| {
            world.row.is_cancelled && world.row.told[..] == [Ending::Technical]
        }),
        Property::sometimes(
            "booked before it is written that it is cancelled",
            |_, world: &World| matches!(world.cancel, Cancel::Made(_)) && world.row.told.len() == 2,
        ),
        Property::sometimes("cancelled while documents are fetched", |_, world: &World| {
            let is_fetched = world.workers.iter().any(|worker| worker.holds);
            world.row.is_cancelled && is_fetched
        }),
    ]
}

/// What must hold, and be possible, once the carrier has some of the parcels.
pub fn after_part() -> Vec<Property<Protocol>> {
    vec![
        Property::always(ONCE, |_, world: &World| {
            world.bookings() == 1 && world.carrier.len() == 1
        }),
        Property::always(KEPT, |_, world: &World| {
            matches!(world.row.step, Step::Accepted | Step::Done) && world.has_accepted_call()
        }),
        Property::always("a part is never told to be booked", |_, world: &World| {
            world.row.told.iter().all(|ending| *ending == Ending::Technical)
        }),
        Property::always(TOLD_ONCE, is_news),
        Property::always(CANCEL_KEPT, is_cancellation_kept),
        Property::always("at rest, nobody waits for documents", |_, world: &World| {
            !world.is_at_rest() || !world.row.is_reopened
        }),
        Property::sometimes("told again when documents were asked for", |_, world: &World| {
            world.row.told.len() == 2
        }),
        Property::sometimes("cancelled after documents were made", |_, world: &World| {
            world.row.is_cancelled && world.row.told.len() == 2
        }),
    ]
}

fn of_kind(kind: CarrierKind) -> Vec<Property<Protocol>> {
    match kind {
        CarrierKind::Idempotent => {
            vec![Property::always("one reference is used and no other", |_, world: &World| {
                world.carrier.len() <= 1
            })]
        }
        CarrierKind::Lookup { .. } => vec![
            Property::sometimes("called again after a miss", |_, world: &World| {
                world.calls[..] == [Some(End(CallEnd::Absent)), None]
            }),
            Property::sometimes("told that nothing was booked", |_, world: &World| {
                world.row.told[..] == [Ending::Deadline, Ending::Deadline]
            }),
            Property::sometimes("booked after a miss", |_, world: &World| {
                world.calls[..] == [Some(End(CallEnd::Absent)), Some(End(CallEnd::Accepted))]
            }),
        ],
        CarrierKind::Blind => {
            vec![Property::sometimes("booked, but nobody can know", |_, world: &World| {
                world.row.is_failed() && world.is_at_rest() && world.bookings() == 1
            })]
        }
    }
}

/// A shipment that nobody looks at again was told about. Whether the carrier has it is known by
/// then, unless the carrier cannot be asked or did not answer until we gave up.
fn is_truth_known(protocol: &Protocol, world: &World) -> bool {
    if !world.is_at_rest() {
        return true;
    }
    let can_know = protocol.kind != CarrierKind::Blind && world.now < GIVE_UP;
    let is_known = (world.bookings() > 0) == world.has_accepted_call();
    !world.row.told.is_empty() && (is_known || !can_know)
}

/// What was told before is told again only when nothing is open or booked any more, or when
/// somebody asked for the documents once more.
fn is_news(_: &Protocol, world: &World) -> bool {
    let told = &world.row.told[..];
    let mut pairs = told.windows(2);
    let again = told.iter().filter(|ending| **ending == Ending::Technical).count();
    let was_asked = again <= 1 + usize::from(WISHES - world.wishes);
    let is_over = told.len() < 3 || told[..2] != [Ending::Deadline, Ending::Deadline];
    is_over
        && pairs.all(|pair| match (pair[0], pair[1]) {
            (Ending::Deadline, Ending::Deadline) => {
                world.bookings() == 0 && world.open_call().is_none()
            }
            (Ending::Deadline, _) => true,
            (Ending::Technical, Ending::Technical | Ending::Booked) => was_asked,
            _ => false,
        })
}

fn is_cancellation_kept(protocol: &Protocol, world: &World) -> bool {
    match world.cancel {
        Cancel::No => true,
        Cancel::Made(_) => {
            let booking = protocol.booking(&world.row);
            record(&booking, Seen::Cancelled, moment(world.now)).is_cancelled
        }
        Cancel::Written => world.row.is_cancelled && world.row.step == Step::Done,
    }
}
