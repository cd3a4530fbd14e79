//! What is old goes, a few rows at a time; what is younger or unfinished stays.

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::event::EventKind;
use waybill_domain::ids::{DeliveryId, DocumentId, MergeId, ReportId, ShipmentId};
use waybill_domain::report::ReportState;
use waybill_domain::tracking::Unreadable;
use waybill_store::attempts::{self, Attempt, AttemptKind, AttemptOutcome};
use waybill_store::documents::{self, Content, Document};
use waybill_store::merges::{self, Merge};
use waybill_store::reports::{self, Report};
use waybill_store::retention::SweepPosition;
use waybill_store::{Error, Store, Tx, deliveries, trackings};

use crate::booking::{document, shipments_of};
use crate::fixtures::{NOW, id, seconds, seed, team_id};
use crate::papers;
use crate::tracking::{schedule, tracking, trackings_of};
use crate::webhooks::{attempt, deliveries_of};

/// The moment that is so many seconds after the one at which tests happen.
fn at(second: u64) -> waybill_domain::time::Time {
    NOW.plus(seconds(second))
}

/// Notes an attempt with a shipment that ended at this second.
fn note(tx: &mut Tx<'_>, shipment: u128, second: u64) -> Result<(), Error> {
    let tried = Attempt {
        kind: AttemptKind::Documents,
        outcome: AttemptOutcome::Failed,
        words: Some("no paper".to_owned()),
        request_id: None,
        tried_at: at(second),
    };
    attempts::insert(tx, team_id(1), ShipmentId(id(shipment)), &tried)
}

/// The seconds of the attempts that are left with a shipment.
fn noted(tx: &mut Tx<'_>, shipment: u128) -> Result<Vec<u64>, Error> {
    let left = attempts::list(tx, team_id(1), ShipmentId(id(shipment)))?;
    Ok(left.iter().map(|one| one.tried_at.since(NOW).as_secs()).collect())
}

/// A report that ended at this second, with a file for each of these hashes.
fn end(tx: &mut Tx<'_>, number: u128, second: u64, hashes: &[u8]) -> Result<(), Error> {
    reports::insert(tx, team_id(1), &papers::report(number))?;
    let mut told = papers::event(EventKind::ReportReady, number);
    told.occurred_at = at(second);
    assert!(reports::end(tx, team_id(1), ReportId(id(number)), ReportState::Ready, &told)?);
    for (position, hash) in (0..).zip(hashes) {
        let file = Document {
            id: DocumentId(id(10 * number + u128::try_from(position).unwrap())),
            source_type: SourceKind::Report,
            source: id(number),
            position,
            hash: vec![*hash; 32],
            ..document(number)
        };
        documents::insert(tx, team_id(1), &file, &bytes(*hash))?;
    }
    Ok(())
}

fn bytes(of: u8) -> Content {
    Content::Here(vec![of, 1, 2])
}

/// The hashes of which there are bytes.
async fn left(store: &Store) -> Vec<u8> {
    let all = store.read(|tx| documents::any_list_content(tx, &[], 100)).await.unwrap();
    all.iter().map(|hash| hash[0]).collect()
}

async fn forget_reports(store: &Store, second: u64) -> u64 {
    store.write(move |tx| reports::any_delete_old(tx, at(second), 100)).await.unwrap()
}

