//! The older API, below `/api/v1/` and `/api/v2/`, for shop plugins that exist and are not changed
//! any more. It has its own errors, pages and names; what it does is done by the same parts as in
//! `/v2`.

mod agents;
mod dialect;
mod headers;
pub mod page;
pub mod paths;
mod routing;
pub mod site;
mod user;
mod wanted;

pub use agents::{agent, by_number, by_postal_code, closest, in_area, in_country};
pub use dialect::{LEGACY, ROUTING};
pub use headers::Sunset;
pub use page::{PER_PAGE, Page, page_of, read_page};
pub use routing::carriers;
pub use site::Site;
pub use user::{me, website};
