//! Reports: what was asked for, and whether it is there yet.

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::event::Event;
use waybill_domain::ids::{ReportId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::report::{ReportFormat, ReportKind, ReportState};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx, documents, events};

/// A report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// What it is about.
    pub kind: ReportKind,
    /// Its first moment.
    pub from_at: Time,
    /// The moment that it ends before.
    pub to_at: Time,
    /// The formats that were asked for.
    pub formats: Vec<ReportFormat>,
    /// The language of its words.
    pub language: Language,
    /// How far it is.
    pub state: ReportState,
    /// When it was asked for.
    pub created_at: Time,
    /// When its state last changed.
    pub updated_at: Time,
}

impl FromRow for Report {
    fn from_row(row: &mut Row<'_>) -> Result<Report> {
        let id: ReportId = row.next()?;
        let this = ("report", id.into());
        Ok(Report {
            id,
            kind: row.word(this, "kind", ReportKind::parse)?,
            from_at: row.next()?,
            to_at: row.next()?,
            formats: row.word(this, "formats", read_formats)?,
            language: row.word(this, "language", Language::parse)?,
            state: row.word(this, "state", ReportState::parse)?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, from_at, to_at, formats, language, state, created_at, updated_at
               FROM report WHERE team = $1 ",
            $rest
        )
    };
}

/// Formats are stored as their names, separated by spaces.
fn read_formats(text: &str) -> Option<Vec<ReportFormat>> {
    text.split(' ').map(ReportFormat::parse).collect()
}

fn formats_text(formats: &[ReportFormat]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(" ")
}

/// Adds a report.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, report: &Report) -> Result<()> {
    tx.exec(
        "INSERT INTO report (team, id, kind, from_at, to_at, formats, language, state,
                             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            team.into(),
            report.id.into(),
            report.kind.name().into(),
            report.from_at.into(),
            report.to_at.into(),
            formats_text(&report.formats).into(),
            report.language.tag().into(),
            report.state.name().into(),
            report.created_at.into(),
            report.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// Ends a pending report, and tells webhooks so. False when it is not pending any more.
pub fn end(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ReportId,
    state: ReportState,
    event: &Event,
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE report SET state = $3, updated_at = $4
          WHERE team = $1 AND id = $2 AND state = 'pending'",
        &[team.into(), id.into(), state.name().into(), event.occurred_at.into()],
    )?;
    if rows == 1 {
        events::append(tx, team, event)?;
    }
    Ok(rows == 1)
}

/// The team's report.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: ReportId) -> Result<Option<Report>> {
    tx.one(select!("AND id = $2"), &[team.into(), id.into()])
}

/// The team's reports, newest first: one more than `wanted` from the cursor on.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Report>> {
    let text = match cursor.map_or(Direction::Next, |cursor| cursor.direction) {
        Direction::Next => select!("AND id < $2 ORDER BY id DESC LIMIT $3"),
        Direction::Previous => select!("AND id > $2 ORDER BY id LIMIT $3"),
    };
    let from = cursor.map_or(Uuid::max(), |cursor| cursor.id);
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(text, &[team.into(), from.into(), limit.into()])
}

/// Removes up to `limit` reports that ended before this time, with their files. Tells how many.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    let old: Vec<(TeamId, ReportId)> = tx.all(
        "SELECT team, id FROM report WHERE state <> 'pending' AND updated_at < $1
          ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED",
        &[before.into(), limit.into()],
    )?;
    let mut count = 0;
    for (team, id) in old {
        documents::delete_of(tx, team, SourceKind::Report, id.into())?;
        let gone = "DELETE FROM report WHERE team = $1 AND id = $2";
        count += tx.exec(gone, &[team.into(), id.into()])?;
    }
    Ok(count)
}
