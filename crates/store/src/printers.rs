//! Printers of a team. Those that an agent has are told of by the agent.

mod of_agents;

pub use of_agents::{AgentPrinter, list_of_agent, restore_of_agent, set_all_offline, set_reported};
use waybill_domain::document::Format;
use waybill_domain::ids::{PrintAgentId, PrinterId, TeamId};
use waybill_domain::json::parse;
use waybill_domain::printing::{Abilities, Intake, Provider};
use waybill_domain::time::Time;

use crate::{Error, FromRow, Result, Row, Tx};

/// A printer.
#[derive(Clone, PartialEq, Debug)]
pub struct Printer {
    /// Its id.
    pub id: PrinterId,
    /// Who speaks to it.
    pub provider: Provider,
    /// What people call it.
    pub name: String,
    /// Where it is, when this server calls it.
    pub uri: Option<String>,
    /// What it is to its agent, where it has one.
    pub agent: Option<AgentPrinter>,
    /// The hash of the key by which it is known again, when no authority vouches for it.
    pub tls_key: Option<String>,
    /// What the team says that it takes; otherwise that is derived from its abilities.
    pub formats: Option<Vec<Format>>,
    /// What it says of itself.
    pub abilities: Abilities,
    /// Whether it takes jobs, as far as is known.
    pub is_online: bool,
    /// Why it does not, in its own words where it has any.
    pub why_offline: Option<String>,
    /// Looks in a row that failed.
    pub misses: i64,
    /// When it was last looked at.
    pub looked_at: Time,
    /// When it was last asked for all that it says of itself.
    pub asked_at: Time,
    /// When it was added.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

impl Printer {
    /// A printer that this server calls, as it was just seen.
    pub fn new(
        id: PrinterId,
        (name, uri): (String, String),
        (is_online, abilities): (bool, Abilities),
        now: Time,
    ) -> Printer {
        Printer {
            id,
            provider: Provider::Ipp,
            name,
            uri: Some(uri),
            agent: None,
            tls_key: None,
            formats: None,
            abilities,
            is_online,
            why_offline: None,
            misses: 0,
            looked_at: now,
            asked_at: now,
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether nobody knows yet what it takes: its agent has told of it, but has not
    /// reached it.
    pub fn is_unmet(&self) -> bool {
        let is_reached = |own: &AgentPrinter| own.reported_online == Some(true);
        let is_told_of = self.agent.as_ref().is_some_and(|own| !is_reached(own));
        is_told_of && self.formats.is_none() && self.abilities.types.is_empty()
    }

    /// What it takes.
    pub fn intake(&self) -> Intake<'_> {
        Intake { abilities: &self.abilities, formats: self.formats.as_deref() }
    }
}

impl FromRow for Printer {
    fn from_row(row: &mut Row<'_>) -> Result<Printer> {
        let id: PrinterId = row.next()?;
        let of = ("printer", id.into());
        let broken = |what: &str| Error::Broken(format!("printer {id}: its {what} cannot be read"));
        Ok(Printer {
            id,
            provider: row.word(of, "provider", Provider::parse)?,
            name: row.next()?,
            uri: row.next()?,
            agent: {
                let agent: Option<PrintAgentId> = row.next()?;
                let (key, name): (Option<String>, Option<String>) = (row.next()?, row.next()?);
                let reported_online = row.next()?;
                agent.map(|agent| AgentPrinter {
                    agent,
                    key: key.unwrap_or_default(),
                    name: name.unwrap_or_default(),
                    reported_online,
                })
            },
            tls_key: row.next()?,
            formats: match row.next::<Option<String>>()? {
                None => None,
                Some(names) => Some(read_formats(&names).ok_or_else(|| broken("formats"))?),
            },
            abilities: {
                let text: String = row.next()?;
                parse(text.as_bytes())
                    .map_or_else(|_| Abilities::default(), |json| Abilities::from_json(&json))
            },
            is_online: row.next()?,
            why_offline: row.next()?,
            misses: row.next()?,
            looked_at: row.next()?,
            asked_at: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, provider, name, uri, agent, agent_key, agent_name, reported_online, tls_key,
                    formats, abilities, is_online, why_offline, misses, looked_at, asked_at,
                    created_at, updated_at
               FROM printer ",
            $($rest),+
        )
    };
}

use select;

/// Adds a printer. False when the team has another one at that address, or the agent has another
/// one by that key.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let added = tx.exec(
        "INSERT INTO printer (team, id, provider, name, uri, formats, abilities, is_online, misses,
                              looked_at, asked_at, created_at, updated_at, agent, agent_key,
                              agent_name, reported_online, tls_key, why_offline)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                 $19)
         ON CONFLICT DO NOTHING",
        &[
            team.into(),
            printer.id.into(),
            printer.provider.name().into(),
            (&printer.name).into(),
            printer.uri.as_deref().into(),
            format_names(printer.formats.as_deref()).into(),
            printer.abilities.to_json().to_string().into(),
            printer.is_online.into(),
            printer.misses.into(),
            printer.looked_at.into(),
            printer.asked_at.into(),
            printer.created_at.into(),
            printer.updated_at.into(),
            printer.agent.as_ref().map(|own| own.agent).into(),
            printer.agent.as_ref().map(|own| own.key.as_str()).into(),
            printer.agent.as_ref().map(|own| own.name.as_str()).into(),
            printer.agent.as_ref().and_then(|own| own.reported_online).into(),
            printer.tls_key.as_deref().into(),
            printer.why_offline.as_deref().into(),
        ],
    )?;
    Ok(added == 1)
}

