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
use waybill_paper::{Dpi, Layout, Summary, spreadsheet};
use waybill_store::reports::Report;

use super::content::ReportContent;
use super::pages::RowPages;
use super::prices::Prices;
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
        }
    }

    fn wants(&self, format: ReportFormat) -> bool {
        self.report.formats.contains(&format)
    }

    fn write_files<C: ReportContent>(&self, mut content: C) -> Result<Vec<Paper>, PapersError> {
        let (mut sheet, mut summary) = (None, None);
        let period = (self.report.from_at, self.report.to_at);
        // Every row is read once and goes into all files: so they agree.
        let mut rows = RowPages::new(&self.app, self.team, period, &self.is_cancelled);
        if self.wants(ReportFormat::Xlsx) {
            sheet = Some(self.write_sheet(&mut content, rows.by_ref()));
        }
        if self.wants(ReportFormat::Pdf) {
            // All of them, or those for which the sheet had no room.
            rows.by_ref().for_each(|row| content.count(&row));
        }
        rows.finish()?;
        if self.wants(ReportFormat::Pdf) {
            summary = Some(self.draw_summary(&content));
        }
        let formats = self.report.formats.iter();
        let files = formats.filter_map(|format| match format {
            ReportFormat::Xlsx => sheet.take(),
            ReportFormat::Pdf => summary.take(),
        });
        files.collect()
    }

    /// The spreadsheet. Its rows are counted on the way.
    fn write_sheet<C: ReportContent>(
        &self,
        content: &mut C,
        rows: impl Iterator<Item = C::Row>,
    ) -> Result<Paper, PapersError> {
        let (name, columns) = (Message::new(C::NAME).say(self.report.language), content.columns());
        let rows = rows.map(|row| {
            content.count(&row);
            content.cells(&row)
        });
        let bytes = spreadsheet(&name, &columns, rows).map_err(PapersError::Render)?;
        Ok(Paper::new(vec![DocumentType::Report], Format::Xlsx, bytes))
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
