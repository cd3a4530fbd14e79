//! Print agents, their printers, and jobs that wait for them.

use std::time::Duration;

use waybill_domain::ids::{DocumentId, EventId, PrintAgentId, PrintJobId, PrinterId};
use waybill_domain::printing::{Abilities, PrintSource, PrintState, PrintStep, Provider};
use waybill_domain::time::Time;
use waybill_store::print_agents::{self, NewSession, PrintAgent, Registration};
use waybill_store::print_jobs::{self, PrintJob, PrintTarget, Report};
use waybill_store::printers::{self, AgentPrinter, Printer};
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Store, Tx, documents, plans, statistics};

use crate::booking::{document, pdf};
use crate::checks::{rules, vandalise};
use crate::fixtures::{NOW, block_on, id, seconds, seed, team_id};

fn agent_id(number: u128) -> PrintAgentId {
    PrintAgentId(id(number))
}

fn printer(number: u128, agent: u128) -> Printer {
    Printer {
        id: PrinterId(id(number)),
        provider: Provider::Agent,
        name: format!("Printer {number}"),
        uri: None,
        agent: Some(AgentPrinter {
            agent: agent_id(agent),
            key: "zebra".to_owned(),
            name: format!("Printer {number}"),
            reported_online: Some(true),
        }),
        formats: None,
        abilities: Abilities::default(),
        is_online: true,
        tls_key: None,
        why_offline: None,
        misses: 0,
        looked_at: NOW,
        asked_at: NOW,
        created_at: NOW,
        updated_at: NOW,
    }
}

/// A job for the first agent's printer.
pub fn job(number: u128, expires_at: Time) -> PrintJob {
    PrintJob {
        id: PrintJobId(id(number)),
        document: DocumentId(id(1)),
        document_name: "label".to_owned(),
        document_types: "label".to_owned(),
        document_format: "pdf".to_owned(),
        document_pages: Some(1),
        shipment: None,
        target: Some(PrintTarget { printer: PrinterId(id(11)), name: "Printer 11".to_owned() }),
        copies: 1,
        source: PrintSource::Api,
        request_id: None,
        state: PrintState::Pending,
        failure: None,
        step: PrintStep::Ready,
        tries: 0,
        size_bytes: 4,
        expires_at,
        submission: 0,
        printer_job: None,
        sent_at: None,
        is_answered: false,
        silent_since: None,
        look_at: Some(NOW),
        created_at: NOW,
        queued_at: None,
        printed_at: None,
        updated_at: NOW,
        agent: Some(agent_id(1)),
        spool: None,
        sequence: 0,
    }
}

/// Two agents with a session and a printer each, and three jobs for the first, of which it holds
/// the last.
pub async fn filled(store: &Store) {
    seed(store).await;
    let fill = |tx: &mut Tx<'_>| {
        documents::insert(tx, team_id(1), &document(1), &pdf())?;
        for number in 1..=2 {
            let agent = PrintAgent::new(agent_id(number), format!("Agent {number}"), NOW);
            let code = [u8::try_from(number).unwrap(); 32];
            print_agents::insert(tx, team_id(1), &agent, (&code, NOW.plus(seconds(60))))?;
            let session = NewSession {
                id: id(100 + number),
                spool: "spool".to_owned(),
                hostname: "pack-1".to_owned(),
                version: "1".to_owned(),
            };
            print_agents::set_session(tx, team_id(1), agent.id, &session, (NOW, NOW))?;
            assert!(printers::insert(tx, team_id(1), &printer(10 + number, number))?);
        }
        for (number, seconds_left) in [(21, 60), (22, 30), (23, 60)] {
            let job = job(number, NOW.plus(seconds(seconds_left)));
            print_jobs::insert(tx, team_id(1), &job, EventId(id(200 + number)))?;
        }
        hold(tx, 23)
    };
    store.write(fill).await.unwrap();
}

