//! Counts as bars.

use std::collections::BTreeMap;

use jiff::civil::Date;
use waybill_domain::language::Language;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_paper::{Bar, Chart};

/// The bars of a chart; what is beyond them is one bar more.
const BARS_MAX: usize = 12;
/// The days that a chart shows one by one.
const DAYS_MAX: usize = 31;

/// The last days.
pub fn by_day(name: &'static str, counts: &BTreeMap<Date, i64>, language: Language) -> Chart {
    let last = counts.iter().rev().take(DAYS_MAX).collect::<Vec<_>>();
    let bar = |(day, count): (&Date, &i64)| Bar { name: day.to_string(), value: *count };
    let bars = last.into_iter().rev().map(bar).collect();
    Chart { name: Message::new(name).say(language), bars }
}

/// The largest counts, and all others together.
pub fn largest(name: &'static str, counts: &BTreeMap<String, i64>, language: Language) -> Chart {
    let mut all: Vec<(&String, i64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: i64 = all.iter().skip(BARS_MAX).map(|(_, count)| count).sum();
    let shown = all.iter().take(BARS_MAX);
    let mut bars: Vec<Bar> =
        shown.map(|(key, count)| Bar { name: (*key).clone(), value: *count }).collect();
    if rest > 0 {
        bars.push(Bar { name: Message::new("report-other").say(language), value: rest });
    }
    Chart { name: Message::new(name).say(language), bars }
}

/// The services with the largest counts, each with the name of its carrier.
pub fn by_service(
    name: &'static str,
    app: &App,
    counts: &BTreeMap<String, i64>,
    language: Language,
) -> Chart {
    let mut chart = largest(name, counts, language);
    let services = chart.bars.iter_mut().take(BARS_MAX);
    services.for_each(|bar| bar.name = service_name(app, &bar.name, language));
    chart
}

fn service_name(app: &App, code: &str, language: Language) -> String {
    let known = app.catalog().service(code);
    known.map_or(code.to_owned(), |(carrier, service)| {
        format!("{}: {}", carrier.name, service.names.say(language))
    })
}
