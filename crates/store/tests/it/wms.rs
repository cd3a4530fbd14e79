//! The warehouse: what its lists read, how its stock is changed, and which rules find what.

use std::time::Duration;

use waybill_domain::ids::{AdjustmentId, CatalogItemId, EventId, FulfilmentId, ShipmentId};
use waybill_domain::json::parse;
use waybill_domain::time::Time;
use waybill_domain::wms::{
    Adjustment, Allocation, CatalogItem, LevelFault, RequestLine, RequestState,
};
use waybill_store::check::check_recent;
use waybill_store::testing::{Database, Scratch, fresh};
use waybill_store::wms::fulfilments::{self, Fulfilment};
use waybill_store::wms::items::{self, InUse, StoredItem};
use waybill_store::wms::stock::{self, Unadjusted};
use waybill_store::wms::{ledger, levels};
use waybill_store::{Error, Store, Tx, plans, statistics};

use crate::checks::{rules, vandalise};
use crate::fixtures::{NOW, block_on, id, seed, team_id};

fn item(number: u128) -> StoredItem {
    let json = format!(r#"{{"sku":"S-{number}","name":"Item","barcode":"5{number}"}}"#);
    StoredItem {
        id: CatalogItemId(id(number)),
        item: CatalogItem::parse(&parse(json.as_bytes()).unwrap()).unwrap(),
        created_at: NOW,
        updated_at: NOW,
    }
}

fn wish(number: u128, location: &str, delta: i64) -> Adjustment {
    let (sku, location) = (format!("S-{number}"), location.to_owned());
    Adjustment { sku, location, delta, reason: None }
}

/// Changes stock. The line is the first with this number, and the level too.
fn adjust(
    tx: &mut Tx<'_>,
    number: u128,
    wish: &Adjustment,
) -> Result<Result<i64, Unadjusted>, Error> {
    let made = (AdjustmentId(id(number)), id(number));
    let line = stock::adjust(tx, team_id(1), wish, made, NOW)?;
    Ok(line.map(|line| line.delta))
}

fn request(number: u128, lines: &[(u128, i64)]) -> Fulfilment {
    let line = |(item, quantity): &(u128, i64)| RequestLine {
        item: CatalogItemId(id(*item)),
        sku: format!("S-{item}"),
        quantity: *quantity,
        parcel: 0,
        missing: 0,
        takes: Vec::new(),
    };
    Fulfilment {
        id: FulfilmentId(id(number)),
        state: RequestState::Received,
        identifier: Some("I".to_owned()),
        reference: Some("R".to_owned()),
        lines: lines.iter().map(line).collect(),
        input: "{}".to_owned(),
        shipment: None,
        request_id: None,
        created_at: NOW,
        updated_at: NOW,
        allocated_at: None,
        packed_at: None,
        shipped_at: None,
        cancelled_at: None,
    }
}

/// Five pieces of the first item, three of which a request holds.
fn filled(tx: &mut Tx<'_>) -> Result<(), Error> {
    for number in 1..=2 {
        assert!(items::insert(tx, team_id(1), &item(number))?);
    }
    adjust(tx, 11, &wish(1, "A", 2))?.unwrap();
    adjust(tx, 12, &wish(1, "B", 3))?.unwrap();
    let mut wanted = request(21, &[(1, 3)]);
    assert!(fulfilments::insert(tx, team_id(1), &wanted, EventId(id(31)))?);
    let Allocation::Whole(takes) = stock::reserve(tx, team_id(1), &wanted, NOW)? else {
        panic!("there is enough")
    };
    wanted.lines[0].takes = takes[0].clone();
    (wanted.state, wanted.allocated_at) = (RequestState::Allocated, Some(NOW));
    fulfilments::change(tx, team_id(1), &wanted, EventId(id(32)))
}

async fn level(store: &Store, location: &'static str) -> (i64, i64) {
    let item = CatalogItemId(id(1));
    let found = store.read(move |tx| levels::find(tx, team_id(1), item, location)).await.unwrap();
    let level = found.unwrap().level;
    (level.on_hand, level.reserved)
}

both! {
    async fn stock_is_promised_given_back_and_taken_out(store) {
        seed(&store).await;
        store.write(filled).await.unwrap();
        assert_eq!((level(&store, "A").await, level(&store, "B").await), ((2, 2), (3, 1)));
        let taken = store.write(|tx| adjust(tx, 13, &wish(1, "B", -3))).await.unwrap();
        let why = Unadjusted::Refused(LevelFault::TooFew { available: 2 });
        assert_eq!(taken, Err(why));
        let again = store.write(|tx| {
            let wanted = FulfilmentId(id(21));
            let mut wanted = fulfilments::lock(tx, team_id(1), wanted)?.unwrap();
            stock::release(tx, team_id(1), wanted.id, NOW)?;
            (wanted.state, wanted.cancelled_at) = (RequestState::Cancelled, Some(NOW));
            fulfilments::change(tx, team_id(1), &wanted, EventId(id(33)))
        });
        again.await.unwrap();
        assert_eq!((level(&store, "A").await, level(&store, "B").await), ((2, 0), (3, 0)));
    }

    async fn an_item_that_is_in_stock_or_wanted_is_in_use(store) {
        seed(&store).await;
        store.write(filled).await.unwrap();
        let uses = store.write(|tx| {
            let first = items::find_use(tx, team_id(1), CatalogItemId(id(1)))?;
            let wanted = request(22, &[(2, 1)]);
            let before = items::find_use(tx, team_id(1), CatalogItemId(id(2)))?;
            assert!(fulfilments::insert(tx, team_id(1), &wanted, EventId(id(34)))?);
            let after = items::find_use(tx, team_id(1), CatalogItemId(id(2)))?;
            Ok::<_, Error>((first, before, after))
        });
        let uses = uses.await.unwrap();
        assert_eq!(uses, (Some(InUse::Stocked(5)), None, Some(InUse::Wanted)));
    }

    async fn a_request_for_an_item_that_is_gone_is_not_taken(store) {
        seed(&store).await;
        let taken = store.write(|tx| {
            assert!(items::insert(tx, team_id(1), &item(1))?);
            items::delete(tx, team_id(1), CatalogItemId(id(1)), NOW)?;
            let wanted = request(21, &[(1, 1)]);
            match fulfilments::insert(tx, team_id(1), &wanted, EventId(id(31)))? {
                true => Ok(()),
                false => Err(Error::Conflict("gone".to_owned())),
            }
        });
        assert_eq!(taken.await, Err(Error::Conflict("gone".to_owned())));
    }
}

fn each_database(rule: impl Fn(&Scratch)) {
    for database in [Database::Sqlite, Database::Postgres] {
        let scratch = fresh(database);
        block_on(async {
            seed(&scratch.store).await;
            scratch.store.write(filled).await.unwrap();
        });
        assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
        rule(&scratch);
    }
}

fn recent(scratch: &Scratch) -> Vec<&'static str> {
    let found = block_on(scratch.store.read(|tx| check_recent(tx, NOW))).unwrap();
    found.into_iter().map(|violation| violation.rule).collect()
}

