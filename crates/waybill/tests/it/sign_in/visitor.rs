//! A browser without a screen: it keeps cookies and sends the forms that it was shown.

use std::collections::BTreeMap;

use axum::body::Body;
use waybill_domain::ids::{OAuthClientId, TeamId, UserId};
use waybill_domain::password::Password;
use waybill_domain::time::Clock;
use waybill_domain::token;
use waybill_engine::passwords;
use waybill_store::members::Role;
use waybill_store::oauth::clients::{self, Client};
use waybill_store::{Error, Tx, members, passwords as stored, users};

use crate::harness::{Reply, TestApp};

pub const EMAIL: &str = "ada@shop.example.com";
pub const PASSWORD: &str = "correct horse battery staple";
pub const HOME: &str = "https://app.example.com/callback";
/// The example of RFC 7636.
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const PATH: &str = "/oauth/authorize";

pub type Fields = Vec<(String, String)>;

/// Names and values as fields.
pub fn fields(pairs: &[(&str, &str)]) -> Fields {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub fn encoded(fields: &Fields) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// What is in a query.
pub fn decoded(query: &str) -> BTreeMap<String, String> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// A request that nothing is wrong with.
pub fn request(client_id: &str) -> Fields {
    fields(&[
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", HOME),
        ("scope", "shipments:read wms:read"),
        ("state", "x y&z=ø"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ])
}

/// The same with another value, or without the parameter.
pub fn with(all: &Fields, name: &str, value: Option<&str>) -> Fields {
    let mut all = all.clone();
    all.retain(|(other, _)| other != name);
    all.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    all
}

/// A user with a password, in one team.
pub async fn add_user(app: &TestApp, email: &str, password: Option<&str>) -> UserId {
    let (id, now, team) = (UserId(app.app.new_uuid()), app.clock.now(), app.team);
    let user = users::User {
        id,
        name: "Ada Jensen".to_owned(),
        email: email.to_owned(),
        language: "da".to_owned(),
        is_operator: false,
        created_at: now,
    };
    let hash = password.map(|password| {
        passwords::hash(&Password::typed(password), app.app.ids().as_ref()).unwrap()
    });
    let add = move |tx: &mut Tx<'_>| {
        users::insert(tx, &user)?;
        members::insert(tx, team, id, Role::Member, now)?;
        if let Some(hash) = &hash {
            stored::any_set(tx, id, hash, now)?;
        }
        Ok::<_, Error>(())
    };
    app.app.write(add).await.unwrap();
    id
}

pub async fn join(app: &TestApp, user: UserId, team: TeamId) {
    let now = app.clock.now();
    let join = move |tx: &mut Tx<'_>| members::insert(tx, team, user, Role::Member, now);
    app.app.write(join).await.unwrap();
}

/// An app that asks people for consent. Tells what it calls itself.
pub async fn add_client(app: &TestApp, name: &str, redirect_uris: &[&str]) -> String {
    let client_id = token::generate_client_id(app.app.ids().as_ref());
    let client = Client {
        id: OAuthClientId(app.app.new_uuid()),
        client_id: client_id.clone(),
        name: name.to_owned(),
        is_public: true,
        secret_hash: None,
        team: None,
        role: None,
        scopes: "shipments:read shipments:write wms:read".to_owned(),
        redirect_uris: redirect_uris.iter().map(|&uri| uri.to_owned()).collect(),
        created_at: app.clock.now(),
        last_used_at: None,
    };
    app.app.write(move |tx| clients::insert(tx, &client)).await.unwrap();
    client_id
}

/// A browser.
pub struct Visitor<'a> {
    app: &'a TestApp,
    pub cookies: BTreeMap<String, String>,
    headers: Vec<(&'static str, String)>,
}

impl<'a> Visitor<'a> {
    pub fn new(app: &'a TestApp) -> Visitor<'a> {
        Visitor { app, cookies: BTreeMap::new(), headers: Vec::new() }
    }

    /// One that sends this header too.
    pub fn sending(mut self, name: &'static str, value: &str) -> Visitor<'a> {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        let mut ask = self.app.get(path);
        for (name, value) in self.all_headers() {
            ask = ask.header(&name, value);
        }
        let reply = ask.send().await;
        self.keep_cookies(&reply);
        reply
    }

    /// The page for this request.
    pub async fn open(&mut self, request: &Fields) -> Reply {
        self.get(&format!("{PATH}?{}", encoded(request))).await
    }

    pub async fn post(&mut self, form: &Fields) -> Reply {
        self.post_to(PATH, form).await
    }

    /// Sends the form of a page.
    pub async fn post_to(&mut self, path: &str, form: &Fields) -> Reply {
        let mut ask = self.app.post(path);
        ask = ask.header("content-type", "application/x-www-form-urlencoded");
        for (name, value) in self.all_headers() {
            ask = ask.header(&name, value);
        }
        let reply = ask.body(Body::from(encoded(form))).send().await;
        self.keep_cookies(&reply);
        reply
    }

    /// Opens the page and sends its form with an e-mail address and a password.
    pub async fn sign_in(&mut self, request: &Fields, email: &str, password: &str) -> Reply {
        let page = self.open(request).await.expect(200);
        let typed = fields(&[("email", email), ("password", password)]);
        self.post(&[form(&page, "password"), typed].concat()).await
    }

    /// Signs Ada in and opens the consent page.
    pub async fn consent_page(&mut self, request: &Fields) -> Reply {
        self.sign_in(request, EMAIL, PASSWORD).await.expect(303);
        self.open(request).await.expect(200)
    }

    fn all_headers(&self) -> Vec<(String, String)> {
        let mut headers: Vec<_> =
            self.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            headers.push(("cookie".to_owned(), cookies.join("; ")));
        }
        headers
    }

    fn keep_cookies(&mut self, reply: &Reply) {
        for line in reply.headers.get_all("set-cookie") {
            let line = line.to_str().unwrap();
            let (pair, attributes) = line.split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            match attributes.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }
}

/// The text of a page.
pub fn html(reply: &Reply) -> String {
    assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
    String::from_utf8(reply.bytes.clone()).unwrap()
}

/// The hidden fields of the form of a page that has this field or button.
pub fn form(reply: &Reply, with: &str) -> Fields {
    form_to(reply, with, "/oauth/authorize")
}

/// The same of a form that leads elsewhere.
pub fn form_to(reply: &Reply, with: &str, action: &str) -> Fields {
    let html = html(reply);
    let mut forms = html.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap());
    let form = forms.find(|form| form.contains(&format!("name=\"{with}\"")));
    let form = form.unwrap_or_else(|| panic!("no form with {with} in {html}"));
    let start = format!(" method=\"post\" action=\"{action}\">");
    assert!(form.starts_with(&start), "{form}");
    let inputs = form.split("<input").skip(1).map(|input| input.split('>').next().unwrap());
    let hidden = inputs.filter(|input| input.contains("type=\"hidden\""));
    hidden.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect()
}

/// An attribute of an element, as the browser reads it.
pub fn attribute(element: &str, name: &str) -> String {
    let value = element.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
    let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&amp;", "&")
}

/// Where a reply leads: the address, and what is told there.
pub fn way_back(reply: &Reply) -> (String, BTreeMap<String, String>) {
    assert_eq!(reply.status, 303, "{}", String::from_utf8_lossy(&reply.bytes));
    let location = reply.header("location").unwrap();
    let (address, query) = location.split_once('?').unwrap();
    (address.to_owned(), decoded(query))
}
