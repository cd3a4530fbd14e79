//! The printers that an agent has. It tells of all of them at once.

use waybill_domain::document::Format;
use waybill_domain::ids::{PrintAgentId, PrinterId, TeamId};
use waybill_domain::printing::{Abilities, PaperSize, Provider};
use waybill_domain::quota::Quota;
use waybill_domain::time::Time;
use waybill_store::printers::{self, AgentPrinter, Printer};
use waybill_store::{Error, Tx, quotas};

use super::AgentError;
use crate::app::App;

/// A printer as its agent tells of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedPrinter {
    /// What the agent knows it by.
    pub key: String,
    /// What it is called there.
    pub name: String,
    /// Whether it takes jobs.
    pub is_online: bool,
    /// What it takes.
    pub formats: Vec<Format>,
    /// The papers that it names; nothing when it does not speak of papers.
    pub sizes: Option<Vec<PaperSize>>,
    /// How many copies it makes of a document.
    pub copies_max: Option<i64>,
}

impl ReportedPrinter {
    fn abilities(&self) -> Abilities {
        let types = self.formats.iter().map(|format| format.media_type().to_owned());
        Abilities {
            types: types.collect(),
            sizes: self.sizes.clone(),
            copies_max: self.copies_max,
            has_create_job: true,
            ..Abilities::default()
        }
    }

    /// What it takes by this report. An agent that begins anew while the printer is off does not
    /// know yet what it takes: what was known before still counts.
    fn abilities_after(&self, known: &Abilities) -> Abilities {
        match self.formats.is_empty() && !self.is_online {
            true => known.clone(),
            false => self.abilities(),
        }
    }
}

/// From now on the agent has these printers and no others. Those that it does not tell of any more
/// are offline. What a printer is called is changed by an agent only while nobody else has renamed
/// it. The printers are in the order of the list.
pub fn replace(
    tx: &mut Tx<'_>,
    app: &App,
    (team, agent): (TeamId, PrintAgentId),
    reported: &[ReportedPrinter],
    now: Time,
) -> Result<Vec<Printer>, AgentError> {
    let mut known = printers::list_of_agent(tx, team, agent)?;
    let mut all = Vec::new();
    for one in reported {
        let is_it = |printer: &Printer| key(printer) == Some(one.key.as_str());
        let printer = match known.iter().position(is_it) {
            Some(place) => change(tx, team, known.swap_remove(place), one, now)?,
            None => add(tx, app, (team, agent), one, now)?,
        };
        all.push(printer);
    }
    for gone in known {
        disown(tx, team, gone, now)?;
    }
    Ok(all)
}

fn key(printer: &Printer) -> Option<&str> {
    printer.agent.as_ref().map(|own| own.key.as_str())
}

fn add(
    tx: &mut Tx<'_>,
    app: &App,
    (team, agent): (TeamId, PrintAgentId),
    reported: &ReportedPrinter,
    now: Time,
) -> Result<Printer, AgentError> {
    let used = quotas::lock(tx, team, Quota::Printers)?.unwrap_or(0);
    app.quotas().check(Quota::Printers, used).map_err(AgentError::NoRoom)?;
    let printer = Printer {
        id: PrinterId(app.new_uuid()),
        provider: Provider::Agent,
        name: reported.name.clone(),
        uri: None,
        tls_key: None,
        agent: Some(AgentPrinter {
            agent,
            key: reported.key.clone(),
            name: reported.name.clone(),
            reported_online: Some(reported.is_online),
        }),
        formats: None,
        abilities: reported.abilities(),
        is_online: reported.is_online,
        why_offline: None,
        misses: 0,
        looked_at: now,
        asked_at: now,
        created_at: now,
        updated_at: now,
    };
    printers::insert(tx, team, &printer)?;
    Ok(printer)
}

fn change(
    tx: &mut Tx<'_>,
    team: TeamId,
    old: Printer,
    reported: &ReportedPrinter,
    now: Time,
) -> Result<Printer, Error> {
    let own = old.agent.as_ref();
    let is_renamed = own.is_some_and(|own| own.name != old.name);
    let new = Printer {
        name: if is_renamed { old.name.clone() } else { reported.name.clone() },
        agent: old.agent.clone().map(|own| AgentPrinter {
            name: if is_renamed { own.name } else { reported.name.clone() },
            reported_online: Some(reported.is_online),
            ..own
        }),
        abilities: reported.abilities_after(&old.abilities),
        is_online: reported.is_online,
        ..old.clone()
    };
    write(tx, team, (&old, new), now)
}

fn disown(tx: &mut Tx<'_>, team: TeamId, old: Printer, now: Time) -> Result<(), Error> {
    let agent = old.agent.clone().map(|own| AgentPrinter { reported_online: None, ..own });
    let new = Printer { agent, is_online: false, ..old.clone() };
    write(tx, team, (&old, new), now).map(drop)
}

/// Writes a printer when there is news of it.
fn write(
    tx: &mut Tx<'_>,
    team: TeamId,
    (old, mut new): (&Printer, Printer),
    now: Time,
) -> Result<Printer, Error> {
    if *old != new {
        new.updated_at = now;
        printers::set_reported(tx, team, &new)?;
    }
    Ok(new)
}

/// Nothing that the agent told of its printers counts any more: it runs on another machine.
pub(super) fn disown_all(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    now: Time,
) -> Result<(), Error> {
    for printer in printers::list_of_agent(tx, team, agent)? {
        disown(tx, team, printer, now)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printer_that_is_off_and_says_nothing_of_formats_takes_what_it_took() {
        let report = |is_online, formats: &[Format]| ReportedPrinter {
            key: "uri:a".to_owned(),
            name: "A".to_owned(),
            is_online,
            formats: formats.to_vec(),
            sizes: None,
            copies_max: None,
        };
        let known = report(true, &[Format::Pdf]).abilities();
        let types = |report: ReportedPrinter| report.abilities_after(&known).types;
        assert_eq!(types(report(false, &[])), ["application/pdf"]);
        assert_eq!(types(report(true, &[])), [""; 0]);
        assert_eq!(types(report(false, &[Format::Png])), ["image/png"]);
    }
}
