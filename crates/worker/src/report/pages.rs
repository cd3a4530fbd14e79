//! The rows that a report is about, a page at a time.

use std::sync::atomic::Ordering;

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::time::Time;
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, shipments};

use super::Maker;
use super::rows::Sent;

/// Rows read at once.
const PAGE: i64 = 500;

/// Reads rows of a period after one of them, the oldest first.
type Read<T> = fn(&mut Tx<'_>, TeamId, (Time, Time), (Time, Uuid), i64) -> Result<Vec<T>, Error>;

/// The rows of a period, the oldest first, read a page at a time. A failure ends them and is told
/// by `finish`.
pub struct Pages<'a, T> {
    maker: &'a Maker,
    period: (Time, Time),
    after: (Time, Uuid),
    page: std::vec::IntoIter<T>,
    is_last: bool,
    failure: Option<Error>,
    read: Read<T>,
    key: fn(&T) -> (Time, Uuid),
}

impl<'a> Pages<'a, Sent> {
    pub fn shipments(maker: &'a Maker) -> Pages<'a, Sent> {
        let key = |sent: &Sent| (sent.shipment.created_at, sent.shipment.id.into());
        Pages::new(maker, list_sent, key)
    }
}

/// Shipments with what is known of their parcels.
fn list_sent(
    tx: &mut Tx<'_>,
    team: TeamId,
    period: (Time, Time),
    after: (Time, Uuid),
    limit: i64,
) -> Result<Vec<Sent>, Error> {
    let mut all = Vec::new();
    for shipment in shipments::list_created(tx, team, period, after, limit)? {
        let trackings = match shipment.booked_at {
            Some(_) => trackings::list_of(tx, team, shipment.id)?,
            None => Vec::new(),
        };
        let order = shipment.read_order()?;
        all.push(Sent { shipment, order, trackings });
    }
    Ok(all)
}

impl<'a> Pages<'a, Tracking> {
    pub fn trackings(maker: &'a Maker) -> Pages<'a, Tracking> {
        let key = |tracking: &Tracking| (tracking.created_at, tracking.id.into());
        Pages::new(maker, trackings::list_created, key)
    }
}

impl<'a, T: Send + 'static> Pages<'a, T> {
    fn new(maker: &'a Maker, read: Read<T>, key: fn(&T) -> (Time, Uuid)) -> Pages<'a, T> {
        Pages {
            maker,
            period: (maker.report.from_at, maker.report.to_at),
            after: (Time(i64::MIN), Uuid::nil()),
            page: Vec::new().into_iter(),
            is_last: false,
            failure: None,
            read,
            key,
        }
    }

    /// Fails when not all rows could be read.
    pub fn finish(self) -> Result<(), Error> {
        self.failure.map_or(Ok(()), Err)
    }

    fn turn(&mut self) {
        let (team, period, after, read) = (self.maker.team, self.period, self.after, self.read);
        let read = move |tx: &mut Tx<'_>| read(tx, team, period, after, PAGE);
        let page = match self.maker.is_given_up.load(Ordering::Relaxed) {
            true => Err(Error::Unavailable("another worker makes this report".to_owned())),
            false => self.maker.app.store().blocking_read(read),
        };
        match page {
            Ok(page) => {
                self.is_last = page.len() < PAGE as usize;
                self.page = page.into_iter();
            }
            Err(error) => (self.failure, self.is_last) = (Some(error), true),
        }
    }
}

impl<T: Send + 'static> Iterator for Pages<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.page.len() == 0 && !self.is_last {
            self.turn();
        }
        let row = self.page.next()?;
        self.after = (self.key)(&row);
        Some(row)
    }
}
