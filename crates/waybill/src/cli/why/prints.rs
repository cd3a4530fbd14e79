//! What is known about the attempts to print a shipment's documents.

use waybill_domain::ids::{DocumentId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_store::print_jobs::{self, Filter, PrintJob, Submission};
use waybill_store::{Error, Tx};

/// No more attempts of one document are told.
const JOBS_MAX: usize = 100;

/// An attempt, and what may have left for the printer.
pub struct Print {
    job: PrintJob,
    submissions: Vec<Submission>,
}

impl Print {
    /// The attempts to print a document.
    pub fn read(tx: &mut Tx<'_>, team: TeamId, document: DocumentId) -> Result<Vec<Print>, Error> {
        let filter = Filter { document: Some(document), ..Filter::default() };
        let jobs = print_jobs::list(tx, team, filter, None, JOBS_MAX)?;
        let mut prints = Vec::new();
        for job in jobs {
            let submissions = print_jobs::list_submissions(tx, team, job.id)?;
            prints.push(Print { job, submissions });
        }
        Ok(prints)
    }

    /// The attempt.
    pub fn job(&self) -> &PrintJob {
        &self.job
    }

    /// What happened when.
    pub fn lines(&self) -> Vec<(Time, String)> {
        let job = &self.job;
        let printer = job.target.as_ref().map_or("no printer", |target| &target.name);
        let asked = match job.source {
            waybill_domain::printing::PrintSource::Booking => "by itself",
            waybill_domain::printing::PrintSource::Api => "as somebody asked",
        };
        let copies =
            if job.copies == 1 { String::new() } else { format!(", {} times", job.copies) };
        let made = format!("print job {} for {printer}{copies}, {asked}", job.id);
        let mut lines = vec![(job.created_at, made)];
        for one in &self.submissions {
            let number = one.printer_job.map_or("-".to_owned(), |number| number.to_string());
            lines.push((one.created_at, format!("submission {} to {printer}", one.number)));
            if let Some(at) = one.sent_at {
                lines.push((at, format!("the file may leave for the printer's job {number}")));
            }
            if let (Some(at), Some(outcome)) = (one.ended_at, one.outcome) {
                let said =
                    one.evidence.as_deref().map_or(String::new(), |said| format!(": {said}"));
                lines.push((at, format!("submission {}: {}{said}", one.number, outcome.name())));
            }
        }
        let failure = job.failure.as_ref().map(|failure| failure.message().say(Language::En));
        let why = failure.map_or(String::new(), |why| format!(": {why}"));
        lines.push((job.updated_at, format!("print job is {}{why}", job.state.name())));
        lines
    }
}
