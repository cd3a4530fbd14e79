//! Where the bytes of files are, and values sealed anew, on both databases.

use uuid::Uuid;
use waybill_domain::ids::DocumentId;
use waybill_store::documents::{self, Content, Document};
use waybill_store::sealed::{self, Sealed, SealedKind};
use waybill_store::{Error, Store, Tx, carrier_accounts, meta, webhooks};

use crate::booking::{document, pdf, shipments_of};
use crate::fixtures::{id, team_id};
use crate::webhooks::webhook;

fn at(place: &str) -> Content {
    Content::At(place.to_owned())
}

/// A file with these bytes, whose content is given.
async fn insert(store: &Store, number: u128, hash: u8, content: Content) {
    let file = Document { hash: vec![hash; 32], ..document(number) };
    let write = move |tx: &mut Tx<'_>| documents::insert(tx, team_id(1), &file, &content);
    store.write(write).await.unwrap();
}

async fn content(store: &Store, number: u128) -> Content {
    let read = move |tx: &mut Tx<'_>| {
        let file = documents::any_find(tx, DocumentId(id(number)))?.unwrap();
        documents::any_find_content(tx, &file.hash)
    };
    store.read(read).await.unwrap().unwrap()
}

both! {
    async fn a_row_says_where_its_bytes_are_and_the_first_place_stays(store) {
        shipments_of(&store, 1..=4).await;
        insert(&store, 1, 1, at("file:/a")).await;
        insert(&store, 2, 2, pdf()).await;
        insert(&store, 3, 1, pdf()).await;
        insert(&store, 4, 2, at("s3://b/c")).await;
        assert_eq!(content(&store, 1).await, at("file:/a"));
        assert_eq!(content(&store, 2).await, pdf());
        assert_eq!(content(&store, 3).await, at("file:/a"));
        assert_eq!(content(&store, 4).await, pdf());
        let found = store.read(|tx| documents::any_find_content(tx, &[1; 32])).await.unwrap();
        assert_eq!(found, Some(at("file:/a")));
        let all = store.read(|tx| documents::any_list_content(tx, &[], 10)).await.unwrap();
        assert_eq!(all, [vec![1; 32], vec![2; 32]]);
        let rest = store.read(|tx| documents::any_list_content(tx, &[1; 32], 10)).await.unwrap();
        assert_eq!(rest, [vec![2; 32]]);
    }

    async fn a_place_is_asked_for_many_hashes_at_once(store) {
        shipments_of(&store, 1..=20).await;
        for number in 1..=20u8 {
            let place = if number % 2 == 0 { "file:/even" } else { "file:/odd" };
            insert(&store, number.into(), number, at(place)).await;
        }
        let asked: Vec<Vec<u8>> = (0..40u8).map(|number| vec![number; 32]).collect();
        let read = move |tx: &mut Tx<'_>| documents::any_list_named(tx, "file:/even", &asked);
        let mut named = store.read(read).await.unwrap();
        named.sort();
        let even: Vec<Vec<u8>> = (1..=10u8).map(|number| vec![2 * number; 32]).collect();
        assert_eq!(named, even);
        let none = store.read(|tx| documents::any_list_named(tx, "file:/even", &[])).await;
        assert!(none.unwrap().is_empty());
    }

    async fn a_sealed_value_is_replaced_only_while_it_is_what_was_read(store) {
        shipments_of(&store, 1..=1).await;
        let hooks = |tx: &mut Tx<'_>| {
            webhooks::insert(tx, team_id(1), &webhook(1, None))?;
            webhooks::insert(tx, team_id(1), &webhook(2, None))?;
            let now = webhook(2, None).created_at;
            webhooks::delete(tx, team_id(1), webhook(2, None).id, now)
        };
        assert!(store.write(hooks).await.unwrap());
        for kind in SealedKind::ALL {
            let first = (Uuid::nil(), Uuid::nil());
            let all = store.read(move |tx| sealed::any_list(tx, kind, first, 10)).await.unwrap();
            let [old] = &all[..] else { panic!("{all:?}") };
            let (read, stale) = (old.clone(), Sealed { value: vec![0], ..old.clone() });
            let twice = store.write(move |tx| {
                let replaced = sealed::any_replace(tx, kind, &read, &[8, 8])?;
                Ok::<_, Error>((replaced, sealed::any_replace(tx, kind, &stale, &[9])?))
            });
            assert_eq!(twice.await.unwrap(), (true, false));
            let after = (old.team, old.id);
            let none = store.read(move |tx| sealed::any_list(tx, kind, after, 10)).await.unwrap();
            assert_eq!(none, []);
        }
        let accounts = store.read(|tx| carrier_accounts::list(tx, team_id(1))).await.unwrap();
        assert_eq!(accounts[0].credentials, [8, 8]);
        assert_eq!(accounts[0].updated_at, accounts[0].created_at);
    }

    async fn a_fact_can_be_written_anew(store) {
        let write = |tx: &mut Tx<'_>| {
            assert!(meta::insert_if_absent(tx, "secret-key", "one")?);
            assert!(!meta::insert_if_absent(tx, "secret-key", "two")?);
            meta::set(tx, "secret-key", "three")?;
            meta::find(tx, "secret-key")
        };
        assert_eq!(store.write(write).await.unwrap().as_deref(), Some("three"));
    }
}
