//! Prices that only the carriers know. All are asked at once, and whoever does not answer in time
//! has no price: a slow carrier costs nobody else's row, and no caller more than the limit.

use std::time::Duration;

use futures_util::future::join_all;
use waybill_carriers::CarrierError;
use waybill_domain::measure::Money;
use waybill_engine::telemetry::counted;
use waybill_engine::timings::Part;

use super::{Choice, OptionsContext};
use crate::request::Request;

/// A customer at a checkout waits for this.
const TIME_MAX: Duration = Duration::from_secs(1);

/// Gives a price to each option that can be had and has none yet, where its carrier tells one.
pub async fn ask(request: &Request, context: &OptionsContext, choices: &mut [Choice<'_>]) {
    let open = choices.iter_mut().filter(|choice| choice.is_available() && choice.price.is_none());
    let asked: Vec<_> = open.map(|choice| one(request, context, choice)).collect();
    if asked.is_empty() {
        return;
    }
    request.timed(Part::Carrier, join_all(asked)).await;
}

async fn one(request: &Request, context: &OptionsContext, choice: &mut Choice<'_>) {
    let code = &choice.carrier.code;
    let Some(carrier) = request.app.carriers().get(code) else { return };
    let (Some(pricing), Some(account)) = (carrier.pricing(), context.account(request, code)) else {
        return;
    };
    let asked = async {
        let quote = pricing.quote(&account, &choice.order, request.now);
        tokio::time::timeout(TIME_MAX, quote).await.unwrap_or(Err(CarrierError::TooSlow))
    };
    let quote: Result<Option<Money>, CarrierError> =
        counted(request.app.clock().as_ref(), carrier.code(), "quote", asked).await;
    match quote {
        Ok(price) => choice.price = price,
        Err(error) => tracing::debug!(carrier = code, %error, "a carrier told no price"),
    }
}
