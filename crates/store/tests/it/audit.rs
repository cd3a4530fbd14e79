//! The audit log in the store: one line for each act, in the log of each team that it is about.

use std::sync::Arc;

use waybill_domain::audit::{Act, Action, Actor, Changes, Subject};
use waybill_domain::ids::InvitationId;
use waybill_domain::time::Time;
use waybill_store::audit::{self, Filters, Line};
use waybill_store::invitations::{self, Invitation};
use waybill_store::members::{self, MemberChange, Role};
use waybill_store::{Error, Store, tokens};

use crate::fixtures::{NOW, act, id, seconds, seed, team_id, token, user, user_id};

async fn lines(store: &Store, team: u128) -> Vec<Line> {
    let all = Filters::default();
    let read = store.read(move |tx| audit::list(tx, team_id(team), all, None, 100));
    read.await.unwrap()
}

async fn actions(store: &Store, team: u128) -> Vec<String> {
    lines(store, team).await.into_iter().map(|line| line.action).collect()
}

both! {
    async fn a_line_is_read_as_it_was_written(store) {
        seed(&store).await;
        let written = Act {
            actor: Arc::new(Actor::token(id(7), ("Ada", "till"))),
            request_id: Some("r-1".to_owned()),
            address: Some("192.0.2.1".to_owned()),
            ..act(1)
        };
        let subject = Subject::named("webhook", id(8), "https://x.example");
        let changes = Changes::none().and("is_active", true.into(), false.into());
        let write = store.write(move |tx| {
            let done = (Action::WebhookUpdated, &subject);
            audit::insert(tx, team_id(1), &written, done, &changes)
        });
        write.await.unwrap();
        let expected = Line {
            id: id(1),
            at: NOW,
            actor: ("token".to_owned(), Some(id(7)), "Ada / till".to_owned()),
            action: "webhook.updated".to_owned(),
            subject: ("webhook".to_owned(), id(8), Some("https://x.example".to_owned())),
            changes: r#"[{"path":"is_active","from":true,"to":false}]"#.to_owned(),
            request_id: Some("r-1".to_owned()),
            address: Some("192.0.2.1".to_owned()),
        };
        assert_eq!(lines(&store, 1).await, [expected]);
        assert_eq!(lines(&store, 2).await, []);
    }

    async fn what_concerns_a_user_in_all_teams_is_in_the_log_of_each(store) {
        seed(&store).await;
        let made = store.write(|tx| {
            members::insert(tx, team_id(2), user_id(1), Role::Member, NOW)?;
            tokens::any_make(tx, &token(1, 1), &[1; 32], &act(1))?;
            // Nobody's team, nobody's log.
            tokens::any_make(tx, &token(2, 2), &[2; 32], &act(2))?;
            let bound = tokens::Token { team: Some(team_id(2)), ..token(3, 1) };
            tokens::any_make(tx, &bound, &[3; 32], &act(3))
        });
        made.await.unwrap();
        assert_eq!(actions(&store, 1).await, ["token.created"]);
        assert_eq!(actions(&store, 2).await, ["token.created", "token.created"]);
    }

    async fn a_change_that_is_undone_leaves_no_line(store) {
        seed(&store).await;
        let undone = store.write(|tx| {
            members::add(tx, team_id(1), user_id(2), Role::Member, &act(1))?;
            Err::<(), _>(Error::Broken("no".to_owned()))
        });
        assert!(undone.await.is_err());
        assert_eq!(lines(&store, 1).await, []);
    }

    async fn the_last_administrator_stays_and_nothing_is_written(store) {
        seed(&store).await;
        let kept = store.write(|tx| {
            Ok::<_, Error>((
                members::change_role(tx, team_id(1), user_id(1), Role::Member, &act(1))?,
                members::take_out(tx, team_id(1), user_id(1), &act(2))?,
                members::take_out(tx, team_id(1), user_id(2), &act(3))?,
                members::change_role(tx, team_id(1), user_id(1), Role::Admin, &act(4))?,
            ))
        });
        let (last, nobody) = (MemberChange::LastAdmin, MemberChange::NotAMember);
        assert_eq!(kept.await.unwrap(), (last, last, nobody, MemberChange::Unchanged));
        assert_eq!(lines(&store, 1).await, []);
    }

    async fn who_leaves_loses_the_tokens_of_the_team_and_no_others(store) {
        seed(&store).await;
        let left = store.write(|tx| {
            members::add(tx, team_id(1), user_id(2), Role::Member, &act(1))?;
            tokens::insert(tx, &token(1, 2), &[1; 32])?;
            let bound = tokens::Token { team: Some(team_id(1)), ..token(2, 2) };
            tokens::insert(tx, &bound, &[2; 32])?;
            members::take_out(tx, team_id(1), user_id(2), &act(2))?;
            let found = |tx: &mut _, hash: [u8; 32]| tokens::any_find_by_hash(tx, &hash);
            Ok::<_, Error>((found(tx, [1; 32])?, found(tx, [2; 32])?))
        });
        let (everywhere, bound) = left.await.unwrap();
        assert_eq!(everywhere.unwrap().token.revoked_at, None);
        assert_eq!(bound.unwrap().token.revoked_at, Some(NOW));
        let told = ["token.revoked", "member.removed", "member.added"];
        assert_eq!(actions(&store, 1).await, told);
    }

    async fn a_link_is_used_once_by_whom_it_is_for_and_in_its_time(store) {
        seed(&store).await;
        let invitation = Invitation {
            id: InvitationId(id(5)),
            email: user(2).email,
            role: Role::Member,
            created_at: NOW,
            expires_at: NOW.plus(seconds(60)),
            accepted_at: None,
            revoked_at: None,
        };
        let used = store.write(move |tx| {
            invitations::insert(tx, team_id(1), &invitation, (&[9; 32], user_id(1)))?;
            let late = Act { at: Time(NOW.0 + 60_000_000), ..act(1) };
            let accept = |tx: &mut _, hash: [u8; 32], user, act: &Act| {
                invitations::any_accept(tx, &hash, user_id(user), act)
            };
            Ok::<_, Error>([
                accept(tx, [9; 32], 2, &late)?,
                accept(tx, [8; 32], 2, &act(2))?,
                accept(tx, [9; 32], 1, &act(3))?,
                accept(tx, [9; 32], 2, &act(4))?,
                accept(tx, [9; 32], 2, &act(5))?,
            ])
        });
        assert_eq!(used.await.unwrap(), [None, None, None, Some(team_id(1)), None]);
        assert_eq!(actions(&store, 1).await, ["member.added"]);
    }

    async fn old_lines_go_a_few_at_a_time(store) {
        seed(&store).await;
        let swept = store.write(|tx| {
            for number in 1..=5u128 {
                let later = Time(NOW.0 + number as i64);
                let line = Act { at: later, ..act(number) };
                let done = (Action::BatchStarted, &Subject::unnamed("booking_batch", id(1)));
                audit::insert(tx, team_id(1), &line, done, &Changes::none())?;
            }
            let before = Time(NOW.0 + 4);
            Ok::<_, Error>((
                audit::any_delete_old(tx, before, 2)?,
                audit::any_delete_old(tx, before, 2)?,
                audit::any_delete_old(tx, before, 2)?,
            ))
        });
        assert_eq!(swept.await.unwrap(), (2, 1, 0));
        assert_eq!(lines(&store, 1).await.len(), 2);
    }
}
