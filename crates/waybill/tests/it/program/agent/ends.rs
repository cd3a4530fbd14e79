//! What ends an agent.

use super::{Program, Site, complaint, run, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_agent_on_the_same_spool_does_not_start() {
    let site = Site::on_sqlite("second").await;
    let uri = site.printer("");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let second = run(site.path(), &["agent", "--cups", "none"]);
    assert_eq!(second.status.code(), Some(1));
    assert!(complaint(&second).contains("another agent runs with this spool"));
    assert!(agent.child.try_wait().unwrap().is_none(), "the first one runs on");
    assert_eq!(agent.stop().await, Some(0));
    // A code for an agent that has one already is a mistake.
    let with_code = run(site.path(), &["agent", "--cups", "none", "--code", "WB-0000-0000-0000"]);
    assert_eq!(with_code.status.code(), Some(1));
    assert!(complaint(&with_code).contains("registered already, as \"Warehouse\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_was_removed_says_so_and_ends() {
    let site = Site::on_sqlite("removed").await;
    let uri = site.printer("");
    let mut agent = site.register(&[("Table", &uri)]).await;
    site.online("Table").await;
    let path = site.beta(&format!("print-agents/{}", site.agent_id));
    site.server().ask("DELETE", &path, &site.demo.token, "").await.expect(204);
    assert_eq!(agent.ended().await, Some(1));
    assert!(agent.has_said("this agent was removed"));
    let mut again = site.agent(&[("Table", &uri)]);
    assert_eq!(again.ended().await, Some(1));
    assert!(again.has_said("this agent was removed"));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_machine_that_registers_ends_the_token_of_the_first() {
    let site = Site::on_sqlite("replaced").await;
    let uri = site.printer("");
    let mut first = site.register(&[("Table", &uri)]).await;
    let path = site.beta(&format!("print-agents/{}/registration-code", site.agent_id));
    let code = site.server().ask("POST", &path, &site.demo.token, "").await.expect(200);
    let more = ["--server", site.line.url.as_str(), "--spool", "other"];
    let code = text(&code.at("/data/registration_code"));
    let mut second = Program::start(site.command(&[("Table", &uri)], &more), Some(&code));
    second.said("a session has begun").await;
    assert_eq!(first.ended().await, Some(1));
    assert!(first.has_said("was removed, or another machine has registered"));
    let printer = site.online("Table").await;
    let job = site.print(&printer).await;
    site.until(&job, &["printed"]).await;
    assert_eq!(second.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_is_told_wrongly_is_one_clear_line() {
    let site = Site::on_sqlite("flags").await;
    for (arguments, words) in [
        (&[][..], "say where the server is"),
        (&["--server", "http://example.com"], "--server: http://example.com is not encrypted"),
        (&["--server", "example.com"], "is not an address: write https://"),
        (&["--cups", "localhost"], "--cups: \"localhost\" is not the address of a CUPS server"),
        (&["--printer", "socket://a"], "--printer: \"socket://a\": write NAME=URI"),
        (&["--printer", "a=lpd://b"], "write ipp://…, ipps://…, socket://HOST:9100 or file:FOLDER"),
        (&["--trust", "nothing.pem"], "--trust: nothing.pem: "),
        (&["--trust", "demo.json"], "--trust: demo.json: this is not a file with certificates"),
        (&["--log", "info=loud"], "--log: "),
        (&["--server", &site.line.url, "--code", "WB-0000-0000-0000"], "does not take the code"),
        (&["status", "--spool", "nowhere"], "there is no spool in nowhere"),
    ] {
        let output = run(site.path(), &[&["agent"], arguments].concat());
        let line = complaint(&output);
        assert!(line.contains("waybill: ") && line.contains(words), "{arguments:?}: {line}");
    }
}
