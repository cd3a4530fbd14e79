//! The log of intents: one row for each attempt to book, written before a byte of it leaves. An
//! attempt that is sent again to a carrier that books a reference once keeps its row.
//!
//! The index `one_live_call` refuses a second open, unknown or accepted call of a shipment. It is
//! the last interlock: whatever the code above it gets wrong, a label is not bought twice.

use waybill_domain::booking::{CallEnd, Permit, Reference};
use waybill_domain::ids::{AccountId, ShipmentId, TeamId};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;

use crate::{Error, FromRow, Param, Result, Row, Tx};

/// One call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The first is 1.
    pub number: i64,
    /// What the carrier knows it by.
    pub reference: String,
    /// The lease that made it.
    pub fence: i64,
    /// When the intent was committed.
    pub started_at: Time,
    /// When its outcome was known.
    pub ended_at: Option<Time>,
    /// Its outcome; nothing while it is open.
    pub outcome: Option<String>,
    /// What it was concluded from.
    pub evidence: Option<String>,
}

impl Call {
    /// Whether it was not made from here: a lost database may have made it.
    pub fn is_forgotten(&self) -> bool {
        self.fence == FORGOTTEN
    }
}

/// The fence of a call that no lease of this database made.
const FORGOTTEN: i64 = 0;

impl FromRow for Call {
    fn from_row(row: &mut Row<'_>) -> Result<Call> {
        Ok(Call {
            number: row.next()?,
            reference: row.next()?,
            fence: row.next()?,
            started_at: row.next()?,
            ended_at: row.next()?,
            outcome: row.next()?,
            evidence: row.next()?,
        })
    }
}

/// An intent that is written.
pub struct Intent {
    /// The number of its call.
    pub number: i64,
    /// When it was written.
    pub started_at: Time,
    /// The right to send it once.
    pub permit: Permit,
}

/// Writes the intent. The permit is worth something only when this transaction commits, and the
/// caller gets it only then.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    reference: &Reference,
    fence: i64,
    now: Time,
) -> Result<Intent> {
    let call: [Param<'_>; 5] =
        [team.into(), shipment.into(), reference.as_str().into(), fence.into(), now.into()];
    // Most are the first, and then nobody has to ask for its number.
    let first = tx.exec_one(
        "INSERT INTO carrier_call (team, shipment, n, reference, fence, started_at)
         VALUES ($1, $2, 1, $3, $4, $5) ON CONFLICT (team, shipment, n) DO NOTHING",
        &call,
    )?;
    let number = match first {
        1 => Some(1),
        _ => tx.one(
            "INSERT INTO carrier_call (team, shipment, n, reference, fence, started_at)
             SELECT $1, $2, COALESCE(MAX(n), 0) + 1, $3, $4, $5
               FROM carrier_call WHERE team = $1 AND shipment = $2
             RETURNING n",
            &call,
        )?,
    };
    let number = number.ok_or_else(|| Error::Broken("an intent has no number".to_owned()))?;
    Ok(Intent { number, started_at: now, permit: permit() })
}

/// The only maker of permits: whoever gets one has the intent in the same transaction.
fn permit() -> Permit {
    Permit::for_committed_intent()
}

/// Notes a call that may have been made in a time which a restored database does not know. It ends
/// only when somebody looked for it, so the shipment is not sent again.
pub fn insert_forgotten(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    reference: &Reference,
    now: Time,
) -> Result<()> {
    tx.exec(
        "INSERT INTO carrier_call (team, shipment, n, reference, fence, started_at, outcome,
                                   evidence)
         SELECT $1, $2, COALESCE(MAX(n), 0) + 1, $3, $5, $4, 'unknown',
                'The database was restored: it may have been sent in the time that is lost.'
           FROM carrier_call WHERE team = $1 AND shipment = $2",
        &[team.into(), shipment.into(), reference.as_str().into(), now.into(), FORGOTTEN.into()],
    )?;
    Ok(())
}

