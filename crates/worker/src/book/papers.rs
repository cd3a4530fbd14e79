//! The papers that come with an answer.

use waybill_carriers::booking::CarrierFiles;
use waybill_domain::booking::Seen;
use waybill_engine::papers::{self, Paper, PapersError};
use waybill_engine::timings::Part;

use super::observed::Observed;
use super::run::BookingRun;

impl BookingRun {
    /// Draws and measures at once what came with the answer. What fails here is tried again in a
    /// step of its own, where nothing can be booked.
    pub(super) async fn with_papers(&self, observed: Observed) -> Observed {
        let mut observed = self.with_papers_at_once(observed).await;
        if let Some(accepted) = observed.accepted.as_mut().filter(|_| observed.seen != Seen::Booked)
        {
            accepted.keep_files();
        }
        observed
    }

    async fn with_papers_at_once(&self, mut observed: Observed) -> Observed {
        let Some(accepted) = observed.accepted.as_mut().filter(|_| observed.seen == Seen::Accepted)
        else {
            return observed;
        };
        let mut files = std::mem::take(&mut accepted.files);
        observed.tracking_urls = std::mem::take(&mut files.tracking_urls);
        if files.is_empty() {
            return observed;
        }
        let numbers = accepted.parcels.iter().map(|p| Some(p.tracking_number.clone())).collect();
        match self.papers(numbers, files).await {
            Ok(made) if made.is_empty() => {}
            // Accepted and booked are one write.
            Ok(made) => (observed.seen, observed.papers) = (Seen::Booked, made),
            Err(why) => {
                tracing::warn!(shipment = %self.shipment.id, %why, "papers could not be made");
                observed.papers_error = Some(why.to_string());
            }
        }
        observed
    }

    /// Makes the papers, and counts how long.
    pub(super) async fn papers(
        &self,
        numbers: Vec<Option<String>>,
        files: CarrierFiles,
    ) -> Result<Vec<Paper>, PapersError> {
        let made = papers::make(&self.app, self.team, &self.shipment, numbers, files);
        self.timings.during(self.app.clock().as_ref(), Part::Render, made).await
    }
}
