//! What a report says about print jobs.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use uuid::Uuid;
use waybill_domain::document::DocumentType;
use waybill_domain::ids::TeamId;
use waybill_domain::language::Language;
use waybill_domain::printing::{PrintSource, PrintState};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::papers::day;
use waybill_paper::{Cell, Chart, Column, ColumnKind};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::{Error, Tx};

use super::cells::{column, moment, seconds, seconds_column, text};
use super::charts::{by_day, largest};
use super::content::ReportContent;
use super::pages::PagedRow;

impl PagedRow for PrintJob {
    fn list(
        tx: &mut Tx<'_>,
        team: TeamId,
        period: (Time, Time),
        after: (Time, Uuid),
        limit: i64,
    ) -> Result<Vec<PrintJob>, Error> {
        print_jobs::list_created(tx, team, period, after, limit)
    }

    fn key(&self) -> (Time, Uuid) {
        (self.created_at, self.id.into())
    }
}

/// A report of print jobs.
pub struct PrintJobContent {
    language: Language,
    states: HashMap<PrintState, i64>,
    printers: BTreeMap<String, i64>,
    days: BTreeMap<Date, i64>,
}

impl PrintJobContent {
    /// Nothing is counted yet.
    pub fn new(language: Language) -> PrintJobContent {
        let (states, printers, days) = (HashMap::new(), BTreeMap::new(), BTreeMap::new());
        PrintJobContent { language, states, printers, days }
    }

    /// The states that there are, in the order in which a job comes by them.
    fn named_states(&self) -> impl Iterator<Item = (String, i64)> {
        let count = |state: &PrintState| {
            Some((state_name(*state, self.language), *self.states.get(state)?))
        };
        PrintState::ALL.iter().filter_map(count)
    }

    /// What people call the document: a type that this version does not know has the name that was
    /// stored with the job.
    fn document(&self, job: &PrintJob) -> Cell {
        let kind = job.document_types.split(' ').next().and_then(DocumentType::parse);
        let name = kind.map(|kind| kind.title().say(self.language));
        Cell::Text(name.unwrap_or_else(|| job.document_name.clone()))
    }
}

impl ReportContent for PrintJobContent {
    type Row = PrintJob;
    const NAME: &'static str = "report-print-jobs";

    fn columns(&self) -> Vec<Column> {
        let column = |key, kind, width| column(self.language, key, kind, width);
        vec![
            column("report-created", ColumnKind::Moment, 17),
            column("report-document", ColumnKind::Text, 20),
            column("report-format", ColumnKind::Text, 9),
            column("report-printer", ColumnKind::Text, 24),
            column("report-copies", ColumnKind::Integer, 9),
            column("report-asked-by", ColumnKind::Text, 14),
            column("report-state", ColumnKind::Text, 14),
            seconds_column(self.language, "report-until-printed", 16),
            column("report-failure", ColumnKind::Text, 60),
        ]
    }

    fn cells(&self, job: &PrintJob) -> Vec<Cell> {
        let source = match job.source {
            PrintSource::Api => "print-source-api",
            PrintSource::Booking => "print-source-booking",
        };
        let took = job.printed_at.map(|at| at.since(job.created_at));
        let failure = job.failure.as_ref().map(|failure| failure.message().say(self.language));
        vec![
            moment(Some(job.created_at)),
            self.document(job),
            text(&job.document_format),
            job.target.as_ref().map_or(Cell::Empty, |target| text(&target.name)),
            Cell::Integer(job.copies),
            Cell::Text(Message::new(source).say(self.language)),
            Cell::Text(state_name(job.state, self.language)),
            took.map_or(Cell::Empty, seconds),
            failure.map_or(Cell::Empty, Cell::Text),
        ]
    }

    fn count(&mut self, job: &PrintJob) {
        *self.states.entry(job.state).or_default() += 1;
        *self.days.entry(day(job.created_at)).or_default() += 1;
        let printer = match &job.target {
            Some(target) => target.name.clone(),
            None => Message::new("report-no-printer").say(self.language),
        };
        *self.printers.entry(printer).or_default() += 1;
    }

    fn figures(&self) -> Vec<(String, i64)> {
        let total = Message::new("report-print-jobs").say(self.language);
        let mut figures = vec![(total, self.states.values().sum())];
        figures.extend(self.named_states());
        figures
    }

    fn charts(&self) -> Vec<Chart> {
        let states: BTreeMap<String, i64> = self.named_states().collect();
        vec![
            by_day("report-print-jobs-by-day", &self.days, self.language),
            largest("report-print-jobs-by-state", &states, self.language),
            largest("report-print-jobs-by-printer", &self.printers, self.language),
        ]
    }
}

fn state_name(state: PrintState, language: Language) -> String {
    let key = match state {
        PrintState::Pending => "print-state-pending",
        PrintState::Queued => "print-state-queued",
        PrintState::Printing => "print-state-printing",
        PrintState::Printed => "print-state-printed",
        PrintState::Failed => "print-state-failed",
        PrintState::Unknown => "print-state-unknown",
    };
    Message::new(key).say(language)
}
