//! An agent tells how far its jobs are.

use uuid::Uuid;
use waybill_domain::fields::{FieldErrors, Fields, Text, Value, each, one_of, read_knowing};
use waybill_domain::ids::PrintJobId;
use waybill_domain::json::Json;
use waybill_domain::printing::Reported;
use waybill_domain::words::Message;
use waybill_engine::agents::{self, AgentCaller, AgentError, AgentReport};
use waybill_engine::failpoint;

use super::fields::session;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Reports that are taken at once.
const REPORTS_MAX: usize = 100;

/// `POST …/jobs/reports`: all of them in one commit.
pub async fn report(mut request: Request, caller: AgentCaller) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let read = |fields: &Fields| ReportsInput::read(fields);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let (app, now, session) = (request.app.clone(), request.now, input.session);
    let reports = input.reports.clone();
    let taken = request.write(move |tx| {
        let agent = caller.lock_in_session(tx, session)?;
        agents::hear(tx, caller.team, &agent, now)?;
        let taken = agents::take_reports(tx, &app, caller.team, &agent, &reports, now)?;
        Ok::<_, AgentError>(taken)
    });
    let taken = taken.await?;
    failpoint::hit("print-reported");
    // Deliveries of what changed.
    request.app.wake_runner();
    let shown = input.reports.iter().zip(&taken).map(|(report, taken)| {
        Json::object([
            ("job_uuid", Json::text(report.job)),
            ("sequence", report.sequence.into()),
            ("result", taken.name().into()),
        ])
    });
    Ok(Reply::data(Json::list(shown)).private())
}

struct ReportsInput {
    session: Uuid,
    reports: Vec<AgentReport>,
}

impl ReportsInput {
    fn read(fields: &Fields) -> Option<ReportsInput> {
        let session = session(fields);
        let reports = fields.list("reports", 1..=REPORTS_MAX);
        let reports = reports.then(|reports| each(&reports, report_of)).required();
        Some(ReportsInput { session: session?, reports: reports? })
    }
}

fn report_of(value: &Value<'_>) -> Option<AgentReport> {
    let fields = value.object()?;
    let not_an_id = || Message::new("not-a-uuid");
    let job = fields.parsed("job_uuid", PrintJobId::parse, not_an_id).required();
    let sequence = fields.integer("sequence", 1..=i64::MAX).required();
    let state = fields.parsed("state", Reported::parse, || one_of(Reported::NAMES)).required();
    let message = fields.text("message", Text::up_to(2000)).optional();
    let at = fields.time("at").required();
    Some(AgentReport { job: job?, sequence: sequence?, state: state?, message, at: at? })
}
