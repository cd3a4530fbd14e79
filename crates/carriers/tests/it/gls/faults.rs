//! Whatever goes wrong, a shipment is never booked twice.

use waybill_carriers::booking::Lookup;
use waybill_carriers::gls;
use waybill_replay::{Fault, Kind};

use super::{account, conversation, plan};
use crate::conversation::with_parcels;
use crate::faults::{Ends, Labels, Subject, books_over_tls, never_two, settle};
use crate::texts::texts_arrive_or_are_refused;

fn subject() -> Subject {
    Subject {
        code: "gls",
        open: gls::open,
        account: account(),
        plan: with_parcels(plan("private", "{}"), 2),
        booking: "book",
        // The token may have ended: another one is tried.
        unauthorized: Ends::NotSent,
        forbidden: Ends::AccessDenied,
        busy: Ends::NotSent,
        incomplete: r#"{"CreatedShipment":{"ParcelData":[{"TrackID":"T"}],"PrintData":[]}}"#,
        labels: Labels::Inside(
            r#"{"CreatedShipment":{"ParcelData":[{"TrackID":"T1"},{"TrackID":"T2"}]}}"#,
            r#"{"CreatedShipment":{"ParcelData":[{"TrackID":"T1"},{"TrackID":"T2"}],
            "PrintData":[{"LabelFormat":"PDF","Data":"!"}]}}"#,
        ),
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
async fn a_booking_is_looked_up_after_a_minute_and_never_without_a_canary() {
    let conversation = conversation().await;
    let lookup = conversation.carrier.lookup("gls:private");
    let Lookup::ByReference { settle, is_certain } = lookup else { panic!("{lookup:?}") };
    assert_eq!((settle.as_secs(), is_certain), (60, false));
}

#[tokio::test]
async fn a_fault_while_it_is_looked_up_leads_to_no_second_booking_either() {
    for look in ["is there", "reprint"] {
        for kind in [Kind::Drop, Kind::Cut, Kind::Page, Kind::Broken] {
            let conversation = conversation().await;
            let plan = subject().plan;
            conversation.replay.fail("book", Fault::after(Kind::Drop));
            conversation.replay.fail(look, Fault::after(kind.clone()));
            let outcome = conversation.book(&plan).await;
            settle(&conversation, &plan, outcome).await;
            assert_eq!(conversation.replay.bookings().len(), 1, "{look} {kind:?}");
            conversation.is_understood();
        }
    }
}
