//! Manifests, reports and lists of files, on both databases.

use uuid::Uuid;
use waybill_domain::booking::Reference;
use waybill_domain::document::SourceKind;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{DocumentId, EventId, ManifestId, ReportId, ShipmentId};
use waybill_domain::language::Language;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::report::{ReportFormat, ReportKind, ReportState};
use waybill_domain::time::Time;
use waybill_store::documents::{self, Document, Filter};
use waybill_store::manifests::{self, Manifest};
use waybill_store::reports::{self, Report};
use waybill_store::{Error, Store, Tx, carrier_calls, events, shipments};

use crate::booking::{accept, document, pdf, shipments_of};
use crate::fixtures::{NOW, id, team_id};

fn manifest(number: u128) -> Manifest {
    Manifest {
        id: ManifestId(id(number)),
        carrier_code: "sandbox".to_owned(),
        shipment_count: 1,
        parcel_count: 2,
        created_at: NOW,
    }
}

pub fn report(number: u128) -> Report {
    Report {
        id: ReportId(id(number)),
        kind: ReportKind::Shipments,
        from_at: NOW,
        to_at: Time(NOW.0 + 1),
        formats: vec![ReportFormat::Xlsx, ReportFormat::Pdf],
        language: Language::Da,
        state: ReportState::Pending,
        created_at: NOW,
        updated_at: NOW,
    }
}

/// Says what happened to a manifest or a report, as its change must.
pub fn event(kind: EventKind, number: u128) -> Event {
    Event::new(EventId(id(500 + number)), kind, NOW, ("subject_uuid", id(number)))
}

/// Shipments that are booked.
async fn booked(store: &Store, numbers: std::ops::RangeInclusive<u128>) {
    shipments_of(store, numbers.clone()).await;
    let all = move |tx: &mut Tx<'_>| {
        for number in numbers.clone() {
            let subject = ShipmentId(id(number));
            shipments::set_calling(tx, team_id(1), subject, NOW)?;
            let reference = Reference::from_stored(format!("r-{number}"));
            carrier_calls::insert(tx, team_id(1), subject, &reference, 1, NOW)?;
            accept(tx, number)?;
        }
        Ok::<_, Error>(())
    };
    store.write(all).await.unwrap();
}

fn after(number: u128) -> Option<Cursor> {
    Some(Cursor { direction: Direction::Next, at: 0, id: id(number), sync_until: None })
}

fn before(number: u128) -> Option<Cursor> {
    Some(Cursor { direction: Direction::Previous, at: 0, id: id(number), sync_until: None })
}