/// Writes everything of a printer that can change. False when it is gone.
pub fn update(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let changed = tx.exec(
        "UPDATE printer SET name = $3, uri = $4, formats = $5, abilities = $6, is_online = $7,
                            misses = $8, looked_at = $9, asked_at = $10, updated_at = $11,
                            tls_key = $12, why_offline = $13
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[
            team.into(),
            printer.id.into(),
            (&printer.name).into(),
            printer.uri.as_deref().into(),
            format_names(printer.formats.as_deref()).into(),
            printer.abilities.to_json().to_string().into(),
            printer.is_online.into(),
            printer.misses.into(),
            printer.looked_at.into(),
            printer.asked_at.into(),
            printer.updated_at.into(),
            printer.tls_key.as_deref().into(),
            printer.why_offline.as_deref().into(),
        ],
    )?;
    Ok(changed == 1)
}

/// Writes what the team chooses of a printer, and when it has to be asked about that. False when it
/// is gone.
pub fn set_choices(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let changed = tx.exec(
        "UPDATE printer SET name = $3, formats = $4, updated_at = $5, asked_at = $6
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[
            team.into(),
            printer.id.into(),
            (&printer.name).into(),
            format_names(printer.formats.as_deref()).into(),
            printer.updated_at.into(),
            printer.asked_at.into(),
        ],
    )?;
    Ok(changed == 1)
}

/// Writes what a look at a printer showed. False when it is gone, or somewhere else by now, or has
/// another key.
pub fn set_state(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let changed = tx.exec(
        "UPDATE printer SET abilities = $3, is_online = $4, misses = $5, looked_at = $6,
                            asked_at = $7, updated_at = $8, why_offline = $11
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL AND COALESCE(uri, '') = $9
            AND COALESCE(tls_key, '') = $10",
        &[
            team.into(),
            printer.id.into(),
            printer.abilities.to_json().to_string().into(),
            printer.is_online.into(),
            printer.misses.into(),
            printer.looked_at.into(),
            printer.asked_at.into(),
            printer.updated_at.into(),
            printer.uri.as_deref().unwrap_or_default().into(),
            printer.tls_key.as_deref().unwrap_or_default().into(),
            printer.why_offline.as_deref().into(),
        ],
    )?;
    Ok(changed == 1)
}

/// A printer that the team has.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: PrinterId) -> Result<Option<Printer>> {
    tx.one(select!("WHERE team = $1 AND id = $2 AND deleted_at IS NULL"), &[team.into(), id.into()])
}

/// A printer that the team has or had: its jobs are followed to their end.
pub fn find_with_removed(tx: &mut Tx<'_>, team: TeamId, id: PrinterId) -> Result<Option<Printer>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// The team's printer at this address.
pub fn find_at(tx: &mut Tx<'_>, team: TeamId, uri: &str) -> Result<Option<Printer>> {
    tx.one(
        select!("WHERE team = $1 AND uri = $2 AND deleted_at IS NULL"),
        &[team.into(), uri.into()],
    )
}

/// All printers that the team has, the oldest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<Printer>> {
    tx.all(select!("WHERE team = $1 AND deleted_at IS NULL ORDER BY id"), &[team.into()])
}

/// Removes a printer; its row stays. False when there is none.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: PrinterId, now: Time) -> Result<bool> {
    let removed = tx.exec(
        "UPDATE printer SET deleted_at = $3, updated_at = $3
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into(), now.into()],
    )?;
    Ok(removed == 1)
}

/// How many printers there are of each provider, online and offline, over all teams.
pub fn any_count(tx: &mut Tx<'_>) -> Result<Vec<(Provider, bool, i64)>> {
    let counts: Vec<(String, bool, i64)> = tx.all(
        "SELECT provider, is_online, count(*) FROM printer WHERE deleted_at IS NULL
          GROUP BY provider, is_online",
        &[],
    )?;
    let known = |(name, is_online, count): (String, bool, i64)| {
        Some((Provider::parse(&name)?, is_online, count))
    };
    Ok(counts.into_iter().filter_map(known).collect())
}

/// Removes the rows of printers that were removed before this time and that no job names.
pub fn any_delete_removed(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM printer WHERE (team, id) IN (
           SELECT team, id FROM printer AS gone
            WHERE deleted_at < $1
              AND NOT EXISTS (SELECT 1 FROM print_job AS job
                               WHERE job.team = gone.team AND job.printer = gone.id)
            LIMIT $2)",
        &[before.into(), limit.into()],
    )
}

fn format_names(formats: Option<&[Format]>) -> Option<String> {
    let names = |formats: &[Format]| {
        formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(" ")
    };
    formats.map(names)
}

fn read_formats(names: &str) -> Option<Vec<Format>> {
    names.split_whitespace().map(Format::parse).collect()
}
