//! Families of tokens: what the database itself refuses, and what the checks find.

use std::time::Duration;

use waybill_domain::ids::{GrantId, OAuthClientId, TokenId};
use waybill_store::oauth::access::{self, AccessToken};
use waybill_store::oauth::clients::{self, Client};
use waybill_store::oauth::grants::{self, Grant};
use waybill_store::oauth::refresh::{self, RefreshToken};
use waybill_store::team_deletion::{self, TeamDeletion};
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Store, Tx};

use crate::checks::{rules, vandalise};
use crate::fixtures::{NOW, act, block_on, id, seed, team_id, user_id};

const LIFE: Duration = Duration::from_hours(1);

fn client() -> Client {
    Client {
        id: OAuthClientId(id(1)),
        client_id: "wbc_1".to_owned(),
        name: "App".to_owned(),
        is_public: false,
        secret_hash: Some([9; 32]),
        team: None,
        role: None,
        scopes: "*".to_owned(),
        redirect_uris: vec!["https://a.example/cb".to_owned(), "http://127.0.0.1/".to_owned()],
        created_at: NOW,
        last_used_at: None,
    }
}

fn family() -> Grant {
    Grant {
        id: GrantId(id(1)),
        client: OAuthClientId(id(1)),
        team: team_id(1),
        user: user_id(1),
        scopes: "teams:read".to_owned(),
        created_at: NOW,
        expires_at: NOW.plus(LIFE),
        last_used_at: None,
        ended_at: None,
    }
}

fn refresh_token() -> RefreshToken {
    RefreshToken {
        grant: GrantId(id(1)),
        created_at: NOW,
        expires_at: NOW.plus(LIFE),
        used_at: None,
    }
}

fn insert(tx: &mut Tx<'_>) -> Result<(), Error> {
    clients::insert(tx, &client())?;
    grants::insert(tx, &family())?;
    refresh::insert(tx, &refresh_token(), &[1; 32])?;
    let token = AccessToken {
        id: TokenId(id(1)),
        client: OAuthClientId(id(1)),
        team: team_id(1),
        grant: Some(GrantId(id(1))),
        scopes: "teams:read".to_owned(),
        created_at: NOW,
        expires_at: NOW.plus(LIFE),
        revoked_at: None,
    };
    access::insert(tx, &token, &[2; 32])
}

async fn seeded(store: &Store) {
    seed(store).await;
    store.write(insert).await.unwrap();
}

both! {
    async fn no_client_is_made_for_a_deleted_team(store) {
        seed(&store).await;
        let made = store.write(|tx| {
            let deleted = team_deletion::delete(tx, team_id(2), &act(1))?;
            assert_eq!(deleted, TeamDeletion::Done(Vec::new()));
            clients::insert(tx, &Client { team: Some(team_id(2)), ..client() })
        });
        assert_eq!(made.await, Err(Error::TeamDeleted));
    }

    async fn a_client_is_read_as_it_was_written(store) {
        seeded(&store).await;
        let found = store.read(|tx| clients::any_find(tx, "wbc_1")).await.unwrap();
        assert_eq!(found, Some(client()));
        let gone = store.write(|tx| {
            clients::any_delete(tx, OAuthClientId(id(1)), &act(1))?;
            Ok::<_, Error>((clients::any_find(tx, "wbc_1")?, clients::any_list(tx)?))
        });
        assert_eq!(gone.await.unwrap(), (None, vec![]));
    }

    async fn a_family_has_one_refresh_token_that_is_good(store) {
        seeded(&store).await;
        let second = store.write(|tx| refresh::insert(tx, &refresh_token(), &[3; 32])).await;
        assert_eq!(second, Err(Error::Conflict("one_live_refresh_token".to_owned())));
        let next = store.write(|tx| {
            let is_first = refresh::any_use(tx, &[1; 32], NOW)?;
            let is_again = refresh::any_use(tx, &[1; 32], NOW)?;
            refresh::insert(tx, &refresh_token(), &[3; 32])?;
            Ok::<_, Error>((is_first, is_again))
        });
        assert_eq!(next.await.unwrap(), (true, false));
    }

    async fn a_family_ends_once_with_all_of_its_tokens(store) {
        seeded(&store).await;
        let ended = store.write(|tx| {
            let is_first = grants::any_end(tx, GrantId(id(1)), &act(1))?;
            let is_again = grants::any_end(tx, GrantId(id(1)), &act(2))?;
            let access = access::any_find_by_hash(tx, &[2; 32])?;
            let refresh = refresh::any_find(tx, &[1; 32])?;
            Ok::<_, Error>((is_first, is_again, access, refresh))
        });
        let (is_first, is_again, access, refresh) = ended.await.unwrap();
        assert_eq!((is_first, is_again), (true, false));
        assert_eq!(access.unwrap().token.revoked_at, Some(NOW));
        assert_eq!(refresh.unwrap().used_at, Some(NOW));
    }
}

#[test]
fn what_breaks_the_rules_of_apps_is_found() {
    for database in [Database::Sqlite, Database::Postgres] {
        let scratch = fresh(database);
        block_on(seeded(&scratch.store));
        assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
        let second = "DROP INDEX one_live_refresh_token;
            INSERT INTO oauth_refresh_token (hash, grant_id, created_at, expires_at)
            SELECT oauth_access_token.hash, grant_id, created_at, expires_at
              FROM oauth_access_token";
        vandalise(&scratch, second);
        assert_eq!(rules(&scratch, NOW), ["a family of tokens has one refresh token that is good"]);
        vandalise(&scratch, "UPDATE oauth_refresh_token SET used_at = 1");
        assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
        vandalise(&scratch, "UPDATE oauth_client SET deleted_at = 1");
        assert_eq!(
            rules(&scratch, NOW),
            [
                "no family of a client that was deleted is good",
                "no token of a client that was deleted is good",
            ]
        );
        let ended = "UPDATE oauth_client SET deleted_at = NULL;
            UPDATE oauth_grant SET ended_at = 1; UPDATE oauth_refresh_token SET used_at = NULL";
        vandalise(&scratch, ended);
        assert_eq!(
            rules(&scratch, NOW),
            [
                "a family of tokens has one refresh token that is good",
                "no access token of a family that was ended is good",
                "no refresh token of a family that was ended is good",
                "no refresh token of a family that was ended is good",
            ]
        );
        let left = "DELETE FROM oauth_refresh_token; UPDATE oauth_grant SET ended_at = NULL;
            DELETE FROM member";
        vandalise(&scratch, left);
        assert_eq!(rules(&scratch, NOW), ["a family of tokens is of a user in its team"]);
    }
}
