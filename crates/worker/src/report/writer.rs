//! Makes the files of one report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use waybill_domain::document::{DocumentType, Format};
use waybill_domain::ids::TeamId;
use waybill_domain::report::{ReportFormat, ReportKind};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::papers::{Paper, PapersError, day};
use waybill_paper::{Dpi, Layout, Problem, SpreadsheetWriter, Summary};
use waybill_store::reports::Report;

use super::content::ReportContent;
use super::pages::RowPages;
use super::prices::Prices;
use super::print_jobs::PrintJobContent;
use super::shipments::ShipmentContent;
use super::trackings::TrackingContent;

/// Reads what a report is about, and makes its files. It blocks.
pub struct ReportWriter {
    pub app: App,
    pub team: TeamId,
    pub report: Report,
    /// Becomes true when another worker makes the report by now.
    pub is_cancelled: Arc<AtomicBool>,
}

impl ReportWriter {
    /// The files in the order in which they were asked for.
    pub fn write(&self) -> Result<Vec<Paper>, PapersError> {
        let (app, language) = (&self.app, self.report.language);
        match self.report.kind {
            ReportKind::Shipments => {
                // Only the spreadsheet has prices.
                let prices = match self.wants(ReportFormat::Xlsx) {
                    true => Prices::read(app, self.team)?,
                    false => Prices::default(),
                };
                self.write_files(ShipmentContent::new(app, language, prices))
            }
            ReportKind::Tracking => self.write_files(TrackingContent::new(app, language)),
            ReportKind::PrintJobs => self.write_files(PrintJobContent::new(language)),
        }
    }

    fn wants(&self, format: ReportFormat) -> bool {
        self.report.formats.contains(&format)
    }

    /// Every row is read once and goes into all files: so they agree.
    fn write_files<C: ReportContent>(&self, mut content: C) -> Result<Vec<Paper>, PapersError> {
        let mut sheet = match self.wants(ReportFormat::Xlsx) {
            true => Some(self.begin_sheet(&content).map_err(PapersError::Render)?),
            false => None,
        };
        let period = (self.report.from_at, self.report.to_at);
        let mut pages = RowPages::<C::Row>::new(&self.app, self.team, period, &self.is_cancelled);
        while let Some(page) = pages.next_page()? {
            for row in page {
                content.count(&row);
                if let Some(sheet) = &mut sheet {
                    sheet.add_row(&content.cells(&row)).map_err(PapersError::Render)?;
                }
            }
        }
        let formats = self.report.formats.iter();
        let files = formats.filter_map(|format| match format {
            ReportFormat::Xlsx => sheet.take().map(finish_sheet),
            ReportFormat::Pdf => Some(self.draw_summary(&content)),
        });
        files.collect()
    }

    fn begin_sheet<C: ReportContent>(&self, content: &C) -> Result<SpreadsheetWriter, Problem> {
        let name = Message::new(C::NAME).say(self.report.language);
        SpreadsheetWriter::begin(&name, &content.columns())
    }

    /// What was counted, on paper.
    fn draw_summary<C: ReportContent>(&self, content: &C) -> Result<Paper, PapersError> {
        let (report, renderer) = (&self.report, self.app.renderer());
        let summary = Summary {
            language: report.language,
            name: Message::new(C::NAME).say(report.language),
            from: day(report.from_at),
            // A report ends before its last moment.
            to: day(Time(report.to_at.0 - 1)),
            figures: content.figures(),
            charts: content.charts(),
        };
        let document = summary.layout(renderer).map_err(PapersError::Layout)?;
        let drawn = renderer.render(&document, Format::Pdf, Dpi::Dpi203);
        Ok(Paper::drawn(DocumentType::Report, Format::Pdf, drawn.map_err(PapersError::Render)?))
    }
}

fn finish_sheet(sheet: SpreadsheetWriter) -> Result<Paper, PapersError> {
    let bytes = sheet.finish().map_err(PapersError::Render)?;
    Ok(Paper::new(vec![DocumentType::Report], Format::Xlsx, bytes))
}
