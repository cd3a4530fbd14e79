//! The summary of a report on paper: figures, charts of bars, and no row of anyone's data.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, Value, each};
use waybill_domain::language::Language;

use crate::layouts::Layout;
use crate::layouts::table::{INNER, LEFT, Paged};
use crate::page::{Area, Document};
use crate::renderer::Renderer;
use crate::text::Style;
use crate::{numbers, read};

/// A summary.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Of the captions.
    pub language: Language,
    /// What is reported, in that language.
    pub name: String,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Figures, each with its name.
    pub figures: Vec<(String, i64)>,
    /// Charts.
    pub charts: Vec<Chart>,
}

/// A chart of horizontal bars.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows.
    pub name: String,
    /// From above.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// What it stands for.
    pub name: String,
    /// How many; less than nothing is drawn as nothing.
    pub value: i64,
}

const BAR: f32 = 6.0;

impl Layout for Summary {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let mut paged = Paged::new(renderer, self.language, "paper-report");
        let style = Style::new(14.0, 8.0).bold().lines(2).heading();
        paged.sheet.text(Area::new(LEFT, paged.y - 2.0, INNER, 12.0), style, "name", &self.name);
        paged.y += 11.0;
        let (from, to) =
            (numbers::date(self.from, self.language), numbers::date(self.to, self.language));
        paged.facts(&[("paper-period", "from", Some(&format!("{from} – {to}")))]);
        self.figures(&mut paged);
        for (index, chart) in self.charts.iter().enumerate() {
            self.chart(&mut paged, chart, &format!("charts.{index}"));
        }
        paged.done()
    }
}

impl Summary {
    fn figures(&self, paged: &mut Paged) {
        for (line, figures) in self.figures.chunks(4).enumerate() {
            paged.need(20.0);
            for (index, (name, value)) in figures.iter().enumerate() {
                let area = Area::new(LEFT + 45.0 * index as f32, paged.y, 43.0, 18.0);
                paged.sheet.frame(area);
                let path = format!("figures.{}.name", line * 4 + index);
                let inner = area.inset(1.5);
                let small = Style::new(7.5, 5.5).lines(1);
                paged.sheet.text(Area { height: 4.0, ..inner }, small, &path, name);
                let large = Style::new(20.0, 9.0).bold().lines(1);
                let place = Area { y: inner.y + 5.0, height: 10.0, ..inner };
                paged.sheet.text(place, large, &path, &numbers::count(*value, self.language));
            }
            paged.y += 21.0;
        }
        paged.y += 3.0;
    }

    fn chart(&self, paged: &mut Paged, chart: &Chart, path: &str) {
        let heading = Style::new(11.0, 8.0).bold().lines(1).heading();
        paged.need(10.0 + BAR);
        let area = Area::new(LEFT, paged.y, INNER, 6.0);
        paged.sheet.text(area, heading, &format!("{path}.name"), &chart.name);
        paged.y += 8.0;
        let most = chart.bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
        for (index, bar) in chart.bars.iter().enumerate() {
            paged.need(BAR);
            let style = Style::new(8.5, 5.5).lines(1);
            let place = format!("{path}.bars.{index}.name");
            let area = Area::new(LEFT, paged.y + 0.4, 43.0, BAR - 0.8);
            paged.sheet.text(area, style.right(), &place, &bar.name);
            let length = 108.0 * bar.value.max(0) as f32 / most as f32;
            if length > 0.1 {
                let area = Area::new(LEFT + 45.0, paged.y + 0.8, length, BAR - 1.6);
                paged.sheet.fill(area);
            }
            let area = Area::new(LEFT + 46.5 + length, paged.y + 0.4, 25.0, BAR - 0.8);
            let count = numbers::count(bar.value, self.language);
            paged.sheet.text(area, style, &place, &count);
            paged.y += BAR;
        }
        paged.y += 6.0;
    }

    pub(crate) fn read(fields: &Fields) -> Option<Summary> {
        let name = read::filled(fields, "name").required();
        let (from, to) =
            (read::date(fields, "from").required(), read::date(fields, "to").required());
        let figures = fields.list("figures", 0..=40).then(|list| each(&list, read_figure));
        let charts = fields.list("charts", 0..=20).then(|list| each(&list, Chart::read));
        Some(Summary {
            language: read::language(fields),
            figures: figures.optional().unwrap_or_default(),
            charts: charts.optional().unwrap_or_default(),
            name: name?,
            from: from?,
            to: to?,
        })
    }
}

fn read_figure(value: &Value) -> Option<(String, i64)> {
    let fields = value.object()?;
    let name = read::filled(&fields, "name").required();
    let value = fields.integer("value", i64::MIN..=i64::MAX).required();
    Some((name?, value?))
}

impl Chart {
    fn read(value: &Value) -> Option<Chart> {
        let fields = value.object()?;
        let name = read::filled(&fields, "name").required();
        let bars = fields.list("bars", 1..=400);
        let bars = bars.then(|list| each(&list, read_figure)).required();
        let bars = bars?.into_iter().map(|(name, value)| Bar { name, value }).collect();
        Some(Chart { name: name?, bars })
    }
}
