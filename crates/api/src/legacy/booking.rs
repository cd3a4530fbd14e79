//! Booking by the older API: the body is translated, checked like any other shipment, and booked by
//! the one way there is. The answer is a label or says why there is none; it never says "later".

use std::time::Duration;

use axum::http::{HeaderName, StatusCode};
use waybill_domain::booking::{Ending, Held};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::ShipmentId;
use waybill_domain::legacy::{Context, Names, Translation, translate};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::words::Message;
use waybill_engine::booking::held;
use waybill_engine::failpoint;
use waybill_store::documents::Document;
use waybill_store::idempotency::KeyClaim;
use waybill_store::legacy::LegacyBooking;
use waybill_store::shipments::Shipment;

use super::failure::LegacyFailure;
use super::label;
use super::resend::Resend;
use super::site::Site;
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::shipments::{
    Beginning, Begun, BookingTeam, Intake, LabelWish, LegacyBeginning, accept, begin, complaints,
    is_over, load, load_intake, message_of, try_documents_again, wait,
};

/// Plugins hang up after half a minute.
const WAIT: Duration = Duration::from_secs(25);
/// So long, so often, it is waited for that a label was taken.
const HEARD_PAUSE: Duration = Duration::from_millis(20);
const HEARD_TRIES: u32 = 10;

/// `POST …/shipments/labels` and `POST …/labels`
pub async fn book(mut request: Request, site: Site) -> Result<Reply, ApiError> {
    let arrived_at = request.now;
    let (body, claim, errors) = request.idempotent_body().await?;
    let claim = claim.map(|claim| of_action(claim, &site));
    let (member, now) = (site.member, request.now);
    let mut translation =
        translate(&body, request.app.catalog(), Context { is_demo: site.is_demo });
    // A key says by itself what is the same request.
    let has_key = request.headers.contains_key(HeaderName::from_static("idempotency-key"));
    let resend = (!has_key)
        .then(|| Resend::new(request.api.taken_labels(), arrived_at, site.is_demo, &body));
    if let Some(resend) = &resend
        && let Some(id) = known(&request, &site, resend).await?
    {
        return resume(&request, &site, &translation.names, id).await;
    }
    let order = std::iter::once(&translation.order);
    let team = match load_intake(&request, member, order, claim.as_ref()).await? {
        // As in the other API: a replay is answered before today's settings have a say.
        Intake::Replayed(id) => {
            return replay(&request, &site, &translation.names, ShipmentId(id)).await;
        }
        Intake::New(team) => team,
    };
    translation.declare(team.merchant(translation.is_return), now);
    let mut checked = check(&request, &team, &translation).await;
    if let Err(ApiError::Invalid(found)) = &checked
        && translation.leave_out_notifications(found)
    {
        checked = check(&request, &team, &translation).await;
    }
    let shipment = errors.or(checked)?;
    let id = shipment.id;
    let waiter = request.app.listen(id.into());
    failpoint::hit("accepting");
    let Translation { kept, carrier, method, names, .. } = translation;
    let booking = LegacyBooking { shipment: id, is_demo: site.is_demo, carrier, method, kept };
    let legacy = Some(LegacyBeginning { booking, resend });
    match begin(&request, member, Beginning { shipment, claim, legacy }).await? {
        Begun::Before(id) if has_key => replay(&request, &site, &names, id).await,
        Begun::Before(id) => resume(&request, &site, &names, id).await,
        Begun::Now => {
            request.concerns(id);
            let (shipment, files) = wait(&request, member, id, waiter, WAIT).await?;
            conclude(&request, &site, Some(&names), &shipment, &files).await
        }
    }
}

/// Several paths are one action, which one key is for.
fn of_action(claim: KeyClaim, site: &Site) -> KeyClaim {
    let path = if site.is_demo { "/api/v1/demo/website/labels" } else { "/api/v1/website/labels" };
    KeyClaim { path: path.to_owned(), ..claim }
}

/// The shipment that a request is answered from. That its label was taken may be heard in a moment:
/// whoever has it ends one connection and opens the next.
async fn known(
    request: &Request,
    site: &Site,
    resend: &Resend,
) -> Result<Option<ShipmentId>, ApiError> {
    let (team, now) = (site.member.team, request.now);
    for _ in 0..HEARD_TRIES {
        let looking = resend.clone();
        let found = request.read(move |tx| looking.look(tx, team, now)).await?;
        match found {
            Some((_, true)) => tokio::time::sleep(HEARD_PAUSE).await,
            other => return Ok(other.map(|(id, _)| id)),
        }
    }
    let looking = resend.clone();
    let found = request.read(move |tx| looking.look(tx, team, now)).await?;
    Ok(found.map(|(id, _)| id))
}

