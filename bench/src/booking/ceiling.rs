//! The most that the store could do: the three commits of a booking, with the same rows through
//! the same functions, and nothing around them.

use std::time::Duration;

use waybill_domain::booking::{CallEnd, Reference, Step};
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_store::documents::{Content, Document};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_calls, documents, idempotency, jobs, shipments};

use super::fixture::Fixture;
use crate::measure::Failure;

const LEASE: Duration = Duration::from_secs(30);
/// Bookings in one commit when many are made.
const GROUP: usize = 1000;

/// A booking of the service to copy.
pub struct Sample {
    team: TeamId,
    shipment: Shipment,
    document: Document,
    content: Content,
}

impl Sample {
    /// The newest booking there is, with its label.
    pub fn take(fixture: &Fixture) -> Result<Sample, Failure> {
        let team = fixture.account.team;
        let sort = shipments::Sort::CreatedDescending;
        let found = fixture.app.store().blocking_read(move |tx| {
            let filter = shipments::Filter::default();
            let newest = shipments::list(tx, team, &filter, sort, None, 1)?.into_iter().next();
            let Some(shipment) = newest else { return Ok::<_, Error>(None) };
            let files = documents::list_of(tx, team, SourceKind::Shipment, shipment.id.into())?;
            let Some(file) = files.into_iter().next() else { return Ok(None) };
            let content = documents::any_find_content(tx, &file.hash)?;
            Ok(content.map(|content| (shipment, file, content)))
        })?;
        let (shipment, document, content) = found.ok_or("no booking to copy")?;
        Ok(Sample { team, shipment, document, content })
    }

    /// Whose it is, the shipment and its label.
    pub fn parts(&self) -> (TeamId, Shipment, Document) {
        (self.team, self.shipment.clone(), self.document.clone())
    }

    /// The same booking again, under new ids.
    pub fn copy(&self, fixture: &Fixture) -> Sample {
        let ids = &fixture.app.ids();
        let id = ShipmentId(ids.uuid());
        let mut content = self.content.clone();
        if let Content::Here(bytes) = &mut content {
            bytes.extend_from_slice(id.to_string().as_bytes());
        }
        let mut hash = self.document.hash.clone();
        ids.fill(&mut hash);
        let document = Document {
            id: DocumentId(ids.uuid()),
            source: id.into(),
            hash,
            ..self.document.clone()
        };
        let shipment = Shipment { id, ..self.shipment.clone() };
        Sample { team: self.team, shipment, document, content }
    }

    /// Three commits, one after the other.
    pub async fn commit(self, app: &App) -> Result<(), Failure> {
        let (team, now) = (self.team, app.now());
        let ready = Shipment {
            step: Step::Ready,
            state: ShipmentState::Processing,
            ..self.shipment.clone()
        };
        let claimed = app.write(move |tx| accept(tx, team, &ready, now)).await?;
        let (id, job) = (self.shipment.id, claimed.clone());
        let reference = Reference::new(app.ids().as_ref());
        let intend = move |tx: &mut Tx<'_>| {
            jobs::renew(tx, &job, now.plus(LEASE * 5 / 6), now.plus(LEASE))?;
            shipments::set_calling(tx, team, id, now)?;
            carrier_calls::insert(tx, team, id, &reference, job.fence, now).map(drop)
        };
        app.write(intend).await?;
        let number = id.to_string();
        let conclude = move |tx: &mut Tx<'_>| {
            jobs::finish(tx, &claimed)?;
            shipments::change(tx, team, Step::Calling, &self.shipment, None)?;
            carrier_calls::set_outcome(tx, team, id, CallEnd::Accepted, None, now)?;
            shipments::insert_tracking_number(tx, team, &number, id)?;
            documents::insert(tx, team, &self.document, &self.content)
        };
        Ok(app.write(conclude).await?)
    }
}

fn accept(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: &Shipment,
    now: Time,
) -> Result<jobs::Claimed, Error> {
    let id = shipment.id;
    let claim = idempotency::KeyClaim {
        method: "POST".to_owned(),
        path: "/teams/…/shipments".to_owned(),
        key: id.to_string(),
        fingerprint: [7; 32],
    };
    idempotency::claim(tx, team, &claim, (id.into(), 201), now)?;
    shipments::insert(tx, team, shipment)?;
    let now = tx.now(now)?;
    let job = jobs::claim_one(tx, JobKind::Book, id.into(), Some(team), now, LEASE)?;
    let job = job.ok_or_else(|| Error::Broken("a new job is nobody's".to_owned()))?;
    Ok(job)
}

impl Sample {
    /// Adds many bookings as they are in the end, a thousand in each commit, and tells their ids.
    pub fn multiply(&self, fixture: &Fixture, count: usize) -> Result<Vec<ShipmentId>, Failure> {
        let mut ids = Vec::with_capacity(count);
        for start in (0..count).step_by(GROUP) {
            let some: Vec<Sample> =
                (start..count.min(start + GROUP)).map(|_| self.copy(fixture)).collect();
            ids.extend(some.iter().map(|copy| copy.shipment.id));
            fixture.app.store().blocking_write(move |tx| {
                for copy in &some {
                    let (team, id) = (copy.team, copy.shipment.id);
                    let (state, step) = (ShipmentState::Processing, Step::Ready);
                    let fresh = Shipment { state, step, ..copy.shipment.clone() };
                    shipments::insert(tx, team, &fresh)?;
                    shipments::change(tx, team, step, &copy.shipment, None)?;
                    shipments::insert_tracking_number(tx, team, &id.to_string(), id)?;
                    documents::insert(tx, team, &copy.document, &copy.content)?;
                }
                Ok::<_, Error>(())
            })?;
        }
        Ok(ids)
    }
}
