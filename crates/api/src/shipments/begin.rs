//! The beginning of a booking: the shipment, what makes the same request known again, and the job
//! are one commit. Everything that books passes here.

use std::sync::Arc;
use std::time::Duration;

use tracing::Instrument;
use waybill_domain::ids::ShipmentId;
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::failpoint;
use waybill_engine::fulfilment::{self, Shipping};
use waybill_engine::handoff::HandedJob;
use waybill_engine::timings::Waiting;
use waybill_store::jobs::Claimed;
use waybill_store::legacy::LegacyBooking;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, idempotency, legacy, shipments};

use crate::caller::Member;
use crate::legacy::resend::Resend;
use crate::reply::ApiError;
use crate::request::{Idempotent, Request, run_idempotent};
use crate::writer::Writer;

/// What is to begin.
pub struct Beginning {
    /// The shipment.
    pub shipment: Shipment,
    /// The key of the request.
    pub claim: Option<idempotency::KeyClaim>,
    /// What is kept of a request of the older API.
    pub legacy: Option<LegacyBeginning>,
}

/// What is kept of a request of the older API.
pub struct LegacyBeginning {
    /// Beside its shipment.
    pub booking: LegacyBooking,
    /// What it is known by when it comes again without a key.
    pub resend: Option<Resend>,
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begun {
    /// It began.
    Now,
    /// The same request came before, and made this shipment.
    Before(ShipmentId),
}

/// Why nothing was committed.
enum Refused {
    /// Another server was faster with the same request, and its commit is seen in a moment.
    Outrun,
    Error(ApiError),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Error(error.into())
    }
}

/// Why no shipment of a warehouse's request may begin.
fn refused(why: Option<Message>) -> Refused {
    Refused::Error(why.map_or(ApiError::NotFound, ApiError::Conflict))
}

/// Tries that lose against the same request. Each of them has a winner, which the next one sees.
const TRIES: u32 = 100;
/// Until what was faster is committed.
const AGAIN: Duration = Duration::from_millis(20);

/// Stores the shipment with its key and its job, and hands the job over.
pub async fn begin(
    request: &Request,
    member: Member,
    beginning: Beginning,
) -> Result<Begun, ApiError> {
    let Beginning { shipment, claim, legacy } = beginning;
    let legacy = legacy.map(Arc::new);
    for _ in 0..TRIES {
        // On its own: a caller who hangs up between the commit and the hand-over delays nothing.
        let one = Attempt {
            writer: request.writer(),
            now: request.now,
            member,
            claim: claim.clone(),
            shipment: shipment.clone(),
            legacy: legacy.clone(),
        };
        let died = |_| ApiError::Internal("accepting a shipment panicked".to_owned());
        match tokio::spawn(one.run().in_current_span()).await.map_err(died)? {
            Ok(begun) => return Ok(begun),
            Err(Refused::Error(error)) => return Err(error),
            Err(Refused::Outrun) => tokio::time::sleep(AGAIN).await,
        }
    }
    Err(ApiError::Unavailable("the same request is being accepted elsewhere".to_owned()))
}

/// One try to begin.
struct Attempt {
    writer: Writer,
    now: Time,
    member: Member,
    claim: Option<idempotency::KeyClaim>,
    shipment: Shipment,
    legacy: Option<Arc<LegacyBeginning>>,
}

impl Attempt {
    async fn run(self) -> Result<Begun, Refused> {
        let Attempt { writer, now, member, claim, shipment, legacy } = self;
        let (id, at_hand) = (shipment.id, Box::new(shipment.clone()));
        let (starter, is_legacy) = (writer.app.clone(), legacy.is_some());
        let is_shared = is_legacy || shipment.fulfilment.is_some();
        let work = move |tx: &mut Tx<'_>| -> Result<(Begun, Option<Claimed>), Refused> {
            let resend = legacy.as_ref().and_then(|legacy| legacy.resend.as_ref());
            if let Some(resend) = resend
                && let Some(known) = resend.claim(tx, member.team, now)?
            {
                return Ok((Begun::Before(known), None));
            }
            if let Some(wanted) = shipment.fulfilment {
                let of = (wanted, shipment.id);
                match fulfilment::begin(tx, &starter, member.team, of, now, refused)? {
                    Shipping::Begun => {}
                    Shipping::Before(known) => return Ok((Begun::Before(known), None)),
                }
            }
            let (mut leased, mut is_outrun) = (None, false);
            let done = run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
                shipments::insert(tx, member.team, &shipment)?;
                if let Some(LegacyBeginning { booking, resend }) = legacy.as_deref() {
                    let fingerprint = resend.as_ref().map(Resend::fingerprint);
                    is_outrun = !legacy::insert(tx, member.team, booking, fingerprint, now)?;
                }
                leased = starter.start_job(tx, JobKind::Book, id.into(), member.team, now)?;
                Ok(())
            });
            // Another one has the key and is not through yet.
            if is_legacy && matches!(done, Err(ApiError::Processing(None))) {
                return Err(Refused::Outrun);
            }
            match done.map_err(Refused::Error)? {
                Idempotent::Replayed(id, _) => Ok((Begun::Before(ShipmentId(id)), None)),
                Idempotent::Executed if is_outrun => Err(Refused::Outrun),
                Idempotent::Executed => Ok((Begun::Now, leased)),
            }
        };
        // What others want too has a transaction of its own.
        let (begun, leased) = match is_shared {
            true => writer.write(work).await?,
            false => writer.write_grouped(work).await?,
        };
        failpoint::hit("accepted-by-us");
        if begun == Begun::Now {
            let Writer { app, timings, .. } = writer;
            let waiting = Some(Waiting { timings, since: app.monotonic() });
            let leased = leased.map(|job| HandedJob { job, shipment: Some(at_hand), waiting });
            app.hand_over_or_wake(leased);
        }
        Ok(begun)
    }
}
