//! The API on one screen: method, path, operation, who may call, handler.

mod legacy;
mod table;
mod wms;

use axum::http::Method;
pub use table::{Access, Cost, Handler, Route};
use table::{admin, agent, both, public, route, scoped, team, user};
use waybill_domain::access::Scope;
use waybill_domain::audit::Action;

use super::dialect::{CARRIER, PAGE};
use super::dispatch::REGISTER;
use super::oauth::{self, OF_SERVERS};
use super::{
    accounts, agent_calls, audit_log, authorize, batches, carriers, docs, documents, files,
    invitations, manifests, me, members, oauth_clients, oauth_grants, options, print_agents,
    print_jobs, printers, probes, quotas, rates, reports, service_points, settings, shipments,
    team_deletion, teams, templates, tokens, tracking, webhooks, welcome,
};

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PUT: Method = Method::PUT;
const PATCH: Method = Method::PATCH;
const DELETE: Method = Method::DELETE;
const HEAD: Method = Method::HEAD;

/// Every operation that we answer.
pub fn routes() -> Vec<Route> {
    use Scope as S;
    let (own, settings) = ("/v2/teams/{teamUuid}", "/v2/teams/{teamUuid}/settings");
    let mut routes = vec![
        route(GET, "/healthz", "getHealth", public(probes::get_health)),
        route(GET, "/readyz", "getReadiness", public(probes::get_readiness)),
        route(GET, "/metrics", "getMetrics", public(probes::get_metrics)),
        route(GET, "/openapi.json", "getOpenApi", public(docs::get_openapi)),
        route(GET, "/docs", "getDocs", public(docs::get_docs)),
        route(GET, "/docs/{file}", "getDocsFile", public(docs::get_docs_file)),
        route(GET, "/v2/teams", "listTeams", user(teams::list_teams)),
        route(GET, own, "getTeam", team(S::TEAMS_READ, teams::get_team)),
        route(PATCH, own, "updateTeam", admin(S::TEAMS_WRITE, teams::update_team))
            .audited(Action::TeamUpdated),
        route(DELETE, own, "deleteTeam", admin(S::EVERYTHING, team_deletion::delete))
            .audited(Action::TeamDeleted),
        route(GET, settings, "getSettings", admin(S::TEAMS_READ, settings::get_settings)),
        route(PATCH, settings, "updateSettings", admin(S::TEAMS_WRITE, settings::update_settings))
            .audited(Action::SettingsUpdated),
        route(GET, "/v2/teams/{teamUuid}/quotas", "listQuotas", team(S::TEAMS_READ, quotas::list)),
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
    routes.extend(me());
    routes.extend(administration());
    routes.extend(shipments());
    routes.extend(batches());
    routes.extend(delivery_options());
    routes.extend(documents());
    routes.extend(printing());
    routes.extend(agents());
    routes.extend(webhooks());
    routes.extend(tracking());
    routes.extend(pages());
    routes.extend(oauth());
    routes.extend(legacy::routes());
    routes.extend(wms::routes());
    routes
}

/// Who calls.
fn me() -> Vec<Route> {
    use Scope as S;
    let sessions = "/v2/me/sessions";
    let session = "/v2/me/sessions/{session}";
    let password = "/v2/me/password";
    vec![
        route(GET, "/v2/me", "getMe", user(teams::get_me)),
        route(PATCH, "/v2/me", "updateMe", scoped(S::EVERYTHING, teams::update_me)),
        route(DELETE, "/v2/me", "deleteMe", scoped(S::EVERYTHING, me::delete)),
        route(POST, password, "changePassword", scoped(S::EVERYTHING, me::change_password)),
        route(GET, sessions, "listSessions", scoped(S::EVERYTHING, me::list_sessions)),
        route(DELETE, session, "endSession", scoped(S::EVERYTHING, me::end_session)),
    ]
}

/// Pages for people.
fn pages() -> Vec<Route> {
    let authorize = "/oauth/authorize";
    let welcome = "/console/welcome/{token}";
    vec![
        route(GET, welcome, "showWelcome", public(welcome::show)).speaking(&PAGE),
        route(POST, welcome, "submitWelcome", public(welcome::submit)).speaking(&PAGE),
        route(GET, authorize, "showOAuthAuthorization", public(authorize::show)).speaking(&PAGE),
        route(POST, authorize, "submitOAuthAuthorization", public(authorize::submit))
            .speaking(&PAGE),
    ]
}

/// Who may do what in a team, and who did.
fn administration() -> Vec<Route> {
    use Scope as S;
    let (all_members, one) =
        ("/v2/teams/{teamUuid}/members", "/v2/teams/{teamUuid}/members/{user}");
    let invitations = "/v2/teams/{teamUuid}/invitations";
    let invitation = "/v2/teams/{teamUuid}/invitations/{invitation}";
    let (all_tokens, token) =
        ("/v2/teams/{teamUuid}/tokens", "/v2/teams/{teamUuid}/tokens/{token}");
    let clients = "/v2/teams/{teamUuid}/oauth-clients";
    let client = "/v2/teams/{teamUuid}/oauth-clients/{client}";
    let rotate = "/v2/teams/{teamUuid}/oauth-clients/{client}/rotate-secret";
    let grants = "/v2/teams/{teamUuid}/oauth-grants";
    let grant = "/v2/teams/{teamUuid}/oauth-grants/{grant}";
    let log = "/v2/teams/{teamUuid}/audit-log";
    let (read, write) = (S::MEMBERS_READ, S::MEMBERS_WRITE);
    vec![
        route(GET, all_members, "listMembers", team(read, members::list)),
        route(PATCH, one, "updateMember", admin(write, members::update))
            .audited(Action::MemberRoleChanged),
        route(DELETE, one, "removeMember", admin(write, members::delete))
            .audited(Action::MemberRemoved),
        route(GET, invitations, "listInvitations", admin(read, invitations::list)),
        route(POST, invitations, "createInvitation", admin(write, invitations::create))
            .audited(Action::InvitationCreated),
        route(DELETE, invitation, "revokeInvitation", admin(write, invitations::delete))
            .audited(Action::InvitationRevoked),
        route(GET, all_tokens, "listTokens", admin(S::TOKENS_READ, tokens::list)),
        route(POST, all_tokens, "createToken", admin(S::TOKENS_WRITE, tokens::create))
            .audited(Action::TokenCreated),
        route(DELETE, token, "revokeToken", admin(S::TOKENS_WRITE, tokens::delete))
            .audited(Action::TokenRevoked),
        route(GET, clients, "listOAuthClients", admin(S::TOKENS_READ, oauth_clients::list)),
        route(POST, clients, "createOAuthClient", admin(S::TOKENS_WRITE, oauth_clients::create))
            .audited(Action::OAuthClientCreated),
        route(
            POST,
            rotate,
            "rotateOAuthClientSecret",
            admin(S::TOKENS_WRITE, oauth_clients::rotate),
        )
        .audited(Action::OAuthClientSecretRotated),
        route(DELETE, client, "deleteOAuthClient", admin(S::TOKENS_WRITE, oauth_clients::delete))
            .audited(Action::OAuthClientDeleted),
        route(GET, grants, "listOAuthGrants", admin(S::TOKENS_READ, oauth_grants::list)),
        route(DELETE, grant, "endOAuthGrant", admin(S::TOKENS_WRITE, oauth_grants::delete))
            .audited(Action::OAuthGrantEnded),
        route(GET, log, "listAuditLog", admin(S::LOGS_READ, audit_log::list)),
    ]
}

/// Carriers, accounts, shipments and their files.
fn shipments() -> Vec<Route> {
    use Scope as S;
    let accounts = "/v2/teams/{teamUuid}/carrier-accounts";
    let account = "/v2/teams/{teamUuid}/carrier-accounts/{account}";
    let (see, keep) = (S::CARRIER_ACCOUNTS_READ, S::CARRIER_ACCOUNTS_WRITE);
    let shipments = "/v2/teams/{teamUuid}/shipments";
    let shipment = "/v2/teams/{teamUuid}/shipments/{shipment}";
    let cancel = "/v2/teams/{teamUuid}/shipments/{shipment}/cancel";
    let documents = "/v2/teams/{teamUuid}/shipments/{shipment}/documents";
    let (read, write) = (S::SHIPMENTS_READ, S::SHIPMENTS_WRITE);
    let routes = "/v2/teams/{teamUuid}/routes";
    let (logo, icon) = ("/v2/carriers/{code}/logo.svg", "/v2/carriers/{code}/icon.svg");
    let file = "/files/{document}/{filename}";
    let preview = "/files/{document}/preview.png";
    vec![
        route(GET, "/v2/carriers", "listCarriers", scoped(S::CARRIERS_READ, carriers::list)),
        route(GET, "/v2/carriers/{code}", "getCarrier", scoped(S::CARRIERS_READ, carriers::show)),
        route(GET, logo, "getCarrierLogo", public(carriers::logo)),
        route(GET, icon, "getCarrierIcon", public(carriers::icon)),
        route(GET, routes, "listRoutes", team(S::ROUTES_READ, carriers::routes)),
        route(GET, accounts, "listCarrierAccounts", admin(see, accounts::list)),
        route(POST, accounts, "createCarrierAccount", admin(keep, accounts::create))
            .audited(Action::CarrierAccountCreated),
        route(GET, account, "getCarrierAccount", admin(see, accounts::show)),
        route(PATCH, account, "updateCarrierAccount", admin(keep, accounts::update))
            .audited(Action::CarrierAccountUpdated),
        route(DELETE, account, "deleteCarrierAccount", admin(keep, accounts::delete))
            .audited(Action::CarrierAccountDeleted),
        route(GET, shipments, "listShipments", team(read, shipments::list)),
        route(POST, shipments, "createShipment", team(write, shipments::create))
            .costing(Cost::WaitsForCarrier),
        route(GET, shipment, "getShipment", team(read, shipments::show)),
        route(DELETE, shipment, "deleteShipment", team(write, shipments::delete))
            .audited(Action::ShipmentDeleted),
        route(POST, cancel, "cancelShipment", team(write, shipments::cancel))
            .audited(Action::ShipmentCancelled),
        route(POST, documents, "recoverDocuments", team(write, shipments::recover_documents))
            .audited(Action::DocumentsRecovered),
        route(GET, file, "getFile", public(files::download)),
        route(HEAD, file, "headFile", public(files::download)),
        route(GET, preview, "getPreview", public(files::preview)),
        route(HEAD, preview, "headPreview", public(files::preview)),
    ]
}

/// Batches and their members.
fn batches() -> Vec<Route> {
    let (read, write) = (Scope::BOOKING_BATCHES_READ, Scope::BOOKING_BATCHES_WRITE);
    let all = "/teams/{teamUuid}/booking-batches";
    let one = "/teams/{teamUuid}/booking-batches/{batch}";
    let members = "/teams/{teamUuid}/booking-batches/{batch}/shipments";
    let start = "/teams/{teamUuid}/booking-batches/{batch}/start";
    let stop = "/teams/{teamUuid}/booking-batches/{batch}/stop";
    let rows = [
        both(GET, all, "listBookingBatches", || team(read, batches::list)),
        both(POST, all, "createBookingBatch", || team(write, batches::create)),
        both(GET, one, "getBookingBatch", || team(read, batches::show)),
        both(GET, members, "listBatchShipments", || team(read, batches::list_members)),
        both(POST, members, "addBatchShipments", || team(write, batches::add)),
        both(POST, start, "startBookingBatch", || team(write, batches::start))
            .map(|row| row.audited(Action::BatchStarted)),
        both(POST, stop, "stopBookingBatch", || team(write, batches::stop))
            .map(|row| row.audited(Action::BatchStopped)),
    ];
    rows.into_iter().flatten().collect()
}

/// Service points, rates and delivery options: what a booking is chosen by.
fn delivery_options() -> Vec<Route> {
    use Scope as S;
    let options = "/v2/teams/{teamUuid}/delivery-options";
    let points = "/v2/teams/{teamUuid}/service-points";
    let closest = "/v2/teams/{teamUuid}/service-points/closest";
    let point = "/v2/teams/{teamUuid}/service-points/{carrier}/{country}/{code}";
    let all = "/v2/teams/{teamUuid}/rates";
    let read = S::SERVICE_POINTS_READ;
    vec![
        route(POST, options, "listDeliveryOptions", team(S::DELIVERY_OPTIONS_READ, options::list))
            .costing(Cost::Much),
        route(GET, points, "listServicePoints", team(read, service_points::list)),
        route(GET, closest, "listClosestServicePoints", team(read, service_points::closest)),
        route(GET, point, "getServicePoint", team(read, service_points::show)),
        route(GET, all, "listRates", team(S::TEAMS_READ, rates::list)),
        route(PUT, all, "replaceRates", admin(S::TEAMS_WRITE, rates::replace))
            .costing(Cost::Much)
            .audited(Action::RatesReplaced),
    ]
}

/// Documents, whatever made them, manifests and reports.
fn documents() -> Vec<Route> {
    use Scope as S;
    let documents = "/beta/teams/{teamUuid}/documents";
    let document = "/beta/teams/{teamUuid}/documents/{document}";
    let merge = "/beta/teams/{teamUuid}/documents/merge";
    let manifests = "/beta/teams/{teamUuid}/manifests";
    let manifest = "/beta/teams/{teamUuid}/manifests/{manifest}";
    let reports = "/beta/teams/{teamUuid}/reports";
    let report = "/beta/teams/{teamUuid}/reports/{report}";
    let (read, write) = (S::DOCUMENTS_READ, S::DOCUMENTS_WRITE);
    vec![
        route(GET, documents, "listDocuments", team(read, documents::list)),
        route(GET, document, "getDocument", team(read, documents::show)),
        route(POST, merge, "mergeDocuments", team(write, documents::merge)).costing(Cost::Much),
        route(GET, manifests, "listManifests", team(read, manifests::list)),
        route(POST, manifests, "createManifest", team(write, manifests::create))
            .costing(Cost::Much),
        route(GET, manifest, "getManifest", team(read, manifests::show)),
        route(GET, reports, "listReports", team(read, reports::list)),
        route(POST, reports, "createReport", team(write, reports::create)),
        route(GET, report, "getReport", team(read, reports::show)),
    ]
}

/// Printers and what is printed on them.
fn printing() -> Vec<Route> {
    use Scope as S;
    let (printers, printer) =
        ("/teams/{teamUuid}/printers", "/teams/{teamUuid}/printers/{printer}");
    let (add, one) =
        ("/beta/teams/{teamUuid}/printers", "/beta/teams/{teamUuid}/printers/{printer}");
    let jobs = "/beta/teams/{teamUuid}/print-jobs";
    let job = "/beta/teams/{teamUuid}/print-jobs/{job}";
    let cancel = "/beta/teams/{teamUuid}/print-jobs/{job}/cancel";
    let (read, write) = (S::PRINT_JOBS_READ, S::PRINT_JOBS_WRITE);
    let mut routes = vec![
        route(POST, add, "createPrinter", admin(S::PRINTERS_WRITE, printers::create))
            .audited(Action::PrinterCreated),
        route(PATCH, one, "updatePrinter", admin(S::PRINTERS_WRITE, printers::update))
            .audited(Action::PrinterUpdated),
        route(DELETE, one, "deletePrinter", admin(S::PRINTERS_WRITE, printers::delete))
            .audited(Action::PrinterDeleted),
        route(GET, jobs, "listPrintJobs", team(read, print_jobs::list)),
        route(POST, jobs, "createPrintJob", team(write, print_jobs::create)),
        route(GET, job, "getPrintJob", team(read, print_jobs::show)),
        route(POST, cancel, "cancelPrintJob", team(write, print_jobs::cancel)),
    ];
    let read = S::PRINTERS_READ;
    routes.extend(both(GET, printers, "listPrinters", || team(read, printers::list)));
    routes.extend(both(GET, printer, "getPrinter", || team(read, printers::show)));
    routes
}

/// Print agents, and what they ask for themselves.
fn agents() -> Vec<Route> {
    let (read, write) = (Scope::PRINTERS_READ, Scope::PRINTERS_WRITE);
    let all = "/beta/teams/{teamUuid}/print-agents";
    let one = "/beta/teams/{teamUuid}/print-agents/{agent}";
    let code = "/beta/teams/{teamUuid}/print-agents/{agent}/registration-code";
    let sessions = "/beta/teams/{teamUuid}/print-agents/{agent}/sessions";
    let printers = "/beta/teams/{teamUuid}/print-agents/{agent}/printers";
    let claim = "/beta/teams/{teamUuid}/print-agents/{agent}/jobs/claim";
    let file = "/beta/teams/{teamUuid}/print-agents/{agent}/jobs/{job}/file";
    let reports = "/beta/teams/{teamUuid}/print-agents/{agent}/jobs/reports";
    vec![
        route(GET, all, "listPrintAgents", team(read, print_agents::list)),
        route(POST, all, "createPrintAgent", admin(write, print_agents::create))
            .audited(Action::PrintAgentCreated),
        route(GET, one, "getPrintAgent", team(read, print_agents::show)),
        route(PATCH, one, "updatePrintAgent", admin(write, print_agents::update))
            .audited(Action::PrintAgentUpdated),
        route(DELETE, one, "deletePrintAgent", admin(write, print_agents::delete))
            .audited(Action::PrintAgentRemoved),
        route(POST, code, "renewRegistrationCode", admin(write, print_agents::renew_code))
            .audited(Action::PrintAgentCodeRenewed),
        route(POST, REGISTER, "registerPrintAgent", public(agent_calls::register))
            .audited(Action::PrintAgentRegistered),
        route(POST, sessions, "openAgentSession", agent(agent_calls::open_session)),
        route(PUT, printers, "replaceAgentPrinters", agent(agent_calls::replace_printers)),
        route(POST, claim, "claimPrintJobs", agent(agent_calls::claim)),
        route(GET, file, "getPrintJobFile", agent(agent_calls::file)),
        route(POST, reports, "reportPrintJobs", agent(agent_calls::report)),
    ]
}

/// Webhooks and what was sent to them.
fn webhooks() -> Vec<Route> {
    let (read, write) = (Scope::WEBHOOKS_READ, Scope::WEBHOOKS_WRITE);
    let all = "/v2/teams/{teamUuid}/webhooks";
    let one = "/v2/teams/{teamUuid}/webhooks/{webhook}";
    let rotate = "/v2/teams/{teamUuid}/webhooks/{webhook}/rotate-secret";
    let test = "/v2/teams/{teamUuid}/webhooks/{webhook}/test";
    let replay = "/v2/teams/{teamUuid}/webhooks/{webhook}/replay";
    let deliveries = "/v2/teams/{teamUuid}/webhooks/{webhook}/deliveries";
    let retry = "/v2/teams/{teamUuid}/webhooks/{webhook}/deliveries/{delivery}/retry";
    vec![
        route(GET, all, "listWebhooks", admin(read, webhooks::list)),
        route(POST, all, "createWebhook", admin(write, webhooks::create))
            .audited(Action::WebhookCreated),
        route(GET, one, "getWebhook", admin(read, webhooks::show)),
        route(PATCH, one, "updateWebhook", admin(write, webhooks::update))
            .audited(Action::WebhookUpdated),
        route(DELETE, one, "deleteWebhook", admin(write, webhooks::delete))
            .audited(Action::WebhookDeleted),
        route(POST, rotate, "rotateWebhookSecret", admin(write, webhooks::rotate))
            .audited(Action::WebhookSecretRotated),
        route(POST, test, "testWebhook", admin(write, webhooks::test)),
        route(POST, replay, "replayWebhook", admin(write, webhooks::replay))
            .costing(Cost::Much)
            .audited(Action::WebhookReplayed),
        route(GET, deliveries, "listWebhookDeliveries", admin(read, webhooks::list_deliveries)),
        route(POST, retry, "retryWebhookDelivery", admin(write, webhooks::retry)),
    ]
}

/// Apps that act for users, and programs that act for a team.
fn oauth() -> Vec<Route> {
    let metadata = "/.well-known/oauth-authorization-server";
    vec![
        route(POST, "/oauth/token", "issueOAuthToken", public(oauth::issue)),
        route(POST, "/oauth/revoke", "revokeOAuthToken", public(oauth::revoke)),
        route(POST, "/oauth/introspect", "introspectOAuthToken", public(oauth::introspect))
            .speaking(&OF_SERVERS),
        route(GET, metadata, "getOAuthServerMetadata", public(oauth::metadata)),
    ]
}

/// Where parcels are.
fn tracking() -> Vec<Route> {
    let read = Scope::TRACKING_READ;
    let of_shipment = "/v2/teams/{teamUuid}/shipments/{shipment}/tracking";
    let (all, one) = ("/teams/{teamUuid}/tracking", "/teams/{teamUuid}/tracking/{tracking}");
    let feed = "/teams/{teamUuid}/tracking/events";
    let callback = "/carriers/{code}/callbacks/{account}";
    let mut routes = vec![
        route(GET, of_shipment, "getTracking", team(read, tracking::of_shipment)),
        route(POST, callback, "receiveCarrierCallback", public(tracking::receive))
            .speaking(&CARRIER),
    ];
    for rows in [
        both(GET, feed, "readTrackingEvents", || team(read, tracking::feed)),
        both(GET, one, "getTrackingByUuid", || team(read, tracking::show)),
        both(GET, all, "lookUpTracking", || team(read, tracking::look_up)),
    ] {
        routes.extend(rows);
    }
    routes
}
