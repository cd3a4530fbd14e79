//! Users, teams and tokens from the command line, as scripts and pipes meet them.

use std::path::Path;
use std::process::Stdio;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::backups::Demo;
use super::sign_in::set_password;
use super::{Folder, Server, complaint, json as parsed, run, waybill};
use crate::harness::socket;

fn made(folder: &Path, line: &str) -> Value {
    parsed(&run(folder, &line.split(' ').collect::<Vec<_>>()))
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sends_a_body_slowly_has_no_rights_that_ended_meanwhile() {
    let folder = Folder::new("slow-body");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let (demo, body) = (Demo::read(&folder.0), json!({"name": "kept", "scopes": ["*"]}));
    let path = demo.path("tokens");
    let made = server.post(&path, &demo.token, body.clone()).await;
    let of = |name: &str| made["data"][name].as_str().unwrap().to_owned();
    let (address, body) = (server.base_url.strip_prefix("http://").unwrap(), body.to_string());
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        of("token"),
        body.len()
    );
    stream.write_all(format!("{head}{{").as_bytes()).await.unwrap();
    // By then the server has seen who asks, and asks again.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let own = format!("{path}/{}", of("uuid"));
    server.ask("DELETE", &own, &demo.token, "").await.expect(204);
    stream.write_all(&body.as_bytes()[1..]).await.unwrap();
    socket::answer(&mut stream, "POST", &path).await.expect(401);
    assert!(server.stop());
}

#[test]
fn a_list_in_json_is_an_array_of_none_of_one_and_of_several() {
    let folder = Folder::new("lists");
    made(&folder.0, "user create --name Ada --email ada@x.example --json");
    let list = |line: &str| {
        let list = made(&folder.0, line);
        list.as_array().unwrap_or_else(|| panic!("{line} printed {list}")).len()
    };
    assert_eq!(list("team list --json"), 0);
    assert_eq!(list("token list --email ada@x.example --json"), 0);
    assert_eq!(list("user list --json"), 1);
    let team = made(&folder.0, "team create --name X --domain x.example --json");
    assert!(team.is_object(), "what was made is an object: {team}");
    assert_eq!(list("team list --json"), 1);
    assert_eq!(list("user list --json"), 2);
    assert_eq!(list("token list --email admin@x.example --json"), 1);
}

#[tokio::test]
async fn a_member_is_added_with_the_role_that_was_named() {
    let folder = Folder::new("roles");
    made(&folder.0, "team create --name X --domain x.example --json");
    made(&folder.0, "user create --name Ada --email ada@x.example --json");
    let token = made(&folder.0, "token create --email ada@x.example --json");
    let token = token["token"].as_str().unwrap();
    let server = Server::start(&folder.0, &[]);
    let add = "team add-member --domain x.example --email ada@x.example --json";
    for (line, role) in [
        (format!("{add} --role admin"), "admin"),
        (format!("{add} --role member"), "member"),
        (format!("{add} --role admin"), "admin"),
        (add.to_owned(), "admin"),
    ] {
        assert_eq!(made(&folder.0, &line)["role"], role);
        // Who calls is remembered for less than a second.
        tokio::time::sleep(std::time::Duration::from_millis(1000)).await;
        let me = server.get("/v2/me", token).await.expect(200).json();
        assert!(me.to_string().contains(&format!("\"role\":\"{role}\"")), "{line}: {me}");
    }
    for role in ["boss", ""] {
        let line: Vec<_> = add.split(' ').chain(["--role", role]).collect();
        let expected = format!("waybill: \"{role}\" is neither admin nor member");
        assert_eq!(complaint(&run(&folder.0, &line)), expected);
    }
}

