//! Teams, their settings, their members, and the installation's own facts.

use waybill_domain::time::Time;
use waybill_store::members::Role;
use waybill_store::{Error, members, meta, teams};

use crate::fixtures::{NOW, act, id, is_broken, seed, team, team_id, user_id};

both! {
    async fn a_team_is_found_by_id_and_by_domain(store) {
        seed(&store).await;
        let found = store.read(|tx| {
            Ok::<_, Error>((
                teams::find(tx, team_id(1))?,
                teams::any_find_by_domain(tx, "team2")?,
                teams::find(tx, team_id(9))?,
                teams::any_find_by_domain(tx, "team9")?,
                teams::any_list(tx)?,
            ))
        });
        let found = found.await.unwrap();
        assert_eq!(found, (Some(team(1)), Some(team(2)), None, None, vec![team(1), team(2)]));
    }

    async fn a_domain_belongs_to_one_team(store) {
        seed(&store).await;
        let mut twin = team(1);
        twin.id.0 = id(9);
        let second = store.write(move |tx| teams::insert(tx, &twin, "{}")).await;
        assert_eq!(second, Err(Error::Conflict("team_domain".to_owned())));
    }

    async fn settings_change_only_from_the_version_that_was_seen(store) {
        seed(&store).await;
        let later = Time(NOW.0 + 1);
        let set = |version, text: &'static str| {
            store.write(move |tx| {
                let done = teams::set_settings(tx, team_id(1), version, text, "sv", later)?;
                Ok::<_, Error>((done, teams::find_settings(tx, team_id(1))?.unwrap()))
            })
        };
        assert_eq!(set(1, r#"{"a":1}"#).await.unwrap(), (true, (r#"{"a":1}"#.to_owned(), 2)));
        assert_eq!(set(1, r#"{"b":2}"#).await.unwrap(), (false, (r#"{"a":1}"#.to_owned(), 2)));
    }

    async fn settings_bring_the_teams_language_and_time_along(store) {
        seed(&store).await;
        let later = Time(NOW.0 + 1);
        let found = store.write(move |tx| {
            teams::set_settings(tx, team_id(1), 1, "{}", "sv", later)?;
            Ok::<_, Error>((teams::find(tx, team_id(1))?, teams::find(tx, team_id(2))?))
        });
        let mut changed = team(1);
        changed.language = "sv".to_owned();
        changed.updated_at = later;
        assert_eq!(found.await.unwrap(), (Some(changed), Some(team(2))));
    }

    async fn a_team_that_is_not_there_has_no_settings(store) {
        let found = store.read(|tx| teams::find_settings(tx, team_id(1))).await.unwrap();
        assert_eq!(found, None);
    }

    async fn a_user_has_a_role_in_each_of_its_teams(store) {
        seed(&store).await;
        let listed = store.write(|tx| {
            members::insert(tx, team_id(2), user_id(1), Role::Member, NOW)?;
            teams::list_of_user(tx, user_id(1))
        });
        let expected = [(team(1), Role::Admin), (team(2), Role::Member)];
        assert_eq!(listed.await.unwrap(), expected);
        assert_eq!(store.read(|tx| teams::list_of_user(tx, user_id(2))).await.unwrap(), []);
    }

    async fn a_member_may_get_another_role_and_leave(store) {
        seed(&store).await;
        let seen = store.write(|tx| {
            let first = members::role_of(tx, team_id(1), user_id(1))?;
            members::insert(tx, team_id(1), user_id(1), Role::Member, NOW)?;
            let second = members::role_of(tx, team_id(1), user_id(1))?;
            let gone = members::remove(tx, team_id(1), user_id(1), &act(1))?;
            let again = members::remove(tx, team_id(1), user_id(1), &act(1))?;
            let third = members::role_of(tx, team_id(1), user_id(1))?;
            Ok::<_, Error>((first, second, gone, again, third))
        });
        let expected = (Some(Role::Admin), Some(Role::Member), true, false, None);
        assert_eq!(seen.await.unwrap(), expected);
    }

    async fn a_member_of_no_team_is_refused(store) {
        seed(&store).await;
        let stray = |team, user| {
            store.write(move |tx| {
                members::insert(tx, team_id(team), user_id(user), Role::Member, NOW)
            })
        };
        assert!(is_broken(&stray(9, 1).await));
        assert!(is_broken(&stray(1, 9).await));
    }

    async fn a_fact_is_written_once(store) {
        let seen = store.write(|tx| {
            let absent = meta::find(tx, "secret")?;
            let first = meta::insert_if_absent(tx, "secret", "one")?;
            let second = meta::insert_if_absent(tx, "secret", "two")?;
            Ok::<_, Error>((absent, first, second, meta::find(tx, "secret")?))
        });
        assert_eq!(seen.await.unwrap(), (None, true, false, Some("one".to_owned())));
    }
}
