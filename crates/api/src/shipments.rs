//! Shipments: accepted once, booked by the worker, read as they are now.

mod accept;
mod begin;
mod cancel;
mod create;
mod delete;
mod failure;
mod lists;
mod load;
mod point;
mod recover;
mod unknown;
pub mod validate;
mod view;
mod wait;

pub use accept::{BookingTeam, Intake, LabelWish, accept, load_intake, stored};
pub use begin::{Beginning, Begun, LegacyBeginning, begin};
pub use cancel::cancel;
pub use create::create;
pub use delete::delete;
pub use failure::{complaints, message_of};
pub use lists::{list, with_files};
pub use load::load;
pub use recover::{recover_documents, try_documents_again};
pub use view::{carrier_entry, view as show_one};
pub use wait::{is_over, wait};

use waybill_domain::ids::ShipmentId;

use super::caller::Member;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/shipments/{shipment}`: as it is now, whatever became of it.
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view::view(&request, &shipment, &files)?).private())
}
