//! The older API, below `/api/v1/` and `/api/v2/`, for shop plugins that exist and are not changed
//! any more. It has its own errors, pages and names; what it does is done by the same parts as in
//! `/v2`.

mod agents;
mod booking;
mod combine;
mod dialect;
pub mod failure;
mod headers;
mod label;
pub mod page;
pub mod paths;
pub mod pdf;
pub mod resend;
mod routing;
mod shipments;
pub mod site;
mod user;
mod wanted;

pub use agents::{agent, by_number, by_postal_code, closest, in_area, in_country};
pub use booking::book;
pub use combine::combine;
pub use dialect::{LEGACY, ROUTING};
pub use headers::Sunset;
pub use label::{again, by_tracking_code};
pub use page::{PER_PAGE, Page, page_of, read_page};
pub use routing::carriers;
pub use shipments::{list as list_shipments, show as show_shipment};
pub use site::Site;
pub use user::{me, website};
