//! Accounts and tokens.

use waybill_carriers::{Account, DialFailure, Verdict, gls};
use waybill_replay::{Fault, Kind};

use super::{CREDENTIALS, account, conversation, plan};
use crate::conversation::{Conversation, account_of};
use crate::faults::Ends;

fn problems(conversation: &Conversation, credentials: &str, options: &str) -> Vec<String> {
    let Account { credentials, options, .. } = account_of(credentials, options);
    let found = conversation.carrier.check_account(credentials.expose(), &options);
    found.iter().map(|(path, _)| path.to_owned()).collect()
}

#[tokio::test]
async fn an_account_has_a_client_its_secret_and_a_contact() {
    let conversation = conversation().await;
    let options = |more: &str| format!(r#"{{"contact_id":"2080000001"{more}}}"#);
    assert_eq!(problems(&conversation, CREDENTIALS, &options("")), [""; 0]);
    let more = r#","environment":"test","middleware":"Shop","alternative_shipper":false,
        "time_zone":"Europe/Berlin""#;
    assert_eq!(problems(&conversation, CREDENTIALS, &options(more)), [""; 0]);
    let missing = ["credentials.client_id", "credentials.client_secret", "options.contact_id"];
    assert_eq!(problems(&conversation, "{}", "{}"), missing);
    for (options, path) in [
        (r#"{"contact_id":"123456789012345678901"}"#.to_owned(), "options.contact_id"),
        (options(r#","environment":"moon""#), "options.environment"),
        (options(r#","alternative_shipper":"yes""#), "options.alternative_shipper"),
        (options(&format!(r#","middleware":"{}""#, "x".repeat(41))), "options.middleware"),
        (options(r#","customer":"1""#), "options.customer"),
    ] {
        assert_eq!(problems(&conversation, CREDENTIALS, &options), [path]);
    }
}

#[tokio::test]
async fn an_account_is_good_when_it_gets_a_token() {
    let good = conversation().await;
    assert_eq!(good.verify().await, Verdict::Good);
    let wrong =
        account_of(r#"{"client_id":"client","client_secret":"wrong"}"#, r#"{"contact_id":"1"}"#);
    let wrong = Conversation::with("gls", gls::open, wrong).await;
    let Verdict::Refused(why) = wrong.verify().await else { panic!("no token was refused") };
    assert_eq!(why.said[0].message, "Invalid client credentials");
    let dialled = wrong.carrier.dial(&wrong.account).await;
    assert!(matches!(dialled, Err(DialFailure::AccessDenied(_))), "{dialled:?}");
    for kind in [Kind::Drop, Kind::Page, Kind::Cut, Kind::Hang] {
        let conversation = conversation().await;
        conversation.replay.fail("token", Fault::after(kind.clone()));
        let verdict = conversation.verify().await;
        assert!(matches!(verdict, Verdict::Unknown(_)), "{kind:?}: {verdict:?}");
    }
}

#[tokio::test]
async fn those_who_dial_at_once_share_one_token_and_keep_it() {
    let conversation = conversation().await;
    let (first, second) = tokio::join!(
        conversation.carrier.dial(&conversation.account),
        conversation.carrier.dial(&conversation.account),
    );
    assert!(first.is_ok() && second.is_ok());
    conversation.accepted(&plan("private", "{}")).await;
    assert_eq!(conversation.replay.hits("token"), 1);
}

#[tokio::test]
async fn no_token_means_that_nothing_was_sent() {
    let conversation = conversation().await;
    conversation.replay.fail("token", Fault::status(503));
    let dialled = conversation.carrier.dial(&conversation.account).await;
    assert!(matches!(dialled, Err(DialFailure::Unreachable(_))), "{dialled:?}");
    assert!(conversation.replay.bookings().is_empty());
}

#[tokio::test]
async fn a_refused_token_is_dropped_and_the_second_in_a_row_is_the_end() {
    let conversation = conversation().await;
    let plan = plan("private", r#"{"delivery":{"instructions":"Ring twice"}}"#);
    let book = async || {
        let outcome = conversation.book(&plan).await;
        (Ends::of(&outcome), conversation.replay.hits("token"))
    };
    conversation.replay.fail("home", Fault::status(401));
    assert_eq!(book().await, (Ends::NotSent, 1));
    conversation.replay.fail("home", Fault::status(401));
    assert_eq!(book().await, (Ends::AccessDenied, 2));
    assert_eq!(book().await, (Ends::Accepted, 3));
    // One was accepted in between.
    conversation.replay.fail("home", Fault::status(401));
    assert_eq!(book().await, (Ends::NotSent, 3));
    assert_eq!(conversation.replay.bookings().len(), 1);
}

#[tokio::test]
async fn a_question_is_asked_again_with_another_token() {
    let conversation = conversation().await;
    conversation.replay.fail("track", Fault::status(401));
    let numbers = ["501234567890", "501234567891"];
    assert_eq!(conversation.track(&numbers).await.len(), 1);
    assert_eq!(conversation.replay.hits("token"), 2);
    for _ in 0..2 {
        conversation.replay.fail("track", Fault::status(401));
    }
    let tracking = conversation.carrier.tracking().unwrap();
    let numbers = numbers.map(str::to_owned);
    let refused = tracking.track(&account(), &numbers).await;
    assert!(matches!(refused, Err(waybill_carriers::CarrierError::AccessDenied(_))));
}

#[tokio::test]
async fn a_token_may_be_said_to_work_for_ever() {
    let body = r#"{"access_token":"token-1","expires_in":18446744073709551615}"#;
    let conversation = conversation().await;
    let kind = Kind::Status(200, "application/json".to_owned(), body.to_owned());
    conversation.replay.fail("token", Fault::before(kind));
    conversation.accepted(&plan("private", "{}")).await;
    conversation.accepted(&plan("private", "{}")).await;
}
