//! The page with a code that is shown on a telephone or on paper where a parcel is handed in.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields};
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use super::layout::Layout;
use super::paper_size::PaperSize;
use crate::page::{Area, Document};
use crate::renderer::Renderer;
use crate::sheet::Sheet;
use crate::symbol::Symbology;
use crate::text::Style;
use crate::{numbers, read};

/// A page with a QR code.
#[derive(Clone, PartialEq, Debug)]
pub struct QrPage {
    /// Of the captions.
    pub language: Language,
    /// What it is printed on.
    pub paper: PaperSize,
    /// Who carries.
    pub carrier: String,
    /// What the code says.
    pub content: String,
    /// What can be typed in when a scanner fails.
    pub code: Option<String>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// The last day that it is taken.
    pub valid_until: Option<Date>,
}

impl Layout for QrPage {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let (width, height) = self.paper.size();
        let mut sheet =
            Sheet::new(renderer, self.language, width, height).at((width - 100.0) / 2.0, 0.0);
        let heading = Style::new(18.0, 10.0).bold().centred().heading();
        sheet.words(Area::new(5.0, 6.0, 90.0, 16.0), heading.lines(2), "paper-qr");
        let carrier = Style::new(12.0, 7.0).centred().lines(1);
        sheet.text(Area::new(5.0, 22.0, 90.0, 6.0), carrier, "carrier", &self.carrier);
        let code = (Symbology::Qr, self.content.as_str());
        sheet.code(Area::new(15.0, 29.0, 70.0, 70.0), 16, "content", code);
        if let Some(code) = &self.code {
            let style = Style::new(22.0, 9.0).bold().centred().lines(1);
            sheet.text(Area::new(5.0, 100.0, 90.0, 10.0), style, "code", code);
        }
        sheet.words(
            Area::new(8.0, 112.0, 84.0, 15.0),
            Style::new(10.0, 8.0).centred(),
            "paper-qr-how",
        );
        let small = Style::new(9.0, 6.0).centred().lines(1);
        if let Some(date) = self.valid_until {
            let until = format!(
                "{} {}",
                sheet.say("paper-valid-until"),
                numbers::date(date, self.language)
            );
            sheet.text(Area::new(5.0, 129.0, 90.0, 5.0), small, "valid_until", &until);
        }
        if let Some(reference) = &self.reference {
            let text = format!("{}: {reference}", sheet.say("paper-reference"));
            sheet.text(Area::new(5.0, 135.0, 90.0, 5.0), small, "reference", &text);
        }
        let title = Message::new("paper-qr").say(self.language);
        Ok(Document { title, language: self.language, pages: vec![sheet.done()?] })
    }
}

impl QrPage {
    pub(crate) fn read(fields: &Fields) -> Option<QrPage> {
        let carrier = read::filled(fields, "carrier").required();
        let content = read::filled(fields, "content").required();
        Some(QrPage {
            language: read::language(fields),
            paper: read::paper(fields),
            code: read::text(fields, "code"),
            reference: read::text(fields, "reference"),
            valid_until: read::date(fields, "valid_until").optional(),
            carrier: carrier?,
            content: content?,
        })
    }
}
