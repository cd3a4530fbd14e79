//! Shipments, calls, accounts and files: what the booking relies on, on both databases.

use uuid::Uuid;
use waybill_domain::booking::{CallEnd, Ending, Reference, Step};
use waybill_domain::document::{Format, SourceKind};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{AccountId, BatchId, DocumentId, EventId, ShipmentId};
use waybill_domain::job::JobKind;
use waybill_domain::language::Language;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::shipment::{ShipmentState, Snapshot, StoredOrder};
use waybill_domain::time::Time;
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::documents::{self, Content, Document};
use waybill_store::shipments::{self, Filter, Shipment, Sort};
use waybill_store::{Error, Store, Tx, carrier_calls, jobs};

use crate::fixtures::{NOW, id, seconds, seed, team_id};

pub fn account(number: u128) -> Account {
    Account {
        id: AccountId(id(number)),
        carrier_code: "sandbox".to_owned(),
        name: format!("Account {number}"),
        is_active: true,
        options: "{}".to_owned(),
        credentials: vec![1, 2, 3],
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn shipment(number: u128) -> Shipment {
    Shipment {
        id: ShipmentId(id(number)),
        state: ShipmentState::Processing,
        step: Step::Ready,
        ending: None,
        identifier: Some(format!("id-{number}")),
        reference: Some(format!("ref-{}", number % 2)),
        carrier_code: "sandbox".to_owned(),
        service_code: "sandbox:home".to_owned(),
        account: AccountId(id(1)),
        order: StoredOrder::from_stored("{}".to_owned()),
        snapshot: Snapshot {
            label_format: Format::Pdf,
            label_size: "100x150".to_owned(),
            label_dpi: 203,
            last_mile: None,
            language: Language::En,
            pickup_point: None,
            printing: None,
        },
        parcels: Vec::new(),
        codes: None,
        failure: None,
        carrier_reference: None,
        carrier_data: None,
        batch: None,
        batch_position: None,
        deadline_at: NOW.plus(seconds(120)),
        give_up_at: NOW.plus(seconds(1000)),
        called_at: None,
        tries: 0,
        created_at: NOW,
        updated_at: Time(NOW.0 + i64::try_from(number).unwrap()),
        accepted_at: None,
        booked_at: None,
        cancelled_at: None,
        request_id: Some(format!("request-{number}")),
        fulfilment: None,
    }
}

pub fn reference(text: &str) -> Reference {
    Reference::from_stored(text.to_owned())
}

/// A team with an account and these shipments, each with its job.
pub async fn shipments_of(store: &Store, numbers: std::ops::RangeInclusive<u128>) {
    seed(store).await;
    let all = move |tx: &mut Tx<'_>| {
        carrier_accounts::insert(tx, team_id(1), &account(1))?;
        for number in numbers.clone() {
            shipments::insert(tx, team_id(1), &shipment(number))?;
            let subject = shipment(number).id.into();
            jobs::claim_one(tx, JobKind::Book, subject, Some(team_id(1)), NOW, seconds(30))?;
        }
        Ok::<_, Error>(())
    };
    store.write(all).await.unwrap();
}

/// What there is room for in pages of several lists.
fn rooms(tx: &mut Tx<'_>) -> Result<Vec<usize>, Error> {
    let mut found = Vec::new();
    for sort in [Sort::CreatedDescending, Sort::Updated] {
        for (reference, wanted) in [(None, 1000), (None, 3), (None, 2), (Some("ref-0"), 9)] {
            let filter = Filter { reference: reference.map(str::to_owned), ..Filter::default() };
            found.push(shipments::room(tx, team_id(1), &filter, sort, None, wanted)?);
        }
    }
    for wanted in [1000, 1] {
        let batch = BatchId(id(77));
        found.push(shipments::room_of_batch(tx, team_id(1), batch, None, wanted)?);
    }
    Ok(found)
}

/// What happened to a shipment.
fn event(number: u128, kind: EventKind, event: u128) -> Event {
    Event::of_shipment(EventId(id(event)), kind, NOW, ShipmentId(id(number)), None)
}

/// The shipment as the carrier has it, with its label.
pub fn accept(tx: &mut Tx<'_>, number: u128) -> Result<bool, Error> {
    let booked = Shipment {
        state: ShipmentState::Booked,
        step: Step::Done,
        ending: Some(Ending::Booked),
        carrier_reference: Some("SB-1".to_owned()),
        booked_at: Some(NOW),
        ..shipment(number)
    };
    let event = event(number, EventKind::ShipmentBooked, 100 + number);
    let set = shipments::change(tx, team_id(1), Step::Calling, &booked, Some(&event))?;
    carrier_calls::set_outcome(tx, team_id(1), booked.id, CallEnd::Accepted, None, NOW)?;
    documents::insert(tx, team_id(1), &document(number), &pdf())?;
    Ok(set)
}

/// The shipment as it is after it failed, and was told of.
pub fn fail(tx: &mut Tx<'_>, number: u128) -> Result<bool, Error> {
    let failed = Shipment {
        state: ShipmentState::Failed,
        step: Step::Done,
        ending: Some(Ending::Deadline),
        updated_at: NOW,
        ..shipment(number)
    };
    let event = event(number, EventKind::ShipmentFailed, 100 + number);
    shipments::change(tx, team_id(1), Step::Ready, &failed, Some(&event))
}

pub fn pdf() -> Content {
    Content::Here(b"%PDF".to_vec())
}

pub fn document(number: u128) -> Document {
    Document {
        id: DocumentId(id(number)),
        source_type: SourceKind::Shipment,
        source: id(number),
        position: 0,
        name: "label".to_owned(),
        filename: "label.pdf".to_owned(),
        types: "label".to_owned(),
        format: "pdf".to_owned(),
        size_bytes: 4,
        hash: vec![9; 32],
        width_um: Some(100_000),
        height_um: Some(150_000),
        page_count: Some(1),
        is_drawable: true,
        print_status: None,
        created_at: NOW,
        updated_at: NOW,
    }
}

both! {
    async fn a_second_live_call_is_refused_by_the_database(store) {
        shipments_of(&store, 1..=1).await;
        let call = |text: &'static str| {
            move |tx: &mut Tx<'_>| {
                let subject = ShipmentId(id(1));
                carrier_calls::insert(tx, team_id(1), subject, &reference(text), 1, NOW).map(drop)
            }
        };
        store.write(call("A")).await.unwrap();
        let refused = store.write(call("B")).await;
        assert!(matches!(refused, Err(Error::Conflict(name)) if name == "one_live_call"));
        let end = |end| {
            move |tx: &mut Tx<'_>| {
                carrier_calls::set_outcome(tx, team_id(1), ShipmentId(id(1)), end, Some("why"), NOW)
            }
        };
        assert!(store.write(end(CallEnd::Unknown)).await.unwrap());
        assert!(store.write(call("B")).await.is_err(), "unknown may be booked");
        assert!(store.write(end(CallEnd::Absent)).await.unwrap());
        store.write(call("B")).await.unwrap();
        let calls = store.read(|tx| carrier_calls::list(tx, team_id(1), ShipmentId(id(1)))).await;
        let calls = calls.unwrap();
        assert_eq!(calls.iter().map(|call| call.number).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(calls[0].outcome.as_deref(), Some("absent"));
        assert_eq!(calls[0].evidence.as_deref(), Some("why"));
        let open = store.read(|tx| carrier_calls::find_open(tx, team_id(1), ShipmentId(id(1))));
        assert_eq!(open.await.unwrap().unwrap().reference, "B");
    }

    async fn a_reference_is_used_once_in_the_whole_database(store) {
        shipments_of(&store, 1..=2).await;
        let call = |number| {
            move |tx: &mut Tx<'_>| {
                let subject = ShipmentId(id(number));
                carrier_calls::insert(tx, team_id(1), subject, &reference("A"), 1, NOW).map(drop)
            }
        };
        store.write(call(1)).await.unwrap();
        let refused = store.write(call(2)).await;
        assert!(matches!(refused, Err(Error::Conflict(name)) if name == "carrier_call_reference"));
    }

    async fn a_booking_changes_only_from_the_step_that_the_writer_has_seen(store) {
        shipments_of(&store, 1..=1).await;
        let calling = |tx: &mut Tx<'_>| {
            shipments::set_calling(tx, team_id(1), ShipmentId(id(1)), NOW)
        };
        assert!(store.write(calling).await.unwrap());
        assert!(!store.write(calling).await.unwrap(), "it is calling already");
        let stale = |tx: &mut Tx<'_>| {
            shipments::change(tx, team_id(1), Step::Ready, &shipment(1), None)
        };
        assert!(!store.write(stale).await.unwrap());
        let whole = |tx: &mut Tx<'_>| {
            carrier_calls::insert(tx, team_id(1), ShipmentId(id(1)), &reference("A"), 1, NOW)?;
            accept(tx, 1)
        };
        assert!(store.write(whole).await.unwrap());
        let found = store.read(|tx| shipments::find(tx, team_id(1), ShipmentId(id(1)))).await;
        let found = found.unwrap().unwrap();
        assert_eq!((found.state.name(), found.ending), ("booked", Some(Ending::Booked)));
        let team = store.read(|tx| shipments::any_find_team(tx, ShipmentId(id(1)))).await;
        assert_eq!(team.unwrap(), Some(team_id(1)));
        let accepted =
            |tx: &mut Tx<'_>| carrier_calls::find_accepted(tx, team_id(1), ShipmentId(id(1)));
        assert_eq!(store.read(accepted).await.unwrap().unwrap().reference, "A");
        let canary = |service: &'static str, until: Time| {
            let account = AccountId(id(1));
            store.read(move |tx| {
                carrier_calls::find_canary(tx, team_id(1), account, service, (until, until))
            })
        };
        assert_eq!(canary("sandbox:home", NOW).await.unwrap().as_deref(), Some("A"));
        assert_eq!(canary("sandbox:no_lookup", NOW).await.unwrap(), None, "another service");
        let before = Time(NOW.0 - 1);
        assert_eq!(canary("sandbox:home", before).await.unwrap(), None, "too fresh to be found");
    }

    async fn what_is_cancelled_stays_cancelled_whoever_writes_an_old_copy(store) {
        shipments_of(&store, 1..=1).await;
        let booked = |tx: &mut Tx<'_>| {
            shipments::set_calling(tx, team_id(1), ShipmentId(id(1)), NOW)?;
            carrier_calls::insert(tx, team_id(1), ShipmentId(id(1)), &reference("A"), 1, NOW)?;
            accept(tx, 1)
        };
        assert!(store.write(booked).await.unwrap());
        let cancel = |tx: &mut Tx<'_>| {
            let old = shipments::lock(tx, team_id(1), ShipmentId(id(1)))?.unwrap();
            let state = ShipmentState::Cancelled;
            let cancelled = Shipment { state, cancelled_at: Some(NOW), ..old };
            let told = event(1, EventKind::ShipmentCancelled, 301);
            shipments::change(tx, team_id(1), Step::Done, &cancelled, Some(&told))
        };
        assert!(store.write(cancel).await.unwrap());
        let old = |tx: &mut Tx<'_>| {
            let old = shipments::find(tx, team_id(1), ShipmentId(id(1)))?.unwrap();
            let state = ShipmentState::Processing;
            let again = Shipment { state, step: Step::Accepted, cancelled_at: None, ..old };
            shipments::change(tx, team_id(1), Step::Done, &again, None)
        };
        assert!(!store.write(old).await.unwrap());
    }

    async fn a_part_of_a_shipment_that_cannot_be_read_is_an_error_that_names_the_row(store) {
        shipments_of(&store, 1..=1).await;
        let wanted = ShipmentId(id(1));
        for (statement, part) in [
            ("UPDATE shipment SET snapshot = $1 WHERE id = $2", "snapshot"),
            ("UPDATE shipment SET parcels = $1 WHERE id = $2", "parcels"),
            ("UPDATE shipment SET codes = $1 WHERE id = $2", "codes"),
            ("UPDATE shipment SET failure = $1 WHERE id = $2", "failure"),
        ] {
            let read = move |tx: &mut Tx<'_>| {
                tx.exec(statement, &["{\"secret".into(), wanted.into()])?;
                shipments::find(tx, team_id(1), wanted)
            };
            let error = store.write(read).await.unwrap_err().to_string();
            let told = format!("the stored {part} of the shipment {wanted} cannot be read");
            assert!(error.contains(&told), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        let found = store.read(move |tx| shipments::find(tx, team_id(1), wanted)).await.unwrap();
        let error = found.unwrap().read_order().unwrap_err().to_string();
        assert!(error.contains(&format!("order of the shipment {wanted}")), "{error}");
    }

    async fn no_call_follows_once_it_was_told_how_a_booking_ended(store) {
        shipments_of(&store, 1..=1).await;
        let told = |tx: &mut Tx<'_>| {
            let told = Shipment { ending: Some(Ending::Technical), ..shipment(1) };
            shipments::change(tx, team_id(1), Step::Ready, &told, None)?;
            shipments::set_calling(tx, team_id(1), ShipmentId(id(1)), NOW)
        };
        assert!(!store.write(told).await.unwrap());
    }

    async fn what_a_carrier_said_of_a_deleted_shipment_is_erased_with_it(store) {
        shipments_of(&store, 1..=1).await;
        let subject = ShipmentId(id(1));
        let refused = move |tx: &mut Tx<'_>| {
            shipments::set_calling(tx, team_id(1), subject, NOW)?;
            carrier_calls::insert(tx, team_id(1), subject, &reference("A"), 1, NOW)?;
            let words = Some("Ada Jensen is not at home");
            carrier_calls::set_outcome(tx, team_id(1), subject, CallEnd::Rejected, words, NOW)?;
            let ending = Some(Ending::Rejected);
            let state = ShipmentState::Failed;
            let refused = Shipment { state, ending, step: Step::Done, ..shipment(1) };
            let told = event(1, EventKind::ShipmentFailed, 201);
            shipments::change(tx, team_id(1), Step::Calling, &refused, Some(&told))?;
            let told = event(1, EventKind::ShipmentDeleted, 202);
            shipments::delete(tx, team_id(1), subject, &told, NOW)
        };
        assert!(store.write(refused).await.unwrap());
        let evidence = "SELECT evidence FROM carrier_call";
        let left = store.read(move |tx| tx.one::<Option<String>>(evidence, &[])).await;
        assert_eq!(left.unwrap(), Some(None));
    }

    // Contract rule 5, by the database.
    async fn what_a_carrier_has_or_may_have_is_never_deleted(store) {
        shipments_of(&store, 1..=3).await;
        let prepare = |tx: &mut Tx<'_>| {
            for (number, name) in [(1, "A"), (2, "B")] {
                let subject = ShipmentId(id(number));
                shipments::set_calling(tx, team_id(1), subject, NOW)?;
                carrier_calls::insert(tx, team_id(1), subject, &reference(name), 1, NOW)?;
            }
            accept(tx, 1)?;
            let open = Shipment {
                state: ShipmentState::Failed,
                ending: Some(Ending::Rejected),
                step: Step::Unknown,
                ..shipment(2)
            };
            let told = event(2, EventKind::ShipmentFailed, 201);
            shipments::change(tx, team_id(1), Step::Calling, &open, Some(&told))?;
            let refused = Shipment {
                state: ShipmentState::Failed,
                ending: Some(Ending::Rejected),
                step: Step::Done,
                ..shipment(3)
            };
            let told = event(3, EventKind::ShipmentFailed, 202);
            shipments::change(tx, team_id(1), Step::Ready, &refused, Some(&told))
        };
        assert!(store.write(prepare).await.unwrap());
        let delete = |number| {
            let event = event(number, EventKind::ShipmentDeleted, 200 + number);
            let id = ShipmentId(id(number));
            move |tx: &mut Tx<'_>| shipments::delete(tx, team_id(1), id, &event, NOW)
        };
        assert!(!store.write(delete(1)).await.unwrap(), "booked");
        assert!(!store.write(delete(2)).await.unwrap(), "its call is open");
        assert!(store.write(delete(3)).await.unwrap());
        let gone = store.read(|tx| shipments::find(tx, team_id(1), ShipmentId(id(3)))).await;
        assert_eq!(gone.unwrap(), None);
        let forced = |tx: &mut Tx<'_>| {
            tx.exec("UPDATE shipment SET state = 'deleted' WHERE id = $1", &[id(1).into()])
        };
        assert!(store.write(forced).await.is_err(), "the database itself refuses");
    }

    async fn a_page_is_read_only_as_far_as_there_is_room(store) {
        shipments_of(&store, 1..=5).await;
        let found = store.write(|tx| {
            // Three megabytes in all but the oldest and the newest.
            let large = "x".repeat(3 * 1024 * 1024);
            let grow = "UPDATE shipment SET input = $1, batch = $2, batch_position = updated_at,
                               state = 'pending' WHERE id > $3 AND id < $4";
            tx.exec(grow, &[large.as_str().into(), id(77).into(), id(1).into(), id(5).into()])?;
            let found = rooms(tx)?;
            let shrink = "UPDATE shipment SET input = '{}', batch = NULL, batch_position = NULL,
                                 state = 'processing'";
            tx.exec(shrink, &[])?;
            Ok::<_, Error>(found)
        });
        let found = found.await.unwrap();
        assert_eq!(found, [3, 3, 2, 9, 3, 3, 2, 9, 2, 1]);
    }

    async fn lists_page_both_ways_by_every_path(store) {
        shipments_of(&store, 1..=5).await;
        let numbers = |rows: Vec<Shipment>| -> Vec<u128> {
            rows.iter().map(|row| Uuid::from(row.id).as_u128()).collect()
        };
        let list = |filter: Filter, sort, cursor, wanted| {
            let store = store.clone();
            async move {
                let read = move |tx: &mut Tx<'_>| {
                    shipments::list(tx, team_id(1), &filter, sort, cursor, wanted)
                };
                numbers(store.read(read).await.unwrap())
            }
        };
        let at = |number: u128, direction| {
            let at = NOW.0 + i64::try_from(number).unwrap();
            Some(Cursor { direction, at, id: id(number), sync_until: None })
        };
        let all = Filter::default;
        assert_eq!(list(all(), Sort::CreatedDescending, None, 9).await, [5, 4, 3, 2, 1]);
        assert_eq!(list(all(), Sort::CreatedDescending, at(4, Direction::Next), 1).await, [3, 2]);
        let previous = at(2, Direction::Previous);
        assert_eq!(list(all(), Sort::CreatedDescending, previous, 1).await, [3, 4]);
        assert_eq!(list(all(), Sort::Updated, None, 1).await, [1, 2]);
        assert_eq!(list(all(), Sort::Updated, at(2, Direction::Next), 9).await, [3, 4, 5]);
        assert_eq!(list(all(), Sort::Updated, at(3, Direction::Previous), 9).await, [2, 1]);
        let odd = Filter { reference: Some("ref-1".to_owned()), ..all() };
        assert_eq!(list(odd.clone(), Sort::CreatedDescending, None, 9).await, [5, 3, 1]);
        let both = Filter { identifier: Some("id-2".to_owned()), ..odd };
        assert_eq!(list(both, Sort::Updated, None, 9).await, [0u128; 0]);
        let span = Filter {
            updated_since: Some(Time(NOW.0 + 2)),
            updated_until: Some(Time(NOW.0 + 4)),
            state: Some(ShipmentState::Processing),
            ..all()
        };
        assert_eq!(list(span, Sort::Updated, None, 9).await, [2, 3, 4]);
        let number = |tx: &mut Tx<'_>| {
            shipments::insert_tracking_number(tx, team_id(1), "N1", ShipmentId(id(4)))?;
            shipments::insert_tracking_number(tx, team_id(1), "N1", ShipmentId(id(4)))
        };
        store.write(number).await.unwrap();
        let tracked = Filter { tracking_number: Some("N1".to_owned()), ..all() };
        assert_eq!(list(tracked, Sort::CreatedDescending, None, 9).await, [4]);
        let batch = Filter { batch: Some(id(77)), ..all() };
        assert_eq!(list(batch, Sort::Updated, None, 9).await, [0u128; 0]);
    }

    async fn accounts_are_kept_changed_and_deleted(store) {
        seed(&store).await;
        let changed = Account { is_active: false, name: "New".to_owned(), ..account(1) };
        let row = changed.clone();
        let work = move |tx: &mut Tx<'_>| {
            carrier_accounts::insert(tx, team_id(1), &account(1))?;
            carrier_accounts::insert(tx, team_id(1), &account(2))?;
            let first = carrier_accounts::find_active(tx, team_id(1), "sandbox")?;
            carrier_accounts::replace(tx, team_id(1), &row)?;
            let second = carrier_accounts::find_active(tx, team_id(1), "sandbox")?;
            let is_used = carrier_accounts::is_used(tx, team_id(1), account(1).id)?;
            Ok::<_, Error>((first, second, is_used))
        };
        let (first, second, is_used) = store.write(work).await.unwrap();
        assert_eq!((first, second, is_used), (Some(account(1)), Some(account(2)), false));
        let found = store.read(|tx| carrier_accounts::find(tx, team_id(1), account(1).id)).await;
        assert_eq!(found.unwrap(), Some(changed));
        let other = store.read(|tx| carrier_accounts::find(tx, team_id(2), account(1).id)).await;
        assert_eq!(other.unwrap(), None);
        let delete = |tx: &mut Tx<'_>| carrier_accounts::delete(tx, team_id(1), account(2).id);
        assert!(store.write(delete).await.unwrap());
        let rest = store.read(|tx| carrier_accounts::list(tx, team_id(1))).await.unwrap();
        assert_eq!(rest.len(), 1);
    }

    async fn a_file_is_stored_with_its_bytes(store) {
        shipments_of(&store, 1..=1).await;
        let insert = |tx: &mut Tx<'_>| documents::insert(tx, team_id(1), &document(1), &pdf());
        store.write(insert).await.unwrap();
        let found = store.read(|tx| documents::any_find(tx, DocumentId(id(1)))).await;
        assert_eq!(found.unwrap(), Some(document(1)));
        let content = |tx: &mut Tx<'_>| documents::any_find_content(tx, &document(1).hash);
        assert_eq!(store.read(content).await.unwrap(), Some(pdf()));
        let own = store.read(|tx| documents::find(tx, team_id(1), DocumentId(id(1)))).await;
        assert_eq!(own.unwrap(), Some(document(1)));
        let foreign = store.read(|tx| documents::find(tx, team_id(2), DocumentId(id(1)))).await;
        assert_eq!(foreign.unwrap(), None);
        let of = |tx: &mut Tx<'_>| {
            documents::list_of(tx, team_id(1), SourceKind::Shipment, id(1))
        };
        assert_eq!(store.read(of).await.unwrap(), [document(1)]);
    }
}