both! {
    async fn attempts_go_by_their_age_once_nothing_is_open_about_their_shipment(store) {
        shipments_of(&store, 1..=3).await;
        let write = |tx: &mut Tx<'_>| {
            for (shipment, second) in [(1, 1), (1, 2), (2, 2), (3, 2), (1, 3), (1, 4)] {
                note(tx, shipment, second)?;
            }
            // The third waits for its carrier still.
            tx.exec(
                "UPDATE shipment SET state = 'cancelled', step = 'done' WHERE id <> $1",
                &[id(3).into()],
            )?;
            let end = attempts::any_delete_old(tx, at(3), SweepPosition::START, 100)?;
            assert_eq!(end, None);
            Ok::<_, Error>([noted(tx, 1)?, noted(tx, 2)?, noted(tx, 3)?])
        };
        assert_eq!(store.write(write).await.unwrap(), [vec![3, 4], vec![], vec![2]]);
    }

    async fn a_bite_looks_at_a_few_attempts_and_none_twice(store) {
        shipments_of(&store, 1..=2).await;
        let write = |tx: &mut Tx<'_>| {
            tx.exec(
                "UPDATE shipment SET state = 'cancelled', step = 'done' WHERE id = $1",
                &[id(1).into()],
            )?;
            // Half of them stay, and all are of the same moment.
            for n in 0..10 {
                note(tx, 1 + n % 2, 1)?;
            }
            let (mut from, mut counts) = (SweepPosition::START, Vec::new());
            while let Some(position) = attempts::any_delete_old(tx, at(9), from, 3)? {
                from = position;
                counts.push(noted(tx, 1)?.len() + noted(tx, 2)?.len());
            }
            Ok::<_, Error>((counts, noted(tx, 1)?.len(), noted(tx, 2)?.len()))
        };
        let (counts, gone, stayed) = store.write(write).await.unwrap();
        assert_eq!((counts.len(), gone, stayed), (3, 0, 5));
        assert!(counts[0] >= 7, "more than a bite: {counts:?}");
    }

    async fn deliveries_go_with_their_attempts_by_their_age_once_they_ended(store) {
        deliveries_of(&store, 1..=6).await;
        let write = |tx: &mut Tx<'_>| {
            // The second waits for its next attempt.
            for number in [1, 2, 3, 4, 5] {
                let ends = (None, (number == 2).then_some(at(900)));
                let tried = attempt(number, at(10));
                deliveries::record(tx, team_id(1), DeliveryId(id(number)), &tried, ends)?;
            }
            let mut counts = Vec::new();
            for limit in [2, 2, 2] {
                counts.push(deliveries::any_delete_old(tx, at(5), limit)?);
            }
            let left: Vec<Uuid> = tx.all("SELECT id FROM delivery ORDER BY id", &[])?;
            let tried: Vec<Uuid> =
                tx.all("SELECT delivery FROM delivery_attempt ORDER BY id", &[])?;
            Ok::<_, Error>((counts, left, tried))
        };
        let (counts, left, tried) = store.write(write).await.unwrap();
        assert_eq!(counts, [2, 1, 0]);
        assert_eq!(left, [id(2), id(5), id(6)]);
        assert_eq!(tried, [id(2), id(5)]);
    }

    async fn what_was_set_aside_goes_by_its_age_a_few_at_a_time(store) {
        trackings_of(&store, 1..=1).await;
        schedule(&store).await;
        let write = |tx: &mut Tx<'_>| {
            for second in 1..=5 {
                let unreadable = Unreadable::new(format!("{second}"), "unknown");
                trackings::quarantine(tx, team_id(1), tracking(1).id, &unreadable, at(second))?;
            }
            let mut counts = Vec::new();
            for limit in [2, 2, 2] {
                counts.push(trackings::any_delete_quarantined(tx, at(4), limit)?);
            }
            let left = trackings::list_quarantined(tx, team_id(1), tracking(1).id)?;
            Ok::<_, Error>((counts, left.into_iter().map(|(at, ..)| at).collect::<Vec<_>>()))
        };
        assert_eq!(store.write(write).await.unwrap(), (vec![2, 1, 0], vec![at(4), at(5)]));
    }

    async fn reports_go_with_their_files_by_their_age_once_they_ended(store) {
        seed(&store).await;
        let write = |tx: &mut Tx<'_>| {
            for number in 1..=4 {
                end(tx, number.into(), number.into(), &[number, 10 + number])?;
            }
            // One that is not made yet is older than all.
            reports::insert(tx, team_id(1), &Report { updated_at: NOW, ..papers::report(9) })?;
            let counts =
                [reports::any_delete_old(tx, at(3), 1)?, reports::any_delete_old(tx, at(3), 9)?];
            let found = reports::list(tx, team_id(1), None, 10)?;
            let files = documents::list_of(tx, team_id(1), SourceKind::Report, id(1))?;
            Ok::<_, Error>((counts, found, files))
        };
        let (counts, found, files) = store.write(write).await.unwrap();
        assert_eq!(counts, [1, 1]);
        let numbers: Vec<u128> = found.iter().map(|report| report.id.0.as_u128()).collect();
        assert_eq!((numbers, files), (vec![9, 4, 3], vec![]));
        assert_eq!(left(&store).await, [3, 4, 13, 14]);
    }

    async fn what_was_joined_goes_by_its_age_and_its_bytes_unless_a_label_has_them(store) {
        shipments_of(&store, 1..=1).await;
        let write = |tx: &mut Tx<'_>| {
            for number in 1..=3_u8 {
                let (id, source) = (MergeId(id(number.into())), id(number.into()));
                let merge = Merge { id, skipped: Vec::new(), created_at: at(number.into()) };
                merges::insert(tx, team_id(1), &merge)?;
                let file = Document {
                    id: DocumentId(Uuid::from_u128(100 + u128::from(number))),
                    source_type: SourceKind::Merge,
                    source,
                    format: "zpl".to_owned(),
                    hash: vec![number; 32],
                    ..document(9)
                };
                documents::insert(tx, team_id(1), &file, &bytes(number))?;
            }
            // A label of the same bytes comes after the first was joined.
            let label = Document { format: "zpl".to_owned(), hash: vec![1; 32], ..document(1) };
            documents::insert(tx, team_id(1), &label, &bytes(1))?;
            let found = documents::list_of(tx, team_id(1), SourceKind::Merge, id(2))?;
            let gone = merges::any_delete_old(tx, at(3), 10)?;
            let filter =
                documents::Filter { source_type: Some(SourceKind::Merge), ..Default::default() };
            Ok::<_, Error>((found, gone, documents::list(tx, team_id(1), &filter, None, 9)?))
        };
        let (found, gone, listed) = store.write(write).await.unwrap();
        assert_eq!((found.len(), found[0].source_type), (1, SourceKind::Merge));
        assert_eq!((gone, listed.len()), (2, 1));
        assert_eq!(left(&store).await, [1, 3]);
    }

    async fn bytes_stay_for_as_long_as_another_file_has_them(store) {
        shipments_of(&store, 1..=2).await;
        let write = |tx: &mut Tx<'_>| {
            let label = |number, hash: u8| Document { hash: vec![hash; 32], ..document(number) };
            // 7 is in two reports; 8 is in a label before and 9 in a label after the report.
            documents::insert(tx, team_id(1), &label(1, 8), &bytes(8))?;
            end(tx, 21, 1, &[7, 8, 9])?;
            end(tx, 22, 5, &[7])?;
            documents::insert(tx, team_id(1), &label(2, 9), &bytes(9))
        };
        store.write(write).await.unwrap();
        assert_eq!(forget_reports(&store, 3).await, 1);
        assert_eq!(left(&store).await, [7, 8, 9]);
        assert_eq!(forget_reports(&store, 9).await, 1);
        assert_eq!(left(&store).await, [8, 9]);
    }

    async fn bytes_that_went_come_back_with_the_next_file_that_has_them(store) {
        shipments_of(&store, 1..=1).await;
        store.write(|tx| end(tx, 21, 1, &[6, 7])).await.unwrap();
        assert_eq!(forget_reports(&store, 3).await, 1);
        assert_eq!(left(&store).await, [0_u8; 0]);
        let again = |tx: &mut Tx<'_>| {
            end(tx, 22, 5, &[6])?;
            let label = Document { hash: vec![7; 32], ..document(1) };
            documents::insert(tx, team_id(1), &label, &bytes(7))?;
            let found = [[6; 32], [7; 32]].map(|hash| documents::any_find_content(tx, &hash));
            let [six, seven] = found;
            Ok::<_, Error>((six?, seven?))
        };
        let (six, seven) = store.write(again).await.unwrap();
        assert_eq!((six, seven), (Some(bytes(6)), Some(bytes(7))));
        assert_eq!(forget_reports(&store, 9).await, 1);
        assert_eq!(left(&store).await, [7]);
    }
}
