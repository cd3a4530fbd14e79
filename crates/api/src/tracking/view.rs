//! Trackings as callers see them. A page of the feed says the same few things a thousand times, so
//! what is the same is worked out once.

use std::collections::HashMap;

use waybill_domain::json::Json;
use waybill_domain::shipment::Window;
use waybill_domain::time::Time;
use waybill_domain::tracking::{Status, TrackingEvent, TrackingEventKind, TrackingSummary};
use waybill_store::feed::{FeedEntry, HistoryEntry};
use waybill_store::trackings::Tracking;

use crate::request::Request;
use crate::shipments::carrier_entry;

/// Says things to one caller.
pub struct TrackingView<'a> {
    request: &'a Request,
    services: HashMap<String, Json>,
    sentences: HashMap<&'static str, String>,
}

impl<'a> TrackingView<'a> {
    /// Says them in the caller's language.
    pub fn new(request: &'a Request) -> TrackingView<'a> {
        TrackingView { request, services: HashMap::new(), sentences: HashMap::new() }
    }

    /// A tracking with its history.
    pub fn tracking(&mut self, tracking: &Tracking, events: &[HistoryEntry]) -> Json {
        let Tracking { summary, .. } = tracking;
        let description = self.describe(summary.status);
        let service = self.service(&tracking.service_code);
        let events = events.iter().map(|recorded| self.event(recorded));
        Json::object([
            ("uuid", Json::text(tracking.id)),
            ("shipment_uuid", Json::text(tracking.shipment)),
            ("parcel_uuid", Json::text(tracking.parcel)),
            ("tracking_number", tracking.number.as_str().into()),
            ("tracking_url", tracking.url.as_deref().into()),
            ("service", service),
            ("state", summary.state.name().into()),
            ("description", description),
            ("estimated_delivery", window(summary.estimate)),
            ("delivered_at", time(summary.delivered_at)),
            ("returned_at", time(summary.returned_at)),
            ("last_updated_at", time(summary.updated_at)),
            ("events", Json::list(events)),
        ])
    }

    /// An entry of the feed.
    pub fn entry(&mut self, entry: &FeedEntry) -> Json {
        let FeedEntry { recorded, .. } = entry;
        let service = self.service(&entry.service_code);
        let event = self.event(recorded);
        Json::object([
            ("uuid", Json::text(recorded.id)),
            ("tracking_uuid", Json::text(entry.tracking)),
            ("shipment_uuid", Json::text(entry.shipment)),
            ("parcel_uuid", Json::text(entry.parcel)),
            ("tracking_number", entry.number.as_str().into()),
            ("service", service),
            ("event", event),
            ("tracking", self.summary(entry, &recorded.after)),
            ("published_at", Json::text(recorded.published_at)),
        ])
    }

    fn summary(&mut self, entry: &FeedEntry, after: &TrackingSummary) -> Json {
        Json::object([
            ("uuid", Json::text(entry.tracking)),
            ("tracking_number", entry.number.as_str().into()),
            ("tracking_url", entry.url.as_deref().into()),
            ("state", after.state.name().into()),
            ("description", self.describe(after.status)),
            ("estimated_delivery", window(after.estimate)),
            ("delivered_at", time(after.delivered_at)),
            ("returned_at", time(after.returned_at)),
            ("last_updated_at", time(after.updated_at)),
        ])
    }

    fn event(&mut self, recorded: &HistoryEntry) -> Json {
        let TrackingEvent { kind, happened_at, location, coordinates, note, estimate, .. } =
            &recorded.event;
        Json::object([
            ("uuid", Json::text(recorded.event_id)),
            ("category", kind.category().into()),
            ("status_code", kind.code().into()),
            ("description", self.say(*kind).into()),
            ("happened_at", time(*happened_at)),
            ("recorded_at", time(recorded.after.updated_at)),
            ("location", location.as_deref().into()),
            ("coordinates", coordinates.as_ref().map(|place| place.to_json()).into()),
            ("note", note.as_deref().into()),
            ("event_type", kind.event_type().into()),
            ("estimated_delivery", window(*estimate)),
        ])
    }

    fn describe(&mut self, status: Option<Status>) -> Json {
        status.map(|status| self.say(TrackingEventKind::Seen(status))).into()
    }

    fn say(&mut self, kind: TrackingEventKind) -> String {
        let language = self.request.language;
        self.sentences.entry(kind.code()).or_insert_with(|| kind.message().say(language)).clone()
    }

    /// The service that a parcel was booked with, as the catalog has it today.
    fn service(&mut self, code: &str) -> Json {
        if let Some(known) = self.services.get(code) {
            return known.clone();
        }
        let found = self.request.app.catalog().service(code).map(|(_, service)| service);
        let name = found.map_or(code, |service| service.names.say(self.request.language));
        let carrier = code.split(':').next().unwrap_or(code);
        let shown = Json::object([
            ("carrier", carrier_entry(self.request, carrier)),
            ("service_code", code.into()),
            ("service_name", name.into()),
            ("is_pickup", found.is_some_and(|service| service.is_pickup).into()),
            ("is_return", found.is_some_and(|service| service.is_return).into()),
        ]);
        let shown = Json::Written(shown.to_string());
        self.services.insert(code.to_owned(), shown.clone());
        shown
    }
}

fn time(time: Option<Time>) -> Json {
    time.map(Json::text).into()
}

fn window(window: Option<Window>) -> Json {
    let shown = window.map(|window| {
        Json::object([("start", Json::text(window.start)), ("end", Json::text(window.end))])
    });
    shown.into()
}
