//! A team's rates are replaced together and keep their order.

use waybill_domain::country::Country;
use waybill_domain::page::{Cursor, Direction};
use waybill_store::tariffs::{self, Row};
use waybill_store::{Error, Tx};

use crate::fixtures::{act, seed, team_id};

fn row(name: &str, country: Option<&str>) -> Row {
    Row {
        service_code: "a:b".to_owned(),
        country: country.map(str::to_owned),
        body: name.to_owned(),
    }
}

fn replace(tx: &mut Tx<'_>) -> Result<(), Error> {
    let rows = [row("dk", Some("DK")), row("se", Some("SE")), row("rest", None)];
    tariffs::replace(tx, team_id(1), &[row("old", None)], &act(901))?;
    tariffs::replace(tx, team_id(1), &rows, &act(902))?;
    tariffs::replace(tx, team_id(2), &[row("theirs", None)], &act(903))
}

both! {
    async fn rates_that_several_replace_at_once_are_those_of_one(store) {
        seed(&store).await;
        let replace = |number: usize| {
            let (rows, act) = (vec![row(&number.to_string(), None); 250], act(number as u128));
            store.write(move |tx| tariffs::replace(tx, team_id(1), &rows, &act))
        };
        let at_once = tokio::join!(replace(1), replace(2), replace(3), replace(4), replace(5));
        let replaced: [Result<(), Error>; 5] = at_once.into();
        assert!(replaced.iter().all(Result::is_ok), "{replaced:?}");
        let found = store.read(|tx| tariffs::list(tx, team_id(1), None, 1000)).await.unwrap();
        assert_eq!(found.len(), 250);
        assert!(found.iter().all(|(_, body)| *body == found[0].1), "{found:?}");
    }

    async fn rates_are_listed_in_their_order_both_ways(store) {
        seed(&store).await;
        let lists = store.write(|tx| {
            replace(tx)?;
            let at = |direction, at| {
                Some(Cursor { direction, at, id: uuid::Uuid::nil(), sync_until: None })
            };
            Ok::<_, Error>((
                tariffs::list(tx, team_id(1), None, 1)?,
                tariffs::list(tx, team_id(1), at(Direction::Next, 2), 5)?,
                tariffs::list(tx, team_id(1), at(Direction::Previous, 3), 5)?,
            ))
        });
        let row = |place: i64, name: &str| (place, name.to_owned());
        let (first, rest, back) = lists.await.unwrap();
        assert_eq!(first, [row(1, "dk"), row(2, "se")]);
        assert_eq!(rest, [row(3, "rest")]);
        assert_eq!(back, [row(2, "se"), row(1, "dk")]);
    }

    async fn a_destination_gets_its_own_rates_and_those_for_everywhere(store) {
        seed(&store).await;
        let found = store.write(|tx| {
            replace(tx)?;
            let country = |code| Country::parse(code).unwrap();
            Ok::<_, Error>((
                tariffs::list_for(tx, team_id(1), [country("SE"), country("SE")])?,
                tariffs::list_for(tx, team_id(1), [country("DK"), country("SE")])?.len(),
            ))
        });
        assert_eq!(found.await.unwrap(), (vec!["se".to_owned(), "rest".to_owned()], 3));
    }
}