#[test]
fn stock_that_does_not_add_up_is_found_also_by_the_sweep() {
    each_database(|scratch| {
        vandalise(scratch, "UPDATE wms_level SET on_hand = on_hand + 1 WHERE reserved = 1");
        assert_eq!(recent(scratch), ["what changed lately somewhere is what came less what went"]);
        vandalise(scratch, "UPDATE wms_level SET reserved = reserved - 1 WHERE reserved = 1");
        let stock = [
            "what lies somewhere is what came less what went",
            "what changed lately somewhere is what came less what went",
            "what is reserved is what requests hold",
            "what was reserved lately is what requests hold",
        ];
        assert_eq!(rules(scratch, NOW), stock);
        assert_eq!(rules(scratch, NOW.plus(Duration::from_mins(3))), [stock[0], stock[2]]);
    });
}

#[test]
fn a_request_that_is_not_what_its_stock_and_its_shipment_say_is_found() {
    each_database(|scratch| {
        vandalise(
            scratch,
            "UPDATE wms_fulfilment SET state = 'shipped', shipped_at = 1, updated_at = 1,
                    shipment = team",
        );
        let expected = [
            "no other request holds anything",
            "no other request holds anything",
            "a shipped request has a shipment that was booked for it",
            "what a shipped request took is what it wanted",
            "a request that is over wants nothing any more, and every other does",
            "the last change of a fulfilment request was told",
        ];
        assert_eq!(rules(scratch, NOW), expected);
    });
    each_database(|scratch| {
        vandalise(scratch, "DELETE FROM wms_hold");
        // Its pieces lie at two places.
        let expected = [
            "what is reserved is what requests hold",
            "what is reserved is what requests hold",
            "what was reserved lately is what requests hold",
            "what was reserved lately is what requests hold",
            "a request that is allocated, picking or packed holds all that it wants",
        ];
        assert_eq!(rules(scratch, NOW), expected);
    });
    each_database(|scratch| {
        vandalise(
            scratch,
            "UPDATE wms_adjustment SET fulfilment = team, reason = NULL;
             UPDATE wms_item SET deleted_at = 1;",
        );
        let expected = [
            "nothing left for another request, or for an item that is on none of its lines",
            "nothing left for another request, or for an item that is on none of its lines",
            "nothing of an item that was removed is in stock or wanted",
        ];
        assert_eq!(rules(scratch, NOW), expected);
    });
}

