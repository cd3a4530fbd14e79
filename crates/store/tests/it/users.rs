//! Users are found by id and by address.

use waybill_store::user_deletion::{self, UserDeletion};
use waybill_store::{Error, passwords, tokens, users};

use crate::fixtures::{NOW, act, id, seed, token, user, user_id};

both! {
    async fn a_user_is_found_by_id_and_by_address(store) {
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        let found = store.read(|tx| {
            Ok::<_, Error>((
                users::any_find(tx, user_id(1))?,
                users::any_find_by_email(tx, "user1@example.com")?,
                users::any_find(tx, user_id(2))?,
                users::any_find_by_email(tx, "other@example.com")?,
            ))
        });
        assert_eq!(found.await.unwrap(), (Some(user(1)), Some(user(1)), None, None));
    }

    async fn a_deleted_user_is_found_by_nothing_that_lets_somebody_in(store) {
        seed(&store).await;
        let found = store.write(|tx| {
            assert_eq!(user_deletion::any_delete(tx, user_id(2), &act(1))?, UserDeletion::Done);
            // One that was being made meanwhile.
            tokens::insert(tx, &token(1, 2), &[1; 32])?;
            let row = "SELECT email FROM app_user WHERE deleted_at IS NOT NULL";
            let email: String = tx.one(row, &[])?.unwrap();
            let known = format!("{}@deleted.invalid", user_id(2));
            assert_ne!(email, known, "anybody could have taken it");
            let found = (
                users::any_find_by_email(tx, &email)?,
                passwords::any_find(tx, &email)?,
                tokens::any_find_by_hash(tx, &[1; 32])?,
                users::any_set_operator(tx, user_id(2), true)?,
                passwords::any_set(tx, user_id(2), "hash", NOW)?,
            );
            tx.exec("DELETE FROM token", &[])?;
            Ok::<_, Error>(found)
        });
        assert_eq!(found.await.unwrap(), (None, None, None, false, false));
    }

    async fn users_are_listed_oldest_first(store) {
        for number in [3, 1, 2] {
            store.write(move |tx| users::insert(tx, &user(number))).await.unwrap();
        }
        let listed = store.read(users::any_list).await.unwrap();
        assert_eq!(listed, [user(1), user(2), user(3)]);
    }

    async fn an_address_belongs_to_one_user(store) {
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        let mut twin = user(1);
        twin.id.0 = id(2);
        let second = store.write(move |tx| users::insert(tx, &twin)).await;
        assert_eq!(second, Err(Error::Conflict("app_user_email".to_owned())));
    }
}
