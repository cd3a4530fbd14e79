//! What was tried with a shipment and how that ended: for `waybill why`. One thing is decided by
//! it: whether a carrier that refuses to cancel may have cancelled already. So a call to cancel is
//! noted before it leaves.

use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::time::Time;

use crate::retention::SweepPosition;
use crate::{Cell, Column, Error, FromRow, Result, Row, Tx};

/// What was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptKind {
    /// Sending the booking to the carrier.
    Book,
    /// Asking the carrier whether it has the booking.
    LookUp,
    /// Getting or making the documents.
    Documents,
    /// Cancelling it with the carrier.
    Cancel,
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptOutcome {
    /// It was done.
    Done,
    /// The carrier said no.
    Refused,
    /// It was not done.
    Failed,
    /// Nobody knows.
    Unclear,
}

const KINDS: [(AttemptKind, &str); 4] = [
    (AttemptKind::Book, "book"),
    (AttemptKind::LookUp, "look_up"),
    (AttemptKind::Documents, "documents"),
    (AttemptKind::Cancel, "cancel"),
];

const OUTCOMES: [(AttemptOutcome, &str); 4] = [
    (AttemptOutcome::Done, "done"),
    (AttemptOutcome::Refused, "refused"),
    (AttemptOutcome::Failed, "failed"),
    (AttemptOutcome::Unclear, "unclear"),
];

fn name<T: PartialEq>(all: &[(T, &'static str)], wanted: &T) -> &'static str {
    all.iter().find(|(one, _)| one == wanted).map_or("", |(_, name)| name)
}

fn parse<T: Copy>(all: &[(T, &str)], cell: Cell<'_>) -> Option<T> {
    let Cell::Text(text) = cell else { return None };
    all.iter().find(|(_, name)| *name == text).map(|(one, _)| *one)
}

impl Column for AttemptKind {
    fn from_cell(cell: Cell<'_>) -> Option<AttemptKind> {
        parse(&KINDS, cell)
    }
}

impl Column for AttemptOutcome {
    fn from_cell(cell: Cell<'_>) -> Option<AttemptOutcome> {
        parse(&OUTCOMES, cell)
    }
}

/// One attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// What was tried.
    pub kind: AttemptKind,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// What the carrier said, or what went wrong.
    pub words: Option<String>,
    /// The request for which it was tried.
    pub request_id: Option<String>,
    /// When it ended.
    pub tried_at: Time,
}

impl Attempt {
    /// Notes that a caller asked for documents again. How that ends is not known yet: the attempts
    /// that follow tell it.
    pub fn documents_wanted(request_id: &str, now: Time) -> Attempt {
        let (kind, outcome) = (AttemptKind::Documents, AttemptOutcome::Unclear);
        let request_id = Some(request_id.to_owned());
        Attempt { kind, outcome, words: None, request_id, tried_at: now }
    }
}

impl FromRow for Attempt {
    fn from_row(row: &mut Row<'_>) -> Result<Attempt> {
        Ok(Attempt {
            kind: row.next()?,
            outcome: row.next()?,
            words: row.next()?,
            request_id: row.next()?,
            tried_at: row.next()?,
        })
    }
}

/// Adds an attempt. A look-up that ended like the one before it is not told again: a carrier may be
/// asked for a week.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    attempt: &Attempt,
) -> Result<()> {
    if attempt.kind == AttemptKind::LookUp {
        let last: Option<Attempt> = tx.one(
            "SELECT kind, outcome, words, request_id, tried_at FROM attempt
              WHERE team = $1 AND shipment = $2 ORDER BY n DESC LIMIT 1",
            &[team.into(), shipment.into()],
        )?;
        let ending = |one: &Attempt| (one.kind, one.outcome, one.words.clone());
        if last.as_ref().map(ending) == Some(ending(attempt)) {
            return Ok(());
        }
    }
    tx.exec_one(
        "INSERT INTO attempt (team, shipment, n, kind, outcome, words, request_id, tried_at)
         SELECT $1, $2, COALESCE(MAX(n), 0) + 1, $3, $4, $5, $6, $7
           FROM attempt WHERE team = $1 AND shipment = $2",
        &[
            team.into(),
            shipment.into(),
            name(&KINDS, &attempt.kind).into(),
            name(&OUTCOMES, &attempt.outcome).into(),
            attempt.words.as_deref().into(),
            attempt.request_id.as_deref().into(),
            attempt.tried_at.into(),
        ],
    )?;
    Ok(())
}

/// Notes that a call to cancel is about to leave, as one whose outcome nobody knows: that is what
/// it stays when this process ends before the answer. Tells its number.
pub fn begin_cancel(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    request_id: Option<&str>,
    now: Time,
) -> Result<i64> {
    let (kind, outcome) = (AttemptKind::Cancel, AttemptOutcome::Unclear);
    let request_id = request_id.map(str::to_owned);
    insert(tx, team, shipment, &Attempt { kind, outcome, words: None, request_id, tried_at: now })?;
    let number: Option<i64> = tx.one(
        "SELECT n FROM attempt WHERE team = $1 AND shipment = $2 ORDER BY n DESC LIMIT 1",
        &[team.into(), shipment.into()],
    )?;
    number.ok_or_else(|| Error::Broken("an attempt is gone".to_owned()))
}

/// Writes how an attempt ended that was noted before.
pub fn end(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
    number: i64,
    (outcome, words): (AttemptOutcome, Option<&str>),
    now: Time,
) -> Result<()> {
    tx.exec_one(
        "UPDATE attempt SET outcome = $4, words = $5, tried_at = $6
          WHERE team = $1 AND shipment = $2 AND n = $3",
        &[
            team.into(),
            shipment.into(),
            number.into(),
            name(&OUTCOMES, &outcome).into(),
            words.into(),
            now.into(),
        ],
    )?;
    Ok(())
}

/// What calls to cancel have led to so far, as far as the carrier may have followed one: `Done`
/// when it said so, `Unclear` when the answer of one is not known. None when it has not.
pub fn find_cancelled(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
) -> Result<Option<AttemptOutcome>> {
    // "done" comes before "unclear".
    tx.one(
        "SELECT outcome FROM attempt
          WHERE team = $1 AND shipment = $2 AND kind = 'cancel' AND outcome IN ('done', 'unclear')
          ORDER BY outcome LIMIT 1",
        &[team.into(), shipment.into()],
    )
}

/// Every attempt with the shipment, oldest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Vec<Attempt>> {
    tx.all(
        "SELECT kind, outcome, words, request_id, tried_at
           FROM attempt WHERE team = $1 AND shipment = $2 ORDER BY n",
        &[team.into(), shipment.into()],
    )
}

