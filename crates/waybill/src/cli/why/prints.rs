//! What is known about the attempts to print a shipment's documents.

use waybill_domain::ids::{DocumentId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_store::print_jobs::{self, Filter, PrintJob, Report, Submission};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, print_agents};

/// No more attempts of one document are told.
const JOBS_MAX: usize = 100;

/// An attempt, and what may have left for the printer.
pub struct Print {
    job: PrintJob,
    submissions: Vec<Submission>,
    /// What the print agent is called that has the printer.
    agent: Option<String>,
    reports: Vec<Report>,
    printer: Option<Printer>,
}

impl Print {
    /// The attempts to print a document.
    pub fn read(tx: &mut Tx<'_>, team: TeamId, document: DocumentId) -> Result<Vec<Print>, Error> {
        let filter = Filter { document: Some(document), ..Filter::default() };
        let jobs = print_jobs::list(tx, team, filter, None, JOBS_MAX)?;
        let mut prints = Vec::new();
        for job in jobs {
            let submissions = print_jobs::list_submissions(tx, team, job.id)?;
            let agent = match job.agent {
                Some(agent) => print_agents::find_name(tx, team, agent)?,
                None => None,
            };
            let reports = print_jobs::list_reports(tx, team, job.id)?;
            let printer = job.target.as_ref().map(|target| target.printer);
            let printer = printer.map(|id| printers::find(tx, team, id)).transpose()?.flatten();
            prints.push(Print { job, submissions, agent, reports, printer });
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
        let of = self.agent.as_ref().map_or(String::new(), |agent| format!(" of {agent}"));
        let made = format!("print job {} for {printer}{of}{copies}, {asked}", job.id);
        let mut lines = vec![(job.created_at, made)];
        lines.extend(self.reports.iter().map(|report| self.reported(report)));
        // What an agent sends to its printer is known to the agent alone.
        let submissions = self.submissions.iter().filter(|_| self.job.agent.is_none());
        for one in submissions {
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
        // What waits, waits for this.
        let printer = self.printer.as_ref().filter(|_| job.look_at.is_some());
        if let Some((printer, why)) = printer.and_then(|it| Some((it, it.why_offline.as_ref()?))) {
            lines.push((printer.looked_at, format!("{} is offline: {why}", printer.name)));
        }
        lines
    }

    /// What the agent told, and when it says that this was.
    fn reported(&self, report: &Report) -> (Time, String) {
        let agent = self.agent.as_deref().unwrap_or("the print agent");
        let Report { sequence, state, told_at, .. } = report;
        let said = report.said.as_ref().map_or(String::new(), |said| format!(": {said}"));
        let line = format!("report {sequence} of {agent}: {state} at {told_at}{said}");
        (report.taken_at, line)
    }
}
