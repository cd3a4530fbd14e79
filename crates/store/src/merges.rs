//! Documents that were joined into one file for each format and page size, and what was left out.

use uuid::Uuid;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{BatchId, MergeId, ShipmentId, TeamId, parse_uuid};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx, documents};

/// What was joined at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merge {
    /// Its id.
    pub id: MergeId,
    /// Shipments of a batch that have no such document.
    pub skipped: Vec<ShipmentId>,
    /// When it was made.
    pub created_at: Time,
}

impl FromRow for Merge {
    fn from_row(row: &mut Row<'_>) -> Result<Merge> {
        let id: MergeId = row.next()?;
        let read = |text: &str| text.split_terminator(' ').map(read_id).collect();
        let skipped = row.word(("document_merge", id.into()), "skipped shipments", read)?;
        Ok(Merge { id, skipped, created_at: row.next()? })
    }
}

fn read_id(text: &str) -> Option<ShipmentId> {
    parse_uuid(text).map(ShipmentId)
}

/// Adds one. Its documents are added in the same transaction.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, merge: &Merge) -> Result<()> {
    let skipped: Vec<String> = merge.skipped.iter().map(ShipmentId::to_string).collect();
    tx.exec(
        "INSERT INTO document_merge (team, id, skipped, created_at) VALUES ($1, $2, $3, $4)",
        &[team.into(), merge.id.into(), skipped.join(" ").into(), merge.created_at.into()],
    )?;
    Ok(())
}

/// The team's.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: MergeId) -> Result<Option<Merge>> {
    tx.one(
        "SELECT id, skipped, created_at FROM document_merge WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// Members of a batch that are not deleted, by their position in it from 1.
pub fn list_members(
    tx: &mut Tx<'_>,
    team: TeamId,
    batch: BatchId,
    (first, last): (i64, i64),
) -> Result<Vec<ShipmentId>> {
    // Positions are stored from 0, and what a deleted member leaves is no position.
    tx.all(
        "SELECT id FROM shipment
          WHERE team = $1 AND batch = $2 AND state <> 'deleted'
          ORDER BY batch_position LIMIT $3 OFFSET $4",
        &[team.into(), batch.into(), (last - first + 1).into(), (first - 1).into()],
    )
}

/// Removes up to `limit` that were made before this time, with their documents, and tells how many.
/// One of which something is still to be printed stays.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    let old: Vec<(TeamId, MergeId)> = tx.all(
        "SELECT team, id FROM document_merge AS old
          WHERE created_at < $1
            AND NOT EXISTS (
              SELECT 1 FROM document AS file JOIN print_job AS job
                  ON job.team = file.team AND job.document = file.id
               WHERE file.team = old.team AND file.source = old.id AND job.look_at IS NOT NULL)
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED",
        &[before.into(), limit.into()],
    )?;
    let mut count = 0;
    for (team, id) in old {
        if documents::are_wanted_by_printers(tx, team, SourceKind::Merge, Uuid::from(id))? {
            continue;
        }
        documents::delete_of(tx, team, SourceKind::Merge, Uuid::from(id))?;
        let gone = "DELETE FROM document_merge WHERE team = $1 AND id = $2";
        count += tx.exec(gone, &[team.into(), id.into()])?;
    }
    Ok(count)
}
