//! What must always hold, and what must be possible.

use stateright::Property;
use waybill_domain::booking::{CallEnd, Ending, Kind, Step};

use super::protocol::{DEADLINE, GIVE_UP, Protocol};
use super::world::{End, World};

pub const ONCE: &str = "a shipment is booked at most once";
pub const KEPT: &str = "an accepted booking is never lost";
pub const INTENT: &str = "what the carrier has, we have an intent for";
pub const TOLD_ONCE: &str = "the deadline is told once, and only the carrier's word follows";
pub const NOT_AFTER: &str = "no first call follows what the caller was told";

/// Every property of the protocol with a carrier of this kind.
pub fn all(kind: Kind) -> Vec<Property<Protocol>> {
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
        Property::always(TOLD_ONCE, |_, world: &World| match world.row.told[..] {
            [] | [_] => true,
            [Ending::Deadline, second] => second != Ending::Deadline,
            _ => false,
        }),
        Property::always(NOT_AFTER, |_, world: &World| !world.was_called_late),
        Property::always("nobody sleeps past the deadline untold", |_, world: &World| {
            let is_bound = world.job.is_leased
                || world.row.step == Step::Accepted
                || world.job.run_at.is_some_and(|at| at <= DEADLINE.max(world.now));
            is_bound || !world.row.told.is_empty()
        }),
        Property::always("at rest, we know what the carrier knows", is_truth_known),
        Property::sometimes("booked", |_, world: &World| world.row.is_booked()),
        Property::sometimes("rejected", |_, world: &World| {
            world.row.told[..] == [Ending::Rejected]
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

fn of_kind(kind: Kind) -> Vec<Property<Protocol>> {
    match kind {
        Kind::Idempotent => {
            vec![Property::always("one reference is used and no other", |_, world: &World| {
                world.carrier.len() <= 1
            })]
        }
        Kind::Lookup { .. } => vec![
            Property::sometimes("called again after a miss", |_, world: &World| {
                world.calls[..] == [Some(End(CallEnd::Absent)), None]
            }),
            Property::sometimes("booked after a miss", |_, world: &World| {
                world.calls[..] == [Some(End(CallEnd::Absent)), Some(End(CallEnd::Accepted))]
            }),
        ],
        Kind::Blind => {
            vec![Property::sometimes("booked, but nobody can know", |_, world: &World| {
                world.row.is_failed() && world.is_at_rest() && world.bookings() == 1
            })]
        }
    }
}

/// A shipment that nobody looks at again was told about. Whether the carrier has it is known by
/// then, unless the carrier can not be asked or did not answer until we gave up.
fn is_truth_known(protocol: &Protocol, world: &World) -> bool {
    if !world.is_at_rest() {
        return true;
    }
    let can_know = protocol.kind != Kind::Blind && world.now < GIVE_UP;
    let is_known = (world.bookings() > 0) == world.has_accepted_call();
    !world.row.told.is_empty() && (is_known || !can_know)
}
