//! Service points belong to a carrier and a country; their ids last, and their sets have versions.

use uuid::Uuid;
use waybill_domain::country::Country;
use waybill_domain::json::parse;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::point::{Bounds, Point};
use waybill_store::service_points::{self, Filter, Set};
use waybill_store::{Error, Tx};

use crate::fixtures::{NOW, id};

fn point(number: u128, postal_code: &str) -> (Uuid, Point) {
    let json = format!(
        r#"{{"carrier":"dao","code":"P{number}","name":"Shop","type":"locker","address":
        {{"address_lines":["Gade 1"],"postal_code":"{postal_code}","city":"Århus","country":"DK"}},
        "coordinates":{{"latitude":55.{number},"longitude":12.5}}}}"#
    );
    (id(number), Point::parse(&parse(json.as_bytes()).unwrap()).unwrap())
}

fn denmark() -> Set {
    Set { carrier: "dao".to_owned(), country: Country::parse("DK").unwrap() }
}

fn put(tx: &mut Tx<'_>, numbers: impl Iterator<Item = u128>, import: i64) -> Result<(), Error> {
    let points: Vec<_> = numbers.map(|number| point(number, "8000")).collect();
    service_points::put(tx, &points, import)
}

both! {
    async fn a_set_has_a_version_from_its_first_finished_import_on(store) {
        let versions = store.write(|tx| {
            put(tx, 1..=3, 1)?;
            let before = service_points::version(tx, &denmark())?;
            let count = service_points::finish(tx, &denmark(), 7, NOW)?;
            let first = service_points::version(tx, &denmark())?;
            service_points::finish(tx, &denmark(), 8, NOW)?;
            let second = service_points::version(tx, &denmark())?;
            let digest = service_points::digest(tx, &denmark())?;
            Ok::<_, Error>((before, count, first, second, digest))
        });
        assert_eq!(versions.await.unwrap(), (None, 3, Some(1), Some(2), Some((3, 8))));
    }

    async fn many_points_are_put_and_found_by_their_ids_in_any_order(store) {
        let found = store.write(|tx| {
            put(tx, 1..=40, 1)?;
            let ids: Vec<Uuid> = (1..=50).rev().map(id).collect();
            let found = service_points::find_all(tx, &ids)?;
            Ok::<_, Error>(found.into_iter().map(|row| row.id).collect::<Vec<_>>())
        });
        assert_eq!(found.await.unwrap(), (1..=40).rev().map(id).collect::<Vec<_>>());
    }

    async fn a_point_that_is_put_again_keeps_its_id_and_changes(store) {
        let found = store.write(|tx| {
            put(tx, 1..=20, 1)?;
            let again: Vec<_> = (1..=20).map(|n| (id(100 + n), point(n, "9000").1)).collect();
            service_points::put(tx, &again, 2)?;
            Ok::<_, Error>(service_points::find(tx, &denmark(), "P7")?.unwrap())
        });
        let found = found.await.unwrap();
        assert_eq!(found.id, id(7));
        assert!(found.address.contains("9000"));
    }

    async fn what_an_earlier_import_says_does_not_undo_a_later_one(store) {
        let found = store.write(|tx| {
            service_points::put(tx, &[point(1, "9000")], 2)?;
            service_points::put(tx, &[point(1, "8000")], 1)?;
            Ok::<_, Error>(service_points::find(tx, &denmark(), "P1")?.unwrap())
        });
        assert!(found.await.unwrap().address.contains("9000"));
    }

    async fn points_that_an_import_did_not_have_are_let_go_a_few_at_a_time(store) {
        let left = store.write(|tx| {
            put(tx, 1..=5, 1)?;
            put(tx, 2..=3, 2)?;
            let retired = [
                service_points::retire(tx, &denmark(), 2, 2)?,
                service_points::retire(tx, &denmark(), 2, 2)?,
            ];
            let gone = service_points::find(tx, &denmark(), "P1")?;
            let left = service_points::positions(tx, &denmark(), Uuid::nil(), 10)?;
            Ok::<_, Error>((retired, gone, left.len()))
        });
        assert_eq!(left.await.unwrap(), ([2, 1], None, 2));
    }

    async fn a_list_is_narrowed_by_place_and_area_and_read_both_ways(store) {
        let lists = store.write(|tx| {
            let points = [point(1, "8000"), point(2, "8000"), point(3, "9000"), point(4, "8000")];
            service_points::put(tx, &points, 1)?;
            let mut list = |filter: &Filter, cursor| {
                let rows = service_points::list(tx, &denmark(), filter, cursor, 1)?;
                Ok::<_, Error>(rows.into_iter().map(|row| row.code).collect::<Vec<_>>())
            };
            let all = Filter::default();
            let postal = Filter { postal_key: Some("8000".to_owned()), ..Filter::default() };
            let city = Filter { city_key: Some("århus".to_owned()), ..postal.clone() };
            let area = Filter { bounds: Bounds::parse("55.3,12,56,13"), ..Filter::default() };
            let at = |direction, number| {
                Some(Cursor { direction, at: 0, id: id(number), sync_until: None })
            };
            Ok::<_, Error>([
                list(&all, None)?,
                list(&postal, at(Direction::Next, 2))?,
                list(&city, at(Direction::Previous, 4))?,
                list(&area, None)?,
                list(&Filter { postal_key: None, ..city }, at(Direction::Next, 2))?,
            ])
        });
        let [all, postal, city, area, by_city] = lists.await.unwrap();
        assert_eq!(all, ["P1", "P2"]);
        assert_eq!(postal, ["P4"]);
        assert_eq!(city, ["P2", "P1"]);
        assert_eq!(area, ["P3", "P4"]);
        assert_eq!(by_city, ["P3", "P4"]);
    }

    async fn points_of_a_postal_code_come_in_the_order_of_their_codes(store) {
        let found = store.write(|tx| {
            let points = [point(9, "8000"), point(10, "80 00"), point(2, "9000"), point(1, "8000")];
            service_points::put(tx, &points, 1)?;
            service_points::put(tx, &[point(9, "8000"), point(10, "8000"), point(2, "9000")], 2)?;
            service_points::retire(tx, &denmark(), 2, 9)?;
            let rows = service_points::list_in_postal_code(tx, &denmark(), "8000")?;
            let before = service_points::countries(tx, "dao")?;
            service_points::finish(tx, &denmark(), 7, NOW)?;
            let countries = service_points::countries(tx, "dao")?;
            let others = service_points::countries(tx, "gls")?;
            let codes: Vec<String> = rows.into_iter().map(|row| row.code).collect();
            Ok::<_, Error>((codes, before, countries, others))
        });
        let (codes, before, countries, others) = found.await.unwrap();
        assert_eq!(codes, ["P10", "P9"]);
        assert_eq!((before, countries, others), (vec![], vec![denmark().country], vec![]));
    }
}
