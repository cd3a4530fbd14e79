//! Printers of a team.

use waybill_domain::document::Format;
use waybill_domain::ids::{PrinterId, TeamId};
use waybill_domain::json::parse;
use waybill_domain::printing::{Abilities, Provider};
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
    /// What the team says that it takes; otherwise that is derived from its abilities.
    pub formats: Option<Vec<Format>>,
    /// What it says of itself.
    pub abilities: Abilities,
    /// Whether it takes jobs, as far as is known.
    pub is_online: bool,
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
            formats: None,
            abilities,
            is_online,
            misses: 0,
            looked_at: now,
            asked_at: now,
            created_at: now,
            updated_at: now,
        }
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
            "SELECT id, provider, name, uri, formats, abilities, is_online, misses, looked_at,
                    asked_at, created_at, updated_at
               FROM printer ",
            $($rest),+
        )
    };
}

/// Adds a printer. False when the team has another one at that address.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let added = tx.exec(
        "INSERT INTO printer (team, id, provider, name, uri, formats, abilities, is_online, misses,
                              looked_at, asked_at, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (team, uri) WHERE deleted_at IS NULL DO NOTHING",
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
        ],
    )?;
    Ok(added == 1)
}

/// Writes everything of a printer that can change. False when it is gone.
pub fn update(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let changed = tx.exec(
        "UPDATE printer SET name = $3, uri = $4, formats = $5, abilities = $6, is_online = $7,
                            misses = $8, looked_at = $9, asked_at = $10, updated_at = $11
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
        ],
    )?;
    Ok(changed == 1)
}

/// Writes what a look at a printer showed. False when it is gone, or somewhere else by now.
pub fn set_state(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<bool> {
    let changed = tx.exec(
        "UPDATE printer SET abilities = $3, is_online = $4, misses = $5, looked_at = $6,
                            asked_at = $7, updated_at = $8
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL AND COALESCE(uri, '') = $9",
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

fn format_names(formats: Option<&[Format]>) -> Option<String> {
    let names = |formats: &[Format]| {
        formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(" ")
    };
    formats.map(names)
}

fn read_formats(names: &str) -> Option<Vec<Format>> {
    names.split_whitespace().map(Format::parse).collect()
}
