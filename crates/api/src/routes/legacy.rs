//! The older API. A path of a website is there twice: below `/api/v1/demo/` it works with the
//! sandbox carrier.

use axum::http::Method;
use waybill_domain::access::Scope;

use super::table::{Answer, Cost, Handler, Route, route, team, user};
use crate::caller::Member;
use crate::legacy::{self, LEGACY, ROUTING, Site};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// Every operation of the older API.
pub fn routes() -> Vec<Route> {
    let carriers = team(Scope::CARRIERS_READ, legacy::carriers);
    let routing = "/api/v2/team/{team}/routing/carriers";
    let mut routes = vec![
        route(GET, "/api/v1/me", "legacyGetMe", user(legacy::me)).speaking(&LEGACY),
        route(GET, "/api/v1/user", "legacyGetUser", user(legacy::me)).speaking(&LEGACY),
        route(GET, routing, "legacyListRoutingCarriers", carriers).speaking(&ROUTING),
    ];
    routes.extend(legacy(GET, "", "legacyGetWebsite", None::<Scope>, legacy::website));
    routes.extend(agents());
    routes.extend(shipments());
    routes
}

/// Shipments and their labels.
fn shipments() -> Vec<Route> {
    let (all, one) = ("/shipments", "/shipments/{shipment}");
    let labels = "/shipments/{shipment}/labels";
    let tracked = "/api/v1/shipments/tracking/{code}/labels";
    let (read, write, print) =
        (Scope::SHIPMENTS_READ, Scope::SHIPMENTS_WRITE, Scope::DOCUMENTS_READ);
    let book = |path, operation| {
        let rows = legacy(POST, path, operation, write, legacy::book);
        rows.map(|row| row.costing(Cost::WaitsForCarrier)).into_iter()
    };
    let combine = "/shipments/labels/combine";
    let combine = legacy(POST, combine, "legacyCombineLabels", print, legacy::combine);
    let mut routes = vec![
        alone(POST, "/api/v1/shipments/labels", "legacyBookAlone", write, legacy::book)
            .costing(Cost::WaitsForCarrier),
        alone(GET, tracked, "legacyGetLabelByTrackingCode", print, legacy::by_tracking_code),
    ];
    routes.extend(legacy(GET, all, "legacyListShipments", read, legacy::list_shipments));
    routes.extend(legacy(GET, one, "legacyGetShipment", read, legacy::show_shipment));
    routes.extend(book("/shipments/labels", "legacyBookShipment"));
    routes.extend(book("/labels", "legacyBookLabel"));
    routes.extend(legacy(GET, labels, "legacyGetLabel", print, legacy::again));
    routes.extend(combine.map(|row| row.costing(Cost::Much)));
    routes
}

/// A row of the only team of its caller.
fn alone<F, A>(method: Method, path: &str, operation: &str, scope: Scope, answer: F) -> Route
where
    F: Fn(Request, Site) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let answer = move |request: Request, member: Member| {
        let site = Site::of(&request, member);
        answer(request, site)
    };
    route(method, path, operation, team(scope, answer)).speaking(&LEGACY)
}

/// Pickup points.
fn agents() -> Vec<Route> {
    let carrier = "/agents/carrier/{carrier}";
    let country = "/agents/carrier/{carrier}/country/{country}";
    let area = "/area/latitude/min/{minLatitude}/max/{maxLatitude}\
                /longitude/min/{minLongitude}/max/{maxLongitude}";
    let closest = "/agents/closest/carrier/{carrier}/country/{country}";
    let code = "/postalcode/{postalcode}";
    let position = "/coordinates/latitude/{latitude}/longitude/{longitude}";
    let everywhere = format!("{carrier}{area}");
    let in_area = format!("{country}{area}");
    let by_code = format!("{country}{code}");
    let by_street = format!("{by_code}/street/{{street}}");
    let by_number = format!("{country}/agentno/{{agentNo}}");
    let to_code = format!("{closest}{code}");
    let to_street = format!("{to_code}/street/{{street}}");
    let to_city = format!("{to_code}/city/{{city}}");
    let to_address = format!("{to_city}/street/{{street}}");
    let to_position = format!("{closest}{position}");
    let read = Scope::SERVICE_POINTS_READ;
    let rows = [
        legacy(GET, country, "legacyListAgents", read, legacy::in_country),
        legacy(GET, &everywhere, "legacyListCarrierAgentsInArea", read, legacy::in_area),
        legacy(GET, &in_area, "legacyListAgentsInArea", read, legacy::in_area),
        legacy(GET, &by_code, "legacyListAgentsByPostalCode", read, legacy::by_postal_code),
        legacy(GET, &by_street, "legacyListAgentsByStreet", read, legacy::by_postal_code),
        legacy(GET, &by_number, "legacyGetAgentByNumber", read, legacy::by_number),
        legacy(GET, "/agents/{agent}", "legacyGetAgent", read, legacy::agent),
        legacy(GET, &to_code, "legacyFindClosestByPostalCode", read, legacy::closest),
        legacy(GET, &to_street, "legacyFindClosestByStreet", read, legacy::closest),
        legacy(GET, &to_city, "legacyFindClosestByCity", read, legacy::closest),
        legacy(GET, &to_address, "legacyFindClosestByAddress", read, legacy::closest),
        legacy(GET, &to_position, "legacyFindClosestByCoordinates", read, legacy::closest),
    ];
    rows.into_iter().flatten().collect()
}

/// Two rows for an operation of a website: the second one works with the sandbox carrier. `path` is
/// what follows the website.
pub fn legacy<F, A>(
    method: Method,
    path: &str,
    operation: &str,
    scope: impl Into<Option<Scope>>,
    answer: F,
) -> [Route; 2]
where
    F: Fn(Request, Site) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Reply, ApiError>> + Send + 'static,
{
    let scope = scope.into();
    let demo = operation.replacen("legacy", "legacyDemo", 1);
    let rows =
        [("/api/v1/website/{team}", operation), ("/api/v1/demo/website/{team}", demo.as_str())];
    rows.map(|(prefix, operation)| {
        let answer = answer.clone();
        let answer = Box::new(move |request: Request, member: Member| {
            let site = Site::of(&request, member);
            Box::pin(answer(request, site)) as Answer
        });
        let handler = Handler::Team { scope, needs_admin: false, answer };
        route(method.clone(), &format!("{prefix}{path}"), operation, handler).speaking(&LEGACY)
    })
}
