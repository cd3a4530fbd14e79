//! What goes wrong with a booking at Bring.

use waybill_carriers::bring;

use super::{account, plan};
use crate::conversation::with_parcels;
use crate::faults::{Ends, Labels, Subject, books_over_tls, never_two};
use crate::texts::texts_arrive_or_are_refused;

fn subject() -> Subject {
    Subject {
        code: "bring",
        open: bring::open,
        account: account(),
        plan: with_parcels(plan("business_parcel", "SE", "SE", "{}"), 2),
        booking: "book",
        unauthorized: Ends::AccessDenied,
        forbidden: Ends::AccessDenied,
        busy: Ends::NotSent,
        incomplete: r#"{"consignments":[{"confirmation":{"consignmentNumber":"C",
            "packages":[{"packageNumber":"P"}]}}]}"#,
        labels: Labels::Apart("label file"),
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
