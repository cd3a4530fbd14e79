//! Users are found by id and by address.

use waybill_store::{Error, users};

use crate::fixtures::{id, user, user_id};

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
