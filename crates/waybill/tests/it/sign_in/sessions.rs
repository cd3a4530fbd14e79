//! For how long somebody stays signed in, and what is stored of it.

use std::time::Duration;

use waybill_domain::password::Password;
use waybill_domain::time::Clock;
use waybill_engine::passwords;
use waybill_store::{Tx, passwords as stored};
use waybill_worker::forget::{Forgotten, forget};

use crate::harness::{TestApp, both};
use crate::sign_in::visitor::{
    EMAIL, HOME, PASSWORD, Visitor, add_client, add_user, fields, form, html, request, way_back,
};

async fn is_signed_in(visitor: &mut Visitor<'_>, id: &str) -> bool {
    let page = visitor.open(&request(id)).await.expect(200);
    html(&page).contains("data-page=\"consent\"")
}

async fn count(app: &TestApp, table: &'static str) -> i64 {
    let sql: &'static str = match table {
        "browser_session" => "SELECT count(*) FROM browser_session",
        _ => "SELECT count(*) FROM failure_window",
    };
    app.app.read(move |tx: &mut Tx<'_>| tx.one(sql, &[])).await.unwrap().unwrap()
}

both! {
    async fn a_session_ends_after_an_hour_without_a_word(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        visitor.consent_page(&request(&id)).await;
        app.clock.advance(Duration::from_secs(59 * 60));
        assert!(is_signed_in(&mut visitor, &id).await);
        app.clock.advance(Duration::from_secs(59 * 60));
        assert!(is_signed_in(&mut visitor, &id).await, "it was heard of meanwhile");
        app.clock.advance(Duration::from_secs(61 * 60));
        assert!(!is_signed_in(&mut visitor, &id).await);
    }

    async fn a_session_ends_after_twelve_hours_in_any_case(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        visitor.consent_page(&request(&id)).await;
        for _ in 0..14 {
            app.clock.advance(Duration::from_secs(50 * 60));
            assert!(is_signed_in(&mut visitor, &id).await);
        }
        app.clock.advance(Duration::from_secs(21 * 60));
        assert!(!is_signed_in(&mut visitor, &id).await);
    }

    async fn signing_in_always_makes_a_new_session_and_ends_the_one_before(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&request(&id)).await.expect(200);
        let typed = fields(&[("email", EMAIL), ("password", PASSWORD)]);
        let sent = [form(&page, "password"), typed].concat();
        // A value that somebody planted in the browser is not taken over.
        visitor.cookies.insert("waybill_session".to_owned(), "ab".repeat(32));
        way_back(&visitor.post(&sent).await);
        let first = visitor.cookies["waybill_session"].clone();
        assert_ne!(first, "ab".repeat(32));
        way_back(&visitor.post(&sent).await);
        let second = visitor.cookies["waybill_session"].clone();
        assert_ne!(first, second);
        assert!(is_signed_in(&mut visitor, &id).await);
        visitor.cookies.insert("waybill_session".to_owned(), first);
        assert!(!is_signed_in(&mut visitor, &id).await, "the one before has ended");
    }

    async fn two_browsers_of_one_user_are_two_sessions(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let (mut one, mut two) = (Visitor::new(&app), Visitor::new(&app));
        one.consent_page(&request(&id)).await;
        two.consent_page(&request(&id)).await;
        assert!(is_signed_in(&mut one, &id).await && is_signed_in(&mut two, &id).await);
    }

    async fn a_new_password_ends_all_sessions_of_its_user_and_of_nobody_else(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        add_user(&app, "bo@shop.example.com", Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let (mut own, mut other) = (Visitor::new(&app), Visitor::new(&app));
        own.consent_page(&request(&id)).await;
        other.sign_in(&request(&id), "bo@shop.example.com", PASSWORD).await.expect(303);
        let hash = passwords::hash(&Password::typed("another password"), app.app.ids().as_ref());
        let (hash, now) = (hash.unwrap(), app.clock.now());
        app.app.write(move |tx| stored::any_set(tx, user, &hash, now)).await.unwrap();
        assert!(!is_signed_in(&mut own, &id).await);
        assert!(is_signed_in(&mut other, &id).await);
        own.sign_in(&request(&id), EMAIL, PASSWORD).await.expect(422);
        own.sign_in(&request(&id), EMAIL, "another password").await.expect(303);
        app.app.write(move |tx| stored::any_remove(tx, user, now)).await.unwrap();
        assert!(!is_signed_in(&mut own, &id).await);
        own.sign_in(&request(&id), EMAIL, "another password").await.expect(422);
    }

    async fn what_ended_goes_a_day_later(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        Visitor::new(&app).consent_page(&request(&id)).await;
        Visitor::new(&app).sign_in(&request(&id), "nobody@x.example", "wrong").await.expect(422);
        forget(&app.worker, Forgotten::SignIns).await;
        assert_eq!(count(&app, "browser_session").await, 1);
        for _ in 0..30 {
            app.clock.advance(Duration::from_secs(3600));
            forget(&app.worker, Forgotten::SignIns).await;
        }
        assert_eq!(count(&app, "browser_session").await, 0);
        if !app.app.store().is_shared() {
            // Elsewhere the database has the clock, and its hour is not over.
            assert_eq!(count(&app, "failure_window").await, 0);
        }
    }
}
