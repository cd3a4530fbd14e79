//! The team's files in pages. Rare ones are found without walking through all labels.

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::TeamId;
use waybill_domain::page::{Cursor, Direction};

use super::Document;
use crate::{Result, Tx};

/// What is wanted of a list. Everything that is given must hold.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Made by this kind of thing.
    pub source_type: Option<SourceKind>,
    /// Made by this thing.
    pub source: Option<Uuid>,
    /// For this, perhaps among other things.
    pub kind: Option<String>,
    /// Of this format.
    pub format: Option<String>,
}

impl Filter {
    /// The things that made all files which are wanted, but for those that were joined and those of
    /// a warehouse, when none of those is a label and no more.
    fn path(&self) -> Option<SourceKind> {
        let made_by = match (self.source_type, self.kind.as_deref(), self.format.as_deref()) {
            (Some(SourceKind::Merge), _, _) => SourceKind::Merge,
            (Some(SourceKind::FulfilmentRequest), _, _) => SourceKind::FulfilmentRequest,
            (Some(SourceKind::Report), _, _) | (_, Some("report"), _) | (_, _, Some("xlsx")) => {
                SourceKind::Report
            }
            (Some(SourceKind::Manifest), _, _) | (_, Some("manifest"), _) => SourceKind::Manifest,
            (_, Some("label") | None, _) => return None,
            (_, Some(_), _) => SourceKind::Shipment,
        };
        let others = self.source_type.is_some_and(|wanted| wanted != made_by);
        (!others).then_some(made_by)
    }
}

macro_rules! statement {
    ($path:literal, $from:literal, $order:literal) => {
        select!(
            "WHERE team = $1
                AND (CAST($3 AS TEXT) IS NULL OR COALESCE(source_kind, kind, source_type) = $3)
                AND (CAST($5 AS TEXT) IS NULL
                     OR replace(' ' || types || ' ', ' ' || CAST($5 AS TEXT) || ' ', '')
                        <> ' ' || types || ' ')
                AND (CAST($6 AS TEXT) IS NULL OR format = $6) ",
            $path,
            $from,
            $order,
            " LIMIT $7"
        )
    };
}

macro_rules! ways {
    ($direction:expr, $path:literal) => {
        match $direction {
            Direction::Next => {
                statement!(
                    $path,
                    "AND (team, id) > ($1, $8) AND (team, id) < ($1, $2) AND id < $2",
                    " ORDER BY id DESC"
                )
            }
            Direction::Previous => {
                statement!(
                    $path,
                    "AND (team, id) < ($1, $8) AND (team, id) > ($1, $2) AND id > $2",
                    " ORDER BY id"
                )
            }
        }
    };
}

/// The team's files, newest first: one more than `wanted` from the cursor on, in its direction.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: &Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Document>> {
    let (direction, ..) = Cursor::between(cursor);
    let ask = Ask { team, filter, cursor, wanted };
    // By the files of one thing, which are few, by those that are no labels, or by those of the
    // team. Every statement must use all its parameters.
    let rare = match (filter.source, filter.path()) {
        (Some(_), _) => {
            return ask.run(tx, ways!(direction, "AND source = $4 "), filter.source_type);
        }
        (None, None) => {
            let all = ways!(direction, "AND CAST($4 AS UUID) IS NULL ");
            return ask.run(tx, all, filter.source_type);
        }
        (None, Some(rare)) => rare,
    };
    let merged = ways!(direction, "AND CAST($4 AS UUID) IS NULL AND kind = 'merge' ");
    let picked = ways!(direction, "AND CAST($4 AS UUID) IS NULL AND source_kind IS NOT NULL ");
    match rare {
        SourceKind::Merge => return ask.run(tx, merged, Some(rare)),
        SourceKind::FulfilmentRequest => return ask.run(tx, picked, Some(rare)),
        SourceKind::Shipment | SourceKind::Manifest | SourceKind::Report => {}
    }
    let found = ways!(
        direction,
        "AND CAST($4 AS UUID) IS NULL AND source_type = $3 AND kind IS NULL AND types <> 'label' "
    );
    let mut found = ask.run(tx, found, Some(rare))?;
    if filter.source_type.is_none() {
        // What was joined of such files, or printed for a warehouse, is no label either; there is
        // little of it.
        found.extend(ask.run(tx, merged, Some(SourceKind::Merge))?);
        found.extend(ask.run(tx, picked, Some(SourceKind::FulfilmentRequest))?);
        found.sort_by_key(|file| file.id);
        if direction == Direction::Next {
            found.reverse();
        }
        found.truncate(wanted + 1);
    }
    Ok(found)
}

/// What every statement is asked.
struct Ask<'a> {
    team: TeamId,
    filter: &'a Filter,
    cursor: Option<Cursor>,
    wanted: usize,
}

impl Ask<'_> {
    fn run(
        &self,
        tx: &mut Tx<'_>,
        text: &'static str,
        source_type: Option<SourceKind>,
    ) -> Result<Vec<Document>> {
        // With the other end of the team: else PostgreSQL may look for the files of a small team in
        // the order of all ids.
        let (_, id, bound) = Cursor::between(self.cursor);
        tx.all(
            text,
            &[
                self.team.into(),
                id.into(),
                source_type.map(SourceKind::name).into(),
                self.filter.source.into(),
                self.filter.kind.as_deref().into(),
                self.filter.format.as_deref().into(),
                i64::try_from(self.wanted + 1).unwrap_or(i64::MAX).into(),
                bound.into(),
            ],
        )
    }
}
