//! Templates belong to one team and are listed newest first.

use waybill_domain::ids::TemplateId;
use waybill_domain::time::Time;
use waybill_store::{Error, templates};

use crate::fixtures::{NOW, id, is_broken, seed, team_id, template};

both! {
    async fn a_template_is_found_by_its_own_team_only(store) {
        seed(&store).await;
        let found = store.write(|tx| {
            templates::insert(tx, team_id(1), &template(1))?;
            Ok::<_, Error>((
                templates::find(tx, team_id(1), TemplateId(id(1)))?,
                templates::find(tx, team_id(2), TemplateId(id(1)))?,
            ))
        });
        assert_eq!(found.await.unwrap(), (Some(template(1)), None));
    }

    async fn templates_are_listed_newest_first_in_pages(store) {
        seed(&store).await;
        let listed = store.write(|tx| {
            for number in [2, 5, 1, 4, 3] {
                templates::insert(tx, team_id(1), &template(number))?;
            }
            templates::insert(tx, team_id(2), &template(6))?;
            Ok::<_, Error>((
                templates::list(tx, team_id(1), 0, 2)?,
                templates::list(tx, team_id(1), 4, 2)?,
                templates::list(tx, team_id(1), 5, 2)?,
                templates::count(tx, team_id(1))?,
            ))
        });
        let (first, last, none, count) = listed.await.unwrap();
        assert_eq!(first, [template(5), template(4)]);
        assert_eq!(last, [template(1)]);
        assert_eq!(none, []);
        assert_eq!(count, 5);
    }

    async fn replacing_keeps_the_id_and_the_time_it_was_made(store) {
        seed(&store).await;
        let mut changed = template(1);
        changed.title = "Ændret".to_owned();
        changed.description = Some("til jul".to_owned());
        changed.shipment = "[]".to_owned();
        changed.updated_at = Time(NOW.0 + 1);
        let mut wanted = changed.clone();
        wanted.created_at = Time(0);
        let seen = store.write(move |tx| {
            templates::insert(tx, team_id(1), &template(1))?;
            let other = templates::replace(tx, team_id(2), &wanted)?;
            let own = templates::replace(tx, team_id(1), &wanted)?;
            Ok::<_, Error>((other, own, templates::find(tx, team_id(1), wanted.id)?))
        });
        assert_eq!(seen.await.unwrap(), (false, true, Some(changed)));
    }

    async fn a_template_is_deleted_once_and_by_its_own_team_only(store) {
        seed(&store).await;
        let seen = store.write(|tx| {
            templates::insert(tx, team_id(1), &template(1))?;
            let mut delete = |team| templates::delete(tx, team_id(team), TemplateId(id(1)));
            let deleted = (delete(2)?, delete(1)?, delete(1)?);
            Ok::<_, Error>((deleted, templates::count(tx, team_id(1))?))
        });
        assert_eq!(seen.await.unwrap(), ((false, true, false), 0));
    }

    async fn a_template_of_no_team_is_refused(store) {
        let stray = store.write(|tx| templates::insert(tx, team_id(9), &template(1))).await;
        assert!(is_broken(&stray));
    }
}
