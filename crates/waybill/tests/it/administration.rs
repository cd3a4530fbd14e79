//! Who may do what in a team, given and taken by API, and the log of who did.

mod apps;
mod audit;
mod deleting;
mod invitations;
mod log;
mod me;
mod members;
mod profile;
mod tokens;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::time::Clock;
use waybill_store::members as stored;

use crate::harness::{Ask, Reply, TestApp};

/// The lines of the audit log, the newest first, as an administrator reads them.
pub async fn lines(app: &TestApp) -> Vec<Value> {
    let path = app.path("/audit-log?per_page=1000");
    let log = app.get(&path).admin().send().await.expect(200);
    log.at("/data").as_array().unwrap().clone()
}

/// The actions of the log, the oldest first.
async fn actions(app: &TestApp) -> Vec<String> {
    let lines = lines(app).await;
    lines.iter().rev().map(|line| line["action"].as_str().unwrap().to_owned()).collect()
}

/// A new member of the team: its id and a token that is good everywhere.
async fn newcomer(app: &TestApp, role: Role) -> (String, String) {
    let token = app.token_for(app.team, role, "*").await;
    (id_of(app, &token).await, token)
}

/// The user behind a token.
async fn id_of(app: &TestApp, token: &str) -> String {
    let me = app.get("/v2/me").token(token).send().await.expect(200);
    me.at("/data/uuid").as_str().unwrap().to_owned()
}

fn user(id: &str) -> UserId {
    UserId::parse(id).unwrap()
}

fn text(reply: &Reply, pointer: &str) -> String {
    reply.at(pointer).as_str().unwrap().to_owned()
}

/// A wish to give a member a role.
fn role<'a>(app: &'a TestApp, member: &str, role: &str) -> Ask<'a> {
    let body = json!({ "role": role }).to_string();
    app.patch(&app.path(&format!("/members/{member}"))).json(&body)
}

/// Makes a token as the team's administrator.
async fn make_token(app: &TestApp, body: Value) -> Reply {
    app.post(&app.path("/tokens")).admin().json(&body.to_string()).send().await
}

/// Puts a user into a team, as the command line does.
async fn join(app: &TestApp, team: TeamId, id: &str) {
    let (user, now) = (user(id), app.clock.now());
    let added = app.app.write(move |tx| stored::insert(tx, team, user, Role::Member, now));
    added.await.unwrap();
}

/// Gives a member another role, as another server does.
async fn set_role(app: &TestApp, id: &str, role: Role) {
    let (team, user, now) = (app.team, user(id), app.clock.now());
    app.app.write(move |tx| stored::insert(tx, team, user, role, now)).await.unwrap();
}