#[tokio::test]
async fn what_commands_do_keeps_the_rules_of_the_api_and_is_in_the_audit_log() {
    let folder = Folder::new("audited");
    let team = made(&folder.0, "team create --name X --domain x.example --json");
    made(&folder.0, "team create --name Y --domain y.example --email admin@x.example --json");
    let user = "user create --name Ada --email ada@x.example --operator --json";
    let ada = made(&folder.0, user)["user_uuid"].clone();
    let member = "--domain x.example --email ada@x.example --json";
    made(&folder.0, &format!("team add-member {member}"));
    let outside = "token create --email ada@x.example --team y.example";
    let outside = complaint(&run(&folder.0, &outside.split(' ').collect::<Vec<_>>()));
    assert_eq!(outside, "waybill: the user is not in that team");
    let bound = made(&folder.0, "token create --email admin@x.example --team x.example --json");
    made(
        &folder.0,
        &format!("token revoke --uuid {} --json", bound["token_uuid"].as_str().unwrap()),
    );
    made(&folder.0, &format!("team add-member {member} --role admin"));
    made(&folder.0, &format!("team add-member {member} --role admin"));
    made(&folder.0, &format!("team remove-member {member}"));
    for line in ["remove-member", "add-member --role member"] {
        let line = format!("team {line} --domain x.example --email admin@x.example");
        let said = complaint(&run(&folder.0, &line.split(' ').collect::<Vec<_>>()));
        assert!(said.starts_with("waybill: the user is the team's only administrator"), "{said}");
    }
    let ended = made(&folder.0, "user operator --email ada@x.example --remove --json");
    assert_eq!(ended, json!({"user_uuid": ada, "is_operator": false}));
    let client = made(&folder.0, "client create --name App --team x.example --json");
    let client = client["client_id"].as_str().unwrap();
    made(&folder.0, &format!("client rotate-secret --client-id {client} --json"));
    made(&folder.0, &format!("client delete --client-id {client} --json"));
    let password = "correct horse battery";
    parsed(&set_password(&folder.0, "admin@x.example", password.as_bytes()));
    let server = Server::start(&folder.0, &[]);
    let (team, token) = (team["team_uuid"].as_str().unwrap(), team["token"].as_str().unwrap());
    let log = server.get(&format!("/v2/teams/{team}/audit-log"), token).await.expect(200).json();
    let lines = log["data"].as_array().unwrap();
    let done: Vec<&str> = lines.iter().rev().map(|it| it["action"].as_str().unwrap()).collect();
    let expected = [
        "team.created",
        "member.added",
        "token.created",
        // Of the other team's first token, which is good in this one too.
        "token.created",
        "member.added",
        "token.created",
        "token.revoked",
        "member.role_changed",
        "member.removed",
        "oauth_client.created",
        "oauth_client.secret_rotated",
        "oauth_client.deleted",
        "user.password_changed",
    ];
    assert_eq!(done, expected);
    assert!(!log.to_string().contains(password));
    let operator = json!({"type": "operator", "uuid": null, "name": "waybill"});
    assert!(
        lines.iter().all(|line| line["actor"] == operator && line["request_id"] == json!(null))
    );
}

