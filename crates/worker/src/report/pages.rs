//! The rows that a report is about, a page at a time.

use std::marker::PhantomData;
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

/// The rows of a period, the oldest first, read a page at a time.
pub struct RowPages<'a, T> {
    app: &'a App,
    team: TeamId,
    period: (Time, Time),
    is_cancelled: &'a AtomicBool,
    after: (Time, Uuid),
    is_over: bool,
    rows: PhantomData<T>,
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
            is_over: false,
            rows: PhantomData,
        }
    }

    /// The next page, or nothing after the last one.
    pub fn next_page(&mut self) -> Result<Option<Vec<T>>, Error> {
        if self.is_over {
            return Ok(None);
        }
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("another worker makes this report".to_owned()));
        }
        let (team, period, after) = (self.team, self.period, self.after);
        let read = move |tx: &mut Tx<'_>| T::list(tx, team, period, after, PAGE);
        let page = self.app.store().blocking_read(read)?;
        self.is_over = page.len() < PAGE as usize;
        self.after = page.last().map_or(after, T::key);
        Ok(Some(page))
    }
}
