//! The end of a team: everything that lets somebody in, or would do something by itself, ends in
//! one transaction. What was booked, its papers and the audit log stay.

use uuid::Uuid;
use waybill_domain::audit::{Act, Action, Changes};
use waybill_domain::ids::{GrantId, OAuthClientId, PrintAgentId, TeamId};
use waybill_domain::json::Json;

use crate::oauth::{clients, grants};
use crate::{Result, Tx, invitations, jobs, teams, tokens};

/// So many of those that are in the way are named.
const NAMED_MAX: i64 = 5;

/// Its line in the audit log comes after those of everything that ends with it.
const LAST_LINE: usize = 1 << 22;

/// What became of a wish to delete a team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamDeletion {
    /// It is gone, and these print agents with it: whoever waits in their name is to be told.
    Done(Vec<PrintAgentId>),
    /// It was gone before.
    Gone,
    /// A carrier has, or may have, what these shipments are about to tell, or members of these
    /// batches are about to be booked.
    Booking(Vec<Uuid>),
    /// These print jobs are not over.
    Printing(Vec<Uuid>),
}

/// Waits for whoever writes something for the team, and lets nobody do so before this transaction
/// ends. False when the team was deleted already. Nothing else of the team is locked before: others
/// lock the team first.
pub fn lock(tx: &mut Tx<'_>, team: TeamId) -> Result<bool> {
    let sql = "SELECT id FROM team WHERE id = $1 AND deleted_at IS NULL FOR UPDATE";
    let locked: Option<TeamId> = tx.one(sql, &[team.into()])?;
    Ok(locked.is_some())
}

/// Deletes a team, unless something is under way that costs money or paper, and writes that down.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<TeamDeletion> {
    if !lock(tx, team)? {
        return Ok(TeamDeletion::Gone);
    }
    let booking = list_booking(tx, team)?;
    if !booking.is_empty() {
        return Ok(TeamDeletion::Booking(booking));
    }
    let printing = list_printing(tx, team)?;
    if !printing.is_empty() {
        return Ok(TeamDeletion::Printing(printing));
    }
    let changes = counted(tx, team)?;
    end_apps(tx, team, act)?;
    end_people(tx, team, act)?;
    let agents = end_work(tx, team, act)?;
    teams::note(tx, team, (Action::TeamDeleted, &act.line(LAST_LINE)), &changes)?;
    tx.exec(
        "UPDATE team SET deleted_at = $2, updated_at = $2 WHERE id = $1",
        &[team.into(), act.at.into()],
    )?;
    Ok(TeamDeletion::Done(agents))
}

