//! What an adapter sees of the line: a carrier that has gone, and one that is late.

use std::time::Duration;

use bytes::Bytes;
use hyper::{Request, Uri};
use waybill_carriers::booking::Plan;
use waybill_domain::booking::Reference;
use waybill_outbound::Lines;
use waybill_outbound::line::SendError;

use crate::harness::{Running, account, network, plan, sandbox, sought};

#[tokio::test]
async fn an_idle_connection_that_was_closed_is_not_used_again() {
    let running = Running::start().await;
    running.accepted(&plan("sandbox:home", "", 1)).await;
    let (address, sandbox) = (running.address.clone(), {
        // Its idle connection outlives the service.
        let sandbox = sandbox(&running.address);
        drop(sandbox.dial(&account()).await.unwrap());
        sandbox
    });
    running.stop().await;
    let error = sandbox.dial(&account()).await.unwrap_err();
    assert!(error.to_string().contains("refused"), "{address} {error}");
}

#[tokio::test]
async fn a_booking_whose_answer_is_late_can_be_found() {
    let running = Running::start().await;
    let base: Uri = running.address.parse().unwrap();
    let body = r#"{"reference":"LATE","customer_reference":"sim:late=10s","service":"home",
        "to":{"name":"Ada"},"parcels":[{}]}"#;
    let request = Request::post("/shipments").body(Bytes::from_static(body.as_bytes())).unwrap();
    let line = Lines::new(network()).dial(&base).await.unwrap();
    let error = line.send(request, Duration::from_millis(200)).await.unwrap_err();
    assert_eq!(error, SendError::Unclear("no answer in time".to_owned()));
    let reference = Reference::from_stored("LATE".to_owned());
    let late = Plan { reference, ..plan("sandbox:home", "", 1) };
    let found = running.sandbox.find(&account(), &sought(&late)).await;
    assert!(matches!(found, waybill_carriers::booking::Found::Accepted(_)), "{found:?}");
}
