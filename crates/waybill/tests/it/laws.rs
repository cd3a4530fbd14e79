//! Laws that hold for every route, found by walking them all.

mod apps;
mod deleted;

use waybill_api::routes::{Access, Route, routes};
use waybill_domain::access::{Role, Scope};
use waybill_domain::token;

use crate::harness::agent::Agent;
use crate::harness::{CountingIds, Reply, TestApp, both};

/// An id that nothing has.
const NOBODY: &str = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";

/// An id of no team, and what no team is called.
const NO_TEAM: &str = "00000000-0000-0000-0000-00000000ffff";
const NO_UUID: &str = "not-a-uuid";

/// The route's path with the team's id and an id that nothing has. The older API has the domain
/// there.
fn fill(route: &Route, team: &str) -> String {
    let domain = if [NO_TEAM, NO_UUID].contains(&team) { team } else { "shop.example.com" };
    let mut path = route.path.replace("{teamUuid}", team).replace("{team}", domain);
    while let Some((before, rest)) = path.split_once('{') {
        let (_, after) = rest.split_once('}').unwrap();
        path = format!("{before}{NOBODY}{after}");
    }
    path
}

/// Whether the path names a team.
fn is_of_team(route: &Route) -> bool {
    route.path.contains("{teamUuid}") || route.path.contains("{team}")
}

fn is_protected(route: &Route) -> bool {
    route.handler.access() != Access::Public
}

fn is_agents(route: &Route) -> bool {
    route.handler.access() == Access::Agent
}

async fn send(app: &TestApp, route: &Route, team: &str, token: Option<&str>) -> Reply {
    let ask = app.ask(route.method.as_str(), &fill(route, team));
    let ask = match token {
        Some(token) => ask.token(token),
        None => ask,
    };
    ask.send().await
}

both! {
    async fn without_a_valid_token_every_protected_route_answers_401(app) {
        let team = app.team.to_string();
        let unknown = token::generate(&CountingIds::starting_at(99)).expose().clone();
        for route in routes().iter().filter(|route| is_protected(route)) {
            for token in [None, Some("junk"), Some(unknown.as_str()), Some("")] {
                let reply = send(&app, route, &team, token).await.expect(401);
                assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"));
            }
        }
    }

    // Rules: Service 3.
    async fn another_teams_token_gets_the_404_of_a_team_that_does_not_exist(app) {
        let (_, stranger) = app.team("other.example.com").await;
        let team = app.team.to_string();
        for route in routes().iter().filter(|route| is_protected(route) && is_of_team(route)) {
            let real = send(&app, route, &team, Some(&stranger)).await.expect(404);
            let absent = send(&app, route, NO_TEAM, Some(&stranger)).await.expect(404);
            let no_uuid = send(&app, route, NO_UUID, Some(&stranger)).await.expect(404);
            for other in [absent, no_uuid] {
                assert_eq!(real.bytes, other.bytes, "{}", route.path);
                let names = |reply: &Reply| {
                    let mut names: Vec<_> =
                        reply.headers.keys().map(|name| name.to_string()).collect();
                    names.sort();
                    names
                };
                assert_eq!(names(&real), names(&other), "{}", route.path);
            }
        }
    }

    async fn a_token_without_the_scope_gets_403_that_names_it(app) {
        let team = app.team.to_string();
        let bare = app.token_for(app.team, Role::Admin, "").await;
        for route in routes() {
            let scope = match route.handler.access() {
                Access::Public | Access::User | Access::Member => continue,
                Access::Agent => Scope::PRINT_AGENT,
                Access::Scoped(scope) | Access::Team(scope) | Access::Admin(scope) => scope,
            };
            let reply = send(&app, &route, &team, Some(&bare)).await.expect(403);
            let message = reply.at("/message").as_str().unwrap().to_owned();
            assert!(message.contains(&scope.to_string()), "{message}");
        }
    }

    async fn a_member_gets_403_where_an_administrator_is_asked_for(app) {
        let team = app.team.to_string();
        let mut walked = 0;
        for route in routes() {
            let reply = match route.handler.access() {
                Access::Admin(_) => send(&app, &route, &team, Some(&app.member)).await.expect(403),
                _ => continue,
            };
            assert!(!reply.bytes.is_empty());
            walked += 1;
        }
        assert!(walked > 10);
    }

    async fn the_right_token_passes_every_check(app) {
        let team = app.team.to_string();
        for route in routes().iter().filter(|route| is_protected(route) && !is_agents(route)) {
            let reply = send(&app, route, &team, Some(&app.admin)).await;
            let passed = !matches!(reply.status, 401 | 403 | 429) && reply.status != 500;
            assert!(passed, "{} {}: {}", route.method, route.path, reply.status);
        }
    }

    async fn a_print_agents_token_opens_its_own_calls_and_nothing_else(app) {
        let own = Agent::registered(&app, "Own").await;
        let other = Agent::registered(&app, "Other").await;
        let (stranger, _) = app.team("other.example.com").await;
        let (mut opened, mut closed) = (0, 0);
        for route in routes().iter().filter(|route| is_protected(route)) {
            let ask = |team: &str, agent: &str| {
                let path = fill(route, team).replace(NOBODY, agent);
                app.ask(route.method.as_str(), &path).token(&own.token).send()
            };
            let team = app.team.to_string();
            if is_agents(route) {
                let reply = ask(&team, &own.uuid).await;
                assert!(!matches!(reply.status, 401 | 403 | 429 | 500), "{}", route.path);
                let foreign = ask(&team, &other.uuid).await.expect(404);
                assert_eq!(foreign.bytes, ask(&team, NOBODY).await.expect(404).bytes);
                opened += 1;
            } else {
                let reply = ask(&team, &own.uuid).await.expect(403);
                assert!(reply.at("/message").as_str().is_some_and(|said| !said.is_empty()));
                closed += 1;
            }
            if route.path.contains("{teamUuid}") {
                ask(&stranger.to_string(), &own.uuid).await.expect(404);
            }
            if route.path.contains("{team}") {
                ask(NO_TEAM, &own.uuid).await.expect(404);
            }
        }
        assert!(opened == 5 && closed > 50, "{opened} {closed}");
    }

    async fn a_users_token_does_not_open_the_calls_of_print_agents(app) {
        let agent = Agent::registered(&app, "Own").await;
        for route in routes().iter().filter(|route| is_agents(route)) {
            let path = fill(route, &app.team.to_string()).replace(NOBODY, &agent.uuid);
            let reply = app.ask(route.method.as_str(), &path).admin().send().await.expect(403);
            assert!(reply.at("/message").as_str().unwrap().contains("print-agent"));
        }
    }
}
