//! Tokens are found by their hash, with all that checks a request.

use waybill_domain::ids::TokenId;
use waybill_domain::time::Time;
use waybill_store::members::Role;
use waybill_store::tokens::{Bearer, Membership};
use waybill_store::{Error, tokens};

use crate::fixtures::{NOW, id, seconds, seed, team, team_id, token, user, user_id};

both! {
    async fn a_token_is_found_with_its_user_and_teams(store) {
        seed(&store).await;
        let mut full = token(1, 1);
        full.expires_at = Some(Time(NOW.0 + 1));
        full.revoked_at = Some(Time(NOW.0 + 2));
        full.last_used_at = Some(Time(NOW.0 + 3));
        let inserted = full.clone();
        store.write(move |tx| tokens::insert(tx, &inserted, &[1; 32])).await.unwrap();
        let found = store.read(|tx| tokens::any_find_by_hash(tx, &[1; 32])).await.unwrap();
        let (language, domain) = (team(1).language, team(1).domain);
        let membership = Membership { team: team_id(1), role: Role::Admin, language, domain };
        let memberships = vec![membership];
        assert_eq!(found, Some(Bearer { token: full, user: user(1), memberships }));
    }

    async fn a_user_of_no_team_has_a_token_all_the_same(store) {
        seed(&store).await;
        let found = store.write(|tx| {
            tokens::insert(tx, &token(1, 2), &[1; 32])?;
            tokens::any_find_by_hash(tx, &[1; 32])
        });
        assert_eq!(found.await.unwrap().unwrap().memberships, []);
    }

    async fn an_unknown_hash_finds_nothing(store) {
        seed(&store).await;
        store.write(|tx| tokens::insert(tx, &token(1, 1), &[1; 32])).await.unwrap();
        let found = store.read(|tx| tokens::any_find_by_hash(tx, &[2; 32])).await.unwrap();
        assert_eq!(found, None);
    }

    async fn a_hash_belongs_to_one_token(store) {
        seed(&store).await;
        store.write(|tx| tokens::insert(tx, &token(1, 1), &[1; 32])).await.unwrap();
        let second = store.write(|tx| tokens::insert(tx, &token(2, 2), &[1; 32])).await;
        assert_eq!(second, Err(Error::Conflict("token_hash".to_owned())));
    }

    async fn a_users_tokens_are_listed_oldest_first(store) {
        seed(&store).await;
        let listed = store.write(|tx| {
            tokens::insert(tx, &token(2, 1), &[2; 32])?;
            tokens::insert(tx, &token(1, 1), &[1; 32])?;
            tokens::insert(tx, &token(3, 2), &[3; 32])?;
            tokens::any_list_of_user(tx, user_id(1))
        });
        assert_eq!(listed.await.unwrap(), [token(1, 1), token(2, 1)]);
    }

    async fn a_token_is_revoked_once(store) {
        seed(&store).await;
        let seen = store.write(|tx| {
            tokens::insert(tx, &token(1, 1), &[1; 32])?;
            let first = tokens::any_revoke(tx, TokenId(id(1)), NOW)?;
            let second = tokens::any_revoke(tx, TokenId(id(1)), Time(NOW.0 + 1))?;
            let unknown = tokens::any_revoke(tx, TokenId(id(9)), NOW)?;
            let revoked_at = tokens::any_list_of_user(tx, user_id(1))?[0].revoked_at;
            Ok::<_, Error>((first, second, unknown, revoked_at))
        });
        assert_eq!(seen.await.unwrap(), (true, false, false, Some(NOW)));
    }

    async fn the_last_use_is_noted_every_ten_minutes(store) {
        seed(&store).await;
        let soon = NOW.plus(seconds(599));
        let later = NOW.plus(seconds(600));
        let seen = store.write(move |tx| {
            tokens::insert(tx, &token(1, 1), &[1; 32])?;
            let mut touch = |now| tokens::any_touch(tx, TokenId(id(1)), now);
            let noted = (touch(NOW)?, touch(soon)?, touch(later)?);
            Ok::<_, Error>((noted, tokens::any_list_of_user(tx, user_id(1))?[0].last_used_at))
        });
        assert_eq!(seen.await.unwrap(), ((true, false, true), Some(later)));
    }
}
