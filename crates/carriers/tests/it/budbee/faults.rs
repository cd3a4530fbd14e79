//! What goes wrong with a booking at Budbee.

use waybill_carriers::budbee;

use super::{account, plan};
use crate::faults::{Ends, Labels, Subject, books_over_tls, never_two};
use crate::texts::texts_arrive_or_are_refused;

fn subject() -> Subject {
    Subject {
        code: "budbee",
        open: budbee::open,
        account: account(),
        plan: plan("budbee:home", "{}"),
        booking: "home",
        unauthorized: Ends::AccessDenied,
        forbidden: Ends::Unknown,
        busy: Ends::NotSent,
        incomplete: r#"{"id":"O","parcels":[]}"#,
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