/// The first agent has this job.
fn hold(tx: &mut Tx<'_>, number: u128) -> Result<(), Error> {
    let old = print_jobs::find(tx, team_id(1), PrintJobId(id(number)))?.unwrap();
    print_jobs::begin(tx, team_id(1), old.id, (1, 0), NOW)?;
    let new = PrintJob {
        state: PrintState::Queued,
        step: PrintStep::Watching,
        submission: 1,
        spool: Some("spool".to_owned()),
        sequence: 1,
        updated_at: NOW.plus(seconds(1)),
        ..old.clone()
    };
    print_jobs::change(tx, team_id(1), (old.state, &new), EventId(id(300 + number)))?;
    let (said, told_at) = (None, NOW);
    let report = Report { sequence: 1, state: "stored".to_owned(), said, told_at, taken_at: NOW };
    print_jobs::add_report(tx, team_id(1), new.id, &report)
}

fn numbers(jobs: &[PrintJob]) -> Vec<u128> {
    jobs.iter().map(|job| job.id.0.as_u128()).collect()
}

both! {
    async fn a_code_is_good_once_and_until_its_time_is_over(store) {
        filled(&store).await;
        let registration = |code: u8, token: u8| Registration {
            code: [code; 32],
            token: [token; 32],
            hostname: "pack-2".to_owned(),
            version: "2".to_owned(),
        };
        let register = async |code, token, now| {
            let new = registration(code, token);
            store.write(move |tx| print_agents::any_register(tx, &new, now)).await.unwrap()
        };
        assert_eq!(register(9, 1, NOW).await, None);
        assert_eq!(register(1, 1, NOW.plus(seconds(60))).await, None);
        let (team, agent, name) = register(1, 1, NOW.plus(seconds(59))).await.unwrap();
        assert_eq!((team, agent, name.as_str()), (team_id(1), agent_id(1), "Agent 1"));
        assert_eq!(register(1, 2, NOW).await, None);
        let found = store.read(|tx| print_agents::any_find_by_token(tx, &[1; 32])).await.unwrap();
        assert_eq!(found, Some((team_id(1), agent_id(1), ("en".to_owned(), "team1".to_owned()))));
        // Whoever had a session before has none any more, and is heard no more.
        let agent = store.read(|tx| print_agents::find(tx, team_id(1), agent_id(1))).await;
        let agent = agent.unwrap().unwrap();
        assert_eq!((agent.session, agent.is_online), (None, false));
        let quiet = |tx: &mut Tx<'_>| {
            printers::set_all_offline(tx, team_id(1), agent_id(1), NOW)?;
            print_agents::delete(tx, team_id(1), agent_id(2), NOW)?;
            printers::delete(tx, team_id(1), PrinterId(id(12)), NOW)
        };
        store.write(quiet).await.unwrap();
    }

    async fn a_key_is_one_printer_of_its_agent(store) {
        filled(&store).await;
        let again = store.write(|tx| printers::insert(tx, team_id(1), &printer(13, 1)));
        assert!(!again.await.unwrap());
        let removed = |tx: &mut Tx<'_>| {
            printers::delete(tx, team_id(1), PrinterId(id(11)), NOW)?;
            printers::insert(tx, team_id(1), &printer(13, 1))
        };
        assert!(store.write(removed).await.unwrap());
    }

    async fn what_waits_for_an_agent_is_found_by_its_age_and_what_it_holds_apart(store) {
        filled(&store).await;
        let look = |tx: &mut Tx<'_>| {
            let (team, agent, soon) = (team_id(1), agent_id(1), NOW.plus(seconds(30)));
            let offered = print_jobs::list_offered(tx, team, agent, NOW, 10)?;
            assert_eq!(numbers(&offered), [22, 21]);
            assert_eq!(numbers(&print_jobs::list_offered(tx, team, agent, NOW, 1)?), [22]);
            assert_eq!(numbers(&print_jobs::list_offered(tx, team, agent, soon, 10)?), [21]);
            assert_eq!(numbers(&print_jobs::list_expired(tx, team, agent, soon, 10)?), [22]);
            assert_eq!(numbers(&print_jobs::list_held(tx, team, agent)?), [23]);
            assert_eq!(print_jobs::next_expiry(tx, team, agent)?, Some(soon));
            for other in [agent_id(2), agent_id(3)] {
                assert!(print_jobs::list_offered(tx, team, other, NOW, 10)?.is_empty());
            }
            let stranger = print_jobs::list_offered(tx, team_id(2), agent, NOW, 10)?;
            assert!(stranger.is_empty());
            Ok::<_, Error>(())
        };
        store.read(look).await.unwrap();
    }

    async fn a_second_submission_of_what_an_agent_has_is_refused_by_the_database(store) {
        filled(&store).await;
        let again = |tx: &mut Tx<'_>| {
            print_jobs::begin(tx, team_id(1), PrintJobId(id(23)), (2, 0), NOW)
        };
        let refused = store.write(again).await;
        assert!(matches!(refused, Err(Error::Conflict(ref index)) if index == "one_live_submission"));
    }
}

