//! What goes wrong with a booking at dao.

use waybill_carriers::dao;

use super::account;
use crate::conversation::{Conversation, plan_for};
use crate::faults::{Ends, Labels, Subject, books_over_tls, never_two};
use crate::texts::texts_arrive_or_are_refused;

fn subject() -> Subject {
    Subject {
        code: "dao",
        open: dao::open,
        account: account(),
        plan: plan_for("dao:home", "{}"),
        booking: "home",
        unauthorized: Ends::Unknown,
        forbidden: Ends::Unknown,
        busy: Ends::Unknown,
        incomplete: r#"{"status":"OK","fejlkode":"","fejltekst":"","resultat":{}}"#,
        labels: Labels::Apart("label"),
    }
}

#[tokio::test]
async fn a_fault_never_leads_to_a_second_booking() {
    never_two(&subject()).await;
}

#[tokio::test]
async fn it_is_booked_over_tls() {
    books_over_tls(&subject()).await;
}

#[tokio::test]
async fn what_people_write_arrives_whole_or_is_refused_where_it_stands() {
    texts_arrive_or_are_refused(&subject()).await;
}

#[tokio::test]
async fn whoever_stands_before_it_proves_nothing() {
    for status in [401, 403, 429, 503] {
        let dao = Conversation::after(
            &format!(
                r#"
                [[exchange]]
                name = "gateway"
                request = {{ path = "/DAODirekte/leveringsordre.php" }}
                answer = {{ status = {status}, headers = {{ retry-after = "30" }} }}"#
            ),
            "dao",
            dao::open,
            account(),
        )
        .await;
        let outcome = dao.book(&plan_for("dao:home", "{}")).await;
        assert_eq!(Ends::of(&outcome), Ends::Unknown, "{status}: {outcome:?}");
    }
}
