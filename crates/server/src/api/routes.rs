//! The API on one screen: method, path, operation, who may call, handler.
//!
//! `planned` operations are in the contract but not in this version: they answer 501 to those who
//! may call them.

mod planned;
mod table;

use axum::http::Method;
pub use table::{Access, Handler, Route};
use table::{admin, both, public, route, team, user};
use waybill_domain::access::Scope;

use super::{docs, probes, settings, teams, templates};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;
const PATCH: Method = Method::PATCH;
const DELETE: Method = Method::DELETE;

/// Every operation that we answer.
pub fn routes() -> Vec<Route> {
    use Scope as S;
    let mut routes = vec![
        route(GET, "/healthz", "getHealth", public(probes::get_health)),
        route(GET, "/readyz", "getReadiness", public(probes::get_readiness)),
        route(GET, "/metrics", "getMetrics", public(probes::get_metrics)),
        route(GET, "/openapi.json", "getOpenApi", public(docs::get_openapi)),
        route(GET, "/docs", "getDocs", public(docs::get_docs)),
        route(GET, "/docs/{file}", "getDocsFile", public(docs::get_docs_file)),
        route(GET, "/v2/me", "getMe", user(teams::get_me)),
        route(GET, "/v2/teams", "listTeams", user(teams::list_teams)),
        route(GET, "/v2/teams/{teamUuid}", "getTeam", team(S::TEAMS_READ, teams::get_team)),
        route(
            GET,
            "/v2/teams/{teamUuid}/settings",
            "getSettings",
            admin(S::TEAMS_READ, settings::get_settings),
        ),
        route(
            PATCH,
            "/v2/teams/{teamUuid}/settings",
            "updateSettings",
            admin(S::TEAMS_WRITE, settings::update_settings),
        ),
    ];
    let templates = "/teams/{teamUuid}/shipment-templates";
    let template = "/teams/{teamUuid}/shipment-templates/{template}";
    let (read, write) = (S::SHIPMENT_TEMPLATES_READ, S::SHIPMENT_TEMPLATES_WRITE);
    for rows in [
        both(GET, templates, "listShipmentTemplates", || team(read, templates::list)),
        both(POST, templates, "createShipmentTemplate", || team(write, templates::create)),
        both(GET, template, "getShipmentTemplate", || team(read, templates::show)),
        both(PUT, template, "replaceShipmentTemplate", || team(write, templates::replace)),
        both(DELETE, template, "deleteShipmentTemplate", || team(write, templates::delete)),
    ] {
        routes.extend(rows);
    }
    routes.extend(planned::routes());
    routes
}
