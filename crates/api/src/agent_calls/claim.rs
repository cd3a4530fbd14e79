//! An agent asks for something to print, and waits until there is something.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;
use waybill_domain::document::Format;
use waybill_domain::fields::{FieldErrors, Fields, read_knowing};
use waybill_domain::json::Json;
use waybill_engine::agents::{self, AgentCaller, AgentError, Offer};
use waybill_store::Tx;

use super::fields::session;
use crate::documents::millimetres;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Jobs that are offered at once.
const LIMIT_MAX: i64 = 50;
/// The longest that an agent waits, in seconds: well within the time after which a silent
/// connection is closed.
pub const WAIT_MAX: i64 = 20;
/// Where another server may have what is waited for, its hint may be lost.
const LOOK: Duration = Duration::from_secs(1);

/// `POST …/jobs/claim`. To offer a job changes nothing: it may be offered again.
pub async fn claim(mut request: Request, caller: AgentCaller) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let read = |fields: &Fields| ClaimInput::read(fields);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    // A team with very many who wait is answered at once.
    let (api, max) = (request.api.clone(), request.api.waiting_bookings_max());
    let slot = api.waiting_agents().take(caller.team, max);
    let wait = slot.as_ref().map_or(Duration::ZERO, |_| input.wait);
    let until = Instant::now() + wait;
    let mut waiter = request.app.listen(caller.agent.into());
    let mut is_noted = false;
    loop {
        let (is_heard, offers) = look(&request, caller, &input).await?;
        if !is_heard && !is_noted {
            is_noted = true;
            note(&request, caller, &input).await?;
            // Printers of an agent that was silent take jobs again.
            continue;
        }
        let left = until.saturating_duration_since(Instant::now());
        if !offers.is_empty() || left.is_zero() || request.app.is_stopping() {
            return Ok(Reply::data(Json::list(offers.iter().map(view))).private());
        }
        let pause = if request.app.store().is_shared() { left.min(LOOK) } else { left };
        tokio::select! {
            () = waiter.wait() => {}
            () = request.app.stopping() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// What there is for the agent, and whether it was noted that it was heard.
async fn look(
    request: &Request,
    caller: AgentCaller,
    input: &ClaimInput,
) -> Result<(bool, Vec<Offer>), ApiError> {
    let (session, limit, app) = (input.session, input.limit, request.app.clone());
    let look = move |tx: &mut Tx<'_>| {
        let agent = caller.find_in_session(tx, session)?;
        let now = app.now();
        let offers = agents::list_offers(tx, caller.team, caller.agent, limit, now)?;
        Ok::<_, AgentError>((agents::is_heard(tx, &agent, now)?, offers))
    };
    Ok(request.read(look).await?)
}

async fn note(request: &Request, caller: AgentCaller, input: &ClaimInput) -> Result<(), ApiError> {
    let (session, now) = (input.session, request.now);
    let note = request.write(move |tx| {
        let agent = caller.lock_in_session(tx, session)?;
        Ok::<_, AgentError>(agents::hear(tx, caller.team, &agent, now)?)
    });
    Ok(note.await?)
}

struct ClaimInput {
    session: Uuid,
    limit: i64,
    wait: Duration,
}

impl ClaimInput {
    fn read(fields: &Fields) -> Option<ClaimInput> {
        let session = session(fields);
        let limit = fields.integer("limit", 1..=LIMIT_MAX).required();
        let wait = fields.integer("wait_seconds", 0..=WAIT_MAX).required();
        let wait = Duration::from_secs(wait?.unsigned_abs());
        Some(ClaimInput { session: session?, limit: limit?, wait })
    }
}

fn view(offer: &Offer) -> Json {
    let (job, document) = (&offer.job, &offer.document);
    let format = Format::parse(&document.format);
    let hash: String = document.hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let file = Json::object([
        ("uuid", Json::text(document.id)),
        ("name", job.document_name.as_str().into()),
        ("format", document.format.as_str().into()),
        ("mime_type", format.map(|format| format.media_type()).into()),
        ("size_bytes", document.size_bytes.into()),
        ("sha256", hash.into()),
        ("width", document.width_um.map(millimetres).into()),
        ("height", document.height_um.map(millimetres).into()),
        ("page_count", document.page_count.into()),
    ]);
    Json::object([
        ("uuid", Json::text(job.id)),
        ("printer_key", offer.printer_key.as_str().into()),
        ("copies", job.copies.into()),
        ("expires_at", Json::text(job.expires_at)),
        ("document", file),
    ])
}
