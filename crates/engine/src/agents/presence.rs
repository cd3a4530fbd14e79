//! Whether an agent is heard. After a while of silence nothing is known of what it prints, and its
//! printers take nothing; as soon as it is heard again they are what it said last.

use std::time::Duration;

use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::printing::{AGENT_SILENCE_MAX, AgentNews, PrintProblem, PrintState, Seen};
use waybill_domain::time::Time;
use waybill_store::print_agents::{self, PrintAgent};
use waybill_store::{Error, Tx, jobs, print_jobs, printers};

use crate::app::App;
use crate::printing::{give_up_unsent, record};

/// A busy agent costs one write in this time.
const HEARD: Duration = Duration::from_secs(1);
/// Jobs that are given up at once.
const EXPIRED_MAX: i64 = 100;
/// While anything waits for an agent, or for news of one, it is looked after this often.
const LOOK: Duration = Duration::from_mins(10);

/// Whether it was noted a moment ago that the agent was heard.
pub fn is_heard(tx: &mut Tx<'_>, agent: &PrintAgent, now: Time) -> Result<bool, Error> {
    let now = tx.now(now)?;
    let is_recent = |at: Time| at <= now && now.since(at) < HEARD;
    Ok(agent.is_online && agent.seen_at.is_some_and(is_recent))
}

/// Notes that the agent was heard.
pub fn hear(tx: &mut Tx<'_>, team: TeamId, agent: &PrintAgent, now: Time) -> Result<(), Error> {
    if is_heard(tx, agent, now)? {
        return Ok(());
    }
    let seen_at = tx.now(now)?;
    print_agents::set_seen(tx, team, agent.id, seen_at)?;
    if !agent.is_online {
        print_agents::set_online(tx, team, agent.id, true, now)?;
        printers::restore_of_agent(tx, team, agent.id, now)?;
        watch(tx, team, agent.id, seen_at)?;
    }
    Ok(())
}

/// Somebody looks whether the agent is still heard, when it may not be any more.
pub(super) fn watch(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    seen_at: Time,
) -> Result<(), Error> {
    let at = seen_at.plus(AGENT_SILENCE_MAX);
    jobs::schedule(tx, JobKind::PrintAgent, agent.into(), Some(team), at)
}

/// What came of looking after an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookedAfter {
    /// When to look again; nothing when there is nothing to look after.
    pub next: Option<Duration>,
    /// Whether there is news of jobs.
    pub has_news: bool,
}

/// Gives up what waited for the agent for too long, and what is silent with it.
pub fn look_after(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: PrintAgentId,
    now: Time,
) -> Result<LookedAfter, Error> {
    let agent = print_agents::lock(tx, team, id)?;
    // A job may have been made while its agent was removed.
    let (until, problem) = match agent {
        Some(_) => (now, PrintProblem::Expired),
        None => (Time(i64::MAX), PrintProblem::PrinterRemoved),
    };
    let expired = print_jobs::list_expired(tx, team, id, until, EXPIRED_MAX)?;
    let has_news = !expired.is_empty();
    let is_full = i64::try_from(expired.len()).is_ok_and(|count| count >= EXPIRED_MAX);
    give_up_unsent(tx, app, team, expired, problem, now)?;
    let Some(agent) = agent.filter(|_| !is_full) else {
        return Ok(LookedAfter { next: is_full.then_some(Duration::ZERO), has_news });
    };
    let next = listen_for(tx, app, team, &agent, now)?;
    Ok(LookedAfter { next: next.next, has_news: has_news || next.has_news })
}

/// Sees whether the agent is still heard.
fn listen_for(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    agent: &PrintAgent,
    now: Time,
) -> Result<LookedAfter, Error> {
    let (id, shared) = (agent.id, tx.now(now)?);
    if agent.seen_at > Some(shared) {
        // By a clock that was ahead.
        print_agents::set_seen(tx, team, id, shared)?;
    }
    let silence = agent.seen_at.map_or(AGENT_SILENCE_MAX, |at| shared.since(at));
    let expires = print_jobs::next_expiry(tx, team, id)?.map(|at| at.since(now).min(LOOK));
    if agent.is_online && silence < AGENT_SILENCE_MAX {
        let until_silent = AGENT_SILENCE_MAX - silence;
        let next = expires.map_or(until_silent, |expires| expires.min(until_silent));
        return Ok(LookedAfter { next: Some(next), has_news: false });
    }
    if agent.is_online {
        print_agents::set_online(tx, team, id, false, now)?;
        printers::set_all_offline(tx, team, id, now)?;
    }
    let silent = follow_silent(tx, app, team, agent, now)?;
    Ok(LookedAfter { next: expires.or(silent.next), ..silent })
}

/// What a silent agent holds is not known any more.
fn follow_silent(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    agent: &PrintAgent,
    now: Time,
) -> Result<LookedAfter, Error> {
    let last = agent.seen_at.map(Time::to_the_second);
    let mut followed = LookedAfter { next: None, has_news: false };
    for job in print_jobs::list_held(tx, team, agent.id)? {
        let is_followed = matches!(job.state, PrintState::Queued | PrintState::Printing);
        if !is_followed && job.look_at > Some(now) {
            followed.next = Some(LOOK);
            continue;
        }
        let Some(job) = print_jobs::lock(tx, team, job.id)? else { continue };
        let seen = (Seen::Agent(AgentNews::Silent), last.as_deref());
        let is_waited_for = record(tx, app, team, &job, seen, now)?.look_at.is_some();
        followed.next = followed.next.or(is_waited_for.then_some(LOOK));
        followed.has_news = true;
    }
    Ok(followed)
}