/// Looks at up to `limit` attempts that were made before this time, from the position on, and
/// forgets those of shipments about which nothing is open. Tells how far it has come; none when
/// there are no more.
pub fn any_delete_old(
    tx: &mut Tx<'_>,
    before: Time,
    from: SweepPosition,
    limit: i64,
) -> Result<Option<SweepPosition>> {
    let old: Vec<(Time, TeamId, ShipmentId, i64)> = tx.all(
        "SELECT tried_at, team, shipment, n FROM attempt
          WHERE tried_at < $1 AND (tried_at, team, shipment, n) > ($2, $3, $4, $5)
          ORDER BY tried_at, team, shipment, n LIMIT $6",
        &[
            before.into(),
            from.at.into(),
            from.team.into(),
            from.shipment.into(),
            from.n.into(),
            limit.into(),
        ],
    )?;
    for (_, team, shipment, n) in &old {
        tx.exec(
            "DELETE FROM attempt WHERE team = $1 AND shipment = $2 AND n = $3
                AND EXISTS (SELECT 1 FROM shipment WHERE team = $1 AND id = $2 AND step = 'done'
                               AND state <> 'processing')",
            &[(*team).into(), (*shipment).into(), (*n).into()],
        )?;
    }
    let is_full = i64::try_from(old.len()).is_ok_and(|count| count >= limit);
    let last = old.last().filter(|_| is_full);
    Ok(last.map(|(at, team, shipment, n)| SweepPosition {
        at: *at,
        team: *team,
        shipment: *shipment,
        n: *n,
    }))
}