/// The right to send an open call again, for a carrier that books a reference once.
pub fn permit_again(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Option<Permit>> {
    let open = find_open(tx, team, shipment)?;
    Ok(open.map(|_| permit()))
}

/// The call that may be booked: open or unknown.
pub fn find_open(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Option<Call>> {
    tx.one(
        "SELECT n, reference, fence, started_at, ended_at, outcome, evidence
           FROM carrier_call
          WHERE team = $1 AND shipment = $2 AND (outcome IS NULL OR outcome = 'unknown')",
        &[team.into(), shipment.into()],
    )
}

/// The call that the carrier accepted.
pub fn find_accepted(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Option<Call>> {
    tx.one(
        "SELECT n, reference, fence, started_at, ended_at, outcome, evidence
           FROM carrier_call WHERE team = $1 AND shipment = $2 AND outcome = 'accepted'",
        &[team.into(), shipment.into()],
    )
}

/// Every call of the shipment, oldest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Vec<Call>> {
    tx.all(
        "SELECT n, reference, fence, started_at, ended_at, outcome, evidence
           FROM carrier_call WHERE team = $1 AND shipment = $2 ORDER BY n",
        &[team.into(), shipment.into()],
    )
}

/// A shipment that a booking with a carrier is, or may be, of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownShipment {
    /// The shipment.
    pub id: ShipmentId,
    /// How it stands here.
    pub state: ShipmentState,
    /// Whether it is known here that the carrier has it.
    pub is_accepted: bool,
    /// Whether it is not known here what became of a call.
    pub is_open: bool,
}

impl FromRow for KnownShipment {
    fn from_row(row: &mut Row<'_>) -> Result<KnownShipment> {
        Ok(KnownShipment {
            id: row.next()?,
            state: row.next()?,
            is_accepted: row.next()?,
            is_open: row.next()?,
        })
    }
}

/// The shipment that a carrier knows by the reference of this call.
pub fn any_find_shipment(tx: &mut Tx<'_>, reference: &str) -> Result<Option<KnownShipment>> {
    tx.one(
        "SELECT shipment.id, shipment.state, shipment.carrier_reference IS NOT NULL,
                shipment.step IN ('calling', 'unknown')
           FROM carrier_call JOIN shipment
             ON shipment.team = carrier_call.team AND shipment.id = carrier_call.shipment
          WHERE carrier_call.reference = $1",
        &[reference.into()],
    )
}

/// The shipment with this reference of its own that the carrier is not known to have. A restored
/// database forgot the call, and has the shipment.
pub fn any_find_unaccepted(
    tx: &mut Tx<'_>,
    carrier_code: &str,
    customer_reference: &str,
) -> Result<Option<KnownShipment>> {
    tx.one(
        "SELECT id, state, carrier_reference IS NOT NULL, step IN ('calling', 'unknown')
           FROM shipment
          WHERE carrier_code = $1 AND reference = $2 AND carrier_reference IS NULL
          ORDER BY id DESC LIMIT 1",
        &[carrier_code.into(), customer_reference.into()],
    )
}

/// Notes what became of the open call. False when none is open. What was concluded from before does
/// not stand beside another outcome.
pub fn set_outcome(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    end: CallEnd,
    evidence: Option<&str>,
    now: Time,
) -> Result<bool> {
    let outcome = match end {
        CallEnd::Accepted => "accepted",
        CallEnd::Rejected => "rejected",
        CallEnd::NotSent => "not_sent",
        CallEnd::Absent => "absent",
        CallEnd::Unknown => "unknown",
    };
    let rows = tx.exec_one(
        "UPDATE carrier_call SET outcome = $3, ended_at = $4,
                evidence = CASE WHEN $3 = 'unknown' THEN COALESCE($5, evidence) ELSE $5 END
          WHERE team = $1 AND shipment = $2 AND (outcome IS NULL OR outcome = 'unknown')",
        &[team.into(), shipment.into(), outcome.into(), now.into(), evidence.into()],
    )?;
    Ok(rows == 1)
}

/// A reference that the carrier is known to have booked on this account: a canary for look-ups. It
/// is of the same service, because another may not be found at all, and was accepted by `settled`,
/// because a fresh one may not be found yet.
///
/// It is from before the call, where there is one. When the account was changed since the call, no
/// canary says anything: the call may have gone out with other credentials, and then the carrier
/// keeps what came of it where these do not reach, also when they are those of long ago again.
pub fn find_canary(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    service_code: &str,
    (called_at, settled): (Time, Time),
) -> Result<Option<String>> {
    if is_changed_since(tx, team, account, called_at)? {
        return Ok(None);
    }
    match newest_accepted(tx, team, account, service_code, called_at.min(settled))? {
        Some(before) => Ok(Some(before)),
        None => newest_accepted(tx, team, account, service_code, settled),
    }
}

fn is_changed_since(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    called_at: Time,
) -> Result<bool> {
    let changed: Option<i64> = tx.one(
        "SELECT CAST(1 AS BIGINT) FROM carrier_account
          WHERE team = $1 AND id = $2 AND updated_at > $3",
        &[team.into(), account.into(), called_at.into()],
    )?;
    Ok(changed.is_some())
}

fn newest_accepted(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    service_code: &str,
    until: Time,
) -> Result<Option<String>> {
    tx.one(
        "SELECT carrier_call.reference
           FROM shipment JOIN carrier_call
             ON carrier_call.team = shipment.team AND carrier_call.shipment = shipment.id
          WHERE shipment.team = $1 AND shipment.account = $2 AND shipment.state = 'booked'
            AND shipment.service_code = $3
            AND carrier_call.outcome = 'accepted' AND carrier_call.ended_at <= $4
          ORDER BY shipment.id DESC LIMIT 1",
        &[team.into(), account.into(), service_code.into(), until.into()],
    )
}
