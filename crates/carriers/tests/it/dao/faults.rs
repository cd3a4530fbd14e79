//! What goes wrong with a booking at dao.

use waybill_carriers::dao;

use super::account;
use crate::conversation::plan_for;
use crate::faults::{Ends, Subject, books_over_tls, never_two};

fn subject() -> Subject {
    Subject {
        code: "dao",
        open: dao::open,
        account: account(),
        plan: plan_for("dao:home", "{}"),
        booking: "home",
        unauthorized: Ends::AccessDenied,
        forbidden: Ends::AccessDenied,
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
