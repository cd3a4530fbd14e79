//! The website in a path: one of the caller's teams, by its domain.

use waybill_domain::ids::TeamId;
use waybill_domain::words::Message;
use waybill_store::teams;

use crate::caller::{Caller, Member};
use crate::reply::ApiError;
use crate::request::Request;

/// The parameter that names it.
pub const TEAM: &str = "team";

/// The website that a request is for.
#[derive(Clone, Debug)]
pub struct Site {
    /// The caller in the website's team.
    pub member: Member,
    /// What URLs of this website begin with, in the spelling of the caller and without a slash at
    /// the end.
    pub prefix_url: String,
    /// Whether it works with the sandbox carrier.
    pub is_demo: bool,
}

impl Site {
    /// The website of a request, whose caller is in its team.
    pub fn of(request: &Request, member: Member) -> Site {
        // By the route and not by the path as it was sent, which may be encoded.
        let route = request.routes.as_ref().and_then(|routes| routes.first());
        let is_demo = route.is_some_and(|route| route.path.starts_with(DEMO));
        // `/api/v1/website/{team}` has four parts, and one more when it is for trying things out.
        let parts = if is_demo { 5 } else { 4 };
        let prefix: Vec<&str> = request.path.split('/').take(parts + 1).collect();
        let prefix_url = format!("{}{}", request.app.base_url(), clean(&prefix.join("/")));
        Site { member, prefix_url, is_demo }
    }

    /// The team's domain.
    pub fn domain<'a>(&self, request: &'a Request) -> Option<&'a str> {
        let own = request.who.as_ref()?.memberships();
        own.iter().find(|own| own.team == self.member.team).map(|own| own.domain.as_str())
    }
}

const DEMO: &str = "/api/v1/demo/";

/// A path as it was sent, without a slash at its end, and with whatever is not allowed in a URL in
/// percents.
pub fn clean(path: &str) -> String {
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut clean = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"/%-._~!$&'()*+,;=:@".contains(&b) => {
                clean.push(char::from(b));
            }
            b => clean.push_str(&format!("%{b:02X}")),
        }
    }
    clean
}

/// The team that a path names: by the exact domain, else with a leading `www.` added or removed.
/// The case of letters does not count. A team that the caller is not in looks like one that does
/// not exist. A path that names none is for whoever has one team.
pub async fn find_team(request: &Request, caller: &Caller) -> Result<TeamId, ApiError> {
    if !request.parameters.iter().any(|(name, _)| name == TEAM) {
        return only_team(caller);
    }
    let named = request.parameter(TEAM)?.to_lowercase();
    if request.path.starts_with("/api/v2/")
        && let Some(team) = TeamId::parse(&named)
    {
        return Ok(team);
    }
    if let Some(team) = own(caller, &named) {
        return Ok(team);
    }
    let alike = match named.strip_prefix("www.") {
        Some(bare) => bare.to_owned(),
        None => format!("www.{named}"),
    };
    let team = own(caller, &alike).ok_or(ApiError::NotFound)?;
    // Where the exact domain is somebody else's, that team is meant.
    let other = request.read(move |tx| teams::any_find_by_domain(tx, &named)).await?;
    match other {
        Some(_) => Err(ApiError::NotFound),
        None => Ok(team),
    }
}

/// The one team of the caller.
fn only_team(caller: &Caller) -> Result<TeamId, ApiError> {
    let mut own = caller.memberships().iter().filter(|own| caller.reaches(own.team));
    match (own.next(), own.next()) {
        (Some(only), None) => Ok(only.team),
        (None, _) => Err(ApiError::NotFound),
        (Some(_), Some(_)) => {
            Err(ApiError::invalid("website", Message::new("legacy-several-websites")))
        }
    }
}

/// The caller's own team with this domain.
fn own(caller: &Caller, domain: &str) -> Option<TeamId> {
    let mut own = caller.memberships().iter().filter(|own| caller.reaches(own.team));
    own.find(|own| own.domain == domain).map(|own| own.team)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_url_and_keeps_its_spelling() {
        assert_eq!(clean("/api/v1/website/Shop.DK/"), "/api/v1/website/Shop.DK");
        assert_eq!(clean("/a%20b/ø\"<"), "/a%20b/%C3%B8%22%3C");
    }
}
