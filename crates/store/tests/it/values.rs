//! A value is the same on both databases, and a statement that is not is an error.

use uuid::Uuid;
use waybill_domain::time::Time;
use waybill_store::{Error, Param, Result, Store, Tx};

use crate::fixtures::{id, is_broken, seed, team_id, template, token, user};

type Probe =
    (Option<i64>, Option<String>, Option<Vec<u8>>, Option<Uuid>, Option<bool>, Option<f64>);

async fn make_probe(store: &Store) {
    let made = store.write(|tx| {
        tx.exec(
            "CREATE TABLE probe (a BIGINT, b TEXT, c BYTEA, d UUID, e BOOLEAN, f DOUBLE PRECISION)",
            &[],
        )
    });
    made.await.unwrap();
}

fn insert(tx: &mut Tx<'_>, params: &[Param<'_>]) -> Result<u64> {
    tx.exec("INSERT INTO probe (a, b, c, d, e, f) VALUES ($1, $2, $3, $4, $5, $6)", params)
}

fn probes(tx: &mut Tx<'_>) -> Result<Vec<Probe>> {
    tx.all("SELECT a, b, c, d, e, f FROM probe", &[])
}

both! {
    async fn every_type_comes_back_as_it_went_in(store) {
        make_probe(&store).await;
        let wanted: [Probe; 3] = [
            (Some(i64::MIN), Some("Smørrebrød 漢字 'x' $1 ?2".into()), Some(vec![0, 255]),
             Some(Uuid::max()), Some(true), Some(0.1)),
            (Some(i64::MAX), Some("12".into()), Some(vec![]), Some(Uuid::nil()), Some(false),
             Some(-1e300)),
            (Some(0), Some(String::new()), Some(b"12".to_vec()), Some(id(12)), Some(true),
             Some(2.0)),
        ];
        let inserted = wanted.clone();
        let found = store.write(move |tx| {
            for (a, b, c, d, e, f) in &inserted {
                let params = [
                    (*a).into(), b.as_deref().into(), c.as_deref().into(), (*d).into(),
                    (*e).into(), (*f).into(),
                ];
                insert(tx, &params)?;
            }
            probes(tx)
        });
        assert_eq!(found.await.unwrap(), wanted);
    }

    async fn a_null_fits_every_type(store) {
        make_probe(&store).await;
        let found = store.write(|tx| {
            insert(tx, &[const { Param::Null }; 6])?;
            probes(tx)
        });
        assert_eq!(found.await.unwrap(), [(None, None, None, None, None, None)]);
    }

    async fn a_null_or_a_value_may_filter(store) {
        seed(&store).await;
        let count = |domain: Option<&'static str>| {
            store.read(move |tx| {
                tx.one::<i64>(
                    "SELECT count(*) FROM team WHERE CAST($1 AS TEXT) IS NULL OR domain = $1",
                    &[domain.into()],
                )
            })
        };
        assert_eq!(count(None).await.unwrap(), Some(2));
        assert_eq!(count(Some("team1")).await.unwrap(), Some(1));
    }

    async fn ids_sort_in_the_same_order_and_pages_follow_a_key(store) {
        seed(&store).await;
        let numbers = [1_u128, 255, 256, 1 << 64, (1 << 127) + 1, u128::MAX];
        let found = store.write(move |tx| {
            for number in numbers.iter().rev() {
                waybill_store::templates::insert(tx, team_id(1), &template(*number))?;
            }
            let mut after = (Uuid::nil(), Uuid::nil());
            let mut found = Vec::new();
            loop {
                let page: Vec<(Uuid, Uuid)> = tx.all(
                    "SELECT team, id FROM shipment_template
                      WHERE (team, id) > ($1, $2) ORDER BY team, id LIMIT 2",
                    &[after.0.into(), after.1.into()],
                )?;
                let Some(last) = page.last() else { return Ok::<_, Error>(found) };
                after = *last;
                found.extend(page.iter().map(|(_, id)| id.as_u128()));
            }
        });
        assert_eq!(found.await.unwrap(), numbers);
    }

    async fn a_column_of_another_type_is_an_error(store) {
        seed(&store).await;
        let text = store.read(|tx| tx.one::<i64>("SELECT name FROM meta WHERE name = 'x'", &[])).await;
        assert_eq!(text, Ok(None));
        let read = store.read(|tx| tx.all::<i64>("SELECT name FROM team", &[])).await;
        let Err(Error::Broken(why)) = &read else { panic!("{read:?}") };
        assert!(!why.contains("Team 1"), "an error never quotes a row: {why}");
        let null = store.read(|tx| tx.all::<String>("SELECT CAST(NULL AS TEXT)", &[])).await;
        assert!(is_broken(&null));
    }

    async fn a_row_with_too_few_columns_is_an_error(store) {
        seed(&store).await;
        let read = store.read(|tx| tx.all::<(String, String)>("SELECT name FROM team", &[])).await;
        assert!(is_broken(&read));
    }

    async fn a_second_row_where_one_was_wanted_is_an_error(store) {
        seed(&store).await;
        let read = store.read(|tx| tx.one::<String>("SELECT name FROM team", &[])).await;
        assert!(is_broken(&read));
    }

    async fn a_conflict_names_the_same_index(store) {
        use waybill_store::{teams, templates, tokens, users};
        seed(&store).await;
        let seeded = store.write(|tx| {
            templates::insert(tx, team_id(1), &template(1))?;
            tokens::insert(tx, &token(1, 1), &[1; 32])
        });
        seeded.await.unwrap();
        type Insert = fn(&mut Tx<'_>) -> Result<()>;
        let cases: [(&str, Insert); 4] = [
            ("app_user_pkey", |tx| {
                users::insert(tx, &users::User { email: "new".into(), ..user(1) })
            }),
            ("shipment_template_pkey", |tx| templates::insert(tx, team_id(1), &template(1))),
            ("token_hash", |tx| tokens::insert(tx, &token(2, 1), &[1; 32])),
            ("team_domain", |tx| {
                teams::insert(tx, &teams::Team { id: team_id(9), ..crate::fixtures::team(1) }, "{}")
            }),
        ];
        for (name, insert) in cases {
            assert_eq!(store.write(insert).await, Err(Error::Conflict(name.to_owned())));
        }
    }

    async fn the_clock_of_claims_is_the_databases_where_it_is_shared(store) {
        let now = store.read(|tx| tx.now(Time(1))).await.unwrap();
        match store.is_shared() {
            true => assert!(now.0 > 1_577_836_800_000_000, "{now}"),
            false => assert_eq!(now, Time(1)),
        }
    }
}