/// The shipment, or everything that is wrong with the body, by the names that it has there.
async fn check(
    request: &Request,
    team: &BookingTeam,
    translation: &Translation,
) -> Result<Shipment, ApiError> {
    match accept(request, team, &translation.order, LabelWish::Pdf).await {
        Ok(shipment) if translation.errors.is_empty() => Ok(shipment),
        Ok(_) => Err(ApiError::Invalid(translation.errors.clone())),
        Err(ApiError::Invalid(found)) => Err(ApiError::Invalid(translation.told(found))),
        Err(other) => Err(other),
    }
}

/// The same request again, from the shipment of the first one. It never books: it waits, and it has
/// missing documents made.
async fn resume(
    request: &Request,
    site: &Site,
    names: &Names,
    id: ShipmentId,
) -> Result<Reply, ApiError> {
    request.concerns(id);
    let waiter = request.app.listen(id.into());
    let loaded = load(request, site.member, id).await?;
    // Deleted in this moment: the next one like it is a new shipment.
    let (mut shipment, mut files) = loaded.ok_or(ApiError::LegacyInProgress { shipment: id })?;
    let lacks_documents = shipment.state == ShipmentState::Failed && files.is_empty();
    if lacks_documents && held(&shipment) != Held::Nothing {
        match try_documents_again(request, site.member, id).await {
            // Somebody cancels it, or has done so.
            Ok(()) | Err(ApiError::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
        (shipment, files) = load(request, site.member, id).await?.ok_or(ApiError::NotFound)?;
    }
    // Nobody signals what is over.
    if !is_over(&shipment) && shipment.state != ShipmentState::Cancelled {
        (shipment, files) = wait(request, site.member, id, waiter, WAIT).await?;
    }
    conclude(request, site, Some(names), &shipment, &files).await
}

/// What became of the request that had the same key.
async fn replay(
    request: &Request,
    site: &Site,
    names: &Names,
    id: ShipmentId,
) -> Result<Reply, ApiError> {
    request.concerns(id);
    let (shipment, files) = load(request, site.member, id).await?.ok_or(ApiError::Deleted)?;
    match conclude(request, site, Some(names), &shipment, &files).await {
        Err(ApiError::LegacyBooking(mut failure)) => {
            failure.is_replayed = true;
            Err(ApiError::LegacyBooking(failure))
        }
        answer => Ok(answer?.replayed()),
    }
}

/// The answer to whoever asked for a label: how the booking stands.
pub async fn conclude(
    request: &Request,
    site: &Site,
    names: Option<&Names>,
    shipment: &Shipment,
    files: &[Document],
) -> Result<Reply, ApiError> {
    if shipment.state == ShipmentState::Booked {
        let (app, labels) = (request.app.clone(), request.api.taken_labels().clone());
        let (team, id) = (site.member.team, shipment.id);
        let shown = label::view(request, site, shipment, files).await?;
        let given_at = app.now();
        let taken = move || labels.note(&app, team, id, given_at);
        return Ok(Reply::data(shown).private().when_taken(taken));
    }
    if !is_over(shipment) && shipment.state != ShipmentState::Cancelled {
        return Err(ApiError::LegacyInProgress { shipment: shipment.id });
    }
    Err(ApiError::LegacyBooking(Box::new(LegacyFailure {
        status: status_of(shipment),
        shipment: shipment.id,
        message: message_of(request, shipment, !files.is_empty()),
        errors: told(shipment, names),
        is_replayed: false,
    })))
}

/// How a booking ended that is no label.
fn status_of(shipment: &Shipment) -> StatusCode {
    match shipment.ending {
        // What nobody knows is told as what was not known in time.
        _ if shipment.step.is_open() => StatusCode::GATEWAY_TIMEOUT,
        // The carrier has it, and its documents are missing.
        _ if held(shipment) != Held::Nothing => StatusCode::BAD_GATEWAY,
        Some(Ending::Deadline) => StatusCode::GATEWAY_TIMEOUT,
        Some(Ending::Technical) => StatusCode::BAD_GATEWAY,
        Some(Ending::Rejected | Ending::Booked) | None => StatusCode::FAILED_DEPENDENCY,
    }
}

/// The carrier's own words at the names of the body.
fn told(shipment: &Shipment, names: Option<&Names>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let Some(names) = names else { return errors };
    for (path, words) in complaints(shipment) {
        errors.add(names.of(path), Message::new("legacy-carrier-words").text("words", words));
    }
    errors
}