#[test]
fn only_what_makes_the_first_user_or_team_makes_a_database() {
    let folder = Folder::new("missing");
    let uuid = "00000000-0000-7000-8000-000000000000";
    std::fs::write(folder.0.join("points.csv"), "carrier\n").unwrap();
    std::fs::write(folder.0.join("waybill.key"), format!("{}\n", "ab".repeat(32))).unwrap();
    for line in [
        "user list".to_owned(),
        "team list".to_owned(),
        "team add-member --domain x.example --email a@x.example".to_owned(),
        "team remove-member --domain x.example --email a@x.example".to_owned(),
        "token create --email a@x.example".to_owned(),
        "token list --email a@x.example".to_owned(),
        format!("token revoke --uuid {uuid}"),
        "import service-points points.csv".to_owned(),
        "import rates points.csv --team x.example".to_owned(),
        "key rewrap".to_owned(),
        "webhooks tail --team x.example".to_owned(),
        format!("why {uuid}"),
        "check".to_owned(),
    ] {
        let refused = run(&folder.0, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(
            complaint(&refused),
            "waybill: there is no Waybill database at waybill.db",
            "{line}"
        );
        assert!(!folder.0.join("waybill.db").exists(), "{line} made a database");
    }
    let first = run(&folder.0, &["user", "create", "--name", "A", "--email", "a@x.example"]);
    assert!(first.status.success());
    let told = String::from_utf8(first.stderr).unwrap();
    assert_eq!(told, "waybill: a new database was made at waybill.db\n");
    let second = run(&folder.0, &["user", "create", "--name", "B", "--email", "b@x.example"]);
    assert_eq!(second.stderr, b"");
}

#[test]
fn a_closed_pipe_ends_a_command_quietly() {
    let folder = Folder::new("pipe");
    made(&folder.0, "team create --name X --domain x.example --json");
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paper/tests/it/papers");
    std::fs::copy(papers.join("label.json"), folder.0.join("label.json")).unwrap();
    assert!(Server::start(&folder.0, &[]).stop(), "which makes the key");
    for line in [
        "token list --email admin@x.example",
        "token list --email admin@x.example --json",
        "user list",
        "team list",
        "check",
        "key list",
        "render label.json",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let arguments: Vec<_> = line.split(' ').collect();
        let output = waybill(&folder.0, &arguments).stdout(writer).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!((told.as_ref(), output.status.code()), ("", Some(128 + 13)), "{line}");
    }
    // A complaint that nobody hears does not panic either, which would end with 101.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut nobody = waybill(&folder.0, &["token", "list", "--email", "nobody@x.example"]);
    assert_eq!(nobody.stderr(writer).output().unwrap().status.code(), Some(1));
}

#[tokio::test]
async fn a_server_goes_on_when_nobody_reads_what_it_prints() {
    let folder = Folder::new("unread");
    made(&folder.0, "team create --name X --domain x.example --json");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let address = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap().to_string()
    };
    let serve = ["serve", "--demo", "--listen", &address];
    let mut child = waybill(&folder.0, &serve)
        .stdout(writer.try_clone().unwrap())
        .stderr(writer)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..600 {
        assert_eq!(child.try_wait().unwrap(), None, "the server ended");
        if std::net::TcpStream::connect(&address).is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let server = Server::of(child, &format!("http://{address}"));
    for _ in 0..3 {
        let body = server.get("/healthz", "").await.expect(200).json();
        assert_ne!(body, json!(null));
    }
    let mut server = server;
    assert!(server.stop());
}

/// Commands with a slip, the file that they read, and what they say.
const SLIPS: &[(&str, &str, &str)] = &[
    (
        "token create --email admin@x.example --scopes shipments:all",
        "",
        "--scopes: \"shipments:all\" is none of teams:read, ",
    ),
    (
        "token create --email admin@x.example --expires-in-days 0",
        "",
        "--expires-in-days: \"0\" is not a whole number from 1 to 36500",
    ),
    (
        "token create --email admin@x.example --expires-in-days -1",
        "",
        "--expires-in-days: \"-1\" is not",
    ),
    (
        "token create --email admin@x.example --expires-in-days 99999999",
        "",
        "--expires-in-days: \"99999999\" is not",
    ),
    ("render f.json", "", "f.json: this is not a JSON object"),
    ("render f.json", "hi", "f.json: this is not a JSON object"),
    ("render f.json", "{\"a\": 1}", "f.json: a is not a known field; type is required"),
    ("render f.zpl", "hi", "f.zpl: document is not ZPL"),
    ("render f.zpl --format pdf", "^XA^XZ", "--format: a ZPL file is shown as png"),
    ("render f.json --format docx", "{}", "--format: write pdf, zpl or png"),
    ("import rates . --team x.example", "", ".: this is a folder, and a file is needed"),
    ("import rates f.json --team x.example", "[1]", "f.json: this is not a JSON object as PUT"),
    ("import rates f.csv --team x.example", "", "f.csv: the file is empty"),
    (
        "import rates f.csv --team x.example",
        "service_code,zone\n",
        "f.csv: the first line has no heading from_weight",
    ),
    (
        "import rates f.csv --team x.example",
        "service_code;zone;price\nsandbox:home;DK;1\n",
        "f.csv: its columns must be separated by commas",
    ),
    (
        "import rates f.csv --team x.example",
        "service_code,zone,from_weight,to_weight,weight_unit,price,currency\nsandbox:home,DK,0,2,kg,39.00,DKK\n",
        "f.csv: entry 1: price 39.00: prices are whole numbers",
    ),
    (
        "import rates f.csv --team x.example",
        "service_code,zone,from_weight,to_weight,weight_unit,price,currency\nsandbox:home,DK,0,x,kg,3900,DKKK\n",
        "f.csv: entry 1: price.currency must be an ISO 4217",
    ),
    ("import service-points .", "", ".: this is a folder"),
    (
        "import service-points f.txt",
        "hi",
        "f.txt: entry 1: something stands between two entries (a JSON list",
    ),
    (
        "import service-points f.csv",
        "carrier;country;code\ndao;DK;1\n",
        "f.csv: its columns must be separated by commas",
    ),
];

#[test]
fn a_command_with_a_slip_says_where_it_is_and_what_to_write() {
    let folder = Folder::new("slips");
    made(&folder.0, "team create --name X --domain x.example --json");
    for (line, text, said) in SLIPS {
        let words: Vec<_> = line.split(' ').collect();
        if let Some(name) = words.iter().find(|word| word.starts_with("f.")) {
            std::fs::write(folder.0.join(name), text).unwrap();
        }
        let heard = complaint(&run(&folder.0, &words));
        assert!(heard.starts_with(&format!("waybill: {said}")), "{line}: {heard}");
    }
    let tokens = made(&folder.0, "token list --email admin@x.example --json");
    assert_eq!(tokens.as_array().unwrap().len(), 1, "none was made on the way");
}

#[test]
fn a_user_has_no_more_good_tokens_than_the_quota_allows() {
    let folder = Folder::new("tokens");
    std::fs::write(folder.0.join("waybill.toml"), "quotas = \"tokens=2\"\n").unwrap();
    let create = "token create --config waybill.toml --email admin@x.example --json";
    made(&folder.0, "team create --config waybill.toml --name X --domain x.example --json");
    let second = made(&folder.0, create);
    let full = "waybill: The user has 2 tokens, and that is the limit. Revoke one that is not \
                needed, or set a higher limit with --quotas.";
    let third = run(&folder.0, &create.split(' ').collect::<Vec<_>>());
    assert_eq!(complaint(&third), full);
    let team = "team create --config waybill.toml --name Y --domain y.example --email \
                admin@x.example";
    let team = run(&folder.0, &team.split(' ').collect::<Vec<_>>());
    assert_eq!(complaint(&team), full);
    let teams = made(&folder.0, "team list --json");
    assert_eq!(teams.as_array().unwrap().len(), 1, "what is refused leaves nothing behind");
    let uuid = second["token_uuid"].as_str().unwrap();
    made(&folder.0, &format!("token revoke --uuid {uuid} --json"));
    made(&folder.0, create);
}

#[test]
fn users_and_teams_are_renamed_and_deleted_by_the_rules_of_the_api() {
    let folder = Folder::new("deleted");
    let refused = |line: &str| complaint(&run(&folder.0, &line.split(' ').collect::<Vec<_>>()));
    made(&folder.0, "team create --name X --domain x.example --json");
    made(&folder.0, "user create --name Ada --email Ada@X.example --json");
    let named = made(&folder.0, "user rename --email ada@x.example --name Grace --json");
    assert_eq!(named["name"], "Grace");
    // A domain is found however it is written.
    let named = made(&folder.0, "team rename --domain X.EXAMPLE --name Books --json");
    assert_eq!(named["name"], "Books");
    assert_eq!(made(&folder.0, "team list --json")[0]["name"], "Books");
    made(&folder.0, "team add-member --domain X.example --email ADA@x.example --json");
    let again = "team add-member --domain x.example --email ada@x.example";
    let again = run(&folder.0, &again.split(' ').collect::<Vec<_>>());
    let said = String::from_utf8_lossy(&again.stderr);
    assert_eq!(said, "waybill: the user was a member already, and stays member\n");
    let said = refused("user delete --email admin@x.example");
    assert!(said.contains("only administrator of x.example"), "{said}");
    made(&folder.0, "user delete --email ada@x.example --json");
    let said = refused("user delete --email ada@x.example");
    assert_eq!(said, "waybill: there is no user ada@x.example");
    made(&folder.0, "team delete --domain X.example --json");
    assert_eq!(refused("team delete --domain x.example"), "waybill: there is no team x.example");
    assert_eq!(made(&folder.0, "team list --json"), json!([]));
    made(&folder.0, "user delete --email admin@x.example --json");
    assert_eq!(made(&folder.0, "user list --json"), json!([]));
    // Names, domains and addresses are free again.
    made(&folder.0, "team create --name X --domain x.example --json");
    let checked = run(&folder.0, &["check"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}
