//! For those who watch over the service: is it alive, is it ready, how is it doing.

use axum::http::{StatusCode, header};
use waybill_domain::json::Json;
use waybill_engine::telemetry;

use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET /healthz`: the process answers.
pub async fn get_health(_: Request) -> Result<Reply, ApiError> {
    Ok(Reply::json(StatusCode::OK, Json::object([("status", "ok".into())])))
}

/// Why a server is not ready: for the log, and for whoever asks.
type Unready = (String, &'static str);

async fn verify_ready(request: &Request) -> Result<(), Unready> {
    const UNUSABLE: &str = "The database cannot be used.";
    const UNWRITABLE: &str = "The database cannot be written.";
    let because = |message| move |error: waybill_store::Error| (error.to_string(), message);
    request.app.store().ping().await.map_err(because(UNUSABLE))?;
    if request.app.is_stopping() {
        return Ok(());
    }
    request.app.store().verify_writes().await.map_err(because(UNWRITABLE))?;
    match request.app.has_no_worker().await.map_err(because(UNUSABLE))? {
        false => Ok(()),
        true => {
            let why = "bookings wait and no worker takes them";
            Err((why.to_owned(), "Bookings wait, and no worker takes them."))
        }
    }
}

/// `GET /readyz`: the store answers and takes what is written, and somebody works on what was
/// accepted.
pub async fn get_readiness(request: Request) -> Result<Reply, ApiError> {
    let Err((error, message)) = verify_ready(&request).await else {
        return Ok(Reply::json(StatusCode::OK, Json::object([("status", "ok".into())])));
    };
    tracing::warn!(error, "not ready");
    let body = Json::object([("status", "unavailable".into()), ("message", message.into())]);
    let reply = Reply::json(StatusCode::SERVICE_UNAVAILABLE, body);
    Ok(reply.header(header::RETRY_AFTER, "2"))
}

/// `GET /metrics`: for Prometheus.
pub async fn get_metrics(request: Request) -> Result<Reply, ApiError> {
    request.app.breakers().forget(request.app.now());
    let page = telemetry::scrape(request.app.monotonic()).await;
    let page = page.ok_or_else(|| ApiError::Internal("no metrics recorder".into()))?;
    Ok(Reply::bytes("text/plain; version=0.0.4; charset=utf-8", page))
}
