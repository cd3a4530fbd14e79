//! The rows that a report is about, a page at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_store::{Error, Tx};

/// Rows read at once.
const PAGE: i64 = 500;

/// A row of a report, which is found by the time when it was made.
pub trait PagedRow: Sized + Send + 'static {
    /// Reads rows of the period after this key, the oldest first.
    fn list(
        tx: &mut Tx<'_>,
        team: TeamId,
        period: (Time, Time),
        after: (Time, Uuid),
        limit: i64,
    ) -> Result<Vec<Self>, Error>;

    /// When it was made, and its id.
    fn key(&self) -> (Time, Uuid);
}

/// The rows of a period, the oldest first, read a page at a time. A failure ends them and is told
/// by `finish`.
pub struct RowPages<'a, T> {
    app: &'a App,
    team: TeamId,
    period: (Time, Time),
    is_cancelled: &'a AtomicBool,
    after: (Time, Uuid),
    page: std::vec::IntoIter<T>,
    is_last: bool,
    failure: Option<Error>,
}

impl<'a, T: PagedRow> RowPages<'a, T> {
    /// No page is read any more once `is_cancelled` is true.
    pub fn new(
        app: &'a App,
        team: TeamId,
        period: (Time, Time),
        is_cancelled: &'a AtomicBool,
    ) -> RowPages<'a, T> {
        RowPages {
            app,
            team,
            period,
            is_cancelled,
            after: (Time(i64::MIN), Uuid::nil()),
            page: Vec::new().into_iter(),
            is_last: false,
            failure: None,
        }
    }

    /// Fails when not all rows could be read.
    pub fn finish(self) -> Result<(), Error> {
        self.failure.map_or(Ok(()), Err)
    }

    fn read_page(&self) -> Result<Vec<T>, Error> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("another worker makes this report".to_owned()));
        }
        let (team, period, after) = (self.team, self.period, self.after);
        let read = move |tx: &mut Tx<'_>| T::list(tx, team, period, after, PAGE);
        self.app.store().blocking_read(read)
    }
}

impl<T: PagedRow> Iterator for RowPages<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.page.len() == 0 && !self.is_last {
            match self.read_page() {
                Ok(page) => {
                    self.is_last = page.len() < PAGE as usize;
                    self.page = page.into_iter();
                }
                Err(error) => (self.failure, self.is_last) = (Some(error), true),
            }
        }
        let row = self.page.next()?;
        self.after = row.key();
        Some(row)
    }
}