/// How SQLite goes about everything that is done here.
fn plans_of(work: fn(&mut Tx<'_>) -> Result<(), Error>) -> Vec<(&'static str, String)> {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        statistics::take();
        scratch.store.write(work).await.unwrap();
        let statements: Vec<&'static str> =
            statistics::take().iter().map(|(sql, _)| *sql).collect();
        let mut found = Vec::new();
        for sql in statements.into_iter().filter(|sql| sql.starts_with("SELECT")) {
            let steps = scratch.store.read(move |tx| plans::any_explain(tx, sql)).await.unwrap();
            found.push((sql, steps.join("; ")));
        }
        found
    })
}

#[test]
fn every_list_of_the_warehouse_is_read_in_its_order_from_an_index() {
    let plans = plans_of(|tx| {
        let text = || Some("x".to_owned());
        for (sku, barcode) in [(None, None), (text(), None), (None, text()), (text(), text())] {
            items::list(tx, team_id(1), &items::Filter { sku, barcode }, None, 9)?;
        }
        for (sku, location) in [(None, None), (text(), None), (None, text()), (text(), text())] {
            let of = (sku.clone(), location.clone());
            levels::list(tx, team_id(1), &levels::Filter { sku, location }, None, 9)?;
            let (sku, location) = of;
            let filter = ledger::Filter { sku, location, fulfilment: None };
            ledger::list(tx, team_id(1), &filter, None, 9)?;
        }
        let fulfilment = Some(FulfilmentId(id(1)));
        let filter = ledger::Filter { fulfilment, ..ledger::Filter::default() };
        ledger::list(tx, team_id(1), &filter, None, 9)?;
        for state in [None, Some(RequestState::Backordered)] {
            let filter = fulfilments::Filter { state, ..fulfilments::Filter::default() };
            fulfilments::list(tx, team_id(1), &filter, None, 9)?;
        }
        let (identifier, reference) = (text(), None);
        let filter = fulfilments::Filter { identifier, reference, state: None };
        fulfilments::list(tx, team_id(1), &filter, None, 9)?;
        let filter = fulfilments::Filter { reference: text(), ..fulfilments::Filter::default() };
        fulfilments::room(tx, team_id(1), &filter, None, 9)?;
        Ok(())
    });
    assert!(plans.len() >= 16, "{}", plans.len());
    for (sql, plan) in plans {
        let is_found = plan.starts_with("SEARCH") && plan.contains("(team=?");
        assert!(is_found && !plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
    }
}

#[test]
fn the_sweep_reads_only_levels_that_changed_lately() {
    let plans = plans_of(|tx| check_recent(tx, NOW).map(drop));
    let of_levels: Vec<_> = plans.iter().filter(|(sql, _)| sql.contains("wms_level")).collect();
    assert_eq!(of_levels.len(), 2);
    for (sql, plan) in of_levels {
        assert!(plan.contains("INDEX wms_level_updated (updated_at>?)"), "{sql}\n{plan}");
        assert!(!plan.contains("SCAN wms_"), "{plan}");
    }
}

both! {
    async fn a_shipment_is_of_one_request_at_most(store) {
        seed(&store).await;
        store.write(filled).await.unwrap();
        let second = store.write(|tx| {
            let shipment = Some(ShipmentId(id(41)));
            let first = fulfilments::find(tx, team_id(1), FulfilmentId(id(21)))?.unwrap();
            let first = Fulfilment { shipment, updated_at: Time(NOW.0 + 1), ..first };
            fulfilments::change(tx, team_id(1), &first, EventId(id(35)))?;
            let other = request(22, &[(1, 1)]);
            fulfilments::insert(tx, team_id(1), &other, EventId(id(36)))?;
            let other = Fulfilment { shipment, ..other };
            fulfilments::change(tx, team_id(1), &other, EventId(id(37)))
        });
        let refused = Err(Error::Conflict("wms_fulfilment_shipment".to_owned()));
        assert_eq!(second.await, refused);
    }
}