/// What is booked, looked for or cancelled has a job for as long as that is so.
fn list_booking(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<Uuid>> {
    tx.all(
        "SELECT subject FROM job
          WHERE team = $1 AND kind IN ('book', 'book-member', 'batch', 'cancel')
          ORDER BY subject LIMIT $2",
        &[team.into(), NAMED_MAX.into()],
    )
}

fn list_printing(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<Uuid>> {
    tx.all(
        "SELECT id FROM print_job WHERE team = $1 AND look_at IS NOT NULL ORDER BY id LIMIT $2",
        &[team.into(), NAMED_MAX.into()],
    )
}

/// What the line in the audit log says beside the name.
fn counted(tx: &mut Tx<'_>, team: TeamId) -> Result<Changes> {
    let mut changes = Changes::none();
    for (path, sql) in [
        ("member_count", "SELECT count(*) FROM member WHERE team = $1"),
        ("token_count", "SELECT count(*) FROM token WHERE team = $1 AND revoked_at IS NULL"),
        (
            "webhook_count",
            "SELECT count(*) FROM webhook
              WHERE team = $1 AND batch IS NULL AND deleted_at IS NULL",
        ),
    ] {
        let count: i64 = tx.one(sql, &[team.into()])?.unwrap_or(0);
        changes = changes.and(path, count.into(), Json::from(0_i64));
    }
    Ok(changes)
}

/// Programs of the team, and what its members allowed apps. One that also acts for users elsewhere
/// acts for itself nowhere any more.
fn end_apps(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<()> {
    let own: Vec<(OAuthClientId, String)> = tx.all(
        "SELECT id, redirect_uris FROM oauth_client
          WHERE team = $1 AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE",
        &[team.into()],
    )?;
    for (client, redirect_uris) in own {
        if redirect_uris.is_empty() {
            clients::any_delete(tx, client, act)?;
        } else {
            tx.exec(
                "UPDATE oauth_client SET team = NULL, role = NULL WHERE id = $1",
                &[client.into()],
            )?;
        }
    }
    let families: Vec<GrantId> = tx.all(
        "SELECT id FROM oauth_grant WHERE team = $1 AND ended_at IS NULL
          ORDER BY id FOR NO KEY UPDATE",
        &[team.into()],
    )?;
    grants::any_end_all(tx, &families, act)?;
    tx.exec(
        "UPDATE oauth_access_token SET revoked_at = $2 WHERE team = $1 AND revoked_at IS NULL",
        &[team.into(), act.at.into()],
    )?;
    tx.exec(
        "UPDATE oauth_code SET used_at = $2 WHERE team = $1 AND used_at IS NULL",
        &[team.into(), act.at.into()],
    )?;
    Ok(())
}

fn end_people(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<()> {
    tokens::revoke_of_team(tx, team, act)?;
    invitations::revoke_all(tx, team, act)?;
    tx.exec("DELETE FROM member WHERE team = $1", &[team.into()])?;
    Ok(())
}

/// What would go on by itself, and the secrets that it needs. A poller that is under way has lost
/// its job; every other job looks again, finds that what it is for is gone, and ends.
fn end_work(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<Vec<PrintAgentId>> {
    let (id, at) = (team.into(), act.at.into());
    tx.exec(
        "UPDATE webhook SET is_active = $3, secrets = $4, deleted_at = $2, updated_at = $2
          WHERE team = $1 AND deleted_at IS NULL",
        &[id, at, false.into(), Vec::new().into()],
    )?;
    let (id, at) = (team.into(), act.at.into());
    tx.exec(
        "UPDATE carrier_account SET is_active = $3, credentials = $4, updated_at = $2
          WHERE team = $1",
        &[id, at, false.into(), Vec::new().into()],
    )?;
    let (id, at) = (team.into(), act.at.into());
    let agents = tx.all(
        "UPDATE print_agent SET deleted_at = $2, updated_at = $2, code_hash = NULL,
                token_hash = NULL, session = NULL, is_online = $3
          WHERE team = $1 AND deleted_at IS NULL RETURNING id",
        &[id, at, false.into()],
    )?;
    tx.exec(
        "UPDATE printer SET deleted_at = $2, updated_at = $2
          WHERE team = $1 AND deleted_at IS NULL",
        &[team.into(), act.at.into()],
    )?;
    for sql in [
        // Before the jobs: whoever sets their alarms by these rows is waited for here.
        "DELETE FROM unscheduled_tracking WHERE team = $1",
        "DELETE FROM job WHERE team = $1 AND kind = 'track'",
        "UPDATE tracking SET look_at = NULL WHERE team = $1 AND look_at IS NOT NULL",
        "DELETE FROM shipment_template WHERE team = $1",
        "DELETE FROM rate WHERE team = $1",
        "DELETE FROM legacy_booking WHERE team = $1",
        "DELETE FROM legacy_combination WHERE team = $1",
        // They name people. What was booked of them is told by its shipment.
        "UPDATE wms_fulfilment SET input = '{}' WHERE team = $1",
    ] {
        tx.exec(sql, &[team.into()])?;
    }
    jobs::look_again(tx, team, act.at)?;
    Ok(agents)
}
