//! For those who watch over the service: is it alive, is it ready, how is it doing.

use std::sync::OnceLock;

use axum::http::{StatusCode, header};
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use waybill_domain::json::Json;

use super::reply::{ApiError, Reply};
use super::request::Call;

const COUNTERS: [&str; 4] = [
    "waybill_log_lines_dropped_total",
    "waybill_store_retries_total",
    "waybill_tracking_entries_total",
    "waybill_tracking_quarantined_total",
];
const GAUGES: [&str; 5] = [
    "waybill_store_writer_queue",
    "waybill_jobs_overdue",
    "waybill_service_points",
    "waybill_service_point_bytes",
    "waybill_violations",
];
const HISTOGRAMS: [&str; 5] = [
    "waybill_store_group_size",
    "waybill_store_write_seconds",
    "waybill_store_read_seconds",
    "waybill_job_lag_seconds",
    "waybill_delivery_seconds",
];

/// Bounds of the histograms of durations, in seconds.
const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
/// Bounds of the histogram of closures per commit.
const GROUP: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// `GET /healthz`: the process answers.
pub async fn get_health(_: Call) -> Result<Reply, ApiError> {
    Ok(Reply::json(StatusCode::OK, Json::object([("status", "ok".into())])))
}

/// `GET /readyz`: the store answers too.
pub async fn get_readiness(call: Call) -> Result<Reply, ApiError> {
    match call.app.store.ping().await {
        Ok(()) => Ok(Reply::json(StatusCode::OK, Json::object([("status", "ok".into())]))),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            let body = Json::object([
                ("status", "unavailable".into()),
                ("message", "The database does not answer.".into()),
            ]);
            let reply = Reply::json(StatusCode::SERVICE_UNAVAILABLE, body);
            Ok(reply.header(header::RETRY_AFTER, "2"))
        }
    }
}

/// `GET /metrics`: for Prometheus.
pub async fn get_metrics(_: Call) -> Result<Reply, ApiError> {
    let handle = recorder().ok_or_else(|| ApiError::Internal("no metrics recorder".into()))?;
    handle.run_upkeep();
    Ok(Reply::bytes("text/plain; version=0.0.4; charset=utf-8", handle.render()))
}

/// The recorder of this process, installed at its first use.
pub fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), SECONDS)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Suffix("_size".into()), GROUP)
            })
            .and_then(PrometheusBuilder::install_recorder)
            .inspect(|_| register())
            .ok()
    };
    RECORDER.get_or_init(install).as_ref()
}

/// Makes every metric known at zero: a watcher cannot tell one that is missing from one that was
/// never counted.
fn register() {
    COUNTERS.iter().for_each(|name| counter!(*name).increment(0));
    GAUGES.iter().for_each(|name| gauge!(*name).increment(0.0));
    HISTOGRAMS.iter().for_each(|name| drop(histogram!(*name)));
    for outcome in ["delivered", "failed"] {
        counter!("waybill_delivery_attempts_total", "outcome" => outcome).increment(0);
    }
    let operation = "getMetrics";
    drop(histogram!("waybill_http_request_seconds", "operation" => operation));
    let labels = [("operation", operation), ("method", "GET"), ("status", "200")];
    counter!("waybill_http_requests_total", &labels).increment(0);
}
