//! Documents of a booking that are printed by themselves, in the commit that makes them visible.

use waybill_domain::ids::{PrintJobId, TeamId};
use waybill_domain::printing::{PrintSource, PrintingSettings};
use waybill_domain::time::Time;
use waybill_store::documents::Document;
use waybill_store::{Error, Tx};

use super::choice::{choose, fits, no_rule};
use super::{NewJob, add, add_failed};
use crate::app::App;

/// Adds a job for each of these documents, in their order, as the shipment's snapshot of the
/// settings says. What no rule fits, or its printer cannot take, is a job that failed: a person
/// finds the reason there. The documents show it from here on.
pub fn print_automatically(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    settings: &PrintingSettings,
    documents: &mut [Document],
    (request_id, now): (Option<&str>, Time),
) -> Result<(), Error> {
    for document in documents {
        let id = PrintJobId(app.new_uuid());
        let chosen = choose(tx, team, settings, document)?;
        let source = PrintSource::Booking;
        let new = NewJob { id, document, source, request_id, now };
        let job = match chosen {
            None => add_failed(tx, app, team, new, (None, 1), no_rule(document))?,
            Some((printer, copies)) => match fits(&printer, document, copies) {
                Ok(()) => add(tx, app, team, new, (&printer, copies))?,
                Err(failure) => add_failed(tx, app, team, new, (Some(&printer), copies), failure)?,
            },
        };
        document.print_status = Some(job.state);
    }
    Ok(())
}
