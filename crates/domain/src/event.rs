//! What happened, told in few words: a kind, a time and the ids of what it is about. Who hears of
//! it reads the rest from the API, where it is current and access is checked.

use uuid::Uuid;

use crate::ids::{EventId, ShipmentId, TeamId};
use crate::json::{Json, MemberName};
use crate::time::Time;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A kind of event that can be subscribed to.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum EventKind { $($(#[$doc])* $name),* }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[EventKind] = &[$(EventKind::$name),*];
            /// Their names, in the same order.
            pub const NAMES: &[&'static str] = &[$($text),*];

            /// The name in the API and in the database.
            pub fn name(self) -> &'static str {
                match self { $(EventKind::$name => $text),* }
            }
        }
    };
}

kinds! {
    /// Everything is ready.
    ShipmentBooked = "shipment.booked",
    /// The booking failed; a late success may follow.
    ShipmentFailed = "shipment.failed",
    /// The booking was cancelled.
    ShipmentCancelled = "shipment.cancelled",
    /// The shipment is gone from lists.
    ShipmentDeleted = "shipment.deleted",
    /// A print job changed.
    PrintJobUpdated = "print_job.updated",
    /// The tracking feed has something new.
    TrackingUpdated = "tracking.updated",
    /// A batch was started.
    BatchStarted = "booking_batch.started",
    /// Every member of a batch has an outcome.
    BatchCompleted = "booking_batch.completed",
    /// A batch was stopped.
    BatchStopped = "booking_batch.stopped",
    /// A report can be fetched.
    ReportReady = "report.ready",
    /// A report could not be made.
    ReportFailed = "report.failed",
    /// A manifest was made.
    ManifestCreated = "manifest.created",
    /// A fulfilment request changed.
    FulfilmentUpdated = "wms.fulfilment_request.updated",
}

impl EventKind {
    /// Reads the exact name.
    pub fn parse(name: &str) -> Option<EventKind> {
        EventKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// The name of the event that only tries out a webhook. Nobody subscribes to it.
pub const TEST: &str = "webhook.test";

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Its id, by which receivers know a repetition.
    pub id: EventId,
    /// The name of its kind, or [`TEST`].
    pub kind: &'static str,
    /// When it happened.
    pub occurred_at: Time,
    /// The resource that changed.
    pub subject: Uuid,
    /// The batch it happened in, whose callback hears of it too.
    pub batch: Option<Uuid>,
    ids: Vec<(MemberName, Json)>,
}

impl Event {
    /// An event about one resource, which the envelope calls by this name.
    pub fn new(
        id: EventId,
        kind: EventKind,
        at: Time,
        (name, subject): (&'static str, Uuid),
    ) -> Event {
        let event =
            Event { id, kind: kind.name(), occurred_at: at, subject, batch: None, ids: Vec::new() };
        event.with(name, subject)
    }

    /// An event about a shipment, perhaps a member of a batch.
    pub fn of_shipment(
        id: EventId,
        kind: EventKind,
        at: Time,
        shipment: ShipmentId,
        batch: Option<Uuid>,
    ) -> Event {
        let event = Event::new(id, kind, at, ("shipment_uuid", shipment.into()));
        match batch {
            Some(batch) => event.in_batch(batch),
            None => event,
        }
    }

    /// The event that tries out a webhook.
    pub fn test(id: EventId, at: Time, webhook: Uuid) -> Event {
        let about = ("webhook_uuid", webhook);
        Event { kind: TEST, ..Event::new(id, EventKind::ShipmentBooked, at, about) }
    }

    /// The same, in this batch.
    pub fn in_batch(self, batch: Uuid) -> Event {
        Event { batch: Some(batch), ..self.with("batch_uuid", batch) }
    }

    /// The same, with another id in its envelope.
    pub fn with(mut self, name: &'static str, id: Uuid) -> Event {
        if !self.ids.iter().any(|(known, _)| known == name) {
            self.ids.push((name.into(), Json::text(id)));
        }
        self
    }

    /// The ids of its envelope, as they are stored.
    pub fn ids(&self) -> Json {
        Json::Object(self.ids.clone())
    }
}

/// The body that is sent: flat and thin.
pub fn envelope(team: TeamId, id: EventId, kind: &str, at: Time, ids: &Json) -> Json {
    let mut body = Json::object([
        ("id", Json::text(id)),
        ("type", kind.into()),
        ("occurred_at", Json::text(at)),
        ("team_uuid", Json::text(team)),
    ]);
    body.merge(ids);
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_is_flat_and_holds_the_ids_that_apply() {
        let (team, batch) = (TeamId(Uuid::from_u128(1)), Uuid::from_u128(4));
        let event = Event::of_shipment(
            EventId(Uuid::from_u128(2)),
            EventKind::ShipmentBooked,
            Time(0),
            ShipmentId(Uuid::from_u128(3)),
            Some(batch),
        );
        let body = envelope(team, event.id, event.kind, event.occurred_at, &event.ids());
        assert_eq!(
            body.to_string(),
            "{\"id\":\"00000000-0000-0000-0000-000000000002\",\"type\":\"shipment.booked\",\
             \"occurred_at\":\"1970-01-01T00:00:00.000000Z\",\
             \"team_uuid\":\"00000000-0000-0000-0000-000000000001\",\
             \"shipment_uuid\":\"00000000-0000-0000-0000-000000000003\",\
             \"batch_uuid\":\"00000000-0000-0000-0000-000000000004\"}"
        );
    }

    #[test]
    fn every_kind_is_read_by_its_name_and_the_test_is_no_kind() {
        for (kind, name) in EventKind::ALL.iter().zip(EventKind::NAMES) {
            assert_eq!(EventKind::parse(name), Some(*kind));
        }
        assert_eq!(EventKind::parse(TEST), None);
    }
}
