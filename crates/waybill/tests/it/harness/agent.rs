//! The other end of a print agent's line: it says what a test tells it to say.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::answers::send;
use super::{Ask, Reply, TestApp};

/// An agent that has registered.
#[derive(Clone)]
pub struct Agent {
    pub uuid: String,
    pub token: String,
    /// What its spool is called.
    pub instance: String,
    /// Its session, once it has one.
    pub session: String,
    /// Where agents are.
    pub base: String,
}

pub fn text(value: Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text")).to_owned()
}

impl Agent {
    /// A new agent of the app's team, with a token and no session.
    pub async fn registered(app: &TestApp, name: &str) -> Agent {
        let path = format!("/beta/teams/{}/print-agents", app.team);
        let body = json!({ "name": name }).to_string();
        let made = app.post(&path).admin().json(&body).send().await.expect(201);
        let instance = format!("spool of {name}");
        let code = text(made.at("/data/registration_code"));
        let registered = register(app, &code, &instance).await.expect(201);
        Agent {
            uuid: text(registered.at("/data/agent_uuid")),
            token: text(registered.at("/data/token")),
            instance,
            session: String::new(),
            base: path,
        }
    }

    /// An agent with a session and one printer, `zebra`, which takes PDF and ZPL.
    pub async fn ready(app: &TestApp, name: &str) -> (Agent, String) {
        let mut agent = Agent::registered(app, name).await;
        agent.open(app, json!([])).await;
        let list = agent.put_printers(app, json!([printer("zebra")])).await.expect(200);
        let printer = text(list.at("/data/0/uuid"));
        (agent, printer)
    }

    /// Asks for something in the agent's name.
    pub fn ask<'a>(&self, app: &'a TestApp, method: &str, rest: &str) -> Ask<'a> {
        app.ask(method, &self.path(rest)).token(&self.token)
    }

    pub fn path(&self, rest: &str) -> String {
        format!("{}/{}{rest}", self.base, self.uuid)
    }

    async fn say(&self, app: &TestApp, method: &str, rest: &str, body: Value) -> Reply {
        self.ask(app, method, rest).json(&body.to_string()).send().await
    }

    /// Begins a session, and keeps it.
    pub async fn open(&mut self, app: &TestApp, held: Value) -> Reply {
        let opened = self.try_open(app, held).await.expect(201);
        self.session = text(opened.at("/data/session"));
        opened
    }

    pub async fn try_open(&self, app: &TestApp, held: Value) -> Reply {
        let body = json!({"protocol": [1], "instance": self.instance, "version": "0.1.0",
            "hostname": "pack-1", "held": held});
        self.say(app, "POST", "/sessions", body).await
    }

    pub async fn put_printers(&self, app: &TestApp, printers: Value) -> Reply {
        let body = json!({"session": self.session, "printers": printers});
        self.say(app, "PUT", "/printers", body).await
    }

    pub async fn claim(&self, app: &TestApp, limit: i64, wait: i64) -> Reply {
        let body = json!({"session": self.session, "limit": limit, "wait_seconds": wait});
        self.say(app, "POST", "/jobs/claim", body).await
    }

    /// The same of another server on the same database.
    pub async fn say_to(&self, router: &Router, rest: &str, mut body: Value) -> Reply {
        body["session"] = json!(self.session);
        let request = Request::builder()
            .method("POST")
            .uri(self.path(rest))
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.token))
            .body(Body::from(body.to_string()));
        send(router, request.unwrap()).await
    }

    /// What it is offered now.
    pub async fn offers(&self, app: &TestApp) -> Vec<String> {
        let offers = self.claim(app, 50, 0).await.expect(200).at("/data");
        let offers = offers.as_array().unwrap().iter();
        offers.map(|offer| text(offer["uuid"].clone())).collect()
    }

    pub async fn file(&self, app: &TestApp, job: &str) -> Reply {
        self.ask(app, "GET", &format!("/jobs/{job}/file")).send().await
    }

    pub async fn try_report(&self, app: &TestApp, reports: Value) -> Reply {
        let body = json!({"session": self.session, "reports": reports});
        self.say(app, "POST", "/jobs/reports", body).await
    }

    /// Reports one state, and tells what became of that.
    pub async fn report(&self, app: &TestApp, job: &str, sequence: i64, state: &str) -> String {
        let report = report(app, job, sequence, state);
        let reply = self.try_report(app, json!([report])).await.expect(200);
        text(reply.at("/data/0/result"))
    }
}

/// Registers with a code.
pub async fn register(app: &TestApp, code: &str, instance: &str) -> Reply {
    let body =
        json!({"code": code, "hostname": "pack-1", "version": "0.1.0", "instance": instance});
    app.post("/beta/print-agents/register").json(&body.to_string()).send().await
}

/// A report as of now.
pub fn report(app: &TestApp, job: &str, sequence: i64, state: &str) -> Value {
    json!({"job_uuid": job, "sequence": sequence, "state": state, "message": null,
        "at": app.app.now().to_string()})
}

/// A printer of this key that takes PDF and ZPL.
pub fn printer(key: &str) -> Value {
    json!({"key": key, "name": format!("Printer {key}"), "state": "online",
        "formats": ["pdf", "zpl"], "paper_sizes": null, "copies_max": 9})
}