both! {
    async fn a_shipment_is_on_one_manifest_at_most(store) {
        booked(&store, 1..=2).await;
        let close = |tx: &mut Tx<'_>| {
            let open = manifests::list_to_close(tx, team_id(1), "sandbox", 10)?;
            manifests::insert(tx, team_id(1), &manifest(9))?;
            events::append(tx, team_id(1), &event(EventKind::ManifestCreated, 9))?;
            let first = manifests::put_on(tx, team_id(1), manifest(9).id, &open[..1])?;
            let again = manifests::put_on(tx, team_id(1), manifest(9).id, &open[..1])?;
            let other = manifests::put_on(tx, team_id(2), manifest(9).id, &open[1..2])?;
            let rest = manifests::list_to_close(tx, team_id(1), "sandbox", 10)?;
            let on = manifests::find_of(tx, team_id(1), open[0])?;
            Ok::<_, Error>((open.len(), first, again, other, rest, on))
        };
        let (open, first, again, other, rest, on) = store.write(close).await.unwrap();
        assert_eq!((open, first, again, other), (2, true, false, false));
        assert_eq!(rest, [ShipmentId(id(2))]);
        assert_eq!(on, Some(Some(manifest(9).id)));
        let found = store.read(|tx| manifests::find(tx, team_id(1), manifest(9).id)).await;
        assert_eq!(found.unwrap(), Some(manifest(9)));
        let foreign = store.read(|tx| manifests::find(tx, team_id(2), manifest(9).id)).await;
        assert_eq!(foreign.unwrap(), None);
    }

    async fn manifests_and_reports_are_listed_from_the_newest(store) {
        booked(&store, 1..=1).await;
        let fill = |tx: &mut Tx<'_>| {
            for number in 1..=3 {
                manifests::insert(tx, team_id(1), &manifest(number))?;
                events::append(tx, team_id(1), &event(EventKind::ManifestCreated, number))?;
                reports::insert(tx, team_id(1), &report(number))?;
            }
            Ok::<_, Error>(())
        };
        store.write(fill).await.unwrap();
        let lists = |tx: &mut Tx<'_>| {
            let all = manifests::list(tx, team_id(1), None, 1)?;
            let next = manifests::list(tx, team_id(1), after(3), 5)?;
            let back = reports::list(tx, team_id(1), before(1), 5)?;
            let newest = reports::list(tx, team_id(1), None, 5)?;
            Ok::<_, Error>((all, next, back, newest))
        };
        let (all, next, back, newest) = store.read(lists).await.unwrap();
        assert_eq!(all, [manifest(3), manifest(2)]);
        assert_eq!(next, [manifest(2), manifest(1)]);
        assert_eq!(back, [report(2), report(3)]);
        assert_eq!(newest.len(), 3);
    }

    async fn a_report_ends_once(store) {
        booked(&store, 1..=1).await;
        let work = |tx: &mut Tx<'_>| {
            let id = report(1).id;
            reports::insert(tx, team_id(1), &report(1))?;
            let told = event(EventKind::ReportReady, 1);
            let ready = reports::end(tx, team_id(1), id, ReportState::Ready, &told)?;
            let told = event(EventKind::ReportFailed, 2);
            let failed = reports::end(tx, team_id(1), id, ReportState::Failed, &told)?;
            Ok::<_, Error>((ready, failed, reports::find(tx, team_id(1), id)?))
        };
        let (ready, failed, found) = store.write(work).await.unwrap();
        assert_eq!((ready, failed), (true, false));
        assert_eq!(found.unwrap().state, ReportState::Ready);
    }

    async fn a_report_of_a_newer_release_is_named_and_not_read_as_something_else(store) {
        booked(&store, 1..=1).await;
        let others = [
            ("kind", "UPDATE report SET kind = 'returns'"),
            ("formats", "UPDATE report SET formats = 'xlsx csv'"),
            ("language", "UPDATE report SET language = 'fr'"),
        ];
        for (column, update) in others {
            let other = move |tx: &mut Tx<'_>| {
                tx.exec("DELETE FROM report", &[])?;
                reports::insert(tx, team_id(1), &report(1))?;
                tx.exec(update, &[])
            };
            store.write(other).await.unwrap();
            let found = store.read(|tx| reports::find(tx, team_id(1), report(1).id)).await;
            let id = report(1).id;
            let why = format!("the stored {column} of the report {id} cannot be read");
            assert_eq!(found, Err(Error::Broken(why)));
        }
    }

    async fn files_are_filtered_by_source_type_and_format(store) {
        booked(&store, 1..=3).await;
        let more = |tx: &mut Tx<'_>| {
            let papers = Document {
                id: DocumentId(id(7)),
                source: id(1),
                position: 1,
                types: "commercial_invoice packing_list".to_owned(),
                ..document(1)
            };
            documents::insert(tx, team_id(1), &papers, &pdf())
        };
        store.write(more).await.unwrap();
        let count = |filter: Filter| {
            let store = store.clone();
            async move {
                let list = move |tx: &mut Tx<'_>| documents::list(tx, team_id(1), &filter, None, 9);
                store.read(list).await.unwrap().len()
            }
        };
        assert_eq!(count(Filter::default()).await, 4);
        assert_eq!(count(Filter { source: Some(id(1)), ..Filter::default() }).await, 2);
        for (kind, found) in [("label", 3), ("packing_list", 1), ("list", 0)] {
            let filter = Filter { kind: Some(kind.to_owned()), ..Filter::default() };
            assert_eq!(count(filter).await, found, "{kind}");
        }
        assert_eq!(count(Filter { format: Some("zpl".to_owned()), ..Filter::default() }).await, 0);
        let all = |tx: &mut Tx<'_>| {
            let sources: Vec<Uuid> = (1..=40).map(id).collect();
            documents::list_of_all(tx, team_id(1), SourceKind::Shipment, &sources)
        };
        let all = store.read(all).await.unwrap();
        let sources: Vec<Uuid> = all.iter().map(|row| row.source).collect();
        assert_eq!(sources, [id(1), id(1), id(2), id(3)]);
    }

    async fn shipments_are_read_through_by_the_time_they_were_made(store) {
        booked(&store, 1..=3).await;
        let read = |tx: &mut Tx<'_>| {
            let period = (NOW, Time(NOW.0 + 1));
            let first =
                shipments::list_created(tx, team_id(1), period, (Time(0), Uuid::nil()), 2)?;
            let rest = shipments::list_created(tx, team_id(1), period, (NOW, id(2)), 2)?;
            let later = (Time(NOW.0 + 1), Time(NOW.0 + 2));
            let none = shipments::list_created(tx, team_id(1), later, (Time(0), Uuid::nil()), 2)?;
            Ok::<_, Error>((first.len(), rest.len(), none.len()))
        };
        assert_eq!(store.read(read).await.unwrap(), (2, 1, 0));
    }
}
