//! OAuth clients as an operator makes them, the libraries that apps use, and servers that are
//! killed while they give tokens.

mod balancer;
mod kills;
mod libraries;
mod person;

use serde_json::{Value, json};
use waybill_store::testing::{Scratch, fresh};

use crate::harness::Database;
use crate::oauth::CALLBACK;

use super::{Folder, Server, complaint, json as parsed, run};

/// A folder with a database.
struct Installation {
    folder: Folder,
    scratch: Option<Scratch>,
}

impl Installation {
    async fn new(name: &str, database: Database) -> Installation {
        let folder = Folder::new(&format!("{name}-{database:?}"));
        let scratch = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                Some(tokio::task::spawn_blocking(move || fresh(database)).await.unwrap())
            }
        };
        Installation { folder, scratch }
    }

    fn url(&self) -> String {
        let path = || format!("sqlite:{}", self.folder.0.join("waybill.db").display());
        self.scratch.as_ref().map_or_else(path, |scratch| scratch.url.clone())
    }

    fn run(&self, line: &[&str]) -> std::process::Output {
        let url = self.url();
        run(&self.folder.0, &[line, &["--database", &url]].concat())
    }

    fn made(&self, line: &str) -> Value {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        parsed(&self.run(&words))
    }

    fn serve(&self) -> Server {
        let url = self.url();
        Server::start(&self.folder.0, &["--demo", "--database", &url])
    }

    fn demo(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.folder.0.join("demo.json")).unwrap()).unwrap()
    }

    /// The e-mail address and the password of the demo's administrator.
    fn administrator(&self) -> (String, String) {
        let demo = self.demo();
        let text = |name: &str| demo[name].as_str().unwrap().to_owned();
        (text("email"), text("password"))
    }

    /// Ends the scratch database outside the runtime.
    async fn remove(self) {
        tokio::task::spawn_blocking(move || drop(self)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_are_made_listed_rotated_revoked_and_deleted_beside_a_running_server() {
    let place = Installation::new("oauth-commands", Database::Sqlite).await;
    let server = place.serve();
    assert_eq!(place.made("client list"), json!([]));
    let create = "client create --name Till --team demo.example.com --scopes shipments:read";
    let own = place.made(&format!("{create} --role admin"));
    let secret = own["client_secret"].as_str().unwrap();
    assert!(secret.starts_with("wbs_") && secret.len() == 47, "{secret}");
    assert!(own["client_id"].as_str().is_some_and(|id| id.len() == 20 && id.starts_with("wbc_")));
    let listed = place.made("client list");
    assert_eq!(
        listed,
        json!([{"client_uuid": own["client_uuid"], "client_id": own["client_id"], "name": "Till",
            "is_public": false, "team_uuid": place.demo()["team_uuid"], "role": "admin",
            "redirect_uris": [], "scopes": "shipments:read",
            "created_at": listed[0]["created_at"], "last_used_at": null}])
    );
    let public = "client create --name Phone --public --redirect-uri com.example.app:/cb";
    let public = place.made(&format!("{public} --redirect-uri http://127.0.0.1/cb"));
    assert_eq!(public["client_secret"], Value::Null);
    assert_eq!(place.made("client list")[1]["role"], Value::Null);
    let id = own["client_id"].as_str().unwrap();
    let rotated = place.made(&format!("client rotate-secret --client-id {id} --now"));
    assert_ne!(rotated["client_secret"], own["client_secret"]);
    let ask = async |secret: &Value| {
        let form = format!(
            "grant_type=client_credentials&client_id={id}&client_secret={}",
            secret.as_str().unwrap()
        );
        server.post_form("/oauth/token", &form).await.status
    };
    assert_eq!(ask(&own["client_secret"]).await, 401);
    assert_eq!(ask(&rotated["client_secret"]).await, 200);
    let email = "--email admin@demo.example.com";
    place.made(&format!("client revoke --client-id {id} {email}"));
    place.made(&format!("client revoke --client-id {id}"));
    place.made(&format!("client delete --client-id {id}"));
    assert_eq!(ask(&rotated["client_secret"]).await, 401);
    let again = place.run(&["client", "delete", "--client-id", id]);
    assert_eq!(complaint(&again), format!("waybill: there is no client {id}"));
    assert_eq!(place.made("client list").as_array().unwrap().len(), 1);
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_makes_no_sense_is_refused_with_a_reason() {
    let place = Installation::new("oauth-refused", Database::Sqlite).await;
    place.made("team create --name X --domain x.example");
    let uri = ["--redirect-uri", CALLBACK];
    let team = ["--team", "x.example"];
    for (arguments, reason) in [
        (vec![], "give --team"),
        (vec!["--public"], "a public client needs a --redirect-uri"),
        ([vec!["--public"], uri.to_vec(), team.to_vec()].concat(), "--public and --team"),
        ([uri.to_vec(), vec!["--role", "admin"]].concat(), "--role is for clients with --team"),
        ([team.to_vec(), vec!["--role", "boss"]].concat(), "\"boss\" is neither admin nor member"),
        (vec!["--team", "y.example"], "there is no team y.example"),
        ([team.to_vec(), vec!["--scopes", ""]].concat(), "--scopes: name some"),
        ([team.to_vec(), vec!["--scopes", " "]].concat(), "--scopes: name some"),
        (
            [team.to_vec(), vec!["--scopes", "wms:raed"]].concat(),
            "--scopes: \"wms:raed\" is none of",
        ),
        (
            [team.to_vec(), vec!["--scopes", "operator:read"]].concat(),
            "operator:read is not for apps",
        ),
        (vec!["--redirect-uri", "http://example.com/cb"], "must begin with https://"),
        (vec!["--redirect-uri", "javascript:alert(1)"], "scheme of the app's own"),
        (vec!["--redirect-uri", "data:text/html,x"], "scheme of the app's own"),
        (vec!["--redirect-uri", "com.example.app:/cb"], "for public clients"),
        (vec!["--redirect-uri", "https://a.example/cb#x"], "fragment"),
        (vec!["--redirect-uri", "https://u:p@a.example/cb"], "has a user"),
        (vec!["--redirect-uri", ""], "not an absolute address"),
    ] {
        let line = [vec!["client", "create", "--name", "App"], arguments.clone()].concat();
        let told = complaint(&place.run(&line));
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
    let unnamed = place.run(&["client", "create", "--name", " ", "--team", "x.example"]);
    assert_eq!(complaint(&unnamed), "waybill: the name is empty");
    let empty = place.run(&["client", "revoke", "--client-id", "wbc_x", "--email", ""]);
    assert_eq!(complaint(&empty), "waybill: there is no client wbc_x");
    assert_eq!(place.made("client list"), json!([]));
}
