//! Pick lists and packing slips that were made of a request, each time with an id of its own, so
//! that whoever asks again with the same key gets the same ones.

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{FulfilmentId, TeamId};
use waybill_domain::time::Time;

use crate::documents::{self, Content, Document};
use crate::{FromRow, Result, Row, Tx};

/// What was made at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaperSet {
    /// Its id.
    pub id: Uuid,
    /// Of this request.
    pub fulfilment: FulfilmentId,
    /// The position of the first of its files among those of the request.
    first: i64,
    /// How many files there are.
    file_count: i64,
}

impl FromRow for PaperSet {
    fn from_row(row: &mut Row<'_>) -> Result<PaperSet> {
        Ok(PaperSet {
            id: row.next()?,
            fulfilment: row.next()?,
            first: row.next()?,
            file_count: row.next()?,
        })
    }
}

/// Adds files of a request that is locked, after those that it has.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    (id, fulfilment): (Uuid, FulfilmentId),
    files: &[(Document, Content)],
    now: Time,
) -> Result<()> {
    let next = "SELECT max(first + file_count) FROM wms_paper WHERE team = $1 AND fulfilment = $2";
    let first = tx.one::<Option<i64>>(next, &[team.into(), fulfilment.into()])?;
    let first = first.flatten().unwrap_or(0);
    tx.exec_one(
        "INSERT INTO wms_paper (team, id, fulfilment, first, file_count, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            team.into(),
            id.into(),
            fulfilment.into(),
            first.into(),
            i64::try_from(files.len()).unwrap_or(i64::MAX).into(),
            now.into(),
        ],
    )?;
    for (position, (file, content)) in (first..).zip(files) {
        documents::insert(tx, team, &Document { position, ..file.clone() }, content)?;
    }
    Ok(())
}

/// What was made at once.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: Uuid) -> Result<Option<PaperSet>> {
    tx.one(
        "SELECT id, fulfilment, first, file_count FROM wms_paper WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// Its files, in their order.
pub fn files(tx: &mut Tx<'_>, team: TeamId, set: &PaperSet) -> Result<Vec<Document>> {
    let source = Uuid::from(set.fulfilment);
    let mut files = documents::list_of(tx, team, SourceKind::FulfilmentRequest, source)?;
    files.retain(|file| (set.first..set.first + set.file_count).contains(&file.position));
    Ok(files)
}

/// Removes the papers of up to `limit` requests of which none was made since this time, and tells
/// of how many. Those of which one is still to be printed stay.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    let old: Vec<(TeamId, FulfilmentId)> = tx.all(
        "SELECT DISTINCT old.team, old.fulfilment FROM wms_paper AS old
          WHERE old.created_at < $1
            AND NOT EXISTS (
              SELECT 1 FROM wms_paper AS newer
               WHERE newer.team = old.team AND newer.fulfilment = old.fulfilment
                 AND newer.created_at >= $1)
            AND NOT EXISTS (
              SELECT 1 FROM document AS file JOIN print_job AS job
                  ON job.team = file.team AND job.document = file.id
               WHERE file.team = old.team AND file.source = old.fulfilment
                 AND job.look_at IS NOT NULL)
          LIMIT $2",
        &[before.into(), limit.into()],
    )?;
    let mut count = 0;
    for (team, id) in old {
        if !lock(tx, team, id)? || is_newer(tx, team, id, before)? {
            continue;
        }
        let source = Uuid::from(id);
        if documents::are_wanted_by_printers(tx, team, SourceKind::FulfilmentRequest, source)? {
            continue;
        }
        documents::delete_of(tx, team, SourceKind::FulfilmentRequest, source)?;
        let gone = "DELETE FROM wms_paper WHERE team = $1 AND fulfilment = $2";
        tx.exec(gone, &[team.into(), id.into()])?;
        count += 1;
    }
    Ok(count)
}

/// Whoever makes papers of a request has it locked. False when somebody has.
fn lock(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId) -> Result<bool> {
    let locked: Option<FulfilmentId> = tx.one(
        "SELECT id FROM wms_fulfilment WHERE team = $1 AND id = $2 FOR UPDATE SKIP LOCKED",
        &[team.into(), id.into()],
    )?;
    Ok(locked.is_some())
}

fn is_newer(tx: &mut Tx<'_>, team: TeamId, id: FulfilmentId, before: Time) -> Result<bool> {
    let found: Option<Uuid> = tx.one(
        "SELECT id FROM wms_paper
          WHERE team = $1 AND fulfilment = $2 AND created_at >= $3 LIMIT 1",
        &[team.into(), id.into(), before.into()],
    )?;
    Ok(found.is_some())
}
