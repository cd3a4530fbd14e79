//! What the best current practice for the security of OAuth 2.0 asks for (RFC 9700). A test whose
//! name begins with `section_4_5_` holds section 4.5.
//!
//! | Section | About | Where |
//! | --- | --- | --- |
//! | 2.1, 4.1, 4.11 | addresses that browsers are sent to | `redirects`, `forms` |
//! | 2.1.1, 4.5, 4.8 | codes: proofs, injection, replay, downgrade | `codes` |
//! | 2.1.2, 2.4, 2.6, 4.4, 4.13 | what is offered, who answered, proxies | `answers` |
//! | 2.2.2, 4.14 | refresh tokens | `refreshing`, two servers: `oauth::servers` |
//! | 2.3, 2.5, 4.3, 4.9, 4.10, 4.15 | what tokens and secrets open, and whose they are | `tokens` |
//! | 4.2, 4.12, 4.16, 4.17 | pages and where they lead | `pages` |
//! | 4.7 | forms that another site makes a browser send | `forms` |
//!
//! Guessing and asking around who has an account, which it leaves to RFC 6749, 10.10, are in
//! `guessing`, `sign_in::limits` and `oauth::limits`.
//!
//! What has no test here: tokens are not bound to a key of their sender (2.2.1 and 4.10.1 advise
//! it); an access token can be put into nobody else's browser (4.6), because no answer to a browser
//! has one, which 2.1.2 holds.

mod answers;
mod codes;
mod forms;
mod guessing;
mod pages;
mod redirects;
mod refreshing;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use crate::harness::{Reply, TestApp};
use crate::oauth::{CALLBACK, TestClient};
use crate::sign_in::visitor::{
    EMAIL, Fields, PASSWORD, Visitor, add_user, fields, form, html, request, way_back, with,
};
use crate::tidy::sources;

/// Every section that asks something of us.
const SECTIONS: [&str; 24] = [
    "2_1", "2_1_1", "2_1_2", "2_2_2", "2_3", "2_4", "2_5", "2_6", "4_1", "4_2", "4_3", "4_4",
    "4_5", "4_7", "4_8", "4_9", "4_10", "4_11", "4_12", "4_13", "4_14", "4_15", "4_16", "4_17",
];

/// What an app asks for when nothing is wrong with it.
fn asked(client: &TestClient) -> Fields {
    let asked = with(&request(&client.client_id), "redirect_uri", Some(CALLBACK));
    with(&asked, "scope", Some("teams:read shipments:read"))
}

/// Ada with her password, in the team.
async fn add_ada(app: &TestApp) {
    add_user(app, EMAIL, Some(PASSWORD)).await;
}

/// Sends the form of the page of consent with this decision.
async fn decide(visitor: &mut Visitor<'_>, page: &Reply, decision: &str) -> Reply {
    let sent = [form(page, "consent"), fields(&[("consent", decision)])].concat();
    visitor.post(&sent).await
}

/// Ada agrees in this browser, and signs in before that if she has not: what the app is told.
async fn agree(visitor: &mut Visitor<'_>, asked: &Fields) -> BTreeMap<String, String> {
    let mut page = visitor.open(asked).await.expect(200);
    if html(&page).contains("data-page=\"sign-in\"") {
        page = visitor.consent_page(asked).await;
    }
    way_back(&decide(visitor, &page, "allow").await).1
}

/// The section that a name begins with, such as `4_5`.
fn section_of(name: &str) -> Option<String> {
    let rest = name.strip_prefix("section_")?;
    let numbers = rest.split('_').take_while(|part| part.bytes().all(|it| it.is_ascii_digit()));
    Some(numbers.collect::<Vec<_>>().join("_"))
}

#[test]
fn every_section_that_asks_something_of_us_has_a_test_that_is_named_after_it() {
    let mut named = BTreeSet::new();
    for (_, text) in sources().iter().filter(|(path, _)| path.contains("/it/rfc9700/")) {
        let names = text.lines().filter_map(|line| line.trim().strip_prefix("async fn "));
        named.extend(names.filter_map(section_of));
    }
    assert_eq!(named, SECTIONS.map(str::to_owned).into());
}