#[tokio::test]
async fn what_agents_ask_for_is_found_by_an_index() {
    let scratch = fresh(Database::Sqlite);
    statistics::take();
    let ask = |tx: &mut Tx<'_>| {
        let (team, agent) = (team_id(1), agent_id(1));
        print_agents::any_find_by_token(tx, &[1; 32])?;
        print_agents::any_find_by_code(tx, &[1; 32], NOW)?;
        printers::list_of_agent(tx, team, agent)?;
        print_jobs::list_offered(tx, team, agent, NOW, 10)?;
        print_jobs::list_expired(tx, team, agent, NOW, 10)?;
        print_jobs::next_expiry(tx, team, agent)?;
        print_jobs::list_held(tx, team, agent).map(drop)
    };
    scratch.store.read(ask).await.unwrap();
    let statements: Vec<&'static str> = statistics::take().iter().map(|(sql, _)| *sql).collect();
    let mut found = Vec::new();
    for sql in statements.into_iter().filter(|sql| sql.starts_with("SELECT")) {
        let steps = scratch.store.read(move |tx| plans::any_explain(tx, sql)).await.unwrap();
        found.push(steps.join("; "));
    }
    let wanted = [
        "print_agent_token (token_hash=?)",
        "print_agent_code (code_hash=?)",
        "printer_key (team=? AND agent=?)",
        "print_job_offered (team=? AND agent=? AND expires_at>?)",
        "print_job_offered (team=? AND agent=? AND expires_at<?)",
        "print_job_offered (team=? AND agent=?)",
        "print_job_held (team=? AND agent=?)",
    ];
    for index in wanted {
        assert!(found.iter().any(|plan| plan.contains(index)), "{index}: {found:#?}");
    }
    let sorted = found.iter().filter(|plan| plan.contains("TEMP B-TREE")).count();
    // The printers of an agent are few, and are listed by their age.
    assert!(sorted <= 1, "{found:#?}");
}

#[test]
fn each_rule_about_agents_finds_what_breaks_it() {
    let cases = [
        (
            "UPDATE print_job SET spool = NULL WHERE step = 'watching'",
            "a job that a print agent has is held by its spool",
        ),
        (
            "UPDATE print_agent SET deleted_at = 1, is_online = FALSE;
          UPDATE printer SET is_online = FALSE",
            "a job that a print agent has is held by its spool",
        ),
        (
            "UPDATE print_job SET spool = 'x', sequence = 1 WHERE step = 'ready';
          INSERT INTO print_report SELECT team, id, 1, 'stored', NULL, 1, 1 FROM print_job
           WHERE step = 'ready'",
            "a job that is offered is in no spool",
        ),
        ("DELETE FROM print_report", "a job that a print agent has was reported by it"),
        (
            "UPDATE print_agent SET is_online = FALSE",
            "printers of a print agent that is not heard are offline",
        ),
    ];
    for database in [Database::Sqlite, Database::Postgres] {
        for (sql, rule) in cases {
            let scratch = fresh(database);
            block_on(filled(&scratch.store));
            assert_eq!(rules(&scratch, NOW), Vec::<&str>::new());
            vandalise(&scratch, sql);
            let found = rules(&scratch, NOW);
            assert!(!found.is_empty() && found.iter().all(|found| *found == rule), "{found:?}");
        }
        let scratch = fresh(database);
        block_on(filled(&scratch.store));
        let late = NOW.plus(Duration::from_secs(301));
        assert!(rules(&scratch, late).contains(&"a print agent that is online was heard"));
    }
}
