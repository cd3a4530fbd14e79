//! What the authorization server says of itself (RFC 8414).

use axum::http::{StatusCode, header};
use waybill_domain::access::Scope;
use waybill_domain::json::Json;
use waybill_domain::oauth::GrantType;

use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `GET /.well-known/oauth-authorization-server`
pub async fn metadata(request: Request) -> Result<Reply, ApiError> {
    let base_url = request.app.base_url();
    let url = |path: &str| Json::from(format!("{base_url}{path}"));
    let list = |words: &[&str]| Json::list(words.iter().map(|word| Json::from(*word)));
    let methods = ["client_secret_basic", "client_secret_post", "none"];
    let scopes = Scope::for_apps().map(Json::text).chain([Json::from("*")]);
    let body = Json::object([
        ("issuer", base_url.into()),
        ("authorization_endpoint", url("/oauth/authorize")),
        ("token_endpoint", url("/oauth/token")),
        ("revocation_endpoint", url("/oauth/revoke")),
        ("introspection_endpoint", url("/oauth/introspect")),
        ("service_documentation", url("/docs")),
        ("scopes_supported", Json::list(scopes)),
        ("response_types_supported", list(&["code"])),
        ("response_modes_supported", list(&["query"])),
        ("grant_types_supported", list(GrantType::NAMES)),
        ("code_challenge_methods_supported", list(&["S256"])),
        ("token_endpoint_auth_methods_supported", list(&methods)),
        ("revocation_endpoint_auth_methods_supported", list(&methods)),
        ("introspection_endpoint_auth_methods_supported", list(&methods[..2])),
        ("authorization_response_iss_parameter_supported", true.into()),
    ]);
    let reply = Reply::json(StatusCode::OK, body);
    Ok(reply.header(header::CACHE_CONTROL, "public, max-age=3600"))
}
