//! What became of a reference: looked at by an unchanged weight, and printed anew.

use uuid::Uuid;
use waybill_carriers::booking::{Found, Plan, Sought};
use waybill_domain::booking::Reference;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Time;
use waybill_replay::{Fault, Kind};

use super::{after, conversation, plan, refused, with, without_papers};
use crate::conversation::{Conversation, with_parcels};
use crate::harness::sought;

const LOOK: &str = "/shipit-farm/v1/backend/rs/shipments/updateparcelweight";
const NEW_LABEL: &[u8] = include_bytes!("../../../src/gls/exchanges/new-label.pdf");

/// Ids of one moment.
struct At(Time);

impl IdSource for At {
    fn uuid(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.0.0.unsigned_abs() / 1000) << 80)
    }

    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}

/// Two parcels of different weights, booked late in the evening in UTC, which is the next day in
/// Copenhagen.
fn late() -> Plan {
    let changes = r#"{"parcels":[{"gross_weight":{"value":1200.4,"unit":"g"}},
        {"gross_weight":{"value":1,"unit":"g"}}]}"#;
    let now = Time::parse("2026-11-16T23:30:00Z").unwrap();
    Plan { reference: Reference::new(&At(now)), now, ..plan("private", changes) }
}

/// A booking whose answer was lost.
async fn lost(plan: &Plan) -> Conversation {
    let conversation = conversation().await;
    conversation.replay.fail("book", Fault::after(Kind::Drop));
    conversation.book(plan).await;
    conversation
}

#[tokio::test]
async fn what_is_there_is_printed_anew_because_nobody_has_its_label() {
    let plan = late();
    let conversation = lost(&plan).await;
    let Found::Accepted(found) = conversation.find(&plan).await else { panic!("not found") };
    let reference = &plan.reference;
    let numbers: Vec<_> = found.parcels.iter().map(|it| it.tracking_number.clone()).collect();
    assert_eq!(numbers, [format!("601{reference}"), format!("602{reference}")]);
    assert_eq!(found.carrier_reference, format!("N1{reference}"));
    let labels: Vec<_> =
        found.files.files.iter().map(|file| (file.parcel, file.bytes.as_slice())).collect();
    assert_eq!(labels, [(Some(0), NEW_LABEL), (Some(1), NEW_LABEL)]);
    let weights = conversation.replay.kept("is there", "told");
    assert_eq!(weights, ["1.21", "0.11"], "as they were booked");
    assert_eq!(conversation.replay.kept("reprint", "date"), ["2026-11-17", "2026-11-17"]);
    // Its labels are kept like those of any booking.
    let booking = without_papers(&plan, &found);
    assert_eq!(conversation.papers(&booking).await[1], (Some(1), NEW_LABEL.to_vec()));
    assert_eq!(conversation.replay.hits("reprint"), 2);
    assert_eq!(conversation.replay.bookings().len(), 1);
    conversation.is_understood();
}

#[tokio::test]
async fn the_day_of_the_call_is_told_by_the_clock_of_the_merchant() {
    let plan = late();
    let conversation = with(r#"{"time_zone":"Europe/London"}"#).await;
    conversation.replay.fail("book", Fault::after(Kind::Drop));
    conversation.book(&plan).await;
    assert!(matches!(conversation.find(&plan).await, Found::Accepted(_)));
    assert_eq!(conversation.replay.kept("reprint", "date"), ["2026-11-16", "2026-11-16"]);
}

#[tokio::test]
async fn a_canary_is_only_looked_at() {
    let plan = late();
    let conversation = lost(&plan).await;
    let canary = Sought { is_canary: true, ..sought(&plan) };
    let found = conversation.carrier.find(&conversation.account, &canary).await;
    assert!(matches!(found, Found::Accepted(_)), "{found:?}");
    assert_eq!((conversation.replay.hits("is there"), conversation.replay.hits("reprint")), (2, 0));
    let other = Sought { is_canary: true, ..sought(&super::plan("private", "{}")) };
    let found = conversation.carrier.find(&conversation.account, &other).await;
    assert_eq!(found, Found::Absent);
}

#[tokio::test]
async fn only_a_word_of_gls_proves_that_a_parcel_is_or_is_not_there() {
    let absent = conversation().await;
    assert_eq!(absent.find(&late()).await, Found::Absent);
    for (status, headers, is_absent) in [
        (400, r#"error = "INVALID_SHIPMENT_ID""#, true),
        (400, r#"error = "COULD_NOT_FIND""#, false),
        (400, "", false),
        (404, r#"error = "INVALID_SHIPMENT_ID""#, false),
        (403, "", false),
        (429, "", false),
        (500, r#"error = "INVALID_SHIPMENT_ID""#, false),
        (200, "", false),
    ] {
        let conversation = after(&refused(LOOK, status, headers)).await;
        let found = conversation.find(&late()).await;
        assert_eq!(found == Found::Absent, is_absent, "{status} {headers} {found:?}");
        assert_eq!(matches!(found, Found::Unknown(_)), !is_absent, "{status} {headers} {found:?}");
        assert_eq!(conversation.replay.hits("reprint"), 0);
    }
    let many = after(&refused(LOOK, 400, r#"error = "MORE_THAN_ONE_RESULT""#)).await;
    many.replay.fail("book", Fault::after(Kind::Drop));
    many.book(&late()).await;
    assert!(matches!(many.find(&late()).await, Found::Accepted(_)));
}

#[tokio::test]
async fn when_only_some_parcels_are_there_only_those_are_printed() {
    let first = r#"
        [[exchange]]
        name = "second"
        request = { path = "/shipit-farm/v1/backend/rs/shipments/updateparcelweight", json = '''
            {"ShipmentUnitReference": "{reference}-1"}''' }
        answer = { status = 400, headers = { error = "INVALID_SHIPMENT_ID", message = "None" } }"#;
    let conversation = after(first).await;
    let plan = late();
    conversation.replay.fail("book", Fault::after(Kind::Drop));
    conversation.book(&plan).await;
    let Found::Partial(found) = conversation.find(&plan).await else { panic!("not in part") };
    assert_eq!(found.missing, [0]);
    assert_eq!(found.complaints[0].message, "None");
    let number = format!("602{}", plan.reference);
    assert_eq!(found.accepted.parcels[0].tracking_number, number);
    assert_eq!(found.accepted.files.files[0].parcel, Some(1));
    assert_eq!(conversation.replay.hits("reprint"), 1);
}

#[tokio::test]
async fn a_label_that_cannot_be_printed_leaves_the_question_open() {
    let plan = with_parcels(plan("private", "{}"), 2);
    for kind in [Kind::Drop, Kind::Cut, Kind::Page, Kind::Status(500, String::new(), String::new())]
    {
        let conversation = lost(&plan).await;
        conversation.replay.fail("reprint", Fault::after(kind.clone()));
        let found = conversation.find(&plan).await;
        assert!(matches!(found, Found::Unknown(_)), "{kind:?} {found:?}");
        let again = conversation.find(&plan).await;
        assert!(matches!(again, Found::Accepted(_)), "{again:?}");
    }
}
